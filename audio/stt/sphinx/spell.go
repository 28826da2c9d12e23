package sphinx

import "strings"

// sounds maps runs of letters to phones, the longest first. It serves names that no dictionary has: good enough
// to be found by a grammar that expects them.
var sounds = []struct{ letters, phones string }{
	{"tion", "SH AH N"}, {"sion", "ZH AH N"}, {"ough", "OW"}, {"eigh", "EY"},
	{"igh", "AY"}, {"tch", "CH"}, {"sch", "SH"}, {"dge", "JH"}, {"eau", "OW"}, {"air", "EH R"}, {"ear", "IH R"}, {"oor", "AO R"}, {"our", "AW ER"}, {"qua", "K W AA"},
	{"ch", "CH"}, {"sh", "SH"}, {"th", "TH"}, {"ph", "F"}, {"wh", "W"}, {"ck", "K"}, {"qu", "K W"}, {"ng", "NG"}, {"gh", "G"}, {"kn", "N"}, {"wr", "R"}, {"ps", "P S"},
	{"ee", "IY"}, {"ea", "IY"}, {"oo", "UW"}, {"ou", "AW"}, {"ow", "OW"}, {"oa", "OW"}, {"oi", "OY"}, {"oy", "OY"}, {"ai", "EY"}, {"ay", "EY"}, {"au", "AO"}, {"aw", "AO"}, {"ei", "AY"}, {"ey", "IY"}, {"ie", "IY"}, {"ue", "UW"}, {"ew", "Y UW"},
	{"ar", "AA R"}, {"er", "ER"}, {"ir", "ER"}, {"or", "AO R"}, {"ur", "ER"}, {"ce", "S"}, {"ci", "S IH"}, {"cy", "S IY"}, {"ge", "JH"}, {"gi", "JH IH"},
	{"bb", "B"}, {"cc", "K"}, {"dd", "D"}, {"ff", "F"}, {"gg", "G"}, {"ll", "L"}, {"mm", "M"}, {"nn", "N"}, {"pp", "P"}, {"rr", "R"}, {"ss", "S"}, {"tt", "T"}, {"zz", "Z"},
	{"a", "AE"}, {"b", "B"}, {"c", "K"}, {"d", "D"}, {"e", "EH"}, {"f", "F"}, {"g", "G"}, {"h", "HH"}, {"i", "IH"}, {"j", "JH"}, {"k", "K"}, {"l", "L"}, {"m", "M"},
	{"n", "N"}, {"o", "AA"}, {"p", "P"}, {"q", "K"}, {"r", "R"}, {"s", "S"}, {"t", "T"}, {"u", "AH"}, {"v", "V"}, {"w", "W"}, {"x", "K S"}, {"y", "Y"}, {"z", "Z"},
	{"'", ""}, {"-", ""}, {"_", ""}, {".", ""},
}

// endings are read only at the end of a word.
var endings = []struct{ letters, phones string }{
	{"a", "AH"}, {"e", ""}, {"i", "IY"}, {"o", "OW"}, {"u", "UW"}, {"y", "IY"}, {"es", "Z"}, {"ed", "D"},
}

// spell guesses how a word in Latin letters is said; nil where it has other signs.
func spell(word string) []string {
	var phones []string
	for rest := word; rest != ""; {
		n, sound := 0, ""
		for _, e := range endings {
			if rest == e.letters && rest != word {
				n, sound = len(e.letters), e.phones
			}
		}
		for i := 0; n == 0 && i < len(sounds); i++ {
			if strings.HasPrefix(rest, sounds[i].letters) {
				n, sound = len(sounds[i].letters), sounds[i].phones
			}
		}
		if n == 0 {
			return nil
		}
		phones = append(phones, strings.Fields(sound)...)
		rest = rest[n:]
	}
	return phones
}
