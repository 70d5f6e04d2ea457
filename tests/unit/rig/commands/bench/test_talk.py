"""`rig talk` with a drive on a socket: what it does, and that the axis has no power afterwards however the session ends."""

from __future__ import annotations

import io
import itertools
import json
import math
import os
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from waiting import until

from drivers.protocols import cia402
from drivers.simulated.axes.modbus_drive import ModbusDrive
from drivers.simulated.axes.odrive import IDLE, ODrive
from rig import commands
from rig.console.input import ConsoleInput
from rig.host import clock
from rig.manual import session
from rig.manual.session import LARGEST
from tests.unit.rig.hardware.still_bench import CONFIGS, error_of
from tests.unit.rig.manual.talking_bench import AXIS, Motor, motor, written

PATIENCE = 20.0


@pytest.fixture
def servo(tmp_path: Path) -> Iterator[Motor]:
    with motor(tmp_path) as made:
        yield made


def talk(monkeypatch: pytest.MonkeyPatch, words: list[str], lines: str) -> int:
    monkeypatch.setattr("sys.stdin", io.StringIO(lines))
    return commands.main(["talk", *words])


def powered(one: Motor) -> bool:
    if isinstance(one.device, ODrive):
        return one.device.axes[0].values["current_state"] != IDLE
    assert isinstance(one.device, ModbusDrive)
    return one.device.state == cia402.ENABLED


def test_read_enable_a_small_move_and_stop(servo: Motor, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    lines = "read\nenable\nmove 5 deg\nmove -0.05 rad\nfault\nstop\nreset\nquit\n"
    assert talk(monkeypatch, [str(servo.path), "--json"], lines) == 0
    told = capsys.readouterr()
    data = json.loads(told.out)
    assert (data["axis"], data["drive"], data["port"]) == ("crank", "odrive", servo.side.url)
    assert "firmware 0.5.6" in data["identity"]
    actions = data["actions"]
    assert [one["verb"] for one in actions] == ["read", "enable", "move", "move", "fault", "stop", "reset"]
    assert actions[2]["position"] == pytest.approx(math.radians(5.0), abs=5e-3)
    assert actions[3]["position"] == pytest.approx(math.radians(5.0) - 0.05, abs=5e-3)
    assert "asked 5.00 deg: at 5.0" in told.err
    assert "fault: no fault" in told.err or "no fault: at" in told.err
    assert servo.shaft.position == pytest.approx(math.radians(5.0) - 0.05, abs=5e-3)
    assert not powered(servo)


def test_a_drive_without_position_turns_by_its_speed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    looks, late, at_speed = list[float](), list[float](), session.ManualSession._at_speed

    def look() -> float:
        looks.append(clock.now())
        return looks[-1]

    def noted(talking: session.ManualSession, angle: float) -> tuple[float, str]:
        looks.clear()
        done = at_speed(talking, angle)
        late.append(sum(max(0.0, b - a - 0.05) for a, b in itertools.pairwise(looks)))
        return done

    monkeypatch.setattr(session, "clock", SimpleNamespace(now=look))
    monkeypatch.setattr(session.ManualSession, "_at_speed", noted)
    with motor(tmp_path, "modbus_drive", keys="gear = 10.0") as one:
        assert talk(monkeypatch, [str(one.path), "crank", "--json"], "enable\nmove -10 deg\nstop\n") == 0
        moved = json.loads(capsys.readouterr().out)["actions"][1]
        assert moved["position"] is None
        # The drive's speed is summed up by looks at it, 20 ms apart: what it turned while this machine could not look nobody knows.
        unknown = session.SPEED * sum(late)
        assert -math.radians(20.0) - unknown < one.shaft.position / 10.0 < -math.radians(7.0) + unknown
        assert abs(one.shaft.velocity) < 0.5
        assert not powered(one)


@pytest.mark.parametrize(("move", "done"), [("-1e-300 deg", False), ("0.5 deg", False), ("0 deg", True), ("1 deg", True)])
def test_less_than_a_speed_can_tell_is_not_turned(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], move: str, done: bool
) -> None:
    """A drive without position turns until its speed, looked at every 20 ms, has summed up: 0.57 deg from one look to the next."""
    with motor(tmp_path, "modbus_drive", keys="gear = 10.0") as one:
        code = talk(monkeypatch, [str(one.path), "crank"], f"enable\nmove {move}\nstop\n")
        assert code == (0 if done else 2)
        if not done:
            assert "move: at least 0.57 deg at a time" in capsys.readouterr().err
            assert abs(one.shaft.position) < 1e-6


