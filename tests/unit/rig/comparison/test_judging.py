"""Verdicts at their edges: what is exactly at its tolerance, how each error is written, when two laws are apart."""

from dataclasses import dataclass, replace
from typing import Any

import pytest

from rig.comparison import METRICS, ChannelAgreement, CycleAgreement, Verdict, verdict
from rig.comparison.impacts.agreement import ImpactAgreement
from rig.comparison.uncertainty.interval import Interval, Raised
from rig.comparison.verdicts import WHOLE, withheld


@dataclass(frozen=True)
class Wanted:
    metric: str
    tolerance: float
    channel: str = "x"


def agreed(**figures: Any) -> ChannelAgreement:
    return ChannelAgreement(**{"samples": 1000, "counted_samples": 1000, "rate": 1000.0, **figures})


def judged(wanted: Wanted, other: ChannelAgreement | None = None, **figures: Any) -> Verdict:
    return verdict({"x": agreed(**figures)}, [wanted], None if other is None else {"x": other}, "flores")


@pytest.mark.parametrize(("error", "result"), [(0.25, "pass"), (-0.25, "pass"), (0.2501, "fail"), (-0.2501, "fail")])
def test_an_error_of_just_the_tolerance_holds(error: float, result: str) -> None:
    assert judged(Wanted("max", 0.25), max_error=error).result == result


@pytest.mark.parametrize(("share", "result"), [(0.75, "pass"), (0.7499, "fail"), (1.0, "pass")])
def test_a_share_that_is_just_reached_holds(share: float, result: str) -> None:
    assert judged(Wanted("within_5_percent", 0.75), share_within_5_percent=share).result == result


IMPACTS = {"half_cycles": 8, "impacts_measured": 8, "impacts_predicted": 8}
HIT = ImpactAgreement(10, 10, 8, 2, 2, share=0.8, late_s=2e-3, late_scatter_s=None, strength_error=-0.2, impulse_error=0.3)
WRITTEN = [
    ("max", {"max_error": -0.0125}, 0.01, "x largest value -1.25 %, to be within 1 %"),
    ("nrms", {"nrms": 0.08}, 0.07, "x NRMS 8 %, to be within 7 %"),
    ("within_5_percent", {"share_within_5_percent": 0.5}, 0.95, "x within 5 % A 50 %, to be at least 95 %"),
    ("fundamental", {"fundamental_error": 0.02}, 0.01, "x fundamental +2 %, to be within 1 %"),
    ("phase", {"phase_error_deg": -1.5}, 1.0, "x phase -1.5 deg, to be within 1 deg"),
    ("contact_loss", {"contact_loss_error_deg": 3.0}, 2.0, "x contact loss +3 deg, to be within 2 deg"),
    ("band_level", {"band_level_error": 0.5}, 0.3, "x level in the band +50 %, to be within 30 %"),
    ("delay", {"delay_samples": 5.0}, 1e-3, "x delay +5 ms, to be within 1 ms"),
    ("impacts", {"impacts": HIT}, 0.95, "x impacts matched 80 %, to be at least 95 %"),
    ("impact_time", {"impacts": HIT}, 1e-3, "x time of impacts +2 ms, to be within 1 ms"),
    ("impact_strength", {"impacts": HIT}, 0.1, "x strength of impacts -20 %, to be within 10 %"),
    ("impact_impulse", {"impacts": HIT}, 0.1, "x impulse of impacts +30 %, to be within 10 %"),
    (
        "impact_peak",
        {"impact_peak_measured": 9.0, "impact_peak_predicted": 10.0, "amplitude": 20.0, **IMPACTS},
        0.03,
        "x impact peak +5 % A, to be within 3 % A",
    ),
    (
        "overshoot",
        {"overshoot_measured": 3.0, "overshoot_predicted": 2.0, "amplitude": 20.0},
        0.03,
        "x overshoot -5 % A, to be within 3 % A",
    ),
    (
        "first_impact",
        {"first_impact_measured_s": 0.10, "first_impact_predicted_s": 0.11, "period_s": 0.5, **IMPACTS},
        0.005,
        "x first impact +2 % T, to be within 0.5 % T",
    ),
]


@pytest.mark.parametrize(("metric", "figures", "tolerance", "said"), WRITTEN)
def test_every_error_is_written_in_its_measure_and_with_its_sign(metric: str, figures: Any, tolerance: float, said: str) -> None:
    found = judged(Wanted(metric, tolerance), **figures)
    assert (found.result, found.reason) == ("fail", said)


def test_there_is_a_line_for_every_metric() -> None:
    assert {row[0] for row in WRITTEN} == set(METRICS)


