package web

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/gofiber/fiber/v2"

	"github.com/solo-assistant/solo/bus"
)

// The lists that the rooms give.
type (
	// DialogueList is turns, the newest first.
	DialogueList struct {
		Dialogues []Dialogue `json:"dialogues"`
	}
	// MemoryList is what is kept.
	MemoryList struct {
		Memories []MemoryView `json:"memories"`
	}
	// TaskList is what is to do.
	TaskList struct {
		Tasks []TaskView `json:"tasks"`
	}
	// PromiseList is promised times, the soonest first.
	PromiseList struct {
		Promises []PromiseView `json:"promises"`
	}
	// ReceiptList is what was done about promised times, the newest first.
	ReceiptList struct {
		Receipts []ReceiptView `json:"receipts"`
	}
	// ApprovalList is what waits for the user's word.
	ApprovalList struct {
		Approvals []ApprovalView `json:"approvals"`
	}
	// DocumentList is the user's documents.
	DocumentList struct {
		Documents []DocumentView `json:"documents"`
	}
	// FoundList is what answers a question, the best first.
	FoundList struct {
		Found []Found `json:"found"`
	}
	// SettingList is every setting.
	SettingList struct {
		Settings []Setting `json:"settings"`
	}
	// LogList is the end of the log.
	LogList struct {
		Lines []LogLine `json:"lines"`
	}
	// EngineList is what Solo runs on.
	EngineList struct {
		Models  []LanguageModel `json:"models"`
		Engines []Engine        `json:"engines"`
	}
	// BusList is who publishes to whom: a publisher reaches the subscribers of its type.
	BusList struct {
		Publishers  []Publisher  `json:"publishers"`
		Subscribers []Subscriber `json:"subscribers"`
	}
)

// Publisher is one part that publishes.
type Publisher struct {
	Name  string `json:"name"`
	Type  string `json:"type"`
	Count uint64 `json:"count"`
}

// Subscriber is one part that listens.
type Subscriber struct {
	Name    string `json:"name"`
	Type    string `json:"type"`
	Len     int    `json:"len"`
	Cap     int    `json:"cap"`
	Dropped uint64 `json:"dropped"`
	Policy  string `json:"policy"`
}

// DecideIn is the user's word.
type DecideIn struct {
	Granted bool `json:"granted"`
}

// DecideOut is what is to be said.
type DecideOut struct {
	Say string `json:"say"`
}

// DocumentOut is a document that was kept.
type DocumentOut struct {
	Document DocumentView `json:"document"`
}

func (d *Door) roomRoutes() []route {
	r := d.c.Rooms
	n := param{name: "n", does: "how many, 1 to 1000", is: "integer"}
	return append(d.projectRoutes(), []route{
		listed("/dialogues", "the last turns, the newest first", r.Dialogues != nil, "history", d.dialogues, n, param{name: "before", does: "only those before the turn of this id", is: "integer"}),
		listed("/memories", "what Solo was told to keep", r.Memories != nil, "memory", d.memories, param{name: "q", does: "what it is about; all where it is left out", is: "string"}),
		gone("/memories/:id", "forgets one thing", r.Memories != nil, "memory", func(c *fiber.Ctx, id int64) error { return r.Memories.Forget(c.UserContext(), id) }),
		listed("/tasks", "what is to do; POST /command runs tasks.create, tasks.complete and tasks.delete", r.Tasks != nil, "tasks", d.tasks, param{name: "done", does: "true for those that were done, the latest first, instead", is: "string", of: []string{"true", "false"}}),
		listed("/promises", "timers, alarms and reminders, the soonest first", r.Promises != nil, "promises", d.promises),
		gone("/promises/:id", "takes a promise back", r.Promises != nil, "promises", func(c *fiber.Ctx, id int64) error {
			return r.Promises.Cancel(c.UserContext(), c.Query("kind"), id)
		}, param{name: "kind", does: "which it is", is: "string", of: []string{"timer", "alarm", "reminder", "briefing", "routine"}}),
		listed("/receipts", "what was done about promised times, the newest first; POST /command runs reminders.done and reminders.postpone", r.Receipts != nil, "promises", d.receipts, n),
		listed("/approvals", "what waits for the user's word", r.Approvals != nil, "approvals", d.approvals),
		{method: http.MethodPost, path: "/approvals/:id", does: "gives the user's word", in: reflect.TypeFor[DecideIn](), out: reflect.TypeFor[DecideOut](), handle: d.decide},
		listed("/documents", "the user's documents", r.Documents != nil, "documents", d.documents),
		{method: http.MethodPost, path: "/documents", does: "keeps a document: the part \"file\" of a form", takes: fiber.MIMEMultipartForm, out: reflect.TypeFor[DocumentOut](), status: http.StatusCreated, handle: d.addDocument},
		{method: http.MethodDelete, path: "/documents/:name", does: "takes a document away", status: http.StatusNoContent, handle: d.removeDocument},
		listed("/search", "passages of documents, and memories, that answer a question, the best first", r.Searches != nil, "search", d.search,
			param{name: "q", does: "the question", is: "string"}, param{name: "k", does: "how many, 1 to 1000; 10 where it is left out", is: "integer"},
			param{name: "kind", does: "what is searched", is: "string", of: searchable}),
		listed("/settings", "every setting and where it comes from; what is secret is hidden", r.Settings != nil, "settings", func(*fiber.Ctx) (SettingList, error) { return SettingList{some(r.Settings())}, nil }),
		listed("/logs", "the end of the log, the oldest first", r.Logs != nil, "log", d.logs, n, param{name: "level", does: "only lines of this level or worse", is: "string", of: levels}),
		listed("/models", "language models and engines", r.Engines != nil, "list of engines", d.engines),
		listed("/bus", "who publishes to whom", d.c.Bus != nil, "bus", func(*fiber.Ctx) (BusList, error) { return busList(d.c.Bus.Stats()), nil }),
	}...)
}

