# The doors of the house. Needs make and Python 3.10 or later; the rest goes into .venv.
#   PYTHON=python3.12        which interpreter makes .venv (otherwise the first that fits)
#   LAB_ARGS="--no-browser"  more options for JupyterLab
#   TEST_ARGS="-k beating"   more options for pytest (one process then runs the tests)
#   JOBS=1                   in how many processes make test runs the tests; otherwise as many as cores, four at most
#   DURAK_MAY_INSTALL=1      packages of the system that are missing may be installed by sudo apt-get; 0: nowhere

PY = .venv/$(if $(filter Windows_NT,$(OS)),Scripts,bin)/python
# what builds a release: only what tools/release-requirements.txt names, each by its hash
RELEASE_PY = build/release/$(if $(filter Windows_NT,$(OS)),Scripts,bin)/python
NBVAL = --nbval --nbval-current-env --nbval-cell-timeout=120 --nbval-kernel-startup-timeout=120 --nbval-sanitize-with tools/nbval_sanitize.cfg
JOBS = auto
unexport PYTHONDONTWRITEBYTECODE # hundreds of processes of the tests would each compile the package again
BUNDLE = $(PY) tools/frontend.py
BROWSER = sh tools/browser.sh >/dev/null
OR_SAY_SO = || { echo "make $@: FAILED, see above"; exit 1; }

.DEFAULT_GOAL := help
.PHONY: help lab frontend test test-long test-site test-anywhere check docs site dist notes bench bench-theory bench-kernel bench-table bench-board bench-arena bench-site strength puzzles notebooks screenshots clean

help: ## this list
	@echo "durak_widget: what make can do here"
	@sed -n 's/^\([a-z-]*\):.*## /  make \1	/p' Makefile

lab: ## open the notebooks in JupyterLab
	@echo "make lab: opens JupyterLab at notebooks/00_welcome.ipynb"
	@sh tools/venv.sh lab $(OR_SAY_SO)
	@$(BUNDLE) build $(OR_SAY_SO)
	@sh tools/lab.sh $(LAB_ARGS) $(OR_SAY_SO)

frontend: ## build the table's front end now, whether or not it has changed
	@echo "make frontend: bundles durak_widget/frontend into durak_widget/static"
	@sh tools/venv.sh $(OR_SAY_SO)
	@$(BUNDLE) now $(OR_SAY_SO)
	@echo "make frontend: done; restart the kernel and run the cells again to see it"

test: ## run the tests: the model, the table in a browser, the examples in the docs, the notebooks; ten or eleven minutes
	@echo "make test: runs the tests, also those of the front end and in a browser, the examples in docstrings and docs, and the notebooks"
	@$(if $(TEST_ARGS),:,$(BROWSER) 2>&1 &) # where it has to be fetched, it comes while packages do; below it is asked for
	@sh tools/venv.sh test $(OR_SAY_SO)
	@$(BUNDLE) build $(OR_SAY_SO)
	@$(if $(TEST_ARGS),echo "front end: not tested by itself when TEST_ARGS is set",$(BUNDLE) test && $(BROWSER)) $(OR_SAY_SO)
	@$(PY) -m pytest $(NBVAL) -p how_far $(if $(TEST_ARGS),$(TEST_ARGS),-n $(JOBS)) $(OR_SAY_SO)
	@echo "make test: all passed"

test-long: ## all tests, those too that are dear and find little that a smaller one would not, and the coverage: an hour or two; before a release
	@echo "make test-long: proves published tables again, goes our own ways in, tries what make test tries on more of everything, and measures what is reached"
	@sh tools/venv.sh test docs $(OR_SAY_SO)
	@$(BUNDLE) build $(OR_SAY_SO)
	@$(if $(TEST_ARGS),:,$(BROWSER)) $(OR_SAY_SO)
	@rm -f .coverage .coverage.*
	@DURAK_LONG=1 $(PY) -m pytest $(NBVAL) -p how_far -n $(JOBS) $(if $(TEST_ARGS),$(TEST_ARGS),--measure) $(OR_SAY_SO)
	@$(if $(TEST_ARGS),echo "coverage: not judged when TEST_ARGS is set",$(PY) tools/coverage_floor.py) $(OR_SAY_SO)
	@echo "make test-long: all passed"

test-site: ## all tests of the site without a server: a quarter of an hour; what make test leaves out of them too
	@echo "make test-site: builds the page to play, the docs and the lessons, and visits them in every way"
	@sh tools/venv.sh test docs $(OR_SAY_SO)
	@$(BUNDLE) build $(OR_SAY_SO)
	@$(BROWSER) $(OR_SAY_SO)
	@DURAK_LONG=1 $(PY) -m pytest tests/browser/site tests/browser/lab/test_lite.py $(if $(TEST_ARGS),$(TEST_ARGS),-n $(JOBS)) $(OR_SAY_SO)
	@echo "make test-site: all passed"

