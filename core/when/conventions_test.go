package when_test

import (
	"testing"
	"time"
)

// The promises of the package, each checked by hand. The moment is Tuesday, 17 March 2026, 14:30 in Berlin
// unless a case says otherwise.
func TestConventions(t *testing.T) {
	berlin := zone(t, "Europe/Berlin")
	tuesday := time.Date(2026, 3, 17, 14, 30, 0, 0, berlin)
	for _, c := range []struct{ say, want string }{
		// the next future value
		{"monday", "point 2026-03-23T00:00:00+01:00 day"},
		{"tuesday", "point 2026-03-24T00:00:00+01:00 day"},
		{"wednesday", "point 2026-03-18T00:00:00+01:00 day"},
		{"march 16", "point 2027-03-16T00:00:00+01:00 day"},
		{"march 17", "point 2026-03-17T00:00:00+01:00 day"},
		{"the 16th", "point 2026-04-16T00:00:00+02:00 day"},
		{"april", "point 2026-04-01T00:00:00+02:00 month"},
		{"february", "point 2027-02-01T00:00:00+01:00 month"},
		// a bare clock time in both halves of the day
		{"at 2", "point 2026-03-18T02:00:00+01:00 hour"},
		{"at 3", "point 2026-03-17T15:00:00+01:00 hour"},
		{"at 2:45", "point 2026-03-17T14:45:00+01:00 minute"},
		{"at 12", "point 2026-03-18T00:00:00+01:00 hour"},
		{"2 pm", "point 2026-03-18T14:00:00+01:00 hour"},
		{"at 02:45", "point 2026-03-18T02:45:00+01:00 minute"},
		// beside a day
		{"tomorrow at 3", "point 2026-03-18T15:00:00+01:00 hour"},
		{"tomorrow at 7", "point 2026-03-18T07:00:00+01:00 hour"},
		{"tomorrow at 12", "point 2026-03-18T12:00:00+01:00 hour"},
		{"tomorrow at 3 in the morning", "point 2026-03-18T03:00:00+01:00 hour"},
		{"tomorrow evening at 8", "point 2026-03-18T20:00:00+01:00 hour"},
		{"wake me tomorrow at 6", "point 2026-03-18T06:00:00+01:00 hour [tomorrow at 6]"},
		// weeks begin on monday
		{"next tuesday", "point 2026-03-24T00:00:00+01:00 day"},
		{"next sunday", "point 2026-03-29T00:00:00+01:00 day"},
		{"next wednesday", "point 2026-03-25T00:00:00+01:00 day"},
		{"this wednesday", "point 2026-03-18T00:00:00+01:00 day"},
		{"last tuesday", "point 2026-03-10T00:00:00+01:00 day"},
		{"last monday", "point 2026-03-16T00:00:00+01:00 day"},
		{"this week", "point 2026-03-16T00:00:00+01:00 week"},
		{"next week", "point 2026-03-23T00:00:00+01:00 week"},
		// parts of the day
		{"this morning", "interval 2026-03-17T00:00:00+01:00..2026-03-17T12:00:00+01:00 hour"},
		{"this afternoon", "interval 2026-03-17T12:00:00+01:00..2026-03-17T19:00:00+01:00 hour"},
		{"this evening", "interval 2026-03-17T18:00:00+01:00..2026-03-18T00:00:00+01:00 hour"},
		{"tonight", "interval 2026-03-17T18:00:00+01:00..2026-03-18T00:00:00+01:00 hour"},
		{"tomorrow at lunch", "interval 2026-03-18T12:00:00+01:00..2026-03-18T14:00:00+01:00 hour"},
		{"in the morning", "interval 2026-03-18T00:00:00+01:00..2026-03-18T12:00:00+01:00 hour"},
		{"this weekend", "interval 2026-03-20T18:00:00+01:00..2026-03-23T00:00:00+01:00 hour"},
		// beginnings and ends
		{"beginning of april", "interval 2026-04-01T00:00:00+02:00..2026-04-11T00:00:00+02:00 day"},
		{"end of april", "interval 2026-04-21T00:00:00+02:00..2026-05-01T00:00:00+02:00 day"},
		{"beginning of the week", "interval 2026-03-16T00:00:00+01:00..2026-03-19T00:00:00+01:00 day"},
		{"end of the week", "interval 2026-03-20T00:00:00+01:00..2026-03-23T00:00:00+01:00 day"},
		{"beginning of the year", "interval 2026-01-01T00:00:00+01:00..2026-04-01T00:00:00+02:00 month"},
		{"end of the year", "interval 2026-09-01T00:00:00+02:00..2027-01-01T00:00:00+01:00 month"},
		// by
		{"by friday", "interval 2026-03-17T14:30:00+01:00..2026-03-21T00:00:00+01:00 day"},
		{"by the end of march", "interval 2026-03-17T14:30:00+01:00..2026-04-01T00:00:00+02:00 day"},
		{"by 6 pm", "interval 2026-03-17T14:30:00+01:00..2026-03-17T18:00:00+01:00 hour"},
		{"within 3 days", "interval 2026-03-17T14:30:00+01:00..2026-03-20T14:30:00+01:00 day"},
		{"midnight", "point 2026-03-18T00:00:00+01:00 hour"},
		// seasons by the sun
		{"spring", "interval 2026-03-20T00:00:00+01:00..2026-06-21T00:00:00+02:00 day"},
		{"summer 2026", "interval 2026-06-21T00:00:00+02:00..2026-09-23T00:00:00+02:00 day"},
		{"winter", "interval 2025-12-21T00:00:00+01:00..2026-03-20T00:00:00+01:00 day"},
		// open ends
		{"after friday", "interval 2026-03-21T00:00:00+01:00..- day"},
		{"before friday", "interval -..2026-03-20T00:00:00+01:00 day"},
		{"since friday", "interval 2026-03-13T00:00:00+01:00..- day"},
		{"until 6 pm", "interval -..2026-03-17T18:00:00+01:00 hour"},
		// recurrences begin with their next time
		{"every tuesday at 14:30", "recurrence 2026-03-24T14:30:00+01:00 FREQ=WEEKLY;BYDAY=TU;BYHOUR=14;BYMINUTE=30 minute"},
		{"every tuesday at 3 pm", "recurrence 2026-03-17T15:00:00+01:00 FREQ=WEEKLY;BYDAY=TU;BYHOUR=15;BYMINUTE=0 hour"},
		{"every weekday at 7", "recurrence 2026-03-18T07:00:00+01:00 FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;BYHOUR=7;BYMINUTE=0 hour"},
	} {
		if got := describe(c.say, tuesday); got != c.want {
			t.Errorf("%q\n got %s\nwant %s", c.say, got, c.want)
		}
	}
}

