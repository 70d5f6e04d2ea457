"""Records and journals that are in use, damaged or made to harm: one line each, with what to do."""

from __future__ import annotations

import json
import os
import struct
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest
from changed_files import tried
from changed_records import Reader, journal, record

from rig import commands
from rig.errors import ConfigError
from rig.recorder.examination import examine, need_readable
from rig.recorder.folders import find_record
from rig.recorder.journal import DESCRIPTION, EVENT, GAP, MARKER, SAMPLES, STREAM
from rig.recorder.opening import why
from rig.recorder.reading import read_run
from rig.recorder.recovery import recover
from tests.thorough import times
from tests.tiers import quick

pytestmark = pytest.mark.usefixtures("processes_of_their_own")

FORCE = "entry/measured/transmitted_force"
CHANGES = times(25, thorough=200)


# -- in use ----------------------------------------------------------------------------------------------------------------------------


def test_a_record_that_another_program_holds_is_not_called_damaged(run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    picture = str(tmp_path / "p.png")
    before = sorted(path.name for path in run.iterdir())
    with h5py.File(run / "run.h5", "r+"):
        for command, *more in (["compare"], ["view", "--picture", picture], ["recover"], ["recover", "--force"]):
            assert commands.main([command, str(run), *more]) == 2
            said = capsys.readouterr().err.strip()
            assert "run.h5: in use by " in said and "\n" not in said
            assert not any(word in said for word in ("rig recover", "damaged", "cut"))
    assert sorted(path.name for path in run.iterdir()) == before


def test_the_holder_is_named(run: Path) -> None:
    with h5py.File(run / "run.h5", "r+"), pytest.raises(ConfigError, match=f"in use by process {os.getpid()} "):
        need_readable(run / "run.h5")
    need_readable(run / "run.h5")


def test_one_that_may_not_be_read_is_not_called_damaged() -> None:
    said = why(Path("run.h5"), "[Errno 13] Unable to open file (unable to open file: errno = 13, error message = 'Permission denied')")
    assert "permission denied" in said and "recover" not in said


def test_two_readers_do_not_disturb_each_other(run: Path) -> None:
    with h5py.File(run / "run.h5", "r"):
        need_readable(run / "run.h5")
        assert read_run(run).samples == 10240


# -- made to harm ----------------------------------------------------------------------------------------------------------------------

Change = Callable[[h5py.File], Any]


def _instead(make: Callable[[h5py.File, str], Any], path: str = FORCE) -> Change:
    def change(file: h5py.File) -> None:
        told = dict(file[path].attrs)
        del file[path]
        make(file, path)
        if isinstance(file.get(path, getlink=True), h5py.HardLink):
            file[path].attrs.update(told)

    return change


def _virtual(file: h5py.File, path: str) -> None:
    layout = h5py.VirtualLayout((10**9,), "f8")
    layout[:1000] = h5py.VirtualSource("nowhere.h5", "x", shape=(1000,))
    file.create_virtual_dataset(path, layout)


def _rate(rate: Any) -> Change:
    return lambda file: file["entry/time"].attrs.__setitem__("rate", rate)


HARMFUL: dict[str, tuple[Change, str]] = {
    "a negative rate": (_rate(-51200.0), "rate is -51200 Hz"),
    "no rate": (_rate(0.0), "rate is 0 Hz"),
    "a rate that is no number": (_rate(np.nan), "rate is nan Hz"),
    "an endless rate": (_rate(np.inf), "rate is inf Hz"),
    "two dimensions": (_instead(lambda f, p: f.create_dataset(p, (10, 2), "f8")), r"has the shape \(10, 2\)"),
    "texts": (_instead(lambda f, p: f.create_dataset(p, data=["a"], dtype=h5py.string_dtype())), "expected samples, float64"),
    "a group": (_instead(lambda f, p: f.create_group(p)), "got a group"),
    "a link to itself": (_instead(lambda f, p: f.__setitem__(p, h5py.SoftLink("/" + p))), "a link to another place"),
    "a link upwards": (_instead(lambda f, p: f.__setitem__(p, f["entry"])), "deeper ones, than a record has"),
    "a link to another file": (_instead(lambda f, p: f.__setitem__(p, h5py.ExternalLink("/dev/zero", "/x"))), "a link to another place"),
    "a virtual dataset of 10^9": (_instead(_virtual), "has its samples in other files"),
    "samples in /dev/zero": (
        _instead(lambda f, p: f.create_dataset(p, (10**9,), "f8", external=[("/dev/zero", 0, h5py.h5f.UNLIMITED)])), "in other files",
    ),
    "10^12 samples that are nowhere": (_instead(lambda f, p: f.create_dataset(p, (10**12,), "f8", chunks=(1000,))), "has no room"),
    "one chunk of 1 GB": (_instead(lambda f, p: f.create_dataset(p, (1000,), "f8", maxshape=(None,), chunks=(2**27,))), "in pieces of"),
    "groups in groups": (lambda f: f.create_group("/".join(["entry"] + ["a"] * 3000)), "deeper ones, than a record has"),
    "many objects": (lambda f: [f.create_group(f"entry/g/{i}") for i in range(20_001)], "more objects"),
    "no events": (lambda f: f["entry"].__delitem__("events"), "events"),
    "no entry": (lambda f: f.__delitem__("entry"), "no group /entry"),
}  # fmt: skip


@pytest.mark.parametrize("name", quick(HARMFUL, HARMFUL.keys() - {"many objects"}))
def test_a_record_made_to_harm_is_refused(run: Path, name: str) -> None:
    change, words = HARMFUL[name]
    with h5py.File(run / "run.h5", "r+") as file:
        change(file)
    with pytest.raises((ValueError, OSError, LookupError), match=words):
        examine(str(run / "run.h5"))


def test_a_sample_that_no_instrument_gave_is_told_of_with_its_place(run: Path) -> None:
    with h5py.File(run / "run.h5", "r+") as file:
        file[FORCE][1234] = 1e300
    found = read_run(run)
    with pytest.raises(ConfigError, match=r"measured/transmitted_force is 1e\+300 at sample 1234: the record is damaged"):
        found.column("measured", "transmitted_force")[1000:2000]
    assert np.isfinite(found.column("measured", "transmitted_force")[:1000]).all()


def test_cycles_that_the_test_has_not_are_refused(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with h5py.File(run / "run.h5", "r+") as file:
        file["entry/command/cycle"][...] = np.arange(10240.0)
    assert commands.main(["compare", str(run)]) == 2
    assert "command/cycle goes to 10239, the test has 3 cycles" in capsys.readouterr().err


def test_what_is_no_record_is_not_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path, words in ((Path("/dev/zero"), "this is a device"), (tmp_path / "pipe", "this is a pipe"), (tmp_path, "no such record")):
        with pytest.raises(ConfigError, match=words):
            find_record(path)
    for size in (0, 2**30):
        (tmp_path / "run.h5").touch()
        os.truncate(tmp_path / "run.h5", size)
        with pytest.raises(ConfigError, match=r"cannot be read .*signature"):
            need_readable(tmp_path / "run.h5")


# -- journals --------------------------------------------------------------------------------------------------------------------------


def _frame(kind: int, payload: bytes, stream: int = 0, first: int = 0, rows: int = 0) -> bytes:
    """As docs of `rig.recorder.journal` have it, with a CRC that is right."""
    header = struct.pack("<4sHHQqII", MARKER, kind, stream, 0, first, rows, len(payload))
    return header + struct.pack("<I", zlib.crc32(payload, zlib.crc32(header))) + payload


def _json(kind: int, /, **said: Any) -> bytes:
    return _frame(kind, json.dumps(said).encode())


STRANGE = {
    "a huge gap": (_json(GAP, stream="measured", first=0, count=10**12, reason="lost"), "goes to sample 1000000000000"),
    "a gap before the beginning": (_json(GAP, stream="measured", first=-5, count=3, reason="lost"), "expected the first sample of a gap"),
    "a gap in nothing": (_json(GAP, stream="elsewhere", first=0, count=3, reason="lost"), "which there is not"),
    "a sample far away": (_frame(SAMPLES, bytes(16), 1, 10**12, 1), "goes to sample 1000000000001"),
    "samples before the beginning": (_frame(SAMPLES, bytes(16), 1, -1, 1), "from sample 0 on"),
    "half a sample": (_frame(SAMPLES, bytes(24), 1, 0, 1), "expected 2 numbers a sample"),
    "no sample": (_frame(SAMPLES, b"", 1, 0, 0), "expected 2 numbers a sample"),
    "no JSON": (_frame(DESCRIPTION, b"{"), "holds what no recorder writes"),
    "nested JSON": (_frame(EVENT, b"[" * 100_000), "nested too deep"),
    "a list": (_frame(STREAM, b"[]"), "expected a table"),
    "an unknown key": (_json(EVENT, sample=1, time=0.0, source="", kind="", text="", more=1), "more"),
    "NUL in a text": (_json(EVENT, sample=1, time=0.0, source="", kind="", text="a\0b"), "expected a text"),
    **{
        f"a channel {name!r:.20}": (_json(STREAM, name="axes", channels=[name], units=["1"], rate=1.0), "cannot be the name|a text that")
        for name in ("", ".", "..", "a/b", "a\0b", "x" * 100_000)
    },
    "the same channel twice": (_json(STREAM, name="axes", channels=["a", "a"], units=["1", "1"], rate=1.0), "different names"),
    "a rate below 0": (_json(STREAM, name="axes", channels=["a"], units=["1"], rate=-1.0), "expected a rate above 0 Hz"),
    "a stream of its own": (_json(STREAM, name="../x", channels=["a"], units=["1"], rate=1.0), "expected a stream command"),
}


@pytest.mark.parametrize("name", STRANGE)
def test_a_journal_that_no_recorder_wrote_is_refused(run: Path, name: str) -> None:
    frame, words = STRANGE[name]
    (run / "run.h5").unlink()
    with (run / "journal.bin").open("ab") as file:
        file.write(frame)
    with pytest.raises(ConfigError, match=words) as caught:
        recover(run)
    assert str(caught.value).isprintable()
    assert not list(run.glob("run*.h5")), "nothing is left behind"


def test_a_gigabyte_of_nothing_is_no_journal(run: Path) -> None:
    os.truncate(run / "journal.bin", 0)
    os.truncate(run / "journal.bin", 2**28)
    with pytest.raises(ConfigError, match="holds no readable description"):
        recover(run)


def test_what_looks_like_frames_everywhere_ends_soon(run: Path) -> None:
    header = struct.pack("<4sHHQqIII", MARKER, SAMPLES, 0, 0, 0, 1, 2**26, 0)
    (run / "journal.bin").write_bytes(header * 20_000 + bytes(2**26))
    with pytest.raises(ConfigError, match="looks like a journal at too many places"):
        recover(run)


# -- random changes --------------------------------------------------------------------------------------------------------------------


@pytest.fixture
def reader() -> Iterator[Reader]:
    made = Reader()
    yield made
    made.close()


def test_no_random_change_of_a_record_is_a_fault(tmp_path: Path, reader: Reader) -> None:
    found = tried(record(reader), tmp_path, CHANGES, seed=1)
    assert found.faults == () and found.read > 0 and found.refused > CHANGES / 4


def test_no_random_change_of_a_journal_is_a_fault(tmp_path: Path) -> None:
    found = tried(journal(), tmp_path, CHANGES, seed=1)
    assert found.faults == () and found.read > CHANGES / 2
