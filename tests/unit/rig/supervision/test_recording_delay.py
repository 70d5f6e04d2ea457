from __future__ import annotations

from rig.streaming.heartbeat_table import GONE
from rig.supervision.recording_delay import RecordingDelay


def test_a_recorder_that_falls_behind_is_told_once_until_it_has_caught_up() -> None:
    delay = RecordingDelay(10.0)
    behind = [0.0, 1.0, 2.9, 3.0, 9.0, 1.0, 4.0, 0.4, 3.5]
    said = [delay.look(100_000, round(100_000 - 1000.0 * one), 1000.0) for one in behind]
    assert [text is not None for text in said] == [False, False, False, True, False, False, False, False, True]
    assert said[3] == "recording is 3.0 s behind: its disk or its computer is too slow; from 10 s on samples are lost"


def test_before_the_test_and_behind_its_recorder_s_end_there_is_nothing_to_tell() -> None:
    delay = RecordingDelay(10.0)
    assert delay.look(None, 0, None) is None and delay.look(0, 0, None) is None and delay.look(10**6, GONE, 1000.0) is None
