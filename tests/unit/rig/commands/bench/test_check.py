"""`rig check` against simulated devices with a plant that tells what reached it."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import psutil
import pytest
from numpy.typing import NDArray

from drivers.simulated.clock import BenchClock
from drivers.simulated.daqmx.engine.engine import Engine
from drivers.simulated.daqmx.service.server import serve
from rig import commands
from rig.config import load

EXPERIMENT = str(Path(__file__).parents[5] / "configs" / "experiments" / "linkage.toml")
VOLTS = (0.4, 0.8, -0.2, 0.0, 0.1, 0.0, 0.0)


class Witness:
    """Constant sensors; remembers every volt and every line that was not at rest."""

    analogue_inputs = ("command",)
    analogue_outputs = (
        "force_monitor", "actuator_force_monitor", "stroke_monitor", *(f"accelerometer_{n}" for n in (1, 2, 3)), "command_monitor",
    )  # fmt: skip
    digital_inputs = ("hydraulics", "mode_stroke", "interlock", "program_run", "heartbeat", "hydraulics_high")
    digital_outputs = ("interlock_ok", "hydraulics_on", "estop_ok")

    def __init__(self) -> None:
        self.driven: list[Any] = []
        self.calls = 0

    def advance(self, times: NDArray[np.float64], volts: NDArray[np.float64], lines: NDArray[np.bool_]) -> NDArray[np.float64]:
        self.calls += 1
        if volts.any() or lines.any():
            self.driven.append((volts.copy(), lines.copy()))
        return np.tile(VOLTS, (len(times), 1))

    def read_lines(self) -> NDArray[np.bool_]:
        return np.array([False, False, True])

    def take_events(self) -> list[tuple[float, str, str]]:
        return []


@pytest.fixture(params=["real", "lockstep"])
def bench(request: pytest.FixtureRequest) -> Iterator[tuple[Witness, Engine, str, str]]:
    """(plant, engine, address, pace) of a served device."""
    described = load(EXPERIMENT).bench
    witness = Witness()
    wiring = {wire.terminal: wire.signal for wire in described.wiring}
    engine = Engine([("Dev1", "PCIe-6363")], wiring, witness, BenchClock(request.param))
    server = serve(engine)
    yield witness, engine, f"127.0.0.1:{server.port}", request.param
    server.stop()


def check(address: str, pace: str, *more: str) -> int:
    return commands.main(["check", EXPERIMENT, "--set", f"bench.address={address}", "--set", f"bench.pace={pace}", *more])


def test_reads_every_channel_and_drives_nothing(bench: Any, capsys: pytest.CaptureFixture[str]) -> None:
    witness, engine, address, pace = bench
    assert check(address, pace, "--json") == 0
    data = json.loads(capsys.readouterr().out)
    rows = {row["channel"]: row for row in data["channels"]}
    assert list(rows)[:3] == ["transmitted_force", "actuator_force", "stroke"]
    assert rows["transmitted_force"]["value"] == pytest.approx(10e3, abs=10.0)
    assert rows["stroke"]["value"] == pytest.approx(-1e-3, abs=1e-6)
    assert rows["acceleration_2"]["value"] == pytest.approx(98.07, abs=0.5)
    assert rows["transmitted_force"]["sensor"] == "simulated load cell 250 kN LC-1"
    assert rows["transmitted_force"]["calibrated"] == "2026-01-15"
    assert rows["transmitted_force"]["limits"] == [{"minimum": -60e3, "maximum": 60e3, "rate": None, "action": "interlock"}]
    assert data["lines"] == {"interlock_ok": False, "hydraulics_on": False, "estop_ok": True}
    assert data["rate_hz"] == pytest.approx(51200.0, rel=1e-4)
    assert witness.calls > 0
    assert witness.driven == []
    assert not engine.tasks
    assert not engine.watchdogs


def test_the_table_names_what_a_person_looks_for(bench: Any, capsys: pytest.CaptureFixture[str]) -> None:
    _, _, address, pace = bench
    assert check(address, pace) == 0
    text = capsys.readouterr().out
    (line,) = [line for line in text.splitlines() if line.startswith("stroke ")]
    assert line.split()[2] == "mm"
    (force,) = [line for line in text.splitlines() if line.startswith("transmitted_force ")]
    expanded = math.hypot(2 * 0.005 * 10e3 / 3**0.5, 50.0)  # class 0.5: a bound of 0.5 %; and of the zero
    assert abs(float(force.split()[3]) * 1e3 - expanded) < 3.0, "in kN, as the bench file has it"
    assert "simulated LVDT 50 mm ST-1" in line
    assert "-5..5 rate 500/s interlock" in line
    assert "estop_ok high" in text


def test_a_value_outside_its_limit_and_an_expired_sensor_are_warned_of(bench: Any, capsys: pytest.CaptureFixture[str]) -> None:
    _, _, address, pace = bench
    more = ["--set", "limits.actuator_force.maximum=15 kN", "--set", "bench.channels.stroke.sensor.expires=2001-01-01"]
    assert check(address, pace, *more) == 0
    said = capsys.readouterr().err
    assert "actuator_force: 20.0" in said
    assert " kN is outside its stop limit already" in said
    assert "is outside its stop limit already" in said
    assert "stroke: calibration of its sensor simulated LVDT 50 mm ST-1 expired on 2001-01-01" in said


def test_a_device_or_a_server_that_is_not_there_is_one_message(
    bench: Any, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    _, _, address, pace = bench
    assert check(address, pace, "--set", "bench.daq.device=Dev7") == 3
    said = capsys.readouterr()
    assert "no device 'Dev7'" in said.err
    assert "Traceback" not in said.err
    monkeypatch.setattr("drivers.daq.session.CONNECT_TIMEOUT", 0.3)
    assert check("127.0.0.1:1", pace) == 3
    assert "no device server answers at 127.0.0.1:1" in capsys.readouterr().err


def test_simulated_hardware_comes_and_goes_with_the_check(capsys: pytest.CaptureFixture[str]) -> None:
    before = {child.pid for child in psutil.Process().children(recursive=True)}
    assert commands.main(["check", EXPERIMENT]) == 0
    assert "Virtual servo-hydraulic loader, 250 kN (virtual)" in capsys.readouterr().out
    assert commands.main(["check", EXPERIMENT, "--set", "bench.wiring.Dev1/ao0.signal=valv"]) == 2
    said = capsys.readouterr().err
    assert "virtual_loader.toml: wiring: Dev1/ao0 -> valv: no such signal" in said
    assert {child.pid for child in psutil.Process().children(recursive=True)} <= before
