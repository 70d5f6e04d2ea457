"""The notices that a test can give, and which event of a test is which: one table for the bench file, the supervisor and the docs."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Kind:
    """One row."""

    name: str
    means: str


KINDS = (
    Kind("start", "the trajectory has begun"),
    Kind("hold", "the test comes to a stand: an operator, or a limit with action `hold`"),
    Kind("resume", "it goes on"),
    Kind("stop", "it is stopped before the end of its program: an operator, a limit, a full disk, a death"),
    Kind("trip", "the interlock was opened"),
    Kind("limit", "a limit or a check with action `indicate` was passed. One that acts is reported as `hold`, `stop` or `trip` instead"),
    Kind("disk", "the disk will not hold the rest of the test, or is too slow for it"),
    Kind("lag", "the prediction is later than `predictor.max_lag`"),
    Kind("lost_samples", "samples are missing in the record"),
    Kind("instrument", "an instrument beside the DAQ device does not answer, or answers again"),
    Kind("death", "a process of the run has died, hung or failed; also the supervisor itself"),
    Kind("verdict_failed", "the test has ended, and a criterion of its comparison was not met"),
    Kind("failed", "the test has ended by a failure of hardware or of a process"),
    Kind("end", "the test has ended, for any reason"),
)
NAMES = tuple(kind.name for kind in KINDS)
TRIAL = "trial"
"""Sent by `rig check --notify` to every program."""
USUAL = ("stop", "trip", "hold", "limit", "disk", "lost_samples", "instrument", "death", "verdict_failed", "failed", "end")
"""Where a bench file says nothing."""
_BY_KIND = {
    "disk_short": "disk", "disk_slow": "disk", "lag": "lag", "lost_samples": "lost_samples", "instrument": "instrument",
    "death": "death", "failure": "death",
}  # fmt: skip
_BY_STATE = {"holding": "hold", "resuming": "resume", "tripped": "trip"}
_PROGRAM_S_OWN = ("stopping: end of the program", "stopping: unloading")
_INDICATED = "; action: indicate"


def kind_of(kind: str, text: str, before: str, state: str | None) -> str | None:
    """Which notice an event of a test is, None for none. before: the state until then; state: the one that it begins, if it begins one."""
    if state is None:
        return _BY_KIND.get(kind) or ("limit" if text.endswith(_INDICATED) else None)
    if state == "running":
        return "start" if before == "starting" else None
    if state == "stopping":
        return None if text in _PROGRAM_S_OWN else "stop"
    return _BY_STATE.get(state)


def kinds_of_end(outcome: str) -> tuple[str, ...]:
    """The notices of an end, the most telling one first."""
    return (*((outcome,) if outcome in ("verdict_failed", "failed") else ()), "end")


def table() -> str:
    """The notices as a table in Markdown."""
    return "\n".join(["| notice | means |", "|---|---|", *(f"| `{kind.name}` | {kind.means} |" for kind in KINDS)])
