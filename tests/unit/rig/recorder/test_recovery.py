"""`rig recover`: the journal alone gives the record back, however it was cut or damaged."""

from __future__ import annotations

import contextlib
import io
import json
import os
import random
from argparse import Namespace
from pathlib import Path

import h5py
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rig.command_line.result import Result
from rig.commands.records.recover import execute
from rig.errors import ConfigError
from rig.recorder import journal
from rig.recorder.description import LOST, UNREADABLE, Event, Gap
from rig.recorder.journal import Damage, Frame
from rig.recorder.reading import RunData, read_run
from rig.recorder.recording import Recording
from rig.recorder.recovery import recover
from rig.streaming import streams
from tests.thorough import times
from tests.tiers import quick
from tests.unit.rig.recorder.recorder_rig import EXPERIMENT_TEXT, NAMES, description, samples, shape

BLOCK, BLOCKS = 100, 30
LOST_BLOCK = 12  # of the measured stream


def record(folder: Path, complete: bool) -> None:
    """A run of BLOCKS blocks of all streams with one lost range and two events."""
    folder.mkdir(parents=True, exist_ok=True)
    recording = Recording(folder, description())
    for name in NAMES:
        recording.stream(shape(name))
    for number in range(BLOCKS):
        for name in NAMES:
            if name == "measured" and number == LOST_BLOCK:
                recording.gap(Gap(name, number * BLOCK, BLOCK, LOST))
            else:
                recording.append(name, number * BLOCK, samples(name, number * BLOCK, BLOCK))
        recording.keep()
    recording.event(Event(1200, 0.12, "recorder", "lost_samples", "stream measured"))
    if complete:
        recording.close()
    else:
        recording.abandon()


def rescue(run: Path, force: bool = False) -> Result:
    return execute(Namespace(run=run, force=force))


def check(run: RunData, stream: str) -> None:
    """Every sample is the one that was recorded, or NaN inside a gap."""
    expected = samples(stream, 0, run.samples)
    for gap in run.gaps:
        if gap.stream == stream:
            expected[gap.first : gap.first + gap.count] = np.nan
    for column, name in enumerate(run.streams[stream]):
        np.testing.assert_array_equal(run.streams[stream][name], expected[:, column])


def content(path: Path) -> dict[str, object]:
    """All datasets and attributes of a record, to be compared."""
    found: dict[str, object] = {}

    def take(name: str, item: h5py.Group | h5py.Dataset) -> None:
        found[name] = repr(sorted((key, np.asarray(value).tolist()) for key, value in item.attrs.items()))
        if isinstance(item, h5py.Dataset):
            found[name + "="] = item[()].tobytes() if item.dtype.kind == "f" else repr(item[()])

    with h5py.File(path, "r") as file:
        file.visititems(take)
    return found


def test_a_recovered_record_equals_the_one_that_was_closed(tmp_path: Path) -> None:
    whole, cut = tmp_path / "whole", tmp_path / "cut"
    record(whole, complete=True)
    record(cut, complete=False)
    assert not read_run(cut).complete
    result = rescue(cut)
    assert (result.exit_code, result.data["recovered"]) == (0, True)
    expected, got = content(whole / "run.h5"), content(cut / "run.h5")
    for name in ("entry", "entry/events="):  # it says of itself that it was recovered
        assert expected.pop(name) != got.pop(name)
    assert got == expected
    assert read_run(cut).complete
    assert read_run(cut).events[-1].kind == "recovered"


def test_what_was_recovered_is_told(tmp_path: Path) -> None:
    record(tmp_path, complete=False)
    result = rescue(tmp_path / "run.h5")
    text = " ".join(result.text.split())
    assert "command 3000 samples, last sample 2999 at 0.300 s" in text
    assert "measured 2900 samples" in text
    assert "measured: samples 1200 to 1299 missing (lost)" in text
    assert "kept as run.damaged.h5" in text
    assert result.data["gaps"] == [{"stream": "measured", "first": 1200, "count": 100, "reason": LOST}]
    assert result.data["streams"]["measured"] == {"samples": 2900, "last_sample": 2999}
    assert not (tmp_path / "run_recovered.h5").exists()


