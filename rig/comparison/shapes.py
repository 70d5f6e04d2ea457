"""What faults of a sensor, cable or conditioner leave between a channel and what it should show, as far as it can be said beforehand.

| fault | shapes |
|---|---|
| zero, and its drift | 1; and t |
| gain, and its drift | p, the reference; and p t |
| lateness, and a clock that goes wrongly | p at t - tau; and tau grows with t: by Gauss-Newton steps |
| what leads the model, off by a constant | p at t - tau, tau as 1/speed (`rig.comparison.leading`) |
| nonlinearity | p, p^3 |
| hysteresis | p, and what elements that yield one after the other keep of it (Prandtl) |
| end of a range | what p has beyond the largest and smallest that is measured |
| cross-talk | another measured channel |
| mains hum | sines of 50 or 60 Hz and of their multiples |
| a tone | the sine that is largest in the difference, where it is no multiple of the cycle |
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from rig.comparison.explanations import Explanation, fitted
from rig.comparison.series import Floats

MULTIPLES = 5
"""Of the mains' frequency."""
YIELDS = (0.1, 0.3, 0.6)
"""Shares of half the range at which elements of a hysteresis yield."""
BETWEEN = 0.25
"""Lines of the spectrum by which a tone has to lie beside the multiples of the cycle, which the specimen's own difference has."""
MAINS = (50.0, 60.0)
NEAR = 0.5
"""Hz within which a tone is one of the mains'."""
STEPS = 12
"""Of Gauss-Newton's method, to a lateness."""

ZERO, GAIN, LATE = "a wrong zero", "a wrong gain", "a line that is late, or early"
OFF = "a constant error of what leads the model"
ZERO_DRIFT, GAIN_DRIFT, CLOCK = "a zero that drifts", "a gain that drifts", "a clock that goes wrongly"
END_OF_RANGE = "the end of a range, beyond which nothing is shown"
HUM, TONE = "mains hum of", "a tone of"
NONLINEAR, HYSTERESIS = "nonlinearity of the sensor", "hysteresis of the sensor"


def explanations(
    difference: Floats,
    reference: Floats,
    others: Mapping[str, Floats],
    cycle: Floats,
    rate: float,
    nuisance: Floats,
    lead: Floats | None = None,
) -> Iterator[Explanation]:
    """Each fault as it fits the difference between what is measured and the reference best, all (N,).

    nuisance (N, k): what the difference may have besides, whatever the fault is; rate in Hz. lead (N,): samples by which one unit of what
    leads the model makes it early, where something measured does.
    """
    p, t, one = reference, np.linspace(0.0, 1.0, len(reference)), np.ones(len(reference))
    measured = difference + p

    def of(words: str, *shapes: Floats, simpler: str = "") -> Explanation:
        return fitted(words, difference, np.stack(shapes, axis=1), nuisance, simpler)

    yield of(ZERO, one)
    yield of(ZERO_DRIFT, one, t, simpler=ZERO)
    yield of(GAIN, p)
    yield of(GAIN_DRIFT, p, p * t, simpler=GAIN)
    yield lateness(LATE, measured, p, nuisance, one[:, None])
    yield lateness(CLOCK, measured, p, nuisance, np.stack((one, t), axis=1), simpler=LATE)
    if lead is not None and np.any(lead):
        yield lateness(OFF, measured, p, nuisance, lead[:, None])
    yield of(END_OF_RANGE, np.clip(p, measured.min(), measured.max()) - p)
    yield of(NONLINEAR, p, p**3, simpler=GAIN)
    half = 0.5 * float(np.ptp(p))
    yield of(HYSTERESIS, p, *(p - play(p, share * half) for share in YIELDS), simpler=GAIN)
    for name, other in others.items():
        yield of(f"cross-talk of {name}, or what moves both", other - np.mean(other))
    seconds = np.arange(len(p)) / rate
    for mains in MAINS:
        yield of(
            f"{HUM} {mains:g} Hz", *(f(2.0 * np.pi * n * mains * seconds) for n in range(1, MULTIPLES + 1) for f in (np.sin, np.cos))
        )
    frequency = loudest(difference, rate)
    cycles = float(np.ptp(cycle)) + 1.0
    periods = frequency * len(p) / rate / cycles  # of it in a cycle
    if abs(periods - round(periods)) * cycles < BETWEEN:
        return
    hums = [mains for mains in MAINS for n in range(1, MULTIPLES + 1) if abs(frequency - n * mains) < max(NEAR, rate / len(p))]
    words = f"{HUM} {hums[0]:g} Hz" if hums else f"{TONE} {frequency:.4g} Hz"
    yield of(words, *(f(2.0 * np.pi * frequency * seconds) for f in (np.sin, np.cos)))


def lateness(words: str, measured: Floats, p: Floats, nuisance: Floats, basis: Floats, simpler: str = "") -> Explanation:
    """p (N,) shown late by basis (N, k) times what Gauss-Newton's steps find, in samples."""
    n, late, slope, total = np.arange(float(len(p))), np.zeros(len(p)), np.gradient(p), np.zeros(basis.shape[1])
    best = fitted(words, measured - p, np.zeros((len(p), 1)), nuisance, simpler)
    for _ in range(STEPS):
        shown = np.interp(n - late, n, p)
        step = fitted(words, measured - shown, -np.interp(n - late, n, slope)[:, None] * basis, nuisance, simpler)
        late = late + basis @ step.factors
        moved = np.interp(n - late, n, p) - p
        there = fitted(words, measured - p - moved, np.zeros((len(p), 1)), nuisance, simpler)
        if there.left >= best.left * (1.0 - 1e-9):
            break
        total = total + step.factors
        best = Explanation(words, basis.shape[1], there.left, moved, total, simpler)
    return Explanation(words, basis.shape[1], best.left, best.explained, total, simpler)


def play(x: Floats, half: float) -> Floats:
    """What follows x (N,) with a play of `half` to either side, from the middle of it."""
    out, at = np.empty(len(x)), float(x[0])
    for n, value in enumerate(x.tolist()):
        at = min(max(at, value - half), value + half)
        out[n] = at
    return out


def loudest(x: Floats, rate: float) -> float:
    """Frequency (Hz) of the largest line of x (N,), to a small part of a line, by the parabola through it and its neighbours."""
    level = np.log(np.abs(np.fft.rfft((x - np.mean(x)) * np.hanning(len(x)))) + 1e-300)
    k = 1 + int(np.argmax(level[1:-1]))
    left, middle, right = level[k - 1 : k + 2]
    bend = left - 2.0 * middle + right
    return float((k + (0.5 * (left - right) / bend if bend else 0.0)) * rate / len(x))
