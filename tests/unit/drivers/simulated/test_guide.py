"""The examples of the guide, run as they stand there."""

from __future__ import annotations

import re

import nidaqmx
import numpy as np
import pytest
from nidaqmx.constants import BridgeElectricalUnits, BridgePhysicalUnits, ForceUnits

from drivers.simulated import serve_devices
from tests.documented_files import DOCS

SECTION = (DOCS / "simulated_daqmx.md").read_text(encoding="utf-8").partition("## Yesterday's measurement")[2].partition("\n## ")[0]
BLOCKS = {kind: re.findall(rf"```{kind}\n(.*?)```", SECTION, re.DOTALL) for kind in ("python", "toml")}
YESTERDAY = "t,pressure,force,door\n0,1,10,0\n0.5,2,20,1\n1.0,3,-30,0\n"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    (tmp_path / "yesterday.csv").write_text(YESTERDAY)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("block", BLOCKS["python"], ids=["signals", "written"])
def test_the_programs_run(block, folder):
    exec(compile(block, "docs/simulated_daqmx.md", "exec"), {})
    # The control: with another signal, or another wave, the same program fails.
    wrong = block.replace("2.0 + 0.5", "1.0 + 0.5", 1) if "pressure" in block else block.replace("[1.0, 2.0, 3.0]", "[1.0, 2.0, 4.0]", 1)
    wrong = wrong.replace("pressure(np.arange(200) / 1000.0)", "2.0 + 0.5 * np.sin(2 * np.pi * 5.0 * np.arange(200) / 1000.0)")
    with pytest.raises(AssertionError):
        exec(compile(wrong, "docs/simulated_daqmx.md", "exec"), {})


def test_the_file_of_devices_plays_yesterday(folder):
    (file,) = BLOCKS["toml"]
    (folder / "devices.toml").write_text(file)
    with serve_devices(folder / "devices.toml") as bench, nidaqmx.Task(grpc_options=bench.grpc_options) as task:
        task.ai_channels.add_ai_voltage_chan("Dev1/ai0")
        task.timing.cfg_samp_clk_timing(2.0, samps_per_chan=5)
        np.testing.assert_allclose(task.read(5), np.array([1.0, 2.0, 3.0, 1.0, 2.0]) * 0.05, atol=3e-4)
    with serve_devices(folder / "devices.toml") as bench, nidaqmx.Task(grpc_options=bench.grpc_options) as task:
        task.ai_channels.add_ai_force_bridge_two_point_lin_chan(
            "PXI1Slot2/ai0", min_val=-50e3, max_val=50e3, units=ForceUnits.NEWTONS, second_electrical_val=2.0,
            electrical_units=BridgeElectricalUnits.MILLIVOLTS_PER_VOLT, second_physical_val=50e3,
            physical_units=BridgePhysicalUnits.NEWTONS,
        )  # fmt: skip
        task.timing.cfg_samp_clk_timing(1000.0, samps_per_chan=1001)
        np.testing.assert_allclose(np.array(task.read(1001))[[0, 250, 500, 1000]], [10e3, 15e3, 20e3, -30e3], atol=5.0)
    with serve_devices(folder / "devices.toml") as bench, nidaqmx.Task(grpc_options=bench.grpc_options) as task:
        task.di_channels.add_di_chan("Dev1/port0/line0")
        task.timing.cfg_samp_clk_timing(10.0, samps_per_chan=12)
        assert task.read(12) == [False] * 6 + [True] * 5 + [False]


def test_every_key_of_a_signal_is_in_the_table():
    from drivers.simulated.signals.signal_tables import KEYS

    told = {word for row in re.findall(r"^\| (`.*?) \|", SECTION, re.MULTILINE) for word in re.findall(r"`(\w+)`", row)} - {"signal"}
    assert told == {*KEYS}
