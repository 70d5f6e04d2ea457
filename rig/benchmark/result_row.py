"""What the benchmark gives, as it stands in JSON: a row for each program, setting and error, and the ratios between programs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NotRequired, TypedDict

from rig.signals.summary_statistics import Statistics


class Spent(TypedDict):
    """By the runs of one setting, s."""

    min: float
    median: float
    n: int


class OwnFields(TypedDict, total=False):
    """Only our program has them; null in the others' rows."""

    compile_s: float | None
    rhs_ns: float | None
    frame_cpu_s: Statistics | None
    frame_wall_s: Statistics | None


class Row(OwnFields):
    """One program with one setting, by one metric of the case; `error` is NaN for a run that gave up."""

    case: str
    program: str
    settings: Mapping[str, object]
    simulated_s: float
    wall_s: Spent
    cpu_s: Spent
    rtf: float
    error: float | None
    error_metric: str | None
    error_unit: str | None
    reference: str | None
    reference_change: NotRequired[float]


class RatioRow(TypedDict):
    """How many times faster this program is than a peer at an equal error, by processor time and by the clock."""

    case: str
    peer: str
    at_error: float
    speedup: float
    speedup_wall: float
    remark: str
    error_metric: str
    error_unit: str
    asked_error: float


class Machine(TypedDict):
    """Processor, its cores, the load over the last minute, and what a fixed piece of plain Python takes (s)."""

    cpu: str
    cores: int | None
    load_before: float | None
    calibration_s: float
