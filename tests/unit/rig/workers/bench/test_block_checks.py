"""What is looked at in a block, before the test and in it, on a loader's bench."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from rig import config
from rig.config.experiment import Limit
from rig.config.plan import Plan
from rig.config.resumption import Resumption
from rig.workers.bench.block_checks import BlockChecks
from rig.workers.bench.finding import Finding

EXPERIMENT = Path(__file__).parents[5] / "configs/experiments/linkage.toml"
RATE = 10_000.0


def plan(*overrides: str, limits: Sequence[Limit] = ()) -> Plan:
    setup = config.load(EXPERIMENT, list(overrides))
    return Plan("0001", Path(), Path(), replace(setup.experiment, limits=tuple(limits)), setup.bench, "", "")


def watching(one: Plan) -> tuple[BlockChecks, list[str]]:
    names = [channel.name for channel in one.bench.channels]
    units = {channel.name: channel.unit for channel in one.bench.channels} | {"command": "N"}
    return BlockChecks(one, names, units, RATE), names


def block(names: list[str], count: int = 100, **values: float) -> np.ndarray:
    measured = np.zeros((count, len(names)))
    for name, value in values.items():
        measured[:, names.index(name)] = value
    return measured


def commanded(value: float, count: int = 100) -> np.ndarray:
    """The value first; phase and cycle are none of the limits' business."""
    return np.column_stack([np.full(count, value), np.full(count, 1e9), np.full(count, -1e9)])


def test_a_limit_on_the_command_is_one_on_its_value_and_in_the_test_only() -> None:
    check, names = watching(plan(limits=[Limit("command", maximum=10e3), Limit("stroke", maximum=0.02, action="stop")]))
    assert check.test(0, commanded(9e3), block(names, transmitted_force=9e3, actuator_force=9e3)) == []
    (found,) = check.test(100, commanded(11e3), block(names, transmitted_force=11e3, actuator_force=11e3))
    assert found == Finding(100, "limit", "command 11 kN exceeds maximum 10 kN at sample 100", "interlock")
    before, names = watching(plan(limits=[Limit("command", maximum=-1.0), Limit("stroke", maximum=0.02, action="stop")]))
    assert before.before(0, block(names)) == [], "what the preparation commands is not the experiment's"
    (found,) = (one for one in before.before(100, block(names, stroke=0.021)) if one.kind == "limit")
    assert (found.sample, found.action) == (100, "stop")
    assert found.text.startswith("stroke 21 mm exceeds maximum 20 mm at sample 100")


def test_a_limit_is_told_in_its_own_unit_by_the_sample_of_the_test() -> None:
    """Sample 100 of a session that begins at sample 48 000: the finding counts as the session does, its words as the test."""
    text = '[[limits]]\nchannel = "stroke"\nmaximum = "20000 um"\naction = "stop"\n'
    session = Resumption(2, 7, 2, 47_000, 48_000, 1.0, 0, {}, None, {}, {}, "")
    one = replace(plan(limits=[Limit("stroke", maximum=0.02, action="stop")]), experiment_text=text, resumption=session)
    check, names = watching(one)
    (found,) = (one for one in check.test(100, commanded(0.0), block(names, stroke=0.021)) if one.kind == "limit")
    assert found.sample == 100 and found.text.startswith("stroke 21000 um exceeds maximum 20000 um at sample 48100")
    assert found.limit is not None and found.limit["value"] == 0.021, "SI for programs"


def test_a_specimen_that_is_gone_is_an_interlock_in_force_mode() -> None:
    """By the channels that the loader's loops close on."""
    for more, gone in (((), True), (("specimen.watched=false",), False)):
        check, names = watching(plan(*more))
        found: list[Finding] = []
        for n in range(0, 6000, 100):
            found += check.test(n, commanded(10e3), block(names, transmitted_force=0.0, stroke=0.001))
        assert [(one.kind, one.action) for one in found if one.kind == "specimen"] == ([("specimen", "interlock")] if gone else [])
        if gone:
            (one,) = (one for one in found if one.kind == "specimen")
            assert one.text.startswith("slack: the force is 0.00 kN while 10.00 kN are commanded")


