package schedule

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"
)

func at(t testing.TB, text, zone string) time.Time {
	t.Helper()
	loc, err := location(zone)
	if err != nil {
		t.Fatal(err)
	}
	for _, layout := range []string{time.RFC3339, "2006-01-02 15:04:05", "2006-01-02 15:04"} {
		if got, err := time.ParseInLocation(layout, text, loc); err == nil {
			return got.In(loc)
		}
	}
	t.Fatalf("bad time %q", text)
	return time.Time{}
}

const berlin = "Europe/Berlin"

func TestNextRunsThroughTheZonesDays(t *testing.T) {
	for name, tt := range map[string]struct {
		rule, zone, after string
		want              []string // RFC 3339
	}{
		"daily in the spring gap moves on by the gap": {"FREQ=DAILY;BYHOUR=2;BYMINUTE=30", berlin, "2026-03-27 12:00",
			[]string{"2026-03-28T02:30:00+01:00", "2026-03-29T03:30:00+02:00", "2026-03-30T02:30:00+02:00"}},
		"daily in the autumn overlap falls once, at the first": {"FREQ=DAILY;BYHOUR=2;BYMINUTE=30", berlin, "2026-10-24 01:00",
			[]string{"2026-10-24T02:30:00+02:00", "2026-10-25T02:30:00+02:00", "2026-10-26T02:30:00+01:00"}},
		"two readings that meet after the gap are one": {"FREQ=DAILY;BYHOUR=2,3;BYMINUTE=30", berlin, "2026-03-28 12:00",
			[]string{"2026-03-29T03:30:00+02:00", "2026-03-30T02:30:00+02:00"}},
		"asked between the two halves of the overlap": {"FREQ=DAILY;BYHOUR=2;BYMINUTE=30", berlin, "2026-10-25T02:45:00+02:00",
			[]string{"2026-10-26T02:30:00+01:00"}},
		"asked in the second half of the overlap": {"FREQ=DAILY;BYHOUR=2;BYMINUTE=30", berlin, "2026-10-25T02:15:00+01:00",
			[]string{"2026-10-26T02:30:00+01:00"}},
		"a gap of half an hour": {"FREQ=DAILY;BYHOUR=2;BYMINUTE=10", "Australia/Lord_Howe", "2026-10-03 12:00",
			[]string{"2026-10-04T02:40:00+11:00", "2026-10-05T02:10:00+11:00"}},
		"a gap of a whole day": {"FREQ=DAILY;BYHOUR=9;BYMINUTE=0", "Pacific/Apia", "2011-12-29 10:00",
			[]string{"2011-12-31T09:00:00+14:00", "2012-01-01T09:00:00+14:00"}},
		"midnight that never comes": {"FREQ=DAILY;BYHOUR=0;BYMINUTE=0", "America/Havana", "2026-03-07 12:00",
			[]string{"2026-03-08T01:00:00-04:00", "2026-03-09T00:00:00-04:00"}},
		"hourly runs on through spring": {"FREQ=HOURLY;BYMINUTE=0", berlin, "2026-03-29 00:30",
			[]string{"2026-03-29T01:00:00+01:00", "2026-03-29T03:00:00+02:00", "2026-03-29T04:00:00+02:00"}},
		"hourly has 25 hours in autumn": {"FREQ=HOURLY;BYMINUTE=0", berlin, "2026-10-25 01:30",
			[]string{"2026-10-25T02:00:00+02:00", "2026-10-25T02:00:00+01:00", "2026-10-25T03:00:00+01:00"}},
		"hourly where the offset is no whole hour": {"FREQ=HOURLY;BYMINUTE=0", "Asia/Kolkata", "2026-01-05 09:10",
			[]string{"2026-01-05T10:00:00+05:30", "2026-01-05T11:00:00+05:30"}},
		"every two hours begins in two hours": {"FREQ=HOURLY;INTERVAL=2", "UTC", "2026-01-05 09:10:07", []string{"2026-01-05T11:10:07Z"}},
		"every twenty minutes from nine to ten on weekdays": {"FREQ=MINUTELY;INTERVAL=20;BYDAY=MO,TU,WE,TH,FR;BYHOUR=9;BYMINUTE=0,20,40", berlin, "2026-01-02 09:30",
			[]string{"2026-01-02T09:40:00+01:00", "2026-01-05T09:00:00+01:00"}},
		"weekdays at seven": {"FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;BYHOUR=7;BYMINUTE=0", berlin, "2026-01-02 07:00",
			[]string{"2026-01-05T07:00:00+01:00", "2026-01-06T07:00:00+01:00"}},
		"hour alone means on the hour": {"FREQ=DAILY;BYHOUR=7", "UTC", "2026-01-02 09:13:27", []string{"2026-01-03T07:00:00Z"}},
		"the first of every other day": {"FREQ=DAILY;INTERVAL=2;BYHOUR=7", "UTC", "2026-01-02 09:13", []string{"2026-01-03T07:00:00Z"}},
		"the last Friday of the month": {"FREQ=MONTHLY;BYDAY=-1FR;BYHOUR=17;BYMINUTE=15", berlin, "2026-02-27 18:00", []string{"2026-03-27T17:15:00+01:00"}},
		"the 31st skips short months":  {"FREQ=MONTHLY;BYMONTHDAY=31;BYHOUR=8", "UTC", "2026-01-31 08:00", []string{"2026-03-31T08:00:00Z"}},
		"the last day of the month":    {"FREQ=MONTHLY;BYMONTHDAY=-1;BYHOUR=8", "UTC", "2026-01-31 08:00", []string{"2026-02-28T08:00:00Z"}},
		"the 29th of February":         {"FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29;BYHOUR=8", "UTC", "2097-01-01 00:00", []string{"2104-02-29T08:00:00Z"}},
		"RRULE: in front":              {"RRULE:FREQ=DAILY;BYHOUR=7", "UTC", "2026-01-02 06:00", []string{"2026-01-02T07:00:00Z"}},
		"lower case":                   {"freq=daily;byhour=7", "UTC", "2026-01-02 06:00", []string{"2026-01-02T07:00:00Z"}},
		"until a day holds on that day": {"FREQ=DAILY;BYHOUR=22;UNTIL=20260103", berlin, "2026-01-02 23:00",
			[]string{"2026-01-03T22:00:00+01:00", "never"}},
		"until in UTC": {"FREQ=DAILY;BYHOUR=22;UNTIL=20260103T210000Z", berlin, "2026-01-02 23:00",
			[]string{"2026-01-03T22:00:00+01:00", "never"}},
		"until a reading of the clock": {"FREQ=DAILY;BYHOUR=22;UNTIL=20260103T215959", berlin, "2026-01-02 23:00", []string{"never"}},
		"hourly until in UTC":          {"FREQ=HOURLY;BYMINUTE=0;UNTIL=20260103T110000Z", berlin, "2026-01-03 11:10", []string{"2026-01-03T12:00:00+01:00", "never"}},
		"the 30th of February":         {"FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30;BYHOUR=8", "UTC", "2026-01-01 00:00", []string{"never"}},
		"minutely on the 30th of February": {"FREQ=MINUTELY;BYMONTH=2;BYMONTHDAY=30", "UTC", "2026-01-01 00:00",
			[]string{"never"}},
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			after := at(t, tt.after, tt.zone)
			for range tt.want {
				next, err := Next(tt.rule, tt.zone, after)
				if errors.Is(err, ErrNever) {
					got = append(got, "never")
					break
				}
				if err != nil {
					t.Fatal(err)
				}
				got = append(got, next.Format(time.RFC3339))
				after = next
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("%s\n got %v\nwant %v", tt.rule, got, tt.want)
			}
		})
	}
}

