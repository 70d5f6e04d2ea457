"""Flights that are known, turn by turn: the share on which both sides agree, which belong together, and how late they are."""

from __future__ import annotations

import numpy as np
import pytest

from rig.comparison.flights.agreement import FlightAgreement, Flights, flight_agreement

TURNS, SPEED = 12, 31.4


def flights(*each: tuple[float, float], turns: int = TURNS, first: int = 3, jitter: np.ndarray | None = None) -> Flights:
    """(begin, lasting) in deg of those of every turn; jitter (turns,): deg that a turn has them later."""
    later = np.zeros(turns) if jitter is None else jitter
    begin = np.array([360.0 * (first + k) + at + later[k] for k in range(turns) for at, _ in each])
    lasting = np.array([lasting for _ in range(turns) for _, lasting in each])
    return Flights(np.radians(begin), np.radians(begin + lasting))


def found(measured: Flights, predicted: Flights) -> FlightAgreement:
    return flight_agreement(measured, predicted, 6.0 * np.pi, TURNS, SPEED)


def test_alike_they_agree_wholly() -> None:
    one = found(flights((90.0, 4.0), (340.0, 12.0)), flights((90.0, 4.0), (340.0, 12.0)))
    assert one.agreement == pytest.approx(1.0) and one.both == pytest.approx(16.0 / 360.0)
    assert (one.matched, one.missed, one.extra, one.turns) == (2 * TURNS, 0, 0, TURNS)
    assert one.late_deg == pytest.approx(0.0, abs=1e-9) and one.end_late_deg == pytest.approx(0.0, abs=1e-9)


def test_a_model_that_is_late_overlaps_by_what_is_left() -> None:
    one = found(flights((340.0, 12.0)), flights((343.0, 10.0)))  # 340 to 352 and 343 to 353
    assert one.agreement == pytest.approx(9.0 / 13.0)
    assert one.late_deg == pytest.approx(3.0) and one.end_late_deg == pytest.approx(1.0)
    assert one.late_s == pytest.approx(np.radians(3.0) / SPEED)
    assert one.measured == pytest.approx(12.0 / 360.0) and one.predicted == pytest.approx(10.0 / 360.0)
    assert one.each[0].both_deg == pytest.approx(9.0) and one.each[0].turn == 0


def test_somewhere_else_they_have_nothing_in_common() -> None:
    one = found(flights((340.0, 12.0)), flights((100.0, 12.0)))
    assert one.agreement == 0.0 and (one.matched, one.missed, one.extra) == (0, TURNS, TURNS) and one.late_deg is None


def test_one_that_goes_on_into_the_next_turn_counts_in_both() -> None:
    one = found(flights((355.0, 10.0)), flights((355.0, 10.0)))
    assert one.agreement == pytest.approx(1.0)
    assert one.each[0].measured_deg == pytest.approx(5.0) and one.each[1].measured_deg == pytest.approx(10.0)


def test_without_a_flight_there_is_nothing_to_agree_on() -> None:
    none = Flights(np.empty(0), np.empty(0))
    one = found(none, none)
    assert (one.agreement, one.matched, one.late_deg, one.measured) == (None, 0, None, 0.0) and one.intervals == {}
    assert found(none, flights((10.0, 5.0))).agreement == 0.0


def test_turns_tell_how_sure_the_lateness_is() -> None:
    held = 0
    for seed in range(200):
        jitter = np.random.default_rng(seed).normal(0.0, 1.0, TURNS)
        one = found(flights((340.0, 12.0), jitter=jitter), flights((342.0, 12.0)))
        assert one.intervals is not None
        low, high = np.degrees(one.intervals["late_rad"].limits())
        held += low <= 2.0 <= high
    assert 178 <= held <= 200  # of 190 that are to be expected, four standard deviations


def test_plain_values() -> None:
    data = found(flights((340.0, 12.0)), flights((341.0, 12.0))).to_json()
    assert data["matched"] == TURNS and len(data["each"]) == TURNS and "agreement" in data["intervals"]
