"""One recorded test as a fit sees it: figures of what was measured, of what a model with given numbers would show, and of specimens."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from model.errors import ModelError
from model.mechanisms.mechanism import Mechanism
from rig.budget.errors import Bench
from rig.budget.specimens import Specimen, specimens
from rig.comparison import Settings
from rig.comparison.delays.fractional_shift import Shifted
from rig.comparison.filtering import passable
from rig.comparison.series import Series
from rig.config.experiment import Budget, Identify
from rig.config.plan import Plan
from rig.config.spreads import FreeNumber
from rig.errors import ConfigError
from rig.identification.cycle_figures import CycleFigures
from rig.identification.parameters import as_read, unlike_its_record
from rig.identification.usable_cycles import UsableCycles
from rig.recorder.folders import RECORD
from rig.recorder.reading import read_run
from rig.report.agreement import agreed
from rig.report.signals import signals
from rig.report.summary import BROKEN_OFF, ending

Floats = NDArray[np.float64]


class RecordedTest:
    """Of the run in `run_dir`. cycles: (cycles, figures) as measured; measured: (figures,) of the mean cycle; scatter: (figures,) variance
    of that mean; notes: what there is to say of its samples and of how it ended."""

    def __init__(self, run_dir: Path, plan: Plan, given: Identify) -> None:
        """Raises ConfigError for a record of which nothing can be told: no cycles that count, no channel that both sides have."""
        self.run_dir, self.plan = run_dir, plan
        comparison = plan.experiment.comparison
        record = read_run(run_dir / RECORD)
        self._found = signals(record, plan)
        self._settings = Settings(
            passable(comparison.lowpass, self._found.rate), comparison.discard_cycles, comparison.remove_delay, band=comparison.band
        )
        self._bench = Bench(plan, record, self._found, self._settings)
        channels = given.channels or tuple(sorted({criterion.channel for criterion in comparison.criteria}))
        there = [name for name in self._found.measured if name in self._found.predicted]
        if not channels or (unknown := [name for name in channels if name not in there]):
            got = ", ".join(unknown) if channels else "none, and nothing is judged"
            raise ConfigError(
                f"{run_dir}: identify.channels: expected channels that are measured and predicted ({', '.join(there)}), got {got}"
            )
        loop = _loop(run_dir, given.loop, there)
        usable = UsableCycles(plan, self._found, self._settings, tuple(dict.fromkeys((*channels, *(loop or ())))))
        self.notes = [f"{run_dir}: {note}" for note in (*_how_it_ended(run_dir), *usable.notes)]
        try:
            self.figures = CycleFigures(self._found.command, self._found.rate, self._settings, channels, given.cycles, usable.known, loop)
        except ConfigError as error:
            raise ConfigError("; ".join((str(error), *self.notes))) from error
        if self.figures.left_out:
            self.notes.append(
                f"{run_dir}: {self.figures.left_out} cycles are not fitted, as samples in them are missing or clipped; "
                f"{len(self.figures.spans)} are"
            )
        try:
            rows = self.figures.of({name: self._in_time(self._found.measured[name]) for name in self.figures.rows.needed})
        except ValueError as error:
            raise ConfigError(f"{run_dir}: identify.loop: {error}") from error
        self.cycles: Floats = rows
        self.measured: Floats = rows.mean(axis=0)
        self.scatter: Floats = rows.var(axis=0, ddof=1) / len(rows)

    def _in_time(self, measured: Series) -> Series:
        """Without the delay that is known."""
        late = self._settings.remove_delay * self._found.rate
        return Shifted(measured, -late) if late else measured

    @property
    def period(self) -> float:
        """Of a cycle, s."""
        return float(np.median([span.end - span.first for span in self.figures.spans])) / self._found.rate

    @property
    def command(self) -> Floats:
        """(2 harmonics + 1,): mean cycle of the command, transformed as the channels are."""
        value, rows = self._found.command.value, self.figures.rows
        return np.asarray(np.mean([rows.transformed(value[one.first : one.end], one.phase) for one in self.figures.spans], axis=0))

    def showing(self, measured: Floats, scatter: Floats) -> RecordedTest:
        """The same test with other figures in place of the measured ones, as those of a specimen that is known."""
        other = copy.copy(self)
        other.measured, other.scatter = measured, scatter
        return other

    def predicted(self, mechanism: Mechanism, free: list[FreeNumber], values: Floats, folder: Path) -> Floats:
        """(figures,) of the mean cycle of a mechanism. Raises ModelError where it cannot make the motion."""
        shown = as_read(self._bench.predicted(mechanism, folder), free, values, self._found.rate)
        return np.asarray(self._rows(shown).mean(axis=0))

    def specimen(self, one: Specimen, free: list[FreeNumber], values: Floats, folder: Path) -> tuple[Floats, Floats]:
        """(figures,) of what a specimen's sensors show of it, and the variance (figures,) of that mean."""
        true = as_read(self._bench.predicted(one.mechanism, folder, one), free, values, self._found.rate)
        readings = {name: unlike_its_record(one.readings[name], name, free) for name in self.figures.rows.needed}
        rows = self._rows({name: reading.of(true[name]) for name, reading in readings.items()})
        return np.asarray(rows.mean(axis=0)), np.asarray(rows.var(axis=0, ddof=1) / len(rows))

    def _rows(self, shown: Mapping[str, Series]) -> Floats:
        """Figures (cycles, figures) of a model. Raises ModelError for one that does not load a loop as the specimen is loaded."""
        try:
            return self.figures.of(shown)
        except ValueError as error:
            raise ModelError(str(error)) from error

    def drawn(self, mechanism: Mechanism, budget: Budget, count: int, seed: int) -> list[Specimen]:
        """Specimens, the same ones for the same seed in every test of one bench. Raises ModelError."""
        return specimens(mechanism, replace(budget, specimens=count, seed=seed), self.plan.bench.channels)

    def nrms(self, mechanism: Mechanism, free: list[FreeNumber], values: Floats, folder: Path) -> float:
        """NRMS of the comparison, the worst of the channels that were fitted."""
        shown = as_read(self._bench.predicted(mechanism, folder), free, values, self._found.rate)
        found = agreed(self._found, {name: shown[name] for name in self.figures.rows.channels}, replace(self._settings, delay=False))
        return max(nrms for name in self.figures.rows.channels if (nrms := found[name].nrms) is not None)


def _loop(run_dir: Path, given: tuple[str, ...], there: list[str]) -> tuple[str, str] | None:
    """Displacement and force. Raises ConfigError for what are not two channels of both sides."""
    if not given:
        return None
    if len(given) != 2 or any(name not in there for name in given):
        raise ConfigError(
            f"{run_dir}: identify.loop: expected two channels that are measured and predicted ({', '.join(there)}), the displacement and "
            f"the force, got {', '.join(given)}"
        )
    return given[0], given[1]


def _how_it_ended(run_dir: Path) -> list[str]:
    """Where it was broken off: what stands before may be a specimen that was about to fail."""
    outcome, reason = ending(run_dir)
    return [f"the run {outcome}: {reason}; the whole cycles before that are fitted"] if outcome in BROKEN_OFF else []
