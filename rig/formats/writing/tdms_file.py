"""TDMS by npTDMS: a group for each stream, waveform properties for each channel, one segment for each piece."""

from __future__ import annotations

import datetime
import json
from pathlib import Path
from typing import Any

import numpy as np

from rig.formats.extras import library
from rig.formats.table import Column, Table

FILE = "a TDMS file"


def refusal(table: Table) -> str:
    """See `rig.formats.writing`."""
    library("nptdms", FILE)
    return ""


def write(path: Path, table: Table) -> list[str]:
    """See `rig.formats.writing`."""
    tdms = library("nptdms", FILE)
    root = tdms.RootObject({"name": str(table.about.get("run", "")), **_root(table)})
    groups = [tdms.GroupObject(stream, {}) for stream in dict.fromkeys(column.stream for column in table.columns)]
    with tdms.TdmsWriter(str(path)) as writer:
        for first, end in table.pieces():
            channels = [
                tdms.ChannelObject(one.stream, one.name, np.asarray(one.values[first:end]), _properties(one, table) if not first else {})
                for one in table.columns
            ]
            writer.write_segment([root, *groups, *channels] if not first else channels)
    return []


def _root(table: Table) -> dict[str, Any]:
    plain = {key: value for key, value in table.about.items() if isinstance(value, (str, int, float))}
    return {**plain, "about": json.dumps(dict(table.about)), "start_time": table.start.isoformat(), "rate_hz": table.rate}


def _properties(column: Column, table: Table) -> dict[str, Any]:
    start = np.datetime64(table.start.astimezone(datetime.UTC).replace(tzinfo=None), "us")  # TDMS keeps times in UTC
    wave = {"wf_start_time": start, "wf_start_offset": table.begin, "wf_increment": 1.0 / table.rate, "wf_samples": table.samples}
    known = {key: value for key, value in column.about.items() if isinstance(value, (str, int, float, bool))}
    return {**wave, "wf_xname": "Time", "wf_xunit_string": "s", "NI_ChannelName": column.label, "unit_string": column.unit, **known}
