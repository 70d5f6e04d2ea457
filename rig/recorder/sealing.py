"""Files that will not change any more are entered in the chain of evidence: parts while the test goes on, the rest at its end."""

from __future__ import annotations

import contextlib
import os
import queue
import threading
from collections.abc import Collection, Iterator
from pathlib import Path

from rig.errors import ConfigError
from rig.recorder.chain import CHAIN, ChainWriter, Entry, entry_of, read
from rig.recorder.folders import JOURNAL, PARTS, RECORD

PATIENCE = 45.0  # s for what is left to do at the end of a test
EVIDENCE = (RECORD, JOURNAL, "plan.json", "state.json", "summary.json")
"""Of a run's folder, beside its parts; what else is there (pictures, logs) can be made again, or proves nothing."""


def evidence(folder: Path) -> Iterator[str]:
    """The files of a run that its chain is about, relative to its folder: parts and journals first, the summary last."""
    inner = folder / PARTS
    with contextlib.suppress(FileNotFoundError):
        yield from sorted(f"{PARTS}/{path.name}" for path in inner.iterdir() if path.suffix in (".h5", ".bin"))
    yield from (name for name in EVIDENCE if (folder / name).is_file())


def seal(folder: Path, renewed: Collection[str] = ()) -> str:
    """Enter what is not in the chain yet, or is no more as it was entered, and end the chain; returns its last digest.

    For a test that is over. What was closed long ago is not entered again, but for what has been `renewed`: a change of it is to be found.
    Raises OSError, or ConfigError for a chain that is damaged.
    """
    known = read(folder).entries if (folder / CHAIN).exists() else {}
    chain = ChainWriter(folder)
    for file in evidence(folder):
        there = known.get(file)
        if there is not None and file.startswith(PARTS) and file not in renewed:
            continue
        if (entry := entry_of(folder, file)) != there:
            chain.add(entry)
    chain.end()
    return chain.digest


class Sealer:
    """Brings files that have been closed to the disk and enters them, in a thread of its own: to read a part again takes its time."""

    def __init__(self, folder: Path) -> None:
        self.error: OSError | MemoryError | ConfigError | None = None
        self._folder, self._chain = folder, ChainWriter(folder)
        self._given: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._sealed: queue.SimpleQueue[Entry] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="sealing", daemon=True)
        self._thread.start()

    def give(self, file: str) -> None:
        """A file, relative to the run's folder, that is closed."""
        self._given.put(file)

    def sealed(self) -> Iterator[Entry]:
        """What has been entered since this was asked the last time."""
        while not self._sealed.empty():
            yield self._sealed.get()

    def stop(self) -> None:
        """Enter what was given, and end. What is not done in time is done by whoever seals the whole."""
        self._given.put(None)
        self._thread.join(PATIENCE)

    def _run(self) -> None:
        while (file := self._given.get()) is not None:
            try:
                _to_the_disk(self._folder / file)
                entry = entry_of(self._folder, file)
                self._chain.add(entry)
            except (OSError, MemoryError) as error:
                self.error = error
                return
            self._sealed.put(entry)


def _to_the_disk(path: Path) -> None:
    with path.open("r+b") as file:
        os.fsync(file.fileno())
