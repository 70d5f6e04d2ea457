"""What a load frame's channels say of each other: which relation between them a test does not keep, and so which part does otherwise.

Whatever moves, three relations hold between command, load cell, stroke, actuator's force and accelerations. The prediction keeps them
exactly, which tells their coefficients; the measurement keeps them as long as the part that each is of is in order (structured residuals:
Gertler, Fault Detection and Diagnosis in Engineering Systems, 1998, ch. 8).

| relation | what breaks it |
|---|---|
| balance: load cell = actuator - masses x accelerations - damping x speed | the load cell; dry friction; a mass that swings |
| valve: speed + (rate of actuator's force) / oil + leakage = flow that the loop's error asks for | deadband, hysteresis, oil, pump |
| give: stroke = force / stiffness +- half the play, where it is pressed | fixture, play |

So a load cell is judged by what the others say that it should show, without the specimen's own difference. Coefficients that are off by no
more than SPREAD are a machine as its drawing leaves it open.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from scipy.fft import next_fast_len
from scipy.optimize import minimize_scalar

from rig.comparison.causes import ENOUGH, NOISE, Cause, cycles_of, likely_cause, without
from rig.comparison.evidence import Evidence
from rig.comparison.explanations import PRICE, Explanation, fitted, independent, told_apart
from rig.comparison.series import Floats
from rig.comparison.shapes import HYSTERESIS, loudest, play
from rig.signals import butterworth

SPREAD = 0.1
"""Share by which a stiffness may be another one than in the model and nothing be wrong."""
LEAKS = 0.5
"""The same of leakage, which is known worse."""
CLASS = 0.005
"""Of the largest force: what a load cell of class 0.5 may be off by."""
LAGS = (0.0, 1e-3, 2e-3, 3e-3, 4.5e-3, 6e-3, 8e-3)
"""s; the spool follows the loop's error through its own dynamics, which a row of lags stands for."""
SLOW = 150.0
"""Hz, below which the relation of the valve is looked at; the pump's ripple is looked for in all of it."""
PRESSED, STEADY = 0.5, 1.2
"""Share of the largest command above which the specimen is pressed, and of the command's fastest rate below which nothing knocks."""
YIELDS = (3e-7, 1e-6, 3e-6, 1e-5)
"""m, by which a dry seal gives before it slides."""
WIDTHS = np.geomspace(1e-3, 0.5, 12)
"""Shares of the largest flow, of a valve's deadband or hysteresis; between two of them the best is found."""
MIDDLES = 3
"""How often the middle of the spool is found anew."""
SURE = 0.95
"""Share of a difference that a fault of the load cell explains, with which nothing else is looked for."""
FEW = 2
"""Numbers that a fault of the load cell is reckoned to have, beside dry friction and a mass that swings."""
ENDS = 0.02
"""s, at the end of what is looked at, which a filter that runs both ways does not know."""
MODES, DAMPINGS = np.geomspace(20.0, 600.0, 50), (0.01, 0.04)
"""Hz, and damping ratios, of a mass that swings."""

FRICTION = "dry friction between actuator and load cell, as of seals"
SWINGS = "a mass that swings: a second mode of frame or grips"
DEADBAND, VALVE_HYSTERESIS = "a valve with a deadband (overlap)", "a valve with hysteresis"
OIL = "another oil: warm, or with air in it"
PUMP = "a pressure that ripples: the pump"
FIXTURE = "a fixture that gives more, or less: misaligned, or not tight"
GROWS = "play that grows: wear, or a grip that loosens"
PLAY = "another play than the model's"
ORDERLY = "load cell, valve, oil, fixture and play are as predicted; look at masses, contacts and what else the model leaves out"


@dataclass(frozen=True)
class FrameChannels:
    """Names of the channels that show them."""

    force: str
    actuator: str
    stroke: str
    accelerations: tuple[str, ...]

    def are_in(self, shown: Evidence) -> bool:
        names = {self.force, self.actuator, self.stroke, *self.accelerations}
        return names <= set(shown.measured) and names <= set(shown.predicted)