def test_force_and_stroke_are_those_of_the_loops() -> None:
    check, names = watching(plan())
    force, stroke = check.force_and_stroke(block(names, transmitted_force=3.0, stroke=7.0))
    assert (set(force), set(stroke)) == ({3.0}, {7.0})


def test_a_rate_at_the_end_of_a_range_is_only_a_rate() -> None:
    """A value there may be cut off, and the message says what to look at; a speed has no end of range."""
    one = plan(limits=[Limit("stroke", rate=0.1), Limit("transmitted_force", maximum=1.0)])
    end = {channel.name: channel.ends[1] for channel in one.bench.channels}
    check, names = watching(one)
    check.test(0, commanded(0.0), block(names))
    found = check.test(100, commanded(0.0), block(names, stroke=end["stroke"], transmitted_force=end["transmitted_force"]))
    words = {found_.text.split()[0]: found_.text for found_ in found if found_.kind == "limit"}
    assert "; it is at the end of its range" in words["transmitted_force"]
    assert "; it is at the end of its range" not in words["stroke"] and " mm/s exceeds rate 100 mm/s" in words["stroke"]


def test_a_channel_that_is_stuck_is_told_beside_limits_and_specimen() -> None:
    """The channels of this file have no noise: they are not looked at."""
    one = plan("plausibility.watched=false")
    end = {channel.name: channel.ends[1] for channel in one.bench.channels}
    check, names = watching(one)
    found = [each for n in range(0, 1000, 100) for each in check.test(n, commanded(0.0), block(names, stroke=end["stroke"]))]
    assert [(each.kind, each.action) for each in found] == [("overload", "indicate"), ("overload", "stop")]


@pytest.mark.parametrize("before", [True, False])
def test_channels_without_the_noise_of_their_sensors_are_dead_before_anything_moves(before: bool) -> None:
    one = plan()
    noise = {channel.name: channel.sensor.noise for channel in one.bench.channels if channel.sensor.noise}
    check, names = watching(one)
    live, _ = watching(one)
    random = np.random.default_rng(1)
    told: list[str] = []
    for n in range(0, 2000, 100):
        flat, alive = block(names), block(names)
        for name, rms in noise.items():
            alive[:, names.index(name)] += rms * random.standard_normal(len(alive))
        found = check.before(n, flat) if before else check.test(n, commanded(0.0), flat)
        told += [each.text for each in found if "is dead" in each.text and n < 1000]
        assert not (live.before(n, alive) if before else live.test(n, commanded(0.0), alive))
    assert len(told) == len(noise) and all(any(f"channel {name} " in text for text in told) for name in noise)


@pytest.mark.parametrize("mode", ["force", "stroke"])
def test_limits_act_on_net_and_gross_of_the_mode_that_is_commanded(mode: str) -> None:
    """The controller reads what a tare has taken off."""
    one = plan(limits=[Limit("command", maximum=10.0)])
    tared = tuple(
        replace(channel, sensor=replace(channel.sensor, tare={"transmitted_force": 4.0, "stroke": 1.0}.get(channel.name, 0.0)))
        for channel in one.bench.channels
    )
    one = replace(one, bench=replace(one.bench, channels=tared))
    one = replace(one, experiment=replace(one.experiment, command=replace(one.experiment.command, mode=mode)))
    check, names = watching(one)
    zero = 4.0 if mode == "force" else 1.0
    first, then = (check.test(n, commanded(value - zero), block(names)) for n, value in ((0, 10.0), (100, 10.5)))
    assert [one for one in first if one.kind == "limit"] == []
    (found,) = (one for one in then if one.kind == "limit")
    assert found.text.startswith("command (gross) 10.5 N exceeds maximum 10 N")
