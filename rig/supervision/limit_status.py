"""Where the limits of a test stand, for `rig status` and whoever reads it: those that learn, and the one that holds, stops or trips it.

Values are SI; `shown_unit` and `shown_size` (SI of one of it) give them in the unit of the configuration, as `text` does.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from drivers.files.plain_values import Json
from rig.checks.limits import Passed
from rig.config.plan import Plan
from rig.hardware.limit_words import LimitWords
from rig.hardware.shown_units import Shown
from rig.streaming.states import HOLD, HOLDING, RESUMING, RUNNING, STOPPING, TRIPPED
from rig.supervision.learned_limits import LearnedLimits, kinds
from rig.workers.messages import EventMessage

ACTS = {"hold": "held", "stop": "stopped", "unload": "stopped and unloaded", "interlock": "tripped"}
Fields = Mapping[str, Json]


class LimitStatus:
    """`acting`: what an event said of the limit that has acted, None while none has; acting: of a test that is over."""

    def __init__(self, plan: Plan, acting: Fields | None = None) -> None:
        self.limits, self.acting = LearnedLimits(plan), acting
        self._words = LimitWords(plan.experiment.limits, plan.experiment_text)
        self._total = sum(len(kinds(plan.experiment.limits[number])) for number in self.limits.numbers)
        self._state, self._new = "", False

    def note(self, event: EventMessage) -> None:
        """What the bench worker tells, in order: a limit comes before the state that it leads to."""
        limit, state = event.get("limit"), event.get("state")
        if limit is not None and limit["action"] in ACTS:
            self.acting, self._new = {**limit, "sample": event["sample"]}, True  # type: ignore[dict-item]
        if state and state != self._state:
            stopped_otherwise = self._state in (HOLDING, HOLD) and state in (STOPPING, TRIPPED)
            if not self._new and (state in (RUNNING, RESUMING) or stopped_otherwise):
                self.acting = None
            self._state, self._new = state, False

    def fields(self, learned: Sequence[Fields]) -> dict[str, Json]:
        """learned: the rows of the bench worker (`rig.workers.bench.learned_limits.told`)."""
        return {
            "learned_limits": [self._learned(row) for row in learned],
            "learned_limits_total": self._total,
            "acting_limit": None if self.acting is None else self._acting(self.acting),
        }

    def _learned(self, row: Fields) -> dict[str, Json]:
        number = int(str(row["number"])) if row["number"] is not None else None
        unit = self._words.unit(number, str(row["unit"]), _largest(row, "low", "high", "value"))
        named = "a limit" if number is None else self.limits.called(number)
        return {**row, "shown_unit": unit.unit, "shown_size": unit.size, "text": f"{named}: {row['what']}, {_in_words(row, unit)}"}

    def _acting(self, said: Fields) -> dict[str, Json]:
        channel, action, what = (str(said[key]) for key in ("channel", "action", "what"))
        unit = self._words.unit(self._words.number_of(channel, action), str(said["unit"]), _largest(said, "value", "bound"))
        value, bound = (_number(said[key], unit) for key in ("value", "bound"))
        passed = Passed(int(str(said["sample"] or 0)), channel, action, what.partition(" from ")[0], value, bound)
        text = f"{ACTS[action]} by a limit: {passed.text(unit.unit)}"
        return {**said, "shown_unit": unit.unit, "shown_size": unit.size, "text": text}


def _in_words(row: Fields, unit: Shown) -> str:
    if row["since"] is None:
        left = f", after {row['settling']} that settle" if row["settling"] else ""
        return f"learning cycle {min(int(str(row['learned'])) + 1, int(str(row['learn'])))} of {row['learn']}{left}; not armed"
    words = [f"armed since cycle {row['since']}" if row["armed"] else "learned, not armed now"]
    if row["value"] is not None:
        words.append(f"{_told(row['value'], unit)} in cycle {row['cycle']}")
    if row["baseline"] is not None:
        words.append(f"baseline {_told(row['baseline'], unit)}")
    if row["low"] is not None and row["high"] is not None:
        words.append(f"allowed {unit.number(_si(row['low']))} .. {_told(row['high'], unit)}")
    if row["share"] is not None:
        words.append(f"at {100.0 * _si(row['share']):.0f} % of the band" + (", OUTSIDE" if row["outside"] else ""))
    return ", ".join([*words, f"action {row['action']}"])


def _told(value: Json, unit: Shown) -> str:
    return unit.text(_si(value))


def _si(value: Json) -> float:
    assert isinstance(value, (int, float))
    return float(value)


def _number(value: Json, unit: Shown) -> float:
    return _si(value) / unit.size if isinstance(value, (int, float)) else float("nan")


def _largest(row: Fields, *keys: str) -> float | None:
    known = [abs(value) for key in keys if isinstance(value := row[key], (int, float))]
    return max(known, default=None)
