"""What the mechanism is fed with: its input, or the path that it follows."""

from __future__ import annotations

from collections.abc import Iterator

from model.errors import ModelError
from model.mechanisms.planar.config import STROKE
from rig.config.bench import InputChannel
from rig.config.checks import axes
from rig.config.experiment import Experiment
from rig.config.kinds import chosen_by, kind_of, names
from rig.config.shape import shapes
from rig.config.tree import Problem

PATH_OR_KIND = shapes(Experiment)["trajectory"].metadata


def follows(experiment: Experiment) -> Iterator[Problem]:
    """A path ([trajectory] path = ...) is for a mechanism whose drives follow one, and such a mechanism needs one."""
    mechanism, trajectory = experiment.mechanism, experiment.trajectory
    is_path = trajectory is not None and chosen_by(PATH_OR_KIND, trajectory) == "path"
    kind = kind_of(experiment.mechanism)
    if mechanism.FOLLOWS_PATH and not is_path:
        yield Problem(("trajectory",), f"{kind} follows a path; expected [trajectory] with path = one of {', '.join(names('model.paths'))}")
    elif is_path and not mechanism.FOLLOWS_PATH:
        yield Problem(("trajectory", "path"), f"{kind} has no drives that follow a path; expected [trajectory] with kind")


def channels(experiment: Experiment) -> Iterator[Problem]:
    """What the mechanism is to put out, and has not."""
    try:
        _ = experiment.mechanism.channels
    except ModelError as error:
        key, _, text = str(error).partition(": ")
        yield Problem(("mechanism", key), text)


def sources(experiment: Experiment) -> tuple[str, ...]:
    """Inputs that the mechanism can be fed with; one that can also move by itself has DRIVEN ones."""
    mechanism = experiment.mechanism
    if mechanism.loader_sources:
        return mechanism.loader_sources
    return (*mechanism.course_sources, *mechanism.effort_sources) if experiment.command.mode in axes.AXES_MODES else ()


def problems(experiment: Experiment, channels: dict[str, InputChannel]) -> Iterator[Problem]:
    """A source that the mechanism has, that is measured or commanded, and not judged as well."""
    source, at = experiment.predictor.source, ("predictor", "source")
    predicted, known = {name for name, _ in experiment.mechanism.channels}, sources(experiment)
    shown = {channel.quantity for channel in channels.values()}
    compared = {channels[one.channel].quantity for one in experiment.comparison.criteria if one.channel in channels}
    if source in compared or (source in predicted and source not in known):
        others = ", ".join(name for name in known if name not in compared)
        yield Problem(at, f"{source} is predicted and compared, so it cannot be the predictor's input; expected one of {others}")
    elif source not in known:
        yield Problem(at, f"expected one of {', '.join(known)}; got {source!r}")
    elif source == "command" and experiment.command.mode == "force" and experiment.mechanism.course_unit and len(known) < 3:
        yield Problem(at, f"a force leads a linkage with one drive that moves; this one has several, so expected {STROKE}, got {source!r}")
    elif source != "command" and source not in shown:
        yield Problem(at, f"the bench has no channel {source}; it has {', '.join(channels)}, none of which predicts it")
