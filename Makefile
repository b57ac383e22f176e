# Everything a newcomer, a developer and CI do. `make chat` and `make test` need nothing before them: each does
# the set-up it lacks. Set-up is remembered in .venv/stamps, so that a second run costs a fraction of a second.

VENV := .venv
STAMPS := $(VENV)/stamps
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip -qq --disable-pip-version-check
# Nothing is installed whose hash does not stand in constraints.txt; scripts/install_torch.sh has the exceptions.
LOCKED := install --require-hashes -c constraints.txt

# The first Python here that is new enough, and `python3` where none is, for the message that says so.
PYTHON ?= $(or $(shell for python in python3 python3.13 python3.12 python3.11; do \
	$$python -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$python && break; done),python3)

# What is needed from the system, as pairs of a check and the Debian package that satisfies it.
VENV_MODULE = '$(PYTHON) -c "import venv, ensurepip"' $(notdir $(PYTHON))-venv
TOOLS = 'command -v git' git 'command -v tmux' tmux
COMPILER = 'test -e $(STAMPS)/llama || test -n "$(LLAMA_INDEX)" || command -v $${CXX:-c++}' g++

export VENV
unexport PYTHONDONTWRITEBYTECODE # containers set it; each process would compile the whole program anew
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.NOTPARALLEL: # two installers at work in one environment would break it

.PHONY: help setup chat demo test test-long check docs dist snapshots bench-perf picture lock licences clean distclean system torch llama

help: ## Show this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  \1|\2/p' $(MAKEFILE_LIST) | awk -F'|' '{ printf "%-14s %s\n", $$1, $$2 }'
	@echo
	@echo 'Variables: PYTHON=python3.12, ARGS="-k words" (chat, tests, lock), and for set-up with a GPU or other builds'
	@echo 'TORCH_BACKEND=auto|cpu|cu130|…, CMAKE_ARGS=-DGGML_CUDA=on, LLAMA_INDEX=<index of prebuilt wheels>'

# ------------------------------------------------------------------------------------------------------- set-up

setup: system $(STAMPS)/app $(STAMPS)/dev $(STAMPS)/object-store llama ## Install everything into .venv: the program, llama.cpp and the tools

system: # before anything large is fetched
	@scripts/need.sh $(TOOLS) $(COMPILER)

$(STAMPS)/python:
	@scripts/need.sh 'command -v $(PYTHON)' python3
	@scripts/check_python.sh $(PYTHON)
	@scripts/need.sh $(VENV_MODULE)
	@$(PYTHON) -m venv $(VENV)
	@mkdir -p $(STAMPS) && touch $@

$(STAMPS)/pip: constraints.txt $(STAMPS)/python
	@sed -n '/^pip==/,/[^\\]$$/p' constraints.txt >$(STAMPS)/pip.txt # an older pip reads no hashes from constraints
	@$(PIP) install --require-hashes -r $(STAMPS)/pip.txt
	@touch $@

torch: $(STAMPS)/pip
	@scripts/install_torch.sh

# pip takes no folder where it requires hashes: what timelens needs comes first, and then timelens by itself.
$(STAMPS)/app: pyproject.toml constraints.txt $(STAMPS)/pip | torch
	@echo 'Installing timelens and what it needs (about 350 MB the first time) …'
	@$(BIN)/python scripts/requirements.py | $(PIP) $(LOCKED) -r /dev/stdin
	@$(PIP) install --no-deps --build-constraint constraints.txt -e .
	@touch $@

$(STAMPS)/dev: pyproject.toml constraints.txt $(STAMPS)/app
	@echo 'Installing the tools that check and test …'
	@$(PIP) $(LOCKED) --group dev --group docs
	@touch $@

# The S3 server of the tests, in an environment of its own: what it needs does not fit beside the rest.
$(STAMPS)/object-store: scripts/object_store/requirements.txt $(STAMPS)/python
	@echo 'Installing an S3 server for the tests (140 MB) …'
	@rm -rf $(VENV)/object-store
	@$(PYTHON) -m venv $(VENV)/object-store
	@$(VENV)/object-store/bin/python -m pip -qq --disable-pip-version-check install --require-hashes -r $<
	@touch $@

