"""Event documents of bluesky by event-model, a line of JSON each: `{"name": "start", "doc": {...}}`, as bluesky's JSONLinesWriter has them.

Stream `primary` has an event for each row, `events` one for each thing that happened. Where the rows are those of the record, the
documents point at it (stream_resource, stream_datum), as a detector that writes HDF5 does. Else they are in event pages.
The uids come from what is exported: the same export is the same run.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from rig.formats.event_documents import TIME, DataKey, key_name, number, pointer, text
from rig.formats.extras import library
from rig.formats.table import Column, Floats, Happening, Table

FILE, EXTRA = "a file of bluesky documents", "bluesky"
ROWS = 1000
"""Events of a page."""
STATUS = {"stopped": "abort", "tripped": "fail", "failed": "fail"}
"""Outcome of a test -> exit status of a run; all others are a success, a verdict against the specimen too."""
POINTING = "the documents hold no samples, they point at the record where it lies now; --from, --until or --rate puts samples into them"
Document = tuple[str, Any]


@dataclass
class _Uids:
    """The k-th uid of a run is always the same."""

    of: uuid.UUID
    made: int = field(default=0)

    def __call__(self) -> str:
        self.made += 1
        return str(uuid.uuid5(self.of, str(self.made)))


def refusal(table: Table) -> str:
    """See `rig.formats.writing`."""
    library("event_model", FILE, EXTRA)
    return ""


def write(path: Path, table: Table) -> list[str]:
    """See `rig.formats.writing`."""
    with path.open("w", encoding="utf-8", newline="\n") as file:
        for name, document in documents(table):
            file.write(json.dumps({"name": name, "doc": document}, allow_nan=False) + "\n")
    if table.stored:
        return [
            "the documents hold no samples, they point at the record where it lies now; --from, --until or --rate puts samples into them"
        ]
    return []


def documents(table: Table) -> Iterator[Document]:
    """(name, document), from start to stop, each valid by the schema of event-model."""
    model = library("event_model", FILE, EXTRA)
    uids = _Uids(
        uuid.uuid5(uuid.NAMESPACE_OID, json.dumps([dict(table.about), [one.label for one in table.columns], table.rate, table.begin]))
    )
    begin, counts = table.start.timestamp(), dict[str, int]()
    run = model.compose_run(uid=uids(), time=begin + table.begin, metadata=_head(table), event_counters=counts)
    yield "start", run.start_doc
    yield from _happenings(table, run, uids)
    yield from (_pointers if table.stored else _pages)(table, run, uids)
    status = STATUS.get(table.course.outcome, "success")
    ended = begin + max(table.course.lasted, table.begin + table.samples / table.rate)
    yield "stop", run.compose_stop(exit_status=status, reason=table.course.reason, uid=uids(), time=ended)


def _head(table: Table) -> dict[str, Any]:
    """What the start document says besides: title, specimen as `sample`, and all else that is known of the record."""
    told = {key: value for key, value in table.course.document.items() if value and key != "specimen"}
    found: dict[str, Any] = {
        "title": table.course.title,
        **told,
        "clearance_rig": {**table.about, "rate_hz": table.rate, "begin_s": table.begin},
    }
    if specimen := table.course.document.get("specimen"):
        found["sample"] = specimen
    return found


def _source(table: Table, column: Column) -> str:
    return f"clearance-rig:{table.about.get('run', '')}/{column.label}"


def _keys(table: Table, external: bool) -> dict[str, DataKey]:
    keys = {TIME: number(f"clearance-rig:{table.about.get('run', '')}/time", "s", external=external)}
    for one in table.columns:
        sensor = {name: value for name, value in one.about.items() if name not in ("stream", "channel")}
        keys[key_name(one.stream, one.name)] = number(_source(table, one), one.unit, sensor, external)
    return keys


def _pointers(table: Table, run: Any, uids: _Uids) -> Iterator[Document]:
    """One resource for each channel, with all its rows."""
    keys = _keys(table, external=True)
    made = run.compose_descriptor("primary", keys, uid=uids(), time=run.start_doc["time"])
    yield "descriptor", made.descriptor_doc
    places = {TIME: table.stored["time"], **{key_name(one.stream, one.name): table.stored[one.label] for one in table.columns}}
    for key in keys:
        bundle = run.compose_stream_resource(**pointer(key, places[key]), uid=uids())
        yield "stream_resource", bundle.stream_resource_doc
        rows = {"start": 0, "stop": table.samples}
        yield (
            "stream_datum",
            bundle.compose_stream_datum(rows, {"start": 1, "stop": table.samples + 1}, made.descriptor_doc),
        )
    made.compose_event_page.event_counters["primary"] = table.samples + 1


def _pages(table: Table, run: Any, uids: _Uids) -> Iterator[Document]:
    keys = _keys(table, external=False)
    made = run.compose_descriptor("primary", keys, uid=uids(), time=run.start_doc["time"])
    yield "descriptor", made.descriptor_doc
    start = table.start.timestamp()
    for first, end in table.pieces(ROWS):
        at = table.times(first, end)
        when = (start + at).tolist()
        block = [at, *(np.asarray(one.values[first:end]) for one in table.columns)]
        data = {key: _numbers(values) for key, values in zip(keys, block, strict=True)}
        timestamps = dict.fromkeys(keys, when)
        names = [uids() for _ in when]
        yield "event_page", made.compose_event_page(data, timestamps, uid=names, time=when, validate=first == 0)


def _numbers(values: Floats) -> list[float | None]:
    """JSON has no word for a missing number but null."""
    found: list[float | None] = values.tolist()
    return [None if lacking else one for one, lacking in zip(found, np.isnan(values), strict=True)] if np.isnan(values).any() else found


def _happenings(table: Table, run: Any, uids: _Uids) -> Iterator[Document]:
    rows = [one for one in table.course.happenings if _within(table, one)]
    if not rows:
        return
    source = f"clearance-rig:{table.about.get('run', '')}/events"
    keys = {"sample": number(source, ""), "at": number(source, "s"), **{name: text(source) for name in ("source", "kind", "text")}}
    made = run.compose_descriptor("events", keys, uid=uids(), time=run.start_doc["time"])
    yield "descriptor", made.descriptor_doc
    when = [table.start.timestamp() + (one.time or 0.0) for one in rows]
    data: dict[str, list[Any]] = {
        "sample": [one.sample for one in rows], "at": [one.time for one in rows], "source": [one.source for one in rows],
        "kind": [one.kind for one in rows], "text": [one.text for one in rows],
    }  # fmt: skip
    yield "event_page", made.compose_event_page(data, dict.fromkeys(keys, when), uid=[uids() for _ in rows], time=when)


def _within(table: Table, one: Happening) -> bool:
    """Of the time that is exported; what has no time is of all of it."""
    return one.time is None or table.begin <= one.time <= table.begin + table.samples / table.rate or bool(table.stored)