test-anywhere: ## the tests with other fonts, languages, time zones and under load: an hour or two; WHERE="dejavu load" names some
	@echo "make test-anywhere: runs the tests in other circumstances (python tools/anywhere.py --help lists them)"
	@sh tools/venv.sh test $(OR_SAY_SO)
	@$(BUNDLE) build $(OR_SAY_SO)
	@$(BUNDLE) install $(OR_SAY_SO)
	@$(BROWSER) $(OR_SAY_SO)
	@$(PY) tools/anywhere.py $(WHERE) --pytest="$(NBVAL) -n $(JOBS) $(TEST_ARGS)" $(OR_SAY_SO)
	@echo "make test-anywhere: all passed"

# --no-cache: how an import is sorted hangs on which other files are there, and a cache by file does not know that
check: ## lint, format and types
	@echo "make check: ruff, import contracts, spelling, mypy, TypeScript's types and style, the workflow, and no path of a machine in the tree"
	@sh tools/venv.sh check $(OR_SAY_SO)
	@echo "ruff check:" && $(PY) -m ruff check --no-cache . $(OR_SAY_SO)
	@echo "ruff format:" && $(PY) -m ruff format --check . $(OR_SAY_SO)
	@echo "import contracts:" && $(dir $(PY))lint-imports --no-cache --no-logo $(OR_SAY_SO)
	@echo "codespell:" && $(PY) -m codespell_lib $(OR_SAY_SO)
	@echo "mypy:" && $(PY) -m mypy $(OR_SAY_SO)
	@echo "tsc:" && $(BUNDLE) types $(OR_SAY_SO)
	@echo "biome:" && $(BUNDLE) style $(OR_SAY_SO)
	@echo "workflow:" && $(PY) -m check_jsonschema --builtin-schema vendor.github-workflows .github/workflows/*.yml $(OR_SAY_SO)
	@$(dir $(PY))zizmor --offline --no-progress --quiet .github $(OR_SAY_SO)
	@echo "machine paths:" && $(PY) tools/machine_paths.py $(OR_SAY_SO)
	@echo "make check: all clean"

docs: ## make the site of the docs in build/site; a warning fails
	@echo "make docs: gathers the pages, and has Sphinx make a site of them"
	@sh tools/venv.sh docs $(OR_SAY_SO)
	@$(PY) tools/docs_site.py $(OR_SAY_SO)
	@echo "make docs: done; open build/site/index.html"

site: ## build the whole site in build/site: the docs, a page to play, the lessons without a server; every link is followed
	@echo "make site: builds the docs, the page to play and the lessons as one folder of files"
	@sh tools/venv.sh docs $(OR_SAY_SO)
	@$(PY) tools/whole_site.py $(OR_SAY_SO)
	@echo "make site: done; $(PY) -m http.server --directory build/site shows it"

dist: ## build the wheel and the sdist in dist; each has what an index asks for, and the wheel plays in an environment of its own
	@echo "make dist: builds the sdist, and the wheel from it, and tries both"
	@sh tools/venv.sh $(OR_SAY_SO)
	@$(BUNDLE) build $(OR_SAY_SO)
	@rm -rf dist build/release && $(PY) -m venv build/release $(OR_SAY_SO)
	@$(RELEASE_PY) -m pip install --quiet --disable-pip-version-check --require-hashes --requirement tools/release-requirements.txt $(OR_SAY_SO)
	@$(RELEASE_PY) -m build --no-isolation --outdir dist $(OR_SAY_SO)
	@$(RELEASE_PY) -m twine check --strict dist/* $(OR_SAY_SO)
	@$(PY) tools/tried_wheel.py dist $(OR_SAY_SO)
	@echo "make dist: done; dist holds both"

notes: ## write what a version brought to build/notes.md, out of CHANGELOG.md (TAG=v0.2.0: and refuse a tag that is not the version)
	@echo "make notes: compares the tag with the version, and takes its section of CHANGELOG.md"
	@sh tools/venv.sh $(OR_SAY_SO)
	@$(PY) tools/release_notes.py "$${TAG-}" $(OR_SAY_SO)
	@echo "make notes: done; build/notes.md says what is new"

bench: ## measure the speed, beside OpenSpiel where it can be installed
	@echo "make bench: measures the model's speed"
	@sh tools/venv.sh $(OR_SAY_SO)
	@PIP_ONLY_BINARY=open-spiel sh tools/venv.sh bench || echo "open-spiel cannot be installed here (see above): measuring without it"
	@$(PY) -m benchmarks $(BENCH_ARGS) $(OR_SAY_SO)
	@echo "make bench: done"

bench-theory: ## measure the theory: learning beside OpenSpiel, endings, solvers, worlds (BENCH_ARGS=--long: all sizes)
	@echo "make bench-theory: measures the theory's speed"
	@sh tools/venv.sh theory $(OR_SAY_SO)
	@PIP_ONLY_BINARY=open-spiel sh tools/venv.sh bench || echo "open-spiel cannot be installed here (see above): measuring without it"
	@$(PY) -m benchmarks.theory $(BENCH_ARGS) $(OR_SAY_SO)
	@echo "make bench-theory: done"

bench-kernel: ## measure the kernel beside plain Python, by turns (BENCH_ARGS="games": some parts)
	@echo "make bench-kernel: measures the kernel's speed"
	@sh tools/venv.sh fast $(OR_SAY_SO)
	@$(BUNDLE) build $(OR_SAY_SO)
	@$(PY) -m benchmarks.kernel $(BENCH_ARGS) $(OR_SAY_SO)
	@echo "make bench-kernel: done"

strength: ## play the bots against one another, and say who is stronger (ten minutes; BENCH_ARGS=--long: a night; "reference": the ladder of all)
	@echo "make strength: plays the bots against one another"
	@sh tools/venv.sh fast $(OR_SAY_SO)
	@$(BUNDLE) build $(OR_SAY_SO)
	@$(PY) -m benchmarks.strength $(BENCH_ARGS) $(OR_SAY_SO)
	@echo "make strength: done"

puzzles: ## find the endings with one way home anew in games of bots, prove and grade them (ten minutes)
	@echo "make puzzles: plays games of bots, and writes the puzzles that come up in them"
	@sh tools/venv.sh fast $(OR_SAY_SO)
	@$(BUNDLE) build $(OR_SAY_SO)
	@PYTHONPATH=. $(PY) tools/puzzles.py $(OR_SAY_SO)
	@echo "make puzzles: done"

bench-table: ## measure the table in a browser: from a click to the moved card
	@echo "make bench-table: measures the table in a browser"
	@sh tools/venv.sh test $(OR_SAY_SO)
	@$(BUNDLE) build $(OR_SAY_SO)
	@$(PY) -m benchmarks.table $(BENCH_ARGS) $(OR_SAY_SO)
	@echo "make bench-table: done"

bench-board: ## measure a tree of 5,000 places in a browser, frame by frame
	@echo "make bench-board: measures a tree in a browser"
	@sh tools/venv.sh test $(OR_SAY_SO)
	@$(BUNDLE) build $(OR_SAY_SO)
	@$(PY) -m benchmarks.board $(BENCH_ARGS) $(OR_SAY_SO)
	@echo "make bench-board: done"

bench-arena: ## measure a class's tournament: how long it takes, and how much faster with more cores (BENCH_ARGS="shared": some parts)
	@echo "make bench-arena: measures tournaments"
	@sh tools/venv.sh fast $(OR_SAY_SO)
	@$(BUNDLE) build $(OR_SAY_SO)
	@$(PY) -m benchmarks.arena $(BENCH_ARGS) $(OR_SAY_SO)
	@echo "make bench-arena: done"

bench-site: ## measure how soon one sits at a table without a server, beside JupyterLite (BENCH_ARGS="lines": on slow lines)
	@echo "make bench-site: builds the page to play and JupyterLite, and opens them by turns"
	@sh tools/venv.sh test $(OR_SAY_SO)
	@$(PY) -m benchmarks.site $(BENCH_ARGS) $(OR_SAY_SO)
	@echo "make bench-site: done"

notebooks: ## run every notebook in place, and store it clean
	@echo "make notebooks: runs every notebook in place"
	@sh tools/venv.sh lab $(OR_SAY_SO)
	@$(PY) tools/notebooks.py $(OR_SAY_SO)
	@echo "make notebooks: all run"

screenshots: ## take the pictures of the table and of a tree that the docs show
	@echo "make screenshots: takes pictures of the table and of a tree in a browser"
	@sh tools/venv.sh test $(OR_SAY_SO)
	@$(BUNDLE) build $(OR_SAY_SO)
	@$(PY) tools/screenshots.py $(OR_SAY_SO)
	@echo "make screenshots: done"

clean: ## remove .venv and everything else that make has made
	@echo "make clean: removes .venv, caches, build and coverage files"
	@rm -rf .venv build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis .coverage .coverage.* htmlcov
	@rm -rf durak_widget/static durak_widget/frontend/node_modules durak_widget/frontend/.test durak_widget/frontend/.built
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +
	@find . -name .ipynb_checkpoints -type d -prune -exec rm -rf {} +
	@echo "make clean: done"
