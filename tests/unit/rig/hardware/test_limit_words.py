"""A limit that was passed is told in the unit that it is stated in."""

from __future__ import annotations

import pytest

from rig.checks.limits import Passed
from rig.config.experiment import Limit
from rig.hardware.limit_words import LimitWords

TEXT = """
[[limits]]
channel = "stroke"
per_cycle = "amplitude"
change = "2.5 um"
action = "hold"

[[limits]]
channel = "surprise"
margin = 2.0
action = "hold"

[[limits]]
channel = "stroke"
rate = "0.5 m/s"
minimum = "-5 mm"
maximum = "5 mm"
action = "interlock"
"""
LIMITS = [
    Limit("stroke", per_cycle="amplitude", change=2.5e-6, action="hold"), Limit("surprise", margin=2.0, action="hold"),
    Limit("stroke", rate=0.5, minimum=-5e-3, maximum=5e-3, action="interlock"),
]  # fmt: skip
CASES = [
    (
        Passed(7, "stroke", "hold", "change of amplitude from 0.000505219", 2.59399e-6, 2.5e-6), "m",
        "change of amplitude from 505.219 um of stroke 2.59399 um exceeds 2.5 um at sample 1007",
    ),
    (
        Passed(7, "stroke", "hold", "drift of amplitude from 0.0005, summed up,", 3e-6, 2e-6), "m",
        "drift of amplitude from 500 um, summed up, of stroke 3 um exceeds 2 um at sample 1007",
    ),
    (
        Passed(7, "surprise", "hold", "learned maximum", 2551.03, 2335.96), "N",
        "surprise 2.55103 kN exceeds learned maximum 2.33596 kN at sample 1007",
    ),
    (Passed(7, "stroke", "interlock", "minimum", -6e-3, -5e-3), "m", "stroke -6 mm falls below minimum -5 mm at sample 1007"),
    (Passed(7, "stroke", "interlock", "rate", 0.6, 0.5), "m", "stroke 600 mm/s exceeds rate 500 mm/s at sample 1007"),
    (Passed(7, "oil", "stop", "maximum", 61.0, 60.0), "degC", "oil 61 degC exceeds maximum 60 degC at sample 1007"),
    (Passed(7, "surprise", "hold", "maximum", float("inf"), 60.0), "N", "surprise inf N exceeds maximum 60 N at sample 1007"),
]  # fmt: skip


@pytest.mark.parametrize(("passed", "unit", "text"), CASES)
def test_words(passed: Passed, unit: str, text: str) -> None:
    assert LimitWords(LIMITS, TEXT).text(passed, unit, before=1000) == text


def test_without_the_text_of_the_experiment_it_is_what_prints_well() -> None:
    passed = CASES[0][0]
    assert LimitWords(LIMITS, "").text(passed, "m") == (
        "change of amplitude from 0.505219 mm of stroke 0.00259399 mm exceeds 0.0025 mm at sample 7"
    )
