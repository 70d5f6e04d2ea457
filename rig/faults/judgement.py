"""Whether what happened is what the table of faults declares: outcome, action, who found it, within the bound, everything safe, nothing
lost without a word."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from drivers.files.plain_values import Json
from rig.faults.detection import Ended, Found, ended, finder, findings
from rig.faults.evidence import Line, Onset, line_fell, log_of, losses, not_safe, onset
from rig.faults.table import Rig, Row

LOOKS = 1e-3
"""s between two looks of a drive's firmware at its enable line."""
ROUNDED = 0.5
"""Samples by which a bound in s, at the rate of the device, is none of a whole number of samples."""


@dataclass(frozen=True)
class Verdict:
    """One injection. Latencies in samples, from the fault and from where the row counts; bound likewise."""

    got: str
    action: str
    detected_by: str
    safe: bool
    latency_from_fault: float | None
    latency: float | None
    bound: float
    block_samples: int
    rate: float
    lost_declared: int
    lost_undeclared: int
    wrong: str

    def to_json(self) -> dict[str, Any]:
        """JSON values."""
        return asdict(self)


def judge(row: Row, rig: Rig, data: Mapping[str, Any], run_dir: Path, bound_s: float, real: bool = False) -> Verdict:
    """data: what `rig run --json` says; run_dir: what it left. bound_s: the row's bound in s; real: at real pace."""
    log, events, rate = log_of(run_dir), _after_start(data["events"]), float(data["rate_hz"] or 0.0)
    came = onset(log)
    end = ended(events)
    found = finder(events, end)
    got = _outcome(data, end, events)
    action = end.action if end.action != "none" else _by_the_log(data, log, came)
    seen = Seen(log, rate, int(data["block_samples"]), real)
    from_fault, latency = _latencies(row, end, found, came, got, seen)
    lost, unsafe = losses(run_dir), not_safe(run_dir, log, rig.coasts, row.bridges)
    name = found.name if found is not None else ""
    bound = bound_s * rate
    wrong = _wrong(row, got, action, name, latency, bound, came)
    problems = [
        *wrong,
        seen.contradicts(end, came),
        unsafe,
        lost.why,
        f"{lost.undeclared} samples lost without a word" if lost.undeclared else "",
    ]
    return Verdict(
        got, action, name, not (unsafe or lost.why), from_fault, latency, bound, seen.block, rate, lost.declared, lost.undeclared,
        "; ".join(part for part in problems if part),
    )  # fmt: skip


def _after_start(events: Sequence[Mapping[str, Json]]) -> list[Mapping[str, Json]]:
    """Those of the test: what a preparation said is none of it."""
    begun = next((n for n, event in enumerate(events) if event["kind"] == "state" and event["text"] == "running"), 0)
    return list(events[begun:])


def _outcome(data: Mapping[str, Any], end: Ended, events: Sequence[Mapping[str, Json]]) -> str:
    if data["outcome"] in ("tripped", "failed") or (data["outcome"] == "stopped" and end.action in ("stop", "interlock")):
        return "trip"
    if any(event["kind"] == "state" and event["text"] == "hold" for event in events):
        return "hold"
    return "mark" if any(True for _ in _marks(events)) else "none"


def _marks(events: Sequence[Mapping[str, Json]]) -> Sequence[Found]:
    return [one for one in findings(events) if one.name != "lag"]


def _by_the_log(data: Mapping[str, Any], log: Sequence[Line], came: Onset | None) -> str:
    """A test that failed enters no state any more: what the hardware saw of it."""
    if data["outcome"] == "failed" and came is not None and line_fell(log, came.time) is not None:
        return "interlock"
    return "indicate" if _marks(data["events"]) and data["outcome"] in ("done", "verdict_failed") else "none"


def _latencies(row: Row, end: Ended, found: Found | None, came: Onset | None, got: str, seen: Seen) -> tuple[float | None, float | None]:
    """Samples until the line falls, or the ramp is begun: from the fault, and from where the row counts."""
    if got in ("none", "hold") or came is None:
        return None, None
    acted: float | None = None if end.sample is None else end.sample + seen.block
    if got == "mark" and found is not None and found.sample is not None:
        acted = found.sample
    elif acted is None or (seen.real and end.action == "interlock"):
        acted = seen.fell(came)
    if acted is None:
        return None, None
    begun = found.sample if row.counts_from == "limit" and found is not None and found.sample is not None else came.sample
    return acted - came.sample, acted - begun


@dataclass(frozen=True)
class Seen:
    """What the simulated hardware saw. `real`: of a pace at which the program may be late, so that its own samples do not tell when it
    acted."""

    log: Sequence[Line]
    rate: float
    block: int
    real: bool

    def fell(self, came: Onset) -> float | None:
        """Sample, a fraction of one too, at which the interlock line or an enable line fell. A firmware writes the time of its look before:
        a line that falls with the fault itself fell then."""
        at = line_fell(self.log, came.time)
        return None if at is None else came.sample + max(0.0, at - came.time) * self.rate

    def contradicts(self, end: Ended, came: Onset | None) -> str:
        """In words that the line fell later than the program says; empty: it did not."""
        if self.real or came is None or end.action != "interlock" or end.sample is None or (at := self.fell(came)) is None:
            return ""
        late = at - (end.sample + self.block)
        return f"the line fell {late:.0f} samples later than the program says" if late > LOOKS * self.rate + 1.0 else ""


def _wrong(row: Row, got: str, action: str, name: str, latency: float | None, bound: float, came: Onset | None) -> list[str]:
    """In words what is not as declared."""
    if row.inject and came is None:
        return ["the fault has not come"]
    said = []
    if got != row.expected:
        said.append(f"expected {row.expected}, got {got}")
    elif row.action != "none" and action != row.action and not (row.action == "stop" and action == "interlock"):
        said.append(f"expected the action {row.action}, got {action}")
    if row.found_by and name not in row.found_by:
        said.append(f"expected to be found by {' or '.join(row.found_by)}, got {name or 'nobody'}")
    if latency is not None and not -1.0 <= latency <= bound + ROUNDED:
        said.append(f"latency {latency:.0f} samples, bound {bound:.0f}")
    return said
