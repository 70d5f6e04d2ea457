"""Faults that are injected into a test: on its own virtual bench only, and written down; its record never passes for a clean one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from drivers.files.plain_values import Json
from rig.config.bench import Bench
from rig.config.injection import Injection
from rig.config.transport import from_json
from rig.streaming.injection_words import SOURCE, without_sample
from rig.supervision.operation import operator_words

VERB = "inject"
KIND = "injected"
"""Of the event in the record that says what was asked for, when it was asked."""
REAL = "this bench is real hardware; a fault is injected on a virtual bench only"
FOREIGN = "the virtual bench of this test is a program of its own (bench.address); a fault is injected on one that the test has started"


def configured(bench: Bench) -> Iterator[str]:
    """In words what the bench file injects."""
    for one in bench.injections:
        yield f"injected: {one.words}, {one.begin:g} s after the device begins to sample, by the bench's configuration"


def refused(bench: Bench, own: bool, data: Mapping[str, Json]) -> str:
    """Why nothing is injected; empty: nothing speaks against it. own: whether the run has a virtual bench of its own."""
    if bench.plant is None:
        return REAL
    if not own:
        return FOREIGN
    injections = data.get("injections")
    if not isinstance(injections, list) or not injections:
        return "expected a list of injections"
    try:
        for one in injections:
            from_json(Injection, one if isinstance(one, dict) else {})
    except (LookupError, TypeError, ValueError) as error:
        return f"an injection that is none: {error}"
    return ""


def begun(line: str) -> tuple[str, int | None] | None:
    """Words, and the sample of the session (None: the device did not sample), of what the virtual bench says about an injection; None: of
    a line that says nothing about one."""
    return without_sample(line.removeprefix(f"{SOURCE} ").strip()) if line.startswith(f"{SOURCE} ") else None


def asked(data: Mapping[str, Json]) -> str:
    """For the record: what was asked for, by whom and why."""
    return operator_words(f"injected: {data.get('fault') or 'a fault'}", data)
