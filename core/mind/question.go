package mind

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/solo-assistant/solo/core/event"
	"github.com/solo-assistant/solo/models"
)

// question is what the user was asked and has not answered.
type question struct {
	ask    models.Ask
	text   string // a command to run on yes, in place of ask
	phrase string // the part of a time that was already said: "tomorrow", when the hour is asked for
	say    string // the question's words
	until  time.Time
	again  bool // it was put a second time
}

// put keeps a question open and gives its words.
func (m *Mind) put(q question, say string) string {
	q.say, q.until = say, m.c.Now().Add(m.c.Patience)
	m.open = &q
	return say
}

// Wonder opens a question that was put to the user beside a turn, such as by work in the background.
func (m *Mind) Wonder(say string, ask models.Ask) {
	m.turn.Lock()
	defer m.turn.Unlock()
	m.put(question{ask: ask}, say)
}

// answered takes the words as the answer to the open question. Done is false where there is none, or
// where they are a command of their own; then the question is dropped.
func (m *Mind) answered(ctx context.Context, text, command string, isCommand bool) (said string, done bool, err error) {
	q := m.open
	m.open = nil
	if q == nil || m.c.Now().After(q.until) {
		return "", false, nil
	}
	verdict := consent(text)
	switch {
	case verdict == no || isCommand && declining[command]:
		said, err = m.no(ctx, q)
	case isCommand && !(verdict == yes && q.ask.Slot == ""):
		if strings.HasPrefix(strings.ToLower(text), "no") && q.ask.No != nil {
			_, err = m.call(ctx, *q.ask.No) // "no, remind me at six"
			m.open = nil
		}
		return "", false, err
	case q.ask.Slot != "":
		said, err = m.fill(ctx, q, text)
	case verdict == yes:
		said, err = m.yes(ctx, q)
	case q.again:
		return "", false, nil
	default:
		q.again = true
		m.open = q
		said = "Please say yes or no."
	}
	// A stop that answers a question is still a stop.
	m.told(ctx, event.Understood{Intent: command})
	return said, true, err
}

// declining are commands that say no to an open question.
var declining = map[string]bool{"speech.stop": true, "undo.last": true}

// Drop forgets the open question, as for words that do not follow on the ones before.
func (m *Mind) Drop() {
	m.turn.Lock()
	defer m.turn.Unlock()
	m.open = nil
}

func (m *Mind) yes(ctx context.Context, q *question) (string, error) {
	if q.text == "" {
		return m.call(ctx, q.ask.Call)
	}
	name, slots, ok := m.c.Intents.Understand(q.text)
	if !ok {
		return "", fmt.Errorf("running the command that was asked about: %q is none", q.text)
	}
	return m.do(ctx, name, slots)
}

func (m *Mind) no(ctx context.Context, q *question) (string, error) {
	if q.ask.No != nil {
		return m.call(ctx, *q.ask.No)
	}
	return "Okay.", nil
}

// fill runs the question's call with the words as the argument that it lacks.
func (m *Mind) fill(ctx context.Context, q *question, text string) (string, error) {
	args := map[string]any{}
	if len(q.ask.Call.Arguments) > 0 {
		if err := json.Unmarshal(q.ask.Call.Arguments, &args); err != nil {
			return "", fmt.Errorf("reading the arguments of %s: %w", q.ask.Call.Tool, err)
		}
	}
	slot := q.ask.Slot
	if into, isTime := times[slot]; isTime {
		t, ok := m.answerTime(q.phrase, text)
		if !ok {
			return m.once(q, "I did not catch the time. "+q.say), nil
		}
		if t.coarse && exact[q.ask.Call.Tool] {
			q.phrase = text
			return m.once(q, "At what time?"), nil
		}
		into.put(args, t, slot)
	} else if v, ok := m.value(q.ask.Call.Tool, slot, answer(slot, text)); ok {
		args[slot] = v
	} else {
		return m.once(q, "I did not catch that. "+q.say), nil
	}
	raw, err := json.Marshal(args)
	if err != nil {
		return "", fmt.Errorf("writing the arguments of %s: %w", q.ask.Call.Tool, err)
	}
	return m.call(ctx, models.Call{Tool: q.ask.Call.Tool, Arguments: raw})
}

