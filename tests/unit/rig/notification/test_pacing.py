from __future__ import annotations

import math

from rig.notification.notice import Notice
from rig.notification.pacing import Pacing


def test_a_thousand_alarms_are_two_notices_and_every_one_is_counted() -> None:
    pacing, told = Pacing(60.0), []
    for i in range(1000):
        pacing.note(Notice("limit", f"alarm {i}"))
        told += pacing.due(0.05 * i)  # over 50 s
    assert [(one.text, one.count) for one in told] == [("alarm 0", 1)]
    assert pacing.next_at == 60.0
    told += pacing.due(59.9) + pacing.due(60.0) + pacing.due(1e6)
    assert [(one.text, one.count) for one in told] == [("alarm 0", 1), ("alarm 999", 999)]
    assert pacing.next_at == math.inf


def test_kinds_do_not_wait_for_each_other() -> None:
    pacing = Pacing(60.0)
    pacing.note(Notice("limit", "first"))
    assert len(pacing.due(0.0)) == 1
    pacing.note(Notice("limit", "second"))
    pacing.note(Notice("trip", "at once"))
    assert [one.text for one in pacing.due(0.1)] == ["at once"]
    assert [(one.text, one.count) for one in pacing.rest()] == [("second", 1)] and pacing.rest() == []


def test_without_a_pause_every_one_is_told() -> None:
    pacing = Pacing(0.0)
    for i in range(3):
        pacing.note(Notice("limit", str(i)))
        assert [one.text for one in pacing.due(float(i))] == [str(i)]