def test_a_whole_record_is_left_alone(tmp_path: Path) -> None:
    record(tmp_path, complete=True)
    before = (tmp_path / "run.h5").read_bytes()
    result = rescue(tmp_path)
    assert (result.exit_code, result.data["recovered"]) == (0, False)
    assert "complete, nothing to recover" in result.text
    assert (tmp_path / "run.h5").read_bytes() == before
    assert rescue(tmp_path, force=True).data["recovered"]


def test_the_original_is_always_kept(tmp_path: Path) -> None:
    record(tmp_path, complete=False)
    (tmp_path / "run.h5").write_bytes(b"first")
    rescue(tmp_path)
    (tmp_path / "run.h5").write_bytes(b"second")
    (tmp_path / "run_recovered.h5").write_bytes(b"left by a recovery that was interrupted")
    rescue(tmp_path)
    (tmp_path / "run.h5").unlink()
    assert "kept as" not in rescue(tmp_path).text
    assert (tmp_path / "run.damaged.h5").read_bytes() == b"first"
    assert (tmp_path / "run.damaged-2.h5").read_bytes() == b"second"
    check(read_run(tmp_path), "predicted")


@pytest.fixture(scope="module")
def good(tmp_path_factory) -> bytes:
    folder = tmp_path_factory.mktemp("good")
    record(folder, complete=False)
    return (folder / "journal.bin").read_bytes()


def damaged(tmp_path_factory, data: bytes) -> Path:
    folder = tmp_path_factory.mktemp("run")
    (folder / "journal.bin").write_bytes(data)
    return folder


@settings(max_examples=times(15, thorough=400))
@given(share=st.floats(0.05, 1.0))
def test_a_journal_cut_anywhere_gives_all_whole_blocks(good, tmp_path_factory, share) -> None:
    size = int(share * len(good))
    folder = damaged(tmp_path_factory, good[:size])
    frames = [item for item in journal.read(folder / "journal.bin") if isinstance(item, Frame)]
    recovered = recover(folder)
    assert size - sum(journal.OVERHEAD + len(frame.payload) for frame in frames) == recovered.torn
    assert recovered.torn < journal.OVERHEAD + BLOCK * 3 * 8 + 2000
    assert recovered.damaged == 0
    for number, name in enumerate(NAMES):
        whole = sum(frame.rows for frame in frames if frame.kind == journal.SAMPLES and frame.stream == number)
        assert recovered.samples.get(name, 0) == whole
    for name in read_run(folder).streams:
        check(read_run(folder), name)


@settings(max_examples=times(15, thorough=400))
@given(seed=st.integers(0, 2**32 - 1), length=st.sampled_from([1, 8, 4096, 20_000]))
def test_damage_in_the_middle_costs_only_what_it_hit(good, tmp_path_factory, seed, length) -> None:
    dice = random.Random(seed)
    start = dice.randrange(4000, len(good) - length)
    data = good[:start] + bytes(b ^ dice.randrange(1, 256) for b in good[start : start + length]) + good[start + length :]
    folder = damaged(tmp_path_factory, data)
    recovered = recover(folder)
    hit = length + 2 * (journal.OVERHEAD + 3 * 8 * BLOCK)  # the frames at either end of the damage are lost with it
    assert length <= recovered.damaged + recovered.torn <= hit
    run = read_run(folder)
    assert run.experiment_text == EXPERIMENT_TEXT
    for name in NAMES:
        check(run, name)
        missing = sum(gap.count for gap in recovered.gaps if gap.stream == name)
        assert recovered.samples[name] == run.samples - missing


def test_unreadable_samples_are_listed_as_such(good, tmp_path_factory) -> None:
    data = bytearray(good)
    frames = list(journal.read(damaged(tmp_path_factory, good) / "journal.bin"))
    offset = 0
    for frame in frames:
        assert isinstance(frame, Frame)
        if frame.kind == journal.SAMPLES and (frame.stream, frame.first) == (0, 5 * BLOCK):
            data[offset + journal.OVERHEAD + 10] ^= 1
        offset += journal.OVERHEAD + len(frame.payload)
    folder = damaged(tmp_path_factory, bytes(data))
    assert Gap("command", 500, 100, UNREADABLE) in recover(folder).gaps
    assert sum(isinstance(item, Damage) for item in journal.read(folder / "journal.bin")) == 1


