"""What can only be checked with both files at hand: does the experiment fit the bench, and does the trajectory fit everything."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from rig.config import channel_checks, name_checks, spreads, virtual_ports
from rig.config.bench import Bench, InputChannel
from rig.config.checks import axes, calibration, control, counter, preparation, pseudo_dynamic, waveform
from rig.config.experiment import MODE_UNITS, Experiment
from rig.config.kinds import chosen_by, kind_of, names
from rig.config.pairing import meant, unpaired
from rig.config.shape import shapes
from rig.config.tree import Problem
from rig.trajectory import Trajectory, create
from rig.trajectory.faults import faults
from rig.trajectory.program import SAME

PERIODS = 20
"""Of a band's lower edge, or of its width, that the test has to last."""
MIN_AHEAD_BLOCKS = 2
LONGEST = 1e8
"""s that a trajectory may last."""
ARMED = ("stop", "interlock")
PATH_OR_KIND = shapes(Experiment)["trajectory"].metadata
_SLACK = 1.0 + 1e-9  # a trajectory may go exactly to its limit


def of_experiment(experiment: Experiment, bench: Bench) -> list[Problem]:
    """Problems of the experiment on this bench."""
    channels = {channel.name: channel for channel in bench.channels}
    if wrong := [*axes.commands(experiment, bench), *_lasting(experiment)]:
        return wrong
    return [
        *_timing(experiment),
        *_source(experiment, channels),
        *_known_channels(experiment, bench, channels),
        *_trajectory(experiment, bench, channels),
        *_armed(experiment, bench),
        *_alternative_law(experiment),
        *control.problems(experiment, bench),
        *pseudo_dynamic.problems(experiment, bench),
        *spreads.problems(experiment),
        *preparation.problems(experiment, bench),
        *waveform.problems(experiment, bench),
    ]


def of_computed(experiment: Experiment) -> list[Problem]:
    """Problems of an experiment that is only computed: what drives the mechanism."""
    sources = _sources(experiment)
    if sources and experiment.trajectory is None:
        fed = f"{kind_of(experiment.mechanism)} is driven by its {' or '.join(sources)}"
        return [Problem(("trajectory",), f"missing; expected a table ([trajectory]): {fed}")]
    return [*follows(experiment), *spreads.problems(experiment)]


def follows(experiment: Experiment) -> Iterator[Problem]:
    """A path ([trajectory] path = ...) is for a mechanism whose drives follow one, and such a mechanism needs one."""
    mechanism, trajectory = experiment.mechanism, experiment.trajectory
    is_path = trajectory is not None and chosen_by(PATH_OR_KIND, trajectory) == "path"
    kind = kind_of(experiment.mechanism)
    if mechanism.FOLLOWS_PATH and not is_path:
        yield Problem(("trajectory",), f"{kind} follows a path; expected [trajectory] with path = one of {', '.join(names('model.paths'))}")
    elif is_path and not mechanism.FOLLOWS_PATH:
        yield Problem(("trajectory", "path"), f"{kind} has no drives that follow a path; expected [trajectory] with kind")


def doubts(experiment: Experiment, bench: Bench) -> list[str]:
    """A line for what can be run, and will not answer what it is run for."""
    cycles, discarded = create(experiment.trajectory).cycles, experiment.comparison.discard_cycles
    lines = []
    if cycles <= discarded:
        lines.append(f"comparison.discard_cycles = {discarded} leaves nothing to compare: the trajectory has {cycles} counted cycles")
    if experiment.mechanism.play == 0.0 and any(c.metric == "contact_loss" for c in experiment.comparison.criteria):
        lines.append("mechanism.clearance is 0: the model loses no contact, so the criterion contact_loss cannot hold")
    return [*lines, *unpaired(experiment, bench).doubts()]


def of_bench(bench: Bench) -> list[Problem]:
    """Problems that the bench has by itself."""
    return [
        *_wiring(bench),
        *name_checks.problems(bench),
        *channel_checks.problems(bench),
        *axes.of_bench(bench),
        *_instruments(bench),
        *virtual_ports.problems(bench),
        *waveform.of_bench(bench),
        *counter.problems(bench.channels),
        *calibration.problems(bench),
    ]


