"""One stream as a memory-mapped ring: one writer, many readers, no locks.

File: header | JSON {names, units} | publication times (capacity) | samples (capacity, channels); all float64, little-endian.
Sample n lives in row n % capacity. Two counters make it safe without locks: the writer raises `claim` before it copies and `head`
after; a reader copies, then looks at `claim` again and throws away every row that the writer may have touched meanwhile. That
needs stores to become visible in program order, which x86-64 guarantees (the only machines NI-DAQmx runs on).

Files of our own rather than multiprocessing.shared_memory, whose resource tracker lets a dying reader unlink a live ring
(Python before 3.13). Nothing is unlinked while it is open, so that it works on Windows too.
"""

from __future__ import annotations

import json
import mmap
import os
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from rig.errors import RigError, StaleStream
from rig.host import clock

MAGIC = b"RIGRING\x01"
VERSION = 1
POLL = 0.002  # s between two looks for a ring that is not there yet

_HEADER = np.dtype(
    {
        "names": ["magic", "version", "text_bytes", "channels", "capacity", "first_sample", "rate", "claim", "head", "ended", "heartbeat"],
        "formats": ["S8", "<i8", "<i8", "<i8", "<i8", "<i8", "<f8", "<i8", "<i8", "<i8", "<f8"],
    }
)
_PAGE = 4096

Block = NDArray[np.float64]


def ring_bytes(channels: int, capacity: int, text_bytes: int = 0) -> int:
    """Size of a ring's file."""
    return _data_offset(text_bytes) + 8 * capacity * (1 + channels)


