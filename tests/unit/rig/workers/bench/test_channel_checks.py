"""Channels that cannot be believed: what is said, which instrument, what to do, and what the test does."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from drivers.instruments import force_gauge
from rig import config
from rig.checks.index_check import Corrected, IndexCheck
from rig.config.bench import Instrument
from rig.config.experiment import Limit
from rig.config.plan import Plan
from rig.workers.bench.block_checks import BlockChecks
from rig.workers.bench.channel_checks import ChannelChecks, _least, _told_correction
from rig.workers.bench.finding import Finding

CONFIGS = Path(__file__).parents[5] / "configs/experiments"
BLOCK, TURN = 100, 2.0 * math.pi
SPEED = 10.0 * math.pi  # rad/s
RATE = 5e3


def planned(name: str, *overrides: str) -> Plan:
    setup = config.load(CONFIGS / f"{name}.toml", list(overrides))
    return Plan("0001", Path(), Path(), setup.experiment, setup.bench, "", "")


def turning(plan: Plan, seconds: float = 2.0) -> tuple[np.ndarray, np.ndarray]:
    """(command (n, 3), measured (n, channels)) of a crank at speed from the start on: every channel as it should be."""
    t = np.arange(round(seconds * RATE)) / RATE
    angle = SPEED * t
    shown = {
        "rad": angle, "1": np.floor(angle / TURN), "rad/s": SPEED * (1.0 + 0.01 * np.sin(angle)), "m/s^2": 300.0 * np.sin(3 * angle),
        "N*m": 5.0 * np.sin(angle), "V": np.arange(len(t)) % 65536 * 20.0 / 65536 - 10.0,
    }  # fmt: skip
    return np.column_stack([angle, angle, np.floor(angle / TURN)]), np.column_stack([shown[c.unit] for c in plan.bench.channels])


def findings(check: ChannelChecks | BlockChecks, command: np.ndarray, measured: np.ndarray) -> list[Finding]:
    return [one for n in range(0, len(command), BLOCK) for one in check.test(n, command[n : n + BLOCK], measured[n : n + BLOCK])]


def spoilt(plan: Plan, name: str, value: float) -> list[Finding]:
    """Findings when channel `name` shows `value` and nothing else."""
    command, measured = turning(plan)
    measured[:, [c.name for c in plan.bench.channels].index(name)] = value
    return findings(ChannelChecks(plan, RATE), command, measured)


@pytest.mark.parametrize("name", ["four_bar_rig", "slider_crank_rig"])
def test_a_rig_with_all_its_channels_alive_is_left_alone(name: str) -> None:
    plan = planned(name)
    assert findings(ChannelChecks(plan, RATE), *turning(plan)) == []


CASES = {
    "accelerometer open": ("four_bar_rig", "acceleration", 1e9, "overload", "is stuck at the end of its range, 4903.32 m/s^2,"),
    "accelerometer shorted": ("four_bar_rig", "acceleration", 0.0, "dead_channel", "changes by 0 m/s^2 a cycle while the rig moves"),
    "tachometer shorted": ("four_bar_rig", "speed", 0.0, "dead_channel", "changes by 0 rad/s a cycle"),
    "encoder without pulses": ("four_bar_rig", "crank_angle", 4.2, "dead_channel", "its wires to Dev1/PFI8, Dev1/PFI10"),
    "pickup without pulses": ("four_bar_rig", "pickup", 0.0, "dead_channel", "pickup, its supply and its wires to Dev1/PFI3"),
    "bridge out of range": ("slider_crank_rig", "crank_torque", -1e9, "overload", "is stuck at the end of its range, -100 N*m,"),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_a_channel_that_cannot_be_believed_stops_the_test_and_is_named(case: str) -> None:
    name, channel, value, kind, words = CASES[case]
    plan = planned(name)
    found = [one for one in spoilt(plan, channel, value) if one.action == "stop"]
    assert found[0].kind == kind
    terminal = next(c.terminal for c in plan.bench.channels if c.name == channel)
    assert found[0].text.startswith(f"DAQ: channel {channel} on {terminal} ")
    assert words in found[0].text and "look at the" in found[0].text and "\n" not in found[0].text
    assert found[0].message.endswith("; action: stop")


def test_an_impact_beyond_the_range_is_told_once_and_stops_nothing() -> None:
    plan = planned("four_bar_rig")
    command, measured = turning(plan)
    column = [c.name for c in plan.bench.channels].index("acceleration")
    for at in (1000, 5000, 7000):
        measured[at : at + 5, column] = 1e5
    (one,) = findings(ChannelChecks(plan, RATE), command, measured)
    assert (one.sample, one.kind, one.action) == (1000, "overload", "indicate")
    assert "what was beyond is cut off; choose a larger range" in one.text


def test_before_the_test_a_stuck_channel_stops_it_as_well() -> None:
    plan = planned("four_bar_rig")
    measured = turning(plan)[1]
    measured[:, 0] = 1e9
    sensing = ChannelChecks(plan, RATE)
    found = [one for n in range(0, 1000, BLOCK) for one in sensing.before(n, measured[n : n + BLOCK])]
    assert [one.action for one in found] == ["indicate", "stop"]
    assert [one.action for one in findings(sensing, *turning(plan))] == []


def test_what_need_not_change_and_what_nothing_leans_on() -> None:
    assert spoilt(planned("four_bar_rig", "bench.channels.speed.steady=true"), "speed", 0.0) == []
    other = planned("four_bar_rig", "limits=[]")
    assert spoilt(other, "speed", 0.0) == []
    assert [one.action for one in spoilt(other, "speed", 1e9)] == ["indicate"]


def test_a_limit_that_is_passed_at_the_end_of_the_range_says_what_it_may_be() -> None:
    plan = planned("four_bar_rig")
    command, measured = turning(plan)
    units = {c.name: c.unit for c in plan.bench.channels} | {"command": "rad"}
    for value, more in ((45.0, False), (50.0, True)):
        measured[:, 1] = value
        check = BlockChecks(plan, [c.name for c in plan.bench.channels], units, RATE)
        limit = findings(check, command, measured)[0]
        assert limit.text.startswith(f"speed {value:g} rad/s exceeds maximum 40 rad/s at sample 0")
        assert ("at the end of its range: overloaded, or its circuit is open; look at the sensor" in limit.text) == more


def test_what_an_index_puts_right_is_told_and_the_test_goes_on() -> None:
    """The model follows this angle: 40 counts that were lost and found again are a knock that no specimen made."""
    plan = planned("four_bar_rig")
    command, measured = turning(plan)
    column = [c.name for c in plan.bench.channels].index("crank_angle")
    step = TURN / 4096
    counts = np.floor(measured[:, column] / step + 1e-9)
    since = np.searchsorted(measured[:, column], [4.5 * TURN, 5.0 * TURN])
    counts[since[0] : since[1]] -= 40
    measured[:, column] = counts * step
    (found,) = findings(ChannelChecks(plan, RATE), command, measured)
    assert (found.kind, found.action) == ("index_correction", "indicate")
    words = r"DAQ: channel crank_angle on Dev1/ctr0: its index has put the angle right by \+4[01] counts \(\+3\.\d+ deg\) at sample 5000,"
    assert re.match(words, found.text)
    assert found.text.endswith("look at its coupling, its supply and the shield of its wires to Dev1/PFI8, Dev1/PFI10")


def pulses(change: Callable[[np.ndarray], np.ndarray]) -> list[Finding]:
    """Findings of a pickup whose count has been changed, beside an encoder that is as it should be."""
    plan = planned("four_bar_rig")
    command, measured = turning(plan)
    column = [c.name for c in plan.bench.channels].index("pickup")
    measured[:, column] = change(measured[:, column])
    return [one for one in findings(ChannelChecks(plan, RATE), command, measured) if one.action == "indicate"]


def test_a_pickup_that_misses_a_pulse_is_told_by_the_encoder_beside_it() -> None:
    (found,) = pulses(lambda count: np.where(count >= 5.0, count - 1.0, count))
    assert (found.kind, found.action) == ("missing_pulse", "indicate")
    assert re.match(r"DAQ: channel pickup on Dev1/\S+: 1 of \d pulses missing by sample \d+, by the encoder beside it; look at", found.text)
    assert found.text.endswith("look at the pickup's gap and its wires to Dev1/PFI3")


@pytest.mark.parametrize(("more", "words"), [(1.0, "1 pulse too many"), (2.0, "2 pulses too many")])
def test_a_pickup_that_gives_too_many_is_told_what_to_set(more: float, words: str) -> None:
    found = pulses(lambda count: np.where(count >= 5.0, count + more, count))
    assert [one.kind for one in found] == ["extra_pulse"] * len(found) and found
    assert words in found[-1].text
    assert found[-1].text.endswith("threshold and the shield of its wires to Dev1/PFI3, or set counter.filter")


@pytest.mark.parametrize("pulses_a_turn", [1, 4, 60])
def test_pulses_of_a_gear_wheel_are_looked_for_at_each_of_its_teeth(pulses_a_turn: int) -> None:
    """A wheel that gives all its pulses is left alone; one that lacks its sixth is told when the next tooth has passed."""
    plan = planned("four_bar_rig", f"bench.channels.pickup.counter.pulses={pulses_a_turn}")
    command, measured = turning(plan)
    column = [c.name for c in plan.bench.channels].index("pickup")
    teeth = np.floor(command[:, 0] * pulses_a_turn / TURN + 1e-9)
    measured[:, column] = teeth
    assert findings(ChannelChecks(plan, RATE), command, measured) == []
    measured[:, column] = np.where(teeth >= 6.0, teeth - 1.0, teeth)
    (found,) = findings(ChannelChecks(plan, RATE), command, measured)
    assert re.search(r": 1 of 6 pulses missing by sample \d+, ", found.text)
    assert found.sample == math.ceil(7.0 / pulses_a_turn * TURN / SPEED * RATE - 1e-6)


def test_the_first_correction_by_an_index_and_those_after_it() -> None:
    plan = planned("four_bar_rig")
    channel = next(c for c in plan.bench.channels if c.name == "crank_angle")
    first, third = (_told_correction(Corrected(500, -3, n), channel, 500).text for n in (1, 3))
    assert ", for the first time: counts are lost" in first and "by -3 counts (-0.264 deg) at sample 500" in first
    assert ", 3 times so far: counts are lost" in third


@pytest.mark.parametrize("lines", [512, 1000])
def test_an_encoder_that_has_other_pulses_than_the_file_says_is_doubted(lines: int) -> None:
    """Its shaft turns evenly; each turn it shows 4 x `lines` counts, then the index puts it to a whole turn of the file's counts."""
    plan = planned("four_bar_rig")
    channel = next(c for c in plan.bench.channels if c.name == "crank_angle")
    counter = channel.counter
    assert counter is not None
    turn, shown = 2.0 * math.pi / counter.resolution, 4.0 * lines
    turns = np.arange(4000) / 997.3
    counts = turn * np.round(np.floor(turns) * shown / turn) + (turns % 1.0) * shown
    angle = np.array(counter.index) + np.floor(counts) * counter.resolution
    found = IndexCheck(counter.index, counter.resolution).check(0, angle)
    assert found
    said = _told_correction(found[-1], channel, found[-1].sample).text
    came = int(re.search(r"came (\d+) counts", said)[1])  # type: ignore[index]
    assert came == pytest.approx(shown % turn, abs=8.0) and said.endswith(f"is counter.pulses = {counter.pulses} that of the encoder?")


