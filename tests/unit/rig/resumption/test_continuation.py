"""A record goes on behind a break: every sample of each session is where it belongs, and the break is a gap."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

from rig.errors import ConfigError
from rig.recorder.description import BROKEN_OFF, Event
from rig.recorder.folders import JOURNAL, PARTS, RECORD
from rig.recorder.parted_recording import PartedRecording
from rig.recorder.parts import Beginning, part_file
from rig.recorder.reading import read_run
from rig.recorder.recording import Recording
from rig.recorder.recovery import recover
from rig.recorder.rotation import Rotation
from rig.recorder.verification import verified
from rig.resumption.continuation import make_room, need_record, next_beginning, to_put_together
from tests.unit.rig.recorder.recorder_rig import BLOCK, NAMES, description, samples, shape

GAP = BLOCK
Made = Recording | PartedRecording


def session(folder: Path, beginning: Beginning | None, blocks: int, in_parts: bool = True) -> Made:
    """Record `blocks` blocks of every stream; the streams' samples tell their place in the whole record."""
    made: Made
    if beginning is None:
        made = PartedRecording(folder, description(), Rotation(0.05, 0.0)) if in_parts else Recording(folder, description())
        first = 0
    else:
        made = PartedRecording(folder, description(), Rotation(0.05 if in_parts else 0.0, 0.0), beginning=beginning)
        first = beginning.first + GAP
    for name in NAMES:
        made.stream(shape(name, first))
    for number in range(blocks):
        for name in NAMES:
            made.append(name, first + BLOCK * number, samples(name, first + BLOCK * number, BLOCK))
        made.keep()
    made.event(Event(first, None, "bench", "mark", f"session from {first}"))
    return made


def killed(made: Made) -> None:
    """Nothing more is written; what was not closed stays as it is."""
    made.abandon()


@pytest.mark.parametrize("in_parts", [False, True])
def test_sessions_follow_each_other_in_one_record(tmp_path: Path, in_parts: bool) -> None:
    dice, begins = random.Random(5), [0]
    lengths = [dice.randrange(3, 30) for _ in range(5)]
    beginning: Beginning | None = None
    for number, blocks in enumerate(lengths):
        made = session(tmp_path, beginning, blocks, in_parts)
        if number == len(lengths) - 1:
            made.close()
            break
        if number % 2:
            made.close()  # stopped, not killed
        else:
            killed(made)
        left = need_record(tmp_path)
        assert (left is not None) == (number % 2 == 0) and not [one.words for one in left or [] if one.stays]
        beginning = next_beginning(tmp_path)
        make_room(tmp_path)
        begins.append(beginning.first)
    record = read_run(tmp_path)
    assert record.complete and not (tmp_path / "run.damaged.h5").exists()
    for name in NAMES:
        for begin, blocks, behind in zip(begins, lengths, [*begins[1:], record.samples], strict=True):
            first = begin + (GAP if begin else 0)
            got = np.column_stack([record.streams[name][channel][begin:behind] for channel in NAMES[name]])
            assert np.isnan(got[: first - begin]).all()
            np.testing.assert_array_equal(got[first - begin :], samples(name, first, BLOCK * blocks))
    gaps = {(gap.first, gap.count) for gap in record.gaps}
    assert {gap.reason for gap in record.gaps} == {BROKEN_OFF} and gaps == {(begin, GAP) for begin in begins[1:]}
    marks = [event.sample for event in record.events if event.kind == "mark"]
    assert marks == [begin + (GAP if begin else 0) for begin in begins]
    assert all(one.ok for one in verified(tmp_path) if one.file.startswith(PARTS))
    assert not [*tmp_path.rglob("*.damaged*.h5")], "the new parts hold all that the kills had left"


def test_a_part_that_a_kill_left_open_takes_its_room_once_more(tmp_path: Path) -> None:
    killed(session(tmp_path, None, 12))
    journals = sorted([tmp_path / JOURNAL, *(tmp_path / PARTS).glob("*.bin")], key=lambda path: path.name)
    newest = journals[-2] if journals[-1].name == JOURNAL else journals[-1]
    assert to_put_together(tmp_path) == newest.stat().st_size > 0
    need_record(tmp_path)
    assert to_put_together(tmp_path) == 0


def test_a_break_between_two_sessions_is_recovered_as_well(tmp_path: Path) -> None:
    killed(session(tmp_path, None, 5, in_parts=False))
    need_record(tmp_path)
    beginning = next_beginning(tmp_path)
    make_room(tmp_path)  # and here the power goes
    assert not (tmp_path / RECORD).exists() and (tmp_path / part_file(1)).is_file()
    assert need_record(tmp_path) == []
    assert next_beginning(tmp_path) == beginning
    assert read_run(tmp_path).samples == 5 * BLOCK
    recover(tmp_path)
    assert read_run(tmp_path).samples == 5 * BLOCK


def test_a_session_that_recorded_nothing_leaves_the_next_one_its_place(tmp_path: Path) -> None:
    killed(session(tmp_path, None, 5))
    need_record(tmp_path)
    first = next_beginning(tmp_path)
    make_room(tmp_path)
    PartedRecording(tmp_path, description(), Rotation(0.05, 0.0), beginning=first).close()
    again = next_beginning(tmp_path)
    assert again.first == first.first and again.number == first.number + 1
    make_room(tmp_path)
    session(tmp_path, again, 3).close()
    assert read_run(tmp_path).samples == again.first + GAP + 3 * BLOCK


def test_where_nothing_is_recorded_nothing_goes_on(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="neither a record nor a journal"):
        need_record(tmp_path)
    assert not (tmp_path / JOURNAL).exists()
