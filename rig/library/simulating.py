"""The model alone, as a tree of xarray."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from rig.config import load_experiment
from rig.config.setup import Alone, Setup
from rig.errors import ConfigError
from rig.library.xarrays import need_xarray

if TYPE_CHECKING:
    from xarray import Dataset, DataTree

    from rig.prediction.simulation import Simulated

COMMAND = "command"


def simulated(given: Setup | Alone | str | Path, overrides: Sequence[str]) -> DataTree:
    """See `rig.simulate`."""
    xarray = need_xarray()
    if isinstance(given, (Setup, Alone)):
        if overrides:
            raise ConfigError("rig.simulate: overrides belong to a file; of a setup that is loaded they are those of rig.load")
        setup: Setup | Alone = given
    else:
        setup = load_experiment(given, overrides)
    from rig.prediction.simulation import simulate

    result = simulate(setup.experiment)
    attributes = {
        "title": setup.experiment.title, "rate": result.rate, "rtf": result.rtf, "experiment": setup.experiment_text,
        "remarks": "\n".join(result.remarks), "equations": result.equations,
    }  # fmt: skip
    found: DataTree = xarray.DataTree.from_dict({**_streams(result, attributes), "/events": _events(result)}, name=setup.name)
    return found


def _streams(result: Simulated, attributes: dict[str, object]) -> dict[str, Dataset]:
    from xarray import Dataset

    from rig.library.lazy import TIME, times
    from rig.prediction.tables import columns

    names, values = columns(result)
    when = times(0, len(values), result.rate)
    stream: dict[str, dict[str, object]] = {COMMAND: {}, "predicted": {}}
    for k, (name, unit) in enumerate(names):
        where = (COMMAND, "value") if name == COMMAND else ("predicted", name)
        stream[where[0]][where[1]] = (TIME, values[:, k], {"units": unit})
    nodes = {f"/{name}": Dataset(variables, when) for name, variables in stream.items() if variables}
    return {"/": Dataset(attrs=attributes), **nodes}


def _events(result: Simulated) -> Dataset:
    from xarray import Dataset

    rows = result.events
    texts = {key: ("event", np.array([one[key] for one in rows], dtype=object)) for key in ("kind", "where")}  # type: ignore[literal-required]
    speeds = np.array([np.nan if one["approach_speed"] is None else one["approach_speed"] for one in rows], dtype=np.float64)
    at = np.array([one["time_s"] for one in rows], dtype=np.float64)
    return Dataset({"at": ("event", at, {"units": "s"}), **texts, "approach_speed": ("event", speeds, {"units": "m/s"})})
