"""Ideal four-bar, first-order correction and criteria: reference values, mechanics that must hold at any dimensions, expansion orders."""

from __future__ import annotations

import csv
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from model.errors import InconsistentStart, ModelError
from model.mechanisms.four_bar import Config, massless_link
from model.mechanisms.four_bar.angles import apart, zeros
from model.mechanisms.four_bar.correction import corrected, correction
from model.mechanisms.four_bar.ideal import Ideal, ideal
from model.mechanisms.four_bar.taylor import Jet
from model.separation.criteria import critical_points, li_bai_factor, minima, validity
from tests.each_row import each_row
from tests.thorough import times
from tests.tiers import quick

Floats = NDArray[np.float64]

FLAT = Config(gravity=0.0, clearance=0.2e-3)
DEG = math.pi / 180.0


def reference() -> dict[str, Floats]:
    """19 crank angles of an independent computation at g = 9.81, Rc = 0.1 and 0.2 mm."""
    with (Path(__file__).parent / "four_bar_reference.csv").open() as file:
        rows = list(csv.DictReader(file))
    return {name: np.array([float(row[name]) for row in rows]) for name in rows[0]}


def table(config: Config, degrees: Floats) -> dict[str, Floats]:
    there = ideal(config, np.radians(degrees))
    first = correction(config, there)
    found = {
        "theta1_deg": degrees, "theta2_rad": there.theta2.value, "theta3_rad": there.theta3.value,
        "theta2d_radps": there.theta2.derivative(1), "theta3d_radps": there.theta3.derivative(1),
        "theta2dd_radps2": there.theta2.derivative(2), "theta3dd_radps2": there.theta3.derivative(2),
        "F32_N": there.F.value, "alpha_rad": there.alpha.value,
        "alphad_radps": there.alpha.derivative(1), "alphadd_radps2": there.alpha.derivative(2),
        "A_Nm": there.A.value, "B_Nm": there.B.value, "theta2_1_per_m": first.theta2_1.value, "theta3_1_per_m": first.theta3_1.value,
        "Q_N": first.Q.value, "R_N": first.R.value, "F32_1_Npm": first.F_1.value, "alpha_1_radpm": first.alpha_1.value,
    }  # fmt: skip
    for mm in (0.1, 0.2):
        numbers = corrected(replace(config, clearance=mm * 1e-3), there)
        found |= {f"aq_{mm}mm_Nm": numbers.aq.value, f"br_{mm}mm_Nm": numbers.br.value}
    return found


def test_every_column_of_the_reference() -> None:
    wanted = reference()
    found = table(Config(), wanted["theta1_deg"])
    assert found.keys() == wanted.keys()
    for name, values in wanted.items():
        assert found[name] == pytest.approx(values, rel=1e-9), name


@st.composite
def linkages(draw: st.DrawFn) -> Config:
    """Cranks that turn all round, well away from dead points."""
    ground, coupler, rocker = draw(st.floats(0.15, 0.25)), draw(st.floats(0.17, 0.3)), draw(st.floats(0.17, 0.3))
    room = min(coupler + rocker - ground, ground - abs(coupler - rocker))
    return Config(
        crank_length=draw(st.floats(0.15, 0.8)) * room,
        coupler_length=coupler,
        rocker_length=rocker,
        ground_length=ground,
        coupler_mass=draw(st.floats(0.1, 2.0)),
        rocker_mass=draw(st.floats(0.1, 2.0)),
        coupler_centre=draw(st.floats(-0.1, 0.2)),
        rocker_centre=draw(st.floats(-0.1, 0.2)),
        coupler_inertia=draw(st.floats(1e-3, 1e-2)),
        rocker_inertia=draw(st.floats(1e-3, 1e-2)),
        gravity=draw(st.sampled_from([0.0, 9.81, -3.0])),
        speed=draw(st.floats(5.0, 100.0)),
    )


ANGLES = np.linspace(0.0, 2.0 * math.pi, 12, endpoint=False)


