"""Sensors of a motor rig that fail, from the plant to what the bench worker says: channel, terminal, remedy; then it is at rest."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.unit.rig.workers.bench.bench_worker import rig

FOUR_BAR, SLIDER_CRANK, SLIDER_BAR = "four_bar_rig", "slider_crank_rig", "slider_bar_rig"
OPEN = "exceeds maximum .* at the end of its range: overloaded, or its circuit is open; .*"
FAULTS = {
    "accelerometer open": (FOUR_BAR, "accelerometer.fault=open", "acceleration on Dev1/ai0 is stuck at the end of its range"),
    "accelerometer shorted": (FOUR_BAR, "accelerometer.fault=shorted", "acceleration on Dev1/ai0 shows nothing"),
    "tachometer open": (FOUR_BAR, "tachometer.fault=open", rf"speed [\d.]+ rad/s {OPEN}Dev1/ai1"),
    "tachometer shorted": (FOUR_BAR, "tachometer.fault=shorted", "channel speed on Dev1/ai1 is dead: its noise is 0 rad/s rms"),
    "torque sensor open": (SLIDER_CRANK, "torque_sensor.fault=open", f"crank_torque .* {OPEN}Dev1/ai0"),
    "torque sensor out of range": (SLIDER_CRANK, "torque_sensor.fault=out_of_range", f"crank_torque .* {OPEN}Dev1/ai0"),
    "torque sensor shorted": (
        SLIDER_CRANK,
        "torque_sensor.fault=shorted",
        "channel crank_torque on Dev1/ai0 is dead: its noise is 0",
    ),
    "displacement sensor open": (SLIDER_BAR, "displacement_sensor.fault=open", rf"x [\d.]+ mm {OPEN}Dev1/ai0"),
    "encoder beside a pickup": (FOUR_BAR, "encoder.silent=true", "crank_angle on Dev1/ctr0 shows nothing: .*Dev1/PFI8, Dev1/PFI10"),
    "pickup": (FOUR_BAR, "pickup.silent=true", "pickup on Dev1/ctr1 shows nothing: .*Dev1/PFI3"),
    "encoder without a pickup": (SLIDER_BAR, "encoder.silent=true", "bar_angle on Dev1/ctr0 shows nothing: .*Dev1/PFI8, Dev1/PFI10"),
}
KINDS = ("limit", "overload", "dead_channel", "implausible")


@pytest.mark.parametrize("fault", FAULTS)
def test_a_sensor_that_fails_ends_the_test(tmp_path: Path, fault: str) -> None:
    name, override, words = FAULTS[fault]
    quick = ("trajectory.cycles=2", "trajectory.speed=1.4 rad/s", "command.rate_limit=1.5 rad/s") if name == "slider_bar_rig" else ()
    with rig(name, tmp_path, f"bench.plant.{override}", *quick) as bench:
        bench.ends("tripped", words)
        assert any(re.search(words, event["text"]) for event in bench.heard.events if event["kind"] in KINDS)
        assert not any(bench.lines("")), "no drive has power"


def test_an_overloaded_accelerometer_is_told_and_the_test_goes_on(tmp_path: Path) -> None:
    """Impacts beyond its range: what is cut off is said, and the record has it."""
    with rig("four_bar_rig", tmp_path, "bench.channels.acceleration.range=0.02 V") as bench:
        figures = bench.run()
        told = bench.heard.of("overload")
        assert figures["outcome"] in ("done", "tripped")
        assert told and told[0].startswith("DAQ: channel acceleration on Dev1/ai0 reached the end of its range, ")
        assert told[0].endswith("action: indicate")


def test_missing_pulses_of_a_pickup_are_told_and_the_test_goes_on(tmp_path: Path) -> None:
    with rig("four_bar_rig", tmp_path, "bench.plant.pickup.missing=3", "trajectory.cycles=4") as bench:
        assert bench.run()["outcome"] == "done"
        told = bench.heard.of("missing_pulse")
        assert re.match(r"DAQ: channel pickup on Dev1/ctr1: 1 of \d pulses missing by sample \d+, by the encoder beside it", told[0])


def test_pulses_too_many_of_a_pickup_are_told_and_the_test_goes_on(tmp_path: Path) -> None:
    with rig("four_bar_rig", tmp_path, "bench.plant.pickup.doubled=3", "trajectory.cycles=4") as bench:
        assert bench.run()["outcome"] == "done"
        told = bench.heard.of("extra_pulse")
        assert re.match(r"DAQ: channel pickup on Dev1/ctr1: 1 pulse too many, \d expected, by sample \d+, by the encoder", told[0])
        assert told[0].endswith("Dev1/PFI3, or set counter.filter; action: indicate")
        assert not bench.heard.of("missing_pulse")
