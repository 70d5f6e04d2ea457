"""What the counts of an encoder leave in a model that follows it: behind the smoothing they shake its shaft."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from model.errors import ModelError
from rig.comparison.series import Series
from rig.config.bench import Axis, Bench
from rig.config.checks.elastic_shafts import courses, shaft_of
from rig.config.experiment import Experiment
from rig.prediction.stepper import counted
from rig.signals.smoothing import Smoothing

DAMPED = 0.02
"""Of critical damping that a shaft has: as much as bolted steel. It limits the torque at the mode alone."""
WIDE = 4.0  # bandwidths of the spectrum: beyond 1.6 a thousandth is left of an angle
POINTS = 4001  # of it: three in the width of a resonance at the lowest sixteenth, and more above

Floats = NDArray[np.float64]


class Counts:
    """An angle as an encoder showed it, `recorded` (N,), and as it had shown the same motion with its counts elsewhere.

    count: angle of one, rad; bandwidth (Hz): the motion below it is taken for what the shaft did.
    """

    def __init__(self, recorded: Series, count: float, bandwidth: float, rate: float) -> None:
        self._recorded: Floats = np.nan_to_num(recorded[0 : len(recorded)])
        self._count, smoothing = abs(count), Smoothing(bandwidth, rate)
        ends = np.full(smoothing.lookahead, self._recorded[-1] if len(recorded) else 0.0)
        self.smooth: Floats = smoothing.take(np.concatenate((self._recorded, ends)))
        """(N,): how far the shaft turned, half a count less."""

    def elsewhere(self, offset: float) -> Floats:
        """(N,): the recorded angle with the error of other counts beside its own. offset: where these lie, as a share of one (0 to 1)."""
        off = self.smooth + offset * self._count
        within = off - self._count * np.floor(off / self._count)  # what these counts would not show of the same motion
        return np.asarray(self._recorded + 0.5 * self._count - within)


def unsteadiness(count: float, bandwidth: float, rate: float) -> tuple[float, float]:
    """Rms of angle (rad) and acceleration (rad/s^2) that counts of `count` (rad), sampled at `rate` (Hz), leave below `bandwidth` (Hz).

    Of an error that is even over a count and another in each sample: its density is count^2 / 12 over half the rate. Where counts beat with
    the samples it is more.
    """
    density = _density(count, rate)
    return math.sqrt(density * bandwidth), (2.0 * math.pi) ** 2 * math.sqrt(density * bandwidth**5 / 5.0)


def _density(count: float, rate: float) -> float:
    """rad^2/Hz, one-sided."""
    return count**2 / (6.0 * rate)


def shaken_torque(stiffness: float, inertia: float, count: float, bandwidth: float, rate: float) -> float:
    """Rms of the torque (N m) in a shaft whose one end goes as an encoder shows it, by its counts alone.

    stiffness in N m/rad; inertia (kg m^2): of what hangs on the other end; count, bandwidth, rate: as `unsteadiness` has them. The shaft is
    damped by `DAMPED`. Where knocks follow from it, they come on top.
    """
    hz = np.linspace(0.0, WIDE * bandwidth, POINTS)
    s = 2j * math.pi * hz
    shaft = stiffness + 2.0 * DAMPED * math.sqrt(stiffness * inertia) * s
    gain = np.abs(inertia * s**2 * shaft / (inertia * s**2 + shaft)) * Smoothing(bandwidth, rate).amplitude(hz, rate)
    return math.sqrt(_density(count, rate) * float(np.trapezoid(gain**2, hz)))


def in_lines(experiment: Experiment, bench: Bench) -> Iterator[str]:
    """A line for each drive of a mechanism that follows an encoder: the torque that is in the prediction by that alone."""
    count, predictor = abs(counted(experiment, bench)), experiment.predictor
    if not count or experiment.command.mode != "angle":
        return
    for axis in bench.axes:
        torque = _torque(experiment, bench, axis, count)
        if torque is not None:
            yield (
                f"{predictor.source} leads the model: its counts ({1e3 * count:.3g} mrad), smoothed below "
                f"{predictor.measured_bandwidth:g} Hz, put up to about {torque:.2g} N m (rms) into the torque that it predicts, "
                "and more where joints knock"
            )


def _torque(experiment: Experiment, bench: Bench, axis: Axis, count: float) -> float | None:
    """N m by counts of `count` (rad): of what turns with the shaft, or in a shaft that gives way. None where it is not known."""
    mechanism, bandwidth, rate = experiment.mechanism, experiment.predictor.measured_bandwidth, experiment.acquisition.rate
    shaft = shaft_of(bench, axis) if axis.name in mechanism.sprung_drives else None
    if shaft is None and axis.name in mechanism.sprung_drives:
        return None
    feels = mechanism.felt_inertia if shaft is None else mechanism.hung_inertia
    try:
        inertias = feels(courses(experiment))
    except ModelError:  # told where it is to move
        return None
    if inertias is None:
        return None
    names = [name for name, _ in mechanism.setpoint_channels]
    inertia = float(np.max(inertias[:, names.index(axis.name)]))
    if shaft is None:
        return inertia * unsteadiness(count, bandwidth, rate)[1]
    return shaken_torque(shaft.stiffness, inertia, count, bandwidth, rate)
