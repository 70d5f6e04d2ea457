"""Devices for the tests of somebody else: from a file, from names, and for a program that knows of no server."""

from __future__ import annotations

import socket
import subprocess
import sys
import threading
from pathlib import Path

import nidaqmx
import pytest
from nidaqmx.constants import LineGrouping, UsageTypeAI
from nidaqmx.error_codes import DAQmxErrors
from nidaqmx.errors import DaqError
from nidaqmx.system import System
from nidaqmx.system.watchdog import WatchdogTask

from drivers.errors import Refused
from drivers.simulated import serve_devices
from drivers.simulated.daqmx.service.server import serve
from drivers.simulated.device_file import BadDeviceFile, read
from drivers.simulated.serving import SimulatedDevices, engine_of, setup_of

FILES = sorted((Path(__file__).parents[4] / "configs" / "devices").iterdir())


@pytest.fixture
def daq():
    with serve_devices({"Dev1": "PCIe-6363"}, {"Dev1/ai0": "Dev1/ao0"}, pace="lockstep") as bench:
        yield bench.grpc_options


def test_the_fixture_of_the_guide(daq):
    with nidaqmx.Task(grpc_options=daq) as output, nidaqmx.Task(grpc_options=daq) as inputs:
        output.ao_channels.add_ao_voltage_chan("Dev1/ao0")
        inputs.ai_channels.add_ai_voltage_chan("Dev1/ai0")
        output.write(2.5)
        assert inputs.read() == pytest.approx(2.5, abs=1e-3)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_every_file_of_devices_is_served_and_measures(file):
    setup = read(file)
    with serve_devices(file, pace="lockstep", port=0) as bench:
        assert [device.name for device in bench.system.devices] == [entry.name for entry in setup.devices]
        for device in bench.system.devices:
            for channel in device.ai_physical_chans.channel_names[:1]:
                with nidaqmx.Task(grpc_options=bench.grpc_options) as task:
                    if UsageTypeAI.FORCE_BRIDGE in device.ai_meas_types:
                        task.ai_channels.add_ai_force_bridge_two_point_lin_chan(channel)
                    else:
                        task.ai_channels.add_ai_voltage_chan(channel, min_val=-1.0, max_val=1.0)
                    task.timing.cfg_samp_clk_timing(2000.0, samps_per_chan=50)
                    assert len(task.read(50)) == 50
            if device.di_lines.channel_names:
                with nidaqmx.Task(grpc_options=bench.grpc_options) as lines:
                    lines.di_channels.add_di_chan(device.di_lines.channel_names[0], line_grouping=LineGrouping.CHAN_PER_LINE)
                    assert lines.read() in (False, True)


def test_time_can_be_let_go_on_where_nobody_waits():
    with serve_devices({"Dev1": "PCIe-6363"}, pace="lockstep") as bench:
        with nidaqmx.Task(grpc_options=bench.grpc_options) as task:
            task.ai_channels.add_ai_voltage_chan("Dev1/ai0")
            task.timing.cfg_samp_clk_timing(1000.0, samps_per_chan=500)
            task.start()
            bench.advance(0.4)
            assert not task.is_task_done()
            bench.advance(0.2)
            assert task.is_task_done()
        with WatchdogTask("Dev1", timeout=0.5, grpc_options=bench.grpc_options) as dog:
            dog.start()
            bench.advance(0.49)
            assert not dog.expired
            bench.advance(0.02)
            assert dog.expired
    with serve_devices({"Dev1": "PCIe-6363"}) as bench, pytest.raises(RuntimeError, match="pace 'real'"):
        bench.advance(1.0)


def test_nothing_is_left_when_it_ends():
    before = {thread.name for thread in threading.enumerate()}
    for _ in range(3):
        with serve_devices({"Dev1": "PCIe-6363"}) as bench:
            assert len(bench.system.devices) == 1
            assert bench.address.rpartition(":")[2].isdigit()
    left = {t.name for t in threading.enumerate() if t.name.startswith(("bench pacer", "daqmx"))} - before
    deadline = threading.Event()
    while left and not deadline.wait(0.05):  # a worker's thread ends a moment after the server
        left = {t.name for t in threading.enumerate() if t.name in left}


def test_what_cannot_be_served_is_said():
    with pytest.raises(BadDeviceFile, match="no product"):
        serve_devices({"Dev1": "PCIe-0000"})
    with pytest.raises(BadDeviceFile, match="Dev1/ai99: no such terminal"):
        serve_devices({"Dev1": "PCIe-6363"}, {"Dev1/ai99": "Dev1/ao0"})
    with pytest.raises(BadDeviceFile, match=r"none\.toml"):
        serve_devices("none.toml")
    with socket.create_server(("127.0.0.1", 0)) as taken, pytest.raises(Refused, match="is another program using it"):
        serve_devices({"Dev1": "PCIe-6363"}, port=taken.getsockname()[1])


def test_nidaqmx_means_the_devices_while_they_are_local():
    before = dict(vars(nidaqmx.Task)), dict(vars(System))
    with serve_devices({"Dev1": "PCIe-6363"}, pace="lockstep") as one, serve_devices({"Dev2": "PCIe-6361"}, pace="lockstep") as other:
        with one.as_local():
            assert [device.name for device in System.local().devices] == ["Dev1"]
            with other.as_local(), nidaqmx.Task("same") as task:
                task.ai_channels.add_ai_voltage_chan("Dev2/ai0")
                assert isinstance(task.read(), float)
            with nidaqmx.Task("same") as task:
                task.ai_channels.add_ai_voltage_chan("Dev1/ai0")
                with pytest.raises(DaqError) as raised:
                    nidaqmx.Task("same")
                assert raised.value.error_code == DAQmxErrors.DUPLICATE_TASK, "as with a driver, names are those of a process"
        assert (dict(vars(nidaqmx.Task)), dict(vars(System))) == before


def test_a_process_gets_the_devices_by_its_environment():
    program = "from nidaqmx.system import System; print([device.name for device in System.local().devices])"
    with serve_devices({"Card": "PCIe-6363"}) as bench:
        done = subprocess.run([sys.executable, "-c", program], env=bench.environment(), capture_output=True, text=True, check=True)
    assert done.stdout == "['Card']\n"


def test_an_address_of_other_machines_is_served_only_where_it_is_said():
    setup = setup_of({"Dev1": "PCIe-6363"})
    with pytest.raises(Refused, match=r"0\.0\.0\.0 is not a loopback address"):
        serve(engine_of(setup), "0.0.0.0")
    with SimulatedDevices(setup, "0.0.0.0") as bench:
        assert bench.address.startswith("0.0.0.0:") and [device.name for device in bench.system.devices] == ["Dev1"]
