# `make help` lists the targets. Only Go, git and make are needed, except where a target says otherwise.
SHELL       := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help

# As images and charts have it: 0.1.0 for the tag v0.1.0, 0.1.0-5-gab38546 five commits later.
VERSION   := $(patsubst v%,%,$(shell git describe --tags --match 'v*' --always --dirty 2>/dev/null || echo unknown))
COMMIT    := $(shell git rev-parse HEAD 2>/dev/null)
COMMITTED := $(shell git log -1 --format=%ct 2>/dev/null)
FUZZTIME  ?= 20s

# The same settings for lint, test and build, so the dependencies (Argo CD alone is 1,300 packages) are compiled
# once and not three times:
# - no cgo: the binary must run in an empty image, and the machine needs no C compiler;
# - trimpath: the binary is the same wherever it is built;
# - buildvcs off: the version comes from `git describe` above, and a checkout owned by another user still builds.
export CGO_ENABLED := 0
export GOFLAGS     := $(strip $(GOFLAGS) -trimpath -buildvcs=false)

LDFLAGS := -s -w -X main.version=$(VERSION) -X main.commit=$(COMMIT)

# The tools are pinned in a separate module; the go tool builds them on first use and caches them.
GOLANGCI_LINT := go tool -modfile=tools/go.mod golangci-lint
GOVULNCHECK   ?= go tool -modfile=tools/go.mod govulncheck

GORELEASER    := go tool -modfile=tools/release/go.mod goreleaser
ACTIONLINT    := go tool -modfile=tools/actionlint/go.mod actionlint

# Names that say nothing about what is inside.
EMPTY_NAMES := utils?|common|helpers?|managers?|misc

.PHONY: help
help: ## List the targets
	@awk 'BEGIN {FS = ":.*## "} /^[a-z0-9-]+:.*## / {printf "  %-14s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

.PHONY: build
build: ## Build bin/bot
	go build -ldflags '$(LDFLAGS)' -o bin/bot ./cmd/bot

# The licences of everything that is in the program on any platform of a release, from the module cache. A module without one fails the build.
.PHONY: licenses
licenses: ## Write bin/THIRD-PARTY-LICENSES, for the image and the archives of a release
	@mkdir -p bin
	cd tools/licenses && go run . -C ../.. -o ../../bin/THIRD-PARTY-LICENSES -package ./cmd/bot \
		linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64

# The image contains the binary, its licences and Mozilla's root certificates (tools/image). Two builds of a commit have the same digest, on any machine.
# No Docker: bin/image is an OCI layout, which skopeo, crane and podman read, and `make image-push` uploads.
IMAGE     ?= ghcr.io/argo-why/argo-why
PLATFORMS ?= linux/amd64 linux/arm64
.PHONY: image
image: licenses ## Build the container image in bin/image (PLATFORMS="linux/amd64 linux/arm64")
	@for platform in $(PLATFORMS); do \
		echo "go build for $$platform"; \
		GOOS=$${platform%/*} GOARCH=$${platform#*/} go build -ldflags '$(LDFLAGS)' -o "bin/$$platform/argo-why" ./cmd/bot; \
	done
	cd tools/image && go build -o ../../bin/image-tool .
	bin/image-tool build -o bin/image -version '$(VERSION)' -revision '$(COMMIT)' -created '$(COMMITTED)' -licenses bin/THIRD-PARTY-LICENSES \
		$(foreach p,$(PLATFORMS),$(p)=bin/$(p)/argo-why)

.PHONY: image-test
image-test: PLATFORMS = linux/$(shell go env GOARCH)
image-test: image ## Test the image for this machine: run it with nothing else in its root, and build it twice (needs root, for chroot)
	cd tools/image && go vet -tags image ./... && go test -count=1 -tags image ./...

.PHONY: image-push
image-push: ## Push bin/image as IMAGE with the tag of its version (log in first: docker login, or GITHUB_TOKEN for ghcr.io)
	bin/image-tool push bin/image '$(IMAGE)' '$(VERSION)'

# The section of CHANGELOG.md for VERSION, or for what is not released yet.
.PHONY: release-notes
release-notes: ## Write bin/release-notes.md from CHANGELOG.md
	@mkdir -p bin
	awk -v version='[$(VERSION)]' '/^## / {on = ($$2 == version)} /^\[/ {next} on && !/^## /' CHANGELOG.md > bin/release-notes.md
	@grep -q '[^[:space:]]' bin/release-notes.md || { echo 'CHANGELOG.md has no section [$(VERSION)]: see docs/release.md' >&2; exit 1; }

# -count=1 for the same reason as in `chart-test`, below.
.PHONY: release-test
release-test: ## Check the keys of .goreleaser.yaml, what release notes are made of, and the collection of licences
	cd tools/licenses && go test -count=1 ./...
	cd tools/release && go test -count=1 ./...

# Builds GoReleaser the first time, which takes minutes; so CI only runs release-test.
.PHONY: release-check
release-check: release-test ## Check all of .goreleaser.yaml
	$(GORELEASER) check

