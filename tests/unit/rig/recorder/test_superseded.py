"""What a kill left goes once the new record holds every bit of it; in any doubt it stays."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path

import h5py
import numpy as np
import pytest

from rig.recorder import chain
from rig.recorder.chain import CHAIN, ChainWriter
from rig.recorder.description import Event, Gap
from rig.recorder.parts import part_file
from rig.recorder.record import Record
from rig.recorder.recovery import recover
from rig.recorder.sealing import seal
from rig.recorder.superseded import difference, remove_superseded
from rig.recorder.verification import verified
from tests.tiers import quick
from tests.unit.rig.recorder.parts_rig import begun, step
from tests.unit.rig.recorder.recorder_rig import NAMES, description, samples, shape

OLD = "parts/00003.damaged.h5"
COUNT = 300


def killed(folder: Path) -> None:
    """In the third part; the two before are sealed."""
    made = begun(folder)
    for number in range(13):
        step(made, number)
    made.abandon()


def test_it_is_removed_and_the_chain_says_what_it_was(run_dir: Path) -> None:
    killed(run_dir)
    was = (run_dir / part_file(3)).read_bytes()
    left = remove_superseded(run_dir, recover(run_dir))
    seal(run_dir, [part_file(3)])
    by_file = {one.file: one for one in left}
    assert not by_file[OLD].stays and "was removed: parts/00003.h5 holds all of it" in by_file[OLD].words
    assert not (run_dir / OLD).exists() and (run_dir / part_file(3)).exists() and (run_dir / "parts/00003.bin").exists()
    said = {one.file: one for one in chain.read(run_dir).removed}[OLD]
    assert (said.bytes, said.sha256, said.by) == (len(was), hashlib.sha256(was).hexdigest(), part_file(3))
    found = verified(run_dir)
    assert all(one.ok for one in found) and OLD not in {one.file for one in found}
    for line in (run_dir / CHAIN).read_text().splitlines():
        json.loads(line.partition(" ")[2])


def test_what_the_chain_says_of_it_cannot_be_changed(run_dir: Path) -> None:
    killed(run_dir)
    remove_superseded(run_dir, recover(run_dir))
    seal(run_dir, [part_file(3)])
    text = (run_dir / CHAIN).read_text()
    (run_dir / CHAIN).write_text(text.replace(f'"file": "{OLD}"', f'"file": "{OLD.replace("3", "9")}"'))
    assert not verified(run_dir)[0].ok


def changed(path: Path, act: Callable[[h5py.Group], None]) -> None:
    with h5py.File(path, "r+") as file:
        act(file["entry"])


def sample(entry: h5py.Group) -> None:
    data, first = entry["measured/stroke"], int(entry.attrs["first_sample"])
    data.resize((20,))
    data[:] = samples("measured", first, 20)[:, NAMES["measured"].index("stroke")]
    data[7] = np.nextafter(data[7], np.inf)


def longer(entry: h5py.Group) -> None:
    data = entry["measured/stroke"]
    data.resize((len(data) + 10**4,))
    data[-1] = 1.0


def event(entry: h5py.Group) -> None:
    table = entry["events"]
    table.resize((len(table) + 1,))
    table[-1] = (5, 0.1, "bench", "mark", "of which the journal knows nothing")


def text(entry: h5py.Group) -> None:
    del entry["config/experiment"]
    entry["config/experiment"] = "another"


DOUBTS = {
    "a sample that differs by one bit": (sample, "/entry/measured/stroke is not as in 00003.h5: samples from row 0 on"),
    "samples that the new one has not": (longer, "samples from row 0 on"),
    "an event that the new one has not": (event, "1 rows of it"),
    "another text": (text, "/entry/config/experiment is not as in 00003.h5: its text"),
    "a sensor's record": (lambda entry: entry["sensors/stroke"].attrs.modify("sensitivity", 7.0), "attribute sensitivity"),
    "a channel of its own": (lambda entry: entry["measured"].create_dataset("more", data=np.zeros(3)), "/entry/measured/more is not in"),
}


@pytest.mark.parametrize("doubt", quick(DOUBTS, 2))
def test_what_differs_stays(run_dir: Path, doubt: str) -> None:
    act, words = DOUBTS[doubt]
    killed(run_dir)
    changed(run_dir / part_file(3), act)
    left = {one.file: one for one in remove_superseded(run_dir, recover(run_dir))}
    assert words in left[OLD].stays and (run_dir / OLD).exists(), left
    assert OLD not in {one.file for one in chain.read(run_dir).removed}
    seal(run_dir, [part_file(3)])
    assert all(one.ok for one in verified(run_dir)), "what stays is in the chain as it is"


def test_what_cannot_be_read_stays(run_dir: Path) -> None:
    killed(run_dir)
    (run_dir / part_file(3)).write_bytes((run_dir / part_file(3)).read_bytes()[:3000])
    left = {one.file: one for one in remove_superseded(run_dir, recover(run_dir))}
    assert "cannot be compared" in left[OLD].stays and (run_dir / OLD).exists()


def test_what_had_been_sealed_and_was_changed_stays_even_where_all_its_samples_are_those_of_the_new_one(run_dir: Path) -> None:
    killed(run_dir)
    changed(run_dir / part_file(1), lambda entry: entry.attrs.modify("complete", np.bool_(False)))
    left = {one.file: one for one in remove_superseded(run_dir, recover(run_dir))}
    assert left["parts/00001.damaged.h5"].stays == "parts/00001.h5 had been sealed, and was changed since"
    assert not left[OLD].stays, "a control"


def test_nothing_goes_where_the_chain_is_damaged(run_dir: Path) -> None:
    killed(run_dir)
    (run_dir / CHAIN).write_bytes((run_dir / CHAIN).read_bytes()[:-30])
    left = {one.file: one for one in remove_superseded(run_dir, recover(run_dir))}
    assert "nothing is added to it" in left[OLD].stays and (run_dir / OLD).exists()


def test_a_chain_goes_on_behind_what_it_says_of_removed_files(run_dir: Path) -> None:
    killed(run_dir)
    remove_superseded(run_dir, recover(run_dir))
    before = chain.read(run_dir)
    ChainWriter(run_dir).end()
    after = chain.read(run_dir)
    assert after.ended and after.removed == before.removed and after.damaged_at is None


def made(path: Path, count: int, gaps: bool = False) -> str:
    record = Record(path, description())
    for name in NAMES:
        record.stream(shape(name))
        if gaps:
            record.gap(Gap(name, 0, 20, "lost"))
        begin = 20 if gaps else 0
        record.append(name, begin, samples(name, begin, count - begin))
    record.event(Event(None, None, "bench", "mark", "without a time"))
    record.close()
    return str(path)


def test_a_gap_that_is_told_in_two_pieces_is_the_same_one(tmp_path: Path) -> None:
    files = {}
    for name, pieces in {"one": [(0, 20)], "two": [(0, 12), (12, 8)], "short": [(0, 12), (13, 7)]}.items():
        record = Record(tmp_path / f"{name}.h5", description())
        record.stream(shape("measured"))
        for first, count in pieces:
            record.gap(Gap("measured", first, count, "not kept by choice"))
        record.append("measured", 20, samples("measured", 20, 30))
        record.close()
        files[name] = str(tmp_path / f"{name}.h5")
    assert difference(files["one"], files["two"]) == difference(files["two"], files["one"]) == ""
    assert difference(files["one"], files["short"]) == "/entry/gaps is not as in short.h5: 1 of them"


def test_where_a_stream_without_a_sample_would_begin_says_nothing(tmp_path: Path) -> None:
    for name, origin in (("a", 0), ("b", 7)):
        record = Record(tmp_path / f"{name}.h5", description())
        record.stream(shape("command"), origin)
        record.close()
    assert difference(str(tmp_path / "a.h5"), str(tmp_path / "b.h5")) == ""


def test_more_in_the_new_one_is_no_difference(tmp_path: Path) -> None:
    short, long, holed = made(tmp_path / "a.h5", COUNT), made(tmp_path / "b.h5", COUNT + 1), made(tmp_path / "c.h5", COUNT, gaps=True)
    assert difference(short, short) == difference(short, long) == ""
    assert "samples from row 0 on" in difference(long, short)
    assert "samples from row 0 on" in difference(short, holed), "the new one has a hole"
    assert "gaps" in difference(holed, short), "where a sample was lost stays known"
