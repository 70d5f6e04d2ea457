"""Frequencies and damping from how something rings after a tap, as one takes them by hand: a sum of decaying sines through the samples.

Begun by the matrix pencil (Hua, Sarkar, IEEE Trans. Acoust. Speech Signal Process. 38 (1990) 814), then least squares on all samples, the
amplitudes projected out (Golub, Pereyra, SIAM J. Numer. Anal. 10 (1973) 413). Uncertainties follow from what is left, as far as that is
correlated from sample to sample (Newey, West, Econometrica 55 (1987) 703).
"""

from __future__ import annotations

import contextlib
import math
from dataclasses import dataclass, replace

import numpy as np
import scipy
from numpy.typing import NDArray

Floats = NDArray[np.float64]

MOST = 8
"""Modes that are looked for at once."""
BEGUN_WITH = 500
"""Samples that the pencil takes for each mode, three times as many at the most: it decomposes a matrix of a third of them by two thirds."""
PERIODS = 3.0
"""Of the slowest mode that a window must hold at least."""
PER_PERIOD = 8
"""Samples of a period that a begin needs."""
LAGS = 2.0
"""Periods of the slowest mode over which what is left may be correlated."""
SURE = 1.959964
"""Standard deviations that 95 % of a normal distribution are within."""
APART = 3.5
"""Standard deviations that damping or frequency of the begin and of the rest may differ by; more is not chance."""
HALVED = math.log(2.0)
CHANCE = 14.0
"""Noise alone passes for a mode once in exp(14), a million, windows."""
DYING = 2.0
"""Times the rms in the window's last third that what is left may have in its first one; what is more dies away as well, and rings."""


@dataclass(frozen=True)
class Mode:
    """One decaying sine: frequency (Hz) and damping (share of the critical one) with their standard deviations, and amplitude (unit of
    the channel) at the window's begin."""

    frequency: float
    frequency_std: float
    damping: float
    damping_std: float
    amplitude: float

    @property
    def frequency_interval(self) -> tuple[float, float]:
        """95 %, Hz."""
        return self.frequency - SURE * self.frequency_std, self.frequency + SURE * self.frequency_std

    @property
    def damping_interval(self) -> tuple[float, float]:
        """95 %."""
        return self.damping - SURE * self.damping_std, self.damping + SURE * self.damping_std


@dataclass(frozen=True)
class RingDown:
    """modes, the largest first; offset: what it comes to rest at; fitted: (N,); left: rms of what they leave, early and late: of that in
    the first and in the last third of the window.

    begin, rest: the largest mode while it loses its first half, and behind that, each fitted alone; None where a part is too short for it.
    """

    modes: tuple[Mode, ...]
    offset: float
    fitted: Floats
    left: float
    early: float
    late: float
    begin: Mode | None = None
    rest: Mode | None = None

    @property
    def lacks_a_mode(self) -> bool:
        """Whether what is left dies away too, as noise does not."""
        return self.early > DYING * self.late

    @property
    def changes(self) -> bool:
        """Whether it rings otherwise when it is small than when it is large, beyond chance: no numbers hold for all of it then."""
        if self.begin is None or self.rest is None:
            return False
        one, other = self.begin, self.rest
        pairs = ((one.frequency - other.frequency, one.frequency_std, other.frequency_std),
                 (one.damping - other.damping, one.damping_std, other.damping_std))  # fmt: skip
        return any(abs(by) > APART * math.hypot(*stds) for by, *stds in pairs)


def ring_down(x: Floats, rate: float, modes: int = 1) -> RingDown:
    """Of x, (N,) at `rate` (Hz), from when nothing acts on it any more. Raises ValueError where it does not ring down."""
    found = _fitted(x, rate, modes)
    largest = found.modes[0]
    falls = largest.damping / math.sqrt(1.0 - largest.damping**2) * 2.0 * math.pi * largest.frequency
    half = round(min(HALVED / falls * rate, 0.5 * len(x)))
    return replace(found, begin=_alone(x[:half], rate, modes, largest), rest=_alone(x[half:], rate, modes, largest))