def closure(config: Config, there: Ideal) -> tuple[Jet, Jet]:
    lengths = (config.crank_length, config.coupler_length, config.rocker_length)
    x, y = ([length * part for length, part in zip(lengths, parts, strict=True)] for parts in (there.cosine, there.sine))
    return x[0] + x[1] + x[2] - config.ground_length, y[0] + y[1] + y[2]


@given(linkages())
def test_the_loop_is_closed_with_every_derivative_and_c_lies_left_of_b_to_d(config: Config) -> None:
    there = ideal(config, ANGLES)
    for part in closure(config, there):
        for k in range(part.order + 1):
            assert np.max(np.abs(part.derivative(k))) < 1e-8 * config.speed**k * 10.0**k
    assert np.all(there.sine_23.value > 0.0)


def energy(config: Config, there: Ideal) -> Jet:
    """Kinetic and potential energy of coupler and rocker."""
    l1, l3 = config.crank_length, config.rocker_length
    (c1, c2, _), (s1, s2, s3) = there.cosine, there.sine
    rate = there.theta2.rate()
    central = config.coupler_inertia - config.coupler_mass * config.coupler_centre**2
    x, y = (l1 * c1 + config.coupler_centre * c2).rate(), (l1 * s1 + config.coupler_centre * s2).rate()
    kinetic = 0.5 * config.coupler_mass * (x * x + y * y) + 0.5 * central * (rate * rate)
    kinetic = kinetic + 0.5 * config.rocker_inertia * (there.theta3.rate() * there.theta3.rate())
    height = config.coupler_mass * (l1 * s1 + config.coupler_centre * s2) - config.rocker_mass * (l3 - config.rocker_centre) * s3
    return kinetic + config.gravity * height


@given(linkages())
def test_energy_grows_by_what_the_crank_pin_gives_with_the_reaction_found(config: Config) -> None:
    """Newton for the coupler: the pin's force is m a_S - F e^{j alpha} - m g; its power is all that comes in."""
    there = ideal(config, ANGLES)
    (c1, c2, _), (s1, s2, _), (ca, sa) = there.cosine, there.sine, there.along
    x, y = config.crank_length * c1 + config.coupler_centre * c2, config.crank_length * s1 + config.coupler_centre * s2
    force_x = config.coupler_mass * x.rate().rate() - there.F * ca
    force_y = config.coupler_mass * (y.rate().rate() + config.gravity) - there.F * sa
    power = config.crank_length * (force_x * c1.rate() + force_y * s1.rate())
    grown = energy(config, there).rate()
    size = np.max(np.abs(power.value)) + np.max(np.abs(grown.value))
    assert np.max(np.abs(grown.value - power.value)) < 1e-9 * size


@pytest.mark.parametrize("name", ["theta2", "theta3", "F", "alpha", "A", "B"])
def test_the_derivatives_continue_the_function_to_their_order(name: str) -> None:
    config = Config()
    series = getattr(ideal(config, ANGLES), name)
    errors = []
    for step in (4e-4, 2e-4):
        there = getattr(ideal(config, ANGLES + config.speed * step), name).value
        errors.append(np.abs(there - np.polynomial.polynomial.polyval(step, series.coefficients)).max())
    assert math.log2(errors[0] / errors[1]) == pytest.approx(series.order + 1, abs=0.35)


@pytest.mark.parametrize("config", [Config(), FLAT, Config(speed=60.0, crank_length=0.04)])
@pytest.mark.parametrize("degrees", [150.0, 240.0])
def test_the_correction_is_right_to_first_order(config: Config, degrees: float) -> None:
    """Against the massless link, exact at any clearance: what is left over falls with the square of the clearance."""
    left = []
    for clearance in (2e-6, 1e-6):
        one = replace(config, start_angle=degrees * DEG, clearance=clearance)
        begun, there = massless_link.start(one), ideal(one, np.array(degrees * DEG))
        left.append(abs(begun.force - float(corrected(one, there).F.value)))
    assert math.log2(left[0] / left[1]) == pytest.approx(2.0, abs=0.1)


