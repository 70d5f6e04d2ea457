"""From the linkage's configuration to a Stepper: parameters, rest state, stability limit."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from model.compiled.parameters import packed
from model.contact import force as law
from model.errors import ModelError
from model.floats import Floats
from model.integrators.method import Integrator, explicit
from model.integrators.tableau import Tableau
from model.joints.contact import EACH, SPEED
from model.mechanisms.linkage import kernel
from model.mechanisms.linkage.config import Config, contact_stiffness
from model.stepping.explicit import Kernels, Motion, Stepper

# Small but usual sizes of the states, against which errors are measured: m, m/s; then N, 1, 1/s, 1, N, N/s.
SCALE = np.array([1e-5] * 3 + [1e-2] * 3 + [1e3, 1e-2, 1e1, 1e-2, 1e3, 1e6])
# Contact that a fixed step must at least bear.
STABLE_FORCE, STABLE_SPEED = 30e3, 0.05  # N, m/s


def stepper(config: Config, integrator: Integrator, rate: float, source: str) -> Stepper:
    """See `model.mechanisms.linkage`."""
    p = parameters(config, source)
    method = explicit(integrator, "the linkage", "dop853 or rk4")
    if method.fixed:
        _refuse_unstable(config, p, method.tableau, method.longest)
    states = kernel.SERVO_STATES if p[kernel.SOURCE] == kernel.SERVO else kernel.OPEN_STATES
    rhs, channels = (kernel.rubbing_rhs, kernel.rubbing_channels) if config.pin_friction > 0.0 else (kernel.rhs, kernel.channels)
    motion = Motion(
        kernels=Kernels(rhs, kernel.guards, kernel.switch, channels, config.contact.force),
        parameters=p,
        scale=SCALE[:states],
        guards=kernel.GUARD_COUNT if states == kernel.SERVO_STATES else kernel.SPOOL_GUARD,
        channels=kernel.CHANNEL_COUNT,
        published=len(Config.CHANNELS),
        reach=p[kernel.TRACK_AHEAD],
    )
    return Stepper(motion, *method.steps, rate, lambda samples: rest(config, p, samples))


def parameters(config: Config, source: str) -> Floats:
    """p of the kernel."""
    servo, limit, tracking = config.servo, config.flow_limit, config.tracking
    command = {"ideal": kernel.IDEAL, "flow_limited": kernel.FLOW_LIMITED, "servo": kernel.SERVO}
    code = {"stroke": kernel.STROKE, "actuator_force": kernel.ACTUATOR}.get(source, command[config.load_source])
    joint_damping = 2.0 * config.joint_damping * math.sqrt(config.joint_stiffness * config.upper_mass)
    turn = 2.0 * math.pi
    places: dict[int, ArrayLike] = {
        kernel.SOURCE: code, kernel.M1: config.upper_mass, kernel.M2: config.middle_mass, kernel.M3: config.lower_mass,
        kernel.K_F: config.fixture_stiffness, kernel.C_F: config.fixture_damping, kernel.GRAVITY: config.gravity,
        kernel.HALF_PLAY: 0.5 * config.clearance, kernel.V_FLOOR: config.contact.approach_floor,
        kernel.K_JOINT: config.joint_stiffness, kernel.C_JOINT: joint_damping,
        kernel.RESISTANCE: limit.force, kernel.RESISTANCE_SPEED: limit.speed,
        kernel.KP: servo.proportional, kernel.KI: servo.integral, kernel.KFF: servo.feed_forward, kernel.I_LIMIT: servo.integral_limit,
        kernel.W_FEEDBACK: turn * servo.feedback_lowpass,
        kernel.W_VALVE: turn * servo.valve_frequency, kernel.ZETA_VALVE: servo.valve_damping, kernel.SPOOL_LIMIT: servo.spool_limit,
        kernel.V_MAX: servo.speed, kernel.F_SUPPLY: servo.supply_force, kernel.K_OIL: servo.oil_stiffness, kernel.LEAK: servo.leakage,
        kernel.C_SEAL: servo.seal_damping, kernel.W_TRACK: turn * tracking.corner, kernel.ZETA_TRACK: tracking.damping,
        kernel.TRACK_AHEAD: tracking.ahead if code == kernel.STROKE else 0.0,
        kernel.PIN_FRICTION: (config.pin_friction, 0.0, config.pin_friction_whole_above),
    }  # fmt: skip
    return packed(kernel.PARAMETERS, places)


def rest(config: Config, p: Floats, samples: Floats) -> tuple[Floats, Floats]:
    """(y, s) at rest: links in the middle of the play, or hanging under gravity; with a stroke given, m3 there and the chain in between."""
    y = np.zeros(kernel.SERVO_STATES if p[kernel.SOURCE] == kernel.SERVO else kernel.OPEN_STATES)
    s = np.zeros(kernel.DISCRETE)
    stiffness = contact_stiffness(config)
    open_contact = law.parameters(stiffness, config.contact.exponent, config.contact.damping)
    s[: EACH * kernel.CONTACTS] = np.tile(open_contact, kernel.CONTACTS)
    s[kernel.FORCE_SIGN] = s[kernel.SPOOL_SIGN] = 1.0
    weights = config.gravity * np.array([config.upper_mass, config.middle_mass, config.lower_mass])
    if p[kernel.SOURCE] == kernel.STROKE:
        load = _load_at(config, stiffness, weights, float(samples[0]))
        y[kernel.X3] = samples[0]
    else:
        load = 0.0
    forces = load + np.array([weights.sum(), weights[1:].sum(), weights[2]])  # fixture, joint A, joint B
    if p[kernel.SOURCE] == kernel.STROKE and load == 0.0 and config.gravity == 0.0:
        y[kernel.X2] = 0.5 * samples[0]
        return y, s
    stretch = np.array([forces[0] / config.fixture_stiffness, *(_stretch(config, stiffness, value) for value in forces[1:])])
    y[: kernel.V1] = np.cumsum(stretch) if p[kernel.SOURCE] != kernel.STROKE else [*np.cumsum(stretch)[:2], samples[0]]
    for joint in (0, 1):
        if forces[1 + joint] != 0.0 and config.clearance > 0.0:
            contact = 2 * joint + (forces[1 + joint] < 0.0)
            s[EACH * contact + SPEED] = config.contact.approach_floor
    return y, s


def _stretch(config: Config, stiffness: float, load: float) -> float:
    """Elongation of a joint that carries `load` (N) at rest, m; 0 without load."""
    if load == 0.0:
        return 0.0
    if config.clearance == 0.0:
        return load / config.joint_stiffness
    penetration: float = (abs(load) / stiffness) ** (1.0 / config.contact.exponent)
    return math.copysign(0.5 * config.clearance + penetration, load)


def _load_at(config: Config, stiffness: float, weights: Floats, stroke: float) -> float:
    """Force on the lower end that holds it at `stroke` at rest, N; 0 while the play leaves it free."""
    from scipy.optimize import brentq

    def beyond(load: float) -> float:
        carried = load + np.array([weights[1:].sum(), weights[2]])
        joints = sum(_stretch(config, stiffness, float(value)) for value in carried)
        return float((load + weights.sum()) / config.fixture_stiffness + joints - stroke)

    tiny = 1e-9
    if config.gravity == 0.0 and abs(stroke) <= config.clearance:
        return 0.0
    bound = config.fixture_stiffness * (abs(stroke) + 2.0 * config.clearance) + abs(float(weights.sum())) + tiny
    return float(brentq(beyond, -bound, bound, xtol=1e-9))


def _refuse_unstable(config: Config, p: Floats, tableau: Tableau, step: float) -> None:
    limit = tableau.stable_step(np.linalg.eigvals(closed_chain(config, p)).astype(np.complex128))
    if step > limit:
        raise ModelError(
            f"integrator.step {step:.3g} s is above the stability limit of this method, {limit:.3g} s, "
            f"for contact at {STABLE_FORCE / 1e3:g} kN and {STABLE_SPEED:g} m/s approach; choose a smaller step, or dop853"
        )


def closed_chain(config: Config, p: Floats) -> Floats:
    """System matrix (6, 6) of the chain with both joints closed under STABLE_FORCE."""
    if config.clearance == 0.0:
        k, c = p[kernel.K_JOINT], p[kernel.C_JOINT]
    else:
        n, stiffness = config.contact.exponent, contact_stiffness(config)
        k = n * stiffness * (STABLE_FORCE / stiffness) ** (1.0 - 1.0 / n)
        c = STABLE_FORCE * config.contact.damping / max(STABLE_SPEED, config.contact.approach_floor)
    c += config.pin_friction / config.pin_friction_whole_above  # while its window is passed
    chain = np.array([[-1.0, 1.0, 0.0], [1.0, -2.0, 1.0], [0.0, 1.0, -1.0]])
    fixture = np.diag([1.0, 0.0, 0.0])
    masses = np.array([config.upper_mass, config.middle_mass, config.lower_mass])[:, None]
    stiff = (k * chain - config.fixture_stiffness * fixture) / masses
    damped = (c * chain - config.fixture_damping * fixture) / masses
    return np.block([[np.zeros((3, 3)), np.eye(3)], [stiff, damped]])