func TestDaylightSaving(t *testing.T) {
	berlin, newYork := zone(t, "Europe/Berlin"), zone(t, "America/New_York")
	spring := time.Date(2026, 3, 28, 20, 0, 0, 0, berlin) // the clock jumps from 2 to 3 this night
	autumn := time.Date(2026, 10, 24, 20, 0, 0, 0, berlin)
	for _, c := range []struct {
		say  string
		now  time.Time
		want string
	}{
		{"tomorrow at 2:30 am", spring, "point 2026-03-29T03:30:00+02:00 minute"},
		{"in 8 hours", spring, "point 2026-03-29T05:00:00+02:00 minute"},
		{"in 24 hours", spring, "point 2026-03-29T21:00:00+02:00 minute"},
		{"in a day", spring, "point 2026-03-29T20:00:00+02:00 hour"},
		{"3 hours after midnight", spring, "point 2026-03-29T04:00:00+02:00 hour"},
		{"tomorrow", spring, "point 2026-03-29T00:00:00+01:00 day"},
		{"tomorrow morning", spring, "interval 2026-03-29T00:00:00+01:00..2026-03-29T12:00:00+02:00 hour"},
		{"every day at 2:15 am", spring, "recurrence 2026-03-29T03:15:00+02:00 FREQ=DAILY;BYHOUR=2;BYMINUTE=15 minute"},
		{"tomorrow at 2:30 am", autumn, "point 2026-10-25T02:30:00+02:00 minute"},
		{"in 8 hours", autumn, "point 2026-10-25T03:00:00+01:00 minute"},
		{"in 7 hours", autumn, "point 2026-10-25T02:00:00+01:00 minute"},
		{"in 6 hours", autumn, "point 2026-10-25T02:00:00+02:00 minute"},
		{"in 24 hours", autumn, "point 2026-10-25T19:00:00+01:00 minute"},
		{"in a day", autumn, "point 2026-10-25T20:00:00+01:00 hour"},
		{"in half an hour", time.Date(2026, 10, 25, 0, 45, 0, 0, time.UTC).In(berlin), "point 2026-10-25T02:15:00+01:00 second"},
		{"now", time.Date(2026, 10, 25, 1, 15, 0, 0, time.UTC).In(berlin), "point 2026-10-25T02:15:00+01:00 second"},
		{"tomorrow at 2:30 am", time.Date(2026, 3, 7, 12, 0, 0, 0, newYork), "point 2026-03-08T03:30:00-04:00 minute"},
		{"tomorrow at 1:30 am", time.Date(2026, 10, 31, 12, 0, 0, 0, newYork), "point 2026-11-01T01:30:00-04:00 minute"},
		{"8:00 GMT tomorrow", time.Date(2026, 3, 7, 12, 0, 0, 0, newYork), "point 2026-03-08T04:00:00-04:00 minute"},
	} {
		if got := describe(c.say, c.now); got != c.want {
			t.Errorf("%q at %s\n got %s\nwant %s", c.say, c.now.Format(time.RFC3339), got, c.want)
		}
	}
}

