from __future__ import annotations

from pathlib import Path

from rig.notification.kinds import NAMES, USUAL, kind_of, kinds_of_end, table
from rig.streaming.states import NAMES as STATES
from tests.each_row import each_row


@each_row(
    ("kind", "text", "before", "state", "notice"),
    [
        ("state", "starting", "ready", "starting", None),
        ("state", "running", "starting", "running", "start"),
        ("state", "running", "resuming", "running", None),
        ("state", "holding: hold by me", "running", "holding", "hold"),
        ("state", "hold", "holding", "hold", None),
        ("state", "resuming: resume by me", "hold", "resuming", "resume"),
        ("state", "stopping: end of the program", "running", "stopping", None),
        ("state", "stopping: unloading", "stopping", "stopping", None),
        ("state", "stopping: Ctrl-C", "running", "stopping", "stop"),
        ("state", "tripped: stroke 6 mm", "running", "tripped", "trip"),
        ("state", "stopped", "stopping", "stopped", None),
        ("limit", "stroke: 5.1 mm exceeds maximum; action: indicate", "running", None, "limit"),
        ("limit", "stroke: 5.1 mm exceeds maximum; action: interlock", "running", None, None),  # told as the trip that it is
        ("disk_short", "the disk", "running", None, "disk"),
        ("disk_slow", "recording is 3 s behind", "running", None, "disk"),
        ("lag", "prediction 900 ms late", "running", None, "lag"),
        ("lost_samples", "12 samples", "running", None, "lost_samples"),
        ("instrument", "thermometer: no answer", "running", None, "instrument"),
        ("death", "recorder died", "running", None, "death"),
        ("failure", "bench: no reply", "running", None, "death"),
        ("notify", "mail: told of trip", "running", None, None),  # else it would tell of itself
        ("operation", "set trajectory.amplitude", "running", None, None),
    ],
)
def test_what_an_event_is(kind: str, text: str, before: str, state: str | None, notice: str | None) -> None:
    assert kind_of(kind, text, before, state) == notice


def test_an_end_is_told_by_its_most_telling_notice() -> None:
    assert kinds_of_end("done") == kinds_of_end("stopped") == kinds_of_end("tripped") == ("end",)
    assert kinds_of_end("verdict_failed") == ("verdict_failed", "end") and kinds_of_end("failed") == ("failed", "end")


def test_every_notice_can_come_and_every_state_is_known() -> None:
    of_states = {kind_of("state", state, "starting", state) for state in STATES}
    of_kinds = {kind_of(kind, "", "running", None) for kind in ("disk_short", "lag", "lost_samples", "instrument", "death")}
    of_ends = {name for outcome in ("done", "failed", "verdict_failed") for name in kinds_of_end(outcome)}
    assert {*of_states, *of_kinds, *of_ends, "limit"} - {None} == {*NAMES} >= {*USUAL}
    assert all(f"`{name}`" in table() for name in NAMES)


def test_the_manual_has_the_same_table() -> None:
    assert table() in (Path(__file__).parents[4] / "docs/monitoring.md").read_text(encoding="utf-8")
