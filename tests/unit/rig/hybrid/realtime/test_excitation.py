"""What shakes the structure."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from rig.hybrid.ground import Ground
from rig.hybrid.realtime.excitation import Chirp, GroundNoise, recorded


def test_a_record_is_straight_between_its_samples_and_as_long_as_it_is(tmp_path: Path) -> None:
    file = tmp_path / "ground.csv"
    file.write_text("time[s],acceleration[m/s^2]\n0,0\n0.5,1\n1,-1\n", encoding="utf-8")
    found = recorded(Ground(str(file), "acceleration", scale=0.4), 4.0)
    assert found == pytest.approx([0.0, 0.2, 0.4, 0.0, -0.4])


def test_a_chirp_begins_at_rest_and_ends_at_its_frequency() -> None:
    found = Chirp(amplitude=2.0, begin=1.0, end=5.0, duration=10.0).acceleration(4096.0)
    assert found[0] == pytest.approx(0.0, abs=1e-12)
    assert np.abs(found).max() == pytest.approx(2.0, rel=1e-3)
    assert np.count_nonzero(np.diff(np.sign(found[-4096:]))) in (9, 10, 11)  # 4.6 to 5 Hz over the last second
    assert np.count_nonzero(np.diff(np.sign(found))) == pytest.approx(60, abs=1)  # 30 periods in all


def test_the_ground_s_noise_has_its_peak_and_is_the_same_at_every_rate() -> None:
    coarse, fine = (GroundNoise(peak=1.5, duration=20.0).acceleration(rate) for rate in (1000.0, 2000.0))
    assert np.abs(coarse).max() == pytest.approx(1.5)
    assert fine[::2] == pytest.approx(coarse, abs=1e-12)
    other = GroundNoise(peak=1.5, duration=20.0, seed=2).acceleration(1000.0)
    assert abs(np.corrcoef(coarse, other)[0, 1]) < 0.3
    assert np.sqrt(np.mean(coarse[-2000:] ** 2)) < 0.5 * np.sqrt(np.mean(coarse[4000:10000] ** 2))  # it dies away
