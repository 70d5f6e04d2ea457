"""An error of what leads the model, told from a line that is late: by the other channels, by the way up, by the sign of the speed."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from rig.comparison.causes import Cause, likely_cause
from rig.comparison.evidence import Evidence
from rig.comparison.leading import LED_LATE, Lead, of_all
from rig.comparison.series import Floats
from rig.comparison.shapes import LATE, OFF

RATE, TURN = 2_000.0, 2.0 * np.pi
T = np.arange(int(6.0 * RATE)) / RATE
RISE = 2.0  # s, to 5 turns a second
TURNED = TURN * 5.0 * np.where(T < RISE, 0.5 * T**2 / RISE, T - 0.5 * RISE)
CYCLE = np.where(T < RISE, -1.0, np.floor((TURNED - TURNED[int(RISE * RATE)]) / TURN))
FIRST = 2.0
Signal = Callable[[Floats], Floats]


def torque(theta: Floats) -> Floats:
    """Of inertia, so with the square of the speed."""
    speed = np.gradient(theta, T) / (TURN * 5.0)
    return speed**2 * (3.0 * np.sin(2.0 * theta) + np.sin(3.0 * theta + 0.5))


def acceleration(theta: Floats) -> Floats:
    speed = np.gradient(theta, T) / (TURN * 5.0)
    return speed**2 * (80.0 * np.cos(theta) + 30.0 * np.cos(2.0 * theta + 1.0))


def later(x: Floats, seconds: float) -> Floats:
    return np.interp(T - seconds, T, x)


def shown(measured: dict[str, Floats], theta: Floats, x: Floats, cycle: Floats = CYCLE) -> tuple[Evidence, Lead]:
    """theta: what the model was led by; with 1 % of noise in what is measured."""
    rng = np.random.default_rng(3)
    predicted = {"torque": torque(theta), "acceleration": acceleration(theta)}
    noisy = {name: y + 0.01 * np.std(y) * rng.standard_normal(len(y)) for name, y in measured.items()}
    return Evidence(RATE, 0.0, x, cycle, FIRST, noisy, predicted), Lead("crank_angle", "rad", x)


def cause(seen: Evidence, lead: Lead, name: str = "torque") -> Cause:
    part = seen.counted
    found = likely_cause(seen.measured[name][part], seen.predicted[name][part], {}, seen.cycle[part], RATE, None, lead.shape(part))
    return of_all(found, seen, name, lead)


RIGHT = {"torque": torque(TURNED), "acceleration": acceleration(TURNED)}


@pytest.mark.parametrize("degrees", [3.0, -1.0])
def test_an_index_that_is_off_is_named_with_its_angle(degrees: float) -> None:
    """The model is where the encoder says, that many degrees too far; of one degree the noise leaves little on the way up."""
    seen, lead = shown(RIGHT, TURNED + np.radians(degrees), TURNED + np.radians(degrees))
    for name in RIGHT:
        found = cause(seen, lead, name)
        assert OFF in found.named and LATE not in found.named
        assert degrees < 0.0 or found.named == (OFF,)
        assert np.isclose(np.degrees(found.off), degrees, rtol=0.03)


def test_a_line_that_is_late_is_late_alone() -> None:
    """As much as 3 deg at speed are: 1.67 ms."""
    seen, lead = shown({**RIGHT, "torque": later(RIGHT["torque"], 1.67e-3)}, TURNED, TURNED)
    assert cause(seen, lead).words == LATE


def test_an_encoder_that_is_read_late_is_no_index() -> None:
    early = later(TURNED, 1.67e-3)
    seen, lead = shown(RIGHT, early, early)
    assert all(cause(seen, lead, name).words == LED_LATE for name in RIGHT)


def test_without_a_way_up_and_another_channel_both_are_named() -> None:
    steady = TURN * 5.0 * T
    seen, lead = shown({"torque": torque(steady)}, steady + 0.05, steady + 0.05, np.floor(steady / TURN))
    alone = Evidence(RATE, 0.0, seen.command, seen.cycle, FIRST, seen.measured, {"torque": seen.predicted["torque"]})
    assert set(cause(alone, lead).named) == {LATE, OFF}


def test_another_fault_stays_what_it_is() -> None:
    seen, lead = shown({**RIGHT, "torque": 1.05 * RIGHT["torque"]}, TURNED, TURNED)
    assert cause(seen, lead).words == "a wrong gain"


STROKE = 4e-3 * np.sin(TURN * T)


def force(x: Floats) -> Floats:
    """It stands still within a play, N."""
    return 2e5 * (np.maximum(x - 3e-4, 0.0) + np.minimum(x + 3e-4, 0.0))


def rise(x: Floats) -> Floats:
    """Of what it moves, as the square of how far it is pressed, m."""
    return 1e-9 * force(x) ** 2


def on_a_loader(measured: dict[str, Floats]) -> tuple[Evidence, Lead]:
    """Led by a stroke that shows STROKE; with 1 N and 5 um of noise."""
    rng, predicted = np.random.default_rng(4), {"force": force(STROKE), "rise": rise(STROKE)}
    noisy = {name: y + (1.0 if name == "force" else 5e-6) * rng.standard_normal(len(T)) for name, y in measured.items()}
    of_these = {name: predicted[name] for name in measured}
    return Evidence(RATE, 0.0, STROKE, np.floor(T), FIRST, noisy, of_these), Lead("stroke", "m", STROKE)


def test_a_stroke_zero_is_told_by_the_sign_of_the_speed() -> None:
    """A stroke that shows 53 um too little: sooner going up, later going down. A wrong zero of the force differs in the play alone."""
    found = cause(*on_a_loader({"force": force(STROKE + 53e-6)}), "force")
    assert found.named[-1] == OFF
    assert np.isclose(found.off, -53e-6, rtol=0.05)


def test_two_channels_shifted_by_one_way_are_led_wrongly() -> None:
    seen, lead = on_a_loader({"force": force(STROKE + 150e-6), "rise": rise(STROKE + 150e-6)})
    for name in ("force", "rise"):
        found = cause(seen, lead, name)
        assert found.named == (OFF,)
        assert np.isclose(found.off, -150e-6, rtol=0.03)
    seen, lead = on_a_loader({"force": force(STROKE) + 10.0, "rise": rise(STROKE)})
    assert cause(seen, lead, "force").named == ("a wrong zero",)  # the same difference of the force, alone
