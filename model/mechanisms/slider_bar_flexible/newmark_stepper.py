"""The flexible driven slider with all its inertia, in motion: start, compliance over a step, stability limit, samples."""

from __future__ import annotations

import math

import numpy as np

from model.compiled.parameters import Places, packed
from model.compiled.pinned import entry
from model.contact.force import force
from model.errors import ModelError
from model.floats import Floats
from model.integrators.newmark import Config as Newmark
from model.mechanisms.slider_bar import kernel as rigid
from model.mechanisms.slider_bar_flexible import contact
from model.mechanisms.slider_bar_flexible import kernel as slow
from model.mechanisms.slider_bar_flexible import newmark_kernel as kernel
from model.mechanisms.slider_bar_flexible import stick_slip as rest
from model.mechanisms.slider_bar_flexible.condensed import compliance, interface, parameters
from model.mechanisms.slider_bar_flexible.config import Config
from model.stepping.fixed_steps import FixedSteps


class NewmarkStepper(FixedSteps):
    """`step`: the integrator's, or less where the impacts in the play ask for it: the method damps nothing, and an impact that begins and
    ends within a step would send the slider back at any speed.
    """

    STEPS, EVENTS, FULL = rest.STEPS, rest.EVENTS, kernel.EVENTS_FULL

    def __init__(self, config: Config, integrator: Newmark, rate: float) -> None:
        """Raises ModelError for a rate that is not positive, or a step above the stability limit, which it names."""
        super().__init__(rate, min(integrator.step, resolving(config)), len(Config.CHANNELS))
        self._config = config
        _refuse_unstable(config, integrator, self.step)
        omega, shapes = _modes(config)
        self._still = compliance(config)
        square = integrator.weight * self.step**2
        softer = self._still - (shapes / omega**2) @ shapes.T + (shapes * square / (1.0 + square * omega**2)) @ shapes.T
        self._p = parameters(config, softer)
        bar = config.bar_mass * config.bar_length**2 / 3.0
        places: Places = {
            kernel.STEP: self.step, kernel.BETA: integrator.weight, kernel.GAMMA: integrator.gamma, kernel.DAMPING: config.contact_damping,
            kernel.INERTIA: _inertia(config), kernel.BAR_INERTIA: bar, kernel.BAR_MASS: config.bar_mass, kernel.MODES: len(omega),
            kernel.OMEGA: omega**2, kernel.OMEGA + len(omega): shapes,
        }  # fmt: skip
        self._m = packed(kernel.OMEGA + len(omega) + shapes.size, places)
        self._omega, self._shapes, self._advanced = omega, shapes, entry(kernel.advance)

    def start(self, samples: Floats) -> None:
        """At t = 0, resting across the guide as the slider without inertia would."""
        c, modes = self._config, len(self._omega)
        at_rest = parameters(c, self._still)
        s = np.zeros(rigid.DISCRETE + contact.room(2 * (c.columns + 1)))
        y = np.array([c.start_position, c.start_velocity])
        values, unused = np.zeros(rigid.CHANNEL_COUNT), np.zeros(1)
        slow.begin(0.0, y, at_rest, s)
        self._s, self._w = s[: rigid.DISCRETE].copy(), s[rigid.DISCRETE :]
        slow.channels(0.0, y, values, at_rest, s, unused, force)
        self._z = np.zeros((kernel.ROWS, contact.HINGE + modes))
        g = self._w[contact.G : contact.G + contact.HINGE]
        moving = s[rigid.MODE] != 0.0
        self._z[kernel.Q, : contact.HINGE] = c.start_position, g[1], g[2]
        self._z[kernel.Q_RATE, 0], self._z[kernel.Q_SECOND, 0] = c.start_velocity, g[0] if moving else 0.0
        self._z[kernel.Q, contact.HINGE :] = self._bent()
        self._s[rigid.MODE] = math.copysign(1.0, self._s[rigid.MODE]) if abs(self._s[rigid.MODE]) == 1.0 else rest.HELD
        self._anchor()
        self._trace = np.tile(values, (3, 1))
        self._begin(np.zeros(rest.CLOCK))

    def _bent(self) -> Floats:
        """Amplitudes of the modes with inertia under the forces of the start."""
        return (self._shapes.T @ self._loads()) / self._omega**2

    def _loads(self) -> Floats:
        """Forces at the interface of the solution in w."""
        nodes, w = 2 * (self._config.columns + 1), self._w
        pressing, rubbing = (w[contact.HEAD + block * nodes :][:nodes] for block in (contact.PRESSING, contact.TANGENT))
        spread = w[contact.L : contact.L + 9].reshape(3, 3) @ w[contact.G : contact.G + 3]
        hinge = w[contact.LOAD : contact.LOAD + 3] + spread
        up = np.concatenate([pressing[: nodes // 2], -pressing[nodes // 2 :]])
        return np.concatenate([np.column_stack([rubbing, up]).ravel(), hinge])

    def _anchor(self) -> None:
        """Springs along the guide begin where the forces at the start put them."""
        c, w, nodes = self._config, self._w, 2 * (self._config.columns + 1)
        still = (self._still @ self._loads())[: 2 * nodes : 2]
        y = np.repeat([-0.5, 0.5], nodes // 2) * c.slider_height
        along = c.start_position - y * self._z[kernel.Q, 2] + still + c.contact_damping * c.start_velocity
        rubbing = w[contact.HEAD + contact.TANGENT * nodes :][:nodes]
        w[contact.HEAD + contact.ANCHOR * nodes :][:nodes] = along + rubbing / c.tangential_stiffness

    def _fill(self, out: Floats, low: Floats, high: Floats) -> int:
        return self._advanced(
            self._z, self._s, self._w, self._p, self._m, self._clock, self._next, self._part, out, low, high, self._trace, self._events
        )

    def _reason(self, status: int) -> str:
        return kernel.REASONS[status]

    @property
    def state(self) -> Floats:
        """(q, v, a) at `time`, each: x, y (m), tilt (rad), amplitudes of the modes with inertia."""
        return np.array(self._z[: kernel.FREE])

    @property
    def work(self) -> dict[str, int]:
        """Steps, and contact problems solved, since the start."""
        return {"accepted": int(self._clock[rest.STEPS]), "evaluations": int(self._clock[rest.SOLVED])}


def resolving(config: Config) -> float:
    """Longest step that follows an impact of the slider with the bar on it: 1/omega on the springs of two opposite corners, s."""
    mounted = config.motor_mount == "slider"
    turning = _inertia(config) + config.bar_mass * config.bar_length**2 / 3.0
    corners = 2.0 * config.normal_stiffness
    across = corners / (config.bar_mass + config.slider_mass)
    return 1.0 / math.sqrt(max(across, corners * (0.5 * config.slider_length) ** 2 / turning if mounted else 0.0))


def _modes(config: Config) -> tuple[Floats, Floats]:
    """(omega, shapes at the interface) of the elastic modes with inertia."""
    omega, shapes = config.plate.modes(config.modes)
    return omega, interface(config).T @ shapes


def _inertia(config: Config) -> float:
    """Of the slider about its centre, kg m^2."""
    plate = config.plate
    turn = plate.rigid[:, 2]
    return float(turn @ plate.mass_matrix() @ turn)


def _refuse_unstable(config: Config, integrator: Newmark, step: float) -> None:
    """With all nodes of both faces in contact on a slider that does not deform, and the fastest elastic mode that has inertia."""
    nodes = config.columns + 1
    turning = 2.0 * nodes * config.normal_stiffness * (0.5 * config.slider_length) ** 2 / _inertia(config)
    turning += 2.0 * nodes * config.tangential_stiffness * (0.5 * config.slider_height) ** 2 / _inertia(config)
    across = 2.0 * nodes * max(config.normal_stiffness, config.tangential_stiffness) / config.slider_mass
    fastest = max(math.sqrt(turning), math.sqrt(across), *(_modes(config)[0] if config.modes else [0.0]))
    limit = integrator.stable_step(fastest)
    if step > limit:
        raise ModelError(
            f"integrator.step {step:.3g} s is above the stability limit of newmark with gamma {integrator.gamma:g} and beta "
            f"{integrator.weight:g}, {limit:.3g} s, for the slider on its contact springs; choose a smaller step, or beta at least gamma/2"
        )
