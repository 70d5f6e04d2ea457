"""How far an answer of a controller without checksums is trusted: what is asked again, how often, and what is told in the end."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from scripted_controller import Scripted

from drivers.errors import BadReply, NoReply, Refused
from drivers.loaders import instron_commands, instron_reading
from drivers.protocols import instron_ascii
from tests.each_row import each_row


@pytest.mark.parametrize(
    ("told", "wanted"),
    [("0.04", "0.04"), ("0.040003", "0.04"), ("0.0400041", "0.04 differs"), ("0.14", "differs"), ("-0.04", "differs"),
     ("0.0000009", "zero"), ("0.0000011", "zero differs")],
)  # fmt: skip
def test_what_is_kept_is_compared_to_the_digits_that_are_told(told: str, wanted: str) -> None:
    """A part in ten thousand, or a millionth of full scale."""
    one = Scripted()
    one.answers["Q203,2"] = told
    value = "0" if wanted.startswith("zero") else "0.04"
    said = one.loader._readings.unlike([("203,2", value)])
    assert said == (f"C203,2,{value} was written and Q203,2 reads {float(told):g}" if "differs" in wanted else "")


def test_a_setting_is_written_three_times_and_then_refused() -> None:
    one = Scripted()
    one.loader._readings.unlike = lambda settings: "it reads 9"  # type: ignore[method-assign]
    with pytest.raises(Refused, match="it reads 9, 3 times in a row; look at the line and the panel"):
        one.loader._commands.keep(("203,2", "0.04"), ("202,2", "3"))
    assert one.bursts == [["C203,2,0.04"], ["C202,2,3"]] * 3
    answers = iter(["it reads 9", ""])
    one.bursts.clear()
    one.loader._readings.unlike = lambda settings: next(answers)  # type: ignore[method-assign]
    one.loader._commands.keep(("203,2", "0.04"))
    assert one.bursts == [["C203,2,0.04"]] * 2


def test_bursts_have_a_pause_between_them_that_a_stop_does_not_wait_for(monkeypatch: pytest.MonkeyPatch) -> None:
    one, now = Scripted(pause=0.5), [10.0]
    slept: list[float] = []
    monkeypatch.setattr(instron_commands, "host_clock", SimpleNamespace(now=lambda: now[0]))
    monkeypatch.setattr(instron_commands, "time", SimpleNamespace(sleep=slept.append))
    one.loader.hold()
    assert slept == []
    now[0] = 10.2
    one.loader.hold()
    assert slept == pytest.approx([0.3])
    now[0] = 10.7
    one.loader.hold()
    assert slept == pytest.approx([0.3])
    one.answers["Q23"] = "0"
    one.loader.trip()
    assert slept == pytest.approx([0.3]) and len(one.bursts) == 4


def test_a_state_is_waited_for_as_long_as_it_may_take() -> None:
    one, now = Scripted(settle=3.0, pause=0.5), [0.0]
    one.loader.wait_by(SimpleNamespace(now=lambda: now[0], sleep=lambda seconds: now.__setitem__(0, now[0] + seconds)))
    assert one.loader._commands.follows(lambda: now[0] >= 3.0) and now[0] == 3.0
    now[0] = 0.0
    with pytest.raises(NoReply, match=r"loader \(Instron\) at COM1: 3 s after it was told: it did not come"):
        one.loader._commands.wait(lambda: False, "it did not come")
    assert now[0] == 3.5


@pytest.mark.parametrize("share", [1.2, -1.2])
def test_a_reading_beyond_a_fifth_more_than_full_scale_is_a_bad_one(share: float) -> None:
    one = Scripted()
    one.answers["Q134,2,0"] = f"{share}"
    assert one.loader.feedback() == pytest.approx(share * 100e3)
    one.answers["Q134,2,0"] = [f"{1.001 * share:.6f}", f"{1.001 * share:.6f}", "0.5"]
    assert one.loader.feedback() == pytest.approx(50e3)
    one.answers["Q134,2,0"] = f"{1.001 * share:.6f}"
    with pytest.raises(BadReply, match=r"its force reads -?1\.2012 of full scale; look at the transducer's plug; 3 times in a row"):
        one.loader.feedback()


@pytest.mark.parametrize(("before", "asked"), [("0.5", 3), ("-0.5", 3), ("0.001", 3), ("0.0009", 1), ("0.0", 1)])
def test_a_zero_after_a_load_is_asked_for_again_and_what_stays_zero_is_zero(before: str, asked: int) -> None:
    one = Scripted()
    one.answers["Q134,2,0"] = before
    one.loader.feedback()
    one.asked.clear()
    one.answers["Q134,2,0"] = "0"
    assert one.loader.feedback() == 0.0 and one.asked == ["Q134,2,0"] * asked
    one.asked.clear()
    assert one.loader.feedback() == 0.0 and len(one.asked) == 1, "it has been seen to be zero"


def test_zeros_of_one_channel_are_none_of_the_other() -> None:
    one = Scripted()
    one.answers |= {"Q134,2,0": "0.5", "Q134,1,0": "0"}
    one.loader.feedback("force")
    one.asked.clear()
    assert one.loader.feedback("stroke") == 0.0 and one.asked == ["Q134,1,0"]


def test_one_silence_is_asked_about_again_and_a_second_is_told() -> None:
    one = Scripted()
    answers = iter([None, "0.5"])
    asked = one.loader._readings.text

    def text(command: str) -> str:
        if next(answers, "0.5") is None:
            raise NoReply("no reply")
        return asked(command)

    one.loader._readings.text = text  # type: ignore[method-assign]
    assert one.loader.feedback() == pytest.approx(20e3)
    one.answers["Q134,2,0"] = None
    one.loader._readings.text = asked  # type: ignore[method-assign]
    one.asked.clear()
    with pytest.raises(NoReply):
        one.loader.feedback()
    assert len(one.asked) == 2


def test_a_silence_among_bad_answers_does_not_hide_them() -> None:
    one = Scripted()
    answers = iter(["nonsense", None, "nonsense"])

    def answer() -> str:
        if (told := next(answers)) is None:
            raise NoReply("no reply")
        return told

    one.answers["Q134,2,0"] = answer
    with pytest.raises(BadReply, match=r"asked Q134,2,0, expected a number, got 'nonsense'; 3 times in a row"):
        one.loader.feedback()


def test_between_two_questions_there_is_a_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    one, slept = Scripted(pause=0.5), list[float]()
    monkeypatch.setattr(instron_reading, "time", SimpleNamespace(sleep=slept.append))
    one.answers["Q134,2,0"] = ["7", "7", "0.5"]
    assert one.loader.feedback() == pytest.approx(50e3) and slept == [0.5, 0.5]
    one.answers["Q134,2,0"] = ["0", "0.5"]
    assert one.loader.feedback() == pytest.approx(50e3) and slept == [0.5] * 3


@pytest.mark.parametrize(
    ("data", "answer"),
    [(b"7680\r\n", "7680"), (b" 0.5 \n", "0.5"), (b"1\r\n2\r\n", "1"), (b"7680", None), (b"", None), (b"x" * 80 + b"\n", "x" * 80)],
)
def test_an_answer_is_one_line(data: bytes, answer: str | None) -> None:
    assert instron_ascii.parse_answer(data) == answer


@pytest.mark.parametrize(
    ("data", "words"), [(b"x" * 81, "no answer of such a controller"), (b"x" * 81 + b"\n", "no answer of such"), (b"\xff\n", "not ASCII")]
)
def test_what_is_no_answer(data: bytes, words: str) -> None:
    with pytest.raises(BadReply, match=words):
        instron_ascii.parse_answer(data)


@pytest.mark.parametrize(("answer", "value"), [("0.5", 0.5), ("Q134,2,0,0.5", 0.5), ("Q134,2,0,-3e-3", -0.003), ("-1e3", -1000.0)])
def test_the_number_of_an_answer_stands_alone_or_behind_its_question(answer: str, value: float) -> None:
    assert instron_ascii.number(answer, "Q134,2,0") == value


@each_row("answer", ["0,5", "2,0", "garbage,5", ",5", "Q134,1,0,0.5", "Q308,2,5", "Q134,2,0,", "Q134,2,0", "Q134,2,0,0,5", "134,2,0,5"])
def test_what_stands_behind_another_comma_is_no_number(answer: str) -> None:
    with pytest.raises(BadReply, match=r"^expected a number, got '"):
        instron_ascii.number(answer, "Q134,2,0")


def test_a_server_with_decimal_commas_has_no_full_scale() -> None:
    """0,5 is not 5: what is connected there is no such controller."""
    one = Scripted()
    one.answers["Q308,1"] = "0,5"
    with pytest.raises(BadReply, match="asked Q308,1, expected a number, got '0,5'; 3 times in a row"):
        one.loader.connect()


@each_row(
    ("line", "command"),
    [(b"C203,2,0.04\r\n", ("C203", (2.0, 0.04))), (b"Q22", ("Q22", ())), (b"P909,1", ("P909", (1.0,))), (b"X22", None), (b"", None),
     (b"C", None),
     (b"Cx", None), (b"C1,a", None), (b"C1,nan", None), (b"C1,inf", None), (b"C1,1_0", None), ("C²".encode(), None), (b"\xff22", None)],
)  # fmt: skip
def test_what_a_controller_reads(line: bytes, command: tuple[str, tuple[float, ...]] | None) -> None:
    assert instron_ascii.parse_command(line) == command


def test_a_reading_under_load_is_taken_as_it_comes() -> None:
    one = Scripted()
    one.answers["Q134,2,0"] = ["0.5", "0.4", "0.3"]
    assert [one.loader.feedback(), one.loader.feedback()] == pytest.approx([50e3, 40e3]) and len(one.asked) == 2


def test_what_the_line_has_said_is_not_said_twice() -> None:
    one = Scripted()

    def spoilt() -> str:
        raise BadReply("loader (Instron) at COM1: the reply is cut short")

    one.answers["Q134,2,0"] = spoilt
    with pytest.raises(BadReply, match=r"^loader \(Instron\) at COM1: the reply is cut short; 3 times in a row$"):
        one.loader.feedback()
