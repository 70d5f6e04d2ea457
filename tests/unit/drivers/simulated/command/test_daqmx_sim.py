"""The command `daqmx-sim`, as a process of its own; what it only tells is asked of it in this one."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import grpc
import nidaqmx
import pytest
from nidaqmx.system.watchdog import WatchdogTask

from drivers.files import user_settings
from drivers.files.text_files import Unusable
from drivers.simulated.command.main import main

ROOT = Path(__file__).parents[5]
CARD = ROOT / "configs" / "devices" / "x_series.toml"
COMMAND = (sys.executable, "-m", "drivers.simulated.command.main")
BAD = """
pace = "slow"
[[devices]]
name = "Dev1"
product = "PCIe-6364"
[[devices]]
product = "PCIe-6363"
[[wiring]]
terminal = "Dev1/ai0"
"""
OWN_DRIVERS = """
import sys
from drivers.camera import SHOTS
import nidaqmx
from nidaqmx.system import System

with nidaqmx.Task() as task:
    task.ai_channels.add_ai_voltage_chan("Dev1/ai0")
    print(SHOTS, type(task.read()).__name__, [device.product_type for device in System.local().devices])
    print([name for name in sys.modules if name.startswith("drivers.simulated")])
"""


def daqmx_sim(*arguments: object, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Run it to its end."""
    env = {**os.environ, "COLUMNS": "200"}
    return subprocess.run(
        [*COMMAND, *map(str, arguments)], capture_output=True, text=True, timeout=120.0, check=False, env=env, cwd=cwd or ROOT
    )


@pytest.fixture
def asked(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Callable[..., subprocess.CompletedProcess[str]]:
    """As `daqmx_sim`, without the half second that a process takes to begin."""
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setenv("GRPC_VERBOSITY", "NONE")

    def ask(*arguments: object) -> subprocess.CompletedProcess[str]:
        code = main([*map(str, arguments)])
        said = capsys.readouterr()
        return subprocess.CompletedProcess([*map(str, arguments)], code, said.out, said.err)

    return ask


class Serving:
    """`daqmx-sim serve`; `lines`: what it prints up to its address."""

    def __init__(self, *arguments: object) -> None:
        self._process = subprocess.Popen([*COMMAND, "serve", *map(str, arguments)], stdout=subprocess.PIPE, text=True, cwd=ROOT)
        assert self._process.stdout is not None
        self.lines: list[str] = []
        while not self.lines or not self.lines[-1].startswith("listening"):
            line = self._process.stdout.readline()
            assert line, f"it has ended with {self._process.wait()}: {self.lines}"
            self.lines.append(line.strip())
        self.address = self.lines[-1].removeprefix("listening ")

    def end(self, number: int = signal.SIGTERM) -> int:
        """Its exit code."""
        self._process.send_signal(number)
        return self._process.wait(60.0)


@pytest.fixture
def serving() -> Iterator[list[Serving]]:
    """Those that a test has started; ended at the end."""
    started: list[Serving] = []
    yield started
    for one in started:
        one.end(signal.SIGKILL)


def test_devices_are_served_until_it_is_told_to_end(serving: list[Serving], tmp_path: Path) -> None:
    log = tmp_path / "devices.log"
    serving.append(server := Serving("--devices", CARD, "--port", 0, "--log", log))
    assert server.lines[0] == f"devices: Dev1 (PCIe-6363) ({CARD})"
    assert server.address.startswith("127.0.0.1:") and not server.address.endswith(":0")
    with grpc.insecure_channel(server.address) as channel:
        options = nidaqmx.GrpcSessionOptions(channel, "")
        with WatchdogTask("Dev1", timeout=0.1, grpc_options=options) as dog:
            dog.start()
            while not dog.expired:
                pass
    assert daqmx_sim("ping", server.address).stdout == f"{server.address}: Dev1 (PCIe-6363)\n"
    assert server.end() == 0
    told = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]
    assert [(line["source"], line["text"]) for line in told] == [("Dev1", "watchdog expired")]
    silent = daqmx_sim("ping", server.address, "--timeout", 1)
    assert silent.returncode == 1 and "no device server answers within 1 s" in silent.stderr


def test_without_a_file_there_is_a_card_and_that_is_said(serving: list[Serving]) -> None:
    serving.append(server := Serving("--port", 0, "--pace", "lockstep"))
    assert server.lines[:2] == ["devices: Dev1 (PCIe-6363) (the default, as no --devices FILE was given)", "pace: lockstep"]
    assert server.end(signal.SIGINT) == 0


