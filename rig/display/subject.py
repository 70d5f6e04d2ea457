"""What of a test is shown: chosen from its configuration, before any stream exists."""

from __future__ import annotations

from dataclasses import dataclass

from rig.config.bench import Bench
from rig.config.experiment import Experiment
from rig.display.source import DIFFERENCE, Trace

PREDICTED = "predicted_as_measured"


@dataclass(frozen=True)
class Subject:
    """Names, units (SI) and scales of one test."""

    run: str
    title: str
    force: str
    force_unit: str
    stroke: str | None
    stroke_unit: str
    stroke_predicted: bool
    with_command: bool  # the command has the unit of the force and can be drawn with it
    scale: float  # SI; about the largest force that the test will reach
    cycles: int | None
    late: float  # s of predictor lag
    measured_delay: float  # s
    rate: float  # Hz, as asked for

    @property
    def traces(self) -> tuple[Trace, ...]:
        """Everything that the panels ask for."""
        shown = [Trace("measured", self.force), Trace(PREDICTED, self.force), Trace(DIFFERENCE, self.force)]
        shown += [Trace("command", "value"), Trace("command", "phase")]
        if self.stroke is not None:
            shown += [Trace("measured", self.stroke), Trace(PREDICTED, self.stroke)]
        return tuple(shown)


def subject(experiment: Experiment, bench: Bench, run: str) -> Subject:
    """The force that the verdict is about, or the bench's first force; the first stroke beside it."""
    units = {channel.name: channel.unit for channel in bench.channels}
    judged = [criterion.channel for criterion in experiment.comparison.criteria]
    force = next((name for name in [*judged, *units] if units.get(name) == "N"), bench.channels[0].name)
    stroke = next((name for name, unit in units.items() if unit == "m"), None)
    with_command = units[force] == ("N" if experiment.command.mode == "force" else "m")
    amplitude = getattr(experiment.trajectory, "amplitude", experiment.command.value_limit)
    return Subject(
        run=run,
        title=experiment.title,
        force=force,
        force_unit=units[force],
        stroke=stroke,
        stroke_unit="m",
        stroke_predicted=experiment.predictor.source != "stroke",
        with_command=with_command,
        scale=amplitude if with_command else next((c.sensor.capacity for c in bench.channels if c.name == force), None) or 1.0,
        cycles=getattr(experiment.trajectory, "cycles", None),
        late=experiment.predictor.max_lag,
        measured_delay=experiment.comparison.remove_delay,
        rate=experiment.acquisition.rate,
    )
