"""Runs of the loaded linkage in lockstep with one disturbance, and what is kept of each: how wrong the channel was, and what was said."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import h5py
from bench_run import LINKAGE, ROOT, UNPREPARED, rig
from fault_size import lowpassed, shares, sizes

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
        'interference = "12 mV"\ninterference_frequency = "51.4 kHz"', 'interference = "0.8 mV"\ninterference_frequency = "51.4 kHz"'
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


def disturbed(keys: str, seed: int, *overrides: str) -> dict[str, Any]:
    """Run once on the bench that `seed` draws: shares of the tolerances by which the channel was wrong, verdict, and what was named."""
    with tempfile.TemporaryDirectory(prefix="rig-disturbed-") as out:
        bench = Path(out) / "bench.toml"
        bench.write_text(BENCH.read_text() + TRUTH_WIRED + keys + "\n")
        words = ["bench.pace=lockstep", UNPREPARED, f"bench.seed={seed}", f"trajectory.cycles={CYCLES}", *overrides]
        sets = [part for word in words for part in ("--set", word)]
        code, data = rig("run", str(LINKAGE), "--headless", "--out", out, "--bench", str(bench), *sets)
        assert data["outcome"] in ("done", "verdict_failed", "failed"), (code, data.get("error"), data.get("problems"))
        return _found(data)


def _found(data: dict[str, Any]) -> dict[str, Any]:
    lines, rate = data["verdict"]["lines"], data["rate_hz"]
    with h5py.File(data["files"]["record"]) as file:
        truth, shown = (lowpassed(file[f"entry/measured/{name}"][...], 1e3, rate) for name in (TRUTH, CHANNEL))
        command, cycle, phase = (file[f"entry/command/{name}"][...] for name in ("value", "cycle", "phase"))
    found = sizes(truth, shown, command, cycle, phase, rate, FREQUENCY, DISCARDED)
    return {
        "outcome": data["outcome"],
        "reason": data["reason"],
        "verdict": data["verdict"]["result"],
        "size": shares(found, lines),
        "failed": [line["metric"] for line in lines if not line["passed"]],
        "errors": {line["metric"]: line["error"] for line in lines},
        "said": [text for text in data["warnings"] if CHANNEL in text.split(":")[0]],
        "delay_samples": data["agreement"][CHANNEL]["delay_samples"],
    }


def worst(found: dict[str, Any]) -> float:
    """By how much of its tolerance the worst criterion was put wrong."""
    return max(float(share) for share in found["size"].values())
