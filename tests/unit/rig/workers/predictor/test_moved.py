"""The places of bodies beside a prediction: the same as the model's own, at the cost of no bit of the prediction."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from rig.streaming.ring import RingReader
from tests.unit.rig.workers.predictor.test_worker import RATE, Fed, wave

OFF = "predictor.motion_rate=0 Hz"


def places(fed: Fed) -> tuple[tuple[str, ...], np.ndarray]:
    ring = RingReader.open(fed._paths["motion"], 0.0)
    names, block = ring.names, ring.read(100_000)[1]
    ring.close()
    return names, block


def ran(folder: Path, *overrides: str) -> Fed:
    folder.mkdir()
    fed = Fed(folder, *overrides)
    fed.feed(wave(1000))
    fed.end()
    return fed


def test_not_a_bit_of_the_prediction_is_another_for_it(tmp_path: Path) -> None:
    with_it, without = ran(tmp_path / "with"), ran(tmp_path / "without", OFF)
    for channel in with_it.worker._raw.names:
        assert np.array_equal(with_it.predicted(channel), without.predicted(channel)), channel
    assert not without._paths["motion"].exists()


def test_the_lower_link_is_where_the_stroke_says(tmp_path: Path) -> None:
    fed = ran(tmp_path / "a")
    names, block = places(fed)
    assert names == ("sample", "upper_link", "middle_link", "lower_link")
    sample = block[:, 0]
    assert (np.diff(sample) > 0.0).all()
    assert 0.05 * 1000 < len(block) <= 0.11 * 1000  # a thousand a second of ten thousand samples, or as often as there is a step
    stroke = fed.predicted("stroke")
    inside = sample <= 999
    np.testing.assert_allclose(block[inside, 3], np.interp(sample[inside], np.arange(1000), stroke), atol=2e-6)
    assert np.ptp(stroke) > 1e-4  # the control: it has come a way that is large beside that


def test_a_session_that_goes_on_counts_samples_of_the_record(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rig.config.plan.Plan.first_sample", 5000)
    _, block = places(ran(tmp_path / "a"))
    assert 5000.0 < block[0, 0] < 5000.0 + 0.02 * RATE