@pytest.mark.parametrize(
    ("here", "there", "apart"),
    [
        (0.0, 0.25, False),
        (-0.125, 0.25, False),
        (0.0, 0.2501, True),
        (0.125, 0.3125, False),
        (-0.125, 0.3125, True),
        (0.0625, 0.3125, True),
    ],
)
def test_two_laws_are_apart_by_the_tolerance_where_the_other_fails(here: float, there: float, apart: bool) -> None:
    found = judged(Wanted("max", 0.25), agreed(max_error=there), max_error=here)
    assert found.result == ("pass" if apart else "cannot_discriminate")
    assert found.lines[0].discriminates is apart and found.lines[0].alternative == there


def test_laws_that_agree_are_told_by_how_far_they_are_apart() -> None:
    criteria = [Wanted("max", 0.02), Wanted("phase", 1.0)]
    here, there = agreed(max_error=0.004, phase_error_deg=0.1), agreed(max_error=-0.001, phase_error_deg=0.6)
    found = verdict({"x": here}, criteria, {"x": there}, "flores")
    assert (
        found.reason
        == "all criteria hold, but flores agrees just as well: the two differ most in x phase, by 0.5 deg, 0.5 of the tolerance"
    )


@pytest.mark.parametrize("there", [0.016, 0.004])
def test_how_far_two_laws_are_apart_has_its_measure_and_no_sign(there: float) -> None:
    """0.6 % of 2 %, the other law above or below."""
    found = judged(Wanted("max", 0.02), agreed(max_error=there), max_error=0.01)
    assert found.reason.endswith("the two differ most in x largest value, by 0.6 %, 0.3 of the tolerance")
    found = judged(Wanted("within_5_percent", 0.9), agreed(share_within_5_percent=0.95), share_within_5_percent=1.0)
    assert found.reason.endswith("the two differ most in x within 5 % A, by 5 %, 0.5 of the tolerance"), "of the 10 % that may miss"


def test_a_law_that_gave_nothing_to_compare_is_said_so() -> None:
    for other in (agreed(), None):
        found = verdict({"x": agreed(max_error=0.0)}, [Wanted("max", 0.1)], {} if other is None else {"x": other}, "flores")
        assert (found.result, found.reason) == ("cannot_discriminate", "flores could not be compared")


def test_impacts_elsewhere_tell_another_law_apart() -> None:
    figures = {"first_impact_measured_s": 0.1, "first_impact_predicted_s": 0.1, "period_s": 0.5, **IMPACTS}
    other = agreed(**{**figures, "impacts_predicted": 5})
    found = judged(Wanted("first_impact", 0.1), other, **figures)
    assert found.result == "pass" and found.reason.endswith("flores fails on x first_impact")


@pytest.mark.parametrize(
    ("samples", "said"), [(950, ""), (949, " over 95 % of the counted cycles"), (500, " over 50 % of the counted cycles")]
)
def test_a_part_is_said_below_its_limit(samples: int, said: str) -> None:
    assert WHOLE == 0.95
    found = judged(Wanted("max", 0.1), max_error=0.0, samples=samples)
    assert said in found.reason and (not said) is ("%" not in found.reason)


@pytest.mark.parametrize(("result", "kept"), [("pass", False), ("cannot_discriminate", False), ("fail", True), ("none", True)])
def test_a_run_that_did_not_end_as_it_should_passes_nothing(result: str, kept: bool) -> None:
    before = Verdict(result, "so", judged(Wanted("max", 0.1), max_error=0.0).lines)
    after = withheld(before, "the run tripped: x")
    if kept:
        assert after is before
    else:
        assert (after.result, after.withheld) == ("none", True)
        assert after.reason.startswith("the run tripped: x; until then 1 of 1 ")
        assert after.lines == before.lines


@pytest.mark.parametrize(("there", "apart"), [(0.94, False), (0.9, True), (0.96, False)])
def test_shares_are_apart_by_what_they_may_miss(there: float, apart: bool) -> None:
    """At least 95 %: by 5 %."""
    figures = {"share_within_5_percent": 0.97}
    found = judged(Wanted("within_5_percent", 0.95), agreed(share_within_5_percent=there), **figures)
    assert found.result == ("pass" if apart else "cannot_discriminate")


def test_what_is_judged_of_a_whole_run_is_not_withheld() -> None:
    assert not judged(Wanted("max", 0.1), max_error=0.0).withheld
    assert not verdict({}, []).withheld


def test_where_nothing_is_asked_that_is_the_reason() -> None:
    assert verdict({"x": agreed(max_error=0.0)}, []) == Verdict("none", "the experiment states no criteria")


