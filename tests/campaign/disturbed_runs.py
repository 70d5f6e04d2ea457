"""Runs of the loaded linkage in lockstep with one disturbance, and what is kept of each: how wrong the channel was, what was said, and what
it was said from, so that another look for the cause needs no other run."""

from __future__ import annotations

import functools
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import h5py
import numpy as np
from bench_run import LINKAGE, ROOT, UNPREPARED, rig
from fault_size import Floats, lowpassed, shares, sizes

from rig.comparison import Settings
from rig.comparison.evidence import Evidence
from rig.recorder.reading import read_run
from rig.report.causes import shown_by
from rig.report.signals import signals
from rig.report.summary import plan_of

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


HARMLESS = 0.06
"""Share of the tolerance for which the lower level of a fault stands."""
BETWEEN = (0.5, 0.8, 1.2)


@dataclass(frozen=True)
class Fault:
    """Keys with one number left open, that number at a level beyond the tolerance of a criterion and at one below a tenth of it, and the
    share of the tolerance that the upper one is worth."""

    keys: str
    wrong: float
    harmless: float
    share: float = 1.6

    def at(self, share: float) -> str:
        """Its keys where the worst criterion would have that share of its tolerance, were errors in proportion to the fault."""
        part = (share - HARMLESS) / (self.share - HARMLESS)
        return self.keys.replace("{}", f"{self.harmless + part * (self.wrong - self.harmless):.12g}")


SIGNAL_FAULTS = {
    "mains hum": Fault('hum = "{} mV"\nhum_harmonics = [0.0, 0.3]', 6, 0.25),
    "coloured noise": Fault('coloured_noise = "{} mV"', 5, 0.1),
    "aliased tone": Fault('interference = "{} mV"\ninterference_frequency = "51.4 kHz"', 7, 0.3),
    "zero": Fault('zero = "{} mV"', 6.9, 0.25),
    "drift of zero": Fault('zero_drift = "{} mV/s"', 3.4, 0.13),
    "gain": Fault("gain_error = {}", 0.0163, 0.0006),
    "drift of gain": Fault('gain_drift = "{} 1/s"', 0.0074, 0.0003),
    "hysteresis": Fault('hysteresis = {}\nfull_scale = "0.5 V"', 0.0444, 0.0017),
    "nonlinearity": Fault('nonlinearity = {}\nfull_scale = "0.5 V"', 0.0135, 0.0005),
    "cross-talk": Fault('crosstalk = [{of = "stroke_monitor", share = {}}]', 0.055, 0.002),
    "late conditioner": Fault('delay = "{} ms"', 1.19, 0.044),
    "clock skew": Fault("skew_ppm = {}", 607, 23),
    "saturation": Fault('saturation = "{} V"', 0.4082, 0.4155),
}
"""Found by passing a healthy record of bench 101 through the chain until the worst criterion had 1.6 and 0.06 of its tolerance; a wave that
comes with another phase or noise each time has a little more or less. What a run really had is measured in it."""

H, S, F = (f"bench.plant.{table}." for table in ("hydraulics", "specimen", "faults"))
MACHINE_FAULTS = {
    "dry seals": Fault(f"{H}seal_friction={{}} kN", 4, 0.13, 2.6),
    "valve deadband": Fault(f"{H}valve_deadband={{}}", 0.01, 0.0002, 3.4),
    "valve hysteresis": Fault(f"{H}valve_hysteresis={{}}", 0.02, 0.0004, 4.4),
    "pump ripple": Fault(f"{H}pump_ripple={{}}", 0.3, 0.01, 2.1),
    "warm oil": Fault(f"{H}oil_warmer={{}} K", 40, 1, 3.1),
    "misalignment": Fault(f"{S}misalignment={{}} mm", 40, 4, 2.5),
    "second mode": Fault(f"{S}second_mode_mass={{}} kg", 60, 0.6, 66),
    "loosening grip": Fault(f"{F}loosening={{}} mm/s", 0.08, 0.0012, 4.2),
    "wear": Fault(f"{F}wear={{}} mm/J", 0.06, 0.001, 2.9),
}
"""Keys of the plant, found by trial on bench 1, and measured on bench 101. The channel is right with all of them: how wrong it is means
here how far it is from what the twin without the fault does."""
FAULTS = {**SIGNAL_FAULTS, **MACHINE_FAULTS}


