"""Does what moves on a bench fit what an experiment commands: a loader force or stroke, axes an angle or the way along a path."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from model.paths.course import Timed
from rig.config.bench import Bench, InputChannel
from rig.config.experiment import MODE_UNITS, Experiment
from rig.config.kinds import kind_of
from rig.config.tree import Problem
from rig.trajectory import turning
from rig.trajectory.drives import Drives

SAMPLES = 2000  # of two periods of the course, in which drives are looked at
SLACK = 1e-6  # of rounding
LOADER_MODES, AXES_MODES = ("force", "stroke"), ("angle", "path")
SETPOINTS = 3.0
"""That a drive's time-out lasts at least."""
FOR_UNIT = {"rad": "a motor drive", "N": "a shaker", "m": "what moves along, for which there is no drive yet"}


def of_bench(bench: Bench) -> Iterator[Problem]:
    """One loader, or axes, each with a name of its own."""
    if (bench.loader is None) == (not bench.axes):
        got = "both" if bench.axes else "neither"
        yield Problem(("loader",), f"expected a loader ([loader]) or the axes of a motor rig ([[axes]]), got {got}")
    names = [axis.name for axis in bench.axes]
    for i, axis in enumerate(bench.axes):
        if axis.name in names[:i]:
            yield Problem(("axes", i, "name"), f"{axis.name!r} is the name of another axis already")
        modes = axis.drive.DRIVEN_BY
        if axis.mode not in modes:
            yield Problem(("axes", i, "mode"), f"{kind_of(axis.drive)} is commanded by {' or '.join(modes)}; got {axis.mode!r}")
        if axis.analog is not None and bench.daq.watchdog is None:
            text = "nothing would stop it if the program died, its reference keeps its last value; expected daq.watchdog"
            yield Problem(("axes", i, "drive"), text)
        elif axis.serial is not None and axis.serial.enable_line is not None and bench.daq.watchdog is None:
            text = "nothing would raise it, nor let it fall if the program died; expected daq.watchdog, or no enable_line"
            yield Problem(("axes", i, "drive", "enable_line"), text)
        timeout, least = axis.serial.timeout if axis.serial is not None else None, SETPOINTS / axis.rate
        if timeout is not None and timeout < least * (1.0 - 1e-9):
            text = f"expected at least {least:.3g} s, {SETPOINTS:g} setpoints at {axis.rate:g} Hz (axes.rate), got {timeout:g} s"
            yield Problem(("axes", i, "drive", "timeout"), f"{text}: the drive would take each pause for the death of its program")
    yield from _shared_drives(bench)


def _shared_drives(bench: Bench) -> Iterator[Problem]:
    """Two axes that would command one motor in turns."""
    taken: dict[tuple[object, ...], str] = {}
    for i, axis in enumerate(bench.axes):
        if axis.serial is None:
            continue
        port, where = axis.serial.port, axis.serial.place()
        other = taken.setdefault((port, *where.items()), axis.name)
        if other != axis.name:
            what = ", ".join(f"{key} {value}" for key, value in where.items())
            text = f"expected a drive of its own; {other} has {what} on {port} already"
            yield Problem(("axes", i, "drive", "port"), text)


def of_mode(mode: str, bench: Bench) -> list[Problem]:
    """A mode that what moves the bench has not; units of setpoints are wrong with it as well, of which nothing need be said then."""
    moved, has = (AXES_MODES, "axes") if bench.axes else (LOADER_MODES, "a loader")
    if mode in moved or mode not in (*AXES_MODES, *LOADER_MODES):
        return []
    return [Problem(("command", "mode"), f"the bench has {has}; expected {' or '.join(moved)}, got {mode!r}")]


