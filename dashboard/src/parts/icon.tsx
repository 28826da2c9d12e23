// Small pictures, drawn on 24 by 24.

const paths: Record<string, string> = {
  talk: "M12 3a3.5 3.5 0 0 1 3.5 3.5v5a3.5 3.5 0 0 1-7 0v-5A3.5 3.5 0 0 1 12 3ZM5.5 11.5a6.5 6.5 0 0 0 13 0M12 18v3",
  live: "M3 12h4l3-8 4 16 3-8h4",
  tasks: "M4 6.5l1.5 1.5L8.5 5M4 13l1.5 1.5 3-3M4 19.5 5.5 21l3-3M12 7h8M12 13.5h8M12 20h8",
  projects: "M4 5h7M8 5v14h4M8 12h4M14 10h6v4h-6ZM14 17h6v4h-6Z",
  reminders: "M12 6.5V12l3.5 2M12 21a8.5 8.5 0 1 0 0-17 8.5 8.5 0 0 0 0 17ZM4 3.5 2 6M20 3.5 22 6",
  dialogues: "M4 5h12v9H9l-3.5 3V14H4V5ZM19 9h1v8h-1v2.5L16 17h-5",
  memories: "M12 20s-7.5-4.4-7.5-10A4.3 4.3 0 0 1 12 7.2 4.3 4.3 0 0 1 19.5 10c0 5.6-7.5 10-7.5 10Z",
  documents: "M6 3h8l4 4v14H6V3ZM14 3v4h4M9 12h6M9 16h6",
  models: "M12 3l8 4.500v9L12 21l-8-4.500v-9L12 3ZM12 12l8-4.500M12 12v9M12 12 4 7.5",
  jobs: "M20 12a8 8 0 1 1-2.5-5.800M20 3v4.500h-4.5",
  settings: "M4 7h9M17 7h3M4 17h3M11 17h9M15 4.500v5M9 14.500v5",
  log: "M4 5h16v14H4V5ZM7.5 9.5 10 12l-2.5 2.500M12.5 14.500h4",
  sun: "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8ZM12 2v2.500M12 19.500V22M2 12h2.500M19.5 12H22M5 5l1.7 1.700M17.3 17.3 19 19M5 19l1.7-1.700M17.3 6.7 19 5",
  moon: "M20 14.500A8.5 8.5 0 0 1 9.5 4 8.5 8.5 0 1 0 20 14.500Z",
  auto: "M12 3.500a8.5 8.5 0 1 0 0 17ZM12 3.500a8.5 8.5 0 0 1 0 17",
  help: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18ZM9.5 9.500a2.5 2.5 0 1 1 3.5 2.300c-.7.3-1 .8-1 1.700M12 16.700v.1",
  menu: "M4 7h16M4 12h16M4 17h16",
  close: "M6 6l12 12M18 6 6 18",
  send: "M12 19V5M6 11l6-6 6 6",
  stop: "M7 7h10v10H7Z",
  trash: "M5 7h14M10 4h4M7 7l1 13h8l1-13M10.5 11v5M13.5 11v5",
  plus: "M12 5v14M5 12h14",
  again: "M20 12a8 8 0 1 1-2.5-5.800M20 3v4.500h-4.5",
  out: "M14 4h6v6M20 4l-9 9M18 14v6H4V6h6",
  check: "M5 12.5 10 17.5 19.5 7",
  warn: "M12 4 2.5 20h19L12 4ZM12 10v5M12 17.500v.1",
};

export function Icon({ name }: { name: string }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={paths[name] ?? ""} />
    </svg>
  );
}
