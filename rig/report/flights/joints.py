"""Of rigs whose measured signals do not show a loss itself: where the model's joints are out of contact, beside the impacts of the test.

The end of a flight is loud: an impact in the measured acceleration. So a flight of the model is confirmed where the test has an impact at
its end. In which joint it was, and where contact was lost before, the test does not tell.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from drivers.files.plain_values import Json
from rig.comparison.impacts.pairs import WITHIN
from rig.comparison.impacts.spikes import Indices, matched
from rig.config.plan import Plan
from rig.errors import ConfigError
from rig.motion.parts import Flags, Floats, Motion
from rig.recorder.reading import RunData
from rig.report.impacts.found import NO_CYCLE, Impacts, impacts
from rig.report.motion.found import find
from rig.report.overlay.turn import drawn_over
from rig.signals.contact_loss import SHORTEST


@dataclass(frozen=True)
class JointFlights:
    """A joint of the model: begin, end (m,) s of its flights that last at least SHORTEST; and the same in deg that go on over turns."""

    name: str
    begin: Floats
    end: Floats
    begin_deg: Floats
    end_deg: Floats
    share: float
    """Of the time without contact, flights of any length."""


@dataclass(frozen=True)
class JointMap:
    """joints of the model; hits: impacts of both sides; confirmed: (impacts, flights) that belong together, places in both, flights of all
    joints in the order of their ends. begin, end: s, and first, last: deg, that are looked at."""

    joints: Sequence[JointFlights]
    hits: Impacts
    hit_deg: Floats
    """(k,) of the measured impacts, going on over turns."""
    confirmed: tuple[Indices, Indices]
    begin: float
    end: float
    first: float
    last: float
    label: str

    @property
    def flights(self) -> int:
        """Of all joints."""
        return sum(len(joint.begin) for joint in self.joints)

    def to_json(self) -> dict[str, Json]:
        """Plain values."""
        measured, both = len(self.hits.measured.spikes), len(self.confirmed[0])
        return {
            "begin_s": self.begin, "end_s": self.end, "channel": self.hits.channel,
            "measured_impacts": measured, "flights": self.flights, "confirmed": both,
            "share_of_impacts": both / measured if measured else None, "share_of_flights": both / self.flights if self.flights else None,
            "joints": {
                joint.name: {
                    "share_without_contact": joint.share, "begin_s": joint.begin.tolist(), "end_s": joint.end.tolist(),
                    "begin_deg": joint.begin_deg.tolist(), "end_deg": joint.end_deg.tolist(),
                }
                for joint in self.joints
            },
        }  # fmt: skip


def joint_map(plan: Plan, record: RunData, at: float | None, span: float | None) -> JointMap:
    """Of the last cycles that count, or of `span` s up to `at` s. Raises ConfigError where nothing has clearance, or none shows impacts."""
    found = find(plan, record, at, span)
    motion, window, rate = found.motion, found.window, record.rate
    if not motion.pins and not motion.guides:
        raise ConfigError("--losses: no joint of this mechanism has clearance")
    series, label = drawn_over(plan, found.signals)
    angle = np.degrees(np.asarray(series[window.start : window.stop], dtype=np.float64))
    samples = np.arange(window.start, window.stop) / rate
    hits = impacts(plan, record, None, window)
    if hits.unit != "m/s^2":
        raise ConfigError("--losses: expected an acceleration that is measured and predicted, in which the test shows its impacts")
    joints = [_flights(name, motion.time, closed, samples, angle) for name, closed in _closed(motion)]
    ends = np.sort(np.concatenate([joint.end for joint in joints]))
    frequency = found.signals.command.frequency
    period = 1.0 / frequency if frequency else NO_CYCLE
    first = hits.measured.spikes.at
    confirmed = matched(first, np.round((ends - samples[0]) * rate).astype(np.int64), WITHIN * period * rate)
    return JointMap(
        joints, hits, angle[first], confirmed, float(samples[0]), float(samples[-1]), float(angle[0]), float(angle[-1]), label
    )  # fmt: skip


def _closed(motion: Motion) -> Iterator[tuple[str, Flags]]:
    yield from ((pin.name, pin.closed) for pin in motion.pins)
    yield from ((guide.name, guide.closed) for guide in motion.guides)


def _flights(name: str, time: Floats, closed: Flags, samples: Floats, angle: Floats) -> JointFlights:
    """Of a joint that touches or not at `time` (M,) s; samples, angle (n,): deg at s. One that is cut off at either end is left out."""
    begins = time[np.flatnonzero(closed[:-1] & ~closed[1:]) + 1]
    ends = time[np.flatnonzero(~closed[:-1] & closed[1:]) + 1]
    ends = ends[ends > begins[0]] if len(begins) else ends[:0]
    begins = begins[: len(ends)]
    long = ends - begins >= SHORTEST
    begins, ends = begins[long], ends[long]
    spent = np.gradient(time) if len(time) > 1 else np.ones(len(time))
    share = float(np.sum(spent[~closed]) / np.sum(spent))
    return JointFlights(name, begins, ends, np.interp(begins, samples, angle), np.interp(ends, samples, angle), share)
