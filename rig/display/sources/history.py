"""What the window remembers of one stream: the last seconds sample by sample, the last minutes as smallest and largest of bins."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rig.display.sources.reduction import bounds, merge

BIN = 64  # samples; 1.25 ms at 51.2 kS/s, finer than a pixel of any span that is longer than the samples kept

Floats = NDArray[np.floating]


class Track:
    """The newest `depth` values of each of some channels, indexed by n.

    Stored twice, `depth` apart, so that any stretch is one view and nothing is copied to look at it.
    """

    def __init__(self, channels: int, depth: int, kind: type[np.floating] = np.float32) -> None:
        self.depth = depth
        self._store = np.full((channels, 2 * depth), np.nan, dtype=kind)

    def write(self, first: int, values: Floats) -> None:
        """values (channels, k) are number first .. first + k - 1; only the newest `depth` are kept."""
        surplus = max(0, values.shape[1] - self.depth)
        first, values = first + surplus, values[:, surplus:]
        row, k = first % self.depth, values.shape[1]
        straight = min(k, self.depth - row)
        for offset in (0, self.depth):
            self._store[:, offset + row : offset + row + straight] = values[:, :straight]
            self._store[:, offset : offset + k - straight] = values[:, straight:]

    def view(self, channel: int, first: int, last: int) -> Floats:
        """Values first .. last - 1, at most `depth` of them; they must be the newest `depth` for the answer to mean something."""
        row = first % self.depth
        return self._store[channel, row : row + last - first]


class History:
    """One stream, filled from its front; gaps are NaN."""

    def __init__(self, channels: int, samples: int, bins: int) -> None:
        """Room for at least `samples` single samples and `bins` bins of BIN samples of each of `channels` channels."""
        self.channels = channels
        self.begin = self.end = 0  # n of the first sample that came, n behind the newest
        self.unbroken = 0  # n from which on every sample came
        self._raw = Track(channels, max(2, -(-samples // BIN)) * BIN, np.float64)  # as they came: figures are made of them
        self._low, self._high = Track(channels, bins), Track(channels, bins)

    @property
    def empty(self) -> bool:
        return self.begin == self.end

    def append(self, first: int, block: Floats) -> None:
        """block (k, channels) holds samples first ..; what is already here is left out, what is missing becomes a gap."""
        if self.empty:
            self.begin = self.end = self.unbroken = first
        block = block[max(0, self.end - first) :]
        if len(block) == 0:
            return
        first = max(first, self.end)
        if first > self.end:
            self.unbroken = first
        room = self._low.depth * BIN
        for n in range(max(self.end, first - room), first, self._piece):
            self._write(n, np.full((self.channels, min(self._piece, first - n)), np.nan))
        for n in range(0, len(block), self._piece):
            self._write(first + n, block[n : n + self._piece].T)

    def samples(self, channel: int, first: int, last: int) -> tuple[int, Floats]:
        """(n of the first, single samples) of what is still here of first .. last - 1; a view, good until the next append."""
        first = max(first, self.begin, self.end - self._raw.depth)
        last = max(first, min(last, self.end))
        return first, self._raw.view(channel, first, last)

    def bounds(self, channel: int, first: int, last: int, step: int) -> tuple[int, int, Floats, Floats]:
        """What is still here of first .. last - 1 as bins of about `step` samples: (n of the first, step really used, low, high).

        Bins begin at multiples of their step, so that a curve that scrolls keeps its shape.
        """
        if step < BIN and max(first, self.begin) >= self.end - self._raw.depth:
            begin = max(first, self.begin) // step * step
            begin += step if begin < self.end - self._raw.depth else 0
            return (begin, step, *bounds(self._raw.view(channel, begin, max(begin, min(last, self.end))), step))
        merged = max(1, round(step / BIN))
        oldest = max(self.begin // BIN, -(-self.end // BIN) - self._low.depth)
        begin = max(first // (merged * BIN) * merged, -(-oldest // merged) * merged)
        end = max(begin, min(-(-last // BIN), -(-self.end // BIN)))
        low, high = (track.view(channel, begin, end) for track in (self._low, self._high))
        return (begin * BIN, merged * BIN, *merge(low, high, merged))

    @property
    def _piece(self) -> int:
        """Samples written at a time: with the rest of the bin before them they still fit into the raw track."""
        return self._raw.depth - BIN

    def _write(self, first: int, values: Floats) -> None:
        """Samples into the raw track, and the bins that they touch anew from there."""
        self._raw.write(first, values)
        self.end = first + values.shape[1]
        start = first // BIN * BIN
        low, high = zip(*(bounds(self._raw.view(c, start, self.end), BIN) for c in range(self.channels)), strict=True)
        self._low.write(start // BIN, np.stack(low))
        self._high.write(start // BIN, np.stack(high))
