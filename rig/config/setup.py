"""What a command works on: one experiment, on one bench or alone, checked, in SI units."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

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

    @property
    def name(self) -> str:
        """Name of the experiment: its file's."""
        return self.experiment_path.stem
