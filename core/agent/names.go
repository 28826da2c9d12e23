package agent

import (
	"errors"
	"strings"
	"unicode"
)

var errNoQuestion = errors.New("there is no question")

// namesOthers says whether a fact may name a person whom the question does not name. It is meant to be wrong on the safe
// side: a fact with a capital word that is not in the question, and no place, stays here.
func namesOthers(fact, question string) bool {
	asked := map[string]bool{}
	for _, w := range split(question) {
		asked[strings.ToLower(w)] = true
	}
	all := split(fact)
	for i, w := range all {
		low := strings.ToLower(w)
		if asked[low] {
			continue
		}
		first, _, _ := strings.Cut(low, "'")
		switch {
		case given[first] && !asked[first]:
			return true
		case i > 0 && places[strings.ToLower(all[i-1])]: // "in Bremen"
		case unicode.IsUpper([]rune(w)[0]) && !harmless[first] && !asked[first]:
			return true
		case i > 0 && kin[strings.ToLower(all[i-1])] && !verbs[low] && !harmless[low]:
			return true // "my sister mia"
		case i > 0 && (strings.ToLower(all[i-1]) == "named" || strings.ToLower(all[i-1]) == "called"):
			return true
		}
	}
	return false
}

func split(text string) []string {
	return strings.FieldsFunc(strings.ReplaceAll(text, "’", "'"), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '\''
	})
}

func set(text string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(text) {
		m[w] = true
	}
	return m
}

var (
	kin = set(`mother father mom mum dad parent sister brother wife husband partner son daughter child boss colleague friend neighbor
		neighbour girlfriend boyfriend uncle aunt cousin nephew niece grandmother grandfather grandma grandpa doctor dentist teacher lawyer
		manager landlord roommate flatmate dr mr mrs ms prof`)
	places = set("in near")
	verbs  = set(`is was has had will can does did likes lives works wants said needs hates loves gave goes comes and or in at on for to of
		with who that which should would could must may might came went told asked called named visits owns plays eats drinks knows takes
		makes moved lent owes turns gets sees calls`)
	harmless = set(`i i'm i've i'd i'll my me we our us the a an it it's its this that these those he she they his her their you your there
		in on at for to from with by of and or but not no if when where why how what which who while since because as so
		monday tuesday wednesday thursday friday saturday sunday january february march april may june july august september october
		november december today tomorrow yesterday every each all some most many few one two three four five six seven eight nine ten
		do does did is are was were has have had can could will would should must never always usually often also please remember
		english german french spanish italian dutch tv pc usb wifi wi-fi ok`)
	given = set(`anna anne anja maria marie mary mia emma olivia ava sophia sophie sofia charlotte amelia isabella evelyn emily ella lily
		grace chloe nora hannah hanna lena laura lea lisa julia jana sarah sara lucy alice eva eve clara klara ida frieda greta johanna
		katharina kate katie karen susan linda barbara nancy betty sandra ashley donna carol michelle amanda melissa deborah stephanie
		rebecca helen ruth rachel anita petra sabine claudia monika renate ursula ingrid birgit heike nicole nina tina vera olga irina
		natasha tatiana fatima aisha leila yasmin mei ling yuki sakura priya anjali ananya noah liam oliver elijah james william benjamin
		lucas henry henrik theodore jack levi alexander alex jackson mateo daniel michael mason sebastian ethan logan owen samuel sam jacob
		david joseph john johnny jonathan luke matthew matt anthony tony isaac andrew andy thomas tom tim timothy christopher chris charles
		charlie robert bob bobby richard rick steven steve kevin brian george edward ed ronald jason jeffrey jeff ryan gary nicholas nick
		eric erik stephen larry justin scott brandon frank gregory greg raymond patrick paul peter pete stefan markus martin michel jan jens
		jonas felix leon finn ben max moritz philipp philip simon tobias niklas hans fritz klaus jürgen juergen uwe ralf bernd dieter
		wolfgang karl carl otto kai lars olaf sven torsten thorsten andreas matthias ahmed ali mohammed muhammad omar hassan ibrahim yusuf
		ravi arjun raj amit wei chen jun hiroshi kenji carlos jose juan luis miguel pedro pablo diego javier marco luca giovanni pierre
		jean louis antoine ivan sergei dmitri boris igor kim lee`)
)