def test_it_listens_beyond_this_machine_only_where_it_is_told_to(serving: list[Serving]) -> None:
    serving.append(server := Serving("--port", 0, "--host", "0.0.0.0"))
    assert server.address.startswith("0.0.0.0:")
    assert daqmx_sim("ping", f"localhost:{server.address.rpartition(':')[2]}").returncode == 0


def test_a_port_in_use_is_one_message(asked: Callable[..., subprocess.CompletedProcess[str]]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = daqmx_sim("serve", "--port", port)
    assert (
        done.returncode == 2 and done.stderr == f"device server: port {port} of 127.0.0.1 cannot be opened; is another program using it?\n"
    )
    assert asked("serve", "--port", 70000).stderr == "serve: --port: expected 0 to 65535, got 70000\n"
    assert "--host: expected an address of this machine" in asked("serve", "--port", 0, "--host", "nonsense").stderr
    assert "the log cannot be written" in asked("serve", "--port", 0, "--log", ROOT / "none" / "x.log").stderr


def test_a_program_runs_with_a_package_drivers_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "drivers").mkdir()
    (tmp_path / "drivers" / "__init__.py").write_text("")
    (tmp_path / "drivers" / "camera.py").write_text("SHOTS = 7\n")
    (tmp_path / "program.py").write_text(OWN_DRIVERS)
    done = daqmx_sim("run", tmp_path / "program.py")
    assert done.stdout.splitlines() == ["7 float ['PCIe-6363']", "[]"], done.stderr
    assert "run: devices: Dev1 (PCIe-6363), as no --devices FILE was given" in done.stderr


def test_a_module_runs_as_well(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "test_lab.py").write_text(
        "from nidaqmx.system import System\ndef test_it():\n    assert [d.name for d in System.local().devices] == ['Dev1']\n"
    )
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    done = daqmx_sim("run", "--devices", CARD, "-m", "pytest", "-q", "-p", "no:cacheprovider", tmp_path)
    assert "1 passed" in done.stdout and done.returncode == 0, done.stdout + done.stderr


def test_all_that_is_wrong_with_a_file_is_told_at_once(tmp_path: Path, asked: Callable[..., subprocess.CompletedProcess[str]]) -> None:
    file = tmp_path / "bad.toml"
    file.write_text(BAD)
    done = asked("check", file)
    assert done.returncode == 2 and done.stdout == ""
    lines = done.stderr.splitlines()
    for words in (
        "pace: expected one of real, lockstep",
        "no product 'PCIe-6364'",
        "devices[1].name: missing",
        "wiring[0].signal: missing",
    ):
        assert sum(words in line for line in lines) == 1, (words, lines)
    loose = tmp_path / "loose.toml"
    loose.write_text(CARD.read_text(encoding="utf-8") + '[[wiring]]\nterminal = "Dev1/ai99"\nsignal = "Dev1/ao0"\n', encoding="utf-8")
    assert "Dev1/ai99: no such terminal" in asked("check", loose).stderr
    right = daqmx_sim("check", CARD)
    assert right.returncode == 0 and right.stdout.startswith(f"{CARD}: in order: Dev1 (PCIe-6363); wires: 2;")


def test_products_are_listed_and_told(asked: Callable[..., subprocess.CompletedProcess[str]]) -> None:
    """Figures: "NI 6363 Specifications"."""
    listed = asked("products").stdout
    assert "PCIe-6363    X_SERIES_DAQ           32 AI 16 bit 2 MS/s; 4 AO 2.857 MS/s; 48 DIO; 4 counters\n" in listed
    told = asked("products", "pcie-6363").stdout
    for words in ("+-0.1 V, +-0.2 V, +-0.5 V, +-1 V, +-2 V, +-5 V, +-10 V", "all channels together 1 MS/s", "32 bit, timebase 100 MHz"):
        assert words in told
    wrong = daqmx_sim("products", "PCIe-6362")
    assert wrong.returncode == 2 and "no product 'PCIe-6362'; did you mean PCIe-636" in wrong.stderr


def test_the_version_names_what_decides_how_it_behaves() -> None:
    assert daqmx_sim("--version").stdout.startswith("daqmx-sim (clearance-rig ")


def test_a_user_who_may_not_enter_their_home_has_no_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As that of a container, or of a service; what a variable names has to be there all the same."""

    def refused(self: Path) -> bool:
        raise PermissionError(13, "Permission denied")

    monkeypatch.delenv(user_settings.VARIABLE, raising=False)
    monkeypatch.setattr(Path, "is_file", refused)
    assert user_settings.folders() == ()
    monkeypatch.setenv(user_settings.VARIABLE, str(tmp_path / "settings.toml"))
    with pytest.raises(Unusable, match="no such settings file"):
        user_settings.folders()
