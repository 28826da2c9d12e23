package when

// easter is the western Easter Sunday (Meeus, Jones and Butcher).
func easter(y int) wall {
	a, b, c := y%19, y/100, y%100
	d, e := b/4, b%4
	f := (b + 8) / 25
	g := (b - f + 1) / 3
	h := (19*a + b - d - g + 15) % 30
	i, k := c/4, c%4
	l := (32 + 2*e + 2*i - h - k) % 7
	m := (a + 11*h + 22*l) / 451
	n := h + l - 7*m + 114
	return on(y, n/31, n%31+1)
}

// orthodoxEaster is reckoned on the Julian calendar and given on ours.
func orthodoxEaster(y int) wall {
	d := (19*(y%19) + 15) % 30
	e := (2*(y%4) + 4*(y%7) - d + 34) % 7
	n := d + e + 114
	return on(y, n/31, n%31+1).add(gDay, y/100-y/400-2)
}

// tishri is the first day of a Hebrew year (Reingold and Dershowitz, Calendrical Calculations).
func tishri(year int) wall {
	const epoch = -1373427 - 719163 // days to 1970
	here := hebrewDays(year)
	delay := 0
	if hebrewDays(year+1)-here == 356 {
		delay = 2
	} else if here-hebrewDays(year-1) == 382 {
		delay = 1
	}
	return wall(epoch+here+delay) * aDay
}

func hebrewDays(year int) int {
	months := (235*year - 234) / 19
	parts := 12084 + 13753*months
	day := 29*months + parts/25920
	if 3*(day+1)%7 < 3 {
		day++
	}
	return day
}

// hebrewFall is a day counted from the new year that falls into year y; past heshvan its length counts.
func hebrewFall(days int) func(y int) wall {
	return func(y int) wall {
		from := tishri(y + 3761)
		if days >= 59 && (tishri(y+3762)-from)/aDay%10 == 5 { // heshvan has 30 days
			return from.add(gDay, days+1)
		}
		return from.add(gDay, days)
	}
}

// hebrewSpring is a day counted back from the new year in the autumn of year y.
func hebrewSpring(days int) func(y int) wall {
	return func(y int) wall { return tishri(y+3761).add(gDay, -days) }
}

// shvat15 is the new year of the trees.
func shvat15(y int) wall {
	from, to := tishri(y+3760), tishri(y+3761)
	days := 30 + 29 + 30 + 29 + 14
	switch (to - from) / aDay % 10 {
	case 5:
		days++
	case 3:
		days--
	}
	return from.add(gDay, days)
}

// shifted moves a day by what its weekday asks for.
func shifted(f func(int) wall, by map[int]int) func(int) wall {
	return func(y int) wall {
		w := f(y)
		return w.add(gDay, by[w.weekday()])
	}
}

// hijri is a day of the tabular Islamic calendar that falls into year y; sighting may move it by a day.
func hijri(month, day int) func(y int) wall {
	return func(y int) wall {
		h := (y - 622) * 33 / 32
		for ; ; h++ {
			jd := (11*h+3)/30 + 354*h + 30*month - (month-1)/2 + day + 1948440 - 385
			if w := wall(jd-2440588) * aDay; w >= on(y, 1, 1) {
				return w
			}
		}
	}
}

// chinese is days after the first new moon in Beijing from a date on.
func chinese(month, day, after int) func(y int) wall {
	return func(y int) wall { return moonFrom(y, month, day, 8, false).midnight().add(gDay, after) }
}

// indianFull is the day in India some hours after the first full moon from a date on.
func indianFull(month, day, hours int) func(y int) wall {
	return func(y int) wall { return (moonFrom(y, month, day, 5.5, true) + wall(hours)*anHour).midnight() }
}

// diwali is days from the evening that has the new moon of Kartik: a moon that is new only in the night belongs
// to the day that ends, one of the day to the evening before.
func diwali(after int) func(y int) wall {
	return func(y int) wall {
		w := moonFrom(y, 10, 18, 5.5, false)
		day := w.midnight()
		if w.clock() < 18*anHour+18*aMinute {
			day -= aDay
		}
		return day.add(gDay, after)
	}
}
