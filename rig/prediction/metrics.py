"""Metrics of a simulation, from the solver's own extremes and not from output samples, which read a short impact too low.

With s the sign of the half cycle and T the period: `reversal_peak` is the mean of max s F within T/8 after each zero of the command,
`overshoot` the mean of max s (F_tr - F_cmd) within T/8, for a closed force loop within T/4. The first cycles are left out of everything.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rig.comparison.reversals import Reversal, reversals
from rig.prediction.simulation import Simulated

Floats = NDArray[np.float64]

PEAK_WINDOW = 1.0 / 8.0
OPEN_WINDOW, LOOP_WINDOW = 1.0 / 8.0, 1.0 / 4.0


def metrics(simulated: Simulated, discard_cycles: int, closed_loop: bool, excess: int | None) -> dict[str, dict[str, float | None]]:
    """{channel: {min, max, max_abs, rms, reversal_peak, overshoot}}, unit of the channel; None where a metric has no meaning.

    excess: column of F_tr - F_cmd among the extremes, if there is one. Without a sine there are no cycles to leave out and no reversals.
    """
    kept = _counted_rows(simulated, discard_cycles)
    found = _reversals(simulated, kept)
    forces = [unit == "N" for _, unit in simulated.channels]
    result: dict[str, dict[str, float | None]] = {}
    for column, (name, _) in enumerate(simulated.channels):
        low, high = simulated.low[kept, column], simulated.high[kept, column]
        if not len(low):
            result[name] = dict.fromkeys(("min", "max", "max_abs", "rms", "reversal_peak", "overshoot"))
            continue
        window = LOOP_WINDOW if closed_loop else OPEN_WINDOW
        result[name] = {
            "min": float(low.min()) + 0.0,  # a zero has no sign in a table
            "max": float(high.max()) + 0.0,
            "max_abs": float(max(-low.min(), high.max())) + 0.0,
            "rms": float(np.sqrt(np.mean(simulated.values[kept, column] ** 2))),
            "reversal_peak": _mean_peak(simulated, found, column, PEAK_WINDOW) if forces[column] else None,
            "overshoot": _mean_peak(simulated, found, excess, window) if excess is not None and name == "transmitted_force" else None,
        }
    return result


def _counted_rows(simulated: Simulated, discard_cycles: int) -> NDArray[np.bool_]:
    if simulated.frequency is None:
        return np.ones(len(simulated.values), dtype=np.bool_)
    return np.asarray(simulated.time >= discard_cycles / simulated.frequency - 0.5 / simulated.rate)


def _reversals(simulated: Simulated, kept: NDArray[np.bool_]) -> list[Reversal]:
    if simulated.frequency is None or simulated.command is None:
        return []
    amplitude = float(np.max(np.abs(simulated.command), initial=0.0))
    return reversals(simulated.command, simulated.cycle, kept, amplitude, simulated.rate / simulated.frequency)


def _mean_peak(simulated: Simulated, found: list[Reversal], column: int, share: float) -> float | None:
    """Mean over the reversals of the largest s q, q the column, within `share` of the period."""
    peaks = []
    for reversal in found:
        window = reversal.window(share)
        inside = slice(window.start + 1, window.stop)  # a row's extremes reach back to the sample before
        extremes = simulated.high if reversal.sign > 0 else -simulated.low
        peaks.append(float(extremes[inside, column].max()))
    return float(np.mean(peaks)) if peaks else None
