"""The journal byte by byte: what an older or newer version must be able to read, whatever writes and reads it."""

from __future__ import annotations

import json
import struct
import zlib
from dataclasses import asdict
from pathlib import Path

import numpy as np
import pytest

from rig.errors import ConfigError, RigError
from rig.recorder import journal
from rig.recorder.description import LOST, Event, Gap
from rig.recorder.journal import Damage, Frame, JournalWriter, read
from tests.each_row import each_row
from tests.unit.rig.recorder.recorder_rig import description, samples, shape

EVENT = Event(5, 0.5, "bench", "state", "running")
GAP = Gap("measured", 9, 4, LOST)


def frame(kind: int, payload: bytes, sequence: int = 0, stream: int = 0, first: int = 0, rows: int = 0) -> bytes:
    """Little-endian: marker, kind and stream (2 bytes each), sequence and first sample (8), rows and length (4), CRC-32 (4), payload."""
    header = b"RJ\xf3\x01" + struct.pack("<HHQqII", kind, stream, sequence, first, rows, len(payload))
    return header + struct.pack("<I", zlib.crc32(header + payload)) + payload


def there(path: Path, data: bytes) -> list[Frame | Damage]:
    path.write_bytes(data)
    return [*read(path)]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.bin"


def test_what_is_written_is_the_layout(path: Path) -> None:
    writer = JournalWriter(path, description())
    writer.stream(shape("command"))
    writer.stream(shape("measured"))
    block = samples("measured", 7, 2)
    writer.samples("measured", 7, block)
    writer.gap(GAP)
    writer.event(EVENT)
    writer.complete()
    written = path.read_bytes()  # before it is closed: what was written survives the process
    writer.close()
    said, shapes = json.dumps(asdict(description())).encode(), [json.dumps(asdict(shape(one))).encode() for one in ("command", "measured")]
    expected = [
        frame(1, said, 0), frame(2, shapes[0], 1, 0), frame(2, shapes[1], 2, 1), frame(3, block.astype("<f8").tobytes(), 3, 1, 7, 2),
        frame(5, json.dumps(asdict(GAP)).encode(), 4, 1, 9), frame(4, json.dumps(asdict(EVENT)).encode(), 5),
        frame(1, said, 6), frame(2, shapes[0], 7, 0), frame(2, shapes[1], 8, 1), frame(6, b"{}", 9),
    ]  # fmt: skip
    assert path.read_bytes() == written == b"".join(expected)
    assert writer.size == len(b"".join(expected))
    assert journal.OVERHEAD == 36


@pytest.mark.parametrize("rows", [1, 2, 5])
def test_a_frame_is_read_as_it_was_laid_out(path: Path, rows: int) -> None:
    block = samples("measured", 40, rows)
    (found,) = there(path, frame(3, block.astype("<f8").tobytes(), 77, 2, -40, rows))
    assert isinstance(found, Frame)
    assert (found.kind, found.stream, found.sequence, found.first, found.rows) == (3, 2, 77, -40, rows)
    np.testing.assert_array_equal(found.block(), block)


def test_a_frame_of_no_samples_at_the_very_end_is_one(path: Path) -> None:
    assert there(path, TWO + frame(3, b"", 3)) == [Frame(4, 0, 2, 0, 0, b'{"a": 1}'), Frame(3, 0, 3, 0, 0, b"")]


def test_a_block_that_is_none_is_refused() -> None:
    assert Frame(3, 0, 0, 0, 0, b"").block().shape == (0, 0)
    for rows, payload in ((2, bytes(24)), (0, bytes(8)), (1, bytes(7))):
        with pytest.raises(ValueError):
            Frame(3, 0, 0, 0, rows, payload).block()


def test_a_file_that_is_there_is_never_written_over(path: Path) -> None:
    path.write_bytes(b"precious")
    with pytest.raises(FileExistsError):
        JournalWriter(path, description())
    assert path.read_bytes() == b"precious"


class Disk:
    """Takes at most 7 bytes at once; none when it is full."""

    def __init__(self, room: int = 10**9) -> None:
        self.data, self.room = b"", room

    def write(self, data: memoryview) -> int:
        if len(self.data) >= self.room:
            raise OSError(28, "No space left on device")
        self.data += bytes(data[:7])
        return min(7, len(data))