def _instruments(bench: Bench) -> Iterator[Problem]:
    """Names of their own: each is a column of the record."""
    taken = ["sample", *(channel.name for channel in bench.channels)]
    for i, one in enumerate(bench.instruments):
        if one.name in taken or not one.name.isidentifier():
            what = f"{one.name!r} is taken" if one.name in taken else f"{one.name!r} is none"
            expected = f"expected one of letters, digits and _ that no channel and no other instrument has, and not {taken[0]}"
            yield Problem(("instruments", i, "name"), f"{what}: {expected}")
        taken.append(one.name)


def _lasting(experiment: Experiment) -> Iterator[Problem]:
    """Behind this no number tells two samples apart, and whatever else is looked at comes out wrong."""
    if any(faults(experiment.trajectory, MODE_UNITS[experiment.command.mode], experiment.acquisition.rate)):
        return  # what cannot be played has no duration; `_trajectory` tells why
    duration = create(experiment.trajectory).duration
    if not duration <= LONGEST:
        yield Problem(("trajectory",), f"it lasts {duration:.4g} s, expected at most {LONGEST:g} s, three years")


def _timing(experiment: Experiment) -> Iterator[Problem]:
    rate, block, ahead = experiment.acquisition.rate, experiment.acquisition.block, experiment.command.ahead
    samples = rate * block
    if samples < 1.0 or abs(samples - round(samples)) > 1e-6 * samples:
        near = max(1, round(samples)) / rate
        text = f"expected a whole number of samples, got {block:g} s x {rate:g} Hz = {samples:g}; {near:.9g} s would do"
        yield Problem(("acquisition", "block"), text)
    yield from band(experiment)
    if ahead < MIN_AHEAD_BLOCKS * block * (1.0 - 1e-9):
        yield Problem(("command", "ahead"), f"expected at least {MIN_AHEAD_BLOCKS} blocks, {MIN_AHEAD_BLOCKS * block:g} s; got {ahead:g} s")


def band(experiment: Experiment) -> Iterator[Problem]:
    """Of the comparison: what the rate cannot hold, what rings for longer than the test lasts."""
    edges, rate = experiment.comparison.band, experiment.acquisition.rate
    if edges is None:
        return
    if not edges[1] < 0.5 * rate:
        yield Problem(("comparison", "band_high"), f"expected less than half the rate, {0.5 * rate:g} Hz; got {edges[1]:g} Hz")
    least = PERIODS / create(experiment.trajectory).duration
    for key, what, value in (("band_low", "", edges[0]), ("band_high", " above band_low", edges[1] - edges[0])):
        if value < least:
            text = f"expected at least {least:.3g} Hz{what}, {PERIODS} periods of it in the test, as its filter rings"
            yield Problem(("comparison", key), f"{text}; got {value:g} Hz{what}")


def _predicted(experiment: Experiment) -> tuple[str, ...]:
    """Channels that the mechanism predicts."""
    return tuple(name for name, _ in experiment.mechanism.channels)


def _sources(experiment: Experiment) -> tuple[str, ...]:
    """Inputs that the mechanism can be fed with; one that can also move by itself has DRIVEN ones."""
    mechanism = experiment.mechanism
    return tuple(mechanism.SOURCES) or (tuple(mechanism.DRIVEN) if experiment.command.mode in axes.AXES_MODES else ())


def _source(experiment: Experiment, channels: dict[str, InputChannel]) -> Iterator[Problem]:
    source, at = experiment.predictor.source, ("predictor", "source")
    predicted, sources = _predicted(experiment), _sources(experiment)
    compared = {criterion.channel for criterion in experiment.comparison.criteria}
    if source in compared or (source in predicted and source not in sources):
        others = ", ".join(name for name in sources if name not in compared)
        yield Problem(at, f"{source} is predicted and compared, so it cannot be the predictor's input; expected one of {others}")
    elif source not in sources:
        yield Problem(at, f"expected one of {', '.join(sources)}; got {source!r}")
    elif source != "command" and source not in channels:
        yield Problem(at, f"the bench has no channel {source}; it has {', '.join(channels)}")


