"""Pairs of a measured and a predicted signal of which everything is known: how they were made, and what every figure of them truly is.

Measured is predicted, later by a part of a sample, times a gain, and an offset; then noise, a zero that drifts, an end that cuts, samples
that are missing. The truth is worked out here by the definitions, from the signals before noise came to them, with scipy's filters.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import scipy.signal
import scipy.special

from rig.comparison import ChannelAgreement, Settings, agreement

RATE, A, CORNER, BAND = 2560.0, 10e3, 500.0, (60.0, 300.0)
Floats = np.ndarray
TURN = 2.0 * math.pi


def sine(turn: Floats) -> Floats:
    return np.sin(turn)


def impacts(turn: Floats) -> Floats:
    """A sine that rings after each zero, as after a play that is crossed."""
    behind = np.mod(turn, math.pi) - 0.25
    ringing = np.where(behind > 0.0, np.exp(-6.0 * np.maximum(behind, 0.0)) * np.sin(18.0 * behind), 0.0)
    return np.sin(turn) + 0.3 * np.where(np.mod(turn, TURN) < math.pi, 1.0, -1.0) * ringing


def trapezoid(turn: Floats) -> Floats:
    return np.clip(1.6 * np.sin(turn), -1.0, 1.0)


SHAPES: dict[str, Callable[[Floats], Floats]] = {"sine": sine, "impacts": impacts, "trapezoid": trapezoid}
NOISES = ("white", "coloured")
SPOILED = ("whole", "drifting", "clipped", "missing", "both noisy")


@dataclass(frozen=True)
class Pair:
    """How one is made. late: samples. drift: of the zero, from the first cycle to the last. noise: share of A behind the low-pass."""

    shape: str
    colour: str
    spoiled: str
    cycles: int
    frequency: float
    gain: float
    offset: float
    late: float
    drift: float
    noise: float
    seed: int

    @classmethod
    def drawn(cls, seed: int, many: bool) -> Pair:
        """The shapes, colours and faults in turn, all else by chance."""
        rng = np.random.default_rng([3401, seed, int(many)])
        spoiled = SPOILED[seed // 6 % len(SPOILED)]
        return cls(
            shape=(*SHAPES,)[seed % 3], colour=NOISES[seed // 3 % 2], spoiled=spoiled,
            cycles=int(rng.integers(20, 41) if many else rng.integers(3, 9)), frequency=float(rng.uniform(3.0, 8.0)),
            gain=1.0 + float(rng.choice([-1.0, 1.0]) * rng.uniform(0.005, 0.04)), offset=float(rng.uniform(-0.02, 0.02)) * A,
            late=float(rng.uniform(-4.0, 4.0)), drift=float(rng.uniform(-0.03, 0.03)) * A if spoiled == "drifting" else 0.0,
            noise=float(np.exp(rng.uniform(np.log(0.0025), np.log(0.03)))), seed=seed,
        )  # fmt: skip


@dataclass(frozen=True)
class Made:
    """A pair's signals, (N,) each; `clean`: measured without noise, and with nothing cut or missing."""

    pair: Pair
    clean: Floats
    exact: Floats
    """Predicted, the same way."""
    measured: Floats
    predicted: Floats
    turn: Floats
    cycle: Floats

    def agreement(self) -> ChannelAgreement:
        pure = self.pair.frequency if self.pair.shape != "trapezoid" else None
        return agreement(
            self.measured, self.predicted, rate=RATE, command=_command(self), cycle=self.cycle, amplitude=A, frequency=pure,
            phase=self.turn, unit="N", settings=Settings(lowpass=CORNER, discard_cycles=1, band=BAND),
        )  # fmt: skip


def _command(made: Made) -> Floats:
    return made.exact if made.pair.shape == "trapezoid" else A * np.sin(made.turn)


