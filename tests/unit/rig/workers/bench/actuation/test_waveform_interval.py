"""How often a controller that runs a waveform is asked: about ten times a second, and so that harmonics are told from the fundamental."""

from __future__ import annotations

import numpy as np

from rig.workers.bench.actuation.waveform_drive import EVERY, LEAST, interval
from tests.each_row import each_row


@each_row("frequency", [0.01, 0.5, 1.0, 1.99, 2.0, 3.0, 4.5, 5.0, 7.0, 10.0, 20.0])
def test_no_harmonic_looks_like_the_fundamental(frequency: float) -> None:
    between = interval(frequency)
    assert LEAST <= between <= 3.0 * EVERY
    turns = between * frequency
    for harmonic in range(3, 10, 2):
        for beat in ((harmonic - 1) * turns, (harmonic + 1) * turns):
            assert between == EVERY or abs(beat - np.round(beat)) > 0.04, (harmonic, turns)
