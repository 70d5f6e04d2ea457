"""What an Instron loader writes and asks, word by word, and what it makes of the answers.

Words after the command tables of the 8500 Plus / 8800 computer interface manuals as they stand in ISIS' public stream protocol for these
controllers (ISISComputingGroup/EPICS-instron, devinstron.proto): C1 ramp (0 stop, 1 start, 2 hold, 3 continue), C2 its type, C4 its end and
C86 its time, C23 actuator, C200 waveform (0 abort, 1 start, 4 finish), C300 channel of the loop (1 position, 2 load), Q134 a reading.
"""

from __future__ import annotations

import math
from types import SimpleNamespace

import pytest
from scripted_controller import WELL, Scripted

from drivers.errors import NoReply, NotConnected, Refused
from drivers.loaders.instron import Config
from drivers.loaders.instron_generator import Waveform
from tests.each_row import each_row


def running(one: Scripted) -> None:
    one.loader._generator.waveform = Waveform(2.0, 100)


# -- set-up ----------------------------------------------------------------------------------------------------------------------------


@each_row(
    ("told", "unit", "fits"),
    [("100000", 1.0, True), ("100", 1e3, True), ("100050", 1.0, True), ("99950", 1.0, True), ("101000", 1.0, False),
     ("99000", 1.0, False), ("100", 1.0, False), ("0", 1.0, False)],
)  # fmt: skip
def test_full_scales_are_those_of_the_file_within_a_thousandth(told: str, unit: float, fits: bool) -> None:
    one = Scripted(force_unit=unit)
    one.answers["Q308,2"] = told
    if fits:
        one.loader.connect()
        assert one.asked == ["Q308,1", "Q308,2"]
    else:
        with pytest.raises(Refused, match=r"full scale of its force is .* \(N, m\), the bench file says 100000; set force_full_scale or"):
            one.loader.connect()


def test_the_full_scale_of_the_stroke_has_a_unit_of_its_own() -> None:
    one = Scripted(stroke_unit=1e-3)
    one.answers["Q308,1"] = "50"
    one.loader.connect()
    one.answers["Q308,1"] = "0.05"
    with pytest.raises(Refused, match=r"full scale of its stroke is 5e-05 \(N, m\), the bench file says 0\.05; set stroke_full_scale"):
        one.loader.connect()


def test_identity_is_both_channels_and_the_status() -> None:
    told = "Instron controller, stroke channel type 1,0, force channel type 2,0, status 7680"
    assert Scripted().loader.identity() == told


@pytest.mark.parametrize(("mode", "channel"), [("force", "2"), ("stroke", "1")])
def test_prepare_ends_what_runs_before_the_actuator_comes_on_and_then_closes_the_loop(mode: str, channel: str) -> None:
    one = Scripted(mode)
    one.answers["Q300"] = channel
    one.loader.prepare()
    assert one.bursts == [["C200,0", "C1,0", "C23,1"], [f"C300,{channel}"]]
    assert one.loader.mode == mode


def test_an_actuator_that_does_not_come_on_is_told() -> None:
    one = Scripted()
    one.answers["Q23"] = "0"
    with pytest.raises(NoReply, match="0 s after it was told: the actuator did not switch on; look at the pump and the panel"):
        one.loader.prepare()
    assert one.bursts == [["C200,0", "C1,0", "C23,1"]]


@pytest.mark.parametrize("enable_line", [None, "Dev1/port0/line7"])
def test_a_frame_that_is_not_ready_is_waited_for_only_where_a_line_has_just_risen(
    monkeypatch: pytest.MonkeyPatch, enable_line: str | None
) -> None:
    one, now = Scripted(enable_line=enable_line, settle=3.0, pause=0.5), [0.0]
    slept: list[float] = []

    def sleep(seconds: float) -> None:
        slept.append(seconds)
        now[0] += seconds

    one.loader.wait_by(SimpleNamespace(now=lambda: now.__setitem__(0, now[0] + 1e-3) or now[0], sleep=sleep))
    monkeypatch.setattr("drivers.loaders.instron_reading.time.sleep", lambda seconds: None)
    one.answers["Q22"] = "512"
    with pytest.raises(Refused, match=r"status 512 \(bits 0x0200, 0x1e00 is good\): see the panel; clear it at the frame"):
        one.loader.prepare()
    assert one.bursts == [] and len(slept) == (0 if enable_line is None else 6)
    assert one.loader.output_lines == ({} if enable_line is None else {"loader_enable": enable_line})


def test_a_frame_that_becomes_ready_goes_on() -> None:
    one = Scripted(enable_line="Dev1/port0/line7", settle=3.0)
    one.answers["Q22"] = ["512"] * 4 + ["7680"]
    one.loader.prepare()
    assert one.bursts[0][-1] == "C23,1"


