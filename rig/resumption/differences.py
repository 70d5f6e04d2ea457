"""What is not as it was when a test began: its files, its sensors, this program."""

from __future__ import annotations

import datetime
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path

from drivers.files.plain_values import Json
from rig.config import load, own_code
from rig.config.plan import Plan
from rig.config.setup import Setup
from rig.errors import ConfigError
from rig.files.tree_leaves import leaves
from rig.recorder.description import sensor_tables
from rig.release import VERSION

ABSENT = "not there"


def setup_now(plan: Plan) -> Setup:
    """The files of a run as they are now. Raises ConfigError where they cannot be read."""
    sources = plan.sources
    if not sources:
        raise ConfigError(f"{plan.run_dir}: its plan does not tell which files it came from; it was begun by an older program")
    given, overrides = sources["bench"] if sources["bench_given"] else None, sources["overrides"]
    assert isinstance(overrides, list)
    return load(Path(str(sources["experiment"])), [str(one) for one in overrides], None if given is None else Path(str(given)))


def differences(plan: Plan, now: Setup, version: str) -> list[str]:
    """In words, what has changed since the test began. version: of the program that began it."""
    found = [*_of_texts("experiment", plan.experiment_text, now.experiment_text), *_of_texts("bench", plan.bench_text, now.bench_text)]
    found += _of_code(plan.experiment_text + plan.bench_text, now.experiment_text + now.bench_text)
    today = datetime.date.today()
    before, after = sensor_tables(plan.bench.channels, today), sensor_tables(now.bench.channels, today)
    named = {line.partition(":")[0] for line in found}
    found += [line for line in _of_tables("sensor", before, after) if line.partition(":")[0] not in named]
    if version != VERSION:
        found.append(f"program: {version} began the test, this is {VERSION}")
    return found


def _of_texts(what: str, before: str, after: str) -> Iterator[str]:
    yield from _of_tables(what, tomllib.loads(before), tomllib.loads(after))


def _of_code(before: str, after: str) -> Iterator[str]:
    """Of kinds of the user's own, by the fingerprints of their files."""
    old, new = own_code.in_text(before), own_code.in_text(after)
    for what in sorted(old.keys() | new.keys()):
        if old.get(what) != new.get(what):
            yield f"{own_code.SAID}{what}: {old.get(what, ABSENT)} before, {new.get(what, ABSENT)} now"


def _of_tables(what: str, before: Mapping[str, Json], after: Mapping[str, Json]) -> Iterator[str]:
    old, new = dict(leaves(before, _by_name)), dict(leaves(after, _by_name))
    for key in sorted(old.keys() | new.keys()):
        if old.get(key, ABSENT) != new.get(key, ABSENT):
            yield f"{what} {key}: {_said(old.get(key, ABSENT))} before, {_said(new.get(key, ABSENT))} now"


def _by_name(number: int, item: Mapping[str, Json]) -> str:
    """Items of a list by their names, where they have some."""
    name = item.get("name")
    return f".{name if isinstance(name, str) and name else number}"


def _said(value: object) -> str:
    return value if value is ABSENT else repr(value) if isinstance(value, str) else str(value)
