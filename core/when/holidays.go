package when

const (
	mon = iota
	tue
	wed
	thu
	fri
	sat
	sun
)

func christian() []holiday {
	return []holiday{
		fixedDay(12, 25, "christmas|xmas|noel [day]; x mas [day]; christmasday; first day of christmas"), fixedDay(12, 24, "christmas|xmas eve; x mas eve"), fixedDay(12, 26, "boxing day; st|saint stephens day; second day of christmas; day after christmas"),
		fixedDay(1, 6, "epiphany; three kings day; feast of the epiphany"), fixedDay(1, 5, "twelfth night"), fixedDay(2, 2, "candlemas; groundhog|groundhogs day"), fixedDay(8, 15, "assumption day; assumption of mary; feast of the assumption; ferragosto"), fixedDay(3, 25, "annunciation; lady day; feast of the annunciation"),
		fixedDay(11, 1, "all saints day; allhallows; all hallows day; world vegan day"), fixedDay(11, 2, "all souls day; day of the dead; dia de los muertos"), fixedDay(12, 8, "immaculate conception; feast of the immaculate conception; bodhi day"), fixedDay(12, 13, "st|saint lucys|lucias|lucy|lucia day"), fixedDay(12, 6, "st|saint nicholas day; nikolaus"), fixedDay(12, 5, "sinterklaas; krampusnacht"), fixedDay(12, 28, "holy innocents day; childermas"),
		fixedDay(3, 19, "st|saint josephs day"), fixedDay(6, 24, "st|saint johns|john day; midsummers|midsummer day; st|saint jean baptiste day"), fixedDay(6, 29, "feast of saints peter and paul"), fixedDay(9, 29, "michaelmas"), fixedDay(11, 11, "martinmas; st|saint martins day; veterans|veteran day; remembrance day; armistice day; singles day"), fixedDay(10, 31, "halloween|haloween; hallow een; all hallows eve; reformation day; samhain"),
		fixedDay(1, 7, "orthodox christmas [day]; coptic christmas"), fixedDay(1, 14, "orthodox new year; old new year; makar sankranti; pongal"), fixedDay(4, 23, "st|saint georges|george day; world book day"), fixedDay(3, 17, "st|saint patricks|patrick|paddys|pattys|patties day"), fixedDay(3, 1, "st|saint davids|david day"), fixedDay(11, 30, "st|saint andrews|andrew day"), fixedDay(2, 14, "valentines|valentine [day]; st|saint valentines|valentine day"), fixedDay(10, 4, "feast of st|saint francis"), fixedDay(11, 22, "st|saint cecilias day"),
		fromEaster(0, "easter [sunday|day]; western easter; catholic easter; resurrection sunday"), fromEaster(-1, "holy saturday; easter saturday; easter eve; black saturday"), fromEaster(-2, "good friday; holy friday; easter friday"), fromEaster(-3, "maundy|holy|covenant|sheer thursday"), fromEaster(-4, "spy|holy wednesday"), fromEaster(-7, "palm|passion sunday"), fromEaster(1, "easter monday"), fromEaster(7, "divine mercy sunday; low|quasimodo sunday"), fromEaster(-46, "ash wednesday; first day of lent; start|beginning of lent"), fromEaster(-47, "shrove|fat tuesday; mardi gras; pancake day|tuesday"), fromEaster(-48, "shrove|rose|collop monday; rosenmontag; carnival monday"), fromEaster(-52, "weiberfastnacht; fat thursday"), fromEaster(-21, "mothering sunday; laetare sunday"),
		fromEaster(39, "ascension [day|thursday]; feast of the ascension; holy thursday of the ascension"), fromEaster(49, "pentecost [sunday]; whitsun; whit|white sunday; whitsunday"), fromEaster(50, "whit|pentecost monday; whitmonday"), fromEaster(56, "trinity sunday"), fromEaster(60, "corpus christi [day]; feast of corpus christi"), fromEaster(68, "feast of the sacred heart"),
		{names: "lent", day: func(y int) wall { return easter(y).add(gDay, -46) }, days: 46, weak: true}, fromEaster(-7, "holy week").lasting(7), {names: "carnival [season]", day: func(y int) wall { return easter(y).add(gDay, -52) }, days: 6, weak: true}, fixedDay(12, 25, "twelve days of christmas; christmas season|time; christmastime|christmastide").lasting(12), fixedDay(12, 24, "christmas holiday|holidays|break").lasting(9), fromEaster(-2, "easter holiday|holidays|break").lasting(4),
		fromOrthodox(0, "orthodox|greek|russian|coptic|eastern easter [sunday]; pascha"), fromOrthodox(-2, "orthodox good|great friday; great friday; greek good friday"), fromOrthodox(1, "orthodox easter monday; bright monday"), fromOrthodox(-1, "orthodox holy saturday; great saturday; holy saturday orthodox"), fromOrthodox(-7, "orthodox palm sunday"), fromOrthodox(-48, "clean monday; green monday; orthodox shrove monday; pure monday; orthodox ash monday"), fromOrthodox(-8, "lazarus saturday"), fromOrthodox(49, "orthodox pentecost; orthodox whitsun"), fromOrthodox(50, "orthodox whit|pentecost monday"), fromOrthodox(39, "orthodox ascension [day]"), fromOrthodox(-48, "great lent; orthodox lent").lasting(40), fromOrthodox(-57, "maslenitsa; butter week").lasting(7), fromOrthodox(-3, "orthodox holy thursday"),
		computed(advent(0), "advent [sunday]; first sunday of advent; first advent"), computed(advent(1), "second sunday of advent; second advent"), computed(advent(2), "third sunday of advent; gaudete sunday; third advent"), computed(advent(3), "fourth sunday of advent; fourth advent"), computed(advent(-1), "totensonntag; christ the king [sunday]; feast of christ the king; stir up sunday"),
	}
}

