package calc

import "math/big"

// unit is a measure. An amount of it is factor times the base unit of its kind, plus shift for temperatures.
type unit struct {
	kind   string
	factor *big.Rat
	shift  *big.Rat
	one    string   // "mile"
	many   string   // "miles"
	short  []string // "mi", and other names
}

// u makes a unit. factor is an exact decimal or fraction of the kind's base unit.
func u(kind, factor, one, many string, short ...string) unit {
	f, ok := new(big.Rat).SetString(factor)
	if !ok {
		panic("bad factor of " + one)
	}
	return unit{kind: kind, factor: f, shift: new(big.Rat), one: one, many: many, short: short}
}

func degrees(factor, shift, name string, short ...string) unit {
	t := u("temperature", factor, "degree "+name, "degrees "+name, short...)
	t.shift.SetString(shift)
	return t
}

// units are in the order in which a name that fits several is taken: "ounce" is a mass unless a volume is asked for.
// Factors are exact by definition; the international foot, pound and gallon, and a year of 365 days.
var units = []unit{
	u("length", "1", "meter", "meters", "m", "metre", "metres"),
	u("length", "1000", "kilometer", "kilometers", "km", "kilometre", "kilometres", "kms", "k", "klick", "klicks"),
	u("length", "0.01", "centimeter", "centimeters", "cm", "centimetre", "centimetres", "cms"),
	u("length", "0.1", "decimeter", "decimeters", "dm", "decimetre", "decimetres"),
	u("length", "0.001", "millimeter", "millimeters", "mm", "millimetre", "millimetres"),
	u("length", "0.000001", "micrometer", "micrometers", "um", "µm", "μm", "micron", "microns"),
	u("length", "0.000000001", "nanometer", "nanometers", "nm"),
	u("length", "1609.344", "mile", "miles", "mi"),
	u("length", "0.9144", "yard", "yards", "yd", "yds"),
	u("length", "0.3048", "foot", "feet", "ft", "'", "foots"),
	u("length", "0.0254", "inch", "inches", "in", "\"", "inchs"),
	u("length", "1852", "nautical mile", "nautical miles", "nmi", "sea mile", "sea miles"),
	u("length", "1.8288", "fathom", "fathoms"),
	u("length", "201.168", "furlong", "furlongs"),
	u("length", "149597870700", "astronomical unit", "astronomical units", "au"),
	u("length", "9460730472580800", "light year", "light years", "ly", "lightyear", "lightyears"),

	u("mass", "1", "kilogram", "kilograms", "kg", "kilo", "kilos", "kgs", "kilogramme", "kilogrammes"),
	u("mass", "0.001", "gram", "grams", "g", "gr", "gramme", "grammes"),
	u("mass", "0.000001", "milligram", "milligrams", "mg"),
	u("mass", "0.000000001", "microgram", "micrograms", "mcg", "µg", "ug"),
	u("mass", "1000", "tonne", "tonnes", "t", "metric ton", "metric tons"),
	u("mass", "0.45359237", "pound", "pounds", "lb", "lbs", "pound mass"),
	u("mass", "0.028349523125", "ounce", "ounces", "oz"),
	u("mass", "6.35029318", "stone", "stone", "st", "stones"),
	u("mass", "907.18474", "ton", "tons", "short ton", "short tons", "us ton", "us tons"),
	u("mass", "1016.0469088", "long ton", "long tons", "imperial ton", "imperial tons", "uk ton", "uk tons"),
	u("mass", "0.0002", "carat", "carats", "ct"),
	u("mass", "0.00006479891", "grain", "grains"),

	degrees("1", "273.15", "Celsius", "celsius", "c", "centigrade"),
	degrees("5/9", "45967/180", "Fahrenheit", "fahrenheit", "f"),
	u("temperature", "1", "kelvin", "kelvins", "k", "degree kelvin", "degrees kelvin"),

	u("volume", "1", "liter", "liters", "l", "litre", "litres"),
	u("volume", "0.001", "milliliter", "milliliters", "ml", "millilitre", "millilitres", "cc"),
	u("volume", "0.01", "centiliter", "centiliters", "cl", "centilitre", "centilitres"),
	u("volume", "0.1", "deciliter", "deciliters", "dl", "decilitre", "decilitres"),
	u("volume", "100", "hectoliter", "hectoliters", "hl", "hectolitre", "hectolitres"),
	u("volume", "3.785411784", "gallon", "gallons", "gal", "us gallon", "us gallons"),
	u("volume", "0.946352946", "quart", "quarts", "qt", "us quart", "us quarts"),
	u("volume", "0.473176473", "pint", "pints", "pt", "us pint", "us pints"),
	u("volume", "0.2365882365", "cup", "cups", "us cup", "us cups"),
	u("volume", "0.0295735295625", "fluid ounce", "fluid ounces", "fl oz", "floz", "ounce", "ounces", "oz", "us fluid ounce", "us fluid ounces"),
	u("volume", "0.01478676478125", "tablespoon", "tablespoons", "tbsp", "tbs"),
	u("volume", "0.00492892159375", "teaspoon", "teaspoons", "tsp"),
	u("volume", "4.54609", "imperial gallon", "imperial gallons", "uk gallon", "uk gallons", "british gallon", "british gallons"),
	u("volume", "1.1365225", "imperial quart", "imperial quarts", "uk quart", "uk quarts"),
	u("volume", "0.56826125", "imperial pint", "imperial pints", "uk pint", "uk pints", "british pint", "british pints"),
	u("volume", "0.284130625", "imperial cup", "imperial cups", "uk cup", "uk cups"),
	u("volume", "0.0284130625", "imperial fluid ounce", "imperial fluid ounces", "uk fluid ounce", "uk fluid ounces"),
	u("volume", "158.987294928", "oil barrel", "oil barrels", "barrel", "barrels", "bbl"),

	u("time", "1", "second", "seconds", "s", "sec", "secs"),
	u("time", "0.001", "millisecond", "milliseconds", "ms"),
	u("time", "0.000001", "microsecond", "microseconds", "us", "µs"),
	u("time", "60", "minute", "minutes", "min", "mins"),
	u("time", "3600", "hour", "hours", "h", "hr", "hrs"),
	u("time", "86400", "day", "days", "d"),
	u("time", "604800", "week", "weeks", "wk", "wks"),
	u("time", "1209600", "fortnight", "fortnights"),
	u("time", "2628000", "month", "months", "mo"),
	u("time", "31536000", "year", "years", "yr", "yrs", "y"),
	u("time", "315360000", "decade", "decades"),
	u("time", "3153600000", "century", "centuries"),

	u("speed", "1", "meter per second", "meters per second", "m/s", "mps"),
	u("speed", "5/18", "kilometer per hour", "kilometers per hour", "km/h", "kph", "kmh", "kmph"),
	u("speed", "0.44704", "mile per hour", "miles per hour", "mph", "mi/h"),
	u("speed", "1852/3600", "knot", "knots", "kn", "kt", "kts"),
	u("speed", "0.3048", "foot per second", "feet per second", "ft/s", "fps"),
	u("speed", "299792458", "speed of light", "times the speed of light"),

	u("area", "4046.8564224", "acre", "acres", "ac"),
	u("area", "10000", "hectare", "hectares", "ha"),
	u("area", "100", "are", "ares"),

	u("data", "1", "bit", "bits", "b"),
	u("data", "8", "byte", "bytes", "B"),
	u("data", "8000", "kilobyte", "kilobytes", "KB", "kB", "kb"),
	u("data", "8000000", "megabyte", "megabytes", "MB", "mb", "meg", "megs"),
	u("data", "8000000000", "gigabyte", "gigabytes", "GB", "gb", "gig", "gigs"),
	u("data", "8000000000000", "terabyte", "terabytes", "TB", "tb"),
	u("data", "8000000000000000", "petabyte", "petabytes", "PB", "pb"),
	u("data", "8192", "kibibyte", "kibibytes", "KiB"),
	u("data", "8388608", "mebibyte", "mebibytes", "MiB"),
	u("data", "8589934592", "gibibyte", "gibibytes", "GiB"),
	u("data", "8796093022208", "tebibyte", "tebibytes", "TiB"),
	u("data", "9007199254740992", "pebibyte", "pebibytes", "PiB"),
	u("data", "1000", "kilobit", "kilobits", "Kb", "kbit", "kbits"),
	u("data", "1000000", "megabit", "megabits", "Mb", "Mbit", "mbits"),
	u("data", "1000000000", "gigabit", "gigabits", "Gb", "Gbit", "gbits"),
	u("data", "1000000000000", "terabit", "terabits", "Tb", "Tbit", "tbits"),
	u("data", "1024", "kibibit", "kibibits", "Kibit"),
	u("data", "1048576", "mebibit", "mebibits", "Mibit"),
	u("data", "1073741824", "gibibit", "gibibits", "Gibit"),
}
