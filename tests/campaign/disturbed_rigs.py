"""Runs of the motor rigs in lockstep with one signal disturbed, and how wrong that made the channel: against the signal as the plant gave
it, which the record has beside it."""

from __future__ import annotations

import functools
import shutil
import tempfile
import tomllib
from collections.abc import Callable
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import h5py
import numpy as np
from bench_run import ROOT, rig
from fault_size import Floats, lowpassed
from scipy.signal import butter, lfilter

from rig.config.disturbance import Disturbance
from rig.virtual.signal_chain.chain import Chain

TRUTH = "as_it_was"
RIGS = {
    "four_bar_rig": ("acceleration",),
    "slider_crank_rig": ("crank_torque", "slider_acceleration"),
    "slider_bar_rig": ("x", "torque", "lift_front"),
    "parallel_3rrpar_rig": ("ax", "ay", "az"),
    "six_bar_rig": ("torque", "acceleration"),
}
"""Judged channels of each; a seed's bench has one of them disturbed."""
WRONG, HARMLESS = 1.6, 0.06
"""Shares of the tolerance that the two levels are worth on the bench without a fault."""
LEVELS = {"wrong": WRONG, "harmless": HARMLESS}
LEAST, LARGEST, STEPS = 1e-6, 60.0, 20
"""Level in units of the signal's rms or of its peak from and up to which it is looked for, and halvings of the last step."""


@dataclass(frozen=True)
class Signal:
    """What a level is measured in: rms about the mean and largest value of the signal (V), sample rate and low-pass (Hz), length (s)."""

    rms: float
    peak: float
    rate: float
    lowpass: float
    lasts: float


Keys = Callable[[Signal, float], dict[str, Any]]
FAULTS: dict[str, Keys] = {
    "mains hum": lambda s, a: {"hum": a * s.rms, "hum_harmonics": [0.0, 0.3]},
    "coloured noise": lambda s, a: {"coloured_noise": a * s.rms},
    "aliased tone": lambda s, a: {"interference": a * s.rms, "interference_frequency": s.rate + 0.3141 * s.lowpass},
    "zero": lambda s, a: {"zero": a * s.rms},
    "drift of zero": lambda s, a: {"zero_drift": a * s.rms / s.lasts},
    "gain": lambda s, a: {"gain_error": a},
    "drift of gain": lambda s, a: {"gain_drift": a / s.lasts},
    "hysteresis": lambda s, a: {"hysteresis": a, "full_scale": s.peak},
    "nonlinearity": lambda s, a: {"nonlinearity": a, "full_scale": s.peak},
    "late conditioner": lambda s, a: {"delay": a / s.lowpass},
    "clock skew": lambda s, a: {"skew_ppm": 1e6 * a / (s.lowpass * s.lasts)},
    "saturation": lambda s, a: {"saturation": s.peak / (1.0 + a)},
}
"""Its keys at a level; a larger level is more wrong."""


@dataclass(frozen=True)
class Judged:
    """A channel, and how it is judged: tolerance by metric, low-pass and band (Hz), cycles that do not count."""

    channel: str
    tolerances: dict[str, float]
    lowpass: float
    band: tuple[float, float] | None
    discarded: int


@dataclass(frozen=True)
class Course:
    """What a run left: shown and true (N,) in the channel's unit, cycle (N,), the answer of `rig run`."""

    data: dict[str, Any]
    shown: Floats
    truth: Floats
    cycle: Floats


def judged(name: str, seed: int) -> Judged:
    """What of the rig is disturbed on the bench of that seed."""
    channel = RIGS[name][seed % len(RIGS[name])]
    comparison = tomllib.loads((ROOT / f"configs/experiments/{name}.toml").read_text())["comparison"]
    tolerances = {
        line["metric"]: float(line["tolerance"])
        for line in comparison["criteria"]
        if line["channel"] == channel and line["metric"] in ("nrms", "band_level")
    }
    band = (_hertz(comparison["band_low"]), _hertz(comparison["band_high"])) if "band_low" in comparison else None
    return Judged(channel, tolerances, _hertz(comparison["lowpass"]), band, int(comparison["discard_cycles"]))


