# Needs make and Python 3.10 or later; everything else goes into .venv.
#   PYTHON=python3.12        the interpreter that makes .venv (usually the newest that is found)
#   LAB_ARGS="--no-browser"  more options for JupyterLab
#   TEST_ARGS="-k beating"   more options for pytest (the tests then run in one process)
#   JOBS=1                   how many processes run the tests (usually as many as cores, at most four)
#   WHERE="dejavu load"      the circumstances of make test-release (usually all)
#   WHAT="docs/table.md"     the files whose examples make update-examples rewrites (usually all)
#   SCENES="table review"    the scenes of which make pictures makes new pictures (usually all)
#   DURAK_MAY_INSTALL=1      missing packages of the system may be installed by sudo apt-get; 0: never

PY = .venv/$(if $(filter Windows_NT,$(OS)),Scripts,bin)/python
# builds a release with nothing but what tools/release-requirements.txt names, each by its hash
RELEASE_PY = build/release/$(if $(filter Windows_NT,$(OS)),Scripts,bin)/python
NBVAL = --nbval --nbval-current-env --nbval-cell-timeout=120 --nbval-kernel-startup-timeout=120 --nbval-sanitize-with tools/nbval_sanitize.cfg
JOBS = auto
HOW = $(if $(TEST_ARGS),$(TEST_ARGS),-n $(JOBS))
unexport PYTHONDONTWRITEBYTECODE # hundreds of processes of the tests would each compile the package again
VENV = @sh tools/venv.sh
FRONTEND = $(PY) tools/frontend.py
A_MACHINE = (^|[^A-Za-z0-9_.])(/(home|root|Users|work|workspace|builds|mnt|private)/|[A-Za-z]:\\\\?Users\\)[A-Za-z0-9_.-]

.DEFAULT_GOAL := help
.PHONY: help lab frontend test test-all test-release check docs site dist update-examples tour pictures clean

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## /  make \1	/p' Makefile

lab: ## open the notebooks in JupyterLab
	$(VENV) lab
	@$(FRONTEND) build
	@sh tools/lab.sh $(LAB_ARGS)

frontend: ## bundle the front end now; restart the kernel to see it
	$(VENV)
	@$(FRONTEND) now

test: ## run the tests, the examples in the docs and the notebooks
	$(VENV) test
	@$(FRONTEND) build
	@$(if $(TEST_ARGS),,$(FRONTEND) test)
	@$(if $(TEST_ARGS),$(PY) -m pytest,sh tools/test.sh) $(NBVAL) $(HOW)

test-all: test ## make test, then the tests that take longer: all in a browser, the site, Binder
	$(VENV) docs
	@sh tools/test.sh --slow $(NBVAL) $(HOW)

test-release: ## every test and result, the coverage, and the tests in other circumstances: two to four hours
	$(VENV) test docs
	@$(FRONTEND) build && $(FRONTEND) test && sh tools/browser.sh >/dev/null
	@rm -f .coverage .coverage.*
	@DURAK_TESTS=release $(PY) -m pytest $(NBVAL) --measure -n $(JOBS)
	@$(PY) -m coverage combine --quiet && $(PY) -m coverage report
	@$(PY) tools/anywhere.py $(WHERE) --pytest="$(NBVAL) -n $(JOBS)"

# ruff without its cache: how an import is sorted depends on which other files exist, and the cache does not know that
check: ## check style, types, import contracts, spelling, plain English and the workflow
	$(VENV) check
	@$(PY) -m ruff check --no-cache .
	@$(PY) -m ruff format --check .
	@$(dir $(PY))lint-imports --no-cache --no-logo
	@$(PY) -m codespell_lib
	@$(PY) tools/prose.py
	@$(PY) -m mypy
	@$(FRONTEND) types
	@$(FRONTEND) style
	@$(PY) -m check_jsonschema --builtin-schema vendor.github-workflows .github/workflows/*.yml
	@$(dir $(PY))zizmor --offline --no-progress --quiet .github
	@! git grep --untracked -nIE '$(A_MACHINE)'

docs: ## make the site of the docs in build/site; a warning fails
	$(VENV) docs
	@$(PY) tools/docs_site.py

site: ## make the whole site in build/site: the docs, the page to play, the lessons; a broken link fails
	$(VENV) docs
	@$(PY) tools/whole_site.py

dist: ## build the wheel and the sdist in dist, and try the wheel
	$(VENV)
	@$(FRONTEND) build
	@rm -rf dist build/release && $(PY) -m venv build/release
	@$(RELEASE_PY) -m pip install --quiet --disable-pip-version-check --require-hashes --requirement tools/release-requirements.txt
	@$(RELEASE_PY) -m build --no-isolation --outdir dist
	@$(RELEASE_PY) -m twine check --strict dist/*
	@$(PY) tools/tried_wheel.py dist

update-examples: ## rewrite the examples in docs, docstrings and notebooks that print something else now; then read the diff
	$(VENV) test
	@$(PY) tools/update_examples.py $(WHAT)

tour: ## make the moving picture of the README again; then look at it
	$(VENV) test
	@$(FRONTEND) build
	@$(PY) tools/tour.py

pictures: ## make the pictures of the docs again, light and dark; then look at them
	$(VENV) test
	@$(FRONTEND) build
	@$(PY) tools/screenshots.py $(SCENES)

clean: ## remove .venv and everything else that make has made
	@rm -rf .venv build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis .coverage .coverage.* htmlcov
	@rm -rf durak_widget/static durak_widget/frontend/node_modules durak_widget/frontend/.test durak_widget/frontend/.built
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +
	@find . -name .ipynb_checkpoints -type d -prune -exec rm -rf {} +
