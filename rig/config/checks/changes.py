"""A change of the trajectory that is asked for while a test runs: can it be, and does it stay within all that bounds the command."""

from __future__ import annotations

from dataclasses import dataclass, fields

from rig.config.bench import Bench
from rig.config.checks import axes
from rig.config.checks.control import command_bounds
from rig.config.experiment import MODE_UNITS, Experiment
from rig.config.units.quantities import QuantityError, to_si
from rig.errors import ConfigError
from rig.trajectory import Trajectory, create, program
from rig.trajectory.following.changes import PACED, changeable, changed, fastest
from rig.trajectory.naming import TrajectorySettings

SLACK = 1.0 + 1e-9
TABLE = "trajectory"


@dataclass(frozen=True)
class Changes:
    """The changes of a test so far: its trajectory with its present values, of which `asked` are those of the file."""

    asked: TrajectorySettings
    now: TrajectorySettings

    def value(self, key: str) -> float:
        """Present value of a key, SI."""
        return float(getattr(self.now, key))


def accepted(experiment: Experiment, bench: Bench, changes: Changes, key: str, text: str) -> tuple[Changes, float]:
    """(changes with this one, its value in SI) for `trajectory.KEY` = `text`, as "0.9 mm". Raises ConfigError for what cannot be, or would
    pass a bound."""
    name = _key(experiment, bench, changes, key)
    mode = experiment.command.mode
    meta = next(one.metadata for one in fields(changes.now) if one.name == name)  # type: ignore[arg-type]
    unit = str(meta["unit"]).replace("[mode]", MODE_UNITS[mode])
    try:
        value = to_si(text, unit)
    except QuantityError as error:
        raise ConfigError(f"{key}: {error}") from None
    if "over" in meta and not value > meta["over"]:
        raise ConfigError(f"{key}: expected more than {meta['over']:g} {unit}, got {text}")
    new = Changes(changes.asked, changed(changes.now, name, value))
    if beyond := _beyond(experiment, bench, changes, new, name):
        raise ConfigError(f"{key} = {text}: {beyond}; the test goes on as it is")
    return new, value


def _key(experiment: Experiment, bench: Bench, changes: Changes, key: str) -> str:
    table, _, name = key.partition(".")
    possible = changeable(changes.now)
    if isinstance(changes.now, program.Config):
        text = "a block of a program cannot be changed while it runs: its blocks come again, and what a change is to mean there is not said"
        raise ConfigError(f"{key}: {text}; hold the test, or stop it and begin again with another program")
    if not possible:
        raise ConfigError(f"{key}: nothing of this trajectory can be changed while it runs; that needs one of constant frequency")
    if table != TABLE or name not in possible:
        raise ConfigError(f"{key}: expected {' or '.join(f'{TABLE}.{one}' for one in possible)}; other keys are set before the test")
    if bench.serial_loader is not None:
        raise ConfigError(f"{key}: the loader's controller runs the waveform by itself; it cannot be changed while it runs")
    if experiment.control is not None:
        text = "[control] corrects this trajectory by what it was asked for at the start; it cannot be changed"
        raise ConfigError(f"{key}: {text}; stop the test and begin again with another amplitude, or without [control]")
    return name


def _beyond(experiment: Experiment, bench: Bench, before: Changes, after: Changes, key: str) -> str:
    """What bound the change would pass, in words; empty: none."""
    unit, seconds = MODE_UNITS[experiment.command.mode], experiment.change.time
    old, new = _same_times(before), _same_times(after)
    pace = max(_pace(before), _pace(after))
    rate = pace * (new.bounds()[2] if key in PACED else fastest(old, new, seconds / pace))
    if bench.axes:
        ends = new.bounds()[:2]
        problems = [*axes.beyond_drives(experiment, bench, rate, rate / (new.frequency or 1.0), ends)]
        return "; ".join(problem.text for problem in problems)
    low, high, _ = new.bounds()
    allowed = command_bounds(experiment, bench)
    if low < allowed.low * SLACK - 1e-300 or high > allowed.high * SLACK:
        return f"it reaches {low:.6g}..{high:.6g} {unit}, the command may go {allowed.low:.6g}..{allowed.high:.6g} {unit}"
    if rate > allowed.rate * SLACK:
        how = "" if key in PACED else f" while it comes in, within {seconds:g} s (change.time)"
        return f"it moves at up to {rate:.6g} {unit}/s{how}, allowed {allowed.rate:.6g} {unit}/s"
    return ""


def _same_times(changes: Changes) -> Trajectory:
    """The trajectory with the pace of the file: that changes by itself."""
    settings = changes.now
    for key in changeable(settings):
        if key in PACED:
            settings = changed(settings, key, float(getattr(changes.asked, key)))
    return create(settings)


def _pace(changes: Changes) -> float:
    keys = [key for key in changeable(changes.now) if key in PACED]
    return changes.value(keys[0]) / float(getattr(changes.asked, keys[0])) if keys else 1.0