func TestFollowingKeepsTheAnchor(t *testing.T) {
	for name, tt := range map[string]struct{ rule, from, after, want string }{
		"every other day":               {"FREQ=DAILY;INTERVAL=2", "2026-01-01 07:00", "2026-01-02 12:00", "2026-01-03T07:00:00+01:00"},
		"every other week":              {"FREQ=WEEKLY;INTERVAL=2;BYDAY=MO", "2026-01-05 07:00", "2026-01-05 07:00", "2026-01-19T07:00:00+01:00"},
		"every ten years":               {"FREQ=YEARLY;INTERVAL=10", "2026-01-05 07:00", "2026-01-05 07:00", "2036-01-05T07:00:00+01:00"},
		"the third and last time":       {"FREQ=DAILY;COUNT=3", "2026-01-01 07:00", "2026-01-02 07:00", "2026-01-03T07:00:00+01:00"},
		"three times are over":          {"FREQ=DAILY;COUNT=3", "2026-01-01 07:00", "2026-01-03 07:00", "never"},
		"three hours are over":          {"FREQ=HOURLY;COUNT=3", "2026-01-01 07:00", "2026-01-01 09:00", "never"},
		"every 90 minutes, years on":    {"FREQ=MINUTELY;INTERVAL=90", "2016-01-01 00:00", "2026-01-01 00:00", "2026-01-01T01:30:00+01:00"},
		"summer's hour stays in winter": {"FREQ=DAILY", "2026-10-24 07:00", "2026-10-24 07:00", "2026-10-25T07:00:00+01:00"},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := following(tt.rule, berlin, at(t, tt.from, berlin), at(t, tt.after, berlin))
			said := got.Format(time.RFC3339)
			if errors.Is(err, ErrNever) {
				said, err = "never", nil
			}
			if err != nil || said != tt.want {
				t.Errorf("got %s, %v, want %s", said, err, tt.want)
			}
		})
	}
}

