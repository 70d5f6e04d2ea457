"""Lockstep runs that lay measured and predicted over each other: the points, controls and waveforms, and what is kept of each run."""

from __future__ import annotations

import tempfile
from typing import Any

from bench_run import HEADLESS, LINKAGE, UNPREPARED, rig

CHANNEL = "transmitted_force"
POINTS = {"10 kN 3 Hz": ("10 kN", "3 Hz"), "30 kN 7 Hz": ("30 kN", "7 Hz"), "20 kN 4 Hz": ("20 kN", "4 Hz")}

WRONG_CLEARANCES = {"0 mm": "mechanism.clearance=0 mm", "0.2 mm": "mechanism.clearance=0.2 mm"}
SEEING_CLEARANCE = ("first_impact", "impact_peak", "nrms")
"""Criteria that a predictor with a wrong clearance fails, all of them; the largest value is blind to it."""

NO_CLEARANCE = ("mechanism.clearance=0 mm", "bench.plant.clearance=0 mm", "comparison.criteria.nrms.tolerance=0.006")
"""Neither model nor specimen has play, and the NRMS criterion is as narrow as that allows."""

OTHER_LAWS = (
    "hunt_crossley", "herbert_mcwhannell", "lee_wang", "lankarani_nikravesh", "gonthier", "zhiying_qishao", "flores", "exact"
)  # fmt: skip
"""All that give the model the restitution of the experiment, more or less, by other means than the default law."""
ELASTIC_LAW = "hertz"
"""Knows no restitution, so it may be found out; agreement does not validate it either."""

LATE = 37  # samples
WAVEFORMS = {
    "sine": "trajectory.cycles=8",
    "sweep": 'trajectory={kind="sweep", amplitude="10 kN", first_frequency="2 Hz", last_frequency="7 Hz", duration="3 s"}',
    "program": (
        'trajectory={kind="program", segments=['
        '{kind="sine", amplitude="10 kN", frequency="3 Hz", cycles=4, soft_start="0.3 s", soft_stop="0.3 s"}, '
        '{kind="ramp", end="5 kN", duration="0.3 s", shape="smooth"}, '
        '{kind="hold", value="5 kN", duration="0.2 s"}, '
        '{kind="ramp", start="5 kN", end="0 kN", duration="0.3 s", shape="smooth"}, '
        '{kind="sine", amplitude="8 kN", frequency="5 Hz", cycles=5, soft_start="0.3 s", soft_stop="0.3 s"}]}'
    ),
}


def at_point(point: str, cycles: int) -> tuple[str, ...]:
    """Overrides for one of POINTS."""
    amplitude, frequency = POINTS[point]
    return f"trajectory.amplitude={amplitude}", f"trajectory.frequency={frequency}", f"trajectory.cycles={cycles}"


def law(name: str) -> str:
    """A model with another contact law, at the restitution of the experiment."""
    return f"mechanism.contact.law={name}"


def late(figures: dict[str, Any]) -> str:
    """LATE samples, at the rate that the device of that run really had, between the load cell and what is measured of it."""
    return f"bench.plant.force_delay={LATE / figures['rate_hz']!r}"


def lockstep(seed: int, *overrides: str) -> dict[str, Any]:
    """Run once in lockstep on the bench that `seed` draws and return the figures; the run's folder is not kept.

    Fails when the run does not come to its end, or a sample is missing.
    """
    words = ["bench.pace=lockstep", UNPREPARED, f"bench.seed={seed}", *overrides]
    with tempfile.TemporaryDirectory(prefix="rig-agreement-") as out:
        code, data = rig("run", str(LINKAGE), *HEADLESS, "--out", out, *(part for word in words for part in ("--set", word)))
    assert data["outcome"] in ("done", "verdict_failed"), (code, data.get("error"), data.get("reason"), data.get("problems"))
    assert (code == 1) == (data["outcome"] == "verdict_failed") == (data["verdict"]["result"] == "fail"), data["verdict"]
    assert not any(stream["lost_samples"] for stream in data["streams"].values()), data["streams"]
    return figures(data)


def figures(data: dict[str, Any]) -> dict[str, Any]:
    """What a run says about agreement: verdict, error and passed by criterion, delay."""
    force, lines = data["agreement"][CHANNEL], data["verdict"]["lines"]
    return {
        "verdict": data["verdict"]["result"],
        "reason": data["verdict"]["reason"],
        "errors": {line["metric"]: line["error"] for line in lines},
        "tolerances": {line["metric"]: line["tolerance"] for line in lines},
        "passed": {line["metric"]: line["passed"] for line in lines},
        "delay_samples": force["delay_samples"],
        "delay_sigma": force["delay_sigma"],
        "rate_hz": data["rate_hz"],
        "half_cycles": force["half_cycles"],
    }


def sees_clearance(figures: dict[str, Any]) -> bool:
    """Whether the run failed on all the criteria that a wrong clearance must fail on."""
    return figures["verdict"] == "fail" and not any(figures["passed"][metric] for metric in SEEING_CLEARANCE)
