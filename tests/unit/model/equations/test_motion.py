"""Mechanisms in motion by equations generated for them: beside those derived by hand, beside the tables, and what is left to these."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from model.assembly.description import Body, Point
from model.assembly.drives import angle_formula
from model.assembly.elements import Elements, Frame, Spring
from model.assembly.joints import revolute
from model.contact import laws
from model.equations import absolute
from model.equations.source import written
from model.errors import NotConverged
from model.integrators import dop853
from model.joints.contact import EACH
from model.mechanisms import slider_crank as by_hand
from model.mechanisms.planar import Config, generated
from model.mechanisms.planar import stepper as tables
from rig.config import kinds
from tests.documented_files import shown
from tests.unit.model.assembly.test_elements import parallelogram
from tests.unit.model.equations.compared import Beside
from tests.unit.model.mechanisms.planar.described import slider_crank
from tests.unit.model.mechanisms.planar.test_published import four_bars
from tests.unit.rig.own_folder import own_room

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
        (
            replace(slider_crank(BY_HAND), joints=(revolute.Config("shaft", ("ground.origin", "crank.origin"), 0.1, radius=0.01),)),
            "dry friction",
        ),
        (replace(slider_crank(BY_HAND), equations="tables"), "by tables"),
        (
            replace(slider_crank(BY_HAND), drives=(angle_formula.Config("motor", "crank", "5*t"),)),
            "by tables: drive motor has a course or shape that is a function, for which no equations are generated; ",
        ),
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
    assert isinstance(made, tables.PlanarStepper) and "force leaf has an element of another kind (Sprung)" in made.equations
    assert made.equations.endswith('mechanism.equations = "tables" asks for it')


@pytest.fixture
def kelvin(tmp_path: Path) -> Iterator[Path]:
    """The file of the manual's law of another form, which is found by its name."""
    with own_room("model.contact.other_laws", tmp_path) as folder:
        laws.find.cache_clear()
        file = folder / "kelvin.py"
        file.write_text(shown("your_own_kinds.md")["A contact law"])
        kinds.names("model.contact.other_laws")  # it is looked for where the settings say
        yield file
    laws.find.cache_clear()


def pressed_by(law: str) -> Config:
    config = slider_crank(BY_HAND, OUTPUTS)
    return replace(config, contact=replace(config.contact, law=law, exponent=1.0, stiffness=1e8))


def off_while_pressed(beside: Beside, other: Beside, seed: int) -> float:
    """Largest difference of the tables of `beside` and the source of `other`, share of the largest: near the start, the pin pressed."""
    rng = np.random.default_rng(seed)
    _, _, s, u = beside.state(rng, 0.0)
    y = absolute.coordinates(beside.plan.tree, beside.tables.rest(np.zeros(beside.tables.lookahead))[0])
    half = len(y) // 2
    y[:half] += 1e-4 * rng.normal(size=half)
    y[half:] += rng.normal(size=half)
    s[EACH - 1] = 1.3
    expected, found = beside.by_tables(0.0, y, s, u)[0], other.by_source(0.0, y, s, u)[0]
    assert np.isfinite(expected).all()
    return float(np.max(np.abs(found - expected)) / np.max(np.abs(expected)))


@pytest.mark.usefixtures("kelvin")
def test_a_law_of_another_form_is_built_in() -> None:
    beside, of_family = Beside(pressed_by("kelvin")), Beside(pressed_by("lankarani_nikravesh"))
    assert max(off_while_pressed(beside, beside, seed) for seed in range(10)) < 1e-10
    assert max(off_while_pressed(of_family, beside, seed) for seed in range(10)) > 1e-3, "another law's source"


@pytest.mark.usefixtures("kelvin")
def test_it_moves_as_by_the_tables() -> None:
    stepper, found = run(pressed_by("kelvin"), np.zeros(100))
    _, expected = run(replace(pressed_by("kelvin"), equations="tables"), np.zeros(100))
    assert stepper.equations == "generated" and stepper.events and np.max(found[:, OUTPUTS.index("pin_force")]) > 100.0
    for column, other in zip(found.T, expected.T, strict=True):
        assert column == pytest.approx(other, abs=1e-6 * np.max(np.abs(other)))


