"""What the processes of a run say to each other, as JSON objects: commands, events, reports, final figures.

Which keys of a table there are depends on the command, or on the process that says it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, TypedDict

from drivers.files.plain_values import Json
from rig.signals.summary_statistics import Statistics

if TYPE_CHECKING:  # only the bench knows how it works
    from rig.control.amplitude import Figures as AmplitudeFigures
    from rig.hybrid.history import Figures as PseudoDynamicFigures
    from rig.hybrid.realtime.figures import Figures as HybridFigures
    from rig.workers.bench.pacing import Figures as PacingFigures


class EventMessage(TypedDict, total=False):
    """Something that belongs in the record; `state`: that the bench is in from here on; `limit`: that has acted."""

    sample: int | None
    time_s: float | None
    source: str
    kind: str
    text: str
    state: str
    limit: Mapping[str, Json] | None


def recorded(event: EventMessage) -> dict[str, str | int | float | None]:
    """What of an event is recorded and shown."""
    return {
        "sample": event["sample"], "time_s": event["time_s"], "source": event["source"], "kind": event["kind"], "text": event["text"],
    }  # fmt: skip


class Command(EventMessage, total=False):
    """To a worker: why a test is to stop, and what it has come to; or an event; or what an operator asks for.

    Of that `asked` is the number, `key` and `new` (SI) a change; `anew` are the numbers of limits that are to learn anew.
    """

    reason: str
    outcome: str
    asked: int | None
    at_once: bool
    key: str
    new: float
    anew: list[int]


class Place(TypedDict):
    """Of a test: its pace, values (SI) of the trajectory's table that were changed, and mean, real and imaginary part of the correction."""

    pace: float
    changes: dict[str, float]
    correction: list[float] | None


class StreamFigures(TypedDict):
    """Of a recorded stream; ranges are (first, count)."""

    samples: int
    lost_samples: int
    lost_ranges: list[list[int]]


class Report(TypedDict, total=False):
    """Progress: of the bench its state, of the predictor its newest lag (s), of the recorder what it has, of the window its frames."""

    state: str
    sample: int | None
    cycle: float
    phase: float
    held_s: float
    repeated: int
    end: int
    rate: float | None
    place: Place | None
    running: str
    memory: Mapping[str, object]
    learned: Sequence[Mapping[str, Json]]
    lag_s: float | None
    streams: dict[str, StreamFigures]
    apart: dict[str, StreamFigures]
    lost_samples: int
    bytes: int
    flush_age_s: float
    frames: int
    listening: str


class OutputFigures(TypedDict):
    """How far the output was ahead, s."""

    underflows: int
    min_ahead_s: float | None
    delay_s: Statistics


class PreparationFigures(TypedDict):
    """What went before the test: s, N, and the name of what refused it."""

    duration_s: float
    largest_force: float | None
    refused: str | None


class InstrumentFigures(TypedDict):
    """Readings of one instrument beside the DAQ device, in its unit; None where there was none."""

    unit: str
    readings: int
    failed: int
    gave_up: str | None
    least: float | None
    mean: float | None
    most: float | None


class Figures(TypedDict, total=False):
    """What a process says as it ends: the bench up to `preparation`, the predictor up to `band`, the recorder the rest."""

    outcome: str
    reason: str
    samples: int
    rate: float | None
    ao: OutputFigures
    turns: dict[str, Statistics]
    clocks: dict[str, dict[str, float | None]]
    instruments: dict[str, InstrumentFigures]
    control: AmplitudeFigures | PseudoDynamicFigures | HybridFigures | None
    pacing: PacingFigures | None
    preparation: PreparationFigures | None
    lag_s: Statistics
    lag_windows_s: list[Statistics]
    late_s: float
    rtf: float | None
    band: Mapping[str, object]
    streams: dict[str, StreamFigures]
    apart: dict[str, StreamFigures]
    bytes: int


class Message(Report, Command, total=False):
    """From a worker: `verb` of what it asks for, or why it ended, or its `figures`; or what has become of a request (`text`: refused)."""

    verb: str
    error: str
    exit_code: int
    figures: Figures
