"""What the tests of formats share: a small table with everything that a format may have to carry."""

from __future__ import annotations

import datetime

import numpy as np

from rig.formats.table import Column, Table

RATE = 51203.27700972862
SAMPLES = 3000
START = datetime.datetime(2026, 3, 1, 10, 30, 15, 250_000, datetime.timezone(datetime.timedelta(hours=1)))
MISSING = slice(1200, 1210)
SENSOR = {"sensor_serial": "LC-7", "sensor_sensitivity": 5000.0, "sensor_offset": 12.5, "sensor_calibrated": "2026-01-15"}


def values(number: int, missing: bool = False) -> np.ndarray:
    """(SAMPLES,) numbers without a pattern."""
    found = 1e4 * np.random.default_rng(number).normal(size=SAMPLES)
    if missing:
        found[MISSING] = np.nan
    return found


def table(missing: bool = True, begin: int = 0, **about: object) -> Table:
    """Three columns of two streams; begin: sample of its first row."""
    known = {"program": "clearance-rig 0.1.0", "run": "0001-linkage", "record_sha256": "ab" * 32, "gaps": [], **about}
    columns = [
        Column("measured", "force", "N", values(1, missing), {"stream": "measured", "channel": "force", **SENSOR}),
        Column("measured", "stroke", "m", values(2, missing) * 1e-7, {"stream": "measured", "channel": "stroke"}),
        Column("predicted", "force", "N", values(3), {"stream": "predicted", "channel": "force"}),
    ]
    return Table(columns, RATE, SAMPLES, START, begin / RATE, known)  # type: ignore[arg-type]


LABELS = ["measured/force", "measured/stroke", "predicted/force"]
UNITS = ["N", "m", "N"]