def case(name: str, fault: str, share: float, seed: int) -> dict[str, Any]:
    """One run on the bench that `seed` draws, with the fault at the level that is worth `share` of the tolerance there.

    Shares of the tolerances by which the channel was wrong, verdict, and what was named; `level` None where no level is worth so much,
    and there was no run.
    """
    of, one, found = judged(name, seed), healthy(name, seed), _signal(name, seed)
    level = _level(name, fault, share, seed)
    if level is None:
        return {"level": None, "channel": of.channel}
    return {"level": level, **_found(run(name, seed, FAULTS[fault](found, level)), of), "healthy": one.data["verdict"]["result"]}


def nothing(name: str, seed: int) -> dict[str, Any]:
    """The same of a bench without a fault."""
    return _found(healthy(name, seed), judged(name, seed))


@functools.cache
def healthy(name: str, seed: int) -> Course:
    """The run of a bench without a fault; the same bits each time."""
    return run(name, seed, {})


def run(name: str, seed: int, keys: dict[str, Any], keep: Path | None = None) -> Course:
    """Once in lockstep; its folder is not kept."""
    of, experiment = judged(name, seed), ROOT / f"configs/experiments/{name}.toml"
    bench = (experiment.parent / tomllib.loads(experiment.read_text())["bench"]["file"]).resolve()
    with tempfile.TemporaryDirectory(prefix="rig-disturbed-") as out:
        file = Path(out) / "bench.toml"
        there = bench.read_text().replace('"../', f'"{bench.parent.parent}/')  # files that it names
        file.write_text(there + _wired(bench, of.channel) + "".join(f"{k} = {v!r}\n" for k, v in keys.items()))
        sets = ["--set", "bench.pace=lockstep", "--set", f"bench.seed={seed}"]
        code, data = rig("run", str(experiment), "--headless", "--no-picture", "--out", out, "--bench", str(file), *sets)
        assert data["outcome"] in ("done", "verdict_failed", "failed", "tripped"), (code, data.get("error"), data.get("problems"))
        if keep is not None:
            shutil.copytree(Path(data["files"]["record"]).parent, keep)
        with h5py.File(data["files"]["record"]) as record:
            shown, truth = (np.asarray(record[f"entry/measured/{c}"], np.float64) for c in (of.channel, TRUTH))
            cycle = np.asarray(record["entry/command/cycle"], np.float64)
        return Course(dict(data), shown, truth, cycle)


def sizes(truth: Floats, shown: Floats, cycle: Floats, rate: float, of: Judged) -> dict[str, float]:
    """Error of each criterion where the truth stands in for the prediction, by the definitions of docs/comparison.md; nothing of
    `rig.comparison` is used, which is what is on trial."""
    counted, found = cycle >= of.discarded, {}
    if "nrms" in of.tolerances:
        t, s = (lowpassed(x, of.lowpass, rate)[counted] for x in (truth, shown))
        found["nrms"] = float(np.sqrt(np.mean((t - s) ** 2) / np.mean(s**2)))
    if "band_level" in of.tolerances:
        assert of.band is not None
        b, a = butter(2, of.band, "bandpass", fs=rate)
        t, s = (lfilter(b, a, x - x[0])[counted] for x in (truth, shown))
        found["band_level"] = float(np.sqrt(np.mean(t**2) / np.mean(s**2)) - 1.0)
    return found


def worst(found: dict[str, Any]) -> float:
    """By how much of its tolerance the worst criterion was put wrong."""
    return max(float(share) for share in found["size"].values())


def _hertz(said: str) -> float:
    number, unit = said.split()
    assert unit == "Hz", said
    return float(number)