def test_sample_bytes_that_look_like_a_frame_do_not_mislead(tmp_path: Path) -> None:
    trap = np.frombuffer((journal.MARKER + bytes(4)) * 300, "<f8").reshape(100, 3)
    with_trap = journal.JournalWriter(tmp_path / "journal.bin", description())
    with_trap.stream(shape("command"))
    with_trap.samples("command", 0, trap)
    with_trap.samples("command", 100, samples("command", 100, 100))
    with_trap.close()
    data = bytearray((tmp_path / "journal.bin").read_bytes())
    data[-2 * (journal.OVERHEAD + 2400) + 20] ^= 0xFF  # the header of the block full of markers
    (tmp_path / "journal.bin").write_bytes(data)
    recovered = recover(tmp_path)
    assert recovered.samples == {"command": 100}
    assert recovered.gaps == [Gap("command", 0, 100, UNREADABLE)]


def test_the_beginning_may_be_damaged_once_things_were_said_again(tmp_path: Path) -> None:
    writer = journal.JournalWriter(tmp_path / "journal.bin", description())
    writer.stream(shape("measured"))
    writer.samples("measured", 0, samples("measured", 0, 100))
    head = writer.size
    writer.samples("measured", 100, samples("measured", 100, 100))
    writer.restate()
    writer.close()
    data = (tmp_path / "journal.bin").read_bytes()
    (tmp_path / "journal.bin").write_bytes(bytes(head) + data[head:])
    recovered = recover(tmp_path)
    assert recovered.samples == {"measured": 100}
    check(read_run(tmp_path), "measured")


def test_a_whole_record_needs_no_journal(tmp_path: Path) -> None:
    record(tmp_path, complete=True)
    (tmp_path / "journal.bin").unlink()
    assert "complete, nothing to recover" in rescue(tmp_path).text
    with pytest.raises(ConfigError, match=r"no journal\.bin there"):
        rescue(tmp_path, force=True)


@pytest.mark.parametrize("command", quick(["view", "compare"], ["compare"]))
@pytest.mark.parametrize("left", ["none", "cut", "nonsense"])
def test_whoever_reads_says_how_what_is_missing_can_be_put_together(tmp_path: Path, command: str, left: str) -> None:
    """The same remedy, whichever command it is: `rig recover`, as long as there is a journal, and that there is none else."""
    record(tmp_path, complete=False)
    path = tmp_path / "run.h5"
    {"none": path.unlink, "cut": lambda: os.truncate(path, 3000), "nonsense": lambda: path.write_bytes(b"nonsense")}[left]()
    (tmp_path / "plan.json").write_text("{}")
    for journal_there in (True, False):
        if not journal_there:
            (tmp_path / "journal.bin").unlink()
        code, error = told(command, tmp_path)
        assert code == 2 and (f"rig recover {tmp_path} puts it together from its journal" in error) == journal_there, error


def told(command: str, folder: Path) -> tuple[int, str]:
    """Exit code and error of a command on a run's folder."""
    from rig.commands import main

    said = io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(io.StringIO()):
        code = main([command, str(folder), "--json"])
    return code, json.loads(said.getvalue())["error"]


def test_bad_input_is_told_in_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="no such run folder"):
        rescue(tmp_path / "0099-nothing")
    with pytest.raises(ConfigError, match=r"no journal\.bin there"):
        rescue(tmp_path)
    for data in (b"", os.urandom(5000)):
        (tmp_path / "journal.bin").write_bytes(data)
        with pytest.raises(ConfigError, match="holds no readable description"):
            rescue(tmp_path)
    assert ConfigError("").exit_code == 2


def test_a_run_that_is_still_being_recorded_is_refused(tmp_path: Path) -> None:
    alive = description(writer=os.getpid(), writer_started=streams.start_time(os.getpid()))
    recording = Recording(tmp_path, alive)
    with pytest.raises(ConfigError, match=f"still being recorded by process {os.getpid()}"):
        rescue(tmp_path)
    recording.abandon()
