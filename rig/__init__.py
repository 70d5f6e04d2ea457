"""Hardware-in-the-loop test rigs for mechanisms with clearance joints; and what of them a notebook needs.

    import rig

    setup = rig.load(rig.example("linkage"))       # an experiment, checked
    model = rig.simulate(setup)                    # its model alone
    record = rig.open_record("runs/0001-linkage")  # samples are read where they are used
    found = rig.compare("runs/0001-linkage")       # measured against predicted, with a verdict
    rig.plot("runs/0001-linkage")                  # the picture of a run

What stands in `__all__` is the interface: names, arguments and what they return stay the same while the first number of
`__version__` does (before 1.0: the second). Nothing else in these packages is promised. Quantities are in SI units. Bad input raises
ConfigError, in one line for each thing that is wrong. Importing this package loads nothing of it; what a call needs is imported then.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rig.release import VERSION as __version__

if TYPE_CHECKING:
    from xarray import DataTree

    from rig.config.setup import Alone, Setup
    from rig.library.comparing import Comparison
    from rig.library.drawing import Picture

__all__ = ["__version__", "compare", "example", "load", "open_record", "plot", "simulate"]


def example(name: str) -> Path:
    """File of one of the project's own experiments; `rig new --list` names them.

    Raises ConfigError for one that there is not.

        >>> rig.example("linkage").name
        'linkage.toml'
    """
    from rig.examples import tree

    return tree.experiment(name)


def load(experiment: str | Path, overrides: Sequence[str] = (), bench: str | Path | None = None) -> Setup | Alone:
    """Read and check an experiment, and the bench that it names (or `bench`).

    overrides: as `--set` takes them: `'mechanism.clearance="0.2 mm"'`; keys of the bench begin with `bench.`.

    Returns a Setup (`experiment`, `bench`, both frozen and in SI units; `warnings`), or Alone without the bench where none is named.

    Raises ConfigError with all that is wrong.

        >>> setup = rig.load(rig.example("linkage"), ['mechanism.clearance="0.2 mm"'])
        >>> setup.experiment.mechanism.clearance, setup.bench.title
        (0.0002, 'Virtual servo-hydraulic loader, 250 kN')
    """
    from rig.config import load_experiment

    return load_experiment(experiment, overrides, bench)


def simulate(experiment: Setup | Alone | str | Path, overrides: Sequence[str] = ()) -> DataTree:
    """Run the model alone from its start state: what `rig simulate` writes.

    experiment: of `load`, or a file. overrides: only with a file.

    Returns a tree of arrays over `time` (s): `predicted/CHANNEL` (N,), `command/value` where a loader drives it; `events` apart.

    Raises ConfigError for settings that cannot be run, model.errors.NotConverged when the motion diverges.

        >>> model = rig.simulate(rig.example("linkage"), ["simulate.duration=0.1 s", "simulate.output_rate=1 kHz"])
        >>> model["predicted/transmitted_force"].shape
        (101,)
    """
    from rig.library.simulating import simulated

    return simulated(experiment, overrides)


def open_record(run: str | Path) -> DataTree:
    """A run's record, given as its folder or its run.h5; of a test in parts all of them as one.

    Of a test in parts that goes on, or was broken off, those that are closed, as they are at the call: a warning says up to where, and
    so does the attribute `so_far`, which is empty otherwise; `complete` is False then.

    Returns a tree of streams over `time` (s): `command`, `measured`, `predicted`, `predicted_as_measured`, `calculated` where there are
    any, each CHANNEL (N,) with its units and its sensor's data as attributes; `events`, `gaps`; and, of a record that has a table of
    cycles, `cycles/STREAM` over `cycle`: CHANNEL_min, CHANNEL_max, CHANNEL_mean, `whole`. Samples and figures of cycles are read from the
    disk where an array is used, and only those that are asked for. What was lost is NaN.

    Raises ConfigError for a record that is missing or damaged, or of which no part is closed yet.
    """
    from rig.library.records import opened

    return opened(Path(run))


def compare(run: str | Path, overrides: Sequence[str] = (), experiment: str | Path | None = None) -> Comparison:
    """Measured against predicted of a run, from its record: the figures and the verdict of `rig compare`. No file is written.

    overrides: `'comparison.lowpass="500 Hz"'`. experiment: a file whose [comparison] takes the place of the record's.

    Returns a Comparison (`result`, `reason`, `criteria`, `agreement`, `warnings`, `beside`; printed, it is the table).

    Raises ConfigError for a folder without a run.
    """
    from rig.library.comparing import compared

    return compared(Path(run), overrides, None if experiment is None else Path(experiment))


def plot(run: str | Path, overrides: Sequence[str] = ()) -> Picture:
    """The picture of a run, as overlay.png has it: measured over predicted, loop, spectrum, every channel.

    Returns a Picture, which a notebook shows; `save(FILE.png)` writes it. Raises ConfigError as `compare`.
    """
    from rig.library.drawing import drawn

    return drawn(Path(run), overrides)
