"""The setpoint of a pseudo-dynamic test: ramps to displacements that a model gives one after the other, from the force in the hold of the
last one.

When a step's force has been read, everything up to the end of what is filled ahead is settled already; the hold is long enough for that, so
the next ramp begins at its own sample whatever the computer did meanwhile. Where it is not, the test is stopped: a command never jumps.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rig.config.checks.control import CommandBounds
from rig.control.amplitude import Note
from rig.hybrid import history
from rig.hybrid.energy import Instant, Ledger
from rig.hybrid.history import History
from rig.hybrid.splitting import State
from rig.hybrid.timeline import STEEPEST
from rig.trajectory.pseudo_dynamic import Config, counted
from rig.workers.bench.setpoints.setpoint import MODEL_COLUMNS, NOT_COUNTED, Column, Setpoint, Timing

SENSED = 0.02  # share by which force and stroke may be wrong
REST = State(0.0, 0.0, 0.0, 0.0)


class Stepwise(Setpoint):
    """See `Setpoint`; what it gives out depends on what `learn` has been given."""

    learns_from = ("stroke", "force")
    stands_anywhere = False

    def __init__(self, config: Config, rate: float, feedback: float, timing: Timing, bounds: CommandBounds) -> None:
        super().__init__(config.create(), rate, feedback, timing)
        self._config, self._bounds, self._timeline, self._method = config, bounds, config.timeline, config.method
        self._loads = config.loads()
        self._levels = np.full(config.steps + 3, np.nan)
        self._levels[[0, 1, -1]] = 0.0, config.initial_displacement, 0.0
        self._step = 0  # whose hold is being read, or will be next
        self._sums, self._count = np.zeros(2), 0
        self._state, self._ledger = REST, Ledger(self._method.structure, Instant(REST, 0.0, 0.0, 0.0))
        self._history = History(config)
        self._model = [(0, self._row(REST, 0))]  # sample from which on it stands in the stream, columns
        self._late = self._broken = False

    def learn(self, first: int, command: Column, measured: Column, doubt: str = "") -> list[Note]:
        """Samples first .. of the test as they came back, measured (k, 2): stroke (m) and force (N). Limits are not its concern."""
        since, measured = self._moving(first, measured)
        notes = list[Note]()
        if self._late and not self._broken:
            return [self._stopped(first, "its force had not been read when the next displacement was due; lengthen trajectory.hold")]
        while self._step <= self._config.steps and not self._broken:
            begin, end = self._timeline.window(self._step, self._config.settle, self._config.average, self._rate)
            inside = measured[max(begin - since, 0) : max(end - since, 0)] if self._count or begin >= since else measured[:0]
            taken = inside[: end - begin - self._count]
            self._sums, self._count = self._sums + np.sum(taken, axis=0), self._count + len(taken)
            if since + len(measured) < end:
                break
            if self._count < end - begin:
                notes.append(self._stopped(first, f"{end - begin - self._count} samples of its hold are missing"))
                break
            notes += self._read(first, *(self._sums / self._count).tolist())
            self._sums, self._count = np.zeros(2), 0
        return notes

    def hold(self, duration: float, at: float | None = None) -> None:
        """See `Setpoint`: between two steps, at the end of what is read of one; the loader stands there already. Raises ValueError where no
        step is left."""
        come = float(self._progress.at(np.array([self._since]))[0])
        ends = (self._timeline.window(step, self._config.settle, self._config.average, self._rate)[1] - 1 for step in self._steps)
        if (end := next((one for one in ends if one >= come), None)) is None:
            raise ValueError("no step is left")
        self._progress.hold(self._since, 0.0, float(end))

    def resume(self, duration: float) -> None:
        """See `Setpoint`; at once: the loader stands until the next ramp begins, which is smooth by itself."""
        self._progress.go_on(self._since, 0.0)

    @property
    def _steps(self) -> range:
        return range(self._config.steps + 1)

    def _moving(self, first: int, measured: Column) -> tuple[int, Column]:
        """(sample of the trajectory, rows) of those samples in which it went on."""
        come = self._progress.at(np.arange(first - 1, first + len(measured)) - self._timing.lead_in)
        went_on = np.diff(come) > 0.0
        if went_on.all():
            return round(float(come[1])), measured  # the array itself: a copy's sums have other bits
        if not went_on.any():
            return round(float(come[-1])), measured[:0]
        return round(float(come[1:][went_on][0])), measured[went_on]

    def standing(self, value: Column, phase: float) -> Column:
        """See `Setpoint`; the model stands still."""
        rows = np.column_stack([value, np.full(len(value), phase), np.full(len(value), NOT_COUNTED)])
        return np.column_stack([rows, np.tile(self._model[-1][1], (len(value), 1))])

    def figures(self) -> history.Figures:
        """How it went, step by step, JSON-able."""
        return self._history.figures(self._ledger.figures() if self._step else None)

    def _followed(self, n: NDArray[np.int64]) -> Column:
        t = self._progress.at(np.maximum(n - self._timing.lead_in, 0)) / self._rate
        _, part = self._timeline.levels_at(self._levels, t)
        if np.isnan(self._levels[1 : int(part[-1]) + 2]).any():  # nothing was read in time: stand still where it is; `learn` says so
            self._levels[np.isnan(self._levels)] = self._levels[self._step + 1]
            self._late = True
        value, part = self._timeline.levels_at(self._levels, t)
        fading = np.clip(1.0 + (n - self._timing.lead_in) / self._timing.fade, 0.0, 1.0)
        value = value + self._offset * 0.5 * (1.0 + np.cos(np.pi * fading))
        cycle = np.where(n < self._timing.lead_in, NOT_COUNTED, counted(self._timeline, part, t))
        rows = [self._model[max(i, 0)][1] for i in np.searchsorted([at for at, _ in self._model], n, side="right") - 1]
        return np.column_stack([value, np.zeros(len(n)), cycle, np.array(rows).reshape(len(n), len(MODEL_COLUMNS))])

    # -- one step of the model -----------------------------------------------------------------------------------------------------

    def _read(self, first: int, stroke: float, force: float) -> list[Note]:
        """The hold of a step has been read: its mean stroke (m) and force (N)."""
        step, config = self._step, self._config
        target, load = float(self._levels[step + 1]), float(self._loads[step])
        if not (np.isfinite(stroke) and np.isfinite(force)):
            return [self._stopped(first, f"stroke {stroke:g} m, force {force:g} N is no measurement")]
        at_target = self._method.at_target(target, stroke, force) if config.correct else force
        if step == 0 and (stiff := self._too_stiff(target, stroke, force)):
            return [self._stopped(first, stiff)]
        if step == 0:
            self._state = self._method.start(target, config.initial_velocity, at_target, load)
        else:
            self._state = self._method.complete(self._state, target, at_target, load)
        now = Instant(self._state, load, stroke, force)
        if step == 0:
            self._ledger = Ledger(self._method.structure, now)
        else:
            self._ledger.add(now)
        self._history.enter(step, float(self._levels[step]), target, now, self._ledger)
        self._model = [self._model[-1], (self.position, self._row(self._state, step))]
        notes = self._next_target(first, target, stroke)
        self._step = step + 1
        return notes

    def _next_target(self, first: int, target: float, stroke: float) -> list[Note]:
        tolerance, step = self._config.tolerance, self._step
        if tolerance is not None and abs(stroke - target) > tolerance:
            away = f"the loader stands {abs(stroke - target) * 1e3:.4g} mm from its target, tolerance {tolerance * 1e3:.4g} mm"
            return [self._stopped(first, away)]
        if step == self._config.steps:
            return []
        following = self._method.target(self._state)
        if beyond := self._beyond(target, following):
            return [self._stopped(first, beyond)]
        self._levels[step + 2] = following
        return []

    def _too_stiff(self, target: float, stroke: float, force: float) -> str:
        """Why the stability that was reckoned before the test does not hold, by the initial displacement; empty where it does."""
        most = self._config.stiffest
        if not target or not stroke or force / stroke <= most * (1.0 + SENSED):
            return ""
        found = f"the specimen has {force / stroke:.4g} N/m at {stroke * 1e3:.4g} mm, expected at most {most:.4g} N/m"
        return f"{found} (stiffness and stiffness_error), on which the stability of the test was reckoned; set trajectory.stiffness"

    def _beyond(self, target: float, following: float) -> str:
        """Why the next displacement cannot be commanded; empty when it can."""
        bounds, rate = self._bounds, STEEPEST * abs(following - target) / self._config.ramp
        if not bounds.low <= following <= bounds.high:
            return f"the next displacement is {following * 1e3:.6g} mm, allowed {bounds.low * 1e3:.6g} to {bounds.high * 1e3:.6g} mm"
        if rate > bounds.rate:
            asked = f"the next ramp moves at {rate * 1e3:.4g} mm/s, allowed {bounds.rate * 1e3:.4g} mm/s"
            return f"{asked}; lengthen trajectory.ramp or shorten trajectory.step"
        return ""

    def _stopped(self, first: int, why: str) -> Note:
        self._broken = True
        return Note(first, f"pseudo-dynamic test, step {self._step}: {why}", stop=True)

    def _row(self, state: State, step: int) -> list[float]:
        return [step * self._config.step, state.displacement, state.velocity, state.force]