def cause_in_frame(shown: Evidence, of: FrameChannels, in_force: bool) -> Cause:
    """Of what the load cell differs from its prediction by; in_force: the loop closes on it, so that the command is a force."""
    nuisance = _inertia(shown.measured, of, shown.rate)
    should = shown.measured[of.actuator] - nuisance @ _balance(shown, of)
    measured, predicted = shown.measured[of.force], shown.predicted[of.force]
    others = {of.stroke: shown.measured[of.stroke]}
    cell = likely_cause(measured, should, others, shown.cycle, shown.rate, nuisance)
    if cell.explained is not None and _matters(predicted[shown.counted], cell):
        its = _is_the_cell(shown, of, cell)
        if HYSTERESIS in cell.words and not its:  # a load cell behind a seal that sticks follows the actuator's force with a play
            figures = f"some {np.ptp(cell.explained) / 2.0:.2g} N"
            return Cause(f"{FRICTION}, or hysteresis of {of.actuator}", cell.share, None, figures)
        if cell.share > SURE and its:
            return cell
        return _between(shown, of, measured - should, nuisance, cell) or cell
    apart = 2.0 * float(np.std(without(measured - should, nuisance))) > CLASS * float(np.max(np.abs(predicted[shown.counted])))
    if apart and (between := _between(shown, of, measured - should, nuisance, None)) is not None:
        return between
    found = [*(_of_valve(shown, of) if in_force else []), *_of_give(shown, of)]
    if not found:
        return Cause(ORDERLY, 0.0)
    return Cause("; and ".join(one.words for one in found), max(one.share for one in found), None, "; ".join(one.figures for one in found))


def _matters(predicted: Floats, cell: Cause) -> bool:
    """Whether what is explained, of noise twice its rms, is more than a load cell may be off by."""
    assert cell.explained is not None
    size = 2.0 * np.std(cell.explained) if cell.words == NOISE else np.max(np.abs(cell.explained))
    return float(size) > CLASS * float(np.max(np.abs(predicted)))


def _is_the_cell(shown: Evidence, of: FrameChannels, cell: Cause) -> bool:
    """Of the load cell, or of what says what it should show: whichever leaves the smaller differences of both, when it is put right."""
    assert cell.explained is not None
    both = sum(shown.measured[name] - shown.predicted[name] for name in (of.force, of.actuator))
    return float(np.sum(both * cell.explained)) > 0.0


def _rate(x: Floats, rate: float) -> Floats:
    return np.asarray(np.gradient(x) * rate)


def _inertia(x: Mapping[str, Floats], of: FrameChannels, rate: float) -> Floats:
    """(N, k): accelerations, and the speed that damps."""
    return np.stack([*(x[name] for name in of.accelerations), _rate(x[of.stroke], rate)], axis=1)


def _balance(shown: Evidence, of: FrameChannels) -> Floats:
    """(k,) masses and damping, as the prediction has them."""
    between = shown.predicted[of.actuator] - shown.predicted[of.force]
    return fitted("", between, _inertia(shown.predicted, of, shown.rate), np.zeros((len(between), 0))).factors