@pytest.mark.parametrize("state", ["1", "3"])
def test_the_mode_is_not_changed_while_a_ramp_runs(state: str) -> None:
    one = Scripted()
    one.answers["Q1"] = state
    with pytest.raises(Refused, match="mode stroke was asked for while it moves; stop it first"):
        one.loader.take_mode("stroke")
    assert one.bursts == [] and one.loader.mode == "force"


def test_a_loop_that_does_not_change_is_told_and_the_mode_stays() -> None:
    one = Scripted()
    with pytest.raises(NoReply, match="its loop did not change to stroke; look at the panel"):
        one.loader.take_mode("stroke")
    assert one.loader.mode == "force" and one.loader.full_scale == 100e3


def test_bits_of_a_good_status_are_bits_that_are_looked_at() -> None:
    Config("COM1", status_mask=0x1E00, status_good=0x0E00)
    with pytest.raises(ValueError, match=r"status_good: expected bits of status_mask, 0x1e00, got 0x0001 besides"):
        Config("COM1", status_mask=0x1E00, status_good=0x1E01)


# -- ends ------------------------------------------------------------------------------------------------------------------------------


def test_disable_ends_waveform_and_ramp_in_one_burst_and_sees_that_they_rest() -> None:
    one = Scripted()
    running(one)
    one.loader.disable()
    assert one.bursts == [["C200,0", "C1,0"]] and one.loader.waveform is None


@pytest.mark.parametrize(("question", "goes_on"), [("Q1", "1"), ("Q200", "1"), ("Q200", "2"), ("Q200", "3")])
def test_what_goes_on_is_told_to_end_three_times(question: str, goes_on: str) -> None:
    one = Scripted()
    running(one)
    one.answers[question] = [goes_on, goes_on, WELL[question]]
    one.loader.disable()
    assert len(one.bursts) == 3 and one.loader.waveform is None
    running(one)
    one.answers[question] = goes_on
    with pytest.raises(Refused, match="3 times in a row, it goes on; press the emergency stop"):
        one.loader.disable()
    assert len(one.bursts) == 6 and one.loader.waveform is not None


def test_a_panic_stop_is_one_word_and_is_seen() -> None:
    one = Scripted()
    running(one)
    one.answers["Q23"] = "0"
    one.loader.trip()
    assert one.bursts == [["C23,0"]] and one.asked == ["Q23"] and one.loader.waveform is None


def test_the_pressure_goes_at_the_end_though_the_waveform_goes_on() -> None:
    one = Scripted()
    running(one)
    one.answers |= {"Q23": "0", "Q200": "1"}
    with pytest.raises(Refused, match="it goes on; press the emergency stop"):
        one.loader.release()
    assert one.bursts[-1] == ["C23,0"]


def test_closing_ends_what_runs_and_says_what_does_not_end() -> None:
    one = Scripted()
    assert one.loader.close() == ["closing: gone"] and one.bursts == []
    running(one)
    assert one.loader.close() == ["closing: gone"] and one.bursts == [["C200,0", "C1,0"]]
    running(one)
    one.answers["Q200"] = "1"
    told = one.loader.close()
    assert len(told) == 2 and "it goes on; press the emergency stop" in told[0] and told[1] == "closing: gone"
    assert one.closed == 3


# -- faults ----------------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("status", "good"), [(0x1E00, True), (0x1E01, True), (0xFFFF, True), (0x0E00, False), (0x0000, False)])
def test_the_frame_is_well_when_the_bits_that_are_looked_at_are(status: int, good: bool) -> None:
    one = Scripted()
    one.answers["Q22"] = str(status)
    assert (one.loader.fault() is None) == good


def test_one_bad_status_is_no_fault_and_three_are() -> None:
    one = Scripted()
    one.answers["Q22"] = ["512", "512", "7680"]
    assert one.loader.fault() is None
    one.answers["Q22"] = ["512", "512", "512", "7680"]
    assert one.loader.fault() == "status 512 (bits 0x0200, 0x1e00 is good): see the panel"


def test_an_actuator_that_goes_off_is_a_fault_while_a_waveform_runs() -> None:
    one = Scripted()
    one.answers["Q23"] = "0"
    assert one.loader.fault() is None and "Q23" not in one.asked
    running(one)
    assert one.loader.fault() == "the actuator is off: pressure lost or taken away"
    one.answers["Q23"] = "1"
    assert one.loader.fault() is None and one.asked[-1] == "Q23"


