"""Edges that do not come: an encoder that slips, an index that is lost, a pickup whose wire is off."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rig.config.injection import Injection

Floats = NDArray[np.float64]


class SilentEdges:
    """One output of edges while an injection is there. What comes after it has the level that it would have had: an even number of
    edges is left out."""

    def __init__(self, injection: Injection) -> None:
        self._injection = injection
        self._left_out = 0

    def pass_on(self, edges: Floats) -> Floats:
        """(k,) instants of edges, s, without those that are left out."""
        gone = (edges >= self._injection.begin) & (edges < self._injection.end)
        self._left_out += int(gone.sum())
        later = np.flatnonzero(edges >= self._injection.end)
        if len(later) and self._left_out % 2:
            gone[later[0]] = True
            self._left_out += 1
        return edges[~gone]