def _between(shown: Evidence, of: FrameChannels, difference: Floats, nuisance: Floats, cell: Cause | None) -> Cause | None:
    """What stands between actuator and load cell, dry friction or a mass that swings on what an accelerometer shows, and what else may go
    so: the load cell itself."""
    power = float(np.sum(without(difference, nuisance) ** 2))
    if power == 0.0:
        return cell
    stroke = _slow(shown.measured[of.stroke], shown.rate)  # its noise is larger than what a seal gives
    rubbing = np.stack([(stroke - play(stroke, by)) / by for by in YIELDS], axis=1)
    rubs, (swings, mode) = fitted(FRICTION, difference, rubbing, nuisance), _swinging(shown, of, difference, nuisance)
    figures = {
        FRICTION: f"some {np.ptp(rubbing @ rubs.factors) / 2.0:.2g} N",
        SWINGS: f"{abs(swings.factors[0]):.2g} kg at {mode:.3g} Hz",
    }
    rivals = [one for one in (rubs, swings) if 1.0 - one.left / power >= ENOUGH]
    if cell is not None and cell.share:
        whose = "" if _is_the_cell(shown, of, cell) else f", of {of.actuator} or of an accelerometer"
        rivals.append(Explanation(cell.words + whose, FEW, (1.0 - cell.share) * power, np.zeros(0), np.zeros(0)))
    if not rivals:
        return cell
    least = min((one for one in (rubs, swings)), key=_left)
    named = told_apart(rivals, independent(without(difference - least.explained, nuisance)))
    told = "; ".join(figures[one.words] for one in named if one.words in figures)
    return Cause(" or ".join(one.words for one in named), 1.0 - named[0].left / power, None, told)


def _left(one: Explanation) -> float:
    return one.left


def _swinging(shown: Evidence, of: FrameChannels, difference: Floats, nuisance: Floats) -> tuple[Explanation, float]:
    """The mass that fits best, and its frequency: its acceleration is that of what it swings on, through an oscillator."""
    count, (across, _) = len(difference), np.linalg.qr(nuisance)
    size = next_fast_len(2 * count, real=True)
    spectra = [np.fft.rfft(shown.measured[name], size) for name in of.accelerations]
    along = np.fft.rfftfreq(size, 1.0 / shown.rate)
    beside = difference - across @ (across.T @ difference)
    best, swung, found = 0.0, difference, 0.0
    for mode in MODES:
        for damping in DAMPINGS:
            at = along / mode
            through = (1.0 + 2.0j * damping * at) / (1.0 - at**2 + 2.0j * damping * at)
            for spectrum in spectra:
                x = np.fft.irfft(spectrum * through, size)[:count]
                clear = x - across @ (across.T @ x)
                gained = float(clear @ beside) ** 2 / max(float(clear @ clear), 1e-300)
                if gained > best:
                    best, swung, found = gained, x, float(mode)
    return fitted(SWINGS, difference, swung[:, None], nuisance), found


@dataclass(frozen=True)
class _Valve:
    """What the relation of the valve is made of, (N,) each: speed, flow that the spool is asked for, rate of the actuator's force, that
    force; and the oil's column and leakage as the prediction has them, m/N and m/(N s)."""

    speed: Floats
    asked: Floats
    rate: Floats
    force: Floats
    column: float
    leakage: float
    supply: float

    def rest(self) -> Floats:
        """What the measured speed is more than it should be."""
        return self.speed - self.asked - self.column * self.rate - self.leakage * self.force - self.supply * np.abs(self.asked) * self.force

    def nuisance(self) -> Floats:
        """(N, 4)."""
        return np.stack((self.asked, self.rate, self.force, np.ones(len(self.asked))), axis=1)


def _valve(shown: Evidence, of: FrameChannels) -> _Valve:
    rate = shown.rate

    def drive(x: Mapping[str, Floats]) -> Floats:
        error = shown.command - x[of.force]
        lags = [round(lag * rate) for lag in LAGS]
        late = [np.concatenate((np.full(lag, error[0]), error[: len(error) - lag])) for lag in lags]
        return np.stack([*late, np.cumsum(error) / rate], axis=1)

    p, m = shown.predicted, shown.measured
    driven, force = drive(p), p[of.actuator]
    columns = np.column_stack((driven, _rate(force, rate), force, np.ones(len(force))))
    count = driven.shape[1]
    flow, speed = np.zeros(len(force)), _slow(_rate(p[of.stroke], rate), rate)
    factors = np.zeros(count + 4)
    for _ in range(3):  # the flow goes with the root of the pressure that is left, which takes the flow itself
        whole = np.column_stack((columns, np.abs(flow) * force))
        factors = fitted("", speed, np.apply_along_axis(_slow, 0, whole, rate), np.zeros((len(force), 0))).factors
        flow = driven @ factors[:count]
    return _Valve(
        speed=_rate(m[of.stroke], rate),
        asked=drive(m) @ factors[:count],
        rate=_rate(m[of.actuator], rate),
        force=m[of.actuator],
        column=float(factors[count]),
        leakage=float(factors[count + 1]),
        supply=float(factors[count + 3]),
    )


