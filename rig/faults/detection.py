"""Who found a fault, and what was done, by the events of a test: pure functions of what `rig run --json` says."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

Event = Mapping[str, object]
BY_KIND = {
    "specimen": "specimen", "overload": "overload", "dead_channel": "dead channel", "index_correction": "index",
    "missing_pulse": "pickup", "extra_pulse": "pickup", "lag": "lag", "death": "process", "interlock": "drive",
}  # fmt: skip
WORDS = {
    "implausible": (("shows nothing", "noise"), ("answers the command", "answer"), ("are not one force", "forces")),
    "limit": (("end of its range", "limit end"), ("rate", "limit rate"), ("", "limit")),
    "failure": (("recorder", "recorder"), ("DAQ", "daq"), ("", "drive")),
    "fault": (("", "fault of the program"),),
}
OPERATORS = ("Ctrl-C", "SIG", "terminal", "in another terminal", "stop button", "asked again")


@dataclass(frozen=True)
class Found:
    """At `sample` of the test (None: of none) the check `name` said `text`; `ends`: it speaks against going on."""

    sample: int | None
    name: str
    text: str
    ends: bool


def findings(events: Sequence[Event]) -> Iterator[Found]:
    """Everything that a check has said, in order."""
    for event in events:
        kind, text = str(event["kind"]), str(event["text"])
        if name := check_name(kind, text):
            sample = event["sample"]
            yield Found(int(sample) if isinstance(sample, (int, float)) else None, name, text, "action: indicate" not in text)


def check_name(kind: str, text: str) -> str:
    """The check whose words these are, as the table of faults calls it; empty: none of a check."""
    if kind == "interlock":
        return "loader" if text.startswith("loader") else "drive"
    for words, name in WORDS.get(kind, ()):
        if words in text:
            return name
    return BY_KIND.get(kind, "")


@dataclass(frozen=True)
class Ended:
    """How the motion ended: `action` (interlock, stop, hold, none), in the block from `sample` on, by the words `why`."""

    action: str
    sample: int | None = None
    why: str = ""


def ended(events: Sequence[Event], soft: str = "end of the program") -> Ended:
    """The first state by which the test left its trajectory."""
    for event in events:
        state, _, why = str(event["text"]).partition(": ")
        if event["kind"] == "state" and state in ("tripped", "stopping", "holding") and why != soft:
            sample = event["sample"]
            action = {"tripped": "interlock", "stopping": "stop", "holding": "hold"}[state]
            return Ended(action, int(sample) if isinstance(sample, (int, float)) else None, why)
    return Ended("none")


def finder(events: Sequence[Event], end: Ended) -> Found | None:
    """Who found it: the check whose words ended the test, else the first that said anything."""
    found = list(findings(events))
    by_end = [one for one in found if end.why and (one.text.startswith(end.why[:60]) or end.why[:60] in one.text)]
    ending = [one for one in found if one.ends and one.name != "lag"]  # a late prediction is told, and ends nothing by itself
    if by_end or ending:
        return (by_end or ending)[0]
    if any(word in end.why for word in OPERATORS):
        return Found(end.sample, "operator", end.why, True)
    return next((one for one in found if one.name != "lag"), None)
