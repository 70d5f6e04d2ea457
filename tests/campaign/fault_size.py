"""How wrong a channel is: what it shows against what the plant did, by figures of their own.

The definitions are those of docs/comparison.md; nothing of `rig.comparison` is used, which is what is on trial.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.signal import butter, lfilter, lfilter_zi

Floats = NDArray[np.float64]

LEVEL, SEARCH, QUARTER, PEAK_TIME = 0.1, 3.0 / 8.0, 1.0 / 4.0, 0.010


def lowpassed(x: Floats, corner: float, rate: float) -> Floats:
    """Behind the comparison's causal filter, as if the first sample had lasted for ever."""
    b, a = butter(2, corner, fs=rate)
    return np.asarray(lfilter(b, a, x, zi=lfilter_zi(b, a) * x[0])[0])


def sizes(
    truth: Floats, shown: Floats, command: Floats, cycle: Floats, phase: Floats, rate: float, frequency: float, first: int
) -> dict[str, float]:
    """Error of each criterion of the loaded linkage where the truth stands in for the prediction; truth, shown (N,): lowpassed.

    cycle (N,): -1 where nothing counts; first: the first cycle that counts.
    """
    counted = cycle >= first
    t, s, c, amplitude = truth[counted], shown[counted], command[counted], float(np.max(np.abs(command[counted])))
    basis = np.stack([np.sin(phase[counted]), np.cos(phase[counted]), np.ones(len(t))], axis=1)
    wave_t, wave_s = (complex(*np.linalg.lstsq(basis, x, rcond=None)[0][:2]) for x in (t, s))
    found = {
        "max": np.max(np.abs(t)) / np.max(np.abs(s)) - 1.0,
        "nrms": np.sqrt(np.mean((t - s) ** 2) / np.mean(s**2)),
        "fundamental": abs(wave_t) / abs(wave_s) - 1.0,
        "phase": np.degrees(np.angle(wave_t / wave_s)),
        "within_5_percent": np.mean(np.abs(t - s) <= 0.05 * amplitude),
    }
    a, b = (_after_reversals(x, c, amplitude, rate, frequency) for x in (t, s))
    for n, metric in enumerate(("first_impact", "impact_peak", "overshoot")):
        found[metric] = (np.mean(a[:, n]) - np.mean(b[:, n])) * (frequency if metric == "first_impact" else 1.0 / amplitude)
    return {metric: float(error) for metric, error in found.items()}


def _after_reversals(x: Floats, command: Floats, amplitude: float, rate: float, frequency: float) -> Floats:
    """(reversals, 3): time of the first impact (s), its peak, and the overshoot, of those whose 3T/8 are there."""
    period = rate / frequency
    rows = []
    for zero in np.flatnonzero(np.diff(np.sign(command)) != 0.0):
        if zero + SEARCH * period + PEAK_TIME * rate + 2 >= len(x):
            continue
        begin = zero + 1
        sign = np.sign(command[begin + int(0.05 * period)])
        ahead = sign * x[begin : begin + int(SEARCH * period)]
        above = np.flatnonzero(ahead > LEVEL * amplitude)
        if not len(above):
            continue
        k = int(above[0])
        part = 0.0 if k == 0 else (ahead[k] - LEVEL * amplitude) / (ahead[k] - ahead[k - 1])
        peak = np.max(sign * x[begin + k : begin + k + int(PEAK_TIME * rate)])
        quarter = slice(begin, begin + int(QUARTER * period))
        rows.append(((k - part) / rate, peak, np.max(sign * (x[quarter] - command[quarter]))))
    return np.array(rows)


def shares(found: dict[str, float], lines: list[dict[str, Any]]) -> dict[str, float]:
    """Each error as a share of its criterion's tolerance; of `within_5_percent` the share of samples that is outside, of what may be."""
    return {
        line["metric"]: (1.0 - found["within_5_percent"]) / (1.0 - line["tolerance"])
        if line["metric"] == "within_5_percent"
        else abs(found[line["metric"]]) / line["tolerance"]
        for line in lines
    }
