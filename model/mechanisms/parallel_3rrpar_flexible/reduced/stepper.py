"""From the flexible 3-RRPaR's configuration to an ImplicitStepper of its reduced form: parameters, start."""

from __future__ import annotations

import math
from functools import partial

import numpy as np

from model.compiled.parameters import Places, packed
from model.contact.force import force
from model.floats import Floats
from model.integrators import generalized_alpha
from model.joints import contact
from model.mechanisms.parallel_3rrpar import kernel as rigid
from model.mechanisms.parallel_3rrpar import kinematics
from model.mechanisms.parallel_3rrpar import pin_loads as pressing
from model.mechanisms.parallel_3rrpar_flexible import contact as pins
from model.mechanisms.parallel_3rrpar_flexible import start as begin
from model.mechanisms.parallel_3rrpar_flexible.bodies import IDEAL
from model.mechanisms.parallel_3rrpar_flexible.config import Config
from model.mechanisms.parallel_3rrpar_flexible.led import implicit
from model.mechanisms.parallel_3rrpar_flexible.reduced import bars as pairs
from model.mechanisms.parallel_3rrpar_flexible.reduced import kernel
from model.paths.course import Course
from model.stepping.implicit import Constrained, ImplicitStepper, Kernels
from model.stepping.sampled_parameters import with_room

LEFT, ROUNDING = 1e-8, 1e-15  # what an equilibrium may leave, N and m of the bars' stiffness


def stepper(
    config: Config, integrator: generalized_alpha.Config, rate: float, path: Course, drives: Floats, usual_force: float,
    led_for: float | None,
) -> ImplicitStepper:  # fmt: skip
    """drives: p of the rigid mechanism's kernel; led_for: the time for which samples lead it along the path, s, or none."""
    p = with_room(np.concatenate([drives, own_parameters(config)]), led_for is not None)
    motion = Constrained(
        kernels=Kernels(kernel.residual, kernel.tangent, pins.guards, pins.switch, kernel.channels, force),
        parameters=p,
        coordinates=pairs.IDEAL + (4 if not config.ideal else 0),
        constraints=0,
        guards=rigid.PINS,
        channels=rigid.CHANNEL_COUNT,
        force=usual_force,
        length=config.bars.length,
        mass=config.platform.mass,
    )
    return implicit(motion, integrator, rate, path, partial(start, config), led_for)


def own_parameters(config: Config) -> Floats:
    """What the kernel has behind p of the rigid mechanism."""
    bars, beam = config.bars, config.bars.beam
    lowest = (math.pi / bars.length) ** 2 * math.sqrt(beam.bending[0] / (bars.density * beam.area))
    squares = [(mode**2 * lowest) ** 2 for mode in range(1, pairs.MODES + 1)]
    places: Places = {
        pairs.STIFFNESS: 2.0 * bars.youngs_modulus * beam.area / bars.length, pairs.DAMPING: bars.damping, pairs.PAIR: 2.0 * bars.mass,
        pairs.SHORT: config.short.mass, pairs.PLATFORM: config.platform.mass, pairs.WEIGHT: config.gravity, pairs.LENGTH: bars.length,
        pairs.SQUARES: squares,
    }  # fmt: skip
    return packed(pairs.OWN, places)


def start(config: Config, path: Course, p: Floats) -> tuple[Floats, Floats, Floats]:
    """(y, s, jerk) at t = 0, as model.mechanisms.parallel_3rrpar_flexible.start has it."""
    held, free = pins.opened(config, kernel.ROOM), pins.opened(config, kernel.ROOM)
    rigid_motion = [value - (kinematics.frame(config).offset if k == 0 else 0.0) for k, value in enumerate(path.evaluate(begin.TIMES))]
    states = np.zeros((len(begin.TIMES), 3, pairs.IDEAL))
    states[:, :, :3] = np.stack(rigid_motion, axis=1)
    if config.start == "rest":
        return at_rest(p, np.concatenate([states[len(states) // 2, 0], np.zeros(4 if not config.ideal else 0)]), free)
    found = [equilibrium(t, y.ravel(), p, held) for t, y in zip(begin.TIMES, states, strict=True)]
    if not config.ideal and begin.unloaded(config, path):
        q = np.stack(found)[:, : pairs.IDEAL]
        return released(p, np.concatenate([part for one in (q[2], begin.rates(q)[0]) for part in (one, np.zeros(4))]), free)
    if not config.ideal:
        for pin in pressing.loose(config):
            free[contact.EACH * pin + contact.SPEED] = config.contact.approach_floor
        found = [equilibrium(t, with_gaps(config, path, t, y, p, held), p, free) for t, y in zip(begin.TIMES, found, strict=True)]
    q = np.stack(found)[:, : len(found[0]) // 3]
    velocity, acceleration, jerk = begin.rates(q)
    return equilibrium(0.0, np.concatenate([q[2], velocity, acceleration]), p, free), free, jerk


def at_rest(p: Floats, q: Floats, s: Floats) -> tuple[Floats, Floats, Floats]:
    """As `start`: straight bars, pins centred and contacts open, nothing moves but the arms."""
    return released(p, np.concatenate([q, np.zeros_like(q)]), s)


def released(p: Floats, state: Floats, s: Floats) -> tuple[Floats, Floats, Floats]:
    """As `start`: the state (q, q') with the accelerations that follow from it."""
    n = len(state) // 2
    y, r, matrix = np.concatenate([state, np.zeros(n)]), np.zeros(n), np.zeros((n, n))
    kernel.residual(0.0, y, r, p, s, force)
    kernel.tangent(0.0, y, matrix, begin.HEAVY, 0.0, p, s, force)
    y[2 * n :] -= np.linalg.solve(matrix / begin.HEAVY, r)
    return y, s, np.zeros(n)


def with_gaps(config: Config, path: Course, t: float, y: Floats, p: Floats, s: Floats) -> Floats:
    """The state y of ideal joints with pins that press in their bushes as strongly as those joints hold; a first guess."""
    kernel.residual(t, y, np.zeros(pairs.IDEAL), p, s, force)
    legs, gaps = s[kernel.PLACED : kernel.SEEN].reshape(3, pairs.LEG), np.zeros((3, 2))
    for pin in pressing.loose(config):
        leg = rigid.ALONG_Y[pin]
        gaps[leg] = begin.gap(config, pin, legs[leg, pairs.ON_E : pairs.ON_T])
    q, v, a = np.array(y.reshape(3, -1))
    places = [begin.displaced(config, path, t, each)[-IDEAL:][:3] for each in (gaps, np.zeros((3, 2)))]
    q[:3] += places[0] - places[1]
    return np.concatenate([q, gaps[0], gaps[2], v, np.zeros(4), a, np.zeros(4)])


def equilibrium(t: float, y: Floats, p: Floats, s: Floats) -> Floats:
    """y = (q, q', q'') at t (s) with the same velocities and accelerations; the q given is a first guess."""
    n = len(y) // 3
    matrix = np.zeros((n, n))

    def residual(y: Floats) -> Floats:
        r = np.zeros(n)
        kernel.residual(t, y, r, p, s, force)
        return r

    def correction(y: Floats, r: Floats) -> Floats:
        kernel.tangent(t, y, matrix, 0.0, 0.0, p, s, force)
        return np.asarray(np.linalg.solve(matrix, r))

    return begin.balanced(t, y, residual, correction, LEFT + ROUNDING * p[kernel.own(p) + pairs.STIFFNESS])
