# Every target works in a fresh clone with Python 3.11+ and git; the environment lives in .venv.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# Tests start thousands of processes: each would compile all modules again.
export PYTHONDONTWRITEBYTECODE =

KERNEL := $(shell find repoquarry/native -name '*.cpp' -o -name '*.h')

.PHONY: page check-page kernel site pictures wheels release demo quick test durations test-docs test-browser test-long test-kglite test-duckdb test-versions coverage check bench format generate clean

$(VENV)/.runtime: pyproject.toml hatch_build.py scripts/build_native.py $(KERNEL)
	@$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else "RepoQuarry needs Python 3.11 or later, and $(PYTHON) is " + sys.version.split()[0] + ": try make PYTHON=python3.12")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	@touch $@

$(VENV)/.dev: $(VENV)/.runtime
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@

demo: $(VENV)/.runtime  ## index this repository, serve it, ask three questions and submit a task
	$(BIN)/python scripts/demo.py

# Workers of the suite; 0 runs it in one process. All tests that share the session's Neo4j go to one worker (tests/conftest.py). Files
# are not split between workers, for their fixtures; the longest run first (tests/durations.json).
JOBS ?= 2
WORKERS = $(if $(filter-out 0,$(JOBS)),-n $(JOBS) --dist loadfile --no-loadscope-reorder)

quick: $(VENV)/.dev  ## ruff and the unit tests that take milliseconds, under a minute in all
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/python -m pytest $(WORKERS) -m 'not long and not slow and not neo4j' tests/unit

test: $(VENV)/.dev  ## run the suite without the tests marked long
	$(BIN)/python -m pytest $(WORKERS)

durations: $(VENV)/.dev  ## run the suite and the long tests, and record in tests/durations.json how long each test takes
	$(BIN)/python -m pytest $(WORKERS) -m 'not docs and not browser' --record-durations

test-docs: $(VENV)/.dev  ## run what the pages show, in one clean copy with an environment of its own
	$(BIN)/python -m pytest $(WORKERS) -m docs tests/documentation tests/e2e/test_image.py tests/e2e/test_examples.py

test-browser: $(VENV)/.dev  ## open the page in Chromium where it is installed
	$(BIN)/python -m pytest -m browser tests/e2e/page

test-long: $(VENV)/.dev  ## run the tests marked long: kills, sanitizers, Neo4j and the service on it
	$(BIN)/python -m pytest $(WORKERS) -m long

# The lowest and the highest release of the embedded engine that pyproject.toml accepts, each in a folder before the environment.
KGLITE ?= kglite==0.21.1 kglite<0.22
CONTRACT := tests/engines tests/unit/test_kglite.py tests/unit/cypher/test_gate.py tests/unit/cypher/test_runtime_failures.py

test-kglite: $(VENV)/.dev  ## run the contract tests of the embedded engine on its lowest and highest release, but the installed one
	@installed=$$($(BIN)/python -c 'import importlib.metadata as m; print(m.version("kglite"))') && \
	for release in $(foreach one,$(KGLITE),'$(one)'); do \
	    folder=build/kglite/$$(echo "$$release" | tr -dc 'a-z0-9.') && rm -rf $$folder && \
	    $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --target $$folder "$$release" || exit 1; \
	    if test -d $$folder/kglite-$$installed.dist-info; then \
	        echo "== $$release is kglite $$installed, which make test runs"; \
	    else \
	        echo "== $$release"; PYTHONPATH=$$PWD/$$folder $(BIN)/python -m pytest $(WORKERS) -m 'not long and not neo4j' $(CONTRACT) || exit 1; \
	    fi; \
	done

DUCKDB ?= duckdb==2.0.0 duckdb<2.1

test-duckdb: $(VENV)/.dev  ## run the compiled queries on the lowest and highest release of DuckDB
	@for release in $(foreach one,$(DUCKDB),'$(one)'); do \
	    folder=$$(mktemp -d) && $(BIN)/python -m pip install --quiet --no-deps --target $$folder "$$release" && \
	    echo "== $$release" && PYTHONPATH=$$folder $(BIN)/python -m pytest tests/engines/differential/test_compiled_queries.py || exit 1; \
	done

VERSIONS ?= python3.11 python3.12 python3.13

