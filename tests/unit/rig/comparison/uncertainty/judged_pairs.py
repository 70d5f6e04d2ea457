"""What the comparison says of synthetic pairs beside what is true of them, counted up: bias, intervals that hold, verdicts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from rig.comparison import METRICS, ChannelAgreement, verdict
from tests.unit.rig.comparison.uncertainty.synthetic_pairs import Pair, make, truth

RATIOS = (0.25, 0.8, 1.0, 1.2, 4.0)
"""True errors that verdicts are asked for, in tolerances."""
WITH_NOISE = "nrms with noise"
Counts = dict[str, float]


@dataclass(frozen=True)
class Wanted:
    metric: str
    tolerance: float
    channel: str = "x"


def counted(pairs: Iterable[Pair]) -> dict[str, Counts]:
    """By figure: how many pairs have it (`asked`), of how many it is told (`told`), in how many of these the truth is not below (`low`),
    not above (`high`), and within (`held`) its limits; sum and sum of squares of what it is off by, in noises of the pair; and by ratio
    how often the verdict passed, failed, or could not be judged, as `1 pass`."""
    sums: dict[str, Counts] = {}
    for pair in pairs:
        made = make(pair)
        found, true = made.agreement(), truth(made)
        for name, value in true.items():
            _add(sums.setdefault(name, {}), _of(found, name, value, pair.noise))
    return sums


def joined(parts: Iterable[Mapping[str, Counts]]) -> dict[str, Counts]:
    sums: dict[str, Counts] = {}
    for part in parts:
        for name, counts in part.items():
            _add(sums.setdefault(name, {}), counts)
    return sums


def _add(sums: Counts, more: Mapping[str, float]) -> None:
    for key, value in more.items():
        sums[key] = sums.get(key, 0.0) + value


def _of(found: ChannelAgreement, name: str, true: float, noise: float) -> Counts:
    metric = "nrms" if name == WITH_NOISE else name
    one = found.intervals.get(metric)
    counts: Counts = {"asked": 1}
    if one is not None:
        low, high = one.limits()
        off = (one.value - true) / noise
        counts |= {"told": 1, "low": low <= true, "high": true <= high, "held": low <= true <= high, "off": off, "squares": off**2}
    if metric in METRICS and name != WITH_NOISE and true != 0.0 and one is not None:
        for ratio in RATIOS:
            result = verdict({"x": found}, [Wanted(metric, _tolerance(metric, true, ratio))]).result
            counts[f"{ratio:g} {result}"] = 1
    return {key: float(value) for key, value in counts.items()}


def _tolerance(metric: str, true: float, ratio: float) -> float:
    """With which the true error is so many tolerances; of a share, what is missing of all."""
    return 1.0 - (1.0 - true) / ratio if METRICS[metric].at_least else abs(true) / ratio


def bias(counts: Counts) -> float:
    """Of a figure, in standard errors of its mean."""
    n, mean = counts["told"], counts["off"] / counts["told"]
    return float(mean / ((counts["squares"] / n - mean**2) / n) ** 0.5)


def wrong(counts: Counts) -> tuple[float, float]:
    """(wrong verdicts far from the tolerance, verdicts asked for there)."""
    asked = sum(value for key, value in counts.items() if key.startswith(("0.25 ", "4 ")))
    return counts.get("0.25 fail", 0.0) + counts.get("4 pass", 0.0), asked
