"""The band whose level is judged, in the spectrum: both levels across it, and what the tolerance allows. Axes are decimal logarithms."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from rig.display.sources.source import Floats
from rig.display.sources.view_model import JudgedLevel

LEAST = 1e-30


def across(judged: JudgedLevel, *levels: float) -> tuple[Floats, Floats]:
    """(x, y) of a line across the band at each level, apart from each other and from what stands before them."""
    left, right = np.log10([judged.low, judged.high])
    heights = np.log10(np.maximum(np.array(levels, dtype=np.float64), LEAST))
    x = np.tile([np.nan, left, right], len(heights))
    y = np.repeat(heights, 3)
    return x, np.where(np.isnan(x), np.nan, y)


def allowed(judged: JudgedLevel, measured: float) -> tuple[Floats, Floats]:
    """(x, y) of the outline of what the predicted level may be."""
    left, right = np.log10([judged.low, judged.high])
    low, high = (np.log10(max(measured * (1.0 + side * judged.tolerance), LEAST)) for side in (-1.0, 1.0))
    return np.array([left, right, right, left, left]), np.array([low, low, high, high, low])


def in_words(judged: JudgedLevel, levels: Mapping[str, float]) -> str:
    """How far they are apart, and how far they may be; nothing where one is not known."""
    measured, predicted = levels.get("measured"), levels.get("predicted")
    if not measured or predicted is None:
        return ""
    apart = f"{100.0 * (predicted / measured - 1.0):+.1f} %".replace("-", "−")
    return f"{apart} of ± {100.0 * judged.tolerance:g} %"
