"""The setpoint of a real-time hybrid test: at each sample that comes in the computed frame goes on by one, and one value goes out.

What goes out comes to the specimen later by what is filled ahead and by the loader's own lag; the compensator makes up for both. Blocks are
of one sample (`rig.config.checks.hybrid`); where more than one is wanted at once, the loop has fallen behind, and the test is stopped.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from math import factorial
from typing import cast

import numpy as np
from numpy.typing import NDArray

from rig.config.checks.control import CommandBounds
from rig.control.amplitude import Note
from rig.hybrid.realtime.compensators import adaptive, named, taps
from rig.hybrid.realtime.compensators.contract import Compensator
from rig.hybrid.realtime.criteria import criteria
from rig.hybrid.realtime.figures import Figures, TrackingFigures
from rig.hybrid.realtime.floors import Floors, scaled, undivided
from rig.hybrid.realtime.monitor import EnergyMonitor
from rig.hybrid.realtime.tracking import tracking
from rig.trajectory.hybrid import Config
from rig.workers.bench.setpoints.setpoint import COLUMNS, MODEL_COLUMNS, NOT_COUNTED, Column, Setpoint, Timing

CYCLE = COLUMNS.index("cycle")


class RealTime(Setpoint):
    """See `Setpoint`; what it gives out depends on what `learn` has been given."""

    learns_from = ("stroke", "force")
    stands_anywhere = False

    def __init__(self, config: Config, rate: float, feedback: float, timing: Timing, bounds: CommandBounds) -> None:
        super().__init__(config.create(), rate, feedback, timing)
        self._config, self._bounds = config, bounds
        self._ground = config.acceleration(rate)
        self._floors = Floors(scaled(config.case, config.scale), config.stiffness, rate)
        self._monitor = EnergyMonitor(config.monitor, self._floors.damping, 1.0 / rate)
        self._compensator = compensator(config, rate)
        self._memory = self._compensator.state()
        self._step, self._used, self._command = 0, 0.0, 0.0
        self._rows: list[tuple[float, float, float, float]] = []  # three floors and the stroke, m, of each sample
        self._shown: tuple[float, ...] = (0.0,) * len(MODEL_COLUMNS)
        self._late = self._broken = False

    def learn(self, first: int, command: Column, measured: Column, doubt: str = "") -> list[Note]:
        """Samples first .. of the test as they came back, measured (k, 2): stroke (m) and force (N). Limits are not its concern."""
        notes = list[Note]()
        for k, (stroke, force) in enumerate(measured.tolist()):
            if self._broken or first + k < self._timing.lead_in or self._step >= len(self._ground) - 1:
                continue
            notes += self._taken(first + k, stroke, force)
        if self._late and not self._broken:
            notes.append(self._stopped(first, "a value was due before the sample that it follows from had come in"))
        return notes

    def hold(self, duration: float, at: float | None = None) -> None:
        """See `Setpoint`. Raises ValueError: the frame that is computed cannot stand."""
        raise ValueError("a real-time hybrid test cannot stand: the computed frame swings on; stop it instead")

    def standing(self, value: Column, phase: float) -> Column:
        """See `Setpoint`; the frame is as it was."""
        rows = np.column_stack([value, np.full(len(value), phase), np.full(len(value), NOT_COUNTED)])
        return np.column_stack([rows, np.tile(self._shown, (len(value), 1))])

    def figures(self) -> Figures:
        """How it went, JSON-able."""
        rows = np.array(self._rows).reshape(-1, 4)
        found = tracking(rows[:, 0], rows[:, 3], self._rate) if len(rows) else None
        judged = None
        if self._step == len(self._ground) - 1 and not self._broken and np.any(rows[:, 0]):
            whole = undivided(scaled(self._config.case, self._config.scale), self._ground, self._rate)
            judged = criteria(rows[:, :3], rows[:, 3], whole, self._rate)
        monitor = self._monitor
        empty: TrackingFigures = {"delay_s": None, "nrmse": None, "peak_error": None, "amplitude_index": None}
        return {
            "kind": "hybrid", "compensator": self._config.compensator, "samples": len(rows),
            "tracking": empty if found is None else cast(TrackingFigures, asdict(found)), "criteria": judged,
            "stability": {"indicator_max": monitor.largest, "tripped": monitor.tripped},
            "energy": {"spurious_J": monitor.spurious, "dissipated_J": monitor.dissipated},
        }  # fmt: skip

    def _followed(self, n: NDArray[np.int64]) -> Column:
        since = n - self._timing.lead_in
        if len(n) > 1 and since[0] > 0 and self._step > 0:
            self._late = True
        ending = np.clip((since / self._rate - self._config.duration) / self._config.soft_stop, 0.0, 1.0)
        fading = np.clip(1.0 + since / self._timing.fade, 0.0, 1.0)
        value = np.where(since < 0, 0.0, self._command) * 0.5 * (1.0 + np.cos(np.pi * ending))
        value = value + self._feedback * 0.5 * (1.0 + np.cos(np.pi * fading))
        rows = self.standing(value, 0.0)
        rows[:, CYCLE] = np.where((since < 0) | (ending > 0.0), NOT_COUNTED, 0.0)
        return rows

    # -- one sample of the frame -----------------------------------------------------------------------------------------------------

    def _taken(self, sample: int, stroke: float, force: float) -> list[Note]:
        if not (np.isfinite(stroke) and np.isfinite(force)):
            return [self._stopped(sample, f"stroke {stroke:g} m, force {force:g} N is no measurement")]
        floors, k = self._floors, self._step
        target = float(floors.state[0])
        indicator = self._monitor.add(target, stroke, force, self._used, floors.state[3:])
        self._rows.append((target, float(floors.state[1]), float(floors.state[2]), stroke))
        floors.advance(float(self._ground[k]), float(self._ground[k + 1]), force)
        self._used, self._step = force, k + 1
        following = float(floors.state[0])
        self._command = float(self._compensator.step(self._memory, self._compensator.parameters, following, stroke))
        self._shown = ((k + 1) / self._rate, following, float(floors.state[3]), force)
        if self._monitor.tripped:
            limit = self._config.monitor.limit
            return [self._stopped(sample, f"its indicator is {indicator:.3g}, limit {limit:g}: the loop feeds itself (trajectory.monitor)")]
        low, high = self._bounds.low, self._bounds.high
        if not low <= self._command <= high:
            asked = f"{self._command * 1e3:.4g} mm, allowed {low * 1e3:.4g} to {high * 1e3:.4g} mm"
            return [self._stopped(sample, f"the next command is {asked}")]
        return []

    def _stopped(self, sample: int, why: str) -> Note:
        self._broken, self._command = True, self._last[0]
        return Note(sample, f"real-time hybrid test, {self._step / self._rate:.4g} s: {why}", stop=True)


def compensator(config: Config, rate: float) -> Compensator:
    """Of a loader that is believed to be late by `config.delay` and nothing else: its inverse is exp(tau s), in powers of s."""
    begin = np.array([config.delay**k / factorial(k) for k in range(4)])
    made: dict[str, Callable[[], Compensator]] = {
        "none": taps.none,
        "extrapolation": lambda: taps.extrapolation(config.delay, rate),
        "inverse_2": lambda: taps.inverse(begin[:3], rate),
        "inverse_3": lambda: taps.inverse(begin, rate),
        "time_series": lambda: adaptive.time_series(begin[:3], rate, named.WINDOW, named.PRIOR, named.MOST),
        "kalman": lambda: adaptive.kalman(begin, rate, named.DOUBT, named.WANDER, named.RESIDUAL),
    }
    return made[config.compensator]()
