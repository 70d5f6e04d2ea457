"""Host buffers of a task, in samples per channel. Not thread-safe by themselves: the engine's lock guards them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import DTypeLike, NDArray

Block = NDArray[np.float64 | np.uint8 | np.bool_]
"""Values, counts or ticks as float64, states of lines as bytes."""


class Demand:
    """Samples that a read waits for: `parts` (channels, k) that a full buffer has handed over meanwhile, and how many are `missing`."""

    def __init__(self, count: int) -> None:
        self.missing = count
        self.parts: list[Block] = []


class InputBuffer:
    """Ring of acquired samples; `acquired` and `position` (of the next read) count from the start of the task.

    `held`: nothing can be read before the reference trigger; `first`: the first sample that is the task's then.

    `fifo`: samples per channel that stay on board while the buffer is full. `demand`: what a read waits for; a full buffer hands that
    over before the next sample comes, so that a read as large as the buffer, or larger, is in time however late its thread wakes up.

    `delay` samples stay in the filters of the device: they are `converted`, and come into the buffer that many samples later. With `late`
    they are not waited for: what comes first was in the filters before the start.
    """

    def __init__(
        self, channels: int, size: int, overwrite: bool = False, delay: int = 0, late: int = 0, dtype: DTypeLike = np.float64,
        fifo: int = 0,
    ) -> None:  # fmt: skip
        self.size, self.overwrite, self.delay, self.late = size, overwrite, delay, late
        self.room = size if overwrite else size + fifo
        self.demand: Demand | None = None
        self.finish: Callable[[NDArray[np.float64]], None] | None = None
        """What is done to rows as they come out of the filters, in place."""
        self._filters = np.empty((0, channels), dtype)
        self.converted = 0
        self.acquired = 0
        self.position = 0
        self.first = 0
        self.held = False
        self._data = np.zeros((self.room, channels), dtype)

    @property
    def available(self) -> int:
        """Samples that a read finds; what is on board comes into the buffer when there is room."""
        unread = 0 if self.held else max(0, self.acquired - self.position)
        return unread if self.overwrite else min(unread, self.size)

    @property
    def transferred(self) -> int:
        """Samples that have come into the buffer since the start."""
        return self.acquired if self.overwrite else min(self.acquired, self.position + self.size)

    @property
    def lost(self) -> bool:
        """True when the next sample to be read is gone."""
        return self.available > self.size

    def append(self, block: Block) -> bool:
        """Take (k, channels) in. False when unread samples are in the way: what fits is kept, the rest is not taken."""
        block = self._filtered(block)
        done = self._put(block)
        while self.available >= self.size and self._hand_over():
            done += self._put(block[done:])
        if self.overwrite and done < len(block):
            self._overwrite(block[done:])
            return True
        return done == len(block)

    def _filtered(self, block: Block) -> Block:
        """What comes out of the device's filters as `block` goes in."""
        if self.late and not self.converted:
            self._filters = np.repeat(block[:1], self.late, axis=0)
        self.converted += len(block)
        if kept := self.delay or self.late:
            block = np.concatenate([self._filters, block])
            self._filters = block[max(0, len(block) - kept) :]
            block = block[: len(block) - len(self._filters)]
        if self.finish is not None and len(block):
            self.finish(np.asarray(block, dtype=np.float64))
        return block

    def _put(self, block: Block) -> int:
        """Store as much as there is room for."""
        count = min(len(block), max(0, self.room - (self.acquired - self.position)))
        self._store(self.acquired, block[:count])
        self.acquired += count
        return count

    def _overwrite(self, block: Block) -> None:
        newest = block[-self.room :]
        self._store(self.acquired + len(block) - len(newest), newest)
        self.acquired += len(block)

    def _hand_over(self) -> bool:
        demand = self.demand
        if demand is None or self.held or self.lost or self.available < min(demand.missing, self.size):
            return False
        demand.parts.append(self.take(min(demand.missing, self.size)))
        demand.missing -= demand.parts[-1].shape[1]
        if not demand.missing:
            self.demand = None
        return True

    def take(self, count: int) -> Block:
        """The next `count` samples, (channels, count), a copy; the position moves on."""
        first = self.position % self.room
        run = min(count, self.room - first)
        out = np.empty((self._data.shape[1], count), self._data.dtype)
        out[:, :run] = self._data[first : first + run].T
        out[:, run:] = self._data[: count - run].T
        self.position += count
        return out

    def _store(self, at: int, block: Block) -> None:
        first = at % self.room
        run = min(len(block), self.room - first)
        self._data[first : first + run] = block[:run]
        self._data[: len(block) - run] = block[run:]