def _data_offset(text_bytes: int) -> int:
    return -(-(_HEADER.itemsize + text_bytes) // _PAGE) * _PAGE


class _Mapping:
    """The mapped file and the arrays that look into it."""

    def __init__(self, path: Path, access: int) -> None:
        with path.open("r+b" if access == mmap.ACCESS_WRITE else "rb") as file:
            self._map: mmap.mmap | None = mmap.mmap(file.fileno(), 0, access=access)
        self.header = np.frombuffer(self._map, _HEADER, 1)
        self.claim, self.head = self.header["claim"], self.header["head"]
        self.times: Block = np.empty(0)
        self.samples: Block = np.empty((0, 0))

    def lay_out(self) -> None:
        """Find the arrays once the header is there."""
        assert self._map is not None
        rows, channels = int(self.header["capacity"][0]), int(self.header["channels"][0])
        offset = _data_offset(int(self.header["text_bytes"][0]))
        self.times = np.frombuffer(self._map, "<f8", rows, offset)
        self.samples = np.frombuffer(self._map, "<f8", rows * channels, offset + 8 * rows).reshape(rows, channels)

    def text(self) -> bytearray | bytes:
        assert self._map is not None
        return self._map[_HEADER.itemsize : _HEADER.itemsize + int(self.header["text_bytes"][0])]

    def write_text(self, text: bytes) -> None:
        assert self._map is not None
        self._map[_HEADER.itemsize : _HEADER.itemsize + len(text)] = text

    def close(self) -> None:
        """Unmap; the views go first, a mapping with views cannot be closed."""
        if self._map is None:
            return
        del self.header, self.claim, self.head, self.times, self.samples
        self._map.close()
        self._map = None

    @property
    def closed(self) -> bool:
        return self._map is None


def _rows(first: int, count: int, capacity: int) -> list[tuple[slice, slice]]:
    """(rows in the ring, rows in the block) of samples first .. first + count - 1: one piece, or two at the wrap."""
    row = first % capacity
    straight = min(count, capacity - row)
    pieces = [(slice(row, row + straight), slice(0, straight))]
    if count > straight:
        pieces.append((slice(0, count - straight), slice(straight, count)))
    return pieces


class RingWriter:
    """The one writer of a stream."""

    def __init__(self, path: Path, mapping: _Mapping, names: tuple[str, ...], capacity: int) -> None:
        self.path, self.names, self.capacity = path, names, capacity
        self._mapping = mapping
        self._head = int(mapping.head[0])

    @classmethod
    def create(
        cls, path: Path, names: Sequence[str], units: Sequence[str], capacity: int, rate: float, first_sample: int = 0
    ) -> RingWriter:
        """Make the file; readers see it when it is complete. `rate` in Hz, `capacity` in samples. Raises RigError."""
        if len(names) != len(units) or not names or capacity < 1:
            raise ValueError(f"ring {path.name}: {len(names)} names, {len(units)} units, capacity {capacity}")
        text = json.dumps({"names": list(names), "units": list(units)}).encode()
        _allocate(path, ring_bytes(len(names), capacity, len(text)))
        mapping = _Mapping(path, mmap.ACCESS_WRITE)
        header = mapping.header
        header["version"], header["text_bytes"], header["channels"] = VERSION, len(text), len(names)
        header["capacity"], header["first_sample"], header["rate"] = capacity, first_sample, rate
        header["claim"] = header["head"] = first_sample
        header["heartbeat"] = clock.now()
        mapping.write_text(text)
        mapping.lay_out()
        header["magic"] = MAGIC  # last: a reader takes it as "complete"
        return cls(path, mapping, tuple(names), capacity)

    @property
    def head(self) -> int:
        """n of the next sample to be published."""
        return self._head

    def append(self, block: Block) -> None:
        """Publish the next k samples, block (k, channels). Never waits; readers that are too slow lose the oldest."""
        k = len(block)
        if block.ndim != 2 or block.shape[1] != len(self.names) or k > self.capacity:
            raise ValueError(f"{self.path.name}: block {block.shape} for {len(self.names)} channels, capacity {self.capacity}")
        if k == 0:
            self.beat()
            return
        mapping, end = self._mapping, self._head + k
        mapping.claim[0] = end
        pieces = _rows(self._head, k, self.capacity)
        for rows, part in pieces:
            mapping.samples[rows] = block[part]
        now = clock.now()
        for rows, _ in pieces:
            mapping.times[rows] = now
        mapping.head[0] = end
        mapping.header["heartbeat"][0] = now
        self._head = end

    def beat(self) -> None:
        """Show that the writer lives although it has nothing to publish."""
        self._mapping.header["heartbeat"][0] = clock.now()

    def close(self) -> None:
        """Mark the stream as ended and unmap; the samples stay readable."""
        if not self._mapping.closed:
            self._mapping.header["ended"][0] = 1
            self._mapping.close()


def _allocate(path: Path, size: int) -> None:
    """Reserve the space now: a full file system must be an error here, not a SIGBUS in the middle of a test."""
    try:
        with path.open("xb") as file:
            file.truncate(size)
            if hasattr(os, "posix_fallocate"):
                os.posix_fallocate(file.fileno(), 0, size)
    except OSError as error:
        raise RigError(f"stream {path.stem}: cannot make its ring of {size / 1e6:.0f} MB, {path}: {error.strerror}") from error


class RingReader:
    """One reader; `read` is strict and in order, `latest` looks at the newest samples only."""

    def __init__(self, path: Path, mapping: _Mapping) -> None:
        text = json.loads(bytes(mapping.text()))
        self.path = path
        self.names: tuple[str, ...] = tuple(text["names"])
        self.units: tuple[str, ...] = tuple(text["units"])
        self.capacity = int(mapping.header["capacity"][0])
        self.rate = float(mapping.header["rate"][0])
        self.first_sample = int(mapping.header["first_sample"][0])
        self.next = self.first_sample
        self.lost: list[tuple[int, int]] = []
        self._mapping = mapping
        mapping.lay_out()

    @classmethod
    def open(cls, path: Path, timeout_s: float) -> RingReader:
        """Wait until the writer has made the ring. Raises StaleStream after `timeout_s`, RigError for another version."""
        deadline = clock.now() + timeout_s
        while (mapping := _complete(path)) is None:
            if clock.now() >= deadline:
                raise StaleStream(f"stream {path.stem}: its writer did not create it within {timeout_s:g} s ({path})")
            time.sleep(POLL)
        version = int(mapping.header["version"][0])
        if version != VERSION:
            mapping.close()
            raise RigError(f"stream {path.stem}: ring of version {version}, expected {VERSION} ({path})")
        return cls(path, mapping)

    @property
    def head(self) -> int:
        """n of the next sample to be published."""
        return int(self._mapping.head[0])

    @property
    def ended(self) -> bool:
        """True when the writer has closed the stream; `head` is final then."""
        return bool(self._mapping.header["ended"][0])

    @property
    def heartbeat(self) -> float:
        """clock.now() of the writer's last sign of life, s."""
        return float(self._mapping.header["heartbeat"][0])

    @property
    def lost_samples(self) -> int:
        return sum(count for _, count in self.lost)

    def read(self, max_samples: int) -> tuple[int, Block]:
        """The next samples in order: (n of the first, copy (k, channels)), k <= max_samples, 0 when there is nothing new.

        Samples that were overwritten before they could be read are entered in `lost`, and reading goes on behind them.
        """
        while True:
            oldest, head = self._oldest(), self.head
            if oldest > self.next:
                self._lose(oldest)
            first = self.next
            count = min(max(head - first, 0), max_samples)
            block = self._copy(first, count)
            torn = self._oldest() - first
            if torn <= 0:
                self.next = first + count
                return first, block
            self._lose(first + torn)
            if torn < count:
                self.next = first + count
                return first + torn, block[torn:]

    def latest(self, count: int, columns: Sequence[int] | None = None) -> tuple[int, Block]:
        """The newest samples, at most `count`: (n of the first, copy (k, channels)). Moves nothing, counts no loss.

        With `columns`, those channels only, in that order: (k, len(columns)).
        """
        head = self.head
        return self._between(head - count, head, columns)

    def since(self, n: int, columns: Sequence[int] | None = None) -> tuple[int, Block]:
        """As `latest`, the samples from n on that are still there. Whoever follows a stream asks by this: by a count, reckoned from `head`
        before, what is written between the two looks would push out as many of the oldest."""
        return self._between(n, self.head, columns)

    def _between(self, first: int, head: int, columns: Sequence[int] | None) -> tuple[int, Block]:
        first = max(first, self._oldest())
        block = self._copy(first, max(head - first, 0), columns)
        torn = min(max(self._oldest() - first, 0), len(block))
        return first + torn, block[torn:]

    def published_at(self, n: int) -> float:
        """clock.now() at which the block holding sample n was published, s; nan when it is not or no longer known."""
        if not self._oldest() <= n < self.head:
            return float("nan")
        published = float(self._mapping.times[n % self.capacity])
        return published if n >= self._oldest() else float("nan")

    def close(self) -> None:
        self._mapping.close()

    def _oldest(self) -> int:
        """n of the oldest sample that the writer has not begun to overwrite."""
        return max(self.first_sample, int(self._mapping.claim[0]) - self.capacity)

    def _lose(self, resume: int) -> None:
        first, count = self.next, resume - self.next
        if self.lost and sum(self.lost[-1]) == first:
            first, count = self.lost[-1][0], self.lost.pop()[1] + count
        self.lost.append((first, count))
        self.next = resume

    def _copy(self, first: int, count: int, columns: Sequence[int] | None = None) -> Block:
        block = np.empty((count, len(self.names) if columns is None else len(columns)))
        for rows, part in _rows(first, count, self.capacity):
            if columns is None:
                block[part] = self._mapping.samples[rows]
            else:
                for place, column in enumerate(columns):
                    block[part, place] = self._mapping.samples[rows, column]
        return block


def _complete(path: Path) -> _Mapping | None:
    """The mapping of a ring whose writer has finished making it; None when it is not there yet."""
    try:
        if path.stat().st_size < _PAGE:
            return None
        mapping = _Mapping(path, mmap.ACCESS_READ)
    except (FileNotFoundError, PermissionError):  # the latter while Windows is still creating it
        return None
    if bytes(mapping.header["magic"][0]) == MAGIC:
        return mapping
    mapping.close()
    return None
