"""Runs of the loaded linkage in lockstep with one disturbance, and what is kept of each: how wrong the channel was, and what was said."""

from __future__ import annotations

import functools
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import h5py
from bench_run import LINKAGE, ROOT, UNPREPARED, rig
from fault_size import Floats, lowpassed, shares, sizes

CHANNEL, TRUTH, FREQUENCY, CYCLES, DISCARDED = "transmitted_force", "true_force", 3.0, 4, 2
BENCH = ROOT / "configs/benches/virtual_loader.toml"
TRUTH_WIRED = """
[[channels]]
name = "true_force"
unit = "N"
terminal = "Dev1/ai8"
range = "5 V"
[channels.sensor]
sensitivity = "25 kN/V"

[[wiring]]
terminal = "Dev1/ai8"
signal = "force_monitor_undisturbed"

[[disturbances]]
signal = "force_monitor"
"""


@dataclass(frozen=True)
class Fault:
    """Keys of `[[disturbances]]`, at a level beyond the tolerance of a criterion and at one below a tenth of it."""

    wrong: str
    harmless: str


SIGNAL_FAULTS = {
    "nothing": Fault("", ""),
    "mains hum": Fault('hum = "12 mV"\nhum_harmonics = [0.0, 0.3]', 'hum = "0.5 mV"\nhum_harmonics = [0.0, 0.3]'),
    "coloured noise": Fault('coloured_noise = "12 mV"', 'coloured_noise = "0.3 mV"'),
    "aliased tone": Fault(
        'interference = "12 mV"\ninterference_frequency = "51.4 kHz"', 'interference = "0.5 mV"\ninterference_frequency = "51.4 kHz"'
    ),
    "zero": Fault('zero = "11 mV"', 'zero = "0.6 mV"'),
    "drift of zero": Fault('zero_drift = "5.2 mV/s"', 'zero_drift = "0.3 mV/s"'),
    "gain": Fault("gain_error = 0.017", "gain_error = 0.0006"),
    "drift of gain": Fault('gain_drift = "0.0085 1/s"', 'gain_drift = "0.0003 1/s"'),
    "hysteresis": Fault('hysteresis = 0.056\nfull_scale = "0.5 V"', 'hysteresis = 0.002\nfull_scale = "0.5 V"'),
    "nonlinearity": Fault('nonlinearity = 0.0135\nfull_scale = "0.5 V"', 'nonlinearity = 0.0005\nfull_scale = "0.5 V"'),
    "cross-talk": Fault('crosstalk = [{of = "stroke_monitor", share = 0.055}]', 'crosstalk = [{of = "stroke_monitor", share = 0.002}]'),
    "late conditioner": Fault('delay = "1.5 ms"', 'delay = "0.055 ms"'),
    "clock skew": Fault("skew_ppm = 770", "skew_ppm = 28"),
    "saturation": Fault('saturation = "0.405 V"', 'saturation = "0.4155 V"'),
}
"""Found by passing a healthy record through the chain until the worst criterion had 1.6 and 0.06 of its tolerance; a wave that comes with
another phase or noise each time a little more. What a run really had is measured in it."""


@dataclass(frozen=True)
class Course:
    """What a run left: command's value, cycle and phase, and the channel and its truth behind the comparison's low-pass, (N,) each."""

    data: dict[str, Any]
    command: tuple[Floats, Floats, Floats]
    shown: Floats
    truth: Floats


H, S, F = (f"bench.plant.{table}." for table in ("hydraulics", "specimen", "faults"))
MACHINE_FAULTS = {
    "dry seals": Fault(f"{H}seal_friction=4 kN", f"{H}seal_friction=0.2 kN"),
    "valve deadband": Fault(f"{H}valve_deadband=0.01", f"{H}valve_deadband=0.0003"),
    "valve hysteresis": Fault(f"{H}valve_hysteresis=0.02", f"{H}valve_hysteresis=0.0006"),
    "pump ripple": Fault(f"{H}pump_ripple=0.3", f"{H}pump_ripple=0.01"),
    "warm oil": Fault(f"{H}oil_warmer=40 K", f"{H}oil_warmer=1 K"),
    "misalignment": Fault(f"{S}misalignment=40 mm", f"{S}misalignment=5 mm"),
    "second mode": Fault(f"{S}second_mode_mass=60 kg", f"{S}second_mode_mass=1 kg"),
    "loosening grip": Fault(f"{F}loosening=0.08 mm/s", f"{F}loosening=0.002 mm/s"),
    "wear": Fault(f"{F}wear=0.06 mm/J", f"{F}wear=0.001 mm/J"),
}
"""Keys of the plant, found by trial on the bench of seed 1. The channel is right with all of them: how wrong it is means here how
far it is from what the twin without the fault does."""


def disturbed(keys: str, seed: int) -> dict[str, Any]:
    """Run once on the bench that `seed` draws: shares of the tolerances by which the channel was wrong, verdict, and what was named."""
    one = run(seed, keys)
    return _found(one, one.truth)


def otherwise(override: str, seed: int) -> dict[str, Any]:
    """The same of a frame or specimen with a fault: how much it did otherwise than its twin, of the same seed, without that fault."""
    return _found(run(seed, "", override), healthy(seed).truth)


@functools.cache
def healthy(seed: int) -> Course:
    """The run of a bench without a fault."""
    return run(seed, "")


def run(seed: int, keys: str, *overrides: str) -> Course:
    """Once in lockstep; its folder is not kept."""
    with tempfile.TemporaryDirectory(prefix="rig-disturbed-") as out:
        bench = Path(out) / "bench.toml"
        bench.write_text(BENCH.read_text() + TRUTH_WIRED + keys + "\n")
        words = ["bench.pace=lockstep", UNPREPARED, f"bench.seed={seed}", f"trajectory.cycles={CYCLES}", *overrides]
        sets = [part for word in words for part in ("--set", word)]
        code, data = rig("run", str(LINKAGE), "--headless", "--out", out, "--bench", str(bench), *sets)
        assert data["outcome"] in ("done", "verdict_failed", "failed"), (code, data.get("error"), data.get("problems"))
        with h5py.File(data["files"]["record"]) as file:
            shown, truth = (lowpassed(file[f"entry/measured/{name}"][...], 1e3, data["rate_hz"]) for name in (CHANNEL, TRUTH))
            value, cycle, phase = (file[f"entry/command/{name}"][...] for name in ("value", "cycle", "phase"))
        return Course(data, (value, cycle, phase), shown, truth)


def _found(one: Course, truth: Floats) -> dict[str, Any]:
    data, (value, cycle, phase) = one.data, one.command
    lines = data["verdict"]["lines"]
    found = sizes(truth, one.shown, value, cycle, phase, data["rate_hz"], FREQUENCY, DISCARDED)
    named = [text.partition(": ")[2] for text in data["warnings"] if text.startswith(f"{CHANNEL}: what measured and predicted differ by")]
    return {
        "outcome": data["outcome"],
        "reason": data["reason"],
        "verdict": data["verdict"]["result"],
        "size": shares(found, lines),
        "failed": [line["metric"] for line in lines if not line["passed"]],
        "errors": {line["metric"]: line["error"] for line in lines},
        "cause": named[0].rpartition(" as ")[2] if named else "",
        "delay_samples": data["agreement"][CHANNEL]["delay_samples"],
    }


def worst(found: dict[str, Any]) -> float:
    """By how much of its tolerance the worst criterion was put wrong."""
    return max(float(share) for share in found["size"].values())
