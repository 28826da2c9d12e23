// Words for how often something comes again, of an RRULE as Solo writes it (RFC 5545).

const days: Record<string, string> = { MO: "Monday", TU: "Tuesday", WE: "Wednesday", TH: "Thursday", FR: "Friday", SA: "Saturday", SU: "Sunday" };
const units: Record<string, string> = { MINUTELY: "minute", HOURLY: "hour", DAILY: "day", WEEKLY: "week", MONTHLY: "month", YEARLY: "year" };

// repeats gives the rule itself where it says more than these words can.
export function repeats(rule: string): string {
  const parts = new Map(rule.replace(/^RRULE:/, "").split(";").map((p) => p.split("=", 2) as [string, string]));
  const unit = units[parts.get("FREQ") ?? ""];
  if (unit === undefined || [...parts.keys()].some((k) => !["FREQ", "INTERVAL", "BYDAY", "BYHOUR", "BYMINUTE", "BYSECOND"].includes(k))) return rule;
  const every = Number(parts.get("INTERVAL") ?? 1);
  const on = parts.get("BYDAY");
  if (on !== undefined && unit === "week" && every === 1) return daysOf(on) ?? rule;
  if (on !== undefined) return rule;
  return every === 1 ? `every ${unit}` : `every ${every} ${unit}s`;
}

function daysOf(list: string): string | undefined {
  const names = list.split(",");
  if (list === "MO,TU,WE,TH,FR") return "on weekdays";
  if (list === "SA,SU") return "on weekends";
  if (names.length === 7) return "every day";
  return names.every((n) => days[n] !== undefined) ? `every ${names.map((n) => days[n]).join(", ")}` : undefined;
}
