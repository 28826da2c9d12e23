package depot

import (
	"fmt"
	"slices"
)

// Proposal is a set of models that fits a machine.
type Proposal struct {
	For    string // "a graphics card of 8 GB", "no graphics card and 16 GB of memory"
	Models []Model
	Lacks  []string // what cannot be proposed, and why
}

// set is what fits, by names of the catalogue. The first of several names that there is for the language is taken.
type set struct {
	name string
	card int64 // bytes of the card that it is made for, 0 for none
	ram  int64 // bytes of the computer that it needs
	llm  string
	stt  []string
}

// GiB is how memory of computers and cards is sold.
const GiB = 1 << 30

// sets, the largest first. What a card of a size tells is a little less than its size.
var sets = []set{
	{"a graphics card of 24 GB", 22 * GiB, 0, "qwen3-30b-a3b", []string{"whisper-turbo"}},
	{"a graphics card of 16 GB", 15 * GiB, 0, "gpt-oss-20b", []string{"whisper-turbo-q5"}},
	{"a graphics card of 12 GB", 11 * GiB, 0, "qwen3-8b-q6", []string{"whisper-turbo-q5"}},
	{"a graphics card of 8 GB", 7*GiB + GiB/2, 0, "qwen3-4b-q8", []string{"whisper-small-q5"}},
	{"a graphics card of 6 GB", 5*GiB + GiB/2, 0, "qwen3-4b", []string{"whisper-small-q5"}},
	{"no large graphics card and 12 GB of memory or more", 0, 11 * GiB, "qwen3-4b", []string{"whisper-base.en", "whisper-base"}},
	{"no large graphics card and 6 GB of memory or more", 0, 5*GiB + GiB/2, "qwen3-1.7b", []string{"whisper-base.en", "whisper-base"}},
	{"no large graphics card and little memory", 0, 0, "", []string{"whisper-tiny.en", "whisper-base"}},
}

// Propose chooses what fits a machine, for a language such as "en". has tells which programs are there already, by the
// beginnings of their names in the catalogue: "llama-server", "piper".
func (d *Depot) Propose(m Machine, language string, has map[string]bool) Proposal {
	s := sets[slices.IndexFunc(sets, func(s set) bool {
		return s.card > 0 && m.Card >= s.card || s.card == 0 && (m.RAM >= s.ram || m.RAM == 0 && s.ram <= 11*GiB)
	})]
	p := Proposal{For: s.name}
	take := func(task Task, names ...string) {
		if chosen, ok := d.first(names, task, language); ok {
			p.Models = append(p.Models, chosen)
		} else {
			p.Lacks = append(p.Lacks, fmt.Sprintf("nothing in the catalogue for %s in %q", task, language))
		}
	}
	if s.llm != "" {
		take(LLM, s.llm)
		d.program(&p, m, has, "llama-server", "cuda", "vulkan", "metal", "cpu")
	} else {
		p.Lacks = append(p.Lacks, "a language model needs more memory than there is; commands work without one")
	}
	take(STT, s.stt...)
	d.program(&p, m, has, "whisper-server", "cuda", "cpu")
	take(TTS)
	d.program(&p, m, has, "piper")
	take(VAD, "silero-vad")
	take(Wake, "openwakeword-embedding")
	return p
}

// first is the first of the names, or of all models of the task, that knows the language.
func (d *Depot) first(names []string, task Task, language string) (Model, bool) {
	for _, name := range names {
		for _, m := range d.Models() {
			if m.Name == name && m.Speaks(language) {
				return m, true
			}
		}
	}
	for _, m := range d.Models() {
		if len(names) == 0 && m.Task == task && m.Speaks(language) {
			return m, true
		}
	}
	return Model{}, false
}

// program adds the best build of a program for the machine, where it is not there yet.
func (d *Depot) program(p *Proposal, m Machine, has map[string]bool, name string, kinds ...string) {
	if has[name] {
		return
	}
	names := []string{name}
	for _, k := range kinds {
		names = append(names, name+"-"+k)
	}
	for _, n := range names {
		for _, t := range d.Models() {
			if t.Name == n && (t.Card == "" || t.Card == "nvidia" && m.NVIDIA || t.Card == "any" && m.Card > 0) {
				p.Models = append(p.Models, t)
				return
			}
		}
	}
	p.Lacks = append(p.Lacks, fmt.Sprintf("no build of %s for %s; docs/models.md says where to look", name, d.conf.Platform))
}
