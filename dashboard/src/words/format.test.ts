import { expect, test } from "vitest";
import { repeats } from "./repeats";
import { bare, bytes, day, left, long, ms, rate, shown } from "./format";

test.each([
  [bytes(0), "0 B"], [bytes(999), "999 B"], [bytes(1500), "1.5 KB"], [bytes(85e9), "85 GB"], [bytes(undefined), "–"], [bytes(Number.NaN), "–"],
  [ms(12.4), "12 ms"], [ms(1234), "1.23 s"], [ms(61_000), "61.0 s"], [ms(-1), "–"],
  [rate(0), "–"], [rate(4.25), "4.3"], [rate(1240.4), "1240"],
  [left(-5), "0:00"], [left(65_000), "1:05"], [left(3_725_000), "1 h 02 min"], [left(36_000_000), "10 h"], [left(200_000_000), "2 days"], [left(400_000_000), "4 days"],
  [long(5), "5 s"], [long(300), "5 min"], [long(7_500), "2 h 05 min"], [long(864_000), "10 days"],
  [day(""), ""], [day("0001-01-01T00:00:00Z"), ""], [day("nonsense"), ""],
  [shown(null), ""], [shown("<b>"), "<b>"], [shown({ a: 1 }), '{\n  "a": 1\n}'], [shown(false), "false"],
  [bare("to: a\u202emoc.live@b"), "to: a⟨U+202E⟩moc.live@b"], [bare("a\u200bb\ufeff\u0007"), "a⟨U+200B⟩b⟨U+FEFF⟩⟨U+0007⟩"], [bare("tag\u{e0041}"), "tag⟨U+E0041⟩"],
  [bare("two\nlines\tand 👩‍👧 नमस्ते שלום"), "two\nlines\tand 👩‍👧 नमस्ते שלום"],
  [repeats("FREQ=DAILY;BYHOUR=9;BYMINUTE=0"), "every day"], [repeats("FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;BYHOUR=18"), "on weekdays"],
  [repeats("FREQ=WEEKLY;BYDAY=SA"), "every Saturday"], [repeats("FREQ=WEEKLY;BYDAY=MO,WE"), "every Monday, Wednesday"], [repeats("FREQ=WEEKLY;INTERVAL=2"), "every 2 weeks"],
  [repeats("FREQ=MONTHLY;BYDAY=1MO"), "FREQ=MONTHLY;BYDAY=1MO"], [repeats("FREQ=DAILY;COUNT=3"), "FREQ=DAILY;COUNT=3"], [repeats("nonsense"), "nonsense"], [repeats("FREQ=WEEKLY;BYDAY=XX"), "FREQ=WEEKLY;BYDAY=XX"],
])("%s is %s", (got, want) => {
  expect(got).toBe(want);
});