def _slow(x: Floats, rate: float) -> Floats:
    """x (N,) below SLOW, not later than before."""
    if 0.5 * rate <= SLOW:
        return x
    sections = butterworth.lowpass(2, SLOW, rate)
    there = butterworth.Cascade(sections).apply(x)
    return np.asarray(butterworth.Cascade(sections).apply(there[::-1])[::-1])


def _of_valve(shown: Evidence, of: FrameChannels) -> list[Cause]:
    """What valve, oil and pump do otherwise."""
    valve = _valve(shown, of)
    inside = slice(shown.counted.start, len(shown.cycle) - round(ENDS * shown.rate))

    def slowly(x: Floats) -> Floats:
        return _slow(x, shown.rate)[inside]

    rest, nuisance = slowly(valve.rest()), np.stack([slowly(x) for x in valve.nuisance().T], axis=1)
    usual = fitted("", rest, nuisance, np.zeros((len(rest), 0)))
    asked, largest = valve.asked, float(np.max(np.abs(valve.asked)))
    changes = {DEADBAND: lambda flow, half: -np.clip(flow, -half, half), VALVE_HYSTERESIS: lambda flow, half: play(flow, half) - flow}

    def wide(words: str, half: float, middle: float) -> Explanation:
        changed = slowly(changes[words](asked + middle, half))
        one = fitted(words, rest - changed, nuisance, np.zeros((len(rest), 0)))
        return Explanation(words, one.numbers + 1, one.left, changed + one.explained, np.append(one.factors, half))

    def best_of(words: str) -> Explanation:
        """The integral of the error began before the record that is looked at, so the middle of the spool is found, too."""
        halves, middle = largest * WIDTHS, float(usual.factors[3])
        for _ in range(MIDDLES):
            k = int(np.argmin([wide(words, half, middle).left for half in halves]))
            middle = float(wide(words, halves[k], middle).factors[3])
        ends = halves[max(k - 1, 0)], halves[min(k + 1, len(halves) - 1)]
        least = minimize_scalar(lambda half: wide(words, half, middle).left, bounds=ends, method="bounded", options={"maxiter": 12})
        return wide(words, float(least.x), middle)

    best = [one for one in map(best_of, changes) if 1.0 - one.left / usual.left >= ENOUGH]
    if best:
        least = min(best, key=_left)
        near = told_apart(best, independent(rest - least.explained))
        share = 1.0 - near[0].left / usual.left
        return [Cause(" or ".join(one.words for one in near), share, None, f"{near[0].factors[-1] * 1e3:.2g} mm/s to either side")]
    count = independent(rest - usual.explained)
    return [*_of_oil(valve, rest, usual, count), *_of_pump(shown, valve)]


def _of_oil(valve: _Valve, rest: Floats, usual: Explanation, count: float) -> list[Cause]:
    """Column and leakage of the oil, as far as they are others than predicted."""
    softer, leaks = usual.factors[1] / valve.column, usual.factors[2] / valve.leakage
    share = 1.0 - usual.left / float(rest @ rest)
    if share < ENOUGH or count * np.log(float(rest @ rest) / usual.left) < PRICE * 4 or (abs(softer) < SPREAD and abs(leaks) < LEAKS):
        return []
    return [Cause(OIL, share, None, f"its column {100.0 * (1.0 / (1.0 + softer) - 1.0):+.0f} % stiff, leakage {100.0 * leaks:+.0f} %")]