def _alone(x: Floats, rate: float, modes: int, largest: Mode) -> Mode | None:
    """The same mode in a part of the window."""
    with contextlib.suppress(ValueError):
        return min(_fitted(x, rate, modes).modes, key=lambda one: abs(one.frequency - largest.frequency))
    return None


def _fitted(x: Floats, rate: float, modes: int) -> RingDown:
    if not 1 <= modes <= MOST:
        raise ValueError(f"expected 1 to {MOST} modes, got {modes}")
    if len(x) < 8 * modes + 8:
        raise ValueError(f"{len(x)} samples are too few for {modes} modes; expected {8 * modes + 8} at least")
    if not np.isfinite(x).all():
        raise ValueError("samples are missing in the window; choose one without")
    size = float(np.ptp(x))
    if size == 0.0:
        raise ValueError("nothing moves in the window")
    t = np.arange(len(x)) / rate
    begun = _begun(x, rate, modes).ravel()

    def by_size(parameters: Floats) -> Floats:
        return _left(parameters, t, x) / size

    found = scipy.optimize.least_squares(by_size, begun, x_scale=np.abs(begun), xtol=1e-12, ftol=1e-12)
    decays, omegas = found.x.reshape(2, modes)
    omegas = np.abs(omegas)
    _need_decay(decays, omegas, t[-1])
    basis = _basis(decays, omegas, t)
    weights: Floats = np.asarray(np.linalg.lstsq(basis, x, rcond=None)[0], dtype=np.float64)
    fitted = basis @ weights
    left = x - fitted
    _need_signal(basis, weights, left)
    covariance = _covariance(_derivatives(decays, omegas, weights, t, basis), left, round(LAGS * 2.0 * math.pi / omegas.min() * rate))
    made = sorted((_mode(k, decays, omegas, weights, covariance) for k in range(modes)), key=lambda one: -one.amplitude)
    third = len(x) // 3
    whole, early, late = (float(np.sqrt(np.mean(part**2))) for part in (left, left[:third], left[-third:]))
    return RingDown(tuple(made), float(weights[-1]), fitted, whole, early, late)


