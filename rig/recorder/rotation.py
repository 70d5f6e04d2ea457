"""When a record in parts goes on in the next one: after a time, after so many bytes of samples, or where a test stands."""

from __future__ import annotations

_FAR = 2**62


class Rotation:
    """Counts what the newest part holds. seconds, size (bytes): of a part; 0 for no bound."""

    def __init__(self, seconds: float, size: float) -> None:
        self._seconds, self._size = seconds, size
        self._first = self._ahead = 0  # of the newest part; n behind the last sample of any stream
        self._bytes = 0
        self._cut = _FAR

    def room(self, first: int, rate: float) -> int:
        """Samples from `first` on, at `rate` (Hz), that belong to the newest part or to one before it; 0: it is time for the next."""
        if self._size and self._bytes >= self._size and first >= self._ahead:
            return 0
        return max(0, min(self._first + self._length(rate), self._cut) - first)

    def within(self, first: int, rate: float) -> int:
        """As `room`, up to the end of the part that sample `first` is of: where the newest one begins it has gone on."""
        return self._first - first if first < self._first else self.room(first, rate)

    def boundary(self, first: int, rate: float) -> int:
        """Sample at which the next part is to begin, when there is no room for sample `first`."""
        length = self._length(rate)
        if self._cut < min(self._first + length, first + 1):
            return self._cut
        return first if first < self._first + length else first - (first - self._first) % length

    def cut(self, at: int, least: int) -> None:
        """The next part begins at sample `at`, or where samples have come to by now; not in a part of fewer than `least` samples."""
        at = max(at, self._ahead)
        if at - self._first >= least:
            self._cut = min(self._cut, at)

    def rotated(self, at: int) -> None:
        """A part begins at sample `at`."""
        self._first, self._bytes, self._cut = at, 0, _FAR if self._cut <= at else self._cut

    def took(self, end: int, size: int) -> None:
        """Samples were recorded up to `end`, `size` bytes of them."""
        self._ahead, self._bytes = max(self._ahead, end), self._bytes + size

    def _length(self, rate: float) -> int:
        return max(1, round(self._seconds * rate)) if self._seconds else _FAR
