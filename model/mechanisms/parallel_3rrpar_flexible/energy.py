"""Energy of the flexible 3-RRPaR, and the power that its motion takes: from the bodies' own speeds, with none of the joints' equations."""

from __future__ import annotations

import numpy as np

from model.floats import Floats
from model.joints import contact
from model.mechanisms.parallel_3rrpar import kernel as rigid
from model.mechanisms.parallel_3rrpar_flexible import bodies, kernel, outputs
from model.mechanisms.parallel_3rrpar_flexible import contact as pins
from model.mechanisms.parallel_3rrpar_flexible.config import Config
from model.mechanisms.parallel_3rrpar_flexible.drives import drive

UP = np.array([0.0, 0.0, 1.0])


def energy(config: Config, p: Floats, t: float, y: Floats, s: Floats) -> float:
    """Of all that moves, the strained bars and the contacts (Hertz: undamped), J."""
    return _sums(config, p, t, y, s)[0]


def power(config: Config, p: Floats, t: float, y: Floats, s: Floats) -> float:
    """What the drives must give, W: of the bodies' inertia, weight and strain, and of the damping in the bars; not of the contacts."""
    return _sums(config, p, t, y, s)[1]


def _sums(config: Config, p: Floats, t: float, y: Floats, s: Floats) -> tuple[float, float]:
    s = np.array(s)
    outputs.find_forces(t, y, p, s)
    q, v, a = y.reshape(3, -1)
    size = bodies.IDEAL if s[pins.HELD] > 0.0 else bodies.WITH_CLEARANCE
    z, z_rate, z_second = q[-size:], v[-size:], a[-size:]
    mine, g = p[kernel.own(p) :], config.gravity
    platform = s[kernel.PLACED : kernel.PLACED + bodies.PLATFORM_SIZE]
    legs = s[kernel.PLACED + bodies.PLATFORM_SIZE : kernel.FRAMES].reshape(3, bodies.LEG_SIZE)
    omega, alpha = platform[bodies.OMEGA : bodies.OMEGA + 3], platform[bodies.ALPHA : bodies.ALPHA + 3]
    points = [(config.platform.mass, z[bodies.P : bodies.P + 3], z_rate[bodies.P : bodies.P + 3], z_second[bodies.P : bodies.P + 3])]
    turns = [(mine[bodies.I_PLATFORM : bodies.I_PLATFORM + 3], platform[:9].reshape(3, 3).T, omega, alpha)]
    total = effort = 0.0
    for leg, k in enumerate(legs):
        points += [(config.short.mass, *k[at : at + 9].reshape(3, 3)) for at in (bodies.T, bodies.C)]
        axis, turning = k[bodies.A_FAR : bodies.A_FAR + 3], z_rate[9 + leg]
        own = omega + turning * axis
        change = alpha + z_second[9 + leg] * axis + turning * np.cross(omega, axis)
        far = np.array([k[at : at + 3] for at in (bodies.X_FAR, bodies.N_FAR, bodies.A_FAR)])
        turns.append((mine[bodies.I_SHORT : bodies.I_SHORT + 3], far, own, change))
        _, rate, second = drive(leg, t, p)
        height = 0.5 * config.arm.mass * g * (k[bodies.T + 2] + p[rigid.PIVOT + 3 * leg + 2])
        total += 0.5 * p[rigid.J_ARM + leg] * rate**2 + 0.5 * config.short.jx * z_rate[bodies.NEAR + leg] ** 2 + height
        effort += p[rigid.J_ARM + leg] * rate * second + config.short.jx * z_rate[bodies.NEAR + leg] * z_second[bodies.NEAR + leg]
        effort += 0.5 * config.arm.mass * g * k[bodies.T + 5]
    for mass, place, speed, second_rate in points:
        total += 0.5 * mass * float(speed @ speed) + mass * g * float(place[2])
        effort += mass * float(speed @ (second_rate + g * UP))
    for share, axes, turning_rate, turning_change in turns:
        rates = np.cross(turning_rate, axes)
        seconds = np.cross(turning_change, axes) + np.cross(turning_rate, rates)
        total += 0.5 * float(share @ np.sum(rates**2, axis=1))
        effort += float(share @ np.sum(rates * seconds, axis=1))
    bars = _bars(config, p, y, s)
    return total + bars[0] + _contacts(config, z, s), effort + bars[1]


def _bars(config: Config, p: Floats, y: Floats, s: Floats) -> tuple[float, float]:
    """Energy and power of the six bars."""
    beam, mine = config.bars.beam, p[kernel.own(p) :]
    size, m = beam.coordinates, beam.coordinates - 12
    mass, weight, r = beam.mass_matrix(), beam.gravity(-config.gravity * UP), np.zeros(beam.coordinates)
    total = effort = 0.0
    for bar in range(kernel.BARS):
        kernel.bar_residual(bar, y, m, mine, s, r)
        q, v = s[kernel.OF_BAR : kernel.OF_BAR + size], s[kernel.OF_BAR + size : kernel.OF_BAR + 2 * size]
        total += 0.5 * float(v @ mass @ v) - float(weight @ q) + beam.strain_energy(np.array(q))
        effort += float(v @ r)
    return total, effort


def _contacts(config: Config, z: Floats, s: Floats) -> float:
    total = 0.0
    for pin in range(rigid.PINS if len(z) > bodies.IDEAL else 0):
        stiffness, exponent, _, speed = s[contact.EACH * pin : contact.EACH * (pin + 1)]
        depth = max(0.0, pins.distance(pin, z, z)[0] - config.clearances[pin]) if speed > 0.0 else 0.0
        total += stiffness * depth ** (exponent + 1.0) / (exponent + 1.0)
    return float(total)
