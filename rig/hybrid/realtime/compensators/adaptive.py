"""Compensators that learn the plant's inverse while the test runs, from what was commanded and what came of it.

All command a_0 x + a_1 x' + a_2 x'' (+ a_3 x''') of the target, by backward differences, and fit the a_i so that the same sum of the
measured displacement gives the command. Both pass the same Butterworth filter (fourth order, 20 Hz) first.

time_series   second order, least squares over the last second or so (Chae, Kazemibidokhti, Ricles, Earthq. Eng. Struct. Dyn. 42 (2013)
              1697: adaptive time series; here the window fades exponentially and a prior holds the a_i where there is no motion)
gradient      third order, normalised gradient: a' = G e f / (1 + f.f) (Galmez, Fermandois: Robust adaptive model-based compensator for the
              real-time hybrid simulation benchmark, 2022; github.com/FermandoisLab/RobustAMBCvRTHS, whose gains G these are)
kalman        third order, the a_i as a random walk (after Ning, Wang, Wu, Appl. Sci. 10 (2020) 7101, who filter a discrete model's)

The a_i are kept over those that they begin with, so that all are about 1.
"""

from __future__ import annotations

import numpy as np
import scipy
from numba import types
from numpy.typing import NDArray

from model.compiled.signatures import INDEX, REAL, VECTOR, compiled
from rig.hybrid.realtime.compensators.contract import SIGNATURE, Compensator

Floats = NDArray[np.float64]

CUTOFF = 20.0  # Hz, of the filter
FILTER_ORDER = 4
GAINS = 10.0 ** np.array([8.4, 6.2, 2.1, 0.8])  # of the gradient, by the order of the derivative
MOST = 3  # order of the inverse

# Places in the parameters; those from OWN on are each method's own.
RATE, ORDER, NUMERATOR, DENOMINATOR = 0, 1, 2, 7
BEGIN = 12  # the a_i to begin with, (4,)
OWN = 16
# Places in the state.
TARGETS, OUTPUTS, COMMANDS, FILTER_X, FILTER_U, SHARES = 0, 4, 8, 12, 16, 20
REGRESSORS, ROOM = 24, 28  # room: P or the normal equations, then work space
STATE = ROOM + 16 + 24


@compiled(REAL(VECTOR, types.int64, VECTOR, REAL))
def _filtered(state: Floats, at: int, parameters: Floats, value: float) -> float:
    """Direct form II transposed, its four states at `at`."""
    out = parameters[NUMERATOR] * value + state[at]
    for k in range(FILTER_ORDER):
        carried = state[at + k + 1] if k < FILTER_ORDER - 1 else 0.0
        state[at + k] = carried + parameters[NUMERATOR + k + 1] * value - parameters[DENOMINATOR + k + 1] * out
    return float(out)


@compiled(REAL(VECTOR, types.int64, types.int64, REAL))
def _difference(state: Floats, at: int, order: int, rate: float) -> float:
    """Backward difference of the values at `at`, newest first."""
    if order == 0:
        return float(state[at])
    if order == 1:
        return float((state[at] - state[at + 1]) * rate)
    if order == 2:
        return float((state[at] - 2.0 * state[at + 1] + state[at + 2]) * rate * rate)
    return float((state[at] - 3.0 * state[at + 1] + 3.0 * state[at + 2] - state[at + 3]) * rate * rate * rate)


@compiled(INDEX(VECTOR, types.int64, REAL))
def _entered(state: Floats, at: int, value: float) -> int:
    for k in range(MOST, 0, -1):
        state[at + k] = state[at + k - 1]
    state[at] = value
    return 0


@compiled(SIGNATURE)
def _commanded(state: Floats, parameters: Floats, target: float, measured: float) -> float:
    """The command, and in the state what there is to learn of: the filtered regressors, and the filtered command in OUTPUTS' place 3 less.

    Returns the command; state[COMMANDS] is the filtered command.
    """
    rate, order = parameters[RATE], int(parameters[ORDER])
    _entered(state, TARGETS, target)
    command = 0.0
    for i in range(order + 1):
        command += max(state[SHARES + i], 0.0) * parameters[BEGIN + i] * _difference(state, TARGETS, i, rate)
    _entered(state, OUTPUTS, _filtered(state, FILTER_X, parameters, measured))
    state[COMMANDS] = _filtered(state, FILTER_U, parameters, command)
    for i in range(order + 1):
        state[REGRESSORS + i] = parameters[BEGIN + i] * _difference(state, OUTPUTS, i, rate)
    return command


