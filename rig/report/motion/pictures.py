"""Pictures of a recorded test by the model's motion, as they are asked for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from drivers.files.plain_values import Json
from model.mechanisms.four_bar import Config as FourBar
from rig.config.plan import Plan
from rig.errors import ConfigError
from rig.files import output_files
from rig.recorder.reading import RunData
from rig.report.impacts.found import impacts as measured_and_predicted
from rig.report.motion.found import CYCLES, find
from rig.report.motion.found import part as samples_of
from rig.report.signals import signals
from rig.report.summary import plan_of


@dataclass(frozen=True)
class Part:
    """Of the record: `span` s up to `at` s; None: some cycles, up to the end of what counts."""

    at: float | None = None
    span: float | None = None

    def window(self, plan: Plan, record: RunData) -> range | None:
        """Samples, where a part is asked for."""
        if self.at is None and self.span is None:
            return None
        return samples_of(plan, signals(record, plan), self.at, self.span, CYCLES)


def orbit(run: Path, record: RunData, part: Part, file: Path) -> Mapping[str, Json]:
    """Write the orbits; returns what they tell in figures. Raises ConfigError where no joint has clearance."""
    from rig.report.motion.orbit import orbits  # matplotlib only when there is something to draw

    found = find(plan_of(run, ()), record, part.at, part.span)
    motion = found.motion
    if not motion.pins and not motion.guides:
        raise ConfigError("--orbit: no joint of this mechanism has clearance")
    with output_files.whole("--picture", file) as new:
        joints = orbits(new, found)
    return {"begin_s": float(motion.time[0]), "end_s": float(motion.time[-1]), "joints": joints}


def impacts(run: Path, record: RunData, part: Part, file: Path, channel: str | None) -> Mapping[str, Json]:
    """Write the impact map. Raises ConfigError where there is no channel to look at."""
    from rig.report.impacts.page import impact_map

    plan = plan_of(run, ())
    found = measured_and_predicted(plan, record, channel, part.window(plan, record))
    with output_files.whole("--picture", file) as new:
        impact_map(new, found, f"{plan.run}   {plan.experiment.title}")
    return {"impacts": found.to_json()}


def losses(run: Path, record: RunData, part: Part, file: Path) -> Mapping[str, Json]:
    """Write the map of contact losses: of a four-bar test, model and criteria; of others the model's joints beside the impacts of the test.

    Raises ConfigError where the record cannot tell."""
    plan = plan_of(run, ())
    title = f"{plan.run}   {plan.experiment.title}"
    if isinstance(plan.experiment.mechanism, FourBar):
        return _losses_of_four_bar(plan, record, part, file, title)
    from rig.report.flights.joint_page import joint_page
    from rig.report.flights.joints import joint_map

    found = joint_map(plan, record, part.at, part.span)
    with output_files.whole("--picture", file) as new:
        joint_page(new, found, title)
    return {"flights": found.to_json()}


def _losses_of_four_bar(plan: Plan, record: RunData, part: Part, file: Path, title: str) -> Mapping[str, Json]:
    from rig.report.flights.found import loss_map
    from rig.report.flights.page import loss_page

    if part.at is not None or part.span is not None:
        raise ConfigError("--losses: of a four_bar expected it without --at and --span: it shows all turns that count")
    found = loss_map(plan, record)
    with output_files.whole("--picture", file) as new:
        loss_page(new, found, title)
    return {"contact_loss": found.losses.to_json()}


def animation(run: Path, record: RunData, part: Part, file: Path, magnify: float | None) -> Mapping[str, float | int]:
    """Write the mechanism in motion, one cycle unless another time is asked for. Raises ConfigError for a file that cannot be written."""
    from rig.report.motion.animation import animate, writer

    made = writer(file)
    found = find(plan_of(run, ()), record, part.at, part.span, cycles=1.0)
    with output_files.whole("--animation", file) as new:
        told = animate(new, found, made, magnify)
    return {"begin_s": float(found.motion.time[0]), "end_s": float(found.motion.time[-1]), **told}
