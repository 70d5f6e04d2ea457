"""No verdict of a test with an injected fault passes for one of a clean test."""

from __future__ import annotations

import pytest

from rig.comparison import Verdict
from rig.recorder.description import Event
from rig.report.overlay.injections import injected, with_injections

CLEAN = [Event(0, 0.0, "bench", "state", "running")]
FAULT = Event(9, 0.9, "virtual_bench", "injected", "injected: sensor frozen by somebody in another terminal")


@pytest.mark.parametrize("result", ["pass", "fail", "none", "cannot_discriminate"])
def test_a_clean_test_keeps_its_verdict(result: str) -> None:
    judged = Verdict(result, "because", ())
    assert with_injections(judged, CLEAN) is judged and injected(CLEAN) == []


@pytest.mark.parametrize(("result", "then"), [("pass", "none"), ("fail", "fail"), ("none", "none"), ("cannot_discriminate", "none")])
def test_a_test_with_a_fault_never_passes_and_says_so(result: str, then: str) -> None:
    judged = with_injections(Verdict(result, "because", ()), [*CLEAN, FAULT, FAULT])
    assert judged.result == then
    assert judged.reason.count("injected: sensor frozen by somebody in another terminal") == 1