def commands(experiment: Experiment, bench: Bench) -> Iterator[Problem]:
    """The mode, the mechanism's course and its drives, the trajectory: all of one kind."""
    mode = experiment.command.mode
    mechanism = experiment.mechanism
    kind, course = kind_of(mechanism), mechanism.course_unit
    if not bench.axes and not mechanism.loader_sources:
        text = f"{kind} is not moved by a loader, and the bench has no axes; choose another, or compute without it (rig simulate)"
        yield Problem(("mechanism", "kind"), text)
        return
    yield from _trajectory(experiment)
    if not bench.axes:
        return
    if not course:
        yield Problem(("mechanism", "kind"), f"{kind} has no drives that axes could move; one of speed 0 stands still")
        return
    fits = [name for name in AXES_MODES if MODE_UNITS[name] == course]
    if mode not in fits:
        by = fits[0] if fits else f"a way ({course}), which no axis goes"
        yield Problem(("command", "mode"), f"{kind} is driven by {by}; got {mode!r}")
    if experiment.control is not None:
        yield Problem(("control",), "an outer loop corrects the setpoint of a loader; this bench has axes")
    yield from _drives(mechanism.setpoint_channels, kind, bench)


def _drives(drives: tuple[tuple[str, str], ...], kind: str, bench: Bench) -> Iterator[Problem]:
    units = dict(drives)
    there = ", ".join(f"{name} ({unit})" for name, unit in drives)
    for i, axis in enumerate(bench.axes):
        if axis.name not in units:
            yield Problem(("bench", "axes", i, "name"), f"{kind} has no drive {axis.name!r}; it has {there}")
        elif units[axis.name] == "m" or (units[axis.name] == "N") != (kind_of(axis.drive) == "shaker"):
            yield Problem(("bench", "axes", i, "drive"), f"{axis.name} is in {units[axis.name]}; expected {FOR_UNIT[units[axis.name]]}")
    if missing := [name for name in units if name not in {axis.name for axis in bench.axes}]:
        yield Problem(("bench", "axes"), f"{kind} has the drives {there}; nothing moves {', '.join(missing)}")


def _trajectory(experiment: Experiment) -> Iterator[Problem]:
    """What turns is turned, what follows a path has one, and a loader does neither."""
    mode, trajectory = experiment.command.mode, experiment.trajectory
    is_path = isinstance(trajectory, Timed)
    needs = "path" if is_path else "angle" if isinstance(trajectory, turning.Config) else "a loader"
    if needs != (mode if mode in AXES_MODES else "a loader"):
        expected = {"angle": 'kind = "turning"', "path": "a path"}.get(mode, "another kind")
        got = f"expected {expected}, got {kind_of(trajectory)}"
        yield Problem(("trajectory", "kind"), f"command.mode = {mode!r} is in {MODE_UNITS[mode]}; {got}")


def beyond_drives(experiment: Experiment, bench: Bench, rate: float, period: float, ends: tuple[float, float]) -> Iterator[Problem]:
    """Drives that the trajectory asks for more speed, or force, than their table allows, or for positions that they cannot tell apart;
    `rate`, `period` and `ends` are those of its course."""
    drives = Drives(experiment.mechanism, experiment.trajectory)
    value, slope = drives.evaluate(np.linspace(0.0, 2.0 * period, SAMPLES))
    for i, axis in enumerate(bench.axes):
        k = drives.names.index(axis.name)
        asked = {"max_speed": rate * float(np.max(np.abs(slope[:, k]))), "max_force": float(np.max(np.abs(value[:, k])))}
        for key, unit, most in (("max_speed", "rad/s", axis.drive.max_speed), ("max_force", "N", axis.drive.max_force)):
            if asked[key] > most * (1.0 + SLACK):
                text = f"the trajectory asks for {asked[key]:.6g} {unit} of {axis.name}; got {most:.6g} {unit}"
                yield Problem(("bench", "axes", i, "drive", key), f"{text}: ask for less, or choose another drive")
        if axis.mode == "position" and axis.serial is not None:
            reached = np.append(value[:, k], drives.evaluate(np.array(ends))[0][:, k])
            if told := axis.serial.too_coarse(float(reached[np.argmax(np.abs(reached))])):
                yield Problem(("bench", "axes", i, "mode"), f"{axis.name}: {told}")


def no_contact_loss(experiment: Experiment, channel: str, channels: Mapping[str, InputChannel]) -> str:
    """Why none can be found in this channel; empty where they can, see `rig.report.overlay.loss_angles`."""
    if kind_of(experiment.mechanism) != "four_bar":
        return f"this is {kind_of(experiment.mechanism)}"
    if channel != "acceleration":
        return f"got channel {channel}"
    encoder = channels.get("crank_angle")
    return "" if encoder is not None and encoder.kind == "encoder" else "the bench has no encoder channel crank_angle"