@compiled(SIGNATURE)
def gradient_step(state: Floats, parameters: Floats, target: float, measured: float) -> float:
    """Own parameters: the gains, (4,)."""
    command = _commanded(state, parameters, target, measured)
    rate = parameters[RATE]
    error, square = state[COMMANDS], 1.0
    for i in range(MOST + 1):
        error -= state[SHARES + i] * state[REGRESSORS + i]
        square += (state[REGRESSORS + i] / parameters[BEGIN + i]) ** 2
    for i in range(MOST + 1):
        pull = parameters[OWN + i] * error / square * state[REGRESSORS + i] / parameters[BEGIN + i]
        state[SHARES + i] += pull / (parameters[BEGIN + i] * rate)
    return command


@compiled(SIGNATURE)
def kalman_step(state: Floats, parameters: Floats, target: float, measured: float) -> float:
    """Own parameters: variance that the shares gain a sample, variance of the command that is not explained, m^2."""
    command = _commanded(state, parameters, target, measured)
    n, work = MOST + 1, ROOM + 16
    variance, error = parameters[OWN + 1], state[COMMANDS]
    for i in range(n):
        state[ROOM + i * n + i] += parameters[OWN]
        error -= state[SHARES + i] * state[REGRESSORS + i]
    for i in range(n):
        total = 0.0
        for j in range(n):
            total += state[ROOM + i * n + j] * state[REGRESSORS + j]
        state[work + i] = total  # P f
        variance += total * state[REGRESSORS + i]
    for i in range(n):
        state[SHARES + i] += state[work + i] / variance * error
        for j in range(n):
            state[ROOM + i * n + j] -= state[work + i] * state[work + j] / variance
    return command


@compiled(SIGNATURE)
def least_squares_step(state: Floats, parameters: Floats, target: float, measured: float) -> float:
    """Own parameters: share of the sums that is kept a sample, weight of the prior, m^2, least and greatest share."""
    command = _commanded(state, parameters, target, measured)
    n, kept, prior = int(parameters[ORDER]) + 1, parameters[OWN], parameters[OWN + 1]
    right, work = ROOM + n * n, ROOM + n * n + n
    for i in range(n):
        for j in range(n):
            at = ROOM + i * n + j
            state[at] = kept * state[at] + state[REGRESSORS + i] * state[REGRESSORS + j]
            state[work + i * (n + 1) + j] = state[at] + (prior if i == j else 0.0)
        state[right + i] = kept * state[right + i] + state[REGRESSORS + i] * state[COMMANDS]
        state[work + i * (n + 1) + n] = state[right + i] + prior
    for i in range(n):  # Gauss; positive definite by the prior
        for row in range(i + 1, n):
            factor = state[work + row * (n + 1) + i] / state[work + i * (n + 1) + i]
            for j in range(i, n + 1):
                state[work + row * (n + 1) + j] -= factor * state[work + i * (n + 1) + j]
    for i in range(n - 1, -1, -1):
        total = state[work + i * (n + 1) + n]
        for j in range(i + 1, n):
            total -= state[work + i * (n + 1) + j] * state[work + j * (n + 1) + n]
        state[work + i * (n + 1) + n] = total / state[work + i * (n + 1) + i]
    for i in range(n):
        state[SHARES + i] = min(max(state[work + i * (n + 1) + n], parameters[OWN + 2]), parameters[OWN + 3])
    return command


def _base(begin: Floats, rate: float, own: list[float]) -> tuple[Floats, Floats]:
    """(parameters, state)."""
    numerator, denominator = scipy.signal.butter(FILTER_ORDER, CUTOFF / (0.5 * rate))
    parameters, state = np.zeros(OWN + len(own)), np.zeros(STATE)
    parameters[[RATE, ORDER]] = rate, len(begin) - 1
    parameters[NUMERATOR : NUMERATOR + 5], parameters[DENOMINATOR : DENOMINATOR + 5] = numerator, denominator
    parameters[BEGIN : BEGIN + len(begin)] = begin
    parameters[OWN:] = own
    state[SHARES : SHARES + len(begin)] = 1.0
    return parameters, state


def gradient(begin: Floats, rate: float) -> Compensator:
    """begin: (4,) a_i to begin with."""
    return Compensator("gradient", gradient_step, *_base(begin, rate, GAINS.tolist()), linear=False)


def kalman(begin: Floats, rate: float, doubt: float, wander: float, residual: float) -> Compensator:
    """begin: (4,). doubt: standard deviation of the a_i over these at first. wander: what they gain in a second. residual: m."""
    parameters, state = _base(begin, rate, [wander**2 / rate, residual**2])
    state[ROOM : ROOM + 16] = (doubt**2 * np.eye(MOST + 1)).ravel()
    return Compensator("kalman", kalman_step, parameters, state, linear=False)


def time_series(begin: Floats, rate: float, window: float, prior: float, most: float) -> Compensator:
    """begin: (3,). window: s, over which the sums fade. prior: m rms of motion that weighs as much. most: factor on a_i, either way."""
    parameters, state = _base(begin, rate, [np.exp(-1.0 / (window * rate)), prior**2 * window * rate, 1.0 / most, most])
    return Compensator("time_series", least_squares_step, parameters, state, linear=False)