def _known_channels(experiment: Experiment, bench: Bench, channels: dict[str, InputChannel]) -> Iterator[Problem]:
    units = {"command": MODE_UNITS[experiment.command.mode], **{channel.name: channel.unit for channel in bench.channels}}
    units |= {one.name: one.unit for one in bench.instruments}
    for i, limit in enumerate(experiment.limits):
        if limit.channel not in units:
            known = ", ".join((*channels, *(one.name for one in bench.instruments)))
            yield Problem(
                ("limits", i, "channel"),
                f"the bench has no channel {limit.channel!r}; it has {known} (or command){meant(limit.channel, units)}",
            )
            continue  # its bounds have no unit
        if limit.minimum is None and limit.maximum is None and limit.rate is None:
            yield Problem(("limits", i), f"{limit.channel}: nothing is limited; expected minimum, maximum or rate")
        if limit.minimum is not None and limit.maximum is not None and limit.minimum >= limit.maximum:
            unit = units[limit.channel]
            text = f"{limit.channel}: minimum {limit.minimum:g} {unit} is not below maximum {limit.maximum:g} {unit}"
            yield Problem(("limits", i), text)
    yield from criteria(experiment, channels)


def criteria(experiment: Experiment, channels: dict[str, InputChannel]) -> Iterator[Problem]:
    """Criteria on channels that are not there, or cannot be judged."""
    predicted = _predicted(experiment)
    for i, criterion in enumerate(experiment.comparison.criteria):
        path = ("comparison", "criteria", i)
        if criterion.channel not in channels:
            said = f"the bench has no channel {criterion.channel!r}; it has {', '.join(channels)}{meant(criterion.channel, channels)}"
            yield Problem((*path, "channel"), said)
        elif predicted and criterion.channel not in predicted:
            said = f"{criterion.channel} is not predicted; predicted are {', '.join(predicted)}{meant(criterion.channel, predicted)}"
            yield Problem((*path, "channel"), said)
        elif criterion.metric == "contact_loss" and (why := axes.no_contact_loss(experiment, criterion.channel, channels)):
            yield Problem((*path, "metric"), f"contact losses are found in the acceleration of a four_bar; {why}")


def _trajectory(experiment: Experiment, bench: Bench, channels: dict[str, InputChannel]) -> Iterator[Problem]:
    """The whole trajectory against everything that bounds it, before anything moves: one problem for its values, one for its rates."""
    command, unit = experiment.command, MODE_UNITS[experiment.command.mode]
    if wrong := list(faults(experiment.trajectory, unit, experiment.acquisition.rate)):
        yield from (Problem(("trajectory", *keys), text) for keys, text in wrong)
        return
    trajectory = create(experiment.trajectory)
    low, high, rate = trajectory.bounds()
    if command.mode in axes.AXES_MODES:  # it ends somewhere else than it begins
        bounded = [("rate", rate, "/s")]
        yield from axes.beyond_drives(experiment, bench, rate, rate / (trajectory.frequency or 1.0), (low, high))
    else:
        yield from _ends(trajectory, unit, SAME * max(-low, high))
        bounded = [("value", max(-low, high), ""), ("rate", rate, "/s")]
    for of, value, per in bounded:
        if getattr(command, f"{of}_limit") <= 0.0:
            expected = f"the largest setpoint {of}, in {unit}{per}; this trajectory needs {value:.6g}"
            yield Problem(("command", f"{of}_limit"), f"missing; expected {expected}")
    feedback = channels.get(bench.loader_channel(command.mode))
    values = [*_sensor_bounds(feedback)] if feedback else []
    full, zero = bench.loader_full_scale(command.mode), bench.loader_zero(command.mode)
    values.append(("the loader's full scale", -full - zero, full - zero))
    values.append(("command.value_limit", -(command.value_limit or math.inf), command.value_limit or math.inf))
    values += _limits_on(experiment, feedback)
    passed = [f"{name} ({bottom:.6g}..{top:.6g} {unit})" for name, bottom, top in values if low < bottom * _SLACK or high > top * _SLACK]
    at = ("trajectory", "amplitude" if hasattr(experiment.trajectory, "amplitude") else "kind")
    if passed:
        yield Problem(at, f"the trajectory reaches {low:.6g}..{high:.6g} {unit}, which passes {', '.join(passed)}")
    rates = [("command.rate_limit", command.rate_limit or math.inf)]
    rates += [("the limit on command", limit.rate) for limit in experiment.limits if limit.channel == "command" and limit.rate]
    passed = [f"{name} ({top:.6g} {unit}/s)" for name, top in rates if rate > top * _SLACK]
    if passed:
        yield Problem(at, f"the trajectory moves at up to {rate:.6g} {unit}/s, which passes {', '.join(passed)}")


