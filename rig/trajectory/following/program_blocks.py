"""One block of a program: where it is, what of its table can be changed, and the same place in the program when it lasts otherwise.

A block is called by its number in each list, from 0 on: `segments.1.segments.0` is the first of the program that comes second.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeGuard

import numpy as np

from rig.trajectory import Trajectory, create, ramp
from rig.trajectory.envelope import Enveloped
from rig.trajectory.naming import TrajectorySettings
from rig.trajectory.program import SAME, Config, Program, steps

SEGMENTS = "segments"
LATE = 1e-9
"""s: a block that begins this soon has begun."""
Path = tuple[int, ...]


@dataclass(frozen=True)
class SamePlace:
    """`time` (s) of the other program at the same place. stretch: s of it for each of the one; where that is not 1, `left` s of it come
    before the counted cycles of this block end, which last `whole` s in all."""

    time: float
    stretch: float = 1.0
    left: float = math.inf
    whole: float = math.inf


def parse(config: TrajectorySettings, words: Sequence[str]) -> Path:
    """Of a block that is called by names or numbers, `segments` before each. Raises ValueError for one that there is not."""
    if not words:
        return ()
    if not isinstance(config, Config):
        raise ValueError(f"{'.'.join(words)}: this block has no blocks inside it")
    if len(words) < 2 or words[0] != SEGMENTS:
        raise ValueError(f"{'.'.join(words)}: expected {SEGMENTS}.NAME, or {SEGMENTS}.NUMBER from 0 on")
    number = _number(config, words[1])
    return (number, *parse(config.segments[number], words[2:]))


def key_of(path: Path) -> str:
    """As it stands in `state.json`: `segments.1.segments.0`."""
    return ".".join(f"{SEGMENTS}.{number}" for number in path)


def path_of(key: str) -> Path:
    """What `key_of` made."""
    return tuple(int(word) for word in key.split(".")[1::2])


def called(config: TrajectorySettings, path: Path) -> str:
    """As `--set` takes it: names where there are some."""
    words = []
    for number in path:
        assert isinstance(config, Config)
        config = config.segments[number]
        words.append(f"{SEGMENTS}.{config.name or number}")
    return ".".join(words)


def block_of(config: TrajectorySettings, path: Path) -> TrajectorySettings:
    """Table of a block."""
    for number in path:
        assert isinstance(config, Config)
        config = config.segments[number]
    return config


def running(trajectory: Trajectory, t: float) -> Path:
    """The block that has its turn at time t (s)."""
    path: Path = ()
    while isinstance(trajectory, Program):
        number, begun = trajectory.turn(t)
        trajectory, t, path = trajectory.segments[number], t - begun, (*path, number)
    return path


def leaves(config: TrajectorySettings, path: Path = ()) -> Iterator[tuple[Path, TrajectorySettings]]:
    """Every block that is no program, in the order in which they come first."""
    if not isinstance(config, Config):
        yield path, config
        return
    for number, one in enumerate(config.segments):
        yield from leaves(one, (*path, number))


def exchanged(config: TrajectorySettings, path: Path, block: TrajectorySettings) -> TrajectorySettings:
    """The program with another block in the place of that one; ramps that led to it and from it still do."""
    there = list(leaves(config))
    at = [one for one, _ in there].index(path)
    (begin, end), (first, last) = _ends(there[at][1]), _ends(block)
    new = _put(config, path, block)
    for to, leads in there[max(at - 1, 0) : at]:
        if _is_free(leads) and _same(leads.end, begin):
            new = _put(new, to, replace(leads, end=first))
    for to, leads in there[at + 1 : at + 2]:
        if _is_free(leads) and _same(leads.start, end):
            new = _put(new, to, replace(leads, start=last))
    return new


def made(config: TrajectorySettings, before: TrajectorySettings, trajectory: Trajectory) -> Trajectory:
    """The trajectory of `config`, with the blocks of that of `before` that are the same: none is read or reckoned anew."""
    if config == before:
        return trajectory
    if not (isinstance(config, Config) and isinstance(before, Config) and isinstance(trajectory, Program)):
        return create(config)
    parts = zip(config.segments, before.segments, trajectory.segments, strict=True)
    return Program(tuple(made(*part) for part in parts), config.repeats)


def broken(config: TrajectorySettings, trajectory: Trajectory) -> Iterator[str]:
    """In words, each block of a program that does not begin where the one before it ends."""
    if isinstance(config, Config) and isinstance(trajectory, Program):
        for one, inside in zip(config.segments, trajectory.segments, strict=True):
            yield from broken(one, inside)
        for number, text in steps(config, trajectory):
            yield f"{called(config, (number,))} {text}"


def same_place(old: Trajectory, new: Trajectory, t: float) -> SamePlace:
    """Where the program `new` is what `old` is at its time t (s), the same but for the frequencies of blocks.

    Raises ValueError where a block that lasts otherwise is in its soft start or stop.
    """
    if isinstance(old, Program) and isinstance(new, Program):
        number, begun = old.turn(t)
        inside = same_place(old.segments[number], new.segments[number], t - begun)
        return replace(inside, time=new.begin(old.repeat(t), number) + inside.time)
    if old is new or old.duration == new.duration:
        return SamePlace(t)
    assert isinstance(old, Enveloped) and isinstance(new, Enveloped) and old.frequency and new.frequency
    gone, stretch = t - old.soft_start, old.frequency / new.frequency
    if not 0.0 <= gone < old.wave.duration:
        raise ValueError("the block is in its soft start or stop; its frequency can be changed while its cycles are counted")
    return SamePlace(new.soft_start + gone * stretch, stretch, new.wave.duration - gone * stretch, new.wave.duration)


def _number(config: Config, word: str) -> int:
    names = [one.name for one in config.segments]
    if word.isdecimal() and int(word) < len(names):
        return int(word)
    if names.count(word) == 1:
        return names.index(word)
    there = ", ".join(name or str(number) for number, name in enumerate(names))
    which = "several blocks are" if word in names else "no block is"
    raise ValueError(f"{which} called '{word}'; there are {there} (or 0 to {len(names) - 1} by number)")


def _put(config: TrajectorySettings, path: Path, block: TrajectorySettings) -> TrajectorySettings:
    if not path:
        return block
    assert isinstance(config, Config)
    segments = list(config.segments)
    segments[path[0]] = _put(segments[path[0]], path[1:], block)
    return replace(config, segments=tuple(segments))


def _is_free(block: TrajectorySettings) -> TypeGuard[ramp.Config]:
    """A ramp that goes from one value to another, and from and to nothing else."""
    return isinstance(block, ramp.Config) and block.soft_start == 0.0 and block.soft_stop == 0.0


def _ends(block: TrajectorySettings) -> tuple[float, float]:
    trajectory = create(block)
    begin, end = trajectory.evaluate(np.array([0.0, trajectory.duration]))[0]
    return float(begin), float(end)


def _same(one: float, other: float) -> bool:
    return abs(one - other) <= SAME * max(abs(one), abs(other))
