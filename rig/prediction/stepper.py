"""The stepper of a run's prediction: made in one place, so that what is predicted afterwards is what was predicted live."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from model.mechanisms.mechanism import Mechanism
from model.stepping.contract import Prediction
from rig.config.bench import Bench
from rig.config.experiment import Experiment
from rig.prediction.following_way import FollowingWay
from rig.prediction.simulation import Along
from rig.signals.smoothing import Smoothing
from rig.trajectory import create as create_trajectory
from rig.trajectory.drives import Drives, path_of


def stepper(experiment: Experiment, rate: float, mechanism: Mechanism | None = None, count: float = 0.0) -> Prediction:
    """Stepper of the experiment's mechanism (or of `mechanism` in its place) on the samples of the predictor's source at `rate` (Hz).

    count: angle of one count of an encoder that it follows, rad (`counted`); 0: an angle that is not counted.

    A measured source carries noise from sample to sample; following it more closely than `predictor.measured_tolerance` would cost
    ten times the steps and add nothing. A measured angle comes in counts, and is made smooth; so is a stroke that a drive has to follow
    twice differentiated. A measured force or torque acts as it comes.
    """
    mechanism = experiment.mechanism if mechanism is None else mechanism
    integrator, predictor = experiment.integrator, experiment.predictor
    if predictor.source != "command":
        integrator = integrator.not_finer(predictor.measured_tolerance)
    # In stroke mode the command is a stroke, and so it drives the mechanism.
    driven = "stroke" if predictor.source == "command" and experiment.command.mode == "stroke" else predictor.source
    path = path_of(experiment.trajectory)
    along: Along = {} if path is None else {"path": path, "lasting": create_trajectory(experiment.trajectory).duration}
    made = mechanism.create(integrator, rate, driven, **along)
    if predictor.source == "command" or predictor.source in mechanism.effort_sources or not mechanism.course_unit:
        return made
    smoothing = Smoothing(predictor.measured_bandwidth, rate)
    if experiment.command.mode == "angle":
        begin = float(Drives(experiment.mechanism, experiment.trajectory).evaluate(np.zeros(1))[0][0, 0])
        return FollowingWay(made, smoothing, begin, count)
    return FollowingWay(made, smoothing) if experiment.command.mode in ("force", "stroke") else made


def rehearse(experiment: Experiment) -> None:
    """Go on a few samples at the asked rate, which brings all compiled code that a prediction uses.

    From where a test begins: elsewhere a shaft that gives way would be wound up, and the mechanism find no rest.
    """
    one = stepper(experiment, experiment.acquisition.rate)
    begin = one.begin if isinstance(one, FollowingWay) else 0.0
    one.start(np.full(one.lookahead, begin))
    one.advance(np.full(64, begin))


def counted(experiment: Experiment, bench: Bench) -> float:
    """Angle of one count of the encoder that the prediction follows, rad, negative if mounted reversed; 0 where it follows none."""
    channel = bench.showing(experiment.predictor.source)
    if channel is None or channel.kind != "encoder" or channel.counter is None:
        return 0.0
    return math.copysign(channel.counter.resolution, channel.sensor.sensitivity)


def advance(stepper: Prediction, inputs: NDArray[np.float64]) -> NDArray[np.float64]:
    """The next output samples (k, channels) of a run in step with a bench; its contact events, without end, are not kept."""
    predicted = stepper.advance(inputs)
    stepper.events.clear()
    return predicted
