"""The few figures that sum up a test of many cycles: in words for the terminal, and as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from drivers.files.plain_values import Json
from rig.console.durations import duration
from rig.report.endurance.course import Change, Course
from rig.report.endurance.stops import Stop
from rig.report.lines import cut
from rig.report.table import aligned
from rig.signals.engineering_units import fitting, number
from rig.streaming.interruptions import HELD

SHOWN = 10
"""Holds, breaks and changes that the table lists; all of them are in the JSON."""
LARGEST = 10.0
"""Share of the value at the beginning from which a change is none of it any more: of damage, which begins at zero."""
REASON = 100
"""Characters of a reason; the events of the record have all of it."""


@dataclass(frozen=True)
class Endurance:
    """Of a test: cycles asked for and repeated by null pacing; s from its first to its last sample, and s of these that it was held
    (`rig.streaming.interruptions.time_held`)."""

    course: Course
    asked: int
    repeated: int
    duration: float
    held: float
    damage: dict[str, float | None]
    """Newest value of each channel that counts damage."""

    @property
    def sessions(self) -> int:
        """The first one, and one behind each break."""
        return 1 + sum(stop.words != HELD for stop in self.course.stops)

    def to_json(self) -> dict[str, Json]:
        """Plain values, SI; a change is end less start."""
        found = self.course
        return {
            "cycles": {"asked": self.asked, "run": found.whole, "repeated": self.repeated, "cut_off": found.cut},
            "sessions": self.sessions, "run_s": self.duration - self.held, "held_s": self.held,
            "holds": [self._stop(stop) for stop in found.stops if stop.words == HELD],
            "breaks": [self._stop(stop) for stop in found.stops if stop.words != HELD],
            "acts": [self._stop(act) for act in found.acts],
            "values": [_change(one) for one in found.changes], "damage": dict(self.damage),
        }  # fmt: skip

    def _stop(self, stop: Stop) -> dict[str, Json]:
        end = self.duration if stop.end is None else stop.end
        return {
            "cycle": stop.cycle, "sample": stop.sample, "time_s": stop.begin, "duration_s": end - stop.begin, "what": stop.words,
            "reason": stop.reason,
        }  # fmt: skip

    @property
    def text(self) -> str:
        """For the terminal."""
        found = self.course
        more = [f"{self.repeated} run again as they missed their peaks"] if self.repeated else []
        more += [f"{found.cut} not whole"] if found.cut else []
        lines = [
            f"endurance: {', '.join([f'{found.whole} cycles run of {self.asked} asked', *more])}",
            f"  {self.sessions} session{'s' * (self.sessions > 1)}; {duration(self.duration - self.held)} run, {duration(self.held)} held",
            *(f"  {_line(one, self.duration)}" for one in found.happened[:SHOWN]),
        ]
        more_of_them = len(found.happened) - SHOWN
        lines += [f"  ... and {more_of_them} more holds, breaks and changes, see --json"] if more_of_them > 0 else []
        lines += [f"  {name}: {number(value)} at the end" for name, value in self.damage.items()]
        return "\n".join([*lines, "", _values(found.changes)] if found.changes else lines)


def _line(stop: Stop, until: float) -> str:
    at = "before the first cycle" if stop.cycle is None else f"cycle {stop.cycle}"
    long = f" {duration((until if stop.end is None else stop.end) - stop.begin)}" if stop.words == HELD else ""
    return f"{at}: {stop.words}{long}{cut(stop.why, REASON)}"


def _named(one: Change) -> str:
    return f"{one.value.channel}, {'error of ' if one.value.less else ''}{one.value.value}"


def _values(changes: Sequence[Change]) -> str:
    first = changes[0]
    heads = ("each cycle's", "unit", f"cycles {first.starts[0]} to {first.starts[1]}", f"{first.ends[0]} to {first.ends[1]}", "change", "%")
    return aligned([heads, *(_row(one) for one in changes)], 2)


def _row(one: Change) -> tuple[str, ...]:
    unit, factor = fitting(one.unit, max((abs(x) for x in (one.start, one.end) if x is not None), default=None))
    off = None if one.start is None or one.end is None else one.end - one.start
    signed = "-" if off is None else f"{off * factor:+.3g}"
    share = None if off is None or not one.start or one.value.less or one.value.value == "middle" else off / abs(one.start)
    percent = "-" if share is None or abs(share) >= LARGEST else f"{100.0 * share:+.2f}"
    return _named(one), unit, number(one.start, factor, 5), number(one.end, factor, 5), signed, percent


def _change(one: Change) -> dict[str, Json]:
    known = one.start is not None and one.end is not None
    return {
        "channel": one.value.channel, "value": one.value.value, "less": one.value.less or None, "unit": one.unit, "start": one.start,
        "end": one.end, "change": (one.end or 0.0) - (one.start or 0.0) if known else None,
        "start_cycles": [*one.starts], "end_cycles": [*one.ends],
    }  # fmt: skip