@pytest.mark.parametrize(("low", "high"), [(-50.0, 50.0), (0.0, 100.0)])
def test_the_end_of_a_range_is_a_thousandth_of_it(low: float, high: float) -> None:
    plan = planned("four_bar_rig")
    channel = next(c for c in plan.bench.channels if c.name == "speed")
    sensing = ChannelChecks(plan, RATE)
    sensing._channels = (SimpleNamespace(name="speed", ends=(low, high), kind=channel.kind, counter=None, terminal="Dev1/ai0"),)  # type: ignore[assignment]
    inside, outside = (low + 0.101, high - 0.101), (low + 0.099, high - 0.099, low + 0.1, high - 0.1, low - 1.0, high + 1.0)
    assert [sensing.at_its_end("speed", value) for value in inside] == ["", ""]
    assert all("it is at the end of its range" in sensing.at_its_end("speed", value) for value in outside)
    assert sensing.at_its_end("no such channel", high) == ""


def test_how_much_a_channel_changes_that_lives() -> None:
    """Twenty steps of 16 bits of an analogue one, half a pulse, more than a dead phase of an encoder leaves of one count."""
    plan = planned("four_bar_rig")
    least = {channel.name: _least(channel) for channel in plan.bench.channels if channel.name != "sample_code"}
    assert least["pickup"] == 0.5
    assert least["crank_angle"] == pytest.approx(2.5 * TURN / 4096)
    ends = {channel.name: channel.ends for channel in plan.bench.channels}
    assert least["acceleration"] == pytest.approx(3e-4 * 2.0 * ends["acceleration"][1])
    for changes, stops in ((0.9, True), (1.1, False)):
        command, measured = turning(plan)
        column = [c.name for c in plan.bench.channels].index("acceleration")
        measured[:, column] = changes * least["acceleration"] * (np.arange(len(measured)) % 2)
        assert ([one.kind for one in findings(ChannelChecks(plan, RATE), command, measured)] == ["dead_channel"]) == stops


