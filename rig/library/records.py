"""A record as a tree of xarray."""

from __future__ import annotations

import warnings
import weakref
from collections.abc import Mapping
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from drivers.files.plain_values import Json
from rig.library.cycles import CYCLES, cycle_tables
from rig.library.xarrays import need_xarray
from rig.recorder.examination import need_readable
from rig.recorder.folders import find_record
from rig.recorder.reading import RunData, read_run
from rig.supervision.unfinished import readable

if TYPE_CHECKING:
    from xarray import Dataset, DataTree


def opened(path: Path) -> DataTree:
    """See `rig.open_record`. Events and gaps are read at once, samples when they are asked for."""
    xarray = need_xarray()
    with ExitStack() as kept:
        there = kept.enter_context(readable(path))
        record = find_record(there.run)
        need_readable(record)
        run = read_run(record)
        nodes = {"/": _head(run, there.said), **{f"/{stream}": _stream(run, stream) for stream in run.streams}}
        nodes |= {"/events": _events(run), "/gaps": _gaps(run)}
        nodes |= {f"/{CYCLES}/{stream}": found for stream, found in cycle_tables(run).items()}
        found: DataTree = xarray.DataTree.from_dict(nodes, name=str(run.attributes.get("run", record.parent.name)))
        weakref.finalize(run, kept.pop_all().close)  # every array holds `run`: the closed parts as one are there as long as any of them
    if there.said:
        warnings.warn(there.said, stacklevel=3)
    return found


def _head(run: RunData, so_far: str) -> Dataset:
    from xarray import Dataset

    told: dict[str, Json] = {"title": run.title, "rate": run.rate, "first_sample": run.first_sample}
    told |= {"complete": run.complete and not so_far, "so_far": so_far}
    attributes = {**_simple(run.attributes), **told, "experiment": run.experiment_text, "bench": run.bench_text}
    return Dataset(attrs=attributes)


def _stream(run: RunData, stream: str) -> Dataset:
    from xarray import Dataset, Variable

    from rig.library.lazy import TIME, channel, times

    def variable(name: str) -> Variable:
        sensor = _simple(run.sensors.get(name, {})) if stream == "measured" else {}
        return Variable((TIME,), channel(partial(run.channel, stream, name), run.samples), {**sensor, "units": run.units[stream][name]})

    # Each stream has the times: those of the tree itself would be the events' and gaps' too.
    return Dataset({name: variable(name) for name in run.streams[stream]}, times(run.first_sample, run.samples, run.rate))


def _events(run: RunData) -> Dataset:
    from xarray import Dataset

    rows = run.events
    sample = np.array([np.nan if one.sample is None else one.sample for one in rows], dtype=np.float64)
    time = np.array([np.nan if one.time is None else one.time for one in rows], dtype=np.float64)
    texts = {key: ("event", np.array([getattr(one, key) for one in rows], dtype=object)) for key in ("source", "kind", "text")}
    return Dataset({"sample": ("event", sample), "at": ("event", time, {"units": "s"}), **texts})


def _gaps(run: RunData) -> Dataset:
    from xarray import Dataset

    rows = run.gaps
    numbers = {key: ("gap", np.array([getattr(one, key) for one in rows], dtype=np.int64)) for key in ("first", "count")}
    texts = {key: ("gap", np.array([getattr(one, key) for one in rows], dtype=object)) for key in ("stream", "reason")}
    return Dataset({**numbers, **texts})


def _simple(values: Mapping[str, Json]) -> dict[str, Json]:
    """What an attribute can hold."""
    return {key: value for key, value in values.items() if isinstance(value, (str, int, float))}
