package modelstest

import (
	"fmt"
	"net/http"
	"time"
)

func (s *Server) routeOthers(mux *http.ServeMux) {}

func (s *Server) anthropicModels(w http.ResponseWriter, r *http.Request) {}

func callID(i int) string { return fmt.Sprintf("call_%d", i+1) }

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
