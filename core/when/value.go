package when

import "time"

// Kind says what sort of time a phrase names.
type Kind string

const (
	Point      Kind = "point"      // one place in time, as wide as its grain: "tomorrow", "3pm", "march"
	Interval   Kind = "interval"   // from one moment to another: "from 3 to 5", "this morning", "until Friday"
	Duration   Kind = "duration"   // a length without a place: "two hours"
	Recurrence Kind = "recurrence" // comes again: "every weekday at 7"
)

// Grain is how finely a value is meant.
type Grain string

const (
	Second  Grain = "second"
	Minute  Grain = "minute"
	Hour    Grain = "hour"
	Day     Grain = "day"
	Week    Grain = "week"
	Month   Grain = "month"
	Quarter Grain = "quarter"
	Year    Grain = "year"
)

// Value is what a phrase means.
type Value struct {
	Kind       Kind
	Start      time.Time // in now's zone; zero for a duration and for an interval without a beginning
	End        time.Time // exclusive; zero for a point and for an interval without an end
	Grain      Grain
	Duration   string // ISO 8601, of a duration: "PT1H30M"
	Recurrence string // RRULE, of a recurrence: "FREQ=WEEKLY;BYDAY=MO;BYHOUR=7;BYMINUTE=0"
	Span       [2]int // first byte and the byte after the last one of the matched words
}

// grain is Grain in order of size.
type grain int8

const (
	gSecond grain = iota
	gMinute
	gHour
	gDay
	gWeek
	gMonth
	gQuarter
	gYear
)

var grainNames = [...]Grain{Second, Minute, Hour, Day, Week, Month, Quarter, Year}

func (g grain) public() Grain { return grainNames[g] }

// finer is the unit to which an offset from now is known: "in three weeks" names a day, "in two hours" a minute. Months and years still name a day.
func (g grain) finer() grain {
	return [...]grain{gSecond, gSecond, gMinute, gHour, gDay, gDay, gDay, gDay}[g]
}