func TestNextRefusesWhatItCannotKeep(t *testing.T) {
	for rule, want := range map[string]error{
		"": ErrRule, "daily": ErrRule, "FREQ=SOMETIMES": ErrRule, "INTERVAL=2": ErrRule, "FREQ=DAILY;BYHOUR=25": ErrRule,
		"FREQ=DAILY;INTERVAL=-1": ErrRule, "FREQ=DAILY;INTERVAL=99999999": ErrRule, "FREQ=SECONDLY": ErrRule,
		"FREQ=MINUTELY;BYSETPOS=3": ErrRule, "FREQ=DAILY;BYEASTER=400": ErrRule, "FREQ=DAILY;BYSETPOS=3": ErrRule, "FREQ=DAILY;X=1": ErrRule, "DTSTART:20260101T000000Z\nRRULE:FREQ=DAILY": ErrRule,
		"FREQ=DAILY;" + strings.Repeat("BYHOUR=1;", 100): ErrRule, "FREQ=DAILY\x00": ErrRule,
	} {
		if _, err := Next(rule, "UTC", time.Unix(0, 0)); !errors.Is(err, want) {
			t.Errorf("%.60q: %v", rule, err)
		}
	}
	if _, err := Next("FREQ=DAILY", "Mars/Olympus", time.Unix(0, 0)); !errors.Is(err, ErrZone) {
		t.Errorf("a zone on Mars: %v", err)
	}
}

func FuzzNext(f *testing.F) {
	f.Add("FREQ=DAILY;BYHOUR=2;BYMINUTE=30", berlin, int64(1774742400))
	f.Add("FREQ=HOURLY;INTERVAL=5", "America/Havana", int64(0))
	f.Add("FREQ=MONTHLY;BYDAY=-1FR;BYSETPOS=2;COUNT=7;UNTIL=20300101", "Pacific/Apia", int64(1325239200))
	f.Add("FREQ=WEEKLY;INTERVAL=2;WKST=SU;BYDAY=TU,1SA", "UTC", int64(-5))
	f.Add("FREQ=YEARLY;BYEASTER=-2;BYWEEKNO=15;BYYEARDAY=-100", "Africa/Casablanca", int64(1<<31))
	f.Add("FREQ=DAILY;BYWEEKNO=53;BYDAY=MO;BYMONTHDAY=-31;BYHOUR=0,23", "Antarctica/Troll", int64(0))
	f.Add("FREQ=MINUTELY;BYMONTH=2;BYMONTHDAY=30;BYHOUR=3;BYMINUTE=59", "Asia/Kolkata", int64(1e9))
	f.Fuzz(func(t *testing.T, rule, zone string, unix int64) {
		after := time.Unix(unix%(1<<33), 0)
		begin := time.Now()
		got, err := Next(rule, zone, after)
		if took := time.Since(begin); took > 3*time.Second {
			t.Errorf("%q took %v", rule, took)
		}
		if err != nil {
			for _, known := range []error{ErrRule, ErrZone, ErrNever} {
				if errors.Is(err, known) {
					return
				}
			}
			t.Fatalf("%q: a nameless error: %v", rule, err)
		}
		if !got.After(after) {
			t.Errorf("%q in %s: %v is not after %v", rule, zone, got, after)
		}
	})
}

func BenchmarkNext(b *testing.B) {
	for name, rule := range map[string]string{
		"daily": "FREQ=DAILY;BYHOUR=7;BYMINUTE=0", "weekdays": "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;BYHOUR=7",
		"hourly": "FREQ=HOURLY;BYMINUTE=0", "yearly": "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29;BYHOUR=8",
	} {
		b.Run(name, func(b *testing.B) {
			after := at(b, "2026-03-28 12:00", berlin)
			for b.Loop() {
				if _, err := Next(rule, berlin, after); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
