"""Inertia of a planar mechanism as its drives feel it, joints without clearance: J = sum m (v / omega)^2 + J_i (omega_i / omega)^2.

What is left free, as a body between springs, goes along as its mass has it: with the least kinetic energy.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import cast

import numpy as np

from model.assembly import layout as at
from model.assembly.drives import angle
from model.assembly.start import positions, velocities
from model.assembly.system import System, assembled
from model.floats import Floats
from model.mechanisms.planar.config import Config, LedDrive
from model.mechanisms.planar.stepper import Start, assemble


def felt_inertia(config: Config, courses: Floats) -> Floats:
    """(N, drives) kg m^2, of a drive that slides kg, where the course is `courses` (N,), in their order; the other drives stand still.

    Raises ModelError and InconsistentStart where the linkage cannot be there.
    """
    start, drives = assemble(config), config.led
    masses = np.array([[body.mass, body.mass, body.inertia] for body in config.as_bodies]).ravel()
    system, q, found = _system(config, start), start.placed, []
    for course in np.asarray(courses, dtype=np.float64).tolist():
        q = positions(_at(system, drives, course), q, start.size)
        speeds = (velocities(_at(system, drives, course, one), q, np.zeros_like(q), masses) for one in drives)
        found.append([float(masses @ v**2) for v in speeds])
    return np.array(found).reshape(-1, len(drives))


def hung_inertia(config: Config, courses: Floats) -> Floats:
    """(N, drives) kg m^2 of what hangs on the spring behind each of `sprung_drives`, as that spring feels it; NaN for other drives."""
    found, behind = np.full((len(courses), len(config.led)), np.nan), dict(_behind(config))
    names = [body.name for body in config.as_bodies]
    for column, drive in enumerate(config.led):
        if drive.name in behind:
            body = names[behind[drive.name]]
            turned = (replace(cast(angle.Config, one), body=body) if one.name == drive.name else one for one in config.drives)
            found[:, column] = felt_inertia(replace(config, drives=tuple(turned)), courses)[:, column]
    return found


def sprung_drives(config: Config) -> Iterator[str]:
    """Names of the drives that turn a body which meets the other bodies by springs alone, as a hub before an elastic shaft."""
    return (name for name, _ in _behind(config))


def _behind(config: Config) -> Iterator[tuple[str, int]]:
    """(name of such a drive, number of the body behind its spring)."""
    parts, ground = [part.elements(config.frame) for part in (*config.joints, *config.forces)], len(config.as_bodies)
    held = [{c.i.body, c.j.body} for part in parts for c in (*part.constraints, *part.closed)]
    springs = [{s.i.body, s.j.body} for part in parts for s in part.springs if s.steepest > 0.0 and s.way == at.TURNED]
    for drive in config.led:
        turned = {drive.row.i.body, drive.row.j.body} - {ground}
        behind = [pair - turned for pair in springs if pair & turned and not pair <= {ground, *turned}]
        if behind and all(not pair & turned or pair <= {ground, *turned} for pair in held):
            yield drive.name, min(behind[0])


def _system(config: Config, start: Start) -> System:
    """Its constraints without clearance, nothing moving by itself."""
    still = (replace(c, value=c.begins, rate=0.0, functions=()) if c.drives else c for c in start.closed)
    return assembled(config.as_bodies, [replace(c, drift=(0.0, 0.0)) for c in still])


def _at(system: System, drives: tuple[LedDrive, ...], course: float, turning: LedDrive | None = None) -> System:
    """The same where the course is, one drive turning by 1 rad/s (m/s)."""
    p, k, led = system.p.copy(), int(system.p[at.AT_CONSTRAINTS]), {drive.row.said: drive for drive in drives}
    for constraint in system.constraints:
        if constraint.drives and (drive := led.get(constraint.said)) is not None:
            p[k + at.VALUE] = drive.row.begins + drive.ratio * course
            p[k + at.RATE] = 1.0 if drive is turning else 0.0
        k += at.CONSTRAINT_COLUMNS
    return replace(system, p=p)