// Holidays as the calendars of the churches, states and observatories printed them.
func TestHolidaysOfManyYears(t *testing.T) {
	now := time.Date(2012, 1, 1, 12, 0, 0, 0, time.UTC)
	for name, days := range map[string][]string{
		"easter":              {"2013-03-31", "2014-04-20", "2015-04-05", "2016-03-27", "2019-04-21", "2024-03-31", "2025-04-20", "2038-04-25"},
		"orthodox easter":     {"2013-05-05", "2014-04-20", "2015-04-12", "2016-05-01", "2021-05-02", "2024-05-05", "2025-04-20"},
		"thanksgiving":        {"2013-11-28", "2014-11-27", "2018-11-22", "2024-11-28"},
		"chinese new year":    {"2013-02-10", "2014-01-31", "2015-02-19", "2016-02-08", "2017-01-28", "2018-02-16", "2019-02-05", "2020-01-25", "2021-02-12", "2022-02-01", "2023-01-22", "2024-02-10", "2025-01-29", "2026-02-17"},
		"mid-autumn festival": {"2014-09-08", "2017-10-04", "2020-10-01", "2023-09-29", "2025-10-06"},
		"diwali":              {"2013-11-03", "2014-10-23", "2015-11-11", "2016-10-30", "2017-10-19", "2018-11-07", "2019-10-27", "2020-11-14", "2021-11-04", "2023-11-12", "2024-10-31"},
		"holi":                {"2013-03-27", "2014-03-17", "2015-03-06", "2016-03-24", "2018-03-02", "2020-03-10", "2022-03-18", "2023-03-08", "2025-03-14"},
		"yom kippur":          {"2013-09-14", "2014-10-04", "2015-09-23", "2016-10-12", "2017-09-30", "2024-10-12"},
		"purim":               {"2014-03-16", "2015-03-05", "2016-03-24", "2024-03-24"},
		"day of arafat":       {"2015-09-23"},
		"mlk day":             {"2013-01-21", "2018-01-15"},
		"victoria day":        {"2015-05-18", "2020-05-18", "2021-05-24"},
		"election day":        {"2016-11-08", "2020-11-03", "2022-11-08"},
		"advent sunday":       {"2015-11-29", "2016-11-27", "2017-12-03", "2022-11-27", "2023-12-03"},
		"summer solstice":     {"2015-06-21", "2016-06-20", "2024-06-20"},
		"winter solstice":     {"2015-12-22", "2016-12-21", "2023-12-22"},
	} {
		for _, day := range days {
			say := name + " " + day[:4]
			if got, want := describe(say, now), "point "+day+"T00:00:00+00:00 day"; got != want {
				t.Errorf("%s: got %s, want %s", say, got, want)
			}
		}
	}
}
