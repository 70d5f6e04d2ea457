"""Compensators with the measured displacement in a loop: model-based feed-forward and feedback, and the benchmark's own sample.

feedforward_feedback   the inverse of third order, and a linear-quadratic-Gaussian regulator on what the actuator is off by (Phillips,
                       Spencer, NSEL Report 030 (2012), chapter 4; Phillips, Takada, Spencer, Fujino, Smart Struct. Syst. 14 (2014) 1081)
phase_lead             50.8 (s + 168.6)/(s + 8570) before 2 + 95/s on the error, by Tustin's rule (Silva et al. 2020, eq 23 and 24)
"""

from __future__ import annotations

import numpy as np
import scipy
from numpy.typing import NDArray

from model.compiled.signatures import compiled
from rig.hybrid.realtime.compensators.contract import SIGNATURE, Compensator
from rig.hybrid.realtime.compensators.taps import DIFFERENCES
from rig.hybrid.realtime.sampling import held
from rig.hybrid.realtime.transfer_system import DISPLACEMENT, TransferSystem

Floats = NDArray[np.float64]

TAPS = 4
LEAD, ZERO, POLE = 50.8, 168.6, 8570.0  # eq 24
PROPORTIONAL, INTEGRAL = 2.0, 95.0  # eq 23


@compiled(SIGNATURE)
def regulated(state: Floats, parameters: Floats, target: float, measured: float) -> float:
    """State: four targets, the estimate z (n,), room for the next. Parameters: taps (4,), A (n, n), L (n,), K (n,) of
    z_k+1 = A z_k + L (measured - target), command = taps . targets - K z."""
    n = (state.size - TAPS) // 2
    for k in range(TAPS - 1, 0, -1):
        state[k] = state[k - 1]
    state[0] = target
    command = 0.0
    for k in range(TAPS):
        command += parameters[k] * state[k]
    off = measured - target
    for i in range(n):
        command -= parameters[TAPS + n * n + n + i] * state[TAPS + i]
        total = parameters[TAPS + n * n + i] * off
        for j in range(n):
            total += parameters[TAPS + i * n + j] * state[TAPS + j]
        state[TAPS + n + i] = total
    for i in range(n):
        state[TAPS + i] = state[TAPS + n + i]
    return float(command)


@compiled(SIGNATURE)
def led(state: Floats, parameters: Floats, target: float, measured: float) -> float:
    """State: last target, last output of the lead, last error, last command. Parameters: b_0, b_1, -a_1 of the lead, then of the loop,
    then the quantum (m, 0: none) of the converters that the sample passes four times."""
    quantum = parameters[6]
    if quantum > 0.0:
        target = quantum * np.rint(target / quantum)
    lead = parameters[0] * target + parameters[1] * state[0] + parameters[2] * state[1]
    state[0], state[1] = target, lead
    out = quantum * np.rint(lead / quantum) if quantum > 0.0 else lead
    error = out - measured
    if quantum > 0.0:
        error = quantum * np.rint(error / quantum)
    command = parameters[3] * error + parameters[4] * state[2] + parameters[5] * state[3]
    state[2], state[3] = error, command
    return float(command)


def feedforward_feedback(plant: TransferSystem, rate: float, noise: float, disturbance: float, effort: float) -> Compensator:
    """For the plant as it is believed to be.

    noise: of the measured displacement, m rms. disturbance: of the command, m rms, which the estimate reckons with. effort: weight of the
    command's square beside that of the error's.
    """
    a, b = held(*plant.continuous(), 1.0 / rate)
    scale = np.diag(1.0 / np.array([2e9, 2e9 * 300.0, 1e4, 1e-2, 1e-2 * 50.0]))  # else the states differ by 1e15
    a, b = scale @ a @ np.linalg.inv(scale), scale @ b
    c = np.zeros((1, len(b)))
    c[0, DISPLACEMENT] = 1.0 / scale[DISPLACEMENT, DISPLACEMENT]
    p = scipy.linalg.solve_discrete_are(a, b[:, None], c.T @ c, np.array([[effort]]))
    regulator = (b @ p @ a) / (effort + b @ p @ b)
    q = scipy.linalg.solve_discrete_are(a.T, c.T, disturbance**2 * np.outer(b, b), np.array([[noise**2]]))
    observer = (a @ q @ c[0]) / (noise**2 + c[0] @ q @ c[0])
    closed = a - np.outer(b, regulator) - np.outer(observer, c[0])
    taps = (plant.denominator()[:TAPS] * rate ** np.arange(TAPS)) @ DIFFERENCES
    parameters = np.concatenate([taps, closed.ravel(), observer, regulator])
    return Compensator("feedforward_feedback", regulated, parameters, np.zeros(TAPS + 2 * len(b)))


def phase_lead(rate: float, quantum: float = 0.0) -> Compensator:
    """The sample of the benchmark; with its converters where a quantum (m) is given."""
    lead, lead_a = scipy.signal.bilinear([LEAD, LEAD * ZERO], [1.0, POLE], rate)
    loop, loop_a = scipy.signal.bilinear([PROPORTIONAL, INTEGRAL], [1.0, 0.0], rate)
    parameters = np.array([lead[0], lead[1], -lead_a[1], loop[0], loop[1], -loop_a[1], quantum])
    return Compensator("phase_lead", led, parameters, np.zeros(4), linear=quantum == 0.0)