class OutputBuffer:
    """Samples to be generated: host buffer of `size` and on-board FIFO of `onboard` samples per channel.

    `position`: where the next write goes, as a rule behind what was `written`.

    While the task runs the FIFO is kept full, so a written sample is out `onboard` samples later at most than a full host buffer says.
    With regeneration the host buffer goes through it over and over ("Regeneration", NI-DAQmx Key Concepts): what is written while the
    task runs comes out behind what is in the FIFO then.
    """

    def __init__(self, channels: int, size: int, onboard: int, regenerate: bool, dtype: DTypeLike = np.float64) -> None:
        self.size, self.regenerate = size, regenerate
        self.onboard = 0 if regenerate else onboard
        self.fifo = onboard
        self.written = 0
        self.position = 0
        self.generated = 0
        self.running = False
        self._data = np.zeros((size + self.onboard, channels), dtype)
        self._ahead = self._data[:0]
        """What has left the host buffer with regeneration before it was written to: the next samples to be generated."""

    @property
    def transferred(self) -> int:
        """Samples that have left the host buffer."""
        if self.regenerate or not self.running:
            return self.generated  # also more than was written: samples leave it again in every round
        return min(self.written, self.generated + self.onboard)

    @property
    def space(self) -> int:
        """Samples that can be written now."""
        if self.regenerate and self.running:
            self._catch_up()
        return self.size - max(0, self.position - self.transferred)

    def write(self, block: Block) -> None:
        """Put (k, channels) at `position`, k <= space; what is behind it stays."""
        if self.regenerate and self.running and len(block):
            behind = self._round(self.generated + len(self._ahead), self.fifo - len(self._ahead))
            self._ahead = np.concatenate([self._ahead, behind])
        length = len(self._data)
        first = self.position % length
        run = min(len(block), length - first)
        self._data[first : first + run] = block[:run]
        self._data[: len(block) - run] = block[run:]
        self.position += len(block)
        self.written = max(self.written, self.position)

    def take(self, count: int) -> Block:
        """Generate up to `count` samples (k, channels); fewer only when the buffer ran dry."""
        if not self.regenerate:
            count = min(count, self.written - self.generated)
        old, self._ahead = self._ahead[:count], self._ahead[count:]
        block = self._round(self.generated + len(old), count - len(old))
        self.generated += count
        return np.concatenate([old, block]) if len(old) else block

    def _round(self, at: int, count: int) -> Block:
        """`count` samples from `at` on, round and round, as they are in the host buffer; a copy."""
        length = len(self._data)
        first = at % length
        if first + count <= length:
            return self._data[first : first + count].copy()
        return self._data[(first + np.arange(count)) % length]

    def rewind(self) -> None:
        """Back to the first sample, for the next start of the task: what is in the buffer is generated again only with regeneration.

        What is written before that start takes its place from the first sample on.
        """
        self.running, self._ahead = False, self._data[:0]
        if not self.regenerate:
            self.written = 0
        else:
            self.written = min(self.written, self.size)
        self.position, self.generated = 0, 0

    def _catch_up(self) -> None:
        if self.generated > self.written:
            rounds = self.size * -(-(self.generated - self.written) // self.size)
            self.written += rounds
            self.position += rounds


class LatestSample(OutputBuffer):
    """Hardware-timed single point: each edge of the clock puts out what was written last, and nothing before the first write."""

    def __init__(self, channels: int, dtype: DTypeLike = np.float64) -> None:
        super().__init__(channels, 2, 0, regenerate=False, dtype=dtype)
        self._fresh = False

    @property
    def space(self) -> int:
        """A new sample takes the place of the one before."""
        return self.size

    def write(self, block: Block) -> None:
        """Put (k, channels); only the last one counts."""
        if len(block):
            self._data[0] = block[-1]
            self.written += len(block)
            self._fresh = True

    def take_new(self) -> Block:
        """The last sample, (1, channels), where nobody has had it in this way; else (0, channels)."""
        fresh, self._fresh = self._fresh, False
        return self._data[: int(fresh)].copy()

    def take(self, count: int) -> Block:
        """The last sample `count` times, (count, channels); nothing when there is none."""
        self.generated += count
        return np.repeat(self._data[:1], count if self.written else 0, axis=0)
