"""The picture that `rig check --plot` writes: the trajectory of a setup, with everything that limits it."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from rig.config import Setup
from rig.config.experiment import MODE_UNITS, Experiment
from rig.errors import ConfigError
from rig.files import output_files
from rig.report.preview import Bound, Floats, Subject, preview
from rig.trajectory import create
from rig.trajectory.drives import Drives

SUFFIXES = (".png", ".pdf", ".svg")


def draw(setup: Setup, path: Path) -> Path:
    """Write the picture and say where on standard error. Raises ConfigError for a name that it cannot have."""
    if path.suffix == ".toml":
        raise ConfigError(f"--plot {path}: expected the picture's name, {', '.join(SUFFIXES)}; --plot stands behind EXPERIMENT")
    output_files.checked("--plot", path, SUFFIXES)
    experiment = setup.experiment
    subject = Subject(
        title=experiment.title,
        subtitle=f"{setup.experiment_path.name} on {setup.bench.title}   |   {experiment.acquisition.rate / 1e3:g} kS/s",
        config=experiment.trajectory,
        trajectory=create(experiment.trajectory),
        unit=MODE_UNITS[experiment.command.mode],
        rate=experiment.acquisition.rate,
        limits=list(_limits(setup)),
        drives=_drives(experiment),
    )
    with output_files.whole("--plot", path) as new:
        preview(new, subject)
    print(f"trajectory drawn: {path}", file=sys.stderr)
    return path


def _drives(experiment: Experiment) -> tuple[Sequence[str], Callable[[Floats], Floats]] | None:
    """Names and angles of the motors that follow a path; a shaft that is turned is its own drive."""
    if experiment.command.mode != "path":
        return None
    drives = Drives(experiment.mechanism, experiment.trajectory)
    return drives.names, lambda course: drives.evaluate(course)[0]


def _limits(setup: Setup) -> Iterator[Bound]:
    command, bench = setup.experiment.command, setup.bench
    yield Bound("command.value_limit", -command.value_limit, command.value_limit)
    yield Bound("command.rate_limit", -command.rate_limit, command.rate_limit, of="rate")
    feedback = bench.loader_channel(command.mode)
    for limit in setup.experiment.limits:
        if limit.channel in ("command", feedback):
            if limit.minimum is not None or limit.maximum is not None:
                yield Bound(f"{limit.channel}, {limit.action}", limit.minimum, limit.maximum)
            if limit.rate is not None and limit.channel == "command":
                yield Bound(f"{limit.channel}, {limit.action}", -limit.rate, limit.rate, of="rate")
    if math.isfinite(full := bench.loader_full_scale(command.mode)):
        yield Bound("full scale", -full, full)
