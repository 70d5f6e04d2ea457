"""Figures as the page's script takes them: numbers in base64, each column once, however many curves it belongs to."""

from __future__ import annotations

import base64
import json
from collections.abc import Sequence

import numpy as np
from markupsafe import Markup

from rig.report.document.content import Figure, Floats
from rig.report.palette import MEASURED, PREDICTED

COLOURS = {"measured": MEASURED, "predicted": PREDICTED}


def figure_data(figures: Sequence[Figure]) -> Markup:
    """One JSON object that can stand in a `<script>`: `arrays`, and `figures` by their keys, whose curves name arrays by their numbers."""
    arrays: dict[tuple[str, bytes], int] = {}

    def number(values: Floats, kind: str) -> int:
        return arrays.setdefault((kind, np.ascontiguousarray(values, dtype=f"<{kind}").tobytes()), len(arrays))

    told = {
        figure.key: {
            "x": figure.x_title, "y": figure.y_title, "categories": [*figure.categories],
            "logarithmic": figure.logarithmic, "equal": figure.equal,
            "curves": [{"name": c.name, "style": c.style, "x": number(c.x, "f8"), "y": number(c.y, "f4")} for c in figure.curves],
        }
        for figure in figures
    }  # fmt: skip
    packed = [{"dtype": kind, "bdata": base64.b64encode(data).decode()} for kind, data in arrays]
    return Markup(json.dumps({"arrays": packed, "figures": told, "colours": COLOURS}).replace("<", "\\u003c"))