# g (m/s^2): crank angle (deg), F* (N), |alpha'/F*| of the minima
MINIMA = {
    9.81: ((98.297417, 3.182148, 29.48), (260.739612, 6.249059, 2.309), (341.211805, 1.554720, 312.7)),
}


def test_earles_wu_at_the_minima_of_the_ideal_force() -> None:
    found = minima(Config())
    assert len(found) == 3
    for one, (angle, force, value) in zip(found, MINIMA[9.81], strict=True):
        assert one.angle / DEG == pytest.approx(angle, abs=1e-5)
        assert one.force == pytest.approx(force, abs=1e-5)
        assert one.earles_wu == pytest.approx(value, rel=5e-4)


def test_without_gravity_the_minima_lie_where_the_paper_has_them() -> None:
    flagged = [one.angle / DEG for one in minima(FLAT)]
    assert min(abs(angle - 93.0) for angle in flagged) < 0.5
    assert min(abs(angle - 340.0) for angle in flagged) < 0.5


@given(linkages())
@settings(max_examples=times(8, thorough=20))
def test_minima_are_minima(config: Config) -> None:
    for one in minima(config):
        around = ideal(config, one.angle + np.array([-1e-3, 0.0, 1e-3])).F.value
        assert around[1] < around[0] and around[1] < around[2]


def test_li_bai_is_earles_wu_times_length_mass_and_clearance_factor() -> None:
    factor = (0.99 / 0.28 * (0.05 + 0.16 + 0.16) / 3 + 0.01) * (0.99 / 7.8 * 0.4 + 0.01)
    assert li_bai_factor(Config()) == pytest.approx(factor, rel=1e-12)
    assert li_bai_factor(Config(), 2.0) == pytest.approx(2 * factor, rel=1e-12)
    for one in minima(Config(), 0.5):
        assert one.li_bai == pytest.approx(0.5 * factor * one.earles_wu)
    with pytest.raises(ModelError, match="epsilon"):
        li_bai_factor(Config(), -1.0)


def test_the_nearest_zeros_of_aq_and_br() -> None:
    found = critical_points(Config(), 3.0 * DEG)
    assert found.nearest is not None
    assert np.degrees(found.nearest) == pytest.approx([339.908383, 342.134406], abs=2e-6)
    assert found.pairs == (found.nearest,)
    assert found.angles == [pytest.approx(0.5 * sum(found.nearest))]
    assert len(found.aq) > 1 and len(found.br) > 1


def test_simultaneous_is_a_matter_of_the_tolerance() -> None:
    apart_by = float(apart(*critical_points(Config(), 0.0).nearest or (0.0, 0.0)))
    assert critical_points(Config(), 0.99 * apart_by).angles == []
    assert len(critical_points(Config(), 1.01 * apart_by).angles) == 1
    everything = critical_points(Config(), math.pi)
    assert len(everything.pairs) == min(len(everything.aq), len(everything.br))
    with pytest.raises(ModelError, match="simultaneity"):
        critical_points(Config(), -0.1)


@pytest.mark.parametrize("clearance", quick([0.05e-3, 0.1e-3, 0.3e-3], 1))
@pytest.mark.parametrize("gravity", [0.0, 9.81])
def test_the_zeros_are_zeros(clearance: float, gravity: float) -> None:
    config = Config(gravity=gravity, clearance=clearance)
    found = critical_points(config, 0.05)
    for name, angles in (("aq", found.aq), ("br", found.br)):
        numbers = getattr(corrected(config, ideal(config, angles)), name)
        assert np.max(np.abs(numbers.value / numbers.derivative(1))) < 1e-13


@given(st.integers(1, 9), st.floats(0.0, 6.0), st.booleans())
def test_zeros_of_a_known_function(waves: int, phase: float, rising: bool) -> None:
    found = zeros(lambda angle: np.sin(waves * angle + phase), rising)
    assert len(found) == (waves if rising else 2 * waves)
    assert np.all(np.diff(found) > 0.0)
    assert np.abs(np.sin(waves * found + phase)).max() < 1e-12
    if rising:
        assert np.all(np.cos(waves * found + phase) > 0.0)