def test_a_silent_controller_says_what_becomes_of_a_waveform_only_where_one_runs() -> None:
    one = Scripted()
    one.answers["Q22"] = None
    with pytest.raises(NoReply, match=r"^no reply$"):
        one.loader.fault()
    running(one)
    with pytest.raises(NoReply, match=r"^no reply; while asking for its status; the controller ends its waveform by itself within 1 s$"):
        one.loader.fault()


@pytest.mark.parametrize(
    ("question", "call", "doing"),
    [
        ("Q210", "extend", "extending the waveform"), ("Q200", "disable", "ending the waveform"),
        ("Q134,2,0", "feedback", "reading the force"),
    ],
)  # fmt: skip
def test_what_it_was_doing_is_said_with_it(question: str, call: str, doing: str) -> None:
    one = Scripted()
    running(one)
    one.answers[question] = None
    with pytest.raises(NoReply, match=f"^no reply; while {doing}; the controller ends its waveform by itself within 1 s$"):
        getattr(one.loader, call)()


def test_a_port_that_is_gone_says_so_too() -> None:
    one = Scripted()
    running(one)

    def gone() -> str:
        raise NotConnected("unplugged")

    one.answers["Q134,2,0"] = gone
    with pytest.raises(NotConnected, match=r"^unplugged; while reading the force; the controller ends its waveform"):
        one.loader.feedback()


# -- motion ----------------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("mode", "setpoint", "words"),
    [("force", -25e3, ["C2,2,3", "C4,2,-0.25000000", "C86,2,1.5000"]), ("stroke", 0.01, ["C2,1,3", "C4,1,0.20000000", "C86,1,1.5000"])],
)
def test_a_ramp_is_an_end_of_full_scale_and_a_time(mode: str, setpoint: float, words: list[str]) -> None:
    one = Scripted(mode)
    one.loader.ramp_to(setpoint, 1.5)
    assert one.bursts == [[word] for word in [*words, "C1,1"]]


@pytest.mark.parametrize("mode", ["force", "stroke"])
@pytest.mark.parametrize("end", [1.0, -1.0])
def test_full_scale_is_the_last_that_is_taken(mode: str, end: float) -> None:
    one = Scripted(mode)
    one.loader.ramp_to(end * one.loader.full_scale, 1.0)
    assert one.answers["Q4,2" if mode == "force" else "Q4,1"] == f"{end:.8f}"
    one.bursts.clear()
    for beyond in (end * 1.001 * one.loader.full_scale, math.nan, end * math.inf):
        with pytest.raises(Refused, match="exceeds full scale"):
            one.loader.ramp_to(beyond, 1.0)
        with pytest.raises(Refused, match="exceeds full scale"):
            one.loader.start_waveform("sine", 1.0, beyond, 5)
    assert one.bursts == []


@pytest.mark.parametrize(("state", "moves"), [("0", False), ("1", True), ("2", False), ("3", True)])
def test_a_ramp_moves_unless_it_is_stopped_or_held(state: str, moves: bool) -> None:
    one = Scripted()
    one.answers["Q1"] = state
    assert one.loader.moving() == moves


def test_hold_resume_and_finish() -> None:
    one = Scripted()
    one.loader.hold()
    one.loader.resume()
    one.loader.finish()
    assert one.bursts == [["C1,2"], ["C1,3"], ["C200,4"]]


@pytest.mark.parametrize(
    ("shape", "frequency", "cycles"),
    [("square wave", 1.0, 5), ("sine", 0.0, 5), ("sine", -1.0, 5), ("sine", math.inf, 5), ("sine", 1.0, 0)],
)
def test_no_waveform_of_no_shape_no_frequency_or_no_cycle(shape: str, frequency: float, cycles: int) -> None:
    one = Scripted()
    with pytest.raises(Refused, match="over 0 Hz, 1 cycle or more"):
        one.loader.start_waveform(shape, frequency, 1e3, cycles)
    assert one.bursts == []


@pytest.mark.parametrize(
    ("asked", "mode", "share"), [(None, "force", 0.2 * 100e3), (None, "stroke", 0.1 * 0.05), ("stroke", "force", 0.1 * 0.05)]
)
def test_feedback_is_a_share_of_the_full_scale_of_what_is_asked_for(asked: str | None, mode: str, share: float) -> None:
    one = Scripted(mode)
    assert one.loader.feedback(asked) == pytest.approx(share)
    assert one.loader.feedback_channel == ("transmitted_force" if mode == "force" else "stroke")


@pytest.mark.parametrize("feedback", [-0.012, 0.0, 0.031])
def test_a_stop_in_stroke_mode_stays_where_it_is_and_one_in_force_mode_lets_go(feedback: float) -> None:
    """Zero stroke can crush a specimen."""
    assert Scripted("stroke").loader.safe_setpoint(feedback) == feedback
    assert Scripted("force").loader.safe_setpoint(feedback) == 0.0
