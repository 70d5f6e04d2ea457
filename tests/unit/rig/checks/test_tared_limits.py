"""Limits on net and gross: a tare hides nothing."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.errors import Refused
from drivers.loaders.servo_loader import Config, ServoLoader
from rig.checks.limits import LimitCheck
from rig.checks.tared_limits import TaredLimitCheck
from rig.config.experiment import Limit

RATE = 10_000.0
NAMES = ("force", "stroke")
forces = st.floats(-100.0, 100.0)


@given(st.lists(forces, min_size=1, max_size=40), st.floats(-50.0, 50.0), st.floats(10.0, 90.0))
def test_a_limit_trips_when_either_passes(net: list[float], tare: float, bound: float) -> None:
    limits = (Limit("force", minimum=-bound, maximum=bound),)
    block = np.column_stack([net, np.zeros(len(net))])
    passed = TaredLimitCheck(limits, NAMES, RATE, {"force": tare}).check(0, block)
    outside = [n for n, value in enumerate(net) if not (abs(value) <= bound and abs(value + tare) <= bound)]
    assert bool(passed) == bool(outside)
    if outside:
        assert min(one.sample for one in passed) == outside[0]
        assert {one.channel for one in passed} == {"force"}


@given(st.lists(forces, min_size=1, max_size=40))
def test_without_a_tare_it_is_the_plain_check(values: list[float]) -> None:
    limits = (Limit("force", maximum=50.0, rate=1e3), Limit("stroke", minimum=-20.0, action="stop"))
    block = np.column_stack([values, values])
    assert TaredLimitCheck(limits, NAMES, RATE, {"force": 0.0}).check(7, block) == LimitCheck(limits, NAMES, RATE).check(7, block)


def test_the_words_say_that_it_is_the_gross_value() -> None:
    check = TaredLimitCheck((Limit("force", maximum=60e3),), NAMES, RATE, {"force": 5e3})
    (passed,) = check.check(100, np.array([[56e3, 0.0]]))
    assert passed.text("N") == "force (gross) 61000 N exceeds maximum 60000 N at sample 100"


def test_a_rate_is_not_judged_twice() -> None:
    check = TaredLimitCheck((Limit("force", rate=1.0),), NAMES, RATE, {"force": 5e3})
    assert len(check.check(0, np.array([[0.0, 0.0], [9e9, 0.0]]))) == 1


@given(st.floats(-200e3, 200e3), st.floats(-25e3, 25e3))
def test_setpoints_go_out_as_the_controller_reads_them(net: float, zero: float) -> None:
    loader = ServoLoader(Config(force_full_scale=250e3), None, "force", {"force": zero, "stroke": 1.0})  # type: ignore[arg-type]
    volts = loader.volts(np.array([net]))
    assert volts[0] == pytest.approx((net + zero) / 25e3, abs=1e-12)
    assert loader.setpoint(float(volts[0])) == pytest.approx(net, abs=1e-6)


def test_full_scale_is_the_controllers() -> None:
    loader = ServoLoader(Config(force_full_scale=250e3), None, "force", {"force": 20e3})  # type: ignore[arg-type]
    with pytest.raises(Refused, match="255000"):
        loader.volts(np.array([235e3]))
