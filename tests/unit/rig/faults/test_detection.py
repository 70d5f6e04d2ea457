"""Which check has spoken, by the words that the checks themselves use."""

from __future__ import annotations

from rig.checks.limits import SATURATED, Passed
from rig.faults.detection import check_name, ended, finder
from tests.each_row import each_row

LIMIT = ("stroke", "interlock")


@each_row(
    ("kind", "text", "name"),
    [
        ("limit", Passed(5, *LIMIT, "maximum", 0.006, 0.005).text("m"), "limit"),
        ("limit", Passed(5, *LIMIT, "rate", 0.6, 0.5).text("m"), "limit rate"),
        ("limit", Passed(5, *LIMIT, SATURATED, 0.01, 0.005).text("m"), "limit end"),
        ("implausible", "DAQ: channel stroke on Dev1/ai2 shows nothing: its noise is 0 m rms", "noise"),
        ("implausible", "the cycle before sample 9 answers the command otherwise than those before", "answer"),
        ("implausible", "transmitted_force 0 N and actuator_force 9000 N at sample 9 are not one force", "forces"),
        ("interlock", "loader: the emergency stop is pressed", "loader"),
        ("interlock", "crank (Modbus drive, address 1): fault 3", "drive"),
        ("failure", "DAQ: reading 512 samples of Dev1: gone", "daq"),
        ("state", "running", ""),
    ],
)
def test_a_check_is_known_by_its_words(kind: str, text: str, name: str) -> None:
    assert check_name(kind, text) == name


def test_the_end_of_the_program_is_no_end_by_a_fault() -> None:
    events = [{"sample": 9, "kind": "state", "text": "stopping: end of the program"}]
    assert ended(events).action == "none" and finder(events, ended(events)) is None


def test_what_ended_the_test_has_found_it_not_what_was_said_before() -> None:
    events = [
        {"sample": 5, "kind": "index_correction", "text": "the index; action: indicate"},
        {"sample": 9, "kind": "implausible", "text": "x shows nothing: its noise; action: stop"},
        {"sample": 10, "kind": "state", "text": "stopping: x shows nothing: its noise"},
    ]
    found = finder(events, ended(events))
    assert found is not None and found.name == "noise"
