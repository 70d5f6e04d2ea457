"""The band whose level is judged, in the spectrum of the window: both levels, what is allowed, and nothing of another channel."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from rig.config import load
from rig.display.panels.judged_band import in_words
from rig.display.panels.spectrum import Spectrum
from rig.display.sources.source import Floats, Trace
from rig.display.sources.view_model import JudgedLevel, judged_levels
from rig.display.theme import LIGHT
from rig.display.window.application import application
from tests.unit.rig.display.display_rings import SUBJECT

EXPERIMENTS = Path(__file__).parents[5] / "configs" / "experiments"
RATE = 1000.0
NAME = "acceleration_1"
JUDGED = JudgedLevel(100.0, 300.0, 0.2)


class Tones:
    """A tone at 150 Hz in both, of another size in each."""

    rate, progress = RATE, 1.0

    def samples(self, trace: Trace, first: int, last: int) -> tuple[int, Floats]:
        size = 3.0 if trace.stream == "measured" else 4.5
        return first, size * np.sin(2.0 * np.pi * 150.0 * np.arange(first, last) / RATE)


@pytest.fixture
def spectrum() -> Spectrum:
    application()
    panel = Spectrum(replace(SUBJECT, levels={NAME: JUDGED}))
    panel.theme(LIGHT)
    return panel


def points(spectrum: Spectrum, role: str) -> Floats:
    """(k, 2) that are drawn."""
    path = spectrum.curves[role]._path
    return np.array([(path.elementAt(k).x, path.elementAt(k).y) for k in range(path.elementCount())]).reshape(-1, 2)


def test_levels_are_drawn_across_the_band_and_told(spectrum: Spectrum) -> None:
    spectrum.choose(NAME)
    spectrum.refresh(Tones(), 8000, 6)  # type: ignore[arg-type]
    factor = spectrum._factor / np.sqrt(2.0)
    for role, size in (("measured", 3.0), ("predicted", 4.5)):
        level = np.log10(factor * size)
        assert points(spectrum, role)[-2:] == pytest.approx(np.array([[2.0, level], [np.log10(300.0), level]]), abs=0.01)
    outline = points(spectrum, "accent")
    assert sorted(set(outline[:, 0])) == pytest.approx([2.0, np.log10(300.0)])
    assert [outline[:, 1].min(), outline[:, 1].max()] == pytest.approx(np.log10(factor * 3.0 * np.array([0.8, 1.2])), abs=0.01)
    assert "allowed" in spectrum._legend.text()
    assert spectrum.figures.text() == "+50.0 % of ± 20 %"


def test_of_another_channel_there_is_nothing(spectrum: Spectrum) -> None:
    spectrum.choose(NAME)
    spectrum.refresh(Tones(), 8000, 6)  # type: ignore[arg-type]
    spectrum.choose("acceleration_2")
    spectrum.refresh(Tones(), 8000, 6)  # type: ignore[arg-type]
    assert len(points(spectrum, "accent")) == 0 and "allowed" not in spectrum._legend.text()
    assert points(spectrum, "measured")[-1, 0] == pytest.approx(np.log10(RATE / 2.0), abs=0.01)
    assert spectrum.figures.text().startswith("mean of")


def test_words() -> None:
    assert in_words(JUDGED, {"measured": 2.0, "predicted": 1.5}) == "−25.0 % of ± 20 %"
    assert in_words(JUDGED, {"measured": 2.0}) == in_words(JUDGED, {"predicted": 2.0}) == ""


def test_what_is_judged_comes_from_the_experiment() -> None:
    found = judged_levels(load(EXPERIMENTS / "slider_crank_rig.toml").experiment.comparison)
    assert found == {"slider_acceleration": JudgedLevel(100.0, 300.0, 0.16)}
    assert judged_levels(load(EXPERIMENTS / "linkage.toml").experiment.comparison) == {}
