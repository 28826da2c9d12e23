import { connection } from "../net/events";

// Connected says so when Solo cannot be reached, and nothing otherwise.
export function Connected() {
  const lost = connection.value === "reconnecting";
  return (
    <span class={lost ? "connection lost" : "connection"} role="status">
      {lost ? "reconnecting…" : ""}
    </span>
  );
}
