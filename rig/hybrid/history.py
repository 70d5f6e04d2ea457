"""What a pseudo-dynamic test tells of itself afterwards: its steps, its loader's error, its energies."""

from __future__ import annotations

from typing import Literal, Protocol, TypedDict

import numpy as np

from rig.hybrid.energy import Instant, Ledger
from rig.hybrid.splitting import Splitting

MOST = 2000  # steps that the summary tells; the record has all
MOVED = 0.1  # of the largest increment: in smaller ones noise hides what is missing
MEASURED_WITHIN = 5e-4  # of an increment, which noise may add to what a loader is seen to miss


class Settings(Protocol):
    """What is asked of a pseudo-dynamic test: see `rig.trajectory.pseudo_dynamic.Config`."""

    @property
    def scheme(self) -> str: ...
    @property
    def step(self) -> float: ...
    @property
    def steps(self) -> int: ...
    @property
    def correct(self) -> bool: ...
    @property
    def undershoot(self) -> float: ...
    @property
    def stiffness(self) -> float: ...
    @property
    def stiffness_error(self) -> float: ...
    @property
    def stiffest(self) -> float: ...
    @property
    def method(self) -> Splitting: ...
    def growth(self) -> float: ...


class Figures(TypedDict):
    """What a pseudo-dynamic test has come to, SI; None where it was not known. `energy`: see `rig.hybrid.energy`; `steps`: a row each."""

    kind: Literal["pseudo_dynamic"]
    scheme: str
    step_s: float
    steps_asked: int
    steps_done: int
    largest_step_s: float | None
    growth_stated: float
    correct: bool
    undershoot_stated: float
    undershoot_measured: float | None
    stiffness_stated: float
    stiffness_error: float
    stiffness_measured: float | None
    largest_error: float | None
    largest_displacement: float | None
    energy: dict[str, float | None] | None
    steps: list[dict[str, float | int]]


class History:
    """Steps in order."""

    def __init__(self, config: Settings) -> None:
        self._config = config
        self._rows: list[dict[str, float | int]] = []
        self._ways: list[tuple[float, float]] = []  # increment, what was missing of it
        self._last_stroke = 0.0
        self.steps = 0

    def enter(self, step: int, before: float, target: float, now: Instant, ledger: Ledger) -> None:
        """A step that has been read: from the displacement `before` to `target` (m)."""
        state, error = now.state, target - now.displacement
        if step:  # the soft start is no increment
            self._ways.append((target - before, error))
        row: dict[str, float | int] = {
            "step": step, "time_s": step * self._config.step, "target": target, "displacement": state.displacement,
            "velocity": state.velocity, "acceleration": state.acceleration, "restoring_force": state.force, "load": now.load,
            "measured_displacement": now.displacement, "measured_force": now.force, "error_J": ledger.error,
        }  # fmt: skip
        if len(self._rows) >= MOST:
            del self._rows[MOST // 2]  # begin and end are what is looked at
        self._rows.append(row)
        self.steps = step

    def figures(self, energy: dict[str, float | None] | None) -> Figures:
        """For the result."""
        config, missing = self._config, self._missing()
        largest = config.method.largest_step(config.stiffest)
        return {
            "kind": "pseudo_dynamic", "scheme": config.scheme, "step_s": config.step, "steps_asked": config.steps, "steps_done": self.steps,
            "largest_step_s": None if largest == float("inf") else largest, "growth_stated": config.growth() - 1.0,
            "correct": config.correct, "undershoot_stated": config.undershoot, "undershoot_measured": missing,
            "stiffness_stated": config.stiffness, "stiffness_error": config.stiffness_error, "stiffness_measured": self._stiffness(),
            "largest_error": max((abs(error) for _, error in self._ways), default=None),
            "largest_displacement": max((abs(row["displacement"]) for row in self._rows), default=None),
            "energy": energy, "steps": self._rows,
        }  # fmt: skip

    def _stiffness(self) -> float | None:
        """Of the specimen over the whole test, N/m: the slope of force over displacement by least squares; None where nothing moved."""
        if len(self._rows) < 2:
            return None
        way, force = (np.array([row[f"measured_{name}"] for row in self._rows]) for name in ("displacement", "force"))
        way -= way.mean()
        square = float(way @ way)
        return float(way @ (force - force.mean())) / square if square > 0.0 else None

    def _missing(self) -> float | None:
        """Share of an increment that the loader missed, as the large ones have it: least squares of error over increment."""
        most = max((abs(way) for way, _ in self._ways), default=0.0)
        ways = [(way, error) for way, error in self._ways if abs(way) > MOVED * most]
        square = sum(way * way for way, _ in ways)
        return sum(way * error for way, error in ways) / square if square > 0.0 else None


def in_words(figures: Figures) -> str:
    """Two lines and a table about what `History.figures` holds."""
    done, asked = figures["steps_done"], figures["steps_asked"]
    head = f"pseudo-dynamic test: {done} of {asked} steps of {figures['step_s']:g} s, {figures['scheme']}"
    if (energy := figures["energy"]) is None:
        return f"{head}; no step was measured"
    limit = f"stable below {figures['largest_step_s']:.4g} s" if figures["largest_step_s"] else "stable at any step"
    missed, stated, error = figures["undershoot_measured"], figures["undershoot_stated"], figures["largest_error"]
    loader = "" if missed is None else f"the loader missed {missed:+.2%} of an increment (stated: {stated:.2%}{_beyond(missed, stated)}),"
    loader += "" if error is None else f" at most {error * 1e6:.1f} um; "
    if (stiffness := figures["stiffness_measured"]) is not None:
        loader += f"specimen {stiffness:.4g} N/m (stated: {figures['stiffness_stated']:.4g}); "
    names = ("supplied", "input", "kinetic", "restoring", "damping", "specimen", "error", "residual")
    table = "  ".join(f"{name} {energy[f'{name}_J']:.4g}" for name in names)
    share = energy["largest_error_share"]
    worst = "" if share is None else f"; largest error {share:.2%} of what was supplied"
    return f"{head}, {limit}\n{loader}corrected: {'yes' if figures['correct'] else 'no'}\nenergy, J: {table}{worst}"


def doubts(figures: Figures) -> list[str]:
    """What the stability and the correction of a test were reckoned with, and was not so."""
    found = []
    missed, stated = figures["undershoot_measured"], figures["undershoot_stated"]
    if missed is not None and _beyond(missed, stated):
        found.append(
            f"pseudo-dynamic test: the loader missed {missed:.2%} of an increment, stated was {stated:.2%} (trajectory.undershoot)"
        )
    measured, expected, share = figures["stiffness_measured"], figures["stiffness_stated"], figures["stiffness_error"]
    if measured is not None and abs(measured / expected - 1.0) > share:
        told = f"the specimen has {measured:.4g} N/m over the test, expected {expected:.4g} within {share:.0%}"
        found.append(f"pseudo-dynamic test: {told} (trajectory.stiffness, stiffness_error): its stability and its correction go by that")
    return found


def _beyond(missed: float, stated: float) -> str:
    return "; MORE than that, on which its stability was reckoned" if abs(missed) > stated + MEASURED_WITHIN else ""
