package consent_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/solo-assistant/solo/core/consent"
)

// slate is Rows in memory. broken, where set, is what every change meets.
type slate struct {
	mu        sync.Mutex
	approvals []consent.Approval
	entries   []consent.Entry
	permitted []consent.Permission
	broken    error
}

func (s *slate) find(id string) *consent.Approval {
	i := slices.IndexFunc(s.approvals, func(a consent.Approval) bool { return a.ID == id })
	if i < 0 {
		return nil
	}
	return &s.approvals[i]
}

func (s *slate) InsertApproval(_ context.Context, a consent.Approval) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.broken != nil || s.find(a.ID) != nil {
		return errors.Join(s.broken, errors.New("not kept"))
	}
	s.approvals = append(s.approvals, a)
	return nil
}

func (s *slate) Approval(_ context.Context, id string) (consent.Approval, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if a := s.find(id); a != nil {
		return *a, nil
	}
	return consent.Approval{}, consent.ErrUnknown
}

func (s *slate) Approvals(_ context.Context, st consent.State, now time.Time) ([]consent.Approval, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(s.approvals), func(a consent.Approval) bool { return a.State != st || !now.Before(a.Until) }), nil
}

func (s *slate) Move(_ context.Context, st consent.Step) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	a := s.find(st.ID)
	if s.broken != nil {
		return s.broken
	}
	if a == nil || a.State != st.Before || !st.At.Before(a.Until) {
		return consent.ErrUnknown
	}
	a.State, a.Decided, a.Until = st.After, st.At, st.Until
	if st.Entry != nil {
		s.entries = append(s.entries, *st.Entry)
	}
	return nil
}

func (s *slate) AddEntry(_ context.Context, e consent.Entry) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.broken != nil {
		return s.broken
	}
	s.entries = append(s.entries, e)
	return nil
}

func (s *slate) Entries(_ context.Context, n int) ([]consent.Entry, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := slices.Clone(s.entries)
	slices.Reverse(out)
	return out[:min(n, len(out))], nil
}

func (s *slate) Permit(_ context.Context, provider string, at time.Time) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.permitted = append(s.permitted, consent.Permission{Provider: provider, At: at})
	return nil
}

func (s *slate) Revoke(_ context.Context, provider string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := len(s.permitted)
	s.permitted = slices.DeleteFunc(s.permitted, func(p consent.Permission) bool { return p.Provider == provider })
	if len(s.permitted) == n {
		return consent.ErrUnknown
	}
	return nil
}

func (s *slate) Permissions(context.Context) ([]consent.Permission, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.permitted), nil
}
