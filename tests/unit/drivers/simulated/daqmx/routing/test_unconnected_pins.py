"""Triggers and clocks on pins to which nothing is connected, with `unconnected` as NI's simulated devices have it and as a bench has it.

Expected: NI-DAQmx help, "NI-DAQmx Simulated Devices" (nobody waits for triggers: reads return, finite tasks are done), and NI's examples
(examples/analog_in/voltage_acq_int_clk_dig_ref.py, ..._dig_start_ref.py, ..._dig_start.py), which are to run on such devices.
"""

from __future__ import annotations

import numpy as np
import pytest
from nidaqmx.constants import AcquisitionType, Edge, Level, TriggerType

from drivers.simulated import serve_devices
from tests.unit.drivers.simulated.daqmx.client_calls import code_of, decoded

FINITE, CONTINUOUS = AcquisitionType.FINITE, AcquisitionType.CONTINUOUS
WIRES = {"Dev1/ai1": "sample_code", "Dev1/PFI3": "Dev1/port0/line0"}


@pytest.fixture
def served():
    made = []

    def serve(**options):
        made.append(serve_devices({"Dev1": "PCIe-6363"}, WIRES, pace="lockstep", **options))
        return made[-1]

    yield serve
    for devices in made:
        devices.close()


def codes(task, samples=100, mode=FINITE, source=""):
    task.ai_channels.add_ai_voltage_chan("Dev1/ai1", min_val=-10.0, max_val=10.0)
    task.timing.cfg_samp_clk_timing(1000.0, source=source, sample_mode=mode, samps_per_chan=samples)


def task_of(devices):
    import nidaqmx

    return nidaqmx.Task(grpc_options=devices.grpc_options)


def test_start_trigger(served):
    with task_of(served()) as task:
        codes(task)
        task.triggers.start_trigger.cfg_dig_edge_start_trig("/Dev1/PFI0")
        assert decoded(task.read(100, timeout=1.0)).tolist() == list(range(100))
        task.wait_until_done(1.0)


@pytest.mark.parametrize("kind", ["digital", "analogue"])
def test_reference_trigger_with_a_start_trigger(served, kind):
    with task_of(served()) as task:
        codes(task)
        task.triggers.start_trigger.cfg_dig_edge_start_trig("/Dev1/PFI8", Edge.RISING)
        if kind == "digital":
            task.triggers.reference_trigger.cfg_dig_edge_ref_trig("/Dev1/PFI9", pretrigger_samples=30)
        else:
            task.triggers.reference_trigger.cfg_anlg_edge_ref_trig("APFI0", pretrigger_samples=30, trigger_level=1.0)
        assert decoded(task.read(100, timeout=1.0)).tolist() == list(range(100))


def test_sample_clock_has_the_rate_that_was_told(served):
    devices = served()
    with task_of(devices) as task:
        codes(task, source="/Dev1/PFI0")
        before = devices.engine.time
        assert decoded(task.read(100, timeout=1.0)).tolist() == list(range(100))
        assert devices.engine.time - before == pytest.approx(0.099, abs=1e-6)


@pytest.mark.parametrize("when", [Level.LOW, Level.HIGH])
def test_pause_trigger_pauses_nothing(served, when):
    with task_of(served()) as task:
        codes(task)
        pause = task.triggers.pause_trigger
        pause.trig_type, pause.dig_lvl_src, pause.dig_lvl_when = TriggerType.DIGITAL_LEVEL, "/Dev1/PFI0", when
        assert len(task.read(100, timeout=1.0)) == 100


def test_retriggered_runs_follow_each_other_at_the_rate(served):
    devices = served()
    with task_of(devices) as task:
        codes(task, samples=10)
        task.triggers.start_trigger.cfg_dig_edge_start_trig("/Dev1/PFI0")
        task.triggers.start_trigger.retriggerable = True
        task.start()
        before = devices.engine.time
        assert decoded(task.read(35, timeout=1.0)).tolist() == list(range(35))
        assert devices.engine.time - before == pytest.approx(0.034, abs=1.5e-3)


def test_output_with_a_start_trigger(served):
    with task_of(served()) as task:
        task.ao_channels.add_ao_voltage_chan("Dev1/ao0")
        task.timing.cfg_samp_clk_timing(1000.0, sample_mode=FINITE, samps_per_chan=50)
        task.triggers.start_trigger.cfg_dig_edge_start_trig("/Dev1/PFI0")
        task.write(np.zeros(50), auto_start=True)
        task.wait_until_done(1.0)
        assert task.is_task_done()
        assert task.out_stream.total_samp_per_chan_generated == 50


def timed_out(task, **timeout) -> bool:
    return code_of(task.read, 10, **timeout) == -200284


def test_a_pin_with_a_wire_is_waited_for(served):
    devices = served()
    with task_of(devices) as task, task_of(devices) as line:
        codes(task)
        task.triggers.start_trigger.cfg_dig_edge_start_trig("/Dev1/PFI3")
        task.start()
        assert timed_out(task, timeout=0.05)
        line.do_channels.add_do_chan("Dev1/port0/line0")
        line.write(True)
        assert len(task.read(10, timeout=1.0)) == 10


def test_a_pin_that_another_task_puts_something_out_at_is_waited_for(served):
    devices = served()
    with task_of(devices) as master, task_of(devices) as task:
        master.ao_channels.add_ao_voltage_chan("Dev1/ao0")
        master.timing.cfg_samp_clk_timing(1000.0, sample_mode=FINITE, samps_per_chan=50)
        master.export_signals.start_trig_output_term = "/Dev1/PFI5"
        codes(task)
        task.triggers.start_trigger.cfg_dig_edge_start_trig("/Dev1/PFI5")
        task.start()
        assert timed_out(task, timeout=0.05)
        master.write(np.zeros(50), auto_start=True)
        assert len(task.read(10, timeout=1.0)) == 10


@pytest.mark.parametrize(
    ("options", "terminal"),
    [({}, "/Dev1/ao/StartTrigger"), ({"unconnected": "waits"}, "/Dev1/PFI0")],
    ids=["inside the device", "as on a bench"],
)
def test_other_signals_are_waited_for(served, options, terminal):
    with task_of(served(**options)) as task:
        codes(task)
        task.triggers.start_trigger.cfg_dig_edge_start_trig(terminal)
        task.start()
        assert timed_out(task, timeout=0.05)


def test_key_of_the_devices_file(tmp_path):
    file = tmp_path / "devices.toml"
    text = 'pace = "lockstep"\n{}\n[[devices]]\nname = "Dev1"\nproduct = "PCIe-6363"\n'
    for key, at_once in (("", True), ('unconnected = "at_once"', True), ('unconnected = "waits"', False)):
        file.write_text(text.format(key))
        with serve_devices(file) as devices:
            assert devices.engine.at_once is at_once
    file.write_text(text.format('unconnected = "never"'))
    with pytest.raises(ValueError, match="unconnected: expected one of waits, at_once; got 'never'"):
        serve_devices(file)
