package depot

import (
	"time"
)

// State is what is being done for a file.
type State string

// States.
const (
	Asking    State = "asking"    // the server
	Coming    State = "coming"    // bytes
	Waiting   State = "waiting"   // before the next try, or for another Solo
	Checking  State = "checking"  // what is there already
	Unpacking State = "unpacking" // an archive
	Done      State = "done"      // it is in its place
)

// Progress is how far a file is.
type Progress struct {
	Model string
	File  string
	State State
	Done  int64         // bytes
	Total int64         // bytes, as far as they are known
	Speed float64       // bytes a second of the last seconds, 0 where it is not known yet
	Left  time.Duration // until it is there, -1 where it is not known
	Note  string        // why it waits, what to know
}

const (
	tellEvery = 250 * time.Millisecond
	window    = 8 * time.Second // over which the speed is taken
)

// meter tells how far a file is, not too often.
type meter struct {
	now    func() time.Time
	report func(Progress)
	at     Progress
	told   time.Time
	marks  []mark // of the last window
}

type mark struct {
	at   time.Time
	done int64
}

func (m *meter) enter(s State, note string) {
	if s == Coming {
		m.marks = []mark{{m.now(), m.at.Done}}
	}
	m.at.State, m.at.Note, m.at.Speed, m.at.Left = s, note, 0, -1
	m.tell()
}

// reach takes how many bytes there are.
func (m *meter) reach(done int64) {
	m.at.Done = done
	now := m.now()
	if now.Sub(m.told) < tellEvery {
		return
	}
	m.measure(now)
	m.tell()
}

func (m *meter) measure(now time.Time) {
	m.marks = append(m.marks, mark{now, m.at.Done})
	for len(m.marks) > 2 && now.Sub(m.marks[0].at) > window {
		m.marks = m.marks[1:]
	}
	first := m.marks[0]
	took := now.Sub(first.at)
	m.at.Speed, m.at.Left = 0, -1
	if took < tellEvery || m.at.Done <= first.done {
		return
	}
	m.at.Speed = float64(m.at.Done-first.done) / took.Seconds()
	if left := m.at.Total - m.at.Done; left >= 0 && m.at.Total > 0 {
		m.at.Left = min(time.Duration(float64(left)/m.at.Speed*float64(time.Second)), 1000*time.Hour)
	}
}

func (m *meter) tell() {
	m.told = m.now()
	if m.report != nil {
		m.report(m.at)
	}
}