@dataclass(frozen=True)
class Course:
    """What a run left: command's value, cycle and phase, and the channel and its truth behind the comparison's low-pass, (N,) each."""

    data: dict[str, Any]
    command: tuple[Floats, Floats, Floats]
    shown: Floats
    truth: Floats


def case(name: str, share: float, seed: int, keep: Path | None = None) -> dict[str, Any]:
    """One run on the bench that `seed` draws, of the fault `name` at the level that is worth `share` of the tolerance.

    Shares of the tolerances by which the channel was wrong (of a fault of the machine: how much it did otherwise than its twin, of the same
    seed, without that fault), verdict, and what was named. keep: folder for what the cause was looked for in.
    """
    to = None if keep is None else keep / f"{name}, {share:g}, {seed}.npz"
    if name in SIGNAL_FAULTS:
        one = run(seed, SIGNAL_FAULTS[name].at(share), keep=to)
        return _found(one, one.truth)
    return _found(run(seed, "", MACHINE_FAULTS[name].at(share), keep=to), healthy(seed, keep).truth)


def nothing(seed: int, keep: Path | None = None) -> dict[str, Any]:
    """The same of a bench without a fault."""
    return _found(healthy(seed, keep), healthy(seed, keep).truth)


@functools.cache
def healthy(seed: int, keep: Path | None) -> Course:
    """The run of a bench without a fault; the same bits each time."""
    return run(seed, "", keep=None if keep is None else keep / f"nothing, 0, {seed}.npz")


def run(seed: int, keys: str, *overrides: str, keep: Path | None = None) -> Course:
    """Once in lockstep; its folder is not kept. keys: of the disturbance; keep: file for what it shows of a fault."""
    with tempfile.TemporaryDirectory(prefix="rig-disturbed-") as out:
        bench = Path(out) / "bench.toml"
        bench.write_text(BENCH.read_text() + TRUTH_WIRED + keys + "\n")
        words = ["bench.pace=lockstep", UNPREPARED, f"bench.seed={seed}", f"trajectory.cycles={CYCLES}", *overrides]
        sets = [part for word in words for part in ("--set", word)]
        code, data = rig("run", str(LINKAGE), "--headless", "--no-picture", "--out", out, "--bench", str(bench), *sets)
        assert data["outcome"] in ("done", "verdict_failed", "failed"), (code, data.get("error"), data.get("problems"))
        with h5py.File(data["files"]["record"]) as file:
            shown, truth = (lowpassed(file[f"entry/measured/{name}"][...], 1e3, data["rate_hz"]) for name in (CHANNEL, TRUTH))
            value, cycle, phase = (file[f"entry/command/{name}"][...] for name in ("value", "cycle", "phase"))
        if keep is not None:
            _keep(keep, Path(data["files"]["record"]).parent)
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
        "cause": named[0].partition(" as ")[2].partition(" (")[0] if named else "",
        "delay_samples": data["agreement"][CHANNEL]["delay_samples"],
    }


def _keep(path: Path, run_dir: Path) -> None:
    """What the program looks for a cause in, whatever the verdict was."""
    plan = plan_of(run_dir, ())
    shown = shown_by(signals(read_run(run_dir / "run.h5"), plan), Settings(plan.experiment.comparison.lowpass, DISCARDED))
    assert shown is not None
    path.parent.mkdir(parents=True, exist_ok=True)
    one = {name: getattr(shown, name) for name in ("rate", "begin", "command", "cycle", "first")}
    each = {f"{of}/{name}": x.astype(np.float32) for of in ("measured", "predicted") for name, x in getattr(shown, of).items()}
    np.savez_compressed(path, **one, **each)


def kept(path: Path) -> Evidence:
    """What was kept of a run."""
    with np.load(path) as file:
        parts = {name: np.asarray(file[name], dtype=np.float64) for name in file.files}
    one = {name: float(parts[name]) for name in ("rate", "begin", "first")}
    each = {of: {name.partition("/")[2]: x for name, x in parts.items() if name.startswith(f"{of}/")} for of in ("measured", "predicted")}
    return Evidence(**one, command=parts["command"], cycle=parts["cycle"], **each)


def worst(found: dict[str, Any]) -> float:
    """By how much of its tolerance the worst criterion was put wrong."""
    return max(float(share) for share in found["size"].values())
