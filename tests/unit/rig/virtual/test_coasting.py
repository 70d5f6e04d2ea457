"""A virtual bench whose program has gone: what turns goes on turning, and the log says which and how fast."""

from __future__ import annotations

import io
import json
import threading
from pathlib import Path

import pytest

from rig import config
from rig.virtual.virtual_bench import Hardware, VirtualBench

ROOT = Path(__file__).parents[4]
SPEED = 60.0  # rad/s
INERTIA = 0.0325  # kg m^2 at most: flywheel, rotor and crank of the slider-crank's rig, rod and slider as if all at the crank pin
FRICTION = 0.1  # N m, of its motor; its bearings take more
LOOKED_AT = 10.5  # s


def log_after_the_parent(experiment: str, turning: bool) -> list[dict[str, object]]:
    """The log of the bench of an experiment whose parent is gone from its start, its first axis turning without power or not."""
    bench = config.load(ROOT / f"configs/experiments/{experiment}.toml", ["bench.pace=lockstep"]).bench
    said, gone = io.StringIO(), threading.Event()
    one = VirtualBench(Hardware.from_bench(bench), 0, said)
    if turning:
        machine = one.injector.machine
        machine.state[len(machine.mechanics.motors)] = SPEED
    gone.set()
    one.run(threading.Event(), gone)
    return [json.loads(line) for line in said.getvalue().splitlines()]


def test_a_flywheel_still_turns_at_the_end_and_has_lost_what_friction_takes() -> None:
    """The balance of angular momentum with the motor's friction alone is the most that can be left."""
    (line,) = [line for line in log_after_the_parent("slider_crank_rig", turning=True) if "speed" in line]
    assert line["source"] == "crank"
    assert "still turns" in str(line["text"])
    assert 0.0 < float(str(line["speed"])) < SPEED - LOOKED_AT * FRICTION / INERTIA


@pytest.mark.parametrize("experiment", ["slider_crank_rig", "four_bar_rig"])
def test_nothing_is_said_of_axes_that_rest(experiment: str) -> None:
    log = log_after_the_parent(experiment, turning=False)
    assert not [line for line in log if "speed" in line]
    assert log[-1]["text"] == "ended"
    assert float(str(log[-1]["bench"])) >= 0.2, "the last swing of a specimen is still seen"
