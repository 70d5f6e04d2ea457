"""What was not as the experiment has it: how the test ended, samples that are not there, hands that were on it, warnings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rig.recorder.description import Event
from rig.report.document.configuration import overrides
from rig.report.document.content import DOUBTED, Row, Section, Table
from rig.report.document.reported_run import ReportedRun
from rig.report.document.sensors import NONE
from rig.report.document.wording import Words
from rig.streaming.interruptions import STATE

ROUTINE = ("preparation", "unloading", "window", "seal", "close")
"""Kinds of events that belong to every test."""
AXIS = "axis"
"""What a drive says of itself; before the first sample it is what it says to everybody."""
ORDINARY = ("starting", "starting: preparation", "running", "stopping: end of the program", "stopped")
"""Of a state: as a test goes that nobody stops."""
MOST = 200
"""Events that are listed; the record has all."""
DONE = ("done", "verdict_failed")


def deviations(run: ReportedRun, words: Words) -> Section:
    """One row each: what kind, when, and in words."""
    rows = [*_end(run, words), *_samples(run, words), *_configuration(run, words), *_events(run, words), *_warnings(run, words)]
    heads = [words.titled(f"deviations.{name}") for name in ("kind", "time", "text")]
    table = [Table("", heads, rows[:MOST], left=3, note=_left_out(rows, words))] if rows else []
    return Section("deviations", words.titled("section.deviations"), tables=table, empty=words["deviations.none"])


def events(run: ReportedRun, words: Words) -> Section:
    """Everything that the record says of the test, in order."""
    rows = [Row([_time(one), one.source, one.kind, one.text]) for one in run.record.events]
    heads = [words.titled(f"events.{name}") for name in ("time", "source", "kind", "text")]
    table = [Table("", heads, rows[:MOST], left=4, note=_left_out(rows, words))] if rows else []
    return Section("events", words.titled("section.events"), tables=table, empty=words["events.none"])


def _end(run: ReportedRun, words: Words) -> Iterator[Row]:
    outcome = str(run.summary.get("outcome", "unknown"))
    if outcome not in DONE:
        yield Row([words["deviations.end"], NONE, f"{words[f'outcome.{outcome}']}: {run.summary.get('reason') or ''}"], DOUBTED)
    for text in run.said:
        yield Row([words["deviations.end"], NONE, text], DOUBTED)


def _samples(run: ReportedRun, words: Words) -> Iterator[Row]:
    rate = run.record.rate
    for gap in run.record.gaps:
        where = f"{gap.first / rate:.6g} s"
        text = f"{gap.stream}: {gap.count} {words['deviations.samples']}, n = {gap.first} ... {gap.first + gap.count - 1}; {gap.reason}"
        yield Row([words["deviations.gap"], where, text], DOUBTED)


def _configuration(run: ReportedRun, words: Words) -> Iterator[Row]:
    for key, value in overrides(run).items():
        yield Row([words["deviations.override"], NONE, f"{key} = {value}"])
    if run.plan.sources.get("bench_given"):
        yield Row([words["deviations.override"], NONE, words["deviations.other_bench"]])
    for name, record in run.record.sensors.items():
        if record.get("expired"):
            yield Row([words["deviations.calibration"], NONE, f"{name}: {words['sensors.is_expired']}, {record.get('expires')}"], DOUBTED)


def _events(run: ReportedRun, words: Words) -> Iterator[Row]:
    for one in run.record.events:
        if not is_routine(one):
            yield Row([words[f"event.{one.kind}"], _time(one), one.text])


def is_routine(event: Event) -> bool:
    """Whether it belongs to a test that goes as its experiment says."""
    met = event.kind == AXIS and event.time is None
    return met or event.kind in ROUTINE or (event.kind == STATE and event.text in ORDINARY)


def _warnings(run: ReportedRun, words: Words) -> Iterator[Row]:
    told = run.summary.get("warnings")
    for text in told if isinstance(told, list) else []:
        yield Row([words["deviations.warning"], NONE, str(text)])


def _time(event: Event) -> str:
    return NONE if event.time is None else f"{event.time:.6g} s"


def _left_out(rows: list[Row], words: Words) -> str:
    return words["events.left_out"].format(listed=MOST, all=len(rows)) if len(rows) > MOST else ""


def lost_samples(run: ReportedRun) -> int:
    """Of all streams, as the test counted them."""
    found = [stream.get("lost_samples") for stream in run.part("streams").values() if isinstance(stream, Mapping)]
    return sum(one for one in found if isinstance(one, int))
