"""Whether the files of a run are as they were when they were entered in its chain of evidence, and where the first one is not."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from rig.recorder import chain
from rig.recorder.chain import CHAIN, PIECE, Entry
from rig.recorder.sealing import evidence


@dataclass(frozen=True)
class Verified:
    """One file. `bad_at`: offset of the piece (1 MiB) that holds the first change, None where there is none; `why` in words."""

    file: str
    bytes: int
    sha256: str | None
    ok: bool
    bad_at: int | None = None
    why: str = ""


def verified(folder: Path) -> list[Verified]:
    """The chain first, then the files in its order, then those that are there and not in it. Raises ConfigError, OSError."""
    links = chain.read(folder)
    found = [_chain(folder, links), *(_file(folder, entry) for entry in links.entries.values())]
    unknown = [file for file in evidence(folder) if file not in links.entries]
    return found + [Verified(file, (folder / file).stat().st_size, None, False, 0, "it is not in the chain") for file in unknown]


def _chain(folder: Path, links: chain.Links) -> Verified:
    now = chain.entry_of(folder, CHAIN)
    if links.damaged_at is not None:
        return Verified(CHAIN, now.bytes, now.sha256, False, links.damaged_at, "the line there is not as it was written")
    if not links.ended:
        return Verified(CHAIN, now.bytes, now.sha256, False, now.bytes, "it was not ended: the test was cut off, or its end was taken away")
    return Verified(CHAIN, now.bytes, now.sha256, True)


def _file(folder: Path, entry: Entry) -> Verified:
    path = folder / entry.file
    if not path.is_file():
        return Verified(entry.file, 0, None, False, 0, "it is gone")
    now = chain.entry_of(folder, entry.file)
    if now == entry:
        return Verified(entry.file, now.bytes, now.sha256, True)
    why = f"it has {now.bytes} bytes, {entry.bytes} were entered" if now.bytes != entry.bytes else "it was changed"
    return Verified(entry.file, now.bytes, now.sha256, False, _first_change(entry, now), why)


def _first_change(entry: Entry, now: Entry) -> int:
    """Offset of the first piece that differs; 0 where no checksum tells."""
    pairs = zip(_pieces(entry), _pieces(now), strict=False)
    differ = next((number for number, (was, there) in enumerate(pairs) if was != there), None)
    if differ is not None:
        return PIECE * differ
    return min(entry.bytes, now.bytes) if entry.bytes != now.bytes else 0


def _pieces(entry: Entry) -> list[str]:
    return [entry.pieces[at : at + 8] for at in range(0, len(entry.pieces), 8)]
