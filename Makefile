# make run    set everything up and run the linkage experiment on the virtual bench; what it needs is compiled the first time, no more
# make test   set everything up and run lint, types, import rules and tests; it is to stay under ten minutes on two cores (docs/testing.md)
# make soak   the longer tests, and what runs at real pace
# make docs   builds the manual as a site into site/, every dead link is an error
# make peers  installs the multibody programs that `rig benchmark` is measured beside, and tests its cases with them
# make campaign   properties with ten times the examples; agreement, kills and a minute in real time, many times over (hours; goes on where it was, CAMPAIGN=--fresh from the start)
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# As in pyproject.toml: `-m` takes its place.
QUICK := not soak and not long and not peers
# Who looks where the minutes go finds them at the end of the output.
SLOWEST := --durations 12 --durations-min 2
READY := $(VENV)/.ready
# What Qt's wheels expect of a Linux system to open a window, or to draw one off screen.
QT_LIBRARIES := libegl1 libgl1 libxkbcommon0 libdbus-1-3 libfontconfig1 libglib2.0-0 libxcb-cursor0 libxkbcommon-x11-0 \
    libxcb-icccm4 libxcb-keysyms1 libxcb-shape0
# What looks at the page of `rig monitor` in its test, and at the report of `rig report`.
BROWSER := chromium-headless-shell
# What tells whether everybody can read such a report.
AXE := axe-core@4.14.1

# Python keeps what it has compiled, tests too, also where the environment says otherwise: else every process and every worker does it again.
export PYTHONDONTWRITEBYTECODE =
# Linear algebra has one thread in tests; a plugin of zarr's loads NumPy before tests/conftest.py can say so.
export OPENBLAS_NUM_THREADS ?= 1

.PHONY: run test unit setup compiled warm lint docs soak peers campaign clean

run: compiled
	$(BIN)/rig run configs/experiments/linkage.toml

# Unit tests and lint side by side: types take a core for a minute. Tests at real pace by themselves: a simulated bench that shares its
# cores with another test stands still now and then, which would be told as a fault of the program.
test: warm
	$(MAKE) --jobs 2 unit lint
	$(BIN)/python -m pytest tests/system -m 'real_pace and $(QUICK)'
	$(BIN)/python -m pytest tests/system -m 'not real_pace and $(QUICK)' --numprocesses 2 --dist loadgroup $(SLOWEST)

unit: warm
	$(BIN)/python -m pytest tests/unit --numprocesses 3 --dist worksteal $(SLOWEST)

lint: setup
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

docs: setup
	$(BIN)/python -m pip install --quiet --editable '.[docs]'
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet --strict

soak: warm
	$(BIN)/python -m pytest tests/unit -m long --numprocesses 2 --dist worksteal
	$(BIN)/python -m pytest tests/system -m long --numprocesses 2 --dist loadgroup
	$(BIN)/python -m pytest tests/system -m soak

peers: warm
	$(BIN)/python -m pip install --quiet --editable '.[peers]'
	$(BIN)/python -m pytest tests/unit/rig/benchmark -m peers

campaign: warm
	HYPOTHESIS_PROFILE=thorough $(BIN)/python -m pytest tests/unit -m 'not peers' --numprocesses 2
	$(BIN)/python -m pytest tests/campaign -m campaign $(CAMPAIGN)

# A test is five processes: each would compile its modules anew where nobody had before.
compiled: setup
	@$(BIN)/python -m compileall -q rig model drivers

# Tests use everything; `make run` compiles what it needs.
warm: compiled
	@$(BIN)/rig warmup

setup: $(READY)

$(READY): requirements.lock pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --requirement requirements.lock
	$(BIN)/python -m pip install --quiet --no-deps --editable .
	@sh .ci/debian_packages.sh "The live window needs these system libraries (runs are headless until then)" $(QT_LIBRARIES)
	@sh .ci/debian_packages.sh "The test of the page of rig monitor needs a browser" $(BROWSER)
	@sh .ci/npm_packages.sh "The test of the pages of rig report needs axe" $(VENV)/axe $(AXE)
	@touch $(READY)

clean:
	rm -rf $(VENV) build site *.egg-info
