"""Every statement that holds can fail: with a changed parameter, or a changed law, its verdict is another."""

import importlib
from collections.abc import Callable
from types import ModuleType

import numpy as np
import pytest

from rig.reproduction import chen2026, hu2016_law, wang2017, zhang1995_run
from rig.reproduction.claims import claims
from rig.reproduction.judging import NOT, REPRODUCED, judge
from rig.reproduction.study import Study
from tests.tiers import quick

NO_CLEARANCE = ("mechanism.clearance=0 mm",)
UNDAMPED = ("mechanism.fixture_damping=0 N*s/m", "mechanism.contact.restitution=1")
PRINTED_INERTIA = ("mechanism.coupler_inertia=884e-6 kg*m^2", "mechanism.rocker_inertia=884e-6 kg*m^2")
STUDIES: dict[str, Study] = {}
ONE_OF_EACH = (
    ("hu2016", "distorted_servo", NO_CLEARANCE),
    ("hu2016", "at_reversal_servo", ("mechanism.servo.speed=0.1 m/s",)),
    ("hu2016", "steady_servo", UNDAMPED),
    ("zhang1995", "accelerations_differ_lying", PRINTED_INERTIA),
    ("chen2026", "rigid_velocity_settles", NO_CLEARANCE),
    ("wang2017", "peaks_grow", ("mechanism.clearance=0.05 mm", "mechanism.guide_clearance=0.05 mm")),
)
"""Of each paper, and of its kinds of statements; the same of other sources waits for `make soak`."""


def verdict(paper: str, name: str, *settings: str) -> str:
    """Of one statement at usual steps; the runs of a paper's usual settings are made once."""
    study = Study(settings) if settings else STUDIES.setdefault(paper, Study())
    claim = {claim.id: claim for claim in claims(paper)}[name]
    return judge(claim, importlib.import_module(f"rig.reproduction.{paper}").STATEMENTS[name](study).value)[0]


@pytest.mark.parametrize(
    ("paper", "name", "settings"),
    quick(
        [
            *(
                ("hu2016", f"{name}_{source}", NO_CLEARANCE)
                for name in ("distorted", "burrs", "burrs_fade", "extra_load")
                for source in ("ideal", "flow_limited", "servo")
            ),
            ("hu2016", "at_reversal_servo", ("mechanism.servo.speed=0.1 m/s",)),
            *(("hu2016", f"steady_{source}", UNDAMPED) for source in ("ideal", "servo")),
            ("zhang1995", "accelerations_differ_lying", PRINTED_INERTIA),
            ("wang2017", "peaks_grow", ("mechanism.clearance=0.05 mm", "mechanism.guide_clearance=0.05 mm")),
            ("chen2026", "rigid_velocity_settles", NO_CLEARANCE),
        ],
        ONE_OF_EACH,
    ),
)
def test_a_changed_mechanism_has_another_verdict(monkeypatch: pytest.MonkeyPatch, paper: str, name: str, settings: tuple[str, ...]) -> None:
    monkeypatch.setattr(wang2017, "MEMBERS", 1)
    assert verdict(paper, name) == REPRODUCED
    assert verdict(paper, name, *settings) == NOT


@pytest.mark.long
def test_rods_of_one_stiffness_have_one_band(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wang2017, "MEMBERS", 1)
    assert verdict("wang2017", "bands_rise", "mechanism.rod.youngs_modulus=20 GPa") == NOT


@pytest.mark.parametrize(("which", "name"), quick([(1, "smaller_clearance_position"), (2, "smaller_clearance_velocity")], 1))
def test_a_clearance_that_is_held_has_no_trend(which: int, name: str) -> None:
    """With rigid bars, which take a tenth of the time; the measure is the same."""
    claim = {claim.id: claim for claim in claims("chen2026")}[name]
    statement = chen2026._by_clearance(chen2026.RIGID, which)
    assert judge(claim, statement(STUDIES.setdefault("chen2026", Study())).value)[0] == REPRODUCED
    assert judge(claim, statement(Study(("mechanism.clearance=0.1 mm",))).value)[0] == NOT


@pytest.mark.parametrize(
    ("paper", "name", "settings"),
    [
        ("zhang1995", "expansion_lying", ("mechanism.clearance=1e-4 mm",)),
        ("chen2026", "rigid_position", ("mechanism.clearance=0.1 mm",)),
    ],
)
def test_what_does_not_hold_could(paper: str, name: str, settings: tuple[str, ...]) -> None:
    assert verdict(paper, name) == NOT
    assert verdict(paper, name, *settings) == REPRODUCED


def impact(speed: float, damping: float) -> hu2016_law.Impact:
    return hu2016_law.Impact(1e10, 1.5, 1.0, speed, damping)


