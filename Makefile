# Solo. `make run` sets up and starts it, `make test` sets up and tests it; `make help` lists the rest.
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help

GO = $(shell scripts/go.sh)
TAGS = $(shell pkg-config --exists pocketsphinx 2>/dev/null && echo sphinx) $(shell pkg-config --exists speexdsp 2>/dev/null && echo speex)
VERSION = $(shell git describe --tags --always --dirty 2>/dev/null || echo dev)
LDFLAGS = -X main.version=$(VERSION)
LINT = github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.12.2

.PHONY: help run page build test soak bench check hooks lint cross generate setup clean windows release

help: ## list what make can do
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

run: ## install what is missing, build, start Solo
	@scripts/setup.sh run
	@$(MAKE) --no-print-directory build
	@bin/solo run $(ARGS)

page: ## build the dashboard's page, where Node.js is there
	@scripts/page.sh

build: page ## build bin/solo for this machine
	@mkdir -p bin
	$(GO) build -tags "$(TAGS)" -ldflags "$(LDFLAGS)" -o bin/solo ./cmd/solo

test: ## install what is missing, run every test that fits in a few minutes
	@scripts/setup.sh test
	@scripts/page.sh
	@scripts/test.sh

soak: ## the long proofs, written to docs/soak.md
	@scripts/setup.sh soak
	@scripts/llama.sh
	@scripts/soak.sh

bench: ## measure every stage, written to docs/benchmarks.md
	@scripts/setup.sh test
	@scripts/llama.sh
	@$(MAKE) --no-print-directory build
	@scripts/bench.sh

check: ## what a change must pass: fmt, vet, lint, race tests, cross builds, clean tree
	@scripts/setup.sh test
	@scripts/check.sh

lint: ## golangci-lint alone
	$(GO) run $(LINT) run ./...

cross: ## build what is pure Go for Windows and macOS
	@scripts/cross.sh

windows: ## build solo.exe here, with mingw, into dist/windows
	@scripts/setup.sh soak
	@scripts/windows.sh

release: ## archives, a package for Debian, sums and bills of materials, into dist; sends nothing anywhere
	@scripts/setup.sh soak
	@scripts/release.sh snapshot

generate: ## renew generated code, docs and examples
	$(GO) generate ./...

hooks: ## run `make check` in short form before every commit
	git config core.hooksPath .githooks

setup: ## install what is missing and nothing else
	@scripts/setup.sh run

clean: ## remove what make built
	rm -rf bin dist .tools dashboard/dist/page dashboard/node_modules
