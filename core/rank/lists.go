package rank

import "strings"

// stop are words that say nothing about which text is meant.
var stop = set(`a an the this that these those it its i im ive id me my mine myself we us our ours you your yours yourself
	he him his himself she her hers herself they them their theirs themselves is are am was were be been being to of in on at
	for from with by about into onto than then and or but so as if do does did done doing have has had having will would shall
	should can could may might must what which who whom whose when where why how there here please just also some any not no
	yes ok okay isnt arent wasnt werent dont doesnt didnt cant couldnt wont wouldnt hasnt havent hadnt shouldnt lets let
	s t ll re ve m d whats wheres whos hows thats theres youre hes shes were theyre`)

// faint are words of a question that may name what is asked for, but rarely do.
var faint = set(`tell told know known remember recall say said says mention mentioned talk talked call called name named thing
	things something anything someone anyone stuff kind kinds sort sorts type types user solo get got go going make made
	use used one ones much many more most other others ever never again still already like really very think thought feel
	want wanted give gave take took happen happened discuss discussed describe described explain mean means show find
	long often recently currently usually always during while after before since until own first last new time times
	according based between both each well even since due because however therefore thus such`)

func set(list string) map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(list) {
		m[w] = true
	}
	return m
}

// forms are irregular words, the forms of one on a line.
const forms = `go went gone|buy bought|bring brought|think thought|catch caught|teach taught|fight fought|seek sought|pay paid|say said
make made|take took taken|give gave given|get got gotten|see saw seen|eat ate eaten|drink drank drunk|drive drove driven
write wrote written|ride rode ridden|speak spoke spoken|break broke broken|choose chose chosen|freeze froze frozen|steal stole stolen
wake woke woken|wear wore worn|tear tore torn|swear swore sworn|bear bore born borne|begin began begun|swim swam swum|sing sang sung
ring rang rung|run ran|come came|become became|know knew known|grow grew grown|throw threw thrown|fly flew flown|draw drew drawn
show shown|fall fell fallen|forget forgot forgotten|forgive forgave forgiven|hide hid hidden|bite bit bitten|shake shook shaken
rise rose risen|arise arose arisen|sell sold|tell told|hold held|find found|wind wound|grind ground|bind bound|stand stood
understand understood|feel felt|keep kept|sleep slept|sweep swept|leave left|lose lost|meet met|lead led|feed fed|bleed bled
breed bred|read|spend spent|send sent|lend lent|bend bent|build built|burn burnt|learn learnt|dream dreamt|mean meant|deal dealt
spell spelt|spill spilt|smell smelt|sit sat|win won|hang hung|dig dug|stick stuck|strike struck|swing swung|shoot shot|light lit
slide slid|stride strode|hear heard|have had|do did done|lie lay lain|shine shone|sink sank sunk|spring sprang sprung
shrink shrank shrunk|stink stank stunk|cling clung|sting stung|spin spun|spit spat|creep crept|kneel knelt|leap leapt|flee fled
child children|person people|man men|woman women|foot feet|tooth teeth|mouse mice|goose geese|wife wives|knife knives
life lives|leaf leaves|shelf shelves|half halves|wolf wolves|thief thieves|loaf loaves|calf calves|datum data|criterion criteria
phenomenon phenomena|analysis analyses|hypothesis hypotheses|diagnosis diagnoses|bacterium bacteria|index indices|appendix appendices
matrix matrices|vertex vertices|mum mom mama mother mommy mummy|dad papa daddy father|grandma granny grandmother nan|grandpa granddad grandfather
bike bicycle|phone telephone|tv television telly|fridge refrigerator|photo photograph picture|plane airplane aeroplane|exam examination
flu influenza|gym gymnasium|lab laboratory|ad advert advertisement|vet veterinarian|doc doctor|kid child|colour color|favourite favorite
neighbour neighbor|flavour flavor|honour honor|behaviour behavior|tumour tumor|centre center|theatre theater|metre meter|litre liter
fibre fiber|grey gray|tyre tire|programme program|cheque check|jewellery jewelry|travelling traveling|cancelled canceled|pyjamas pajamas
organise organize|realise realize|recognise recognize|apologise apologize|analyse analyze|oestrogen estrogen|anaemia anemia|foetal fetal
leukaemia leukemia|haemoglobin hemoglobin|paediatric pediatric|ageing aging|1 one|2 two|3 three|4 four|5 five|6 six|7 seven|8 eight|9 nine
10 ten|11 eleven|12 twelve|20 twenty|30 thirty|40 forty|50 fifty|100 hundred|1st first|2nd second|3rd third|4th fourth|5th fifth
jan january|feb february|mar march|apr april|jun june|jul july|aug august|sep sept september|oct october|nov november|dec december
mon monday|tue tues tuesday|wed wednesday|thu thur thurs thursday|fri friday|sat saturday|sun sunday`

// akin are words that often stand for each other, those of one meaning on a line. They count for less than the word itself.
const akin = `job work employer career occupation profession|home house flat apartment|holiday vacation trip travel getaway|film movie cinema
car vehicle automobile|doctor physician gp|boss manager supervisor|partner spouse husband wife|husband spouse|wife spouse|buddy friend pal mate
begin start|end finish|buy purchase|get receive|reside live|child kid son daughter|pet dog cat|dog puppy|cat kitten|ill sick unwell
angry upset mad|happy glad|scared afraid fear|big large huge|small little tiny|quick fast rapid|phone mobile cell|allergic allergy intolerant
dinner supper|lunch meal|food dish meal|restaurant diner bistro|shop store supermarket|rubbish trash garbage bin|medicine medication drug pill tablet
sofa couch|autumn fall|football soccer|university college uni|school class|teacher instructor tutor|present gift|birthday born birth
town city|country nation|street road avenue|key code|password passcode pin|wifi wireless internet router|meeting appointment|exercise workout training
hobby pastime interest|music song band|book novel|game match|money cash|salary wage pay|cost price|lawyer attorney solicitor
parents mother|parents father|sibling brother|sibling sister|baby newborn infant|wedding marry married marriage|divorce separated|moved relocate move
garden yard|mobile cellphone|luggage suitcase baggage|petrol gas fuel|trousers pants|trainers sneakers|lift elevator|queue line
repair fix mend|broken damaged faulty|argue argument quarrel fight|injury hurt injured wound|study studies learn|paint painting|cook cooking bake
increase raise elevate enhance|decrease reduce lower diminish|inhibit suppress block|cause induce trigger|cancer tumor carcinoma|heart cardiac
kidney renal|liver hepatic|lung pulmonary|brain cerebral|death mortality die|illness disease disorder|treat treatment therapy
vegetarian vegan|bus coach|train railway|flight fly plane|hotel accommodation stay`

// kin are the words that may stand for a word, by the word.
var (
	sames = table(forms, func(r rune) bool { return r == '|' || r == '\n' })
	likes = table(akin, func(r rune) bool { return r == '|' || r == '\n' })
)

// table gives for each word the others of its groups.
func table(text string, parted func(rune) bool) map[string][]string {
	m := map[string][]string{}
	for _, group := range strings.FieldsFunc(text, parted) {
		words := strings.Fields(group)
		for i, w := range words {
			for k, other := range words {
				if i != k {
					m[Stem(w)] = append(m[Stem(w)], other)
				}
			}
		}
	}
	return m
}
