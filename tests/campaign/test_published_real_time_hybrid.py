"""The benchmark's Table 3 on its own record, and its perturbed plants; the record is not ours to ship (docs/decisions/0198)."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from rig.hybrid.ground import Ground
from rig.hybrid.realtime.criteria import as_printed
from rig.hybrid.realtime.experiment import Experiment
from rig.hybrid.realtime.testing import Bench, judged

RECORD = os.environ.get("CLEARANCE_RIG_EL_CENTRO", "")
pytestmark = [
    pytest.mark.campaign,
    pytest.mark.skipif(not Path(RECORD).is_file(), reason="CLEARANCE_RIG_EL_CENTRO names no file: docs/real_time_hybrid.md"),
]

PRINTED = {
    1: (4.6, 10.4, 11.5, 36.1, 19.0, 32.3, 32.4, 14.8, 14.8),
    2: (4.6, 9.8, 11.1, 33.1, 17.1, 30.5, 30.5, 15.3, 15.2),
    3: (4.6, 9.1, 10.2, 49.9, 36.7, 49.8, 49.8, 35.5, 35.6),
    4: (4.6, 10.5, 11.3, 72.6, 35.2, 68.5, 68.7, 33.4, 33.3),
}
"""Silva et al. 2020, Table 3: ms and %, in its order."""


def el_centro(**other: object) -> Experiment:
    return Experiment("El Centro at 40 %", ground=Ground(RECORD, "acceleration", scale=0.4), **other)  # type: ignore[arg-type]


@pytest.mark.parametrize("case", list(PRINTED))
def test_the_sample_has_its_printed_criteria(case: int) -> None:
    found = Bench(el_centro()).told(case, "phase_lead").criteria
    assert found is not None
    assert list(as_printed(found)) == pytest.approx(PRINTED[case], rel=0.05)


def test_without_a_compensator_no_case_is_stable() -> None:
    for row in Bench(el_centro(compensators=("none",), stop=False)).tests():
        assert row.outcome == "diverged"


@pytest.mark.parametrize("case", list(PRINTED))
def test_the_monitor_is_right_on_a_hundred_perturbed_plants(case: int) -> None:
    found = judged(list(Bench(el_centro(cases=(case,), perturbed=100, stop=False)).tests()))
    assert sum(one.unstable for one in found) >= 101 and sum(one.stable for one in found) >= 101
    for one in found:
        assert one.missed == one.quiet == one.false_trips == one.beyond == 0, one