var levels = []string{"debug", "info", "warn", "error"}

// listed makes a route that gives one list.
func listed[Out any](path, does string, there bool, what string, f func(*fiber.Ctx) (Out, error), query ...param) route {
	return route{method: http.MethodGet, path: path, does: does, out: reflect.TypeFor[Out](), query: query, handle: func(c *fiber.Ctx) error {
		if err := unless(there, what); err != nil {
			return err
		}
		out, err := f(c)
		if err != nil {
			return lateOr(c.UserContext(), err)
		}
		return c.JSON(out)
	}}
}

// gone makes a route that takes away what an address names.
func gone(path, does string, there bool, what string, f func(c *fiber.Ctx, id int64) error, query ...param) route {
	return route{method: http.MethodDelete, path: path, does: does, query: query, status: http.StatusNoContent, handle: func(c *fiber.Ctx) error {
		if err := unless(there, what); err != nil {
			return err
		}
		id, err := strconv.ParseInt(c.Params("id"), 10, 64)
		if err != nil {
			return ErrGone
		}
		if err := f(c, id); err != nil {
			return err
		}
		return c.SendStatus(http.StatusNoContent)
	}}
}

// most reads how many are wanted.
func most(c *fiber.Ctx, usual int) (int, error) {
	n, err := strconv.Atoi(c.Query("n", strconv.Itoa(usual)))
	if err != nil || n < 1 || n > 1000 {
		return 0, invalid("n must be 1 to 1000.")
	}
	return n, nil
}

func (d *Door) dialogues(c *fiber.Ctx) (DialogueList, error) {
	n, err := most(c, 50)
	if err != nil {
		return DialogueList{}, err
	}
	before, err := strconv.ParseInt(c.Query("before", "0"), 10, 64)
	if err != nil || before < 0 {
		return DialogueList{}, invalid("before must be the id of a turn.")
	}
	all, err := d.c.Rooms.Dialogues.Dialogues(c.UserContext(), n, before)
	return DialogueList{some(all)}, err
}

func (d *Door) memories(c *fiber.Ctx) (MemoryList, error) {
	all, err := d.c.Rooms.Memories.Recall(c.UserContext(), c.Query("q"))
	return MemoryList{some(all)}, err
}

func (d *Door) tasks(c *fiber.Ctx) (TaskList, error) {
	all, err := d.c.Rooms.Tasks.Tasks(c.UserContext(), c.Query("done") == "true")
	return TaskList{some(all)}, err
}

func (d *Door) promises(c *fiber.Ctx) (PromiseList, error) {
	all, err := d.c.Rooms.Promises.Promises(c.UserContext())
	return PromiseList{some(all)}, err
}