@pytest.mark.parametrize(
    ("name", "module", "attribute", "other"),
    [
        ("nearest_function", hu2016_law, "_profile", lambda _impact, shares=hu2016_law.SHARES: 1.0 - shares),
        ("examples_alike", hu2016_law, "EXAMPLES", {"fast": impact(0.8, 0.1), "slow": impact(0.1, 5.0)}),
        ("phases_alike", hu2016_law, "EXAMPLES", {"fast": impact(0.8, 2.0), "slow": impact(0.1, 2.0)}),
        ("restitution_best", hu2016_law, "OWN", "lee_wang"),
        ("improved", hu2016_law, "OWN", "lankarani_nikravesh"),
    ],
)
def test_another_law_has_another_verdict(
    monkeypatch: pytest.MonkeyPatch, name: str, module: ModuleType, attribute: str, other: object
) -> None:
    assert verdict("hu2016", name) == REPRODUCED
    monkeypatch.setattr(module, attribute, other)
    assert verdict("hu2016", name) == NOT


def test_a_law_holds_in_its_range_only() -> None:
    claim = {claim.id: claim for claim in claims("hu2016")}["flores_range"]
    assert judge(claim, hu2016_law._range("flores")(Study()).value)[0] == REPRODUCED
    assert judge(claim, hu2016_law._range("lankarani_nikravesh")(Study()).value)[0] == NOT


def test_recovery_is_what_an_integration_of_it_gives() -> None:
    """m v dv/ddelta = -K delta^n (1 + a v/v0), from the deepest point out, by SciPy in units of v0 and delta_max."""
    from scipy.integrate import solve_ivp

    one = impact(1.0, 0.3)
    depth = one.largest_penetration
    force = one.stiffness * depth**1.5 * depth / one.mass  # of v^2/2, per share

    def rates(_time: float, state: np.ndarray) -> list[float]:
        share, speed = state  # speed is that of the parting bodies
        return [-speed, force * max(share, 0.0) ** 1.5 * (1.0 - one.damping * speed)]

    def left(_time: float, state: np.ndarray) -> float:
        return float(state[0] - 0.3)

    left.terminal = True  # type: ignore[attr-defined]
    found = solve_ivp(rates, (0.0, 100.0 / np.sqrt(force)), [1.0, 0.0], events=left, rtol=1e-10, atol=1e-12)
    speed = found.y_events[0][0, 1]
    assert hu2016_law._recovery(one, np.array([0.3]))[0] == pytest.approx(speed / one.restitution, rel=1e-6)


def test_more_exact_needs_a_place_that_is_predicted(monkeypatch: pytest.MonkeyPatch) -> None:
    assert verdict("zhang1995", "more_exact_lying") == REPRODUCED
    monkeypatch.setattr(zhang1995_run, "SIMULTANEOUS", 0.0)  # no two zeros are one
    assert verdict("zhang1995", "more_exact_lying") == NOT


def test_the_count_of_constraints_is_that_with_clearance(monkeypatch: pytest.MonkeyPatch) -> None:
    assert verdict("chen2026", "constraints") == REPRODUCED
    whole = chen2026.bodies.system
    monkeypatch.setattr(chen2026.bodies, "system", lambda mechanism, path, clearance: whole(mechanism, path, clearance=False))
    assert verdict("chen2026", "constraints", "mechanism.friction=0.05") == NOT


class Turns:
    """A run of three turns at 100 Hz, one a second."""

    rate = 100.0
    time = np.arange(301) / 100.0


@pytest.mark.parametrize(
    ("shape", "settles", "comes_again"),
    [
        (lambda t: np.where(t < 0.5, 2.0, 1.0) * np.sin(2.0 * np.pi * t), REPRODUCED, REPRODUCED),
        (lambda t: (1.0 + 0.2 * t) * np.sin(2.0 * np.pi * t), NOT, NOT),
    ],
)
def test_settling_and_coming_again(
    monkeypatch: pytest.MonkeyPatch, shape: Callable[[np.ndarray], np.ndarray], settles: str, comes_again: str
) -> None:
    off = np.tile(shape(Turns.time)[:, None], (1, 3))
    monkeypatch.setattr(chen2026, "strayed", lambda *_: (Turns(), off, off, off))
    found = {claim.id: claim for claim in claims("chen2026")}
    for name in ("flexible_settles", "flexible_wide_settles"):
        assert judge(found[name], chen2026.STATEMENTS[name](Study()).value)[0] == settles
    assert judge(found["rigid_acceleration_periodic"], chen2026.STATEMENTS["rigid_acceleration_periodic"](Study()).value)[0] == comes_again
