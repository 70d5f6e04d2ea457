"""The chain of evidence beside a record: a line for every file that will not change any more, each line resting on the one before.

evidence.jsonl: `SHA-256 of the rest of the line and of the line before | a blank | JSON`. The JSON names a file of the run's folder with
its size, its SHA-256, and a CRC-32 of every MiB, by which the place of a change is found. Lines are only ever added; of several lines about
one file the last one counts. A line may say that a file was removed, and which one holds what it held. The last line of a run that came to
its end says so.
"""

from __future__ import annotations

import hashlib
import json
import os
import zlib
from dataclasses import asdict, dataclass
from pathlib import Path

from rig.errors import ConfigError

CHAIN = "evidence.jsonl"
PIECE = 2**20  # bytes of a file that have a checksum of their own
REMOVED = "removed"
FIRST = "0" * 64
"""What the first line rests on."""
_LONGEST = 2**28  # bytes of a chain that is read


@dataclass(frozen=True)
class Entry:
    """One file as it was when it was entered; `file` relative to the run's folder, `pieces` CRC-32 of each MiB as 8 hex digits."""

    file: str
    bytes: int
    sha256: str
    pieces: str


@dataclass(frozen=True)
class Removed:
    """A file as it was when it was removed, after it had been compared with `by`, which holds all that it held."""

    file: str
    bytes: int
    sha256: str
    by: str


@dataclass(frozen=True)
class Links:
    """What a chain says: the last entry of each file, in the order in which they came; the digest of its last line; whether it was ended;
    where its first damaged line begins (bytes), None for a chain that is sound; and what was removed, in order."""

    entries: dict[str, Entry]
    digest: str
    ended: bool
    damaged_at: int | None
    removed: tuple[Removed, ...] = ()


def entry_of(folder: Path, file: str) -> Entry:
    """What is to be said of a file now. Raises OSError."""
    whole, pieces, size = hashlib.sha256(), [], 0
    with (folder / file).open("rb", buffering=0) as stream:
        while piece := stream.read(PIECE):
            while len(piece) < PIECE and (more := stream.read(PIECE - len(piece))):
                piece += more
            whole.update(piece)
            pieces.append(f"{zlib.crc32(piece):08x}")
            size += len(piece)
    return Entry(file, size, whole.hexdigest(), "".join(pieces))


class ChainWriter:
    """Adds lines; each is on the disk when its method returns. Raises OSError."""

    def __init__(self, folder: Path) -> None:
        """Goes on behind what is there. Raises ConfigError for a chain that is damaged: nothing can rest on it."""
        self._path, self._digest = folder / CHAIN, FIRST
        if self._path.exists():
            links = read(folder)
            if links.damaged_at is not None:
                raise ConfigError(f"{self._path}: damaged from byte {links.damaged_at} on; nothing is added to it")
            self._digest = links.digest

    @property
    def digest(self) -> str:
        """Of the last line."""
        return self._digest

    def add(self, entry: Entry) -> None:
        self._line(json.dumps(asdict(entry)))

    def remove(self, removed: Removed) -> None:
        """Before the file is removed."""
        self._line(json.dumps({REMOVED: asdict(removed)}))

    def end(self) -> None:
        """Say that nothing is missing behind this."""
        self._line(json.dumps({"end": True}))

    def _line(self, text: str) -> None:
        digest = _digest(self._digest, text.encode())
        with self._path.open("ab") as file:
            file.write(f"{digest} {text}\n".encode())
            file.flush()
            os.fsync(file.fileno())
        self._digest = digest


def read(folder: Path) -> Links:
    """The chain of a run. Raises ConfigError where there is none, or it cannot be read."""
    path = folder / CHAIN
    try:
        if path.stat().st_size > _LONGEST:
            raise ConfigError(f"{path}: {path.stat().st_size} bytes; no chain of evidence is as long")
        data = path.read_bytes()
    except FileNotFoundError:
        known = "nothing of this test has been sealed yet; where it was broken off, `rig resume` or `rig recover` first"
        other = "expected the folder of a run as made by `rig run`"
        raise ConfigError(f"{path}: there is none; {known if (folder / 'plan.json').exists() else other}") from None
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read: {error.strerror}") from error
    return parse(data)


def parse(data: bytes) -> Links:
    """What stands in a chain, up to the first line that is not as it was written."""
    entries: dict[str, Entry] = {}
    removed: list[Removed] = []
    digest, ended, offset = FIRST, False, 0
    while offset < len(data):
        behind = data.find(b"\n", offset)
        line, newline = (data[offset:behind], True) if behind >= 0 else (data[offset:], False)
        said, blank, text = line.partition(b" ")
        if not newline or not blank or said != (due := _digest(digest, text)).encode():
            return Links(entries, digest, ended, offset, tuple(removed))
        found = json.loads(text)
        ended = "end" in found
        if REMOVED in found:
            removed.append(Removed(**found[REMOVED]))
            entries.pop(removed[-1].file, None)
        elif not ended:
            entry = Entry(**found)
            entries.pop(entry.file, None)
            entries[entry.file] = entry
        digest, offset = due, offset + len(line) + 1
    return Links(entries, digest, ended, None, tuple(removed))


def _digest(before: str, text: bytes) -> str:
    return hashlib.sha256(before.encode() + b" " + text).hexdigest()
