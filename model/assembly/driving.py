"""What drives come down to: a row that goes by a speed or by a function of time."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from model.assembly import layout as at
from model.assembly.elements import Constraint, Elements, Frame, turned
from model.assembly.functions import spline
from model.assembly.functions.function import Function
from model.assembly.joints import prismatic


def turning(frame: Frame, name: str, body: str, relative_to: str, by_time: Function) -> Elements:
    """A body whose angle from another goes by time, rad."""
    i, j = turned(frame, relative_to, body)
    return Elements(constraints=(Constraint(at.ANGLE, i, j, name, drives=True, functions=(by_time,)),))


def sliding(frame: Frame, name: str, joint: str, by_time: Function) -> Elements:
    """The second point of a prismatic joint whose place on the line goes by time, m."""
    slide = slide_of(frame, joint)
    i, j = frame.pair(slide.between)
    e = (math.cos(slide.direction), math.sin(slide.direction))
    return Elements(constraints=(Constraint(at.LINE, i, j, name, e, drives=True, functions=(by_time,)),))


def slide_of(frame: Frame, joint: str) -> prismatic.Config:
    """The prismatic joint of that name. Raises ValueError with those there are."""
    slides = {name: one for name, one in frame.joints.items() if isinstance(one, prismatic.Config)}
    if joint not in slides:
        raise ValueError(f"joint: expected a prismatic joint ({', '.join(slides) or 'there is none'}), got {joint!r}")
    return slides[joint]


def timetable(points: Sequence[tuple[float, float]], file: str, scale: float, beyond: str) -> Function:
    """The curve through points that stand in the description or in a file, over time (s). Raises ValueError."""
    return spline.through(timed_points(points, file, scale), "file" if file else "points", beyond)


def timed_points(points: Sequence[tuple[float, float]], file: str, scale: float) -> list[tuple[float, float]]:
    """(time, value) of each. Raises ValueError for points in both places or in none."""
    if bool(points) == bool(file):
        raise ValueError(f"points: expected points or a file of them, got {'both' if file else 'neither'}")
    if not file:
        return list(points)
    try:
        changed = Path(file).stat().st_mtime_ns
    except OSError:
        changed = 0
    return list(_read(file, scale, changed))


@lru_cache(maxsize=16)
def _read(file: str, scale: float, changed: int) -> tuple[tuple[float, float], ...]:
    """changed: when, so that a file is read again where it has been written anew."""
    return tuple(spline.table(file, scale, "file"))
