package when

import (
	"math"
	"time"
)

// moonTerm is one sine of the moon's phase: its size for a new and a full moon, how often the earth's eccentricity
// enters, and the multiples of the sun's anomaly, the moon's anomaly and the moon's latitude.
type moonTerm struct {
	fresh, full float64
	e           int
	m, mm, f    float64
}

// Jean Meeus, Astronomical Algorithms, chapter 49; the terms left out are worth less than two minutes.
var moonTerms = []moonTerm{
	{-0.40720, -0.40614, 0, 0, 1, 0}, {0.17241, 0.17302, 1, 1, 0, 0}, {0.01608, 0.01614, 0, 0, 2, 0}, {0.01039, 0.01043, 0, 0, 0, 2},
	{0.00739, 0.00734, 1, -1, 1, 0}, {-0.00514, -0.00515, 1, 1, 1, 0}, {0.00208, 0.00209, 2, 2, 0, 0}, {-0.00111, -0.00111, 0, 0, 1, -2},
	{-0.00057, -0.00057, 0, 0, 1, 2}, {0.00056, 0.00056, 1, 1, 2, 0}, {-0.00042, -0.00042, 0, 0, 3, 0}, {0.00042, 0.00042, 1, 1, 0, 2},
	{0.00038, 0.00038, 1, 1, 0, -2}, {-0.00024, -0.00024, 1, -1, 2, 0},
}

// moon is the k-th new moon since the year 2000; k and a half is a full moon.
func moon(k float64) time.Time {
	t := k / 1236.85
	e := 1 - 0.002516*t
	sun := rad(2.5534 + 29.10535670*k)
	anomaly := rad(201.5643 + 385.81693528*k)
	latitude := rad(160.7108 + 390.67050284*k)
	node := rad(124.7746 - 1.56375588*k)
	jde := 2451550.09766 + 29.530588861*k + 0.00015437*t*t - 0.00017*math.Sin(node)
	for _, c := range moonTerms {
		size := c.fresh
		if k != math.Floor(k) {
			size = c.full
		}
		jde += size * math.Pow(e, float64(c.e)) * math.Sin(c.m*sun+c.mm*anomaly+c.f*latitude)
	}
	return julian(jde)
}

// moonFrom is the wall clock reading of the first new moon (or full moon) on or after a date, hours east of Greenwich.
func moonFrom(year, month, day int, hours float64, full bool) wall {
	from := on(year, month, day)
	offset := wall(hours * anHour)
	k := math.Floor((float64(year)+float64(month-1)/12+float64(day)/365-2000)*12.3685) - 2
	if full {
		k += 0.5
	}
	for ; ; k++ {
		if w := wall(moon(k).Unix()) + offset; w >= from {
			return w
		}
	}
}
