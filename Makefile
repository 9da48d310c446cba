# Everything starts here: `make demo` makes a forecast and draws it, `make test` tests.
# Both install what is missing, and build what they need.

PRESET ?= release
build_dir := build/$(if $(filter ci,$(PRESET)),release,$(PRESET))
model := $(build_dir)/model/squall-model
CASE ?= january-storm

.PHONY: help page demo check test test-all build kernels install configure adios2 wheel env lint format docs figures needs recipes release sanitize fuzz clean

help: ## This list
	@awk -F ':.*## ' '/^[a-z0-9]+:.*## / {printf "  make %-10s %s\n", $$1, $$2}' Makefile

demo: configure ## Make a forecast from a real analysis and draw it (CASE=supercell, ...: any of run-files/; WATCH=1: in the browser)
	@tools/python-env
	@cmake --build $(build_dir) --target forecast
	@SQUALL_MODEL=$(CURDIR)/$(model) WATCH=$(WATCH) tools/demo $(CASE)
	@echo; echo "Finally the programs behind squall lab and squall plan (Ctrl-C is safe; make build continues):"
	@cmake --build $(build_dir) --target programs

check: lint build ## Check format and types, run the unit tests and one forecast, in minutes
	@tools/test check $(build_dir)

test: build env ## Run all tests that a change may break (TOUCHED=1: of the folders that differ from main; ONLY=zarr: of a topic)
	@tools/test $(if $(TOUCHED),touched,$(if $(ONLY),only '$(ONLY)',change)) $(build_dir)

test-all: build env ## Run these, long verification, the studies, and the whole model under sanitizers
	@status=0; \
	tools/sanitize sanitize all || status=1; tools/sanitize tsan || status=1; \
	tools/test all $(build_dir) || status=1; exit $$status

kernels: ## Compile the kernels for graphics processors alone, with Clang
	@$(MAKE) --no-print-directory configure PRESET=gpu
	@cmake --build build/gpu --target kernels

install: build ## Install the build without recompiling (PREFIX=~/squall)
	@tools/install $(build_dir) $(or $(PREFIX),$(error say where: make install PREFIX=~/squall))

build: configure ## Build the model (PRESET=release; also gpu, double, debug, ci)
	@cmake --build $(build_dir)

configure: # again when a compiler or library has come that the build lacked
	@tools/configure $(PRESET) $(build_dir)

adios2: ## Build ADIOS2 for the engine adios, once, outside this folder; the next build uses it
	@tools/adios2

wheel: ## Make a wheel with everything in it, for Linux machines without compiler, into dist/
	@tools/wheel

env: ## Make the Python environment, .venv
	@tools/python-env dev

lint: env ## Check format and types of all sources
	@git ls-files '*.cpp' '*.hpp' '*.h' | xargs .venv/bin/clang-format --dry-run -Werror
	@.venv/bin/ruff check --quiet python studies tests tools io/tests
	@.venv/bin/ruff format --quiet --check python studies tests tools io/tests
	@.venv/bin/mypy --cache-dir "$${XDG_CACHE_HOME:-$$HOME/.cache}/squall/mypy"

format: env ## Format all sources
	@git ls-files '*.cpp' '*.hpp' '*.h' | xargs .venv/bin/clang-format -i
	@.venv/bin/ruff check --quiet --fix python studies tests tools io/tests
	@.venv/bin/ruff format --quiet python studies tests tools io/tests

page: ## Build the page of `squall watch` from web/, with npm
	@cd web && npm ci --ignore-scripts --no-audit --no-fund && node build.mjs

docs: env ## Build the documentation into site/
	@tools/python-env docs
	@tools/bootstrap docs
	@NO_MKDOCS_2_WARNING=1 .venv/bin/mkdocs build --strict --quiet
	@doxygen tools/Doxyfile
	@echo "Documentation: site/index.html"

figures: build env ## Make the figures of the documentation by running their cases
	@for case in january-storm supercell baroclinic-wave density-current; do \
	  SQUALL_MODEL=$(CURDIR)/$(model) tools/demo $$case && cp runs/$$case/$$case.png docs/img/ || exit 1; \
	done
	@SQUALL_MODEL=$(CURDIR)/$(model) tools/demo mesonet && \
	   .venv/bin/squall plot runs/mesonet --stream stations -o docs/img/mesonet.png
	@.venv/bin/squall transport run eruption --overwrite && \
	   .venv/bin/squall plot runs/eruption --projection robinson -o docs/img/eruption.png
	@tools/watch-picture runs/january-storm docs/img/watch.png
	@for case in mountain-schaer wangara-night great-north-run; do \
	  SQUALL_MODEL=$(CURDIR)/$(model) tools/demo $$case || exit 1; \
	done
	@.venv/bin/python tools/pages/gallery.py

needs: ## Generate the set-up, the extras and the recipes from the list of needs, python/squall/needs.toml
	@"$$(tools/find-python)" tools/needs.py

recipes: ## Check the packaging recipes with the tools they are for
	@tools/check-recipes

release: env ## Make a release of the version in CMakeLists.txt, into dist/: sources, wheels, documentation, checksums; one commit
	@.venv/bin/python tools/release.py

sanitize: ## Run the unit tests under the address and undefined-behaviour sanitizers; those of io, kernels and a run under the thread sanitizer
	@status=0; tools/sanitize sanitize all || status=1; tools/sanitize tsan || status=1; exit $$status

fuzz: ## Fuzz the file parsers, RUNS executions each (RUNS=1000000), with Clang
	@tools/bootstrap fuzz
	@cmake --preset fuzz --log-level=NOTICE
	@cmake --build build/fuzz --target fuzzers
	@tools/fuzz build/fuzz $(or $(RUNS),1000000)

clean: ## Remove the builds (not .venv, runs/ or dist/)
	@rm -rf build site
