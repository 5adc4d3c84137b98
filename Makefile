# Every target is a line or two of real work; what takes more is in Go.

MODULES   := schemas functions tests
GENERATED := apis/*/definition.yaml schemas/*/*/zz_generated.deepcopy.go

.DEFAULT_GOAL := help

##@ General

.PHONY: help
help: ## Show this help.
	@awk 'BEGIN {FS = ":.*##"; printf "Usage: make \033[36m<target>\033[0m\n"} \
		/^[a-z-]+:.*##/ {printf "  \033[36m%-12s\033[0m %s\n", $$1, $$2} \
		/^##@/ {printf "\n\033[1m%s\033[0m\n", substr($$0, 5)}' $(MAKEFILE_LIST)

##@ See

.PHONY: demo
demo: ## Run a fleet on this machine and show Modelplane at work on it. SCRIPT=tour takes the steps by itself and exits.
	@go run ./tests/cmd/demo $(if $(SCRIPT),--script=$(SCRIPT))

.PHONY: render
render: ## Preview what would run where, and why. EXAMPLE=<folder of examples/>, RAW=1 for every object as it is.
	@go run ./tests/cmd/preview $(if $(RAW),--raw) $(EXAMPLE)

.PHONY: plan
plan: ## Say where a model would go, and what would have to change. FLEET=<folder or file> or KUBECONFIG=<file>, DEPLOYMENT=<file>.
	@go build -o _bin/plan ./functions/cmd/plan
	@_bin/plan $(if $(FLEET)$(DEPLOYMENT),,--help) $(if $(FLEET),--fleet='$(FLEET)',$(if $(KUBECONFIG),--kubeconfig='$(KUBECONFIG)')) \
		$(if $(CONTEXT),--context='$(CONTEXT)') $(if $(OUTPUT),--output='$(OUTPUT)') $(if $(DEPLOYMENT),'$(DEPLOYMENT)')

##@ Change

.PHONY: generate
generate: ## Generate apis/*/definition.yaml and deep copies from the Go types.
	@cd schemas && go run ./internal/xrdgen

.PHONY: golden
golden: ## Write the golden previews anew. Review them as code.
	@go test ./tests/preview -run TestExamples -update

.PHONY: fmt
fmt: ## Format the Go code.
	@$$(go run ./tests/tools/build golangci-lint) fmt $(MODULES:%=./%/...)

.PHONY: tidy
tidy: ## Tidy every go.mod, and align their versions.
	@go work sync
	@for m in $(MODULES); do (cd $$m && GOWORK=off go mod tidy) || exit 1; done

##@ Check

.PHONY: test
test: verify build lint unit fuzz e2e ## Check everything: generated files, builds, lint, tests, previews, a real fleet.

.PHONY: unit
unit: ## Run the tests that need no fleet. The first time it builds Crossplane, for the previews.
	@go run ./tests/tools/build crossplane crossplane-core >/dev/null
	@echo "testing (about 5 min the first time) ..." >&2
	@go test $(TESTFLAGS) $$(go list $(MODULES:%=./%/...) | grep -v -e /tests/controlplane -e /tests/e2e)

.PHONY: fuzz
fuzz: ## Run every fuzz target for a fixed number of inputs beyond its corpus. FUZZ=<number>.
	@echo "fuzzing ..." >&2
	@for target in $$(grep -ro --include='*_test.go' '^func Fuzz[A-Za-z]*' functions | sed 's#/[^/]*:func #/#'); do \
		go test ./$${target%/*} -run '^$$' -fuzz="^$${target##*/}$$" -fuzztime=$(or $(FUZZ),2000)x || exit 1; done

.PHONY: e2e
e2e: ## Run the tests on a real fleet, one fleet after another. The first time it builds all of Kubernetes.
	@go run ./tests/tools/build >/dev/null
	@echo "testing on real fleets (about 25 min) ..." >&2
	@go test -p 1 -timeout 30m $(TESTFLAGS) ./tests/controlplane ./tests/e2e

.PHONY: chaos
chaos: ## Kill every component of a fleet by itself in the middle of a rollout, and print how long it takes to recover.
	@go run ./tests/tools/build >/dev/null
	@CHAOS=all go test -timeout 20m -v -run TestChaos ./tests/e2e

.PHONY: load
load: ## Measure requests per second, and what each gateway adds to a request, on a fleet.
	@go run ./tests/tools/build >/dev/null
	@go test -timeout 20m -run '^$$' -bench Request -benchtime 3000x ./tests/e2e

.PHONY: build
build: ## Build and vet every module, together and each alone.
	@echo "building every module (about 3 min the first time) ..." >&2
	@go vet $(MODULES:%=./%/...)
	@for m in $(MODULES); do echo "building $$m alone ..." >&2; (cd $$m && GOWORK=off go build ./...) || exit 1; done

.PHONY: lint
lint: export GOLANGCI_LINT_CACHE = $(CURDIR)/_bin/lint
lint: ## Lint every module. What is found is cached with its path, so each checkout has a cache of its own.
	@linter=$$(go run ./tests/tools/build golangci-lint) && echo "linting (about 2 min the first time) ..." >&2 && \
		$$linter run $(MODULES:%=./%/...)

.PHONY: verify
verify: ## Check that generated files are what the Go types say.
	@echo "checking generated files ..." >&2
	@before=$$(cksum $(GENERATED)) && $(MAKE) --no-print-directory generate && test "$$before" = "$$(cksum $(GENERATED))" || \
		{ echo "Generated files were stale. They are written anew: review and commit them." >&2; exit 1; }

.PHONY: bench
bench: ## Measure what a decision costs, and compare with docs/benchmarks.txt. UPDATE=1 writes that anew.
	@go run ./tests/cmd/bench $(if $(UPDATE),--update)

##@ Ship

.PHONY: package
package: ## Build every package into _output/, and print the files. VERSION=v0.1.0, ARCH=arm64.
	@go run ./tests/packages/build --version='$(VERSION)' --arch='$(ARCH)'

##@ Clean

.PHONY: clean
clean: ## Delete built binaries and packages.
	@rm -rf _bin _output
