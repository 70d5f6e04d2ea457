"""A change of the trajectory that is asked for while a test runs: can it be, and does it stay within all that bounds the command."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import cached_property

from rig.config.bench import Bench
from rig.config.checks import axes
from rig.config.checks.control import command_bounds, too_fast
from rig.config.experiment import MODE_UNITS, Experiment
from rig.config.kinds import kind_of
from rig.config.resumption import Resumption
from rig.config.units.quantities import QuantityError, in_unit_of, to_si
from rig.control import amplitude, drive_file
from rig.errors import ConfigError
from rig.signals.engineering_units import fitting
from rig.trajectory import Trajectory, create, program
from rig.trajectory.following.changes import PACED, changeable, changed, differing, fastest
from rig.trajectory.following.program_blocks import block_of, broken, called, key_of, leaves, made, parse, path_of
from rig.trajectory.naming import TrajectorySettings

SLACK = 1.0 + 1e-9
TABLE = "trajectory"


@dataclass(frozen=True)
class Changes:
    """The changes of a test so far: its trajectory with its present values, of which `asked` are those of the file."""

    asked: TrajectorySettings
    now: TrajectorySettings
    made: tuple[TrajectorySettings, Trajectory] | None = field(default=None, repr=False, compare=False)
    """A trajectory that there is already, whose blocks are not read or reckoned again."""

    @cached_property
    def trajectory(self) -> Trajectory:
        """Of `now`, but with the pace of the file: that changes by itself."""
        return create(_unpaced(self)) if self.made is None else made(_unpaced(self), *self.made)

    def then(self, change: Mapping[str, float]) -> Changes:
        """With one more. Raises ValueError for a value that its kind refuses."""
        return Changes(self.asked, changed(self.now, change), (_unpaced(self), self.trajectory))

    @classmethod
    def of(cls, asked: TrajectorySettings, resumption: Resumption | None, paced: bool) -> Changes:
        """At the begin of a session. paced: `[pacing]` has its share in the pace, so the asked one is not known."""
        if resumption is None:
            return cls(asked, asked)
        now = changed(asked, resumption.changes)
        if not paced:
            now = changed(now, {key: getattr(asked, key) * resumption.pace for key in changeable(asked) if key in PACED})
        return cls(asked, now)

    def value(self, key: str) -> float:
        """Present value of a key, or of one of a block, as `segments.1.amplitude`; SI."""
        block, _, name = key.rpartition(".")
        return float(getattr(block_of(self.now, path_of(block)), name))


@dataclass(frozen=True)
class Accepted:
    """The changes with this one; its key and value (SI) as the bench takes them; its key in the words of the file; the value before and the
    new one in the unit that it was asked in."""

    changes: Changes
    key: str
    value: float
    words: str
    was: str = ""
    asked: str = ""


def accepted(experiment: Experiment, bench: Bench, changes: Changes, key: str, text: str, running: str = "") -> Accepted:
    """`trajectory.KEY` = `text`, as "0.9 mm"; of a program that of the block that runs, or of `trajectory.segments.NAME.KEY`.

    running: the block of which the command goes out now, as `key_of`. Raises ConfigError for what cannot be, or would pass a bound.
    """
    path, name = _key(experiment, bench, changes, key, running)
    block = block_of(changes.now, path)
    words = ".".join(word for word in (TABLE, called(changes.now, path), name) if word)
    meta = next(one.metadata for one in fields(block) if one.name == name)  # type: ignore[arg-type]
    unit = str(meta["unit"]).replace("[mode]", MODE_UNITS[experiment.command.mode])
    try:
        value = to_si(text, unit)
    except QuantityError as error:
        raise ConfigError(f"{words}: {error}") from None
    if "over" in meta and not value > meta["over"]:
        raise ConfigError(f"{words}: expected more than {meta['over']:g} {unit}, got {text}")
    whole = f"{key_of(path)}.{name}" if path else name
    try:
        new = changes.then({whole: value})
        beyond = _beyond(experiment, bench, changes, new, whole)
    except ValueError as error:  # as a square wave whose flanks are too slow for it
        beyond = str(error)
    if beyond:
        raise ConfigError(f"{words} = {text}: {beyond}; the test goes on as it is")
    return Accepted(new, whole, value, words, in_unit_of(text, unit, changes.value(whole)), in_unit_of(text, unit, value))


def _key(experiment: Experiment, bench: Bench, changes: Changes, key: str, running: str) -> tuple[tuple[int, ...], str]:
    """(path of the block, key of its table)."""
    table, *words, name = key.split(".") if "." in key else (key, "")
    whole = changes.now
    try:
        path = parse(whole, words) if words or not running else path_of(running)
    except ValueError as error:
        raise ConfigError(f"{key}: {error}") from None
    block = block_of(whole, path)
    if isinstance(block, program.Config):
        raise ConfigError(f"{key}: of a program one block is changed, in all its repeats; expected {_blocks(whole)}")
    possible = changeable(block)
    if not possible and path:
        text = f"the block {TABLE}.{called(whole, path)}, a {kind_of(block)}, has nothing that can be changed while it runs"
        raise ConfigError(f"{key}: {text}; expected {_blocks(whole)}")
    if not possible:
        raise ConfigError(f"{key}: nothing of this trajectory can be changed while it runs; that needs one of constant frequency")
    if table != TABLE or name not in possible:
        at = f"{TABLE}.{called(whole, path)}." if path else f"{TABLE}."
        raise ConfigError(f"{key}: expected {' or '.join(at + one for one in possible)}; other keys are set before the test")
    if bench.serial_loader is not None:
        raise ConfigError(f"{key}: the loader's controller runs the waveform by itself; it cannot be changed while it runs")
    if isinstance(experiment.control, drive_file.Config):
        text = "the drive file was iterated for this trajectory; it cannot be changed"
        raise ConfigError(f"{key}: {text}; stop the test and begin again with another amplitude, or without [control]")
    return path, name


def _blocks(whole: TrajectorySettings) -> str:
    """Keys that can be changed, by block."""
    found = [f"{TABLE}.{called(whole, path)}.({'|'.join(keys)})" for path, block in leaves(whole) if (keys := changeable(block))]
    return " or ".join(found) or "a block of constant frequency, and there is none"


def _beyond(experiment: Experiment, bench: Bench, before: Changes, after: Changes, key: str) -> str:
    """What bound the change would pass, in words; empty: none. What has not changed has been found to keep them."""
    seconds, is_paced = experiment.change.time, key.rpartition(".")[2] in PACED
    for text in broken(after.now, after.trajectory):
        return f"{text}. Only ramps beside a block go with it"
    control, frequency = experiment.control, after.trajectory.frequency
    if isinstance(control, amplitude.Config) and frequency and (text := too_fast(experiment, control, frequency * _pace(after))):
        return f"command.ahead: {text}"
    pace = max(_pace(before), _pace(after))
    pairs = differing(_unpaced(before), _unpaced(after)) or [(_unpaced(after), _unpaced(after))]
    bounds = [create(new).bounds() for _, new in pairs]
    low, high = min(one[0] for one in bounds), max(one[1] for one in bounds)
    rate = pace * max(one[2] for one in bounds) if is_paced else pace * max(fastest(*pair, seconds / pace) for pair in pairs)
    if bench.axes:
        problems = [*axes.beyond_drives(experiment, bench, rate, rate / (after.trajectory.frequency or 1.0), (low, high))]
        return "; ".join(problem.text for problem in problems)
    came = "" if is_paced else f" while it comes in, within {seconds:g} s (change.time)"
    return _beyond_loader(experiment, bench, (low, high, rate), came)


def _beyond_loader(experiment: Experiment, bench: Bench, bounds: tuple[float, float, float], came: str) -> str:
    (low, high, rate), allowed, unit = bounds, command_bounds(experiment, bench), MODE_UNITS[experiment.command.mode]
    name, factor = fitting(unit, max(map(abs, (low, high, allowed.low, allowed.high))))
    if low < allowed.low * SLACK - 1e-300 or high > allowed.high * SLACK:
        reached, may = (f"{a * factor:.6g}..{b * factor:.6g} {name}" for a, b in ((low, high), (allowed.low, allowed.high)))
        return f"it reaches {reached}, the command may go {may}"
    if rate > allowed.rate * SLACK:
        return f"it moves at up to {rate * factor:.6g} {name}/s{came}, allowed {allowed.rate * factor:.6g} {name}/s"
    return ""


def _unpaced(changes: Changes) -> TrajectorySettings:
    """The trajectory with the pace of the file."""
    pace = {key: float(getattr(changes.asked, key)) for key in changeable(changes.now) if key in PACED}
    return changed(changes.now, pace)


def _pace(changes: Changes) -> float:
    keys = [key for key in changeable(changes.now) if key in PACED]
    return changes.value(keys[0]) / float(getattr(changes.asked, keys[0])) if keys else 1.0