def test_the_expansion_says_where_it_is_not_valid() -> None:
    small, large = validity(Config(clearance=0.1e-3)), validity(FLAT)
    assert 2.9 < small.Rc_alpha1_max < 3.1
    assert validity(replace(FLAT, clearance=0.1e-3)).Rc_alpha1_max == pytest.approx(49.0, abs=1.0)
    assert large.Rc_alpha1_max == pytest.approx(2.0 * validity(replace(FLAT, clearance=0.1e-3)).Rc_alpha1_max)
    assert all(325.0 * DEG < low < 341.0 * DEG < high < 352.0 * DEG for low, high in [*small.doubtful, *large.doubtful])
    assert validity(Config(clearance=0.0)).doubtful == ()


def test_the_massless_link_starts_from_the_corrected_direction_and_pulls_first_where_it_should() -> None:
    begun = massless_link.start(FLAT)
    assert begun.alpha == pytest.approx(-2.26547342, abs=1e-8)
    assert begun.alpha_rate == pytest.approx(6.679754, abs=1e-6)
    found = massless_link.course(FLAT)
    assert found.loss is not None
    assert found.loss / DEG == pytest.approx(344.2335, abs=1e-3)
    assert found.angle[0] == FLAT.start_angle and found.angle[-1] == pytest.approx(found.loss)
    assert abs(found.force[-1]) < 1e-6 < found.force[:-1].min()


def test_the_massless_link_stays_near_the_ideal_joint_where_the_clearance_is_tiny() -> None:
    config = Config(clearance=1e-7, gravity=0.0)
    found = massless_link.course(config, 0.15)
    there = ideal(config, found.angle)
    assert found.loss is None
    assert np.abs(apart(there.alpha.value, found.alpha)).max() < 1e-4
    assert found.force == pytest.approx(there.F.value, rel=1e-4)


@pytest.mark.parametrize(("config", "named"), [(replace(FLAT, start_angle=340.0 * DEG), "start_angle 340 deg"),
                                               (replace(FLAT, clearance=0.0), "clearance")])  # fmt: skip
def test_a_start_that_is_none_is_refused(config: Config, named: str) -> None:
    with pytest.raises((InconsistentStart, ModelError), match=named):
        massless_link.start(config)


@each_row(
    ("wrong", "named"),
    [
        ({"crank_length": 0.13}, "crank_length: the linkage cannot close at crank angle 180"),
        ({"coupler_length": 0.02}, "crank_length: the linkage cannot close at crank angle 180"),
        ({"rocker_length": 0.335}, "crank_length: the linkage cannot close at crank angle 0"),
        ({"crank_length": 0.12}, "dead point at crank angle 180"),
        ({"crank_length": 0.2, "coupler_length": 0.3, "rocker_length": 0.3}, "dead point at crank angle 0"),
        ({"coupler_mass": -0.4}, "coupler_mass"),
        ({"rocker_mass": math.nan}, "rocker_mass"),
        ({"rocker_inertia": 0.0}, "rocker_inertia"),
        ({"clearance": 0.01}, "clearance: expected at least 0 and less than the bearing's radius, 10 mm"),
        ({"clearance": -1e-4}, "clearance"),
        ({"speed": 0.0}, "speed"),
        ({"start_angle": math.inf}, "start_angle"),
        ({"friction": -0.1}, "friction"),
        ({"friction_none_below": 0.1}, "friction_none_below"),
    ],
)
def test_a_linkage_that_cannot_be_is_refused_by_name(wrong: dict[str, Any], named: str) -> None:
    with pytest.raises(ValueError, match=named):
        Config(**wrong)


def test_dead_points_within_the_clearance_count() -> None:
    Config(crank_length=0.1198, clearance=0.1e-3)
    with pytest.raises(ValueError, match="dead point"):
        Config(crank_length=0.11995, clearance=0.1e-3)
