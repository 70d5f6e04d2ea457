"""Contact laws: what comes out of an impact, in closed form, by an independent root, and integrated."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import brentq

from model.contact.force import force
from model.contact.impact import Impact, integrated_restitution, profile_exponent
from model.contact.laws import LAWS, damping
from model.contact.restitution import (
    RESTITUTION_SERIES,
    SERIES_BELOW,
    compression_integral,
    energy_shares,
    exact_damping,
    restitution,
    speed_profile,
)
from model.errors import ModelError
from tests.each_row import each_row

WANTED = np.arange(5, 101) / 100
LAW_NAMES = sorted(LAWS)


def by_root(a: float) -> float:
    """e from a (1 + e) = ln((1 + a)/(1 - a e)), another way: bisection on the logarithm of what is left of 1 - a e."""
    if a == 0.0:
        return 1.0

    def mismatch(log_left: float) -> float:
        left = math.exp(log_left)  # 1 - a e
        return a + 1.0 - left - math.log1p(a) + log_left

    return (1.0 - math.exp(brentq(mismatch, -a - 2.0, -1e-6 * min(1.0, a), xtol=1e-15, rtol=1e-15))) / a


@each_row("law", LAW_NAMES)
def test_closed_form_is_the_root_of_the_impact_relation(law: str) -> None:
    for e in WANTED:
        a = damping(law, float(e))
        if a > 1e-3:  # below, the reference itself loses its digits
            assert restitution(a) == pytest.approx(by_root(a), abs=1e-10)


@each_row("law", LAW_NAMES)
def test_integrated_impact_gives_the_closed_form(law: str) -> None:
    for n in (1.0, 1.5, 2.0):
        for e in WANTED[::5]:
            impact = Impact(stiffness=1e10, exponent=n, mass=0.03, speed=0.7, damping=damping(law, float(e)))
            assert integrated_restitution(impact) == pytest.approx(impact.restitution, abs=1e-10)


@given(
    st.sampled_from([1.0, 1.5, 2.0]),
    st.floats(1e3, 1e13),
    st.floats(1e-6, 1e4),
    st.floats(1e-4, 1e2),
    st.floats(0.05, 1.0),
    st.sampled_from(LAW_NAMES),
)
def test_restitution_depends_on_nothing_but_the_damping(n: float, stiffness: float, mass: float, speed: float, e: float, law: str) -> None:
    impact = Impact(stiffness, n, mass, speed, damping(law, e))
    assert integrated_restitution(impact) == pytest.approx(impact.restitution, abs=1e-10)


@each_row("law", LAW_NAMES)
def test_a_law_dissipates_and_an_elastic_impact_loses_nothing(law: str) -> None:
    out = [restitution(damping(law, float(e))) for e in WANTED]
    assert all(0.0 < e <= 1.0 for e in out)
    assert np.all(np.diff(out) >= 0.0)
    assert damping(law, 1.0) == 0.0
    assert out[-1] == 1.0


@given(st.floats(1e-3, 1.0))
def test_the_exact_law_gives_what_was_wanted(e: float) -> None:
    assert restitution(exact_damping(e)) == pytest.approx(e, abs=1e-13)


def test_the_series_continues_the_closed_form() -> None:
    a = SERIES_BELOW
    lambert = restitution(a * (1 + 1e-12))
    assert sum(c * a**k for k, c in enumerate(RESTITUTION_SERIES)) == pytest.approx(lambert, abs=1e-12)
    assert compression_integral(a * (1 - 1e-12)) == pytest.approx(compression_integral(a * (1 + 1e-12)), abs=1e-12)
    assert restitution(1e-9) == pytest.approx(1.0 - 2e-9 / 3.0, abs=1e-15)


@given(st.floats(0.0, 50.0))
def test_energy_shares_add_up(a: float) -> None:
    compressing, recovering = energy_shares(a)
    assert compressing >= -1e-15
    assert recovering >= -1e-15
    assert compressing + recovering == pytest.approx(1.0 - restitution(a) ** 2, abs=1e-13)


def test_largest_penetration_balances_the_energy_of_an_elastic_impact() -> None:
    impact = Impact(stiffness=2e9, exponent=1.5, mass=0.4, speed=1.3, damping=0.0)
    assert 2e9 * impact.largest_penetration**2.5 / 2.5 == pytest.approx(0.5 * 0.4 * 1.3**2, rel=1e-12)


def test_speed_profile_obeys_the_equation_of_motion() -> None:
    a, n = 0.8, 1.5
    share = np.linspace(0.05, 0.95, 2001)
    w = speed_profile(a, n, share)
    slope = np.gradient(w, share)
    # m v dv/ddelta = -K delta^n (1 + a v/v0), scaled with delta_max and v0
    expected = -(n + 1.0) * compression_integral(a) * share**n * (1.0 + a * w) / w
    assert np.max(np.abs(slope - expected)[5:-5] / np.abs(expected)[5:-5]) < 1e-4


def test_the_two_example_impacts_have_the_published_exponents() -> None:
    sphere = {"stiffness": 1.07e10, "exponent": 1.5, "mass": 0.033}
    for c, v0, e_out, beta in ((2e9, 0.8, 0.90927, 2.4103), (2e10, 0.1, 0.88906, 2.3906)):
        impact = Impact(speed=v0, damping=c * v0 / 1.07e10, **sphere)
        assert impact.restitution == pytest.approx(e_out, abs=1e-5)
        assert profile_exponent(impact) == pytest.approx(beta, abs=0.01)


def test_published_laws_miss_by_what_their_formulas_miss() -> None:
    grid = np.arange(1, 101) / 100
    largest = {law: max(abs(restitution(damping(law, float(e))) - e) for e in grid) for law in LAWS}
    assert largest["hu_guo"] == pytest.approx(0.0344, abs=5e-5)
    assert largest["gonthier"] == pytest.approx(0.0324, abs=5e-5)
    assert largest["flores"] == pytest.approx(0.0454, abs=5e-5)
    assert largest["lankarani_nikravesh"] == pytest.approx(0.65, abs=5e-3)
    assert largest["exact"] < 1e-12


def test_no_force_apart_and_none_that_pulls() -> None:
    parameters = np.array([1e10, 1.5, 2.0, 0.1])
    assert force(-1e-6, 0.5, parameters) == 0.0
    assert force(0.0, 0.5, parameters) == 0.0
    assert force(1e-6, -1.0, parameters) == 0.0  # 1 + a delta'/v0 < 0: torn apart faster than it recovers
    assert force(1e-6, 0.0, parameters) == pytest.approx(1e10 * 1e-6**1.5)
    assert force(1e-6, 0.0, np.array([1e10, 2.0, 2.0, 0.1])) == pytest.approx(1e10 * 1e-12)


@pytest.mark.parametrize("e", [0.0, -0.1, 1.2, math.nan])
def test_a_restitution_outside_its_range_is_refused(e: float) -> None:
    with pytest.raises(ModelError, match=r"restitution must be in \(0, 1\]"):
        damping("hu_guo", e)
    with pytest.raises(ModelError, match="restitution"):
        exact_damping(e)


def test_nonsense_is_refused_with_its_name() -> None:
    with pytest.raises(ModelError, match=r"unknown contact law 'hu_gou'.*hu_guo"):
        damping("hu_gou", 0.5)
    with pytest.raises(ModelError, match="mass of an impact must be more than 0 kg"):
        integrated_restitution(Impact(1e10, 1.5, -1.0, 1.0, 0.1))
    with pytest.raises(ModelError, match="damping"):
        restitution(-0.1)
