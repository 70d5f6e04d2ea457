"""What all mechanisms have in common that samples drive: the drives' setpoints, constant speed, rest, energy, cuts, refusals."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numba.core.dispatcher import Dispatcher
from numpy.typing import NDArray

from model.errors import ModelError
from tests.each_row import each_row
from tests.tiers import quick
from tests.unit.model.mechanisms.driven_cases import CASES, Case, run

Floats = NDArray[np.float64]

FEW = (
    "four-bar", "slider-crank, rod_slider, 50 and 50 um", "slider-crank described, rod_slider, 50 and 0 um",
    "slider-bar, as it is", "3-RRPaR, both pins", "flexible 3-RRPaR, reduced", "flexible 3-RRPaR, elements",
    "flexible slider-crank, leapfrog, 50 and 50 um",
)  # fmt: skip
every = each_row("case", CASES, ids=str)
one_of_each = pytest.mark.parametrize("case", quick(CASES, [case for case in CASES if case.name in FEW]), ids=str)
"""Mechanism, in motion; what else may be chosen of it waits for `make soak`."""


def sizes(case: Case, values: Floats) -> Floats:
    """Of each quantity: its largest; of those that are next to nothing their unit, of lengths a micrometre."""
    least = [1e-6 if unit == "m" else 1.0 for _, unit in case.config.channels]
    return np.maximum(np.abs(values).max(axis=0), least)


def looked_at(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """What numba asks for its type from now on."""
    looked: list[object] = []
    asked = Dispatcher.typeof_pyval

    def noted(dispatcher: Any, value: object) -> object:
        looked.append(value)
        return asked(dispatcher, value)

    monkeypatch.setattr(Dispatcher, "typeof_pyval", noted)
    return looked


@every
def test_the_drives_have_the_slopes_of_their_setpoints(case: Case) -> None:
    path = {"path": case.keys["path"]} if "path" in case.keys else {}
    s, h = case.begin + np.linspace(0.0, case.way, 40), 1e-5
    positions, slopes = case.config.setpoints(s, **path)
    assert positions.shape == slopes.shape == (40, len(case.config.setpoint_channels))
    assert case.config.course_unit in ("rad", "s")
    before, after = (case.config.setpoints(s + d, **path)[0] for d in (-h, h))
    assert slopes == pytest.approx((after - before) / (2.0 * h), abs=1e-6)


@every
def test_a_sample_source_that_there_is_not_is_refused_in_words(case: Case) -> None:
    with pytest.raises(ModelError, match=f"unknown input 'stroke' of the .*expected one of {', '.join(case.config.course_sources)}"):
        case.stepper("stroke")


@one_of_each
@pytest.mark.parametrize("which", [0, -1])
def test_how_the_samples_are_cut_does_not_matter(case: Case, which: int) -> None:
    samples = case.samples()[: round(0.4 * case.time * case.rate)]
    source = case.config.course_sources[which]
    whole = run(case.stepper(source, tolerance=1e-6), samples)
    assert np.array_equal(whole, run(case.stepper(source, tolerance=1e-6), samples, cut=7))


@one_of_each
def test_a_block_of_samples_is_not_searched_for_types(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    """Numba does where a compiled function is called as it is and takes others as arguments: for longer than a block may last."""
    samples, size = case.samples(), 20
    stepper = case.stepper(case.config.course_sources[0], tolerance=1e-6)
    ahead = stepper.lookahead
    stepper.start(samples[:ahead])
    stepper.advance(samples[ahead : ahead + size])
    looked = looked_at(monkeypatch)
    stepper.advance(samples[ahead + size : ahead + 2 * size])
    assert not looked


def test_a_plain_call_is_searched_for_types(monkeypatch: pytest.MonkeyPatch) -> None:
    """The control: the equations of motion, as a benchmark has them evaluated, are called as they are."""
    case = next(case for case in CASES if case.name == "four-bar")
    stepper = case.stepper(case.config.course_sources[0])
    stepper.start(case.samples()[: stepper.lookahead])
    looked = looked_at(monkeypatch)
    stepper.evaluate(1)
    assert looked


@one_of_each
def test_samples_of_constant_speed_move_it_as_constant_speed_does(case: Case) -> None:
    """From the start of constant speed: its state, contacts open where both have them open (without gravity)."""
    steady = case.stepper("", **case.level)
    driven = case.stepper("command", **case.level)
    count = round(case.compared * case.time * case.rate)
    wanted = run(steady, np.zeros(steady.lookahead + count))
    steady.start(np.zeros(steady.lookahead))
    state = steady.state if case.takes_state and len(getattr(steady, "state", ())) else None
    speed = case.speed(case.config)
    found = run(driven, speed * np.arange(driven.lookahead + count) / case.rate, state=state)
    assert np.all(np.abs(found - wanted).max(axis=0) < case.alike * sizes(case, wanted))


@pytest.mark.parametrize("case", [case for case in CASES if case.smooth], ids=str)
def test_errors_fall_with_the_square_of_the_samples_distance(case: Case) -> None:
    """The cubic's second derivative is second order; against samples 32 times as close."""
    rates = [20.0 * factor / case.time for factor in (1, 2, 4, 32)]
    *coarse, exact = (run(case.stepper("command", rate, 1e-11), case.samples(rate)) for rate in rates)
    errors = []
    for factor, values in zip((1, 2, 4), coarse, strict=True):
        steps = range(2 * factor, 16 * factor)
        errors.append(np.abs(values[steps] - exact[[step * 32 // factor for step in steps]]) / sizes(case, exact))
    total = [error.max() for error in errors]
    assert total[0] < 0.2
    assert np.log2(total[0] / total[2]) / 2.0 == pytest.approx(2.0, abs=0.4)


@one_of_each
def test_it_rests_where_its_samples_rest(case: Case) -> None:
    stepper = case.stepper("command")
    values = run(stepper, np.full(stepper.lookahead + round(0.2 * case.time * case.rate), case.begin + case.still * case.way))
    assert np.all(np.ptp(values, axis=0) < case.rest * sizes(case, values))


@one_of_each
def test_samples_move_it_from_rest_and_back_to_rest(case: Case) -> None:
    """Its first drive follows the samples, and a quantity that it predicts is there at all of them."""
    samples = case.samples()
    values = run(case.stepper("command", tolerance=1e-6), samples)
    assert np.all(np.isfinite(values))
    names = [name for name, _ in case.config.channels]
    for name in {"crank_angle", "theta1"} & set(names):
        keys: dict[str, Any] = {key: value for key, value in case.keys.items() if key == "path"}
        setpoint = case.config.setpoints(samples[: len(values)], **keys)[0][:, 0]
        assert values[:, names.index(name)] == pytest.approx(setpoint, abs=case.follows)
