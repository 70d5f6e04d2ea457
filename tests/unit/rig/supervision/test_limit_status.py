"""Where limits stand, in the words and units of the configuration; which limit has acted; which are meant by a name."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from rig.command_line.limit_lines import lines
from rig.config.bench import Bench
from rig.config.experiment import Experiment, Limit
from rig.config.plan import Plan
from rig.errors import ConfigError
from rig.supervision.learned_limits import NONE, LearnedLimits
from rig.supervision.limit_status import LimitStatus
from rig.supervision.operation import new_baseline

TEXT = """
[[limits]]
channel = "stroke"
per_cycle = "amplitude"
change = "2.5 um"
[[limits]]
channel = "surprise"
margin = 2.0
[[limits]]
channel = "stroke"
maximum = "5 mm"
"""
LIMITS = (
    Limit("stroke", per_cycle="amplitude", change=2.5e-6, action="hold"),
    Limit("surprise", margin=2.0, action="hold"),
    Limit("stroke", maximum=5e-3, action="interlock"),
)


def plan(limits: tuple[Limit, ...] = LIMITS, text: str = TEXT) -> Plan:
    experiment = Experiment(title="", mechanism=None, trajectory=None, integrator=None, limits=limits)
    return Plan("0001-test", Path(), Path(), experiment, Bench(title="", daq=None, loader=None, channels=()), text, "")


ROW: dict[str, Any] = {
    "number": 0, "channel": "stroke", "what": "change of amplitude", "action": "hold", "unit": "m", "learned": 10, "learn": 10,
    "settling": 0, "since": 13, "armed": True, "baseline": 5e-4, "low": 4.975e-4, "high": 5.025e-4, "value": 5.01e-4, "cycle": 20,
    "share": 0.4, "outside": False,
}  # fmt: skip


def test_a_row_speaks_in_the_unit_that_the_limit_is_stated_in() -> None:
    fields: Any = LimitStatus(plan()).fields([ROW])
    (row,) = fields["learned_limits"]
    assert row["text"] == (
        "limits.0 stroke: change of amplitude, armed since cycle 13, 501 um in cycle 20, baseline 500 um, allowed 497.5 .. 502.5 um, "
        "at 40 % of the band, action hold"
    )
    assert (row["value"], row["unit"], row["shown_unit"]) == (5.01e-4, "m", "um") and row["shown_size"] == pytest.approx(1e-6)
    assert fields["learned_limits_total"] == 2
    assert [*lines(fields)] == [f"  {row['text']}", "  ... and 1 more that learn, farther from their bounds"]


def test_one_that_learns_says_how_far_it_is() -> None:
    learning = {**ROW, "learned": 3, "since": None, "baseline": None, "low": None, "high": None, "share": None}
    fields: Any = LimitStatus(plan()).fields([learning])
    assert fields["learned_limits"][0]["text"].endswith("change of amplitude, learning cycle 4 of 10; not armed")


def event(**data: Any) -> Any:
    return {"sample": 70, "time_s": None, "source": "bench", "kind": "limit", "text": "", **data}


PASSED = {"channel": "stroke", "what": "change of amplitude from 0.0005", "action": "hold", "unit": "m", "value": 2.6e-6, "bound": 2.5e-6}


def test_the_limit_that_holds_is_told_until_the_test_goes_on() -> None:
    status = LimitStatus(plan())
    status.note(event(limit=PASSED))
    status.note(event(state="holding"))
    status.note(event(state="hold"))
    fields: Any = status.fields([])
    assert fields["acting_limit"]["text"] == "held by a limit: change of amplitude of stroke 2.6 um exceeds 2.5 um at sample 70"
    status.note(event(state="resuming"))
    assert status.fields([])["acting_limit"] is None
    status.note(event(limit=PASSED))
    status.note(event(state="holding"))
    assert status.acting is not None, "held again on its way"
    status.note(event(state="stopping"))
    assert status.acting is None, "somebody has stopped what a limit had held"


def test_a_limit_that_trips_stays_and_one_that_only_indicates_does_not_act() -> None:
    status = LimitStatus(plan())
    status.note(event(limit={**PASSED, "action": "indicate"}))
    assert status.acting is None
    status.note(event(limit={**PASSED, "what": "maximum", "action": "interlock", "value": 6e-3, "bound": 5e-3}))
    for state in ("tripped", "stopped"):
        status.note(event(state=state))
    fields: Any = status.fields([])
    assert fields["acting_limit"]["text"] == "tripped by a limit: stroke 6 mm exceeds maximum 5 mm at sample 70"


def test_names() -> None:
    limits = LearnedLimits(plan())
    assert limits.numbers == [0, 1] == limits.chosen([]) and limits.chosen(["surprise"]) == [1] and limits.chosen(["limits.0"]) == [0]
    with pytest.raises(ConfigError, match=r"oil: expected a limit that learns.* limits\.0 stroke, limits\.1 surprise"):
        limits.chosen(["oil"])
    with pytest.raises(ConfigError, match=r"limits\.2"):
        limits.chosen(["limits.2"])
    with pytest.raises(ConfigError, match="no limit that learns"):
        LearnedLimits(plan(LIMITS[2:], "")).chosen([])
    assert "margin" in NONE


def test_a_change_of_the_trajectory_names_the_limits_that_will_take_it_for_one() -> None:
    limits = LearnedLimits(plan())
    warning = limits.warning([])
    assert "limits.0 stroke (change of amplitude; action hold), limits.1 surprise (learned bounds" in warning
    assert warning.endswith("--new-baseline limits.0 limits.1")
    assert limits.warning([0]).endswith("--new-baseline limits.1") and limits.warning([0, 1]) == ""


def test_nobody_accepts_a_new_baseline_without_a_reason() -> None:
    limits = LearnedLimits(plan())
    with pytest.raises(ConfigError, match="needs a reason"):
        new_baseline(limits, "resume", {"new_baseline": [], "reason": " "})
    assert new_baseline(limits, "resume", {"new_baseline": ["stroke"], "reason": "looked at it"}) == [0]
    assert new_baseline(limits, "resume", {"new_baseline": None, "reason": ""}) == []
