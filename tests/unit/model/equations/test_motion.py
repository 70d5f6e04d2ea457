"""Mechanisms in motion by equations generated for them: beside those derived by hand, beside the tables, and what is left to these."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pytest
from numpy.typing import NDArray

from model.assembly.description import Body, Point
from model.assembly.elements import Elements, Frame, Spring
from model.assembly.joints import revolute
from model.contact import laws
from model.equations.source import written
from model.errors import NotConverged
from model.integrators import dop853
from model.mechanisms import slider_crank as by_hand
from model.mechanisms.planar import Config, generated
from model.mechanisms.planar import stepper as tables
from tests.unit.model.assembly.test_elements import parallelogram
from tests.unit.model.mechanisms.planar.described import slider_crank
from tests.unit.model.mechanisms.planar.test_published import four_bars

Floats = NDArray[np.float64]
FINE = dop853.Config(tolerance=1e-11)
RATE = 1e5
BY_HAND = by_hand.Config(guide_clearance=0.0, friction=0.0)
RUBBING = revolute.Config("shaft", ("ground.origin", "crank.origin"), 0.1, radius=0.01)
OUTPUTS = ("crank_angle", "slider_x", "slider_vx", "motor_torque", "pin_penetration", "pin_force")


def run(config: by_hand.Config | Config, samples: Floats, source: str = "") -> tuple[generated.GeneratedStepper, Floats]:
    stepper = config.create(FINE, RATE, source)
    stepper.start(samples[: stepper.lookahead])
    return stepper, stepper.advance(samples[stepper.lookahead :])  # type: ignore[return-value]


def test_the_slider_crank_moves_as_the_equations_by_hand_have_it() -> None:
    """Over ten impacts, each of which makes what is off about three times larger: 1e-11 grows to 1e-6."""
    stepper, found = run(slider_crank(BY_HAND, OUTPUTS), np.zeros(400))
    other, expected = run(BY_HAND, np.zeros(400))
    assert stepper.equations == "generated" and len(stepper.events) > 10
    assert [event.time for event in stepper.events[:3]] == pytest.approx([event.time for event in other.events[:3]], abs=1e-12)
    for k, column in enumerate((0, 2, 3, 1, 4, 5)):  # angle, position, velocity, torque, penetration, force
        assert found[:, k] == pytest.approx(expected[:, column], abs=1e-6 * np.max(np.abs(expected[:, column])))


def test_samples_lead_it_and_it_starts_at_rest_on_its_weight() -> None:
    """Beside the tables, whose drive lags behind the jumps of the cubics' second derivative; within what that lag makes of the force."""
    heavy = replace(slider_crank(BY_HAND, ("crank_angle", "rod_angle", "pin_force")), gravity=9.81)
    samples = 0.4 + 2.0 * np.linspace(0.0, 0.02, 2000) ** 3 / 0.02**2
    stepper, found = run(heavy, samples, "command")
    _, expected = run(replace(heavy, equations="tables"), samples, "command")
    assert stepper.equations == "generated"
    assert found[0] == pytest.approx(expected[0], rel=1e-6) and found[0, 2] > 0.1
    assert found[:, 0] == pytest.approx(samples[: len(found)], abs=1e-14)
    assert found[:, 1] == pytest.approx(expected[:, 1], abs=1e-7)


def test_its_state_is_that_of_the_bodies() -> None:
    """What ensembles ask: the state is put out, and taken, as the tables have it."""
    config = slider_crank(BY_HAND, OUTPUTS)
    own, other = config.create(FINE, RATE), replace(config, equations="tables").create(FINE, RATE)
    assert isinstance(own, generated.GeneratedStepper) and isinstance(other, tables.PlanarStepper)
    nothing = np.zeros(own.lookahead)
    own.start(nothing)
    aside = own.state + 0.1 * own.usual * np.cos(np.arange(len(own.state)))
    found = []
    for stepper in (own, other):
        stepper.start(nothing, aside)
        found.append(stepper.advance(np.zeros(5)))
    assert found[0][:, 1:3] == pytest.approx(found[1][:, 1:3], rel=1e-9)
    assert found[0][0, 1] != pytest.approx(slider_crank_at_rest(config), abs=1e-7)  # it has been put aside
    gap, rate, _ = own.system.violated(own.time, *np.split(own.state, 2))
    assert np.max(np.abs(gap)) < 1e-15 and np.max(np.abs(rate)) < 1e-12