def make(pair: Pair) -> Made:
    """A cycle that is discarded, those that count, and another one behind them."""
    rng = np.random.default_rng([3402, pair.seed, pair.cycles])
    n = np.arange(round(RATE / pair.frequency * (pair.cycles + 2)))
    step = TURN * pair.frequency / RATE
    turn = step * n
    cycle = np.floor(turn / TURN + 1e-12)
    shape = SHAPES[pair.shape]
    exact = A * shape(turn)
    clean = pair.gain * A * shape(turn - step * pair.late) + pair.offset + pair.drift * _along(turn, pair)
    measured = clean + _noise(pair, rng, len(n))
    if pair.spoiled == "clipped":
        measured = np.minimum(measured, pair.offset + 0.97 * np.max(clean - pair.offset))
    if pair.spoiled == "missing":
        for _ in range(3):
            begin = int(rng.integers(len(n)))
            measured[begin : begin + int(rng.integers(1, round(0.4 * RATE / pair.frequency)))] = np.nan
    predicted = exact + _noise(pair, rng, len(n)) if pair.spoiled == "both noisy" else exact
    return Made(pair, clean, exact, measured, predicted, turn, np.where(cycle <= pair.cycles, cycle, -1.0))


def _along(turn: Floats, pair: Pair) -> Floats:
    """From -0.5 to 0.5 over the cycles that count."""
    return (turn / TURN - 1.0) / pair.cycles - 0.5


COLOURED = scipy.signal.butter(1, 20.0, fs=RATE)


def _noise(pair: Pair, rng: np.random.Generator, count: int) -> Floats:
    """Behind the low-pass it has the standard deviation that the pair says."""
    white = rng.standard_normal(count + 4096)
    raw = white if pair.colour == "white" else scipy.signal.lfilter(*COLOURED, white)
    return pair.noise * A * raw[4096:] / _gain_of_noise(pair.colour, _low())


def _low() -> Floats:
    return scipy.signal.butter(2, CORNER, fs=RATE, output="sos")


def _gain_of_noise(colour: str, sos: Floats) -> float:
    """Standard deviation behind a filter, of white noise of 1 that was coloured so."""
    w = np.linspace(0.0, math.pi, 1 << 15)
    power = np.abs(scipy.signal.sosfreqz(sos, w)[1]) ** 2
    if colour != "white":
        power = power * np.abs(scipy.signal.freqz(*COLOURED, w)[1]) ** 2
    return float(np.sqrt(np.mean(power)))


def truth(made: Made) -> dict[str, float]:
    """Of every figure. `nrms` is that of the model, `nrms with noise` what all samples would have in the mean."""
    pair, counts = made.pair, _compared(made, 2.0 / CORNER)
    m, p = (_filtered(_low(), x) for x in (made.clean, made.exact))
    turn, noise = made.turn[counts], pair.noise * A
    sigma = noise * (math.sqrt(2.0) if pair.spoiled == "both noisy" else 1.0)  # of the difference
    basis = np.stack((np.sin(turn), np.cos(turn), np.ones(len(turn))), axis=1)
    (sine_m, cosine_m, _), (sine_p, cosine_p, _) = (np.linalg.lstsq(basis, x[counts], rcond=None)[0] for x in (m, p))
    wave_m, wave_p = complex(sine_m, cosine_m), complex(sine_p, cosine_p)
    apart, power = m[counts] - p[counts], float(np.mean(m[counts] ** 2))
    return {
        "gain": pair.gain, "offset": pair.offset, "delay": pair.late / RATE, "gain_drift": 0.0, "offset_drift": pair.drift / pair.cycles,
        "fundamental": abs(wave_p) / abs(wave_m) - 1.0, "phase": math.degrees(np.angle(wave_p / wave_m)),
        "max": _peak(made, p) / _peak(made, _filtered(_low(), made.clean - made.pair.drift * _along(made.turn, pair))) - 1.0,
        "nrms": float(np.sqrt(np.mean(apart**2) / power)),
        "nrms with noise": float(np.sqrt((np.mean(apart**2) + sigma**2) / (power + noise**2))),
        "within_5_percent": _share_within(apart, sigma),
        "band_level": _level_error(made), **_after_reversals(made, m, p, counts),
    }  # fmt: skip


