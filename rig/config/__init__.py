"""Configuration: TOML files and overrides in, checked frozen dataclasses in SI units out.

Imports what is configured: settings of drivers, mechanisms, trajectories and outer loops; files and playback.
Imported by everything above.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rig.config.bench import Bench
from rig.config.setup import Alone, Setup

__all__ = ["Alone", "Setup", "load", "load_bench", "load_experiment"]


def load(experiment: str | Path, overrides: Sequence[str] = (), bench: str | Path | None = None) -> Setup:
    """Read an experiment file and its bench file, or `bench` instead; put `overrides` ("KEY=VALUE") over them.

    Keys that begin with `bench.` go to the bench file, all others to the experiment. Raises ConfigError with every problem of both.
    """
    from rig.config.loading import load_setup  # pint and pydantic are costly, and the processes of a run do without

    return load_setup(Path(experiment), overrides, None if bench is None else Path(bench))


def load_experiment(experiment: str | Path, overrides: Sequence[str] = (), bench: str | Path | None = None) -> Setup | Alone:
    """What is only to be computed: as `load` where the experiment names a bench (or one is given), else the experiment alone.

    Raises ConfigError with every problem.
    """
    from rig.config.loading import load_computed

    return load_computed(Path(experiment), overrides, None if bench is None else Path(bench))


def load_bench(path: str | Path, overrides: Sequence[str] = (), bench: str | Path | None = None) -> tuple[Bench, Path]:
    """A bench and its file, given as bench file or as an experiment that names it; without tares. Raises ConfigError."""
    from rig.config.loading import load_bench_alone

    return load_bench_alone(Path(path), overrides, None if bench is None else Path(bench))
