"""What a command works on: one experiment, on one bench or alone, checked, in SI units."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from drivers.files.plain_values import Json
from rig.config.bench import Bench
from rig.config.experiment import Experiment


@dataclass(frozen=True)
class Alone:
    """An experiment that is only computed, and its text: TOML with the values that run."""

    experiment: Experiment
    experiment_text: str
    experiment_path: Path
    warnings: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """Name of the experiment: its file's."""
        return self.experiment_path.stem


@dataclass(frozen=True)
class Setup:
    """Both files as they are to be run, and their texts: TOML with the values that run, each written over the file's own included."""

    experiment: Experiment
    bench: Bench
    experiment_text: str
    bench_text: str
    experiment_path: Path
    bench_path: Path
    warnings: tuple[str, ...] = ()
    overrides: tuple[str, ...] = ()
    """What was laid over both on the command line."""
    bench_given: bool = False
    """Whether another bench than the experiment's own was given there."""

    @property
    def sources(self) -> dict[str, Json]:
        """Where all this came from, so that it can be read again."""
        return {
            "experiment": str(self.experiment_path.resolve()),
            "bench": str(self.bench_path.resolve()),
            "bench_given": self.bench_given,
            "overrides": [*self.overrides],
        }

    @property
    def name(self) -> str:
        """Name of the experiment: its file's."""
        return self.experiment_path.stem
