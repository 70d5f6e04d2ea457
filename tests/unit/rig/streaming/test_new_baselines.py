"""What an event says of limits that learn anew is what was told to them."""

from rig.recorder.description import Event
from rig.streaming.new_baselines import later, learned_by, new_baselines


def _event(sample: int | None, text: str) -> Event:
    return Event(sample, None, "bench", "state", text)


def test_what_was_said_is_read_again() -> None:
    said = learned_by("resume by anna: pins looked at", ["limits.0 stroke", "limits.12 surprise"])
    events = [_event(700, f"resuming: {later(said, 12)}"), _event(900, f"resuming: {learned_by('x', ['limits.0 stroke'])}")]
    assert new_baselines(events) == {0: [712, 900], 12: [712]}


def test_other_events_and_those_without_a_place_say_nothing() -> None:
    texts = ["running", "set trajectory.amplitude = 9 kN by anna: limits.0 looked at", learned_by("x", [])]
    assert new_baselines([*(_event(1, text) for text in texts), _event(None, learned_by("x", ["limits.0 stroke"]))]) == {}