def test_a_disk_that_takes_a_little_at_a_time_gets_all(path: Path) -> None:
    writer = JournalWriter(path, description())
    writer._file.close()
    writer._file = disk = Disk()  # type: ignore[assignment]
    writer.event(EVENT)
    assert disk.data == frame(4, json.dumps(asdict(EVENT)).encode(), 1)


def test_a_disk_that_is_full_is_named(path: Path) -> None:
    writer = JournalWriter(path, description())
    writer._file.close()
    writer._file = Disk(20)  # type: ignore[assignment]
    with pytest.raises(RigError, match=r"recorder: .*journal\.bin cannot be written: No space left on device"):
        writer.event(EVENT)


ONE, TWO = frame(6, b"{}", 1), frame(4, b'{"a": 1}', 2)


@each_row("piece", [4, 5, 16, 2**20])
@each_row("junk", [1, 2, 3, 4, 11, 12, 13, 14, 15, 16, 17, 40])
def test_a_frame_behind_damage_is_found_wherever_a_piece_of_the_file_ends(
    path: Path, junk: int, piece: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(journal, "PIECE", piece)
    found = there(path, ONE + bytes(junk) + TWO)
    assert found == [Frame(6, 0, 1, 0, 0, b"{}"), Damage(len(ONE), junk, torn=False), Frame(4, 0, 2, 0, 0, b'{"a": 1}')]


@each_row("cut", range(1, len(TWO)))
def test_a_frame_that_was_being_written_is_torn(path: Path, cut: int) -> None:
    assert there(path, ONE + TWO[:cut]) == [Frame(6, 0, 1, 0, 0, b"{}"), Damage(len(ONE), cut, torn=True)]


@each_row("at", range(len(ONE)))
def test_a_byte_that_changed_anywhere_spoils_its_frame_and_no_other(path: Path, at: int) -> None:
    spoilt = bytearray(ONE)
    spoilt[at] ^= 0x01
    assert there(path, bytes(spoilt) + TWO) == [Damage(0, len(ONE), torn=False), Frame(4, 0, 2, 0, 0, b'{"a": 1}')]


@pytest.mark.parametrize("kind", [0, 9])
def test_kinds_that_there_are_not(path: Path, kind: int) -> None:
    assert there(path, frame(kind, b"{}") + TWO) == [Damage(0, len(ONE), torn=False), Frame(4, 0, 2, 0, 0, b'{"a": 1}')]


def test_a_payload_may_be_as_long_as_is_said_and_no_longer(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert journal.MOST_PAYLOAD == 128 * 1024**2, "10 s of 32 channels at 51.2 kHz, 8 bytes each, are 131 MB"
    monkeypatch.setattr(journal, "MOST_PAYLOAD", 100)
    assert [type(one) for one in there(path, frame(3, bytes(100)))] == [Frame]
    assert there(path, frame(3, bytes(101))) == [Damage(0, 137, torn=True)]


def test_what_is_searched_in_vain_has_an_end(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Twice the file and the longest payload may be checked; of 36-byte headers that each say that they hold the rest, soon more."""
    monkeypatch.setattr(journal, "MOST_PAYLOAD", 1000)
    lying, more = (b"RJ\xf3\x01" + struct.pack("<HHQqII", 4, 0, 0, 0, 0, length) + bytes(4) for length in (900, 1000))
    assert there(path, 3 * lying + bytes(900)) == [Damage(0, 1008, torn=True)], "2700 of 3016 bytes"
    assert there(path, 4 * more + bytes(1356)) == [Damage(0, 1500, torn=True)], "4000 of 4000 bytes"
    assert there(path, 4 * lying + bytes(100)) == [Damage(0, 244, torn=True)], "what says more than the file has costs nothing"
    with pytest.raises(ConfigError, match="looks like a journal at too many places and is none at any of them; it is damaged"):
        there(path, 4 * lying + bytes(900))


def test_no_journal(path: Path) -> None:
    for missing in (path, path.parent):
        with pytest.raises(ConfigError, match="no such journal"):
            next(read(missing))
    assert there(path, b"") == []


def test_a_disk_that_gives_up_is_told_and_no_end_of_the_journal(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(data: object) -> None:
        raise OSError(5, "Input/output error")

    path.write_bytes(ONE)
    monkeypatch.setattr(journal, "_scan", fails)
    with pytest.raises(ConfigError, match=r"journal\.bin: the journal cannot be read: Input/output error"):
        next(read(path))
