"""The table of faults: complete, without contradictions, and bounded by settings of the rig that a row is of."""

from __future__ import annotations

from pathlib import Path

import pytest

from rig.config import load
from rig.config.plan import Plan
from rig.errors import ConfigError
from rig.faults import bounds, host_faults, table
from rig.faults.detection import BY_KIND, WORDS

EXPERIMENTS = Path(__file__).resolve().parents[4] / "configs/experiments"
WHOLE = table.read()
NAMES = {*BY_KIND.values(), *(name for words in WORDS.values() for _, name in words), "loader", "operator", "folder"}
RIGS = """
[rigs.one]
experiment = "e"
plant = "p"
sets = []
begin = 1.0
spread = 0.1
names = {sensor = "stroke_monitor"}
"""
ROW = 'rigs = ["one"], target = "$sensor", inject = [{what = "frozen", target = "$sensor"}]'


def fault(row: str) -> str:
    return f'{RIGS}[[fault]]\nkind = "k"\nwhat = "w"\nrow = [{{{row}}}]\n'


def test_at_least_forty_kinds_on_five_rigs_and_every_pair_has_a_row_or_a_reason() -> None:
    assert len(WHOLE.kinds) >= 40 and len(WHOLE.rigs) == 5
    there = {(row.fault, row.rig) for row in WHOLE.rows}
    assert not there & set(WHOLE.not_applicable)
    assert there | set(WHOLE.not_applicable) == {(kind, rig) for kind in WHOLE.kinds for rig in WHOLE.rigs}
    assert all(WHOLE.not_applicable.values())


def test_what_nobody_finds_says_why_and_what_is_found_says_by_whom_and_when() -> None:
    for row in WHOLE.rows:
        assert row.why if row.expected == "none" else row.found_by and row.bound, row.name
        assert set(row.found_by) <= NAMES, row.name
        assert set(row.bound) <= set(bounds.TERMS), row.name
        assert not row.host or row.host in host_faults.ACTS, row.name


def test_rows_have_names_of_their_own() -> None:
    names = [row.name for row in WHOLE.rows]
    assert len(names) == len(set(names))


@pytest.fixture(scope="module", params=WHOLE.rigs)
def rig(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Plan]:
    one = WHOLE.rigs[request.param]
    setup = load(EXPERIMENTS / f"{one.experiment}.toml", one.sets)
    run = tmp_path_factory.mktemp("run")
    return request.param, Plan(run.name, run, run, setup.experiment, setup.bench, "", "")


def test_targets_are_wired_and_bounds_are_settings_of_the_rig(rig: tuple[str, Plan]) -> None:
    name, plan = rig
    known, wired = bounds.terms(plan), {wire.signal for wire in plan.bench.wiring} | {one.name for one in plan.bench.serial}
    assert WHOLE.of_plant(type(plan.bench.plant).__module__.rpartition(".")[2]) == name
    for row in (row for row in WHOLE.rows if row.rig == name):
        assert bounds.seconds(row.bound, known) >= 0.0
        for one in row.injections(WHOLE.rigs[name].names, 1.0):
            assert one.what in ("parameter", "state", "scale") or not one.target or one.target in wired, row.name


def test_a_bound_is_a_sum_of_settings() -> None:
    assert bounds.seconds(("cycle", "cycle", "block"), {"cycle": 0.2, "block": 0.01}) == pytest.approx(0.41)
    with pytest.raises(ConfigError, match="expected some of block"):
        bounds.seconds(("fortnight",), {})


def test_names_stand_for_what_a_rig_calls_it() -> None:
    (row,) = table.parsed(fault(f'{ROW}, expected = "trip", action = "stop", found_by = ["noise"], bound = ["noise"]')).rows
    (one,) = row.injections({"sensor": "stroke_monitor"}, 2.5)
    assert (row.target, one.target, one.begin, one.fault) == ("stroke_monitor", "stroke_monitor", 2.5, "k")


@pytest.mark.parametrize(
    ("row", "said"),
    [
        (f'{ROW}, expected = "none", action = "none"', "needs a reason"),
        (f'{ROW}, expected = "trip", action = "stop", found_by = ["noise"]', "expected found_by and bound"),
        (f'{ROW}, expected = "found", action = "stop"', "expected trip, hold, mark, none"),
        (f'{ROW}, host = "kill bench", expected = "none", action = "none", why = "w"', "one of inject, keys and host"),
    ],
)
def test_a_table_that_contradicts_itself_is_refused(row: str, said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        table.parsed(fault(row))


def test_a_pair_that_is_forgotten_is_named() -> None:
    with pytest.raises(ConfigError, match="neither a row nor a reason why it does not apply: k on one"):
        table.parsed(f'{RIGS}[[fault]]\nkind = "k"\nwhat = "w"\n')


def test_unknown_rigs_and_kinds_are_named() -> None:
    with pytest.raises(ConfigError, match=r"--rigs: expected some of linkage.*; got 'press'"):
        WHOLE.chosen(("press",), ())
    with pytest.raises(ConfigError, match=r"--kinds: .*; got 'sabotage'"):
        WHOLE.chosen((), ("sabotage",))


def test_the_manual_has_every_term_of_a_bound() -> None:
    manual = (EXPERIMENTS.parents[1] / "docs/faults.md").read_text(encoding="utf-8")
    assert all(f"| `{name}` | {text} |" in manual for name, text in bounds.TERMS.items())
