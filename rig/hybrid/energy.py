"""Where the energy of a pseudo-dynamic test goes, step by step (trapezoidal rule), and how much of it is the loader's error.

    kinetic_0 + input = kinetic + restoring + damping + residual        error = restoring - specimen

`restoring` is the work against the force that the model reckons with, over its own displacement; `specimen` is the work that was really
done on the specimen, measured force over measured displacement. A loader that stops short lets them drift apart: the difference is what
its error has put into the test (Mosqueda, Stojadinovic, Mahin 2007). `residual` is what the time stepping is off by.
"""

from __future__ import annotations

from dataclasses import dataclass

from rig.hybrid.splitting import State, Structure


@dataclass(frozen=True)
class Instant:
    """One step: the model's state, the load on it (N), displacement (m) and force (N) as measured at its target."""

    state: State
    load: float
    displacement: float
    force: float


class Ledger:
    """All in J, since the first instant. `largest` is the largest |error| so far."""

    def __init__(self, structure: Structure, first: Instant) -> None:
        self._structure, self._last = structure, first
        self._kinetic_0 = self.kinetic = 0.5 * structure.mass * first.state.velocity**2
        self.input = self.restoring = self.damping = self.specimen = self.largest = 0.0
        self._first = self._kinetic_0 + 0.5 * abs(first.state.force * first.state.displacement)
        self._most = 0.0

    def add(self, now: Instant) -> None:
        """The next step."""
        before, after, last = self._last.state, now.state, self._last
        way = after.displacement - before.displacement
        self.input += 0.5 * (last.load + now.load) * way
        self._most = max(self._most, self.input)
        self.restoring += 0.5 * (before.force + after.force) * way
        self.damping += 0.5 * self._structure.damping * (before.velocity + after.velocity) * way
        self.specimen += 0.5 * (last.force + now.force) * (now.displacement - last.displacement)
        self.kinetic = 0.5 * self._structure.mass * after.velocity**2
        self.largest = max(self.largest, abs(self.error))
        self._last = now

    @property
    def error(self) -> float:
        """Work that the model reckons with and the specimen did not get."""
        return self.restoring - self.specimen

    @property
    def residual(self) -> float:
        """What the time stepping is off by."""
        return self._kinetic_0 + self.input - self.kinetic - self.restoring - self.damping

    @property
    def supplied(self) -> float:
        """What was there at first, kinetic and in the specimen (as in a linear one), and the most that had come in since at any time."""
        return self._first + self._most

    def figures(self) -> dict[str, float | None]:
        """JSON-able, J; the shares are of what was supplied."""
        supplied = self.supplied
        share = (lambda value: value / supplied) if supplied > 0.0 else (lambda value: None)
        return {
            "supplied_J": supplied, "input_J": self.input, "kinetic_J": self.kinetic, "restoring_J": self.restoring,
            "damping_J": self.damping, "specimen_J": self.specimen, "error_J": self.error, "largest_error_J": self.largest,
            "residual_J": self.residual, "error_share": share(self.error), "largest_error_share": share(self.largest),
        }  # fmt: skip
