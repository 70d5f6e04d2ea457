"""Whether a 3-RRPaR mechanism can follow a path: reach, way of assembly, conditioning, speed of the arms."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from model.errors import ModelError
from model.floats import Floats
from model.mechanisms.parallel_3rrpar import kinematics
from model.mechanisms.parallel_3rrpar.config import Config
from model.paths.course import Course

PERIOD_POINTS = 1000  # at which one turn of a path is looked at


@dataclass(frozen=True)
class Survey:
    """A mechanism along a path, at (N,) times; angles and so on are nan where a leg does not reach."""

    times: Floats
    point: Floats  # (N, 3) m
    reached: NDArray[np.bool_]  # (N,)
    theta: Floats  # (N, 3) rad
    theta_rate: Floats
    theta_acceleration: Floats
    condition: Floats  # (N,)
    parallel: Floats
    transmission: Floats  # (N, 3)
    assembly: Floats  # (N,)
    closure: Floats  # (N, 3) m


def one_turn(path: Course) -> Floats:
    """Times of one turn of the steady path, its end included, s."""
    return np.arange(PERIOD_POINTS + 1) * path.period / PERIOD_POINTS


def survey(config: Config, path: Course, times: Floats) -> Survey:
    """Everything that can be said of it."""
    point, velocity, acceleration = path.evaluate(times)
    reached = np.all(kinematics.reach(config, point).reached, axis=-1)
    motion = kinematics.motion_along(config, point[reached], velocity[reached], acceleration[reached])
    here = kinematics.conditioning(config, point[reached])
    values = (
        motion.theta, motion.theta_rate, motion.theta_acceleration, here.condition, here.parallel, here.transmission, here.assembly,
        kinematics.loop_closure(config, point[reached]),
    )  # fmt: skip
    return Survey(times, point, reached, *(_spread(value, reached) for value in values))


def _spread(values: Floats, where: NDArray[np.bool_]) -> Floats:
    spread = np.full((len(where), *values.shape[1:]), np.nan)
    spread[where] = values
    return spread


def followed(config: Config, path: Course | None) -> Course:
    """Return the path. Raises ModelError where there is none, or for one that cannot be followed: what, where, when, by how much.

    One turn and the blend are looked at.
    """
    if path is None:
        raise ModelError("the drives of a 3-RRPaR follow a path; expected one ([trajectory] path = ...)")
    faults = find_faults(config, path)
    if faults:
        raise ModelError("; ".join(f"trajectory: {fault}" for fault in faults))
    return path


def find_faults(config: Config, path: Course) -> list[str]:
    """What `followed` would say, one text for each thing that is wrong."""
    begun = np.arange(0.0, path.blend, path.period / PERIOD_POINTS)
    times = np.concatenate([begun, path.blend + one_turn(path)])
    found = survey(config, path, times)
    if not found.reached.all():
        try:
            kinematics.refuse_unreached(config, found.point, times)
        except ModelError as error:
            return [f"{error}; move the path or make it smaller"]
    return [*_wrong_assembly(found), *_badly_conditioned(config, found), *_too_fast(config, found)]


def _wrong_assembly(found: Survey) -> list[str]:
    wrong = np.flatnonzero(found.assembly * kinematics.ASSEMBLY <= 0.0)
    if not len(wrong):
        return []
    k = int(wrong[0])
    text = f"the platform is assembled the wrong way round {_at(found, k)}: the determinant of the bars' directions is"
    return [f"{text} {found.assembly[k]:+.3f}, expected a negative one (it hangs below arms 1 and 3)"]


def _badly_conditioned(config: Config, found: Survey) -> list[str]:
    k = int(np.argmax(found.condition))
    if found.condition[k] <= config.condition_limit:
        return []
    leg = int(np.argmin(found.transmission[k]))
    straight = math.degrees(math.asin(min(1.0, found.transmission[k, leg])))
    text = f"nearly singular {_at(found, k)}: condition number {found.condition[k]:.3g}, more than condition_limit = "
    text += f"{config.condition_limit:g} (of the bars alone {found.parallel[k]:.3g}; {kinematics.NAMES[leg]}"
    return [f"{text} {straight:.1f} deg from stretched or folded); keep the path away from there, or raise condition_limit"]


def _too_fast(config: Config, found: Survey) -> list[str]:
    speed = np.abs(found.theta_rate)
    k, leg = (int(at) for at in np.unravel_index(np.argmax(speed), speed.shape))
    if speed[k, leg] <= config.joint_speed_limit:
        return []
    what = f"arm {leg + 1} would turn at {found.theta_rate[k, leg]:.3g} rad/s {_at(found, k)}"
    return [f"{what}, faster than joint_speed_limit = {config.joint_speed_limit:g} rad/s; lower trajectory.frequency, or raise the limit"]


def _at(found: Survey, k: int) -> str:
    place = ", ".join(f"{value * 1e3:.1f}" for value in found.point[k])
    return f"at ({place}) mm, {found.times[k]:.4f} s"
