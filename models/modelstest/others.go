package modelstest

import (
	"fmt"
	"net/http"
	"time"
)

func (s *Server) routeOthers(mux *http.ServeMux) {
	mux.HandleFunc("/v1/messages", s.anthropicChat)
	s.routeOllama(mux)
}

func callID(i int) string { return fmt.Sprintf("call_%d", i+1) }

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