@pytest.mark.parametrize(
    ("lines", "code", "words"),
    [
        ("enable\nmove 11 deg\nread\n", 2, "at most 10 deg at a time, got 11 deg; nothing was done"),
        ("move 5 deg\n", 2, "no power; enable it first"),
        ("enable\nenable\n", 2, "it has power already"),
        ("enable\nmove 1 mm\n", 2, "expected an angle"),
        ("enable\nmove 5\n", 2, "move: 5 of what? With its unit, as move 5 deg; nothing was done"),
        ("enable\nmove -0.1\n", 2, "move: -0.1 of what? With its unit, as move -0.1 deg; nothing was done"),
        ("enable\nmove 0_5\n", 2, "expected an angle"),
        ("enable\nmove 0,5\n", 2, "expected an angle"),
        ("enable\nmove 0,5 deg\n", 2, "decimals behind a point, not a comma"),
        ("enable\nspin\n", 2, "expected read, enable, move ANGLE"),
        ("enable\nstop\nenable\n", 3, "stopped by a quick stop; reset the fault"),
    ],
)
def test_a_script_ends_where_something_is_refused(
    servo: Motor, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], lines: str, code: int, words: str
) -> None:
    assert talk(monkeypatch, [str(servo.path)], lines) == code
    assert words in error_of(capsys)
    assert not powered(servo)
    assert abs(servo.shaft.position) < 0.01


