# People and CI use the same verbs. `make` alone lists them.
SHELL := /bin/bash -o pipefail
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

# The newest Python from 3.10 on that runs and can make environments (a pyenv shim may exist and not run).
PYTHON ?= $(shell for p in python3.14 python3.13 python3.12 python3.11 python3.10 python3 python; do \
  $$p -c 'import ensurepip, sys; sys.exit(sys.version_info < (3, 10))' 2>/dev/null && echo $$p && break; done)
VENV := .venv
DEMO := .venv-demo
FRAMEWORKS := .venv-frameworks
BIN := $(VENV)/bin
# Tests wait for browsers and servers a third of their time, so they are one more than processors; those of a file share
# what they start, and long files come first.
SIDE_BY_SIDE ?= --numprocesses $(shell $(PYTHON) -c 'import os; print(os.cpu_count() + 1)') --dist loadfile --no-loadscope-reorder
FAST = --ignore tests/integration -m "not slow and not long"
PIP = $(@D)/bin/python -m pip install --quiet
# Tests start hundreds of processes; where images tell Python to keep no bytecode, each would compile the package anew.
unexport PYTHONDONTWRITEBYTECODE
# Names of answers as types, for tsc.
TYPES := frontend/src/generated/columns.ts
COMPILED := $(shell grep -rl '^# cython:' tensorboard_perfplugin --include='*.py') $(wildcard tensorboard_perfplugin/*/*.pxd)

.PHONY: help
help: ## List what can be made
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1|\2/p' Makefile | column -t -s '|'

.PHONY: demo
demo: $(DEMO)/installed ## Install into .venv-demo, start TensorBoard on the sample captures, print the address to open
	@$(DEMO)/bin/tensorboard --logdir tests/samples 2>&1 | sed -un \
	  -e 's|^TensorBoard .* at \(http[^ ]*\).*|Open \1#perfplugin  (Ctrl-C stops it)|p' -e '/Error\|error\|Traceback/p'

.PHONY: demo-live
demo-live: $(DEMO)/installed $(if $(PERFPLUGIN_FRAMEWORKS_PYTHON),,$(FRAMEWORKS)/installed) ## Train a small model beside TensorBoard, to press "Capture" in it; ARGS=LOGDIR
	@$(DEMO)/bin/python -m tests.programs.demo_live $${PERFPLUGIN_FRAMEWORKS_PYTHON:-$(FRAMEWORKS)/bin/python} $(ARGS)

# Installing and linting take one core each: the frameworks come while the rest is compiled and checked.
.PHONY: test
test: ## Lint, then the tests that a change can break: units, HTTP, each page in a real browser, a program of each framework
	$(MAKE) --jobs 2 lint test-frontend $(FRAMEWORKS)/installed chromium
	$(call tested,,)

.PHONY: test-all
test-all: ## All that `make test` runs, and what is slow: every program and view, long random tests, very large input
	$(MAKE) --jobs 2 lint test-frontend $(FRAMEWORKS)/installed chromium
	$(call tested,--all,-m '')

# The programs run alone, before the tests: their planted costs show only where nothing else wants the machine.
define tested
	export PERFPLUGIN_FRAMEWORKS_PYTHON=$${PERFPLUGIN_FRAMEWORKS_PYTHON:-$(FRAMEWORKS)/bin/python}; \
	export PERFPLUGIN_PROGRAMS=$$(mktemp -d); trap 'rm -rf "$$PERFPLUGIN_PROGRAMS"' EXIT; \
	$(BIN)/python -m tests.integration "$$PERFPLUGIN_PROGRAMS" $(1) && $(BIN)/python -m pytest $(SIDE_BY_SIDE) $(2) $(ARGS)
endef

.PHONY: test-fast
test-fast: $(VENV)/installed ## Units alone, in a minute: no frameworks, no browser, no servers of others
	$(BIN)/python -m pytest $(SIDE_BY_SIDE) $(FAST) $(ARGS)

.PHONY: test-changed
test-changed: $(VENV)/installed ## Units of what differs from BASE (main), and of all that imports it
	$(BIN)/python -m pytest $(SIDE_BY_SIDE) $(FAST) $$($(BIN)/python -m tests.changed $(or $(BASE),main)) $(ARGS)

.PHONY: fuzz
fuzz: $(VENV)/installed ## Damaged captures for MINUTES=10, then the random tests with examples not tried before; ARGS=tests/trace
	$(BIN)/python -m tests.fuzz $(or $(MINUTES),2)
	$(BIN)/python -m pytest $(SIDE_BY_SIDE) -m slow --hypothesis-profile=searching --ignore tests/integration $(ARGS)

.PHONY: test-frontend
test-frontend: frontend/node_modules/installed $(TYPES) ## The tests of the front end alone
	cd frontend && npm test --silent

.PHONY: lint
lint: $(VENV)/installed frontend/node_modules/installed $(TYPES) ## ruff, strict mypy, words to avoid, strict TypeScript
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python -m tests.words
	cd frontend && npm run --silent check

.PHONY: format
format: $(VENV)/installed ## Rewrite the Python sources as `make lint` wants them
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

.PHONY: build
build: $(VENV)/installed frontend/node_modules/installed ## The front end's bundle, then wheel and source archive in dist/
	cd frontend && npm run --silent build
	SOURCE_DATE_EPOCH=$${SOURCE_DATE_EPOCH:-$$(git log -1 --format=%ct)} $(BIN)/python -m build --outdir dist .

.PHONY: twice
twice: $(VENV)/installed ## Wheel and source archive built twice, into dist/, and whether they are the same bytes
	$(BIN)/python -m tests.twice $(ARGS)

.PHONY: docs
docs: $(VENV)/installed ## Generated tables and the picture in docs/, from the code
	$(BIN)/python docs/make_tables.py
	$(BIN)/python docs/make_formats.py > docs/formats.new && mv docs/formats.new docs/formats.md
	$(BIN)/python docs/make_devices.py > docs/devices.new && mv docs/devices.new docs/devices.md
	$(BIN)/python docs/make_architecture.py

.PHONY: site
site: $(VENV)/installed ## The documentation as a site, in .cache/site; ARGS=serve shows it while it is written
	$(BIN)/mkdocs $(or $(ARGS),build --quiet)

.PHONY: bench
bench: $(VENV)/installed ## Time and memory on a large capture, beside the peer where it is installed
	$(BIN)/python -m benchmarks.run $(ARGS)

.PHONY: bench-frames
bench-frames: $(VENV)/installed chromium ## Work a frame, heap and bytes of the trace's page in a real browser
	$(BIN)/python -m benchmarks.frames $(ARGS)

.PHONY: bench-capture
bench-capture: $(VENV)/installed ## What a capture over loopback costs beyond its time, ours and the server's part
	$(BIN)/python -m benchmarks.capture $(ARGS)

.PHONY: soak
soak: $(VENV)/installed ## 64 clients over all pages of a large capture for MINUTES=10: errors, times and memory
	$(BIN)/python -m benchmarks.soak --minutes $(or $(MINUTES),10) $(ARGS)

.PHONY: test-matrix
test-matrix: $(VENV)/installed ## Install the wheel into many small environments and open a capture in each
	$(BIN)/python -m tests.matrix.run $(ARGS)

.PHONY: truth
truth: $(VENV)/installed $(if $(PERFPLUGIN_FRAMEWORKS_PYTHON),,$(FRAMEWORKS)/installed) ## Run 275 programs with known costs and print how often the pages name them; ARGS="--only tf/ --analyse"
	@export PERFPLUGIN_FRAMEWORKS_PYTHON=$${PERFPLUGIN_FRAMEWORKS_PYTHON:-$(FRAMEWORKS)/bin/python}; \
	$(BIN)/python -m tests.truth $(ARGS)

.PHONY: truth-programs
truth-programs: $(VENV)/installed $(if $(PERFPLUGIN_FRAMEWORKS_PYTHON),,$(FRAMEWORKS)/installed) ## Run programs that no rule was written for, and print how often the pages name what they spend most on; ARGS="--only jax/"
	@export PERFPLUGIN_FRAMEWORKS_PYTHON=$${PERFPLUGIN_FRAMEWORKS_PYTHON:-$(FRAMEWORKS)/bin/python}; \
	$(BIN)/python -m tests.truth.programs.judge .cache/truth-programs $(ARGS)

.PHONY: clean
clean: ## Remove all that these commands made, environments too
	rm -rf $(VENV) $(DEMO) $(FRAMEWORKS) .cache build dist *.egg-info frontend/node_modules frontend/src/generated
	rm -rf .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find tensorboard_perfplugin -name '*.so' -delete -o -name '*.c' -delete

# What the verbs need, each made once and again when its sources change. pip knows dependency groups from 25.1 on.
%/bin/python:
	@test -n "$(PYTHON)" || { echo "no Python 3.10 or later with ensurepip found; name one: make PYTHON=/path/to/python3"; exit 1; }
	$(PYTHON) -m venv $*

$(VENV)/installed: pyproject.toml setup.py $(COMPILED) | $(BIN)/python
	$(PIP) --upgrade 'pip>=25.1'
	find tensorboard_perfplugin -name '*.so' -delete
	$(PIP) --group test --editable .
	@touch $@

$(DEMO)/installed: pyproject.toml $(shell find tensorboard_perfplugin -name '*.py' -o -path '*/static/*') | $(DEMO)/bin/python
	$(PIP) .
	@touch $@

$(FRAMEWORKS)/installed: pyproject.toml | $(FRAMEWORKS)/bin/python
	$(PIP) --upgrade 'pip>=25.1'
	$(PIP) --group frameworks
	@touch $@

frontend/node_modules/installed: frontend/package-lock.json
	cd frontend && npm ci --silent --no-audit --no-fund
	@touch $@

$(TYPES): frontend/make_columns.py $(shell find tensorboard_perfplugin -name '*.py') | $(VENV)/installed
	@mkdir -p $(@D)
	$(BIN)/python $< > $@

# The browser tests skip, and say so, where there is no Chromium and nobody who may install it.
.PHONY: chromium
chromium:
	@command -v chromium-headless-shell chromium >/dev/null || [ "$$(id -u)" != 0 ] || \
	  apt-get install --yes --quiet chromium-headless-shell || apt-get install --yes --quiet chromium