def slider_crank_at_rest(config: Config) -> float:
    """Where the slider begins, m."""
    return float(run(config, np.zeros(200))[1][0, 1])


def test_a_pin_that_is_crushed_is_named() -> None:
    """Beyond its reach by samples that take the crank around while the slider's guide ends nowhere: too fast for any pin to bear."""
    samples = 0.4 + np.linspace(0.0, 1.0, 2000) ** 2 * 3000.0
    with pytest.raises(NotConverged, match="joint pin is crushed"):
        run(slider_crank(BY_HAND, ("crank_angle", "rod_angle", "pin_force")), samples, "command")


@pytest.mark.parametrize(
    ("config", "why"),
    [
        (parallelogram(3), "follow from others"),
        (
            replace(slider_crank(BY_HAND), joints=(revolute.Config("shaft", ("ground.origin", "crank.origin"), 0.1, radius=0.01),)),
            "dry friction",
        ),
        (replace(slider_crank(BY_HAND), equations="tables"), "by tables"),
    ],
)
def test_what_is_left_to_the_tables_is_told(config: Config, why: str) -> None:
    made = config.create(dop853.Config(), RATE)
    assert isinstance(made, tables.PlanarStepper) and not isinstance(made, generated.GeneratedStepper)
    assert made.equations.startswith("by tables") and why in made.equations


@dataclass(frozen=True)
class Sprung(Spring):
    """An element of a kind that there may be one day."""

    hysteresis: float = 0.0


@dataclass(frozen=True)
class Leaf:
    name: str

    def elements(self, frame: Frame) -> Elements:
        i, j = frame.pair(("ground.origin", "bar.P"))
        return Elements(springs=(Sprung(i, j, 1.0, 0.0, 0.0, hysteresis=0.1),))


def test_an_element_that_is_not_known_is_left_to_the_tables() -> None:
    bar = Body("bar", 1.0, 0.1, points=(Point("P", 0.3, 0.1),))
    config = Config((bar,), (revolute.Config("pin", ("ground.origin", "bar.origin")),), forces=(Leaf("leaf"),))
    made = config.create(dop853.Config(), RATE)
    assert isinstance(made, tables.PlanarStepper) and "Sprung" in made.equations


def test_a_law_of_another_form_is_left_to_the_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    config = slider_crank(BY_HAND)
    made = tables.stepper(config, dop853.Config(), RATE)
    made.law = laws.Law(lambda e: 0.0, made.system.violated).force  # type: ignore[arg-type]
    with pytest.raises(generated.Uncovered, match="another form"):
        generated.plan_of(config, made)


def test_mechanisms_that_differ_in_their_numbers_share_their_source() -> None:
    def source(like: by_hand.Config) -> tuple[str, list[float]]:
        config = slider_crank(like, OUTPUTS)
        made = written(generated.plan_of(config, tables.stepper(config, dop853.Config(), RATE)))
        return made.text, made.parameters.tolist()

    (text, numbers), (same, others) = source(BY_HAND), source(replace(BY_HAND, clearance=0.11e-3, speed=77.0))
    assert text == same and numbers != others
    assert source(replace(BY_HAND, gravity=9.81))[0] != text  # a term more


@pytest.mark.parametrize("count", [1, 2])
def test_four_bars_that_come_to_a_singular_pose_tell_of_it(count: int) -> None:
    """All of their equal bars are flat at the same time; whether a step comes near enough for it to matter is the solver's to choose."""
    made = four_bars(count).create(dop853.Config(tolerance=1e-9, longest_step=1e-2), 100.0)
    assert isinstance(made, generated.GeneratedStepper)
    made.start(np.zeros(made.lookahead))
    before = made.remarks
    made.advance(np.zeros(20))
    assert made.remarks == before, "nothing yet"
    made.advance(np.zeros(320))
    assert "singular pose" in made.remarks[-1] and "look at its angles" in made.remarks[-1]