.PHONY: release-snapshot
release-snapshot: ## Build a release in dist/ without publishing, signing or SBOMs
	$(GORELEASER) release --snapshot --clean --skip=publish,sign,sbom

# Only the workflow of a tag publishes: it signs with its identity. Needs cosign, syft and GITHUB_TOKEN.
.PHONY: release
release: release-notes ## Publish the release of this tag (.github/workflows/release.yaml)
	$(GORELEASER) release --clean --release-notes bin/release-notes.md

# Vetting everything, with the tags of all other tests, is part of lint.
.PHONY: test
test: ## Run the unit tests
	go test ./...

# A module of its own: Helm brings another Kubernetes, which takes minutes to compile. Without -count=1 the go tool would repeat an old
# result, because it does not see changes of files outside of a module.
.PHONY: chart-test
chart-test: ## Test the Helm chart, rendered with many values
	go -C test/chart test -count=1 .

# Separate from `test`, because the race detector needs a C compiler and compiles every dependency a second time.
.PHONY: test-race
test-race: export CGO_ENABLED := 1
test-race: ## Run the unit tests with the race detector (needs a C compiler)
	go test -race ./...

.PHONY: lint
lint: lint-names lint-workflows ## Run the linters, including the import rules
	$(GOLANGCI_LINT) run
	cd test/chart && go tool -modfile=../../tools/go.mod golangci-lint run -c ../../.golangci.yaml
	cd tools/image && go tool -modfile=../go.mod golangci-lint run -c ../../.golangci.yaml
	cd tools/release && go tool -modfile=../go.mod golangci-lint run -c ../../.golangci.yaml
	cd tools/licenses && go tool -modfile=../go.mod golangci-lint run -c ../../.golangci.yaml

# Without the linters of shell scripts that some machines have and others do not.
.PHONY: lint-workflows
lint-workflows: ## Check the workflows of GitHub
	$(ACTIONLINT) -shellcheck= -pyflakes=

.PHONY: lint-names
lint-names:
	@found=$$(find . \( -path ./.git -o -path ./bin -o -name testdata -o -name node_modules \) -prune -o \
		-regextype posix-extended -regex '.*/($(EMPTY_NAMES))(\.go)?' -print); \
	if [ -n "$$found" ]; then \
		echo "name these after what they provide:" >&2; echo "$$found" >&2; exit 1; \
	fi

.PHONY: vuln
vuln: ## Report known vulnerabilities that the bot can reach (needs vuln.go.dev)
	$(GOVULNCHECK) ./cmd/bot

.PHONY: fmt
fmt: ## Format the code and sort the imports
	$(GOLANGCI_LINT) fmt

# Through a temporary file, so a failing command does not overwrite the page.
.PHONY: generate
generate: ## Regenerate all generated files, including docs/rules.md from the rules
	go generate ./...
	mkdir -p bin docs
	go run ./cmd/bot rules --markdown > bin/rules.md
	mv bin/rules.md docs/rules.md
	go test ./cmd/bot -run TestRolesOfDeploy -update
	go -C test/chart test . -update

# In a new lab that is removed at the end; see test/lab/README.md for what it is and what it needs.
.PHONY: e2e
e2e: build ## Test against a real Argo CD (the first run builds it: twenty minutes on two cores; ARGOCD_MAJOR=3 for Argo CD 3)
	test/lab/with $(MAKE) live-all

.PHONY: live-all
live-all:
	test/lab/scenario run all
	$(MAKE) live
	$(MAKE) replicas REPLICASTEPS=4 SOAKSEED=17
	$(MAKE) replicas REPLICASTEPS=4 SOAKSEED=18 SOAKLEADERS=per-argocd
	go test -tags soak,live -count=1 -timeout 20m -run TestOneDigest ./test/soak
	$(MAKE) shards SHARDAPPS=40 SHARDS=/2
	go test -tags e2e,live -count=1 -timeout 60m ./test/e2e

.PHONY: lab-up
lab-up: ## Start an empty lab (test/lab)
	test/lab/up

.PHONY: lab-down
lab-down: ## Stop the lab
	test/lab/down

