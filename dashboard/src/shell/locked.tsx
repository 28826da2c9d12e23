export function Locked() {
  return (
    <main class="locked">
      <h1>Solo is locked</h1>
      <p>
        Run <code>solo dashboard</code> in a terminal. It opens this page with a link that works once.
      </p>
    </main>
  );
}
