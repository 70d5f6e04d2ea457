"""The endurance section and the trend picture of one record."""

from __future__ import annotations

from pathlib import Path

from rig.config.limits_as_run import limits_as_run
from rig.config.plan import Plan
from rig.errors import ConfigError
from rig.recorder.reading import CALCULATED, RunData
from rig.report.endurance.course import Course, course
from rig.report.endurance.cycle_tables import Column, CycleTables
from rig.report.endurance.selection import Watched, stream_of
from rig.report.endurance.table import Endurance
from rig.streaming.interruptions import Told, time_held
from rig.trajectory import create

PICTURE = "trend.png"
DAMAGE = "damage("
"""What an expression that counts damage has in it."""


def endured(plan: Plan, record: RunData, main: str, repeated: int) -> Endurance | None:
    """Of a test of many cycles; None where the record has no table of as many. main: channel that is shown first."""
    watched = Watched(main, plan.experiment.limits, _counting_damage(plan))
    found = course(record.path, record.events, watched, discard=plan.experiment.comparison.discard_cycles)
    if found is None:
        return None
    asked, lasted = create(plan.experiment.trajectory).cycles, record.samples / record.rate
    held = time_held((Told(event.time, event.kind, event.text) for event in record.events), lasted)
    return Endurance(found, asked, repeated, lasted, held, _damage(plan, record.path))


def _damage(plan: Plan, path: Path) -> dict[str, float | None]:
    names = _counting_damage(plan)
    with CycleTables(path) as tables:
        return {name: _newest(tables, name) for name in names}


def _counting_damage(plan: Plan) -> list[str]:
    return [one.name for one in plan.experiment.calculated if DAMAGE in one.expression]


def _newest(tables: CycleTables, channel: str) -> float | None:
    stream = stream_of(tables, channel)
    if stream not in CALCULATED or not len(tables.tables[stream]):
        return None
    return float(tables.tables[stream].fields([Column(stream, channel, "max").name])[-1:][0][0])


def draw(path: Path, plan: Plan, found: Course) -> None:
    """Write the trend picture of a run."""
    from rig.report.endurance.page import trend  # matplotlib only when there is something to draw

    trend(path, found, f"{plan.run}   {plan.experiment.title}", f"{plan.bench.title}   |   {_counted(found)}")


def _counted(found: Course) -> str:
    more = [f"{found.held} of them with a hold, left out" if found.held else "", f"{found.cut} not whole, left out" if found.cut else ""]
    return "; ".join([f"{found.whole} whole cycles, {found.first} to {found.last}", *filter(None, more)])


def draw_record(path: Path, record: RunData, note: str = "", least: int = 1) -> Course | None:
    """Write that of any record, as of a part that lies by itself; None, and no picture, where it has no table of so many cycles."""
    watched = _watched(record)
    found = course(record.path, record.events, watched, least)
    if found is None:
        return None
    from rig.report.endurance.page import trend

    run = str(record.attributes.get("run", record.path.parent.name))
    part = "" if record.path.name == "run.h5" else f", {record.path.name}"
    trend(path, found, f"{run}{part}   {record.title}", note or _counted(found))
    return found


def _watched(record: RunData) -> Watched:
    """By the text of the experiment as it ran."""
    units = {name: unit for stream in ("measured", *CALCULATED) for name, unit in record.units.get(stream, {}).items()}
    predicted = record.streams.get("predicted_as_measured", ())
    main = next((name for name in predicted if units.get(name) == "N"), next(iter(units), ""))
    try:
        return Watched(main, limits_as_run(record.experiment_text, units))
    except ConfigError:
        return Watched(main)


def need_cycles(record: RunData) -> str:
    """What to say of a record without a trend."""
    return f"{record.path}: no trend can be drawn: it has no table of its cycles (`record.cycles`), or no row in it"