llama: $(STAMPS)/app
	@scripts/install_llama.sh

# ---------------------------------------------------------------------------------------------------------- use

chat: $(STAMPS)/app $(STAMPS)/corpora ## Set up what is missing and open the chat
	@if scripts/need.sh $(COMPILER); then scripts/install_llama.sh --background; \
		else echo 'Without a C++ compiler llama.cpp cannot be built: answers come without a language model.' >&2; fi
	@$(BIN)/timelens chat $(ARGS)

# The bundled corpora are ingested once, and again where one of their documents changed. A corpus that cannot be
# ingested keeps no one from chatting with the others; it is tried again the next time.
$(STAMPS)/corpora: $(shell find corpora -path '*/documents/*' -type f 2>/dev/null) | $(STAMPS)/app
	@ok=yes; for documents in corpora/*/documents; do \
		test -d "$$documents" || continue; \
		name=$$(basename "$$(dirname "$$documents")"); \
		echo "Ingesting the bundled corpus $$name …"; \
		$(BIN)/timelens ingest "$$documents" --corpus "$$name" -q || ok=no; \
	done; if [ $$ok = yes ]; then touch $@; else echo 'Not every bundled corpus was ingested.' >&2; fi

demo: $(STAMPS)/app ## Lead a conversation over the bundled corpora in tmux and keep its screens in build/demo
	@scripts/need.sh $(TOOLS)
	@$(BIN)/python scripts/demo.py

# ------------------------------------------------------------------------------------------------------- checks

test: setup ## Set up what is missing and run the tests
	@$(BIN)/pytest -n logical --maxprocesses 4 --dist worksteal $(ARGS)

test-long: setup ## Run the long tests: crashes, scale, volume, a real model
	@$(BIN)/pytest -m long $(ARGS)

# llama.cpp is built meanwhile; the tests wait for it. Nothing else installs into .venv at that time.
check: system $(STAMPS)/dev $(STAMPS)/object-store ## Check format, lint, types and import contracts, build the documentation, then run the tests
	@scripts/install_llama.sh --background
	@$(BIN)/ruff format --check
	@$(BIN)/ruff check
	@$(BIN)/mypy
	@$(BIN)/lint-imports
	@$(BIN)/python scripts/docs_site.py
	@$(MAKE) --no-print-directory test

docs: setup ## Build the documentation into build/site; a broken link is an error
	@$(BIN)/python scripts/docs_site.py

dist: setup ## Build the source distribution and the wheel into dist/ (TAG=v1.2.3: and check that they are of this version)
	@$(BIN)/python scripts/distributions.py $(TAG)

bench-perf: setup ## Measure speed and memory with every script in benchmarks/
	@for script in benchmarks/*.py; do \
		test -f "$$script" || { echo 'There is no script in benchmarks/.' >&2; exit 1; }; \
		echo "== $$script"; $(BIN)/python "$$script" || exit 1; \
	done

# ------------------------------------------------------------------------------------------------------- upkeep

picture: $(STAMPS)/app ## Ask the chat a question and write the picture of it that the README shows
	@$(BIN)/python scripts/picture.py

snapshots: setup ## Write the screens of the chat anew that its tests compare with; look at the diff
	@TIMELENS_TEST_SNAPSHOTS=write $(BIN)/pytest -q tests/tui/test_snapshots.py $(ARGS)

lock: $(STAMPS)/pip ## Write constraints.txt for what pyproject.toml names (ARGS=--upgrade: the newest of all)
	@$(PIP) $(LOCKED) uv
	@$(BIN)/python scripts/lock.py $(ARGS)

licences: setup ## List the licences of all that is locked; one that is unknown is an error
	@$(BIN)/python scripts/licences.py

clean: ## Remove build outputs and caches
	@rm -rf build dist *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache .cache
	@find . -path ./$(VENV) -prune -o -type d -name __pycache__ -exec rm -rf {} +

distclean: clean ## Remove .venv too; the next command sets up again
	@rm -rf $(VENV)