def test_one_channel_of_less_than_a_cycle_does_not_take_the_verdict_from_the_others() -> None:
    """A prediction of one sensor that is not there fails; a whole cycle of another one is judged all the same."""
    criteria = [Wanted("max", 0.1, "x"), Wanted("max", 0.1, "y")]
    found = verdict({"x": agreed(max_error=0.0), "y": agreed(samples=0)}, criteria)
    assert (found.result, found.reason) == ("fail", "y largest value: unknown, to be within 10 %")
    assert verdict({"x": agreed(samples=0), "y": agreed(samples=0)}, criteria).result == "none"


@pytest.mark.parametrize("metric", ["impact_peak", "first_impact"])
def test_impacts_in_other_half_cycles_are_no_agreement(metric: str) -> None:
    figures = next(row[1] for row in WRITTEN if row[0] == metric)
    assert judged(Wanted(metric, 1.0), **figures).result == "pass"
    found = judged(Wanted(metric, 1.0), **{**figures, "impacts_predicted": 7})
    assert (found.result, found.lines[0].passed) == ("fail", False)
    assert found.reason.endswith("impacts in 8 of 8 half cycles measured, in 7 predicted")


def test_only_what_is_about_impacts_asks_for_the_same_ones() -> None:
    assert judged(Wanted("max", 0.1), max_error=0.0, **{**IMPACTS, "impacts_predicted": 7}).result == "pass"


@pytest.mark.parametrize("known", [{"overshoot_measured": 3.0}, {"overshoot_predicted": 3.0}, {"amplitude": 0.0}])
def test_half_of_what_an_error_needs_is_not_enough(known: dict[str, float]) -> None:
    figures = {"overshoot_measured": None, "overshoot_predicted": None, "amplitude": 20.0, **known}
    assert judged(Wanted("overshoot", 0.1), **figures).reason == "x overshoot: unknown, to be within 10 % A"


def test_why_there_is_no_delay_is_no_reason_of_another_error() -> None:
    figures = {"delay_reason": "too straight"}
    assert judged(Wanted("max", 0.1), **figures).reason == "x largest value: unknown, to be within 10 %"
    assert judged(Wanted("delay", 1e-3), **figures).reason == "x delay: unknown, too straight"


def test_a_contact_loss_that_noise_hides_cannot_be_judged() -> None:
    """The control: without noise a loss that is not seen is a difference."""
    hidden = "the acceleration has noise of 3 m/s^2, with 0.1 recorded with its sensor: it is seen in 4 turns, and predicted in 38"
    for error in (None, -11.1):
        found = judged(Wanted("contact_loss", 2.4), contact_loss_error_deg=error, contact_loss_hidden=hidden)
        assert found.result == "cannot_be_judged" and found.reason.endswith(f": measured does not tell, {hidden}")
        assert judged(Wanted("contact_loss", 2.4), contact_loss_error_deg=error).result == "fail"


def test_more_cycles_are_not_asked_for_where_they_tell_no_more() -> None:
    """NRMS is 3.3 %, of which 2.8 % comes again in each cycle, whatever the number of cycles; the tolerance lies between, or above both."""
    told = {"nrms": Raised(0.033, 1e-4, 40.0, square=Interval(0.028**2, 1e-6, 40.0))}
    assert "less noise would: so much of it is another in each cycle" in judged(Wanted("nrms", 0.03), nrms=0.033, intervals=told).reason
    assert "more cycles or less noise would" in judged(Wanted("nrms", 0.0331), nrms=0.033, intervals=told).reason
    counted = {"nrms": replace(told["nrms"], std=2e-3, of_counts=0.9)}
    assert "more lines of the encoder" in judged(Wanted("nrms", 0.033), nrms=0.033, intervals=counted).reason


@pytest.mark.parametrize(("cycles", "said"), [(1, "over 1 cycle: too few"), (2, "over 2 cycles: too few"), (3, "")])
def test_what_holds_over_too_few_cycles_to_tell_of_chance_is_said_to(cycles: int, said: str) -> None:
    some = [CycleAgreement(number, 1.0, 1.0, 0.0, 0.1, 0.1, 1.0, 0.0) for number in range(cycles)]
    found = judged(Wanted("nrms", 0.2), nrms=0.1, cycles=some)
    assert found.result == "pass" and (said in found.reason if said else "chance" not in found.reason)
    assert "chance" not in judged(Wanted("nrms", 0.2), nrms=0.1, cycles=some, intervals={"nrms": Interval(0.1, 0.001)}).reason
