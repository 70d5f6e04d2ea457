"""A small servo-driven linkage for the tests: three masses, two clearance joints, and the reference loop around them.

Semi-implicit Euler at 1 us, written for these tests alone, so that comparison is tested on waveforms that
neither the plant nor the predictor has made.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numba
import numpy as np

RATE = 51200.0
STEP = 1.0e-6


@dataclass(frozen=True)
class Rig:
    m1: float = 60.0
    m2: float = 3.0
    m3: float = 60.0
    k_f: float = 1.5e8
    c_f: float = 1.2e4
    stiffness_a: float = 1.0
    stiffness_b: float = 1.0
    k_oil: float = 2.0e8
    v_max: float = 0.2
    restitution: float = 0.7
    clearance_a: float = 0.4e-3
    clearance_b: float = 0.4e-3
    factor: float = 1.5
    """a = factor (1 - e) / e: 1.5 is hu_guo, 1.6 flores."""


def perturbed(rig: Rig, seed: int) -> Rig:
    """The same rig as it would stand in a laboratory: 2 % on masses and stiffnesses, 0.02 on restitution, 2 um on clearances."""
    rng = np.random.default_rng(seed)
    names = ("m1", "m2", "m3", "k_f", "stiffness_a", "stiffness_b", "k_oil", "v_max")
    changed = {n: getattr(rig, n) * (1.0 + 0.02 * np.clip(rng.standard_normal(), -2.0, 2.0)) for n in names}
    changed["restitution"] = rig.restitution + rng.uniform(-0.02, 0.02)
    for n in ("clearance_a", "clearance_b"):
        if getattr(rig, n) > 0.0:
            changed[n] = getattr(rig, n) + rng.uniform(-2e-6, 2e-6)
    return replace(rig, **changed)


def force(rig: Rig, command: np.ndarray) -> np.ndarray:
    """Force of the load cell (N,) for a command (N,) in N, both at RATE, from rest."""
    joints = np.array([[_hertz(c) * s, c] for c, s in ((rig.clearance_a, rig.stiffness_a), (rig.clearance_b, rig.stiffness_b))])
    a = rig.factor * (1.0 - rig.restitution) / rig.restitution
    return _run(command, RATE, STEP, rig.m1, rig.m2, rig.m3, rig.k_f, rig.c_f, joints, a, rig.k_oil, rig.v_max)


def _hertz(clearance: float) -> float:
    if clearance == 0.0:
        return 2.0e9
    bush, pin = 0.015 + clearance / 2.0, 0.015
    return 4.0 / 3.0 * 207e9 / (2.0 * (1.0 - 0.3**2)) * np.sqrt(pin * bush / (bush - pin))


@numba.njit(cache=True)
def _joint(stretch, speed, k, c, m1, a, touch, i):
    """Tension of a joint with total play c; approach speed latched at first touch in touch[i]."""
    if c == 0.0:
        return k * stretch + 2.0 * 0.05 * np.sqrt(k * m1) * speed
    side = 1.0 if stretch > 0.0 else -1.0
    depth = side * stretch - 0.5 * c
    if depth <= 0.0:
        touch[i] = 0.0
        return 0.0
    rate = side * speed
    if touch[i] == 0.0:
        touch[i] = max(rate, 1e-3)
    return side * max(0.0, k * depth**1.5 * (1.0 + a * rate / touch[i]))


@numba.njit(cache=True)
def _run(command, rate, step, m1, m2, m3, k_f, c_f, joints, a, k_oil, v_max):
    n_out = len(command)
    out = np.empty(n_out)
    touch = np.zeros(2)
    x1 = x2 = x3 = v1 = v2 = v3 = f_h = q = dq = integral = f_m = df_m = 0.0
    w_v, w_c = 2.0 * np.pi * 150.0, 2.0 * np.pi * 1000.0
    t, n = 0.0, 0
    while n < n_out:
        while n < n_out and n / rate <= t:
            out[n] = k_f * x1 + c_f * v1
            n += 1
        place = t * rate
        i = min(int(place), n_out - 2)
        asked = command[i] + (place - i) * (command[i + 1] - command[i])
        measured = k_f * x1 + c_f * v1
        df_m += step * (w_c * w_c * (measured - f_m) - 2.0 * 0.70710678 * w_c * df_m)
        f_m += step * df_m
        error = asked - f_m
        integral = min(0.2, max(-0.2, integral + step * 1e-4 * error))
        spool = min(1.0, max(-1.0, 2.5e-5 * error + integral))
        dq += step * (w_v * w_v * (spool - q) - 2.0 * 0.8 * w_v * dq)
        q += step * dq
        flow = v_max * q * np.sqrt(max(0.0, 1.0 - np.sign(q) * f_h / 260e3))
        f_h += step * k_oil * (flow - v3 - 5e-8 * f_h)
        tension_a = _joint(x2 - x1, v2 - v1, joints[0, 0], joints[0, 1], m1, a, touch, 0)
        tension_b = _joint(x3 - x2, v3 - v2, joints[1, 0], joints[1, 1], m1, a, touch, 1)
        v1 += step * (tension_a - measured) / m1
        v2 += step * (tension_b - tension_a) / m2
        v3 += step * (f_h - 2000.0 * v3 - tension_b) / m3
        x1 += step * v1
        x2 += step * v2
        x3 += step * v3
        t += step
    return out
