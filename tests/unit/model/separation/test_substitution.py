"""The joint force with the ideal direction put in: without clearance the ideal force itself."""

from dataclasses import replace

import numpy as np
import pytest

from model.mechanisms.four_bar import Config
from model.mechanisms.four_bar.ideal import ideal
from model.separation.substitution import substituted_force

ANGLES = np.radians(np.arange(0.0, 360.0, 10.0))


def test_without_clearance_it_is_the_ideal_force() -> None:
    config = Config(clearance=0.0)
    assert substituted_force(config, ANGLES) == pytest.approx(ideal(config, ANGLES).F.value, rel=1e-12)


def test_it_departs_from_it_with_the_clearance() -> None:
    config = Config(clearance=0.0)
    force = ideal(config, ANGLES).F.value
    apart = [np.max(np.abs(substituted_force(replace(config, clearance=c), ANGLES) - force)) for c in (1e-5, 2e-5)]
    assert apart[1] / apart[0] == pytest.approx(2.0, rel=0.05)
