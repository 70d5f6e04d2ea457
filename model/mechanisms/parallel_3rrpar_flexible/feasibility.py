"""What the bars and the steps of the flexible 3-RRPaR have to bear, looked at before anything moves: refused with numbers and advice.

| symbol | unit | meaning |
|---|---|---|
| N | N | along a bar, half of what ideal joints bring to its leg; compression is positive |
| pi^2 EI/L^2 | N | Euler's load of a pinned bar |
| 5 w L^4/(384 EI) | m | sag of a pinned bar under its weight, and the inertia of an arm's speed, w per length |
| sqrt(k/m), k = 2 EA/L | 1/s | of all that hangs on the bars, as a pair of them stretches |
"""

from __future__ import annotations

import math

import numpy as np

from model.errors import ModelError
from model.mechanisms.parallel_3rrpar import ideal
from model.mechanisms.parallel_3rrpar.pin_loads import times
from model.mechanisms.parallel_3rrpar_flexible.config import ONE_WAY, REDUCED, Config
from model.paths.course import Course
from model.stepping.implicit import Floor

MOST_STRAIN, MOST_SAG = 0.01, 0.05  # of a bar's length
ROUNDING = 4e-15  # of EA: forces of a strained bar are no more exact
CONTINUUM = ("enhanced_continuum", "paper")
FOLLOWED = 0.25  # of a period, that a step may last where bars are jerked
KNOCKED, KNOCKED_REDUCED = 0.11, 0.055  # the same where pins are thrown against their bushes: more rings on, or ends the iteration
STILL = 1e-6  # m/s
DAMPED = 2e-5  # s: step at which continuum elements with damping still follow a jerk: their stresses are quadratic in strain and its rate


def refuse(config: Config, step: float, path: Course, lasting: float, driven: bool = False) -> None:
    """Raise ModelError for bars that cannot bear the load, a jerk that a step cannot follow; `driven`: samples begin as they will."""
    _refuse_soft(config, path, lasting)
    if not driven:
        _refuse_jerk(config, step, path)


def _refuse_soft(config: Config, path: Course, lasting: float) -> None:
    beam, length = config.bars.beam, config.bars.length
    loads = ideal.loads(config, *path.evaluate(times(lasting)))
    along = -0.5 * np.sum(loads.force * loads.motion.u, axis=-1)
    weight = beam.density * beam.area * (abs(config.gravity) + config.geometry.arm_length * float(np.max(loads.motion.theta_rate**2)))
    euler = math.pi**2 * beam.bending[0] / length**2
    strain = float(np.max(np.abs(along))) / (beam.youngs_modulus * beam.area)
    sag = 5.0 * weight * length**4 / (384.0 * beam.bending[0])
    if float(along.max()) > euler:
        what = f"they are pressed with {along.max():.3g} N and buckle at {euler:.3g} N"
    elif strain > MOST_STRAIN:
        what = f"{np.abs(along).max():.3g} N stretch them by {strain:.2g} of their length, expected at most {MOST_STRAIN:g}"
    elif sag > MOST_SAG * length:
        what = f"they sag by {sag * 1e3:.3g} mm under their own weight, expected at most {MOST_SAG * length * 1e3:.3g} mm"
    else:
        return
    raise ModelError(f"mechanism.bars are too soft for this path: {what}; choose a larger youngs_modulus or width")


def rounding(config: Config, usual_force: float) -> Floor:
    """What a tolerance may have to stay above."""
    stiffness = config.bars.youngs_modulus * config.bars.beam.area
    return Floor(ROUNDING * stiffness / usual_force, f"bars so stiff (EA = {stiffness:.3g} N beside {usual_force:.3g} N of weight)")


def _refuse_jerk(config: Config, step: float, path: Course) -> None:
    speed = float(np.linalg.norm(path.evaluate(np.zeros(1))[1]))
    if config.start != "rest" or speed < STILL:
        return
    bars = config.bars
    mass = config.platform.mass + 3.0 * (config.short.mass + bars.mass)
    period = 2.0 * math.pi * math.sqrt(mass * bars.length / (2.0 * bars.youngs_modulus * bars.beam.area))
    if bars.damping > 0.0 and bars.formulation in CONTINUUM and step > DAMPED:
        raise ModelError(
            f"mechanism.start = 'rest' on a path that begins with {speed:.3g} m/s is a jerk, which bars.formulation = {bars.formulation!r} "
            f"with bars.damping follows by steps of at most {DAMPED:g} s, integrator.step is {step:.3g} s; choose such steps, "
            "bars.damping = 0, bars.formulation = 'elastic_line', trajectory.blend = 'on' or start = 'moving'"
        )
    longest = _followed(config) * period
    if step > longest * (1.0 + 1e-9):
        raise ModelError(
            f"mechanism.start = 'rest' on a path that begins with {speed:.3g} m/s is a jerk: it stretches the bars, with a period of "
            f"{period * 1e3:.3g} ms, which integrator.step {step * 1e3:.3g} ms cannot follow; choose at most "
            f"{_rounded_down(longest):g} s, trajectory.blend = 'on' or start = 'moving'"
        )


def _followed(config: Config) -> float:
    """Of a period: the longest step."""
    if config.ideal or config.coupling == ONE_WAY:
        return FOLLOWED
    return KNOCKED_REDUCED if config.bars.formulation == REDUCED else KNOCKED


def advice(config: Config, path: Course) -> str:
    """What to do where the iteration fails all the same."""
    speed = float(np.linalg.norm(path.evaluate(np.zeros(1))[1]))
    if config.start != "rest" or speed < STILL:
        return ""
    return f"; mechanism.start = 'rest' jerks the bars by {speed:.3g} m/s: trajectory.blend = 'on' or start = 'moving' does not"


def _rounded_down(value: float) -> float:
    size = 10.0 ** math.floor(math.log10(value))
    return math.floor(value / size + 1e-9) * size