def _share_within(apart: Floats, sigma: float) -> float:
    """Of samples whose difference, with that noise in it, is within 5 % of A."""
    high, low = ((end - apart) / sigma for end in (0.05 * A, -0.05 * A))
    return float(np.mean(scipy.special.ndtr(high) - scipy.special.ndtr(low)))


def _compared(made: Made, memory: float) -> Floats:
    """(N,) what counts: not what is missing or stands at an end, nor what a filter remembers it in, for `memory` seconds."""
    bad = ~np.isfinite(made.measured)
    if made.pair.spoiled == "clipped":
        bad |= made.measured >= np.nanmax(made.measured)
    since = np.arange(len(bad)) - np.maximum.accumulate(np.where(bad, np.arange(len(bad)), -len(bad)))
    return (made.cycle >= 1.0) & (since > math.ceil(memory * RATE))


def _filtered(sos: Floats, x: Floats) -> Floats:
    state = scipy.signal.sosfilt_zi(sos) * x[0]
    return np.asarray(scipy.signal.sosfilt(sos, x, zi=state)[0])


def _peak(made: Made, x: Floats) -> float:
    """Largest of the mean wave; a zero that drifts as it is in the middle of the test."""
    grid = (np.arange(4096) + 0.5) * TURN / 4096
    waves = [np.interp(grid + TURN * k, made.turn, x) for k in range(1, made.pair.cycles + 1)]
    return float(np.max(np.abs(np.mean(waves, axis=0))))


def _level_error(made: Made) -> float:
    """Noise of the sensor in the band is measured."""
    counts = _compared(made, 2.0 / 48.0)  # what the band's slower poles, at 48 Hz, remember; to some samples, which tell nothing
    ends = [math.tan(math.pi * f / RATE) for f in BAND]
    poles = scipy.signal.butter(2, ends, btype="bandpass", analog=True)
    sos = scipy.signal.tf2sos(*scipy.signal.bilinear(*poles, fs=0.5))
    m, p = (_filtered(sos, x)[counts] for x in (made.clean, made.exact))
    noise = made.pair.noise * A * _gain_of_noise(made.pair.colour, sos) / _gain_of_noise(made.pair.colour, _low())
    of_predicted = noise if made.pair.spoiled == "both noisy" else 0.0
    return float(np.sqrt((np.mean(p**2) + of_predicted**2) / (np.mean(m**2) + noise**2))) - 1.0


def _after_reversals(made: Made, m: Floats, p: Floats, counts: Floats) -> dict[str, float]:
    """By the definitions of docs/comparison.md, of the signals without noise."""
    if made.pair.shape == "trapezoid":  # its command is no sine: T goes by its own zeros
        return {}
    period, rows = RATE / made.pair.frequency, []
    for k in range(2, 2 * (made.pair.cycles + 1)):
        zero, sign = 0.5 * k * period, 1.0 - 2.0 * (k % 2)
        first, quarter = math.ceil(zero), math.floor(zero + 0.25 * period) + 1
        if not counts[first : math.floor(zero + 0.375 * period) + 1].all():
            continue
        row = []
        for x in (m, p):
            over = float(np.max(sign * (x - _command(made))[first:quarter]))
            i = first + int(np.argmax(sign * x[first:] > 0.1 * A))
            at = zero if i == first else i - 1 + (0.1 * A - sign * x[i - 1]) / (sign * (x[i] - x[i - 1]))
            begin = math.ceil(max(at, zero))
            peak = float(np.max(sign * x[begin : math.floor(max(at, zero) + 0.010 * RATE) + 1]))
            row += [max(at, zero) - zero, over, peak]
        rows.append(row)
    if not rows:
        return {}
    at_m, over_m, peak_m, at_p, over_p, peak_p = np.mean(rows, axis=0)
    return {"first_impact": (at_p - at_m) / period, "overshoot": (over_p - over_m) / A, "impact_peak": (peak_p - peak_m) / A}