def _of_pump(shown: Evidence, valve: _Valve) -> list[Cause]:
    """A ripple of the flow, which is in proportion to the flow."""
    rest = without(valve.rest(), valve.nuisance())
    wave = loudest(rest * valve.asked, shown.rate)
    angle = 2.0 * np.pi * wave * np.arange(len(rest)) / shown.rate
    rippled = fitted(PUMP, rest, valve.asked[:, None] * np.stack((np.sin(angle), np.cos(angle)), axis=1), np.zeros((len(rest), 0)))
    gained = independent(rest - rippled.explained) * np.log(float(rest @ rest) / rippled.left)
    if gained < PRICE * 3 + 2.0 * np.log(len(rest)):  # it was looked for at so many frequencies
        return []
    return [Cause(PUMP, 1.0 - rippled.left / float(rest @ rest), None, f"by {200.0 * np.hypot(*rippled.factors):.0f} % at {wave:.4g} Hz")]


def _of_give(shown: Evidence, of: FrameChannels) -> list[Cause]:
    """How the specimen gives, and how much play it has in each cycle."""
    measured, predicted = (_give(shown, x, of) for x in (shown.measured, shown.predicted))
    if measured is None or predicted is None:
        return []
    (give, gaps, error), (should, should_gaps, _) = measured, predicted
    found = []
    along = np.arange(len(gaps)) - 0.5 * (len(gaps) - 1)
    grows = float(along @ (gaps - should_gaps) / (along @ along)) if len(gaps) > 1 else 0.0
    if abs(grows) * len(gaps) > max(SPREAD * 0.1 * float(np.mean(should_gaps)), 5.0 * error):
        found.append(Cause(GROWS, 1.0, None, f"by {grows * 1e6:.3g} um a cycle"))
    elif abs(float(np.mean(gaps - should_gaps))) > max(SPREAD * float(np.mean(should_gaps)), 5.0 * error):
        found.append(Cause(PLAY, 1.0, None, f"{np.mean(gaps - should_gaps) * 1e6:+.3g} um"))
    if not found and abs(give / should - 1.0) > SPREAD:
        found.append(Cause(FIXTURE, 1.0, None, f"{100.0 * (give / should - 1.0):+.0f} % in mm/N"))
    return found


def _give(shown: Evidence, x: Mapping[str, Floats], of: FrameChannels) -> tuple[float, Floats, float] | None:
    """(m/N, play in each whole cycle in m, standard error of a play), of stroke over force where it is pressed and nothing knocks."""
    force, stroke, rate = x[of.force], x[of.stroke], _rate(x[of.force], shown.rate)
    largest = float(np.max(np.abs(shown.command)))
    fastest = float(np.max(np.abs(_rate(shown.command, shown.rate))))
    numbers = [part[0] for part in cycles_of(shown.cycle, shown.cycle)]
    rows, shapes = [], []
    for k, number in enumerate(numbers):
        for side in (1.0, -1.0):
            at = np.flatnonzero((shown.cycle == number) & (side * force > PRESSED * largest) & (np.abs(rate) < STEADY * fastest))
            if len(at) < 8:
                return None
            shape = np.zeros((len(at), 1 + 2 * len(numbers)))
            shape[:, 0], shape[:, 1 + 2 * k + (side < 0.0)] = force[at], 1.0
            rows.append(stroke[at])
            shapes.append(shape)
    one = fitted("", np.concatenate(rows), np.vstack(shapes), np.zeros((sum(map(len, rows)), 0)))
    ends = one.factors[1:].reshape(-1, 2)
    rest = np.concatenate(rows) - one.explained
    return (
        float(one.factors[0]),
        ends[:, 0] - ends[:, 1],
        float(np.std(rest) / np.sqrt(max(1.0, independent(rest) / len(rows))) * np.sqrt(2.0)),
    )
