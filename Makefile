# Everything from nothing: `make serve` runs the service, `make test` runs every test.

BIN := .venv/bin
# The compiled form stands before the sources; the folder one is in must not.
COMPILED := PYTHONPATH=$(CURDIR)/build/compiled PYTHONSAFEPATH=1
# One process a core; whoever has no tests left takes some from another.
ON_ALL_CORES := --numprocesses logical --maxprocesses 8 --dist worksteal

# Bytecode is kept whatever the machine says: the service is many processes, and the tests start many
# services; each would compile every module anew.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help install compile serve test proof lint format bench screenshots messages clean

help: ## Show what can be made
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 20

install: .venv/installed ## Set up .venv with exactly the locked packages

.venv/installed: requirements.lock pyproject.toml tools/install
	tools/install

compile: install ## Build the compiled form of the engine, where there is a C compiler
	@$(BIN)/python tools/compile.py

serve: compile ## Run the service at http://127.0.0.1:8000 (PORT=9000 chooses another port)
	@exec env $(COMPILED) $(BIN)/retourne serve

test: compile ## Run every test, the browser's included, on all cores
	@tools/install-browser
	@exec $(BIN)/pytest $(ON_ALL_CORES)

proof: compile ## Run the long proofs: a hundred thousand hands where the tests run some thousands
	@exec env $(COMPILED) $(BIN)/pytest -m proof -o pythonpath="build/compiled ."

lint: install ## Check style, types and the direction of imports
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/pre-commit validate-config

format: install ## Format the code and mend what ruff can
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

bench: compile ## Measure throughput against its peers
	@exec env $(COMPILED) $(BIN)/python benchmarks/bench.py

screenshots: compile ## Take the pictures of the pages for the documentation
	@tools/install-browser
	@exec env $(COMPILED) $(BIN)/python tools/screenshots.py

messages: install ## Find what the pages say and write what is to be translated into the catalogues
	@PYTHONPATH=. $(BIN)/python tools/messages.py

clean: ## Remove everything made, except data
	rm -rf .venv build *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
