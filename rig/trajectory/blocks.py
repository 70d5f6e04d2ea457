"""What a program consists of, in the order in which it happens: every segment of every repeat, with its name and its counters."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass

from model.paths.course import Timed
from rig.trajectory import Trajectory, create, program
from rig.trajectory.naming import TrajectorySettings


@dataclass(frozen=True)
class Block:
    """One segment, once: begins at `start` s, brings `cycles` counted cycles from `first_cycle` on."""

    name: str
    start: float
    duration: float
    first_cycle: int
    cycles: int
    repeats: tuple[tuple[str, int, int], ...] = ()
    """(name of the program around it, which repeat from 1 on, of how many), the outermost first."""

    @property
    def text(self) -> str:
        """`flat, repeat 2 of 3 of steps, cycles 40 to 49`."""
        around = [f"repeat {i} of {n} of {name}" for name, i, n in self.repeats]
        last = self.first_cycle + self.cycles - 1
        counted = {0: [], 1: [f"cycle {last}"]}.get(self.cycles, [f"cycles {self.first_cycle} to {last}"])
        return ", ".join([self.name, *around, *counted])


def blocks(config: TrajectorySettings | Timed | None, trajectory: Trajectory | None = None, after: float = 0.0) -> Iterator[Block]:
    """The segments of the trajectory of `config`; it is one block itself when it is not a program.

    after: s; repeats of a program that end before it need not come.
    """
    yield from _walk(config, create(config) if trajectory is None else trajectory, _name(config) or _kind(config), 0.0, 0, (), after)


def begins(
    config: TrajectorySettings | Timed | None, trajectory: Trajectory | None = None, after: float = -math.inf
) -> Iterator[tuple[float, str]]:
    """(time (s) of the trajectory, text) of every block of a program that begins later than `after` (s); nothing for another trajectory."""
    trajectory = create(config) if trajectory is None else trajectory
    if isinstance(trajectory, program.Program):
        for block in blocks(config, trajectory, max(after, 0.0)):
            if block.start > after:
                yield block.start, block.text


def soft_stop(config: TrajectorySettings | Timed | None) -> float:
    """Length in s of the soft stop that the trajectory of `config` ends with; of a program that of its last segment."""
    if isinstance(config, program.Config):
        return soft_stop(config.segments[-1])
    return config.soft_stop if isinstance(config, TrajectorySettings) else 0.0


def stated(config: TrajectorySettings | Timed | None) -> tuple[float | None, int | None]:
    """(amplitude in SI, counted cycles) as the keys `amplitude` and `cycles` of its table say them; None for a table without such a key."""
    keys = {one.name: getattr(config, one.name) for one in fields(config)} if is_dataclass(config) else {}
    return keys.get("amplitude"), keys.get("cycles")


def _walk(
    config: TrajectorySettings | Timed | None,
    trajectory: Trajectory,
    name: str,
    start: float,
    cycle: int,
    repeats: tuple[tuple[str, int, int], ...],
    after: float,
) -> Iterator[Block]:
    if not (isinstance(trajectory, program.Program) and isinstance(config, program.Config)):
        yield Block(name, start, trajectory.duration, cycle, trajectory.cycles, repeats)
        return
    length, counted = trajectory.duration / trajectory.repeats, trajectory.cycles // trajectory.repeats
    first = min(max(math.floor((after - start) / length) - 1, 0), trajectory.repeats)
    cycle += first * counted
    for repeat in range(first, trajectory.repeats):
        inner = (*repeats, (name, repeat + 1, trajectory.repeats)) if trajectory.repeats > 1 or _name(config) else repeats
        at = start + repeat * length
        for i, (segment, made) in enumerate(zip(config.segments, trajectory.segments, strict=True)):
            yield from _walk(segment, made, _name(segment) or f"{i + 1} {_kind(segment)}", at, cycle, inner, after)
            at, cycle = at + made.duration, cycle + made.cycles


def _name(config: TrajectorySettings | Timed | None) -> str:
    return config.name if isinstance(config, TrajectorySettings) else ""


def _kind(config: TrajectorySettings | Timed | None) -> str:
    return type(config).__module__.rpartition(".")[2]
