// Package when reads English phrases about time and words times for the ear.
//
// Parse finds the phrase inside a sentence; what only looks like a time ("I may go", "at 6 people") gives none.
// A phrase is read as said at a moment and in a zone:
//
//   - The next future value is meant. A weekday is never today; a date, month or part of day may be the present one.
//   - A bare clock time is its next occurrence, both halves of the day considered: at noon, "at 3" is 15:00.
//     Beside a day other than today 1 to 6 are in the afternoon, 7 to 11 in the morning and 12 is noon, unless
//     a part of day is named or the sentence is about waking up.
//   - Weeks begin on Monday. "next Tuesday" is the Tuesday of next week, "this Tuesday" the coming one,
//     "last Tuesday" the one before today.
//   - Morning is 0-12, lunch 12-14, afternoon 12-19, evening and night 18-24. A weekend is Friday 18:00 to Monday 0:00.
//   - Beginning and end of a month are its first ten days and the days from the 21st on; of a week three days;
//     of a year three and four months.
//   - "by X" runs from now to the end of X, "within two weeks" from now on. "next 3 weeks" and "last 2 months" are
//     whole units of the calendar after and before the present one.
//   - Midnight is the coming one; beside a day it is the one that ends the day.
//   - Seasons follow the sun, on the calendar of Greenwich and for the northern half of the earth.
//   - A length from now is known to the unit that is one finer than the one said: "in three weeks" names a day,
//     "in two hours" a minute; months and years still name a day.
//
// Daylight saving: a wall time in the gap is moved forward by the gap's length; one that comes twice is the first.
// Offsets in hours, minutes and seconds are time that really passes; days and longer are steps on the calendar.
//
// The grammar is a table of patterns by theme (clock.go, date.go, interval.go, ...), read bottom-up from the last
// word to the first (chart.go). What a phrase means is a series of occurrences (series.go); the one that is meant
// is chosen at the end. All functions may be called from many goroutines.
package when
