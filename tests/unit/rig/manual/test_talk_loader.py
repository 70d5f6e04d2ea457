"""`rig talk` with a loader on a line: small ramps of its stroke, held where the force changes, and no pressure afterwards."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from drivers.axes.axis import Guard
from drivers.errors import Refused
from drivers.loaders import instron
from drivers.simulated.loaders.instron import Instron
from drivers.simulated.plant.load_frame import FrameParameters, SmallFrame
from drivers.simulated.serial.serial_side import Fault, SerialSide
from rig import commands
from rig.manual.loader_axis import SHARE, STROKE, LoaderAxis
from rig.manual.session import ManualSession, NotAllowed
from tests.unit.rig.hardware.still_bench import CONFIGS, error_of

SOFT = 1e5
"""N/m: a specimen that gives way; 2 mm are 200 N."""
BENCH = """
title = "loader"
[daq]
kind = "ni_daq"
[loader]
kind = "instron"
port = "{port}"
pause = "2 ms"
reply_timeout = "1 s"
start_output = "Dev1/ao0"
[[channels]]
name = "transmitted_force"
unit = "N"
terminal = "Dev1/ai0"
[channels.sensor]
sensitivity = "10 kN/V"
[[channels]]
name = "stroke"
unit = "m"
terminal = "Dev1/ai1"
[channels.sensor]
sensitivity = "5 mm/V"
"""


@dataclass
class Frame:
    """The device side of a loader, and the session with it."""

    device: Instron
    side: SerialSide
    frame: SmallFrame
    talk: ManualSession


@pytest.fixture
def loader() -> Iterator[Frame]:
    frame = SmallFrame(FrameParameters(stiffness=SOFT))
    device = Instron(frame)
    with SerialSide(device) as side:
        made = instron.Config(side.url, pause=2e-3, reply_timeout=1.0).create("stroke")
        axis = LoaderAxis(made, None, lambda: None)
        axis.connect()
        yield Frame(device, side, frame, ManualSession(axis, lambda: False, lambda: None, STROKE))
        axis.close()


def test_a_session_from_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    device = Instron(SmallFrame(FrameParameters(stiffness=SOFT)))
    with SerialSide(device) as side:
        bench = tmp_path / "bench.toml"
        bench.write_text(BENCH.format(port=side.url), encoding="utf-8")
        monkeypatch.setattr("sys.stdin", io.StringIO("read\nenable\nmove 0.4 mm\nmove -100 um\nfault\nstop\nquit\n"))
        assert commands.main(["talk", str(bench), "--json"]) == 0
    told = capsys.readouterr()
    data = json.loads(told.out)
    assert (data["axis"], data["drive"], data["stops_within_s"]) == ("loader", "instron", 2.0)
    stroke = [one["position"] for one in data["actions"]]
    assert stroke[2] == pytest.approx(0.4e-3, abs=2e-5) and stroke[3] == pytest.approx(0.3e-3, abs=2e-5)
    assert data["actions"][2]["torque"] == pytest.approx(40.0, abs=4.0), "the force"
    assert "move STROKE (at most 2 mm, at 1 mm/s or less)" in told.err and "moved 0.40 mm, asked 0.40 mm" in told.err


def test_too_far_and_without_pressure_nothing_is_done(loader: Frame) -> None:
    with pytest.raises(NotAllowed, match=r"at most 2 mm at a time, got 2\.5 mm; nothing was done"):
        loader.talk.do("move 2.5 mm")
    with pytest.raises(NotAllowed, match="no power; enable it first"):
        loader.talk.do("move 1 mm")
    with pytest.raises(NotAllowed, match="expected 1 mm or the like"):
        loader.talk.do("move nan")
    assert loader.frame.stroke == 0.0


def test_what_is_in_the_way_stops_it(loader: Frame) -> None:
    loader.talk.do("enable")
    stiff = 1.5 * SHARE * loader.talk.driver._loader.config.force_full_scale / STROKE.largest
    loader.frame.parameters = FrameParameters(stiffness=stiff)
    with pytest.raises(Refused, match=r"the force went from .* to .* N, by more than 2000 N in a move by hand; it was stopped there"):
        loader.talk.do("move 2 mm")
    assert 0.5e-3 < loader.frame.stroke < 1.9e-3
    assert not loader.talk.driver._loader.moving()
    assert loader.talk.finish() == []


def test_a_person_stops_it(loader: Frame) -> None:
    loader.talk.do("enable")
    calls = iter([False, False, True])
    loader.talk.called = lambda: next(calls, True)
    told = loader.talk.do("move 2 mm")
    assert "then stopped by hand; power off" in told
    assert loader.frame.stroke < 1.0e-3
    assert loader.talk.driver._loader._readings.number("Q23") == 0.0, "no pressure"


def test_the_end_takes_the_pressure_away_whatever_happened(loader: Frame) -> None:
    loader.talk.do("enable")
    assert loader.talk.driver._loader._readings.number("Q23") == 1.0
    loader.side.fault = Fault("silent", 2)
    told = loader.talk.finish()
    assert len(told) <= 1 and all("no reply" in text for text in told), "what was not confirmed is told, and the rest is done"
    assert loader.talk.powered is False
    again = instron.Config(loader.side.url, pause=2e-3, reply_timeout=1.0).create("stroke")
    again.connect()
    assert again._readings.number("Q23") == 0.0
    again.close()


def test_faults_are_cleared_at_the_panel(loader: Frame) -> None:
    with pytest.raises(Refused, match="cleared at its panel"):
        loader.talk.do("reset")
    assert "no fault" in loader.talk.do("fault")


def test_an_enable_line_rises_first_and_falls_last() -> None:
    said: list[dict[str, bool]] = []

    class Lines:
        def write_lines(self, states: dict[str, bool]) -> None:
            said.append(states)

    with SerialSide(Instron(SmallFrame())) as side:
        made = instron.Config(side.url, pause=2e-3, reply_timeout=1.0, enable_line="Dev1/port0/line0").create("stroke")
        axis = LoaderAxis(made, Guard(Lines(), 0.5), lambda: None)  # type: ignore[arg-type]
        axis.connect()
        assert axis.stops_within == 0.5
        axis.enable()
        axis.disable()
        axis.close()
    assert said == [{"loader_enable": True}, {"loader_enable": False}]


def test_an_analogue_loader_is_not_talked_to(capsys: pytest.CaptureFixture[str]) -> None:
    bench = str(CONFIGS / "benches" / "virtual_loader.toml")
    assert commands.main(["talk", bench]) == 2
    assert "loader: a servo_loader hangs on outputs of the DAQ device" in error_of(capsys)
