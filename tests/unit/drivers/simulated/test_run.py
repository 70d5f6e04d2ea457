"""A program that is written for the local driver, run as it is on simulated devices."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from drivers.simulated.run import main

ROOT = Path(__file__).parents[4]
CARD = ROOT / "configs" / "devices" / "x_series.toml"
# Everything that takes gRPC options: tasks, the system and its devices, physical channels, scales, watchdogs.
PROGRAM = """
import sys
import nidaqmx
import nidaqmx.system
from nidaqmx.system import Device, PhysicalChannel
from nidaqmx.system.watchdog import WatchdogTask

print(sys.argv[1:], [device.name for device in nidaqmx.system.System.local().devices])
print(Device("Dev1").product_type, PhysicalChannel("Dev1/port0").di_port_width)
with nidaqmx.Task() as output, nidaqmx.Task("named") as inputs:
    output.ao_channels.add_ao_voltage_chan("Dev1/ao0")
    inputs.ai_channels.add_ai_voltage_chan("Dev1/ai0")
    output.write(1.5)
    print(round(inputs.read(), 2), inputs.name)
with WatchdogTask("Dev1", timeout=5.0) as dog:
    print(dog.timeout)
raise SystemExit(7)
"""

LEFT_RUNNING = """
import threading
import nidaqmx
from nidaqmx.constants import AcquisitionType

called = threading.Event()
task = nidaqmx.Task()
task.ai_channels.add_ai_voltage_chan("Dev1/ai1")
task.timing.cfg_samp_clk_timing(1000.0, sample_mode=AcquisitionType.CONTINUOUS)
task.register_every_n_samples_acquired_into_buffer_event(100, lambda *event: called.set() or 0)
task.start()
print("called back" if called.wait(30.0) else "not called")
raise SystemExit(7)
"""


def run(*arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "drivers.simulated.run", *map(str, arguments)]
    return subprocess.run(
        command, capture_output=True, text=True, timeout=60.0, check=False, cwd=ROOT, env={**os.environ, "COLUMNS": "200"}
    )


def test_a_program_runs_as_it_is(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    done = run("--devices", CARD, program, "--its", "own")
    assert done.stdout.splitlines() == ["['--its', 'own'] ['Dev1']", "PCIe-6363 32", "1.5 named", "5.0"], done.stderr
    assert done.returncode == 7


def test_a_program_ends_though_events_are_registered(tmp_path: Path) -> None:
    # The driver calls back from threads of its own, which keep no Python alive; the stock client of a server waits for its own for ever.
    program = tmp_path / "program.py"
    program.write_text(LEFT_RUNNING)
    done = run("--devices", CARD, program)
    assert (done.stdout, done.returncode) == ("called back\n", 7), done.stderr


def test_what_cannot_be_run_is_one_message(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program = tmp_path / "program.py"
    program.write_text("")
    for arguments, words in (
        (("--devices", tmp_path / "none.toml", program), "no such devices file"),
        (("--devices", CARD, tmp_path / "none.py"), "no such program"),
    ):
        assert main([*map(str, arguments)]) == 2
        said = capsys.readouterr().err
        assert words in said and "Traceback" not in said
    done = run("--devices", CARD)
    assert done.returncode == 2 and "the following arguments are required: PROGRAM\n" in done.stderr and "Traceback" not in done.stderr
