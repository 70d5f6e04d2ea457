"""chen2026: which model each of its statements is computed with."""

from __future__ import annotations

import numpy as np
import pytest

from rig.reproduction import chen2026, chen2026_runs
from rig.reproduction.claims import claims
from rig.reproduction.study import Study


def test_every_statement_that_can_be_had_is_computed() -> None:
    assert set(chen2026.STATEMENTS) == {claim.id for claim in claims("chen2026") if not claim.lost}


def test_flexible_figures_of_the_paper_are_computed_in_its_way_and_measured_ones_together() -> None:
    study = Study()
    for model, coupling, formulation, start in (
        (chen2026_runs.FLEXIBLE, "one_way", "paper", "moving"),
        (chen2026_runs.JERKED, "one_way", "paper", "rest"),
        (chen2026_runs.TOGETHER, "together", "elastic_line", "moving"),
    ):
        name, way = chen2026_runs.MODELS[model]
        mechanism = study.experiment(name, *way).mechanism
        assert (mechanism.coupling, mechanism.bars.formulation, mechanism.start) == (coupling, formulation, start)
        assert mechanism.platform.motion == "translating"


def test_the_first_instants_are_those_of_bars_at_rest() -> None:
    """The path begins at 0.471 m/s along Y: that is what they lack."""
    study = Study(overrides=("trajectory.blend=off", "simulate.duration=0.01 s"))
    found = chen2026.STATEMENTS["flexible_velocity"](study)
    assert found.conditions == {"bars": chen2026_runs.JERKED, "clearance": 1e-4, "path": chen2026_runs.FIRST}
    assert found.value[1] == pytest.approx(0.05 * 3.0 * np.pi, abs=1e-3)