def test_a_limit_looks_at_each_reading_of_an_instrument() -> None:
    """By the sample that it belongs to; rows of other instruments are none of its."""
    plan = planned("four_bar_rig")
    two = tuple(Instrument(name, force_gauge.Config("COM99")) for name in ("gauge", "other"))
    limits = (Limit("gauge", maximum=2.0, action="stop"), Limit("other", minimum=-1.0, rate=100.0))
    experiment = replace(plan.experiment, limits=(*plan.experiment.limits, *limits))
    plan = replace(plan, bench=replace(plan.bench, instruments=two), experiment=experiment)
    units = {channel.name: channel.unit for channel in plan.bench.channels}
    check = BlockChecks(plan, list(units), units, RATE)
    nan = math.nan
    assert check.instruments(np.empty((0, 3))) == []
    assert check.instruments(np.array([[100.4, 1.0, nan], [150.0, nan, 5.0], [200.0, 1.9, nan]])) == []
    found = check.instruments(np.array([[300.7, 2.5, nan], [350.0, nan, -2.0]]))
    assert [(one.sample, one.kind, one.action) for one in found] == [(300, "limit", "stop"), (350, "limit", "interlock")]
    assert found[0].text == "gauge 2.5 N exceeds maximum 2 N at sample 300"
    assert found[1].text.startswith("other -2 N falls below minimum -1 N")
    (fast,) = check.instruments(np.array([[400.0, nan, 15.0]]))
    assert fast.text == "other 1.7 kN/s exceeds rate 0.1 kN/s at sample 400"
    late = 400.0 + 2.0 * RATE
    assert check.instruments(np.array([[late, nan, 150.0]])) == [], "67 N/s: readings between were lost, which is no speed"
    assert findings(check, *turning(plan)) == [], "samples are looked at as before"
