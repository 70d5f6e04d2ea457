"""What is predicted again where the model follows an encoder, and what becomes of the intervals."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from model.errors import ModelError
from rig.comparison import ChannelAgreement
from rig.comparison.series import Series
from rig.comparison.uncertainty.interval import Interval
from rig.config import load
from rig.report import encoder_counts
from rig.report.encoder_counts import DRAWS, with_counts

EXPERIMENTS = Path(__file__).parents[4] / "configs" / "experiments"
RATE, TURN, TURNS = 20e3, 4000, 6
COUNT = 2.0 * math.pi / 20000
CHANCE = 1e-12


class Six:
    """A test of the six-bar, whose predictions are the angles that these follow; its figure is the mean of such an angle."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *changed: str, file: str = "six_bar_rig.toml") -> None:
        setup = load(EXPERIMENTS / file, changed)
        self.plan: Any = SimpleNamespace(experiment=setup.experiment, bench=setup.bench)
        turned = 2.0 * math.pi * np.arange(TURNS * TURN) / TURN
        shown = np.floor(turned / COUNT) * COUNT
        cycle = np.repeat(np.arange(float(TURNS)), TURN)
        self.found: Any = SimpleNamespace(rate=RATE, command=SimpleNamespace(cycle=cycle, value=turned), measured={"crank_angle": shown})
        self.given: list[Any] = []
        self.shown, self.parts = shown, set()
        monkeypatch.setattr(encoder_counts, "predicted_by", self._predicted)

    def _predicted(self, mechanism: object, plan: object, found: object, folder: Path, given: Any) -> dict[str, Any]:
        assert folder.is_dir()
        self.given.append(given)
        return {"torque": given, "acceleration": given}

    def figures(self, predicted: Mapping[str, Series], samples: int | None = None) -> dict[str, ChannelAgreement]:
        self.parts.add(samples)
        told = {"gain": Interval(float(np.mean(predicted["torque"][0:samples])), CHANCE, 30.0)}
        return {name: ChannelAgreement(intervals=told) for name in ("torque", "acceleration", "speed")}

    def counted(self) -> dict[str, ChannelAgreement]:
        predicted = {"torque": self.shown}
        mechanism = self.plan.experiment.mechanism
        return with_counts(self.figures(predicted), predicted, self.plan, self.found, mechanism, self.figures)


def test_four_predictions_over_other_counts_each(monkeypatch: pytest.MonkeyPatch) -> None:
    six = Six(monkeypatch)
    result = six.counted()
    off = np.array([one - six.shown for one in six.given])
    assert len(off) == DRAWS and np.all(np.abs(off) <= 0.5 * COUNT * (1.0 + 1e-9))
    assert np.std(off) == pytest.approx(COUNT / math.sqrt(12.0), rel=0.1)
    assert all(np.max(np.abs(a - b)) > 0.4 * COUNT for k, a in enumerate(off) for b in off[:k])
    spread = float(np.std([np.mean(one) for one in six.given], ddof=1))
    assert result["torque"].intervals["gain"].std == pytest.approx(spread, rel=1e-6)
    assert result["torque"].intervals["gain"].of_counts > 0.99


def test_channels_that_no_criterion_judges_are_left(monkeypatch: pytest.MonkeyPatch) -> None:
    assert Six(monkeypatch).counted()["speed"].intervals["gain"].std == CHANCE


@pytest.mark.parametrize(
    ("file", "changed"),
    [("six_bar_rig.toml", ["predictor.source=command"]), ("linkage.toml", []), ("six_bar_rig.toml", ["comparison.criteria=[]"])],
)
def test_who_follows_no_encoder_or_judges_nothing_predicts_nothing(monkeypatch: pytest.MonkeyPatch, file: str, changed: list[str]) -> None:
    six = Six(monkeypatch, *changed, file=file)
    before = six.figures({"torque": six.shown})
    assert six.counted() == before and not six.given


def test_of_a_long_test_the_beginning_to_the_end_of_a_cycle(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(encoder_counts, "MOST", int(3.5 * TURN))
    six = Six(monkeypatch)
    six.counted()
    assert {len(one) for one in six.given} == {3 * TURN} and six.parts == {None, 3 * TURN}


def test_a_model_that_cannot_be_followed_over_other_counts_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    six = Six(monkeypatch)

    def refuse(*_: object, **__: object) -> dict[str, Any]:
        raise ModelError("it jams")

    monkeypatch.setattr(encoder_counts, "predicted_by", refuse)
    result, before = six.counted(), six.figures({"torque": six.shown})
    for name in ("torque", "acceleration"):
        assert "it jams" in result[name].warnings[0] and replace(result[name], warnings=()) == before[name]
    assert result["speed"] == before["speed"]