def test_the_end_of_input_stops_it(servo: Motor, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert talk(monkeypatch, [str(servo.path)], "enable\n") == 0
    assert "crank: stopped, power off" in capsys.readouterr().out
    assert not powered(servo)


class Terminal:
    """A terminal whose lines come when they are typed."""

    def __init__(self) -> None:
        self._ours, self.theirs = os.pipe()

    def isatty(self) -> bool:
        return True

    def fileno(self) -> int:
        return self._ours

    def type(self, text: str) -> None:
        os.write(self.theirs, text.encode())

    def enable(self, servo: Motor) -> None:
        self.type("enable\n")
        until(lambda: powered(servo), "enabled")


def by_hand(monkeypatch: pytest.MonkeyPatch, person: Any, path: Path) -> int:
    """Runs the command while `person(terminal)` types in a thread of its own."""
    terminal = Terminal()
    monkeypatch.setattr("sys.stdin", terminal)
    typing = threading.Thread(target=person, args=(terminal,))
    typing.start()
    try:
        return commands.main(["talk", str(path)])
    finally:
        os.close(terminal.theirs)
        typing.join(PATIENCE)


def test_enter_stops_a_move_and_the_session_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The move would take 1.7 s: Enter comes long before that."""

    def person(terminal: Terminal) -> None:
        terminal.type("spin\nenable\n")
        until(lambda: powered(servo), "enabled")
        terminal.type("move 10 deg\n")
        until(lambda: servo.shaft.position > 0.01, "moving")
        terminal.type("\n")
        until(lambda: not powered(servo), "stopped")
        terminal.type("read\nquit\n")

    with motor(tmp_path, keys='max_speed = "0.1 rad/s"') as servo:
        assert by_hand(monkeypatch, person, servo.path) == 0
    said = capsys.readouterr().err
    assert "'spin': expected read" in said
    assert "then stopped by hand; power off" in said
    assert servo.shaft.position < LARGEST


def test_an_axis_that_holds_is_kept_alive_and_its_fault_is_told(
    servo: Motor, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nothing is typed for longer than the drive's watchdog waits; then its emergency stop is pressed."""
    assert isinstance(servo.device, ODrive)
    axis = servo.device.axes[0]

    def person(terminal: Terminal) -> None:
        terminal.enable(servo)
        time.sleep(2.5)  # the watchdog's 2 s, and some
        assert powered(servo)
        with servo.side.lock:
            axis.fail(0x4000)
        until(lambda: "emergency stop requested" in "".join(capsys.readouterr().err), "told")
        terminal.type("reset\nenable\n")
        until(lambda: powered(servo), "enabled again")
        terminal.type("quit\n")

    assert by_hand(monkeypatch, person, servo.path) == 0
    assert not powered(servo)


def test_a_line_that_is_pulled_ends_it_with_an_error(
    servo: Motor, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def person(terminal: Terminal) -> None:
        terminal.enable(servo)
        servo.side.unplug()

    assert by_hand(monkeypatch, person, servo.path) == 3
    said = error_of(capsys)
    assert "stops by itself within 2 s" in said
    until(lambda: not powered(servo), "stopped by its own watchdog")


def test_ctrl_c_stops_it_and_takes_the_power(servo: Motor, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    import signal

    def person(terminal: Terminal) -> None:
        terminal.enable(servo)
        terminal.type("move 10 deg\n")
        until(lambda: servo.shaft.position > 0.01, "moving")
        os.kill(os.getpid(), signal.SIGINT)

    assert by_hand(monkeypatch, person, servo.path) == 0
    assert "crank: stopped, power off" in capsys.readouterr().out
    assert not powered(servo)
    assert abs(servo.shaft.velocity) < 0.05


def test_only_ports_that_the_bench_file_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    axes = AXIS.format(name="crank", kind="odrive", port="/dev/another", keys="") + AXIS.format(
        name="slide", kind="tmcl", port="/dev/nosuchport", keys=""
    )
    path = str(written(tmp_path, axes))
    for words, said in (
        ([path], "several axes; there are crank (odrive), slide (tmcl)"),
        ([path, "wheel"], "no such axis wheel"),
        (["slide", "crank", "--bench", path], "give one axis or driver"),
    ):
        assert talk(monkeypatch, words, "read\n") == 2
        assert said in error_of(capsys)
    assert talk(monkeypatch, ["tmcl", "--bench", path], "read\n") == 3
    assert "/dev/nosuchport" in error_of(capsys)


def test_a_virtual_bench_has_its_serial_lines_as_well(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """The four-bar rig: its drive wants the enable line, which is on the watchdog of the simulated device."""
    bench = str(CONFIGS / "benches" / "virtual_four_bar.toml")
    assert talk(monkeypatch, [bench, "--json"], "enable\nmove 10 deg\nstop\n") == 0
    data = json.loads(capsys.readouterr().out)
    assert data["port"].startswith("socket://127.0.0.1:")
    assert [one["verb"] for one in data["actions"]] == ["enable", "move", "stop"]
    assert data["actions"][1]["text"].startswith("moved 1")
    assert data["actions"][2]["text"] == "stopped, power off"


def test_a_person_arms(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    with motor(tmp_path, top='arming = "operator"') as one:
        assert talk(monkeypatch, [str(one.path)], "enable\n") == 2
        assert "expected a person at the terminal, or --arm; nothing was moved" in error_of(capsys)
        assert not one.device.log
        assert talk(monkeypatch, [str(one.path), "--arm"], "read\n") == 0


def test_lines_of_a_file_are_not_lost_at_its_end(tmp_path: Path) -> None:
    file = tmp_path / "lines"
    file.write_text("one\r\ntwo")
    with file.open() as stream:
        typed = ConsoleInput(stream)
        assert [typed.next(PATIENCE), typed.next(PATIENCE)] == ["one", "two"]
        with pytest.raises(EOFError):
            typed.next(PATIENCE)


@pytest.mark.parametrize("word", ["help", "?", " help "])
def test_help_lists_what_can_be_typed_with_the_units_of_the_bench_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], word: str
) -> None:
    """A person who has written rpm reads rpm: 0.5 rad/s are 4.775 rpm. It asks the drive nothing, and is no action."""
    with motor(tmp_path, keys='max_speed = "60 rpm"\nmax_torque = "50 N*cm"\nzero = "0.1 turn"\ntorque_feedback = true') as one:
        assert talk(monkeypatch, [str(one.path), "--json"], f"{word}\nread\n") == 0
        told = capsys.readouterr()
        assert [action["verb"] for action in json.loads(told.out)["actions"]] == ["read"]
        for listed in ("read ", "enable ", "move ANGLE ", "stop ", "fault ", "reset ", "help, ?", "quit "):
            assert f"\n{listed}" in "\n" + told.err.replace("> ", ""), listed
        assert "at most 0.02778 turn at a time, at 4.775 rpm or less" in told.err
        assert "read: at 0.100 turn, speed 0.000 rpm, torque 0 N cm" in told.err.replace("-0.000", "0.000"), told.err


@pytest.mark.parametrize("word", ["halt", "enable now", "MOVE 5 deg", "5 deg", "help me"])
def test_a_word_that_is_none_is_answered_with_the_list(
    servo: Motor, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], word: str
) -> None:
    assert talk(monkeypatch, [str(servo.path)], f"{word}\n") == 2
    expected = f"'{word}': expected read, enable, move ANGLE (as move 5 deg), stop, fault, reset, help or quit"
    assert expected in capsys.readouterr().err
