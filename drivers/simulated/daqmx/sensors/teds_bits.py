"""The bit stream of a data sheet, and the kinds of numbers in it.

A number is stored as it is, as start + code * step (ConRes), or as start * (1 + 2 tolerance)^code (ConRelRes), lowest bit first.
"""

from __future__ import annotations

import struct


class Bits:
    """A stream, read bit by bit; behind its end it has zeros, as an empty memory has."""

    def __init__(self, stream: bytes) -> None:
        self._number, self.left = int.from_bytes(stream, "little"), 8 * len(stream)

    def take(self, count: int) -> int:
        """The next number of so many bits."""
        value = self._number & ((1 << count) - 1)
        self._number >>= count
        self.left -= count
        return value

    def linear(self, count: int, start: float, step: float) -> float:
        """ConRes."""
        return start + self.take(count) * step

    def relative(self, count: int, start: float, tolerance: float) -> float:
        """ConRelRes."""
        return float(start * (1.0 + 2.0 * tolerance) ** self.take(count))

    def single(self) -> float:
        """A number of single precision."""
        return float(struct.unpack("<f", self.take(32).to_bytes(4, "little"))[0])

    def calibration(self) -> None:
        """Skip date, initials, period and place of the calibration."""
        for count in (16, 15, 12, 11):
            self.take(count)
