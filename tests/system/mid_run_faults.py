"""Faults that come while the linkage is cycled: how each is made on the virtual bench, who finds it, and within what bound.

The bounds are those of the table in docs/limits.md.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench_run import LINKAGE, UNPREPARED, Answer, rig

BEGIN = 2.5
"""s of the bench's clock: in the fourth counted cycle of a test at 3 Hz, or the one after it."""
SEED = 0.31
"""s by which the moment moves from seed to seed, all through a cycle."""
PERIOD = 1.0 / 3.0
BLOCK = 0.010
PLANT = "bench.plant.faults"
TEST = ("bench.pace=lockstep", UNPREPARED, "trajectory.cycles=9")


@dataclass(frozen=True)
class MidRunFault:
    """`overrides`: of the bench; found: kinds of event, one of which ends the test; bound: s from the fault until the bench acts, and
    one block more."""

    overrides: tuple[str, ...]
    found: tuple[str, ...]
    bound: float


def _signal(signal: str, fault: str) -> tuple[str, ...]:
    return (f'bench.disturbances=[{{signal = "{signal}", fault = "{fault}", fault_begin = "BEGIN s"}}]',)


def _plant(fault: str) -> tuple[str, ...]:
    return (f"{PLANT}.{fault}", f"{PLANT}.begin=BEGIN s")


NOISE, CYCLES = 0.07, 2.0 * PERIOD
FAULTS = {
    "stroke frozen": MidRunFault(_signal("stroke_monitor", "frozen"), ("implausible",), NOISE),
    "stroke unplugged": MidRunFault(_signal("stroke_monitor", "open"), ("implausible", "limit"), NOISE),
    "accelerometer 1 dead": MidRunFault(_signal("accelerometer_1", "open"), ("implausible",), NOISE),
    "accelerometer 2 dead": MidRunFault(_signal("accelerometer_2", "open"), ("implausible",), NOISE),
    "accelerometer 3 dead": MidRunFault(_signal("accelerometer_3", "frozen"), ("implausible",), NOISE),
    "command monitor dead": MidRunFault(_signal("command_monitor", "open"), ("implausible",), CYCLES),
    "valve stuck": MidRunFault(_plant("valve_stuck=true"), ("implausible", "specimen"), CYCLES),
    "sign reversed": MidRunFault(_plant("sign=-1"), ("implausible", "specimen"), CYCLES),
    "supply lost": MidRunFault(_plant("supply=0.01"), ("implausible", "specimen"), CYCLES),
    "span of 3": MidRunFault(_plant("span=3"), ("implausible",), CYCLES),
    "load cell dead": MidRunFault(_plant("dead_cell=true"), ("implausible", "specimen"), 0.5 * PERIOD),
}


def cycled(out: Path, fault: MidRunFault | None, seed: int, moment: float = BEGIN) -> Answer:
    """A test of the linkage with a fault from `moment` on (s of the bench's clock), or with none."""
    given = () if fault is None else tuple(one.replace("BEGIN", f"{moment:.4f}") for one in fault.overrides)
    sets = [word for text in (*TEST, f"bench.seed={seed}", *given) for word in ("--set", text)]
    _, data = rig("run", str(LINKAGE), "--headless", "--no-picture", "--out", str(out), *sets, timeout=300.0)
    return data


def moment(seed: int) -> float:
    """When the fault comes, another moment of the cycle with each seed."""
    return BEGIN + (seed * SEED) % PERIOD


def assert_found_within_bound(data: dict[str, Any], fault: MidRunFault, at: float, begun: float = 0.0) -> float:
    """s from the fault to the block in which the bench acts; the test begins `begun` s after the bench's clock. Raises AssertionError."""
    assert data["outcome"] == "tripped", data
    ends = [event for event in data["events"] if event["kind"] in fault.found and "action: indicate" not in event["text"]]
    assert ends, data
    assert float(ends[0]["time_s"]) + begun - at >= -BLOCK, "told of samples before it"
    acted = next(event for event in data["events"] if event["kind"] == "state" and event["text"].startswith(("stopping: ", "tripped: ")))
    latency = float(acted["time_s"]) + begun - at
    # An act has the first sample of the block that it is decided in.
    assert -BLOCK <= latency <= fault.bound + BLOCK, (latency, fault.bound, ends[0])
    return latency