test-versions:  ## the suite on every interpreter of VERSIONS that is installed, each with an environment of its own
	@for python in $(VERSIONS); do \
	    if $$python -c '' 2>/dev/null; then \
	        echo "== $$python"; $(MAKE) test PYTHON=$$python VENV=.venv-$$(basename $$python) || exit 1; \
	    else \
	        echo "== $$python is not installed"; \
	    fi; \
	done

# Tests of what a process imports; under coverage each process imports coverage as well.
LOADED := tests/e2e/commands/test_loading.py tests/unit/client/test_package.py tests/integration/ingest/test_resolver_process.py::test_it_loads_nothing_of_the_store

coverage: $(VENV)/.dev  ## the whole suite, and how much of the package it runs; the page is .coverage/html/index.html
	rm -rf .coverage && mkdir .coverage
	$(BIN)/python -m coverage run -m pytest $(addprefix --deselect ,$(LOADED))
	$(BIN)/python -m coverage combine --quiet
	$(BIN)/python -m coverage html --quiet --directory .coverage/html
	$(BIN)/python -m coverage report

check: $(VENV)/.dev  ## lint, format, types, import contracts, generated code, docs and sizes
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/clang-format --dry-run --Werror $(KERNEL)
	$(BIN)/python scripts/run_clang_tidy.py
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python scripts/check_generated.py
	$(BIN)/python scripts/check_budgets.py
	$(MAKE) check-page

web/node_modules: web/package-lock.json
	cd web && npm ci --no-audit --no-fund
	@touch $@

page: $(VENV)/.dev web/node_modules  ## build the page into repoquarry/server/page; needs Node 20 or later
	$(BIN)/python scripts/generate_page.py
	cd web && npx tsc --noEmit && node build.mjs

check-page: $(VENV)/.dev  ## check that the committed page is what its sources give, where Node is installed
	@if command -v npm >/dev/null; then $(MAKE) check-page-files; else echo "npm is not installed: the page is not checked"; fi

.PHONY: check-page-files
check-page-files: web/node_modules
	$(BIN)/python scripts/generate_page.py --check
	cd web && npx tsc --noEmit && node build.mjs --check

bench: $(VENV)/.dev  ## measurements; what needs data that is not there says so
	$(BIN)/python -m tests.benchmarks

kernel:  ## compile the native libraries again, for this machine
	$(PYTHON) scripts/build_native.py

site: $(VENV)/.dev  ## build the documentation site into site/; `python -m http.server -d site` shows it
	$(BIN)/zensical build --clean --strict

pictures: $(VENV)/.dev  ## take all pictures of docs and README again, where Chromium is installed
	$(BIN)/python scripts/page_pictures.py

wheels: $(VENV)/.dev  ## a wheel for every platform, into dist; the same sources give the same bytes
	SOURCE_DATE_EPOCH=$$(git log -1 --format=%ct) $(BIN)/python scripts/build_wheels.py

CYCLONEDX := cyclonedx-bom>=7.5,<8

release: wheels site  ## everything that a release publishes, into dist: distributions, site, bill of materials, checksums
	SOURCE_DATE_EPOCH=$$(git log -1 --format=%ct) $(BIN)/python -m hatchling build -t sdist -d dist
	cd clients/python && SOURCE_DATE_EPOCH=$$(git log -1 --format=%ct) ../../$(BIN)/python -m hatchling build -d ../../dist
	tar czf dist/repoquarry-site.tgz site
	$(PYTHON) -m venv build/released && build/released/bin/pip install --quiet --find-links dist repoquarry
	$(PYTHON) -m venv build/cyclonedx && build/cyclonedx/bin/pip install --quiet '$(CYCLONEDX)'
	build/cyclonedx/bin/cyclonedx-py environment build/released --output-file dist/repoquarry.cdx.json
	cd dist && sha256sum * > ../build/SHA256SUMS && mv ../build/SHA256SUMS .

format: $(VENV)/.dev  ## put Python and the C++ into their form
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(BIN)/clang-format -i $(KERNEL)

generate: $(VENV)/.dev  ## regenerate committed code and documentation
	$(BIN)/python scripts/generate_proto.py
	$(BIN)/python scripts/generate_client.py
	$(BIN)/python scripts/generate_servicers.py
	$(BIN)/python scripts/generate_scopes.py
	$(BIN)/python scripts/generate_docs.py

clean:
	rm -rf $(VENV) .venv-* .coverage build dist .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis
