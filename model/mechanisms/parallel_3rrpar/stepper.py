"""From the 3-RRPaR mechanism's configuration and a path to a Stepper: parameters, start, stability limit; and its energy."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from model.compiled.parameters import Places, packed
from model.contact.force import force
from model.errors import ModelError
from model.floats import Floats
from model.friction import velocity_window
from model.integrators.method import Integrator, explicit
from model.integrators.tableau import Tableau
from model.joints import contact
from model.mechanisms.parallel_3rrpar import driven as led
from model.mechanisms.parallel_3rrpar import kernel, kinematics
from model.mechanisms.parallel_3rrpar import pin_loads as pressing
from model.mechanisms.parallel_3rrpar import state as timed
from model.mechanisms.parallel_3rrpar.config import Config, remarks_of
from model.mechanisms.parallel_3rrpar.start import resting, start
from model.paths.course import Course
from model.stepping.explicit import Kernels, Motion, Stepper

GRID = 1e3  # Hz: of the drives' motion; between its points the error is (2 pi f/GRID)^6/46080, 1e-11 at 15 Hz
MARGIN = 0.05  # s that the solver may run ahead of what is asked for, beside its longest step
OWN_TIME = Kernels(timed.rhs, timed.guards, timed.switch, timed.channels, force)
LED = Kernels(led.rhs, led.guards, led.switch, led.channels, force)
# Small but usual sizes of beta, gamma and their rates, against which errors are measured: rad, rad/s. Work: J.
SCALE = np.array([1e-4] * kernel.FREEDOMS + [1e-2] * kernel.FREEDOMS)
WORK_SCALE = 1.0
MUCH = 4.0  # times shorter than need be is worth a word


class PinStepper(Stepper):
    """remarks: what its user should know."""

    remarks: tuple[str, ...] = ()
    lasting: float = 0.0


class LedStepper(PinStepper):
    """Its samples are the path's time, from 0 to `lasting` (s), a grid's point more or less."""

    def start(self, samples: Floats, state: Floats | None = None) -> None:
        """As Stepper.start. Raises ModelError for samples beyond the path's time."""
        refuse_beyond(samples, 0, self.lasting)
        super().start(samples, state)

    def _advance(self, samples: Floats, watched: bool) -> tuple[Floats, Floats, Floats]:
        refuse_beyond(samples, self._next + self.lookahead, self.lasting)
        return super()._advance(samples, watched)


def refuse_beyond(samples: Floats, first: int, lasting: float) -> None:
    """Raise ModelError where samples of the path's time (k,), the first of which has that index, leave 0 to `lasting`, s."""
    beyond = (samples < -1.0 / GRID) | (samples > lasting + 1.0 / GRID)
    if beyond.any():
        k = int(np.argmax(beyond))
        raise ModelError(
            f"input sample {first + k}: expected the path's time, 0 to {lasting:g} s, got {samples[k]:.6g} s; "
            "keep the course on the path, or follow it for longer"
        )


def stepper(
    config: Config, integrator: Integrator, rate: float, path: Course, lasting: float, work: bool = False, driven: bool = False
) -> Stepper:
    """See `model.mechanisms.parallel_3rrpar`; `work`: the drives' work (J) is the last state; `driven`: samples are its time.

    path.evaluate(times) -> (point, velocity, acceleration), (N, 3) each, m and s, up to `lasting` s and a little beyond.
    """
    method = explicit(integrator, "the rigid 3-RRPaR, which takes explicit steps", "dop853 or rk4")
    pressed = pressing.force(config, path, lasting)
    remarks = _refuse_unstable(config, method.tableau, method.longest, pressed) if method.fixed else ()
    p = parameters(config, path, lasting + method.longest + MARGIN)
    scale = np.concatenate([SCALE, [WORK_SCALE] * work])
    kernels = (LED if driven else OWN_TIME)._replace(law=config.contact.force)
    motion = Motion(kernels, p, scale, kernel.PINS, kernel.CHANNEL_COUNT, kernel.CHANNEL_COUNT, 0.0, divides=False)

    def rest(samples: Floats) -> tuple[Floats, Floats]:
        return resting(config, path, p, len(scale), samples, rate) if driven else start(config, path, len(scale))

    made = (LedStepper if driven else PinStepper)(motion, *method.steps, rate, rest)
    made.lasting = lasting
    made.remarks, made.slow_since = (*remarks_of(config), *remarks), pressing.said(config, pressed)
    return made


def parameters(config: Config, path: Course, lasting: float) -> Floats:
    """p of the kernel, with the drives' motion for `lasting` s."""
    f, arm, short, bars = kinematics.frame(config), config.arm, config.short, config.bars
    length, half = bars.length, 0.5 * config.geometry.arm_length
    times = np.arange(math.ceil(lasting * GRID) + 2) / GRID
    drives = kinematics.motion_along(config, *path.evaluate(times))
    grid = np.stack([drives.theta, drives.theta_rate, drives.theta_acceleration], axis=-1)
    grid[..., 0] = np.unwrap(grid[..., 0], axis=0)
    places: Places = {
        kernel.GRAVITY: config.gravity, kernel.PLATFORM: config.platform.mass, kernel.LEG: 2.0 * (short.mass + bars.mass),
        kernel.ARM: config.geometry.arm_length, kernel.ARM_WEIGHT: arm.mass * half, kernel.LONG: length,
        kernel.ABOUT: 2.0 * bars.jy + (0.5 * bars.mass + short.mass) * length**2, kernel.A: 2.0 * bars.jx, kernel.B: 2.0 * short.jx,
        kernel.S: (bars.mass + short.mass) * length, kernel.RADIUS_I: config.bush_radius, kernel.V_FLOOR: config.contact.approach_floor,
        kernel.CLEARANCE: config.clearances, kernel.RADIUS_J: [config.bush_radius - clearance for clearance in config.clearances],
        kernel.J_ARM: [about + arm.mass * half**2 for about in (arm.jy, arm.jz, arm.jy)],
        kernel.FRICTION: velocity_window.parameters(config), kernel.PIVOT: f.pivots, kernel.JOINT: f.joints, kernel.POINT: f.offset,
        kernel.GRID_RATE: GRID, kernel.GRID_POINTS: len(times), kernel.SAMPLES: 0, kernel.DRIVES: grid,
    }  # fmt: skip
    return packed(kernel.DRIVES + grid.size, places)


def energy(config: Config, p: Floats, t: float, y: Floats, s: Floats) -> float:
    """`energy_of` along the path in its own time, at t, s."""
    return energy_of(config, p, [kernel.tip(leg, t, p) for leg in range(kernel.LEGS)], y, s)


def energy_of(config: Config, p: Floats, tips: Sequence[tuple[float, ...]], y: Floats, s: Floats) -> float:
    """Of all that moves and of the contacts (Hertz: undamped), J; the drives' work accounts for its change.

    tips: those of the three arms, as kernel.tip has them. From the bodies' own speeds, leg by leg, with none of the kernel's equations of
    motion.
    """
    short, bars, g = config.short, config.bars, config.gravity
    now = kernel.platform(y, p, tips[1])
    total = 0.5 * config.platform.mass * float(np.dot(now[3:6], now[3:6])) + config.platform.mass * g * now[2]
    for leg in range(kernel.LEGS):
        t_x, t_y, v_x, v_y, _, _, rate, _ = tips[leg]
        tip_at = np.array([t_x, t_y, p[kernel.PIVOT + 5]] if leg == 1 else [t_x, 0.0, t_y])
        tip_rate = np.array([v_x, v_y, 0.0] if leg == 1 else [v_x, 0.0, v_y])
        if leg == 1:
            sine, cosine, tilt, flat, turning, tilting = now[6:]
        else:
            sine, cosine, tilt, flat, turning, tilting = kernel.swung(leg // 2, y, p, now, tips[leg])[4:10]
        side, axis = kinematics.SIDES[leg], kinematics.AXES[leg]
        out, across = cosine * kinematics.X_AXIS + sine * side, cosine * side - sine * kinematics.X_AXIS
        u = flat * out + tilt * axis
        u_rate = flat * turning * across + tilting * (flat * axis - tilt * out)
        for mass, share in ((short.mass, 0.0), (2.0 * bars.mass, 0.5), (short.mass, 1.0)):
            place, speed = tip_at + share * bars.length * u, tip_rate + share * bars.length * u_rate
            total += 0.5 * mass * float(speed @ speed) + mass * g * float(place[2])
        spin = turning * tilt  # of a long bar about its own length; across it |u'|
        total += bars.jx * spin**2 + bars.jy * float(u_rate @ u_rate) + short.jx * turning**2
        total += 0.5 * float(p[kernel.J_ARM + leg]) * rate**2
        total += config.arm.mass * g * 0.5 * float(tip_at[2] + p[kernel.PIVOT + 3 * leg + 2])
    for pin in pressing.loose(config):
        stiffness, exponent, _, speed = s[contact.EACH * pin : contact.EACH * (pin + 1)]
        depth = (
            max(0.0, timed.off_centre(pin, tips[1], tips[kernel.ALONG_Y[pin]], y, p)[0] - config.clearances[pin]) if speed > 0.0 else 0.0
        )
        total += stiffness * depth ** (exponent + 1.0) / (exponent + 1.0)
    return float(total)


def _refuse_unstable(config: Config, tableau: Tableau, step: float, pressed: float) -> tuple[str, ...]:
    """A remark where the step is far shorter than it has to be. Raises ModelError where it is too long for pins that knock."""
    hardest = pressing.KNOCKING * pressed
    limit = tableau.stable_step(pressing.modes(config, hardest))
    if step > limit:
        raise ModelError(
            f"integrator.step {step:.3g} s is above what this method bears, {limit:.2g} s: {pressing.said(config, hardest)} "
            f"({pressing.KNOCKING:g} times the largest force of ideal joints on this path); choose a smaller step, or dop853"
        )
    if step > limit / MUCH:
        return ()
    return (f"integrator.step: {step:.3g} s is {limit / step:.0f} times shorter than the contact asks for; up to {limit:.2g} s is stable",)