def test_source_goes_by_the_file_of_the_law_that_is_built_in(kelvin: Path) -> None:
    def source() -> str:
        config = pressed_by("kelvin")
        return written(generated.plan_of(config, tables.stepper(config, dop853.Config(), RATE))).text

    before = source()
    assert source() == before
    kelvin.write_text(kelvin.read_text() + "# another one\n")
    assert source() != before


def test_a_law_without_a_name_or_a_file_is_left_to_the_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    config = slider_crank(BY_HAND)
    made = tables.stepper(config, dop853.Config(), RATE)
    made.law = laws.Law(lambda e: 0.0, made.system.violated).force  # type: ignore[arg-type]
    with pytest.raises(generated.Uncovered, match="no name"):
        generated.plan_of(config, made)
    monkeypatch.setattr(laws, "find", lambda name: laws.Law(lambda e: 0.0, len))  # type: ignore[arg-type]
    made.law = len  # type: ignore[assignment]
    with pytest.raises(generated.Uncovered, match="without a file"):
        generated.plan_of(config, made)


@pytest.mark.parametrize("pin", ["first foot", "second head"])
def test_a_pin_that_is_given_twice_changes_no_motion(pin: str) -> None:
    """Equations that are generated had a row of nothing for it, and forces that were no numbers."""
    config = parallelogram(2, outputs=("second_angle", "table_x", "motor_torque"))
    again = replace(next(joint for joint in config.joints if joint.name == pin), name="again")
    stepper, found = run(replace(config, joints=(*config.joints, again)), np.zeros(2000))
    once, expected = run(config, np.zeros(2000))
    assert stepper.equations.startswith(f"by tables: {pin} holds together what other joints hold together at the same place")
    assert once.equations == "generated"
    assert stepper.redundancy.rows - stepper.redundancy.rank == 2
    assert found == pytest.approx(expected, abs=1e-6)


TURNED = ("first_angle", "second_angle", "table_x", "table_y", "motor_torque")


@pytest.mark.parametrize("start", [0.3, 0.7, 1.9, -2.0])
def test_rows_that_follow_from_others_share_their_forces(start: float) -> None:
    """Motion and the drive's torque are the tables'; the forces on the table by its three cranks are so together, not one by one."""
    beside = Beside(parallelogram(3, start))
    assert beside.plan.redundant == 1 and Beside(parallelogram(2, start)).plan.redundant == 0
    _, _, s, u = beside.state(np.random.default_rng(1), 0.0)
    y = absolute.coordinates(beside.plan.tree, beside.tables.rest(np.zeros(beside.tables.lookahead))[0])
    (expected, rates), (found, own) = beside.by_tables(0.0, y, s, u), beside.by_source(0.0, y, s, u)
    assert own == pytest.approx(rates, abs=1e-7 * np.max(np.abs(rates)))
    torque = beside.names.index("motor_torque")
    assert found[torque] == pytest.approx(expected[torque], rel=1e-7)
    for along in "xy":
        heads = [beside.names.index(f"{name} head_force_{along}") for name in ("first", "second", "third")]
        assert np.sum(found[heads]) == pytest.approx(np.sum(expected[heads]), abs=1e-7 * np.max(np.abs(expected)))
        assert found[heads] != pytest.approx(expected[heads], rel=1e-3), "the tables leave one row out"


def test_a_redundant_linkage_moves_as_by_the_tables() -> None:
    config = parallelogram(3, outputs=TURNED)
    stepper, found = run(config, np.zeros(2000))
    _, expected = run(replace(config, equations="tables"), np.zeros(2000))
    assert stepper.equations == "generated" and "the joints' forces are not" in stepper.remarks[-1]
    for column, other in zip(found.T, expected.T, strict=True):
        assert column == pytest.approx(other, abs=1e-7 * np.max(np.abs(other)))


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
