"""Criteria, band and other law of a comparison."""

from __future__ import annotations

from collections.abc import Iterator

from rig.config.bench import InputChannel
from rig.config.checks import axes
from rig.config.experiment import DEVIATIONS, REACHED, Experiment
from rig.config.pairing import meant, nearest
from rig.config.tree import Problem
from rig.trajectory import create

PERIODS = 20
"""Of a band's lower edge, or of its width, that the test has to last."""
LOSS, NEAR = "contact_loss", 15.0
"""Its tolerance is in degrees; losses that are further apart are of different places."""


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


def criteria(experiment: Experiment, channels: dict[str, InputChannel]) -> Iterator[Problem]:
    """Criteria on channels that are not there, or cannot be judged, or have two tolerances, of which one alone can be meant."""
    predicted = tuple(name for name, _ in experiment.mechanism.channels)
    first: dict[tuple[str, str], int] = {}
    for i, criterion in enumerate(experiment.comparison.criteria):
        path = ("comparison", "criteria", i)
        other = first.setdefault((criterion.channel, criterion.metric), i)
        if (tolerance := experiment.comparison.criteria[other].tolerance) != criterion.tolerance:
            said = f"{criterion.channel} {criterion.metric}: expected one tolerance, got {tolerance:g} (comparison.criteria[{other}])"
            yield Problem(path, f"{said} and {criterion.tolerance:g}; leave one of them out")
        if criterion.channel not in channels:
            said = f"the bench has no channel {criterion.channel!r}; it has {', '.join(channels)}{meant(criterion.channel, channels)}"
            yield Problem((*path, "channel"), said)
        elif predicted and (shown := channels[criterion.channel]).quantity not in predicted:
            if shown.predicts and shown.predicts not in experiment.mechanism.course_sources:
                continue  # the model has no such channel, which is said where it stands
            near = nearest(criterion.channel, predicted)
            name = f'"{near}"' if near else '"NAME"'
            said = f"{criterion.channel} is not predicted; predicted are {', '.join(predicted)}; for a channel with another name than the"
            yield Problem((*path, "channel"), f"{said} model's give predicts = {name} in its [[channels]] of the bench")
        elif criterion.metric == "contact_loss" and (why := axes.no_contact_loss(experiment, criterion.channel, channels)):
            yield Problem((*path, "metric"), f"contact losses are found in the acceleration of a four_bar; {why}")


def unfiltered(experiment: Experiment) -> Iterator[str]:
    """A low-pass that the rate cannot hold: the comparison leaves it out."""
    corner, rate = experiment.comparison.lowpass, experiment.acquisition.rate
    if corner is not None and not corner < 0.5 * rate:
        said = f"expected less than half of acquisition.rate, {0.5 * rate:g} Hz; got {corner:g} Hz, so that nothing will be filtered"
        yield f'comparison.lowpass: {said}; where that is meant, give "none"'


def shares(experiment: Experiment) -> Iterator[str]:
    """Tolerances that are meant in per cent, as it seems: a share of 1 or more is kept by a model that predicts nothing. And others that
    every model holds, or none."""
    for i, criterion in enumerate(experiment.comparison.criteria):
        given, metric = criterion.tolerance, criterion.metric
        if (metric in DEVIATIONS and given >= 1.0) or (metric in REACHED and given > 1.0):
            so = "no model holds it" if metric in REACHED else "hardly any model fails"
            said = f"{criterion.channel} {metric}: {given:g} is a share, {100.0 * given:g} %, so that {so}"
            yield f'comparison.criteria[{i}].tolerance: {said}; for per cent give "{given:g} %"'
        elif metric == LOSS and given >= NEAR:
            said = f"expected less than {NEAR:g} deg, within which losses are of the same place; got {given:g} deg"
            yield f"comparison.criteria[{i}].tolerance: {criterion.channel} {metric}: {said}, so that hardly any model fails"
        elif given == 0.0 and metric not in REACHED:
            said = f"{criterion.channel} {metric}: expected more than 0, got 0, so that no model holds it"
            yield f"comparison.criteria[{i}].tolerance: {said}"


def other_law(experiment: Experiment) -> Iterator[Problem]:
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