// advent is a Sunday counted from the fourth one before Christmas.
func advent(n int) func(y int) wall {
	return func(y int) wall {
		eve := on(y, 12, 24)
		return eve.add(gDay, -(eve.weekday()+1)%7-21+7*n)
	}
}

// afterNth is days after the n-th weekday of a month.
func afterNth(n, weekday, m, days int) func(y int) wall {
	return func(y int) wall { return nthWeekdayOf(y, m, n, weekday).add(gDay, days) }
}

func american() []holiday {
	return []holiday{
		fixedDay(1, 1, "new years|year [day]; new year s day; first day of the year"), fixedDay(12, 31, "new years|year eve; nye; silvester; hogmanay; last day of the year"), fixedDay(7, 4, "independence day; fourth of july; july fourth"), fixedDay(6, 19, "juneteenth; june teenth; emancipation day"), fixedDay(6, 14, "flag day"), fixedDay(9, 11, "patriot day"), fixedDay(9, 17, "constitution day"), fixedDay(12, 7, "pearl harbor [remembrance] day"), fixedDay(4, 15, "tax day"), fixedDay(1, 20, "inauguration day"), fixedDay(2, 1, "national freedom day"), fixedDay(2, 12, "lincolns birthday; darwin day"), fixedDay(10, 16, "boss|bosses|bosss day; world food day"), fixedDay(4, 13, "jeffersons birthday; songkran; thai new year"),
		nthDay(3, mon, 1, "mlk [day]; martin luther king [day]; martin luther king jr [day]; m l k day; martin luther kings|king day; martin luther king junior day; dr martin luther king jr day; civil rights day"), nthDay(3, mon, 2, "presidents|president day; washingtons birthday; family day; louis riel day; islander day"), nthDay(-1, mon, 5, "memorial day; spring bank holiday; decoration day"), nthDay(1, mon, 9, "labor|labour day"), nthDay(2, mon, 10, "columbus day; indigenous peoples|people day; canadian thanksgiving; thanksgiving [day] in canada; canada thanksgiving; thanksgiving canada"), nthDay(4, thu, 11, "thanksgiving [day]; us thanksgiving; american thanksgiving; turkey day; thanksgivingday"), nthDay(3, mon, 4, "patriots day; boston marathon"),
		computed(afterNth(4, thu, 11, 1), "black friday; native american heritage day; day after thanksgiving"), computed(afterNth(4, thu, 11, 2), "small business saturday"), computed(afterNth(4, thu, 11, 4), "cyber monday"), computed(afterNth(4, thu, 11, 5), "giving tuesday"), computed(afterNth(4, thu, 11, -1), "thanksgiving eve; drinksgiving"), computed(afterNth(1, mon, 11, 1), "election day"), computed(afterNth(1, mon, 9, 6), "grandparents|grandparent day"),
		nthDay(2, sun, 5, "mothers|mother day; mom day; moms day"), nthDay(3, sun, 6, "fathers|father day; dads|dad day"), nthDay(4, sun, 7, "parents|parent day"), nthDay(1, sun, 8, "friendship day; sisters day"), nthDay(3, sat, 5, "armed forces day"), nthDay(-1, fri, 4, "arbor day"), computed(superBowl, "super bowl [sunday]; superbowl [sunday]"), nthDay(2, sun, 3, "start|beginning of daylight saving|savings [time]; daylight saving|savings [time] begins|starts"), nthDay(1, sun, 11, "end of daylight saving|savings [time]; daylight saving|savings [time] ends"), nthDay(1, sat, 5, "kentucky derby; free comic book day"), nthDay(1, fri, 6, "national donut|doughnut day"), nthDay(3, sat, 10, "sweetest day"), nthDay(-1, mon, 9, "american indian day"), nthDay(2, mon, 1, "coming of age day"), nthDay(1, mon, 6, "jefferson davis day; western australia day"),
		computed(professionals, "administrative professionals day; secretaries|secretary|secretarys day; admin day"), fixedDay(4, 10, "siblings|sibling day"), nthDay(4, thu, 4, "take our daughters and sons to work day; take your child to work day; take your daughter to work day"), nthDay(1, mon, 10, "child health day"), nthDay(4, mon, 10, "veterans day observed"),
	}
}

// professionals is the Wednesday of the last full week of April.
func professionals(y int) wall {
	saturday := nthWeekdayOf(y, 4, -1, sat)
	return saturday.add(gDay, -3)
}

// mondayBefore is the last Monday before a date.
func mondayBefore(m, d int) func(y int) wall {
	return func(y int) wall {
		w := on(y, m, d) - aDay
		return w.floor(gWeek)
	}
}

// firstFrom is the first weekday on or after a date.
func firstFrom(m, d, weekday int) func(y int) wall {
	return func(y int) wall {
		w := on(y, m, d)
		return w.add(gDay, (weekday-w.weekday()+7)%7)
	}
}

// superBowl was on the first Sunday of February, since 2022 it is on the second.
func superBowl(y int) wall {
	if y < 2022 {
		return nthWeekdayOf(y, 2, 1, sun)
	}
	return nthWeekdayOf(y, 2, 2, sun)
}