def _ends(trajectory: Trajectory, unit: str, nothing: float) -> Iterator[Problem]:
    """A test begins and ends at rest at 0, so that nothing steps when the command takes over and when it is taken away."""
    begin, end = trajectory.evaluate(np.array([0.0, trajectory.duration]))[0]
    for value, word, key in ((begin, "begins", "soft_start"), (end, "ends", "soft_stop")):
        if abs(value) > nothing:
            yield Problem(
                ("trajectory", key), f"the trajectory {word} at {value:.6g} {unit}, expected 0; give a {key}, or a ramp in a program"
            )


def _limits_on(experiment: Experiment, feedback: InputChannel | None) -> Iterator[tuple[str, float, float]]:
    """They act on net and on gross."""
    for limit in experiment.limits:
        if limit.channel in ("command", feedback.name if feedback else ""):
            low = -math.inf if limit.minimum is None else limit.minimum
            high = math.inf if limit.maximum is None else limit.maximum
            yield f"the limit on {limit.channel}", low, high
            if feedback is not None and limit.channel == feedback.name and (tare := feedback.sensor.tare):
                yield f"the limit on {limit.channel} (gross)", low - tare, high - tare


def _sensor_bounds(channel: InputChannel) -> Iterator[tuple[str, float, float]]:
    sensor = channel.sensor
    if sensor.capacity is not None:
        yield f"the capacity of the sensor of {channel.name}", -sensor.capacity - sensor.tare, sensor.capacity - sensor.tare
    yield f"what the input {channel.name} can show at a range of {channel.range:g} V", *channel.ends


def _armed(experiment: Experiment, bench: Bench) -> Iterator[Problem]:
    """In force mode the loop is open inside the play: stroke and its speed are what tells that the actuator runs away."""
    stroke = bench.loader_channel("stroke")
    if experiment.command.mode != "force" or not stroke:
        return
    armed = [limit for limit in experiment.limits if limit.channel == stroke and limit.action in ARMED]
    missing = [word for word in ("minimum", "maximum", "rate") if all(getattr(limit, word) is None for limit in armed)]
    if missing:
        yield Problem(("limits",), f"force mode needs armed limits (action stop or interlock) on {stroke}; missing: {', '.join(missing)}")


def _alternative_law(experiment: Experiment) -> Iterator[Problem]:
    """The law to tell the model's own from must be one that the mechanism takes."""
    law, mechanism = experiment.comparison.alternative_law, experiment.mechanism
    if law is None:
        return
    if not mechanism.contact_law:
        yield Problem(("comparison", "alternative_law"), "this mechanism has no contact whose law could be another")
        return
    try:
        mechanism.with_contact_law(law)
    except ValueError as error:
        yield Problem(("comparison", "alternative_law"), str(error).removeprefix("law: "))


def _wiring(bench: Bench) -> Iterator[Problem]:
    terminals = [channel.terminal.strip("/").lower() for channel in bench.channels]
    for key, values in (("name", [c.name for c in bench.channels]), ("terminal", terminals)):
        for i, value in enumerate(values):
            if value in values[:i]:
                first, given = bench.channels[values.index(value)], getattr(bench.channels[i], key)
                yield Problem(("channels", i, key), f"{given!r} is used by channel {first.name} already")
    names = [channel.name for channel in bench.channels]
    for mode in ("force", "stroke"):
        if bench.loader is not None and (wanted := bench.loader_channel(mode)) not in names:
            yield Problem(("loader", f"{mode}_channel"), f"expected one of the channels {', '.join(names)}; got {wanted!r}")
    for i, channel in enumerate(bench.channels):
        if channel.sensor.sensitivity == 0.0:
            yield Problem(("channels", i, "sensor", "sensitivity"), "expected a quantity for one volt, got 0")
