"""What is wrong with a trajectory that its own keys do not show: files that it plays, joints of a program, a method that is not stable."""

from __future__ import annotations

from collections.abc import Iterator

from model.paths.course import Timed
from rig.trajectory import hybrid, playback, program, pseudo_dynamic
from rig.trajectory.naming import TrajectorySettings

Key = tuple[str | int, ...]


def faults(config: TrajectorySettings | Timed | None, unit: str, rate: float, at: Key = ()) -> Iterator[tuple[Key, str]]:
    """(keys below the trajectory, what is wrong), for a loader that is commanded in `unit` (N or m) and a sample rate in Hz."""
    if isinstance(config, playback.Config):
        yield from (((*at, key), text) for key, text in playback.faults(config, unit, rate))
    elif isinstance(config, pseudo_dynamic.Config):
        if at:
            yield at, "a pseudo-dynamic test is a test by itself, no segment of a program: what it asks for depends on what is measured"
            return
        yield from ((tuple(key.split(".")), text) for key, text in pseudo_dynamic.faults(config))
    elif isinstance(config, hybrid.Config):
        if at:
            yield at, "a real-time hybrid test is a test by itself, no segment of a program: what it asks for depends on what is measured"
            return
        yield from ((tuple(key.split(".")), text) for key, text in hybrid.faults(config))
    elif isinstance(config, program.Config):
        inside = [fault for i, segment in enumerate(config.segments) for fault in faults(segment, unit, rate, (*at, "segments", i))]
        yield from inside
        if not inside:  # what cannot be played has no ends
            yield from (((*at, "segments", i), text) for i, text in program.steps(config, config.create()))
