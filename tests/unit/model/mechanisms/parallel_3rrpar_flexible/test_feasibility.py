"""Starts of the flexible 3-RRPaR: those without a load are possible, those that cannot be are refused with numbers and advice."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest

from model.errors import ModelError, NotConverged
from model.integrators import generalized_alpha
from model.mechanisms import parallel_3rrpar_flexible as flexible
from model.mechanisms.parallel_3rrpar_flexible import Config
from model.mechanisms.parallel_3rrpar_flexible.config import Bars
from model.paths import trajectory_1

MOVING, RESTED = trajectory_1.Config(blend="off").create(), trajectory_1.Config().create()
METHOD = generalized_alpha.Config(step=1e-4, tolerance=1e-7)


def begun(config: Config, path: object = RESTED, method: generalized_alpha.Config = METHOD) -> np.ndarray:
    stepper = config.create(method, 1e3, path=path, lasting=0.02)
    stepper.start(np.zeros(1))
    return np.asarray(stepper.advance(np.zeros(10)))


@pytest.mark.parametrize("formulation", ["elastic_line", flexible.config.REDUCED])
def test_pins_that_nothing_presses_begin_in_the_middle_and_at_rest(formulation: str) -> None:
    """Without weight, where the path begins from rest, there is no equilibrium of pins in their bushes."""
    rows = begun(Config(gravity=0.0, bars=Bars(elements=1, formulation=formulation)))
    assert np.abs(rows[0, -6:]).max() < 1e-9
    assert np.abs(rows[:, 3:6]).max() < 1e-4
    assert np.isfinite(rows).all()


@pytest.mark.parametrize(
    ("bars", "said"),
    [
        ({"youngs_modulus": 1e3}, r"too soft for this path: they are pressed with [\d.]+ N and buckle at 0\.0001\d+ N; choose a larger"),
        ({"width": 1e-6}, r"too soft for this path: .* buckle at 2\.3\d?e-13 N"),
        ({"width": 1e-3, "density": 1e6}, r"too soft for this path: "),
    ],
)
def test_bars_that_cannot_bear_the_load_are_refused(bars: dict[str, float], said: str) -> None:
    with pytest.raises(ModelError, match=said):
        begun(Config(bars=Bars(elements=1, **bars)))


def test_soft_bars_that_bear_it_find_their_equilibrium() -> None:
    assert np.isfinite(begun(Config(bars=Bars(elements=2, width=3e-3)))).all()


@pytest.mark.parametrize(("stiffer", "tight"), [(1.0, 1e-13), (1e3, 1e-8)])
def test_a_tolerance_below_rounding_is_refused_and_the_one_advised_is_kept(stiffer: float, tight: float) -> None:
    config = Config(bars=Bars(elements=4, youngs_modulus=stiffer * 116e9))
    with pytest.raises(ModelError, match=r"integrator.tolerance: below what double precision can keep .* with bars so stiff") as refused:
        begun(config, MOVING, replace(METHOD, tolerance=tight, iterations=8))
    assert not isinstance(refused.value, NotConverged)
    least = float(re.findall(r"at least ([\de.-]+),", str(refused.value))[0])
    assert np.isfinite(begun(config, MOVING, replace(METHOD, tolerance=least, iterations=8))).all()


def test_a_jerk_that_the_steps_cannot_follow_is_refused_with_one_that_they_can() -> None:
    config = Config(clearance=0.0, start="rest", bars=Bars(elements=1))
    with pytest.raises(ModelError, match=r"begins with 0\.471 m/s is a jerk: .* with a period of 0\.9\d+ ms") as refused:
        begun(config, MOVING, replace(METHOD, step=1e-3))
    step = float(re.findall(r"at most ([\de.-]+) s", str(refused.value))[0])
    assert np.isfinite(begun(config, MOVING, replace(METHOD, step=step))).all()
    assert np.isfinite(begun(config, RESTED, replace(METHOD, step=1e-3))).all()
