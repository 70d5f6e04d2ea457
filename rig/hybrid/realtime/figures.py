"""What a real-time hybrid test on a bench tells of itself afterwards."""

from __future__ import annotations

from typing import Literal, TypedDict


class TrackingFigures(TypedDict):
    """See `rig.hybrid.realtime.tracking.Tracking`."""

    delay_s: float | None
    nrmse: float | None
    peak_error: float | None
    amplitude_index: float | None


class StabilityFigures(TypedDict):
    """Of the monitor."""

    indicator_max: float
    tripped: bool


class Figures(TypedDict):
    """SI. criteria: null for a test that did not come to its end."""

    kind: Literal["hybrid"]
    compensator: str
    samples: int
    tracking: TrackingFigures
    criteria: dict[str, float] | None
    stability: StabilityFigures
    energy: dict[str, float]


def in_words(figures: Figures) -> str:
    """Some lines about it."""
    tracking, stability, criteria = figures["tracking"], figures["stability"], figures["criteria"]
    lines = [f"real-time hybrid test: {figures['samples']} samples, compensator {figures['compensator']}"]
    delay, nrmse, index = tracking["delay_s"], tracking["nrmse"], tracking["amplitude_index"]
    if delay is not None and nrmse is not None and index is not None:
        lines.append(f"the loader came {1e3 * delay:+.2f} ms late, with {index:.4f} of the amplitude; error {nrmse:.2%} rms")
    if criteria is not None:
        shares = "  ".join(f"{name} {value:.2%}" for name, value in criteria.items() if name != "J1")
        lines.append(f"J1 {1e3 * criteria['J1']:.2f} ms  {shares}")
    word = "TRIPPED" if stability["tripped"] else "not tripped"
    energy = figures["energy"]
    spent = f"spurious {energy['spurious_J']:.4g} J, taken by the damping {energy['dissipated_J']:.4g} J"
    return "\n".join([*lines, f"monitor: largest indicator {stability['indicator_max']:.3f}, {word}; {spent}"])
