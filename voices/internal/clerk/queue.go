package clerk

import "sync"

// queue holds the lines that a program said and nobody read yet.
type queue struct {
	lines chan string
	end   chan struct{} // closed when there will be no more

	mu sync.Mutex
}

func newQueue() *queue { return &queue{lines: make(chan string, 64), end: make(chan struct{})} }

// add takes a line; where nobody reads, the oldest go.
func (q *queue) add(line string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for !q.over() {
		select {
		case q.lines <- line:
			return
		default:
		}
		select {
		case <-q.lines:
		default:
		}
	}
}

// forget drops the lines of earlier jobs.
func (q *queue) forget() {
	q.mu.Lock()
	defer q.mu.Unlock()
	for !q.over() && len(q.lines) > 0 {
		<-q.lines
	}
}

func (q *queue) over() bool {
	select {
	case <-q.end:
		return true
	default:
		return false
	}
}

func (q *queue) close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	close(q.end)
	close(q.lines)
}