// once puts the question again, and gives up at the second time.
func (m *Mind) once(q *question, say string) string {
	if q.again {
		return "I still did not understand. Let's leave it."
	}
	q.again, q.until = true, m.c.Now().Add(m.c.Patience)
	m.open = q
	return say
}

// answer takes what is said around an answer off it: "it's Anna", "the pasta one".
func answer(slot, text string) string {
	t := strings.Trim(strings.TrimSpace(text), ".!?,")
	lower := strings.ToLower(t)
	for _, lead := range leads[slot] {
		if strings.HasPrefix(lower, lead+" ") {
			t = t[len(lead)+1:]
			break
		}
	}
	for _, end := range []string{" please", " one"} {
		if strings.HasSuffix(strings.ToLower(t), end) {
			t = t[:len(t)-len(end)]
		}
	}
	return strings.TrimSpace(t)
}

var leads = map[string][]string{
	"name":        {"it's called", "it is called", "my name is", "it's", "it is", "call me", "i'm", "i am", "call it", "the"},
	"text":        {"remind me to", "to", "about", "that", "the one about", "the"},
	"description": {"to", "the one about", "the"},
	"about":       {"about", "the one about", "that", "the"},
	"duration":    {"for", "make it", "about"},
}

type verdict int

const (
	neither verdict = iota
	yes
	no
)

var (
	yesses = words(`yes yeah yep yup yah sure right correct exactly okay ok fine absolutely definitely affirmative certainly perfect true confirm
		confirmed good great indeed mhm aye totally`)
	yesPhrases = phrases(`that's right|that is right|that's correct|that is correct|do it|go ahead|please do|of course|sounds good|sounds right|you got it|that's it|that is it|
		it is|i did|i do|i am|that's what i said|that's what i meant|that's fine|that's good|make it so|uh huh|i meant that|why not|all right|alright|that's the one|keep it|looks good|go for it`)
	noes      = words(`no nope nah wrong incorrect negative cancel never false stop don't nay not neither`)
	noPhrases = phrases(`that's wrong|that is wrong|that's not right|that is not right|that's incorrect|not right|cancel that|cancel it|never mind|nevermind|forget it|forget that|don't|do not|
		undo that|undo it|leave it|drop it|not really|no thanks|no thank you|i didn't|i did not|that's not what i said|that's not it|that isn't right|scratch that|don't do it|don't do that|not that|not at all|of course not|
		it isn't|it's not|it is not|it's wrong|no way|absolutely not|better not|rather not|i don't|please don't|not now|take it back|delete it|delete that|remove it`)
	polite = words("please thanks thank you solo then it that is was")
)

// consent reads yes or no out of the words, and neither where they say more than that.
func consent(text string) verdict {
	text = strings.Map(func(r rune) rune {
		if strings.ContainsRune(".,!?;:-", r) {
			return ' '
		}
		if r == '’' {
			return '\''
		}
		return r
	}, strings.ToLower(text))
	f := strings.Fields(text)
	if len(f) == 0 || len(f) > 8 {
		return neither
	}
	found := neither
	for len(f) > 0 {
		v, n := oneVerdict(f)
		switch {
		case n == 0 && polite[f[0]]:
			n = 1
		case n == 0 || found == yes && v == no:
			return neither
		case found == neither:
			found = v
		}
		f = f[n:]
	}
	return found
}

// oneVerdict reads the longest yes or no at the head of the words.
func oneVerdict(f []string) (verdict, int) {
	for n := min(len(f), 5); n > 0; n-- {
		text := strings.Join(f[:n], " ")
		switch {
		case noPhrases[text] || n == 1 && noes[text]:
			return no, n
		case yesPhrases[text] || n == 1 && yesses[text]:
			return yes, n
		}
	}
	return neither, 0
}

func words(text string) map[string]bool { return list(strings.Fields(text)) }

func phrases(text string) map[string]bool { return list(strings.Split(text, "|")) }

func list(all []string) map[string]bool {
	m := map[string]bool{}
	for _, w := range all {
		m[strings.TrimSpace(w)] = true
	}
	return m
}