def _wired(bench: Path, channel: str) -> str:
    """The truth on a spare input, and the begin of the disturbance's table."""
    read = tomllib.loads(bench.read_text())
    own = next(one for one in read["channels"] if one["name"] == channel)
    signal = next(wire["signal"] for wire in read["wiring"] if wire["terminal"] == own["terminal"])
    return f"""
[[channels]]
name = "{TRUTH}"
unit = "{own["unit"]}"
terminal = "Dev1/ai8"
range = "{own["range"]}"
[channels.sensor]
sensitivity = "{own["sensor"]["sensitivity"]}"

[[wiring]]
terminal = "Dev1/ai8"
signal = "{signal}_undisturbed"

[[disturbances]]
signal = "{signal}"
"""


def _found(one: Course, of: Judged) -> dict[str, Any]:
    data = one.data
    tripped = data["outcome"] == "tripped"
    size = {} if tripped else sizes(one.truth, one.shown, one.cycle, data["rate_hz"], of)
    start = f"{of.channel}: what measured and predicted differ by"
    named = [text.partition(": ")[2] for text in data["warnings"] if text.startswith(start)]
    return {
        "channel": of.channel,
        "verdict": "tripped" if tripped else data["verdict"]["result"],
        "size": {metric: abs(error) / of.tolerances[metric] for metric, error in size.items()},
        "failed": [f"{line['channel']} {line['metric']}" for line in data["verdict"]["lines"] if not line["passed"]],
        "cause": named[0].partition(" as ")[2].partition(" (")[0] if named else "",
    }


def _signal(name: str, seed: int) -> Signal:
    one, of = healthy(name, seed), judged(name, seed)
    volts, rate = _volts(name, seed), float(one.data["rate_hz"])
    rms, peak = float(np.std(volts[one.cycle >= of.discarded])), float(np.max(np.abs(volts)))
    return Signal(rms, peak, rate, of.lowpass, len(volts) / rate)


def _volts(name: str, seed: int) -> Floats:
    return healthy(name, seed).truth / _sensitivity(name, seed)


def _sensitivity(name: str, seed: int) -> float:
    experiment = ROOT / f"configs/experiments/{name}.toml"
    bench = tomllib.loads((experiment.parent / tomllib.loads(experiment.read_text())["bench"]["file"]).read_text())
    own = next(one for one in bench["channels"] if one["name"] == judged(name, seed).channel)
    said = str(own["sensor"]["sensitivity"])
    number, _, unit = said.partition(" ")
    return float(number) * {"mm/V": 1e-3}.get(unit, 1.0)


def _largest(fault: str, signal: Signal) -> float:
    """The largest level whose keys are within their bounds."""
    most = {field.name: float(field.metadata.get("at_most", np.inf)) for field in fields(Disturbance)}
    growing = {key: value for key, value in FAULTS[fault](signal, 1.0).items() if value != FAULTS[fault](signal, 2.0)[key]}
    return min([LARGEST, *(most[key] / value for key, value in growing.items())])


@functools.cache
def _level(name: str, fault: str, share: float, seed: int) -> float | None:
    """By the chain on what the healthy bench gave."""
    one, of, signal = healthy(name, seed), judged(name, seed), _signal(name, seed)
    volts = _volts(name, seed)
    times = np.arange(1, len(volts) + 1) / signal.rate

    def size(level: float) -> float:
        keys = {key: tuple(value) if isinstance(value, list) else value for key, value in FAULTS[fault](signal, level).items()}
        chain = Chain(Disturbance("it", **keys), np.random.default_rng([seed, 1]), np.random.default_rng([seed, 2]))
        shown = chain.pass_on(times, volts, np.zeros((len(volts), 0))) * _sensitivity(name, seed)
        found = sizes(one.truth, shown, one.cycle, signal.rate, of)
        return max(abs(error) / of.tolerances[metric] for metric, error in found.items())

    most, high = _largest(fault, signal), LEAST
    while size(high) < share:  # from below: a signal that is late by a whole turn is itself again
        if high >= most:
            return None
        high = min(most, 2.0 * high)
    low = 0.5 * high
    for _ in range(STEPS):
        middle = float(np.sqrt(low * high))
        low, high = (low, middle) if size(middle) > share else (middle, high)
    return high
