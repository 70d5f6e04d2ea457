"""What a difference looks like: whether it goes as a known fault of a sensor, cable or conditioner would make it.

Each fault leaves measured - predicted along a few shapes, to first order:

| fault | shapes |
|---|---|
| zero, and its drift | 1; and t |
| gain, and its drift | p, the prediction; and p t |
| lateness, and a clock that goes wrongly | p'; and p' t |
| nonlinearity | p, p^3 |
| hysteresis | (P^2 - p^2) against the way that p goes, P the largest p: the loop of Rayleigh |
| end of a range | what p has beyond the largest and smallest that is measured |
| cross-talk | another measured channel |
| mains hum | sines of 50 or 60 Hz and of their multiples |
| a tone | the sine that is largest in the difference, where it is no multiple of the cycle |

The share of the difference's power that its shapes explain is what speaks for a fault; of faults that explain it alike the one with the
fewest shapes. Shapes of specimen and loop are none of these, so a difference that none explains comes from there, or is noise: that does
not come again from one cycle to the next.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from rig.comparison.series import Floats

ENOUGH = 0.6
"""Share of the difference that a fault has to explain to be named."""
ALIKE = 0.02
"""Difference of shares that does not count."""
MULTIPLES = 5
"""Of the mains' frequency."""
AGAIN = 0.3
"""Correlation of one cycle's difference with the next one's below which it is noise."""
POINTS, BACK = 4096, 0.1
"""At how many points the way of a signal is looked at, and the share of its range by which it has to go back to have turned."""
BETWEEN = 0.25
"""Lines of the spectrum by which a tone has to lie beside the multiples of the cycle, which the specimen's own difference has."""
MAINS = (50.0, 60.0)
NEAR = 0.5
"""Hz within which a tone is one of the mains'."""

NOISE = "noise: it does not come again from cycle to cycle"
BEYOND = "no fault of sensor, cable or conditioner that has a known shape; look at specimen, grips and loop"


@dataclass(frozen=True)
class Cause:
    """What a difference looks like, in words, and the share of its power that this explains (0: nothing of a known shape does)."""

    words: str
    share: float


def likely_cause(measured: Floats, predicted: Floats, others: Mapping[str, Floats], cycle: Floats, rate: float) -> Cause:
    """Of measured and predicted (N,), filtered alike, of whole counted cycles; others: further measured channels (N,), by name.

    cycle (N,): number of the cycle of each sample; rate in Hz.
    """
    difference = measured - predicted
    power = float(difference @ difference)
    if power == 0.0:
        return Cause(BEYOND, 0.0)
    tried = [
        (words, shapes.shape[1], _explained(difference, shapes, power))
        for words, shapes in _faults(difference, predicted, others, cycle, rate)
    ]
    best = max(share for _, _, share in tried)
    if best >= ENOUGH:
        words, _, share = min((one for one in tried if one[2] >= best - ALIKE), key=lambda one: (one[1], -one[2]))
        return Cause(words, share)
    return Cause(NOISE if _comes_again(difference, cycle) < AGAIN else BEYOND, 0.0)


def _explained(difference: Floats, shapes: Floats, power: float) -> float:
    """Share of the difference that the shapes (N, k) explain in least squares."""
    sizes = np.sqrt(np.einsum("ij,ij->j", shapes, shapes))
    shapes = shapes[:, sizes > 0.0] / sizes[sizes > 0.0]
    factors = np.linalg.lstsq(shapes.T @ shapes, shapes.T @ difference, rcond=1e-10)[0]
    return float(factors @ (shapes.T @ difference)) / power


def _faults(difference: Floats, p: Floats, others: Mapping[str, Floats], cycle: Floats, rate: float) -> Iterator[tuple[str, Floats]]:
    """(in words, shapes (N, k)) of each."""
    count = len(p)
    t, rates = np.linspace(0.0, 1.0, count), np.gradient(p)
    one = np.ones(count)
    yield "a wrong zero", one[:, None]
    yield "a zero that drifts", np.stack((one, t), axis=1)
    yield "a wrong gain", p[:, None]
    yield "a gain that drifts", np.stack((p, p * t), axis=1)
    yield "a line that is late, or early", rates[:, None]
    yield "a clock that goes wrongly", np.stack((rates, rates * t), axis=1)
    measured = difference + p
    yield "the end of a range, beyond which nothing is shown", (np.clip(p, measured.min(), measured.max()) - p)[:, None]
    yield "nonlinearity of the sensor", np.stack((p, p**3), axis=1)
    yield "hysteresis of the sensor", ((np.max(p**2) - p**2) * _way(p))[:, None]
    for name, other in others.items():
        yield f"cross-talk of {name}, or what moves both", (other - np.mean(other))[:, None]
    seconds = np.arange(count) / rate
    for mains in MAINS:
        waves = [wave(2.0 * np.pi * n * mains * seconds) for n in range(1, MULTIPLES + 1) for wave in (np.sin, np.cos)]
        yield f"mains hum of {mains:g} Hz", np.stack(waves, axis=1)
    frequency = _loudest(difference, rate)
    cycles = float(np.ptp(cycle)) + 1.0
    periods = frequency * count / rate / cycles  # of it in a cycle
    if abs(periods - round(periods)) * cycles < BETWEEN:
        return
    hums = [mains for mains in MAINS for n in range(1, MULTIPLES + 1) if abs(frequency - n * mains) < max(NEAR, rate / count)]
    yield (
        f"mains hum of {hums[0]:g} Hz" if hums else f"a tone of {frequency:.4g} Hz",
        np.stack([wave(2.0 * np.pi * frequency * seconds) for wave in (np.sin, np.cos)], axis=1),
    )


def _way(p: Floats) -> Floats:
    """+1 where p (N,) rises and -1 where it falls; what goes back by less than a part of its range is no turn."""
    every = max(1, len(p) // POINTS)
    least, way, end = BACK * float(np.ptp(p)), 0.0, float(p[0])
    ways = np.empty(len(p[::every]))
    for n, value in enumerate(p[::every]):
        if way == 0.0 and abs(value - end) > least:
            way, end = float(np.sign(value - end)), value
        elif way and (value - end) * way >= 0.0:
            end = value
        elif way and abs(value - end) > least:
            way, end = -way, value
        ways[n] = way
    return np.repeat(ways, every)[: len(p)]


def _loudest(x: Floats, rate: float) -> float:
    """Frequency (Hz) of the largest line of x (N,), to a small part of a line, by the parabola through it and its neighbours."""
    level = np.log(np.abs(np.fft.rfft((x - np.mean(x)) * np.hanning(len(x)))) + 1e-300)
    k = 1 + int(np.argmax(level[1:-1]))
    left, middle, right = level[k - 1 : k + 2]
    bend = left - 2.0 * middle + right
    return float((k + (0.5 * (left - right) / bend if bend else 0.0)) * rate / len(x))


def _comes_again(difference: Floats, cycle: Floats) -> float:
    """Smallest correlation of the difference in a cycle with that in the next; 1 where there is one cycle."""
    starts = np.flatnonzero(np.diff(cycle, prepend=cycle[0] - 1.0))
    parts = np.split(difference, starts[1:])
    pairs = [(a[: len(b)], b[: len(a)]) for a, b in itertools.pairwise(parts) if min(len(a), len(b)) > 0.9 * max(len(a), len(b))]
    found = [float(a @ b) / max(float(np.sqrt((a @ a) * (b @ b))), 1e-300) for a, b in pairs]
    return min(found, default=1.0)
