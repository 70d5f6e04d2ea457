"""Words of the trend picture: where they stand, and what they say."""

import numpy as np
import pytest

from rig.report.endurance.course import course
from rig.report.endurance.page import BOUND, _free, _listed
from rig.report.endurance.selection import Watched
from tests.unit.rig.report.endurance.known_tables import LENGTH, state, tables


def held(cycle: int, why: str = "hold by anna: look"):
    at = cycle * LENGTH
    return [state(at, f"holding: {why}"), state(at + 300, "hold"), state(at + 500, "resuming: resume by anna"), state(at + 800, "running")]


def found(tmp_path, *cycles: int):
    return course(tables(tmp_path / "run.h5", np.arange(100)), [event for cycle in cycles for event in held(cycle)], Watched("stroke"))


@pytest.mark.parametrize(
    ("cycles", "begin", "share", "side"),
    [
        ((), 13, 1.0, "right"),
        ((50,), 13, 1.0, "right"),
        ((97,), 13, 0.135, "left"),  # at the begin of the bound
        ((20, 97), 13, 0.225, "left"),  # behind the first hold: there is none in a tenth of the axis from there on
        ((*range(4, 100, 5),), 13, 1.0, "right"),  # no room anywhere
    ],
)
def test_words_of_a_bound_keep_clear_of_those_of_a_hold(tmp_path, cycles, begin, share, side):
    at, where = _free(found(tmp_path, *cycles), begin)
    assert (at, where) == (pytest.approx(share), side)
    if where == "left":
        assert not any(at <= (cycle + 0.5) / 100 < at + BOUND for cycle in cycles)


def test_held_is_said_once(tmp_path):
    events = [*held(20), *held(40, "stroke 6 mm exceeds maximum 5 mm at sample 7")]
    of_test = course(tables(tmp_path / "run.h5", np.arange(100)), events, Watched("stroke"))
    lines = _listed(of_test.happened)
    assert lines[1] == "cycle 20, held 0.1667 s by anna: look"
    assert lines[2] == "cycle 40, held 0.1667 s: stroke 6 mm exceeds maximum 5 mm at sample 7"