DO ?= run
.PHONY: lab-scenario
lab-scenario: ## Make applications in the lab fail: NAME=helm-nil, or NAME=all; DO=fix fixes them
	test/lab/scenario $(DO) $(or $(NAME),$(error NAME is missing: use NAME=all, or one of $(notdir $(patsubst %/run,%,$(wildcard test/lab/scenarios/*/run)))))

# Not part of `test`: it needs an Argo CD whose applications fail in known ways.
.PHONY: live
live: build ## Diagnose the applications in the running lab and run every printed fix (first: source its env, make lab-scenario NAME=all)
	go test -tags live -count=1 -p 1 -parallel 8 -timeout 60m ./test/live ./test/journal ./test/actions ./test/reading ./test/hooks ./test/install

.PHONY: slackjs
slackjs: ## Test the embedded Slack workspace with Slack's own clients (needs Node 18 or later and npm)
	cd test/slackjs && npm ci --no-audit --no-fund
	go test -tags slackjs -count=1 ./test/slackjs

.PHONY: pictures
pictures: ## Make the pictures for README and docs in docs/images (needs Chromium and the fonts Lato and Noto Color Emoji)
	go test -count=1 ./test/pictures -update

.PHONY: browser
browser: ## Test bot demo in Chromium; saves screenshots in test/browser/shots (needs Chromium, Node and npm)
	cd test/browser && npm ci --no-audit --no-fund
	go test -tags browser -count=1 -v ./test/browser

# Markdown in docs is the source, and reads as well on the forge. A dead link ends the build.
.PHONY: site
site: ## Build the documentation as a site in bin/site (needs Node 18 or later and npm)
	cd tools/site && npm ci --no-audit --no-fund && npm run --silent build

.PHONY: site-test
site-test: site ## Test the built site: titles, links, anchors, pictures, the width of a phone (needs Chromium)
	go test -tags site -count=1 ./test/site

# SOAKSEED=N repeats the decisions of a run that found something, SOAKSTEPS=N ends it after so many steps, SOAKFINDINGS=N goes on until
# there are so many findings.
SOAKTIME ?= 1h
.PHONY: soak
soak: ## Play random failures, fixes, clicks, kills and faults for SOAKTIME (1h) and check every thread after each step
	SOAKTIME=$(SOAKTIME) SOAKSTEPS=$(SOAKSTEPS) SOAKSEED=$(SOAKSEED) SOAKFINDINGS=$(SOAKFINDINGS) \
		go test -tags soak -count=1 -v -timeout 0 -run TestSoak ./test/soak

# In a lab, for its API server. A step takes about 16 s. SOAKLEADERS=per-argocd: the Argo CD has a leader of its own.
REPLICASTEPS ?= 200
.PHONY: soak-replicas
soak-replicas: ## Play the same with two replicas, and in each step kill, pause or cut off one (in a lab, see e2e)
	test/lab/with $(MAKE) replicas

.PHONY: replicas
replicas:
	SOAKSTEPS=$(REPLICASTEPS) SOAKSEED=$(SOAKSEED) SOAKFINDINGS=$(SOAKFINDINGS) SOAKLEADERS=$(SOAKLEADERS) \
		go test -tags soak,live -count=1 -v -timeout 0 -run TestReplicas ./test/soak

.PHONY: bench
bench: ## Measure the engine, a diagnosis over gRPC, 10,000 applications, acknowledgements and hooks; fails if a limit is exceeded
	go test -run '^$$' -bench . -benchmem ./internal/diagnose/... ./internal/simulator ./test/cost
	go test -run '^$$' -bench . -benchtime 500x ./internal/slack ./internal/webhook

SYSTEM ?= .
.PHONY: bench-system
bench-system: ## Measure the built bot between an Argo CD and a Slack as processes, and print a table (SYSTEM=Storm: only these)
	go test -tags system -count=1 -timeout 0 -run '$(SYSTEM)' ./test/system

# Part of CI, unlike the others: it measures nothing that depends on the machine.
.PHONY: hostile
hostile: ## Test the built bot beside applications that are made to exhaust it, with the memory that the chart gives
	go test -tags system -count=1 -timeout 10m -run TestHostile ./test/system

.PHONY: bench-takeover
bench-takeover: ## Measure how long it takes until another replica leads, in a lab (see e2e)
	test/lab/with go test -tags system,live -count=1 -v -timeout 60m -run TestTakeOver ./test/system

.PHONY: bench-shards
bench-shards: ## Measure one, two and four replicas that share four Argo CDs, in a lab (see e2e)
	test/lab/with $(MAKE) shards

# SHARDAPPS is how many applications each of the four has.
SHARDAPPS ?= 2500
.PHONY: shards
shards:
	SHARDAPPS=$(SHARDAPPS) go test -tags system,live -count=1 -timeout 60m -run 'TestShards$(SHARDS)' ./test/system

.PHONY: bench-compare
bench-compare: build ## Measure `bot why` against `argocd app get` and a runbook in the running lab (first: source its env, make lab-scenario NAME=all)
	go test -tags live -count=1 -timeout 60m ./test/compare

.PHONY: score
score: ## Print the score of the recorded cases by group
	go test ./internal/diagnose/rules -run 'Test(Fresh)?Cases' -v

# The go tool fuzzes one target at a time. `go test -list` prints the names in a package, then "ok" and the package.
.PHONY: fuzz
fuzz: ## Run each fuzz target for FUZZTIME (20s)
	@list=$$(go test -list '^Fuzz' ./...); \
	targets=$$(awk '/^Fuzz/ {names[n++] = $$1} /^ok/ {for (i = 0; i < n; i++) print $$2, names[i]; n = 0}' <<< "$$list"); \
	if [ -z "$$targets" ]; then echo "no fuzz targets found" >&2; exit 1; fi; \
	while read -r package name; do \
		echo "== $$package $$name"; \
		go test -run '^$$' -fuzz "^$$name\$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 10x "$$package"; \
	done <<< "$$targets"

.PHONY: clean
clean: ## Remove build output
	rm -rf bin