def _begun(x: Floats, rate: float, modes: int) -> Floats:
    """(2, modes): decays (1/s) and circular frequencies (rad/s) by the matrix pencil, on as coarse a grid as the signal allows."""
    spectrum = np.abs(np.fft.rfft(x - x.mean())) ** 2
    power = np.cumsum(spectrum)
    highest = rate * float(np.searchsorted(power, 0.99 * power[-1]) + 1) / len(x)
    most = BEGUN_WITH * min(modes, 3)
    step = max(1, min(len(x) // most, int(rate / (PER_PERIOD * highest))))
    count = min(len(x) // step, most)
    y = x[: count * step].reshape(count, step).mean(axis=1)
    reach = count // 3
    rows = np.lib.stride_tricks.sliding_window_view(y - y[-max(count // 10, 1) :].mean(), reach + 1)
    _, _, right = np.linalg.svd(rows, full_matrices=False)
    kept = right[: 2 * modes].T
    poles = np.linalg.eigvals(np.linalg.pinv(kept[:-1]) @ kept[1:])
    with np.errstate(divide="ignore"):
        s = np.log(poles.astype(complex)) * rate / step
    turning = s[(s.imag > 0.0) & np.isfinite(s)]
    if len(turning) < modes:
        raise ValueError(_too_few(modes))
    turning = turning[np.argsort(np.abs(turning.real))][:modes]
    return np.array([np.maximum(-turning.real, 1e-6 * turning.imag), turning.imag])


def _basis(decays: Floats, omegas: Floats, t: Floats) -> Floats:
    """(N, 2 modes + 1): cosines and sines of each mode as they die away, and a constant."""
    with np.errstate(over="ignore"):
        dying = np.exp(-np.multiply.outer(t, decays))
    turn = np.multiply.outer(t, omegas)
    return np.column_stack([dying * np.cos(turn), dying * np.sin(turn), np.ones(len(t))])


def _left(parameters: Floats, t: Floats, x: Floats) -> Floats:
    """(N,) what the best amplitudes leave."""
    decays, omegas = parameters.reshape(2, -1)
    basis = _basis(decays, omegas, t)
    if not np.isfinite(basis).all():
        return np.full(len(x), 1e3 * float(np.ptp(x)))
    return np.asarray(x - basis @ np.linalg.lstsq(basis, x, rcond=None)[0])


def _derivatives(decays: Floats, omegas: Floats, weights: Floats, t: Floats, basis: Floats) -> Floats:
    """(N, 4 modes + 1) by decays, circular frequencies, amplitudes, offset."""
    modes = len(decays)
    cosines, sines = basis[:, :modes] * weights[:modes], basis[:, modes : 2 * modes] * weights[modes : 2 * modes]
    turned = basis[:, :modes] * weights[modes : 2 * modes] - basis[:, modes : 2 * modes] * weights[:modes]
    return np.column_stack([-t[:, None] * (cosines + sines), t[:, None] * turned, basis])


def _covariance(derivatives: Floats, left: Floats, lags: int) -> Floats:
    """Of all parameters, from what is left: correlated over `lags` samples at the most."""
    count, parameters = derivatives.shape
    inverse = np.linalg.pinv(derivatives.T @ derivatives)
    lags = min(lags, count // 4)
    middle = np.zeros((parameters, parameters))
    for lag in range(lags + 1):
        share = float(left[: count - lag] @ left[lag:]) / (count - parameters)
        products = derivatives[: count - lag].T @ derivatives[lag:]
        weight = share * (1.0 - lag / (lags + 1.0))
        middle += weight * (products if lag == 0 else products + products.T)
    covariance = inverse @ middle @ inverse
    white = float(left @ left) / (count - parameters) * inverse
    return np.where(np.diag(covariance) < np.diag(white), white, covariance)  # chance makes correlations look negative as well


def _need_decay(decays: Floats, omegas: Floats, length: float) -> None:
    frequency = float(omegas.min()) / (2.0 * math.pi)
    if frequency * length < PERIODS:
        raise ValueError(f"the window holds {frequency * length:.2g} periods of {frequency:.3g} Hz; expected {PERIODS:g} at least")
    if (growing := np.flatnonzero(decays <= 0.0)).size:
        raise ValueError(f"what turns at {omegas[growing[0]] / (2.0 * math.pi):.4g} Hz does not die away: something still acts on it")


def _need_signal(basis: Floats, weights: Floats, left: Floats) -> None:
    """The largest of all places of a spectrum of white noise has the energy 2 (ln N + c) of its variance, with a chance of exp(-c)."""
    modes, count = len(weights) // 2, len(left)
    variance = float(left @ left) / count
    for k in range(modes):
        part = basis[:, [k, modes + k]] @ weights[[k, modes + k]]
        if float(part @ part) <= 2.0 * (math.log(count) + CHANCE) * variance:
            raise ValueError(_too_few(modes))


def _too_few(modes: int) -> str:
    many = "nothing rings" if modes == 1 else f"fewer than {modes} modes ring"
    return f"{many} above the noise; choose another window, or fewer modes"


def _mode(k: int, decays: Floats, omegas: Floats, weights: Floats, covariance: Floats) -> Mode:
    """Of (decay, circular frequency) the frequency that it turns at, and the damping decay / |pole|."""
    modes = len(decays)
    decay, omega = float(decays[k]), float(omegas[k])
    size = math.hypot(decay, omega)
    slope = np.array([omega**2, -decay * omega]) / size**3
    own = covariance[np.ix_([k, modes + k], [k, modes + k])]
    damping_std = math.sqrt(max(float(slope @ own @ slope), 0.0))
    frequency_std = math.sqrt(max(float(own[1, 1]), 0.0)) / (2.0 * math.pi)
    return Mode(omega / (2.0 * math.pi), frequency_std, decay / size, damping_std, math.hypot(weights[k], weights[modes + k]))