func (d *Door) receipts(c *fiber.Ctx) (ReceiptList, error) {
	n, err := most(c, 50)
	if err != nil {
		return ReceiptList{}, err
	}
	all, err := d.c.Rooms.Receipts(c.UserContext(), n)
	return ReceiptList{some(all)}, err
}

func (d *Door) approvals(c *fiber.Ctx) (ApprovalList, error) {
	all, err := d.c.Rooms.Approvals.Approvals(c.UserContext())
	return ApprovalList{some(all)}, err
}

func (d *Door) documents(c *fiber.Ctx) (DocumentList, error) {
	all, err := d.c.Rooms.Documents.Documents(c.UserContext())
	return DocumentList{some(all)}, err
}

var searchable = []string{"document", "memory", "all"}

func (d *Door) search(c *fiber.Ctx) (FoundList, error) {
	k, err := strconv.Atoi(c.Query("k", "10"))
	if err != nil || k < 1 || k > 1000 {
		return FoundList{}, invalid("k must be 1 to 1000.")
	}
	kind, q := c.Query("kind", "all"), c.Query("q")
	if !slices.Contains(searchable, kind) {
		return FoundList{}, invalid("kind must be document, memory or all.")
	}
	if strings.TrimSpace(q) == "" {
		return FoundList{}, invalid("q must be what to look for.")
	}
	ctx, cancel := context.WithTimeout(c.UserContext(), d.c.Patience)
	defer cancel()
	all, err := d.c.Rooms.Searches.Search(ctx, q, k, kind)
	return FoundList{some(all)}, err
}

func (d *Door) decide(c *fiber.Ctx) error {
	if err := unless(d.c.Rooms.Approvals != nil, "approvals"); err != nil {
		return err
	}
	in, err := read[DecideIn](c, true)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(c.UserContext(), d.c.Patience)
	defer cancel()
	say, err := d.c.Rooms.Approvals.Decide(ctx, c.Params("id"), in.Granted)
	if err != nil {
		return lateOr(ctx, err)
	}
	return c.JSON(DecideOut{say})
}

func (d *Door) addDocument(c *fiber.Ctx) error {
	if err := unless(d.c.Rooms.Documents != nil, "documents"); err != nil {
		return err
	}
	head, err := c.FormFile("file")
	if err != nil {
		return invalid("The form has no part named file.")
	}
	part, err := head.Open()
	if err != nil {
		return fmt.Errorf("open what was uploaded: %w", err)
	}
	defer part.Close()
	doc, err := d.c.Rooms.Documents.Add(c.UserContext(), filepath.Base(head.Filename), part)
	if err != nil {
		return err
	}
	return c.Status(http.StatusCreated).JSON(DocumentOut{doc})
}

func (d *Door) removeDocument(c *fiber.Ctx) error {
	if err := unless(d.c.Rooms.Documents != nil, "documents"); err != nil {
		return err
	}
	name, err := url.PathUnescape(c.Params("name"))
	if err != nil {
		return ErrGone
	}
	if err := d.c.Rooms.Documents.Remove(c.UserContext(), name); err != nil {
		return err
	}
	return c.SendStatus(http.StatusNoContent)
}

func (d *Door) logs(c *fiber.Ctx) (LogList, error) {
	n, err := most(c, 200)
	if err != nil {
		return LogList{}, err
	}
	all, err := d.c.Rooms.Logs(n, c.Query("level"))
	return LogList{some(all)}, err
}

func (d *Door) engines(c *fiber.Ctx) (EngineList, error) {
	out := EngineList{Engines: some(d.c.Rooms.Engines())}
	if d.c.Rooms.Languages == nil {
		return EngineList{[]LanguageModel{}, out.Engines}, nil
	}
	all, err := d.c.Rooms.Languages(c.UserContext())
	out.Models = some(all)
	if len(all) > 0 { // those that answered are worth showing
		err = nil
	}
	return out, err
}

func busList(s bus.Stats) BusList {
	out := BusList{[]Publisher{}, []Subscriber{}}
	for _, p := range s.Pubs {
		out.Publishers = append(out.Publishers, Publisher{p.Name, p.Type, p.Published})
	}
	for _, q := range s.Subs {
		out.Subscribers = append(out.Subscribers, Subscriber{q.Name, q.Type, q.Len, q.Cap, q.Dropped, q.Policy})
	}
	return out
}
