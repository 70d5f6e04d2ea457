"""When a record in parts goes on in the next one: after a time, after so many bytes of samples, or where a test stands."""

from __future__ import annotations

_FAR = 2**62


class Rotation:
    """Counts what the newest part holds. seconds, size (bytes): of a part; 0 for no bound."""

    def __init__(self, seconds: float, size: float) -> None:
        self._seconds, self._size = seconds, size
        self._first = self._ahead = 0  # of the newest part; n behind the last sample, or gap, of any stream
        self._counted = 0  # n from which on the newest part's length counts: its first sample, or later, where it began with a gap
        self._bytes, self._empty = 0, True
        self._cut = _FAR

    def room(self, first: int, rate: float) -> int:
        """Samples from `first` on, at `rate` (Hz), that belong to the newest part or to one before it; 0: it is time for the next."""
        if self._size and self._bytes >= self._size and first >= self._ahead:
            return 0
        return max(0, min(self._counted + self._length(rate), self._cut) - first)

    def gap(self, first: int, end: int, rate: float) -> None:
        """A gap from sample `first` to `end` is about to be entered. A newest part that holds nothing yet is not ended in it: it goes on up
        to the boundary behind the gap, as there would be nothing to see in it."""
        length = self._length(rate)
        if self._empty and self._first <= first and end >= self._counted + length:
            self._counted += (end - self._counted) // length * length
        self._ahead = max(self._ahead, end)

    def within(self, first: int, rate: float) -> int:
        """As `room`, up to the end of the part that sample `first` is of: where the newest one begins it has gone on."""
        return self._first - first if first < self._first else self.room(first, rate)

    def boundary(self, first: int, rate: float) -> int:
        """Sample at which the next part is to begin, when there is no room for sample `first`."""
        length = self._length(rate)
        if self._cut < min(self._counted + length, first + 1):
            return self._cut
        return first if first < self._counted + length else first - (first - self._counted) % length

    def cut(self, at: int, least: int) -> None:
        """The next part begins at sample `at`, or where samples have come to by now; not in a part of fewer than `least` samples."""
        at = max(at, self._ahead)
        if at - self._first >= least:
            self._cut = min(self._cut, at)

    def rotated(self, at: int) -> None:
        """A part begins at sample `at`."""
        self._first = self._counted = at
        self._bytes, self._empty, self._cut = 0, True, _FAR if self._cut <= at else self._cut

    def took(self, end: int, size: int) -> None:
        """Samples were recorded up to `end`, `size` bytes of them."""
        self._ahead, self._bytes = max(self._ahead, end), self._bytes + size
        if end > self._first:
            self._empty = False

    def took_rows(self, size: int = 0) -> None:
        """The newest part has rows of a table, or of a stream with rows of its own, of `size` bytes that count."""
        self._bytes, self._empty = self._bytes + size, False

    def _length(self, rate: float) -> int:
        return max(1, round(self._seconds * rate)) if self._seconds else _FAR
