"""Two hundred tests that use the pytest plugin, for runs of many workers: each kind of task, faults, code that knows of no server."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

TESTS = 200
LAB = """
import threading

import nidaqmx
import numpy as np
import pytest
from nidaqmx import constants as c
from nidaqmx.errors import DaqError
from nidaqmx.system import System

pytestmark = pytest.mark.daqmx(wiring={"Dev1/ai0": "Dev1/ao0", "Dev1/PFI0": "Dev1/PFI12", "Dev1/port0/line0": "Dev1/port0/line1"})
TWENTY = pytest.mark.parametrize("n", range(20))


def clocked(count, rate=1000.0, mode=c.AcquisitionType.FINITE):
    task = nidaqmx.Task("measure")
    task.ai_channels.add_ai_voltage_chan("Dev1/ai0")
    task.timing.cfg_samp_clk_timing(rate, sample_mode=mode, samps_per_chan=count)
    return task


@TWENTY
def test_a_level_comes_back(daqmx_local, n):
    with nidaqmx.Task() as output, nidaqmx.Task() as inputs:
        output.ao_channels.add_ao_voltage_chan("Dev1/ao0")
        inputs.ai_channels.add_ai_voltage_chan("Dev1/ai0", min_val=-10, max_val=10)
        output.write(n / 4.0)
        assert inputs.read() == pytest.approx(n / 4.0, abs=1e-3)


@TWENTY
def test_a_finite_measurement(daqmx_local, n):
    with clocked(100 + n) as task:
        assert len(task.read(100 + n)) == 100 + n
        assert task.is_task_done()


@TWENTY
def test_a_wave_comes_back(daqmx_local, n):
    wave = np.sin(2.0 * np.pi * np.arange(50) / 50) * (1.0 + n / 10.0)
    with nidaqmx.Task() as output, clocked(100) as inputs:
        output.ao_channels.add_ao_voltage_chan("Dev1/ao0")
        output.timing.cfg_samp_clk_timing(
            1000.0, "/Dev1/ai/SampleClock", sample_mode=c.AcquisitionType.CONTINUOUS, samps_per_chan=50
        )
        output.write(wave)
        output.start()
        found = np.array(inputs.read(100))
        assert np.abs(found).max() == pytest.approx(1.0 + n / 10.0, rel=0.01)


@TWENTY
def test_pulses_are_counted(daqmx_local, n):
    with nidaqmx.Task() as pulses, nidaqmx.Task() as counter:
        counter.ci_channels.add_ci_count_edges_chan("Dev1/ctr1").ci_count_edges_term = "/Dev1/PFI0"
        pulses.co_channels.add_co_pulse_chan_freq("Dev1/ctr0", freq=1000.0)
        pulses.timing.cfg_implicit_timing(samps_per_chan=10 + n)
        counter.start()
        pulses.start()
        pulses.wait_until_done()
        assert counter.read() == 10 + n


@TWENTY
def test_a_line_comes_back(daqmx_local, n):
    with nidaqmx.Task() as output, nidaqmx.Task() as inputs:
        output.do_channels.add_do_chan("Dev1/port0/line1")
        inputs.di_channels.add_di_chan("Dev1/port0/line0")
        output.write(bool(n % 2))
        assert inputs.read() is bool(n % 2)


@TWENTY
def test_events_come(daqmx_local, n):
    came = threading.Event()
    with clocked(1000, mode=c.AcquisitionType.CONTINUOUS) as task:
        def called(handle, kind, count, data):
            came.set()
            return 0
        task.register_every_n_samples_acquired_into_buffer_event(100, called)
        task.start()
        assert len(task.read(200)) == 200
        assert came.wait(60.0)
        task.stop()


@TWENTY
def test_an_overrun(daqmx_local, n):
    daqmx_local.faults.overrun("Dev1", after=0.01 * (1 + n))
    with clocked(500, mode=c.AcquisitionType.CONTINUOUS) as task, pytest.raises(DaqError) as raised:
        task.read(500)
    assert raised.value.error_code == -200279


@TWENTY
def test_a_time_out(daqmx_local, n):
    with clocked(500) as task, daqmx_local.faults.timeout("Dev1", after=0.01 * n), pytest.raises(DaqError) as raised:
        task.read(500)
    assert raised.value.error_code == -200284


@TWENTY
def test_a_device_that_is_gone(daqmx_local, n):
    with clocked(5) as task, daqmx_local.faults.device_gone("Dev1"), pytest.raises(DaqError) as raised:
        task.read(5)
    assert raised.value.error_code == -201003


@TWENTY
@pytest.mark.daqmx(devices={"cDAQ1": "cDAQ-9189", "Slot2": "PXIe-4331"}, wiring={})
def test_other_devices(daqmx_local, n):
    assert [device.product_type for device in System.local().devices] == ["cDAQ-9189", "PXIe-4331"]
    with daqmx_local.faults.open_sensor("Slot2/ai0"), nidaqmx.Task() as task:
        task.ai_channels.add_ai_bridge_chan("Slot2/ai0", min_val=-0.025, max_val=0.025, voltage_excit_val=10.0)
        task.timing.cfg_samp_clk_timing(2000.0, samps_per_chan=10)
        assert task.read(10) == pytest.approx([0.025] * 10, abs=1e-6)
"""


def run(folder: Path, plugin: Sequence[str], workers: int = 4, python: str = sys.executable) -> dict[str, float]:
    """The outcome of all of them once, by pytest's last line: how many of each, and `seconds`; `plugin`: what loads it."""
    (folder / "test_lab.py").write_text(LAB)
    command = [python, "-m", "pytest", "-q", "-p", "no:cacheprovider", *plugin, "-n", str(workers), "test_lab.py"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=1800.0, check=False, env={**os.environ})
    last = done.stdout.strip().splitlines()[-1] if done.stdout.strip() else done.stderr[-2000:]
    found = {word: float(count) for count, word in re.findall(r"(\d+) ([a-z]+)", last)}
    seconds = re.search(r"in ([\d.]+)s", last)
    if found.keys() != {"passed"}:
        print(done.stdout[-6000:], done.stderr[-2000:])
    return {**{word: count for word, count in found.items() if word != "s"}, "seconds": float(seconds[1]) if seconds else 0.0}


if __name__ == "__main__":  # [PYTHON] [TIMES]: of an environment that has the plugin installed
    import tempfile

    times = int(sys.argv[2]) if len(sys.argv) > 2 else 10
    with tempfile.TemporaryDirectory() as place:
        for number in range(times):
            print(number + 1, run(Path(place), (), python=sys.argv[1] if len(sys.argv) > 1 else sys.executable), flush=True)
