"""Where digital triggers cannot come from, triggers again on loose pins, and how errors about terminals and values are written.

Expected: "Device Routing in MAX" (NI-DAQmx Help): a task's own clock starts nothing of it; the driver's messages as published
(`Property: DAQmx_Exported_SampClk_OutputTerm`, terminals as `Device.terminals` lists them, members of enumerations as NIDAQmx.h names
them); "How Is Buffer Size Determined?": a finite acquisition has a buffer for its samples per channel; nidaqmx-python,
examples/analog_in/cont_voltage_acq_int_clk_dig_start_retrig.py.
"""

from __future__ import annotations

import time

import nidaqmx
import numpy as np
import pytest
from nidaqmx import constants as c

from drivers.simulated import serve_devices
from tests.unit.drivers.simulated.daqmx.client_calls import ADD, OUT0, Heard, code_of, error_of, train

COMMIT = c.TaskMode.TASK_COMMIT


def clocked(task, kind, samples=100):
    ADD[kind](task)
    task.timing.cfg_samp_clk_timing(1000.0, samps_per_chan=samples)


@pytest.mark.parametrize(("source", "code"), [
    ("", -200797), ("OnboardClock", -89120), ("/Dev1/{0}/SampleClock", -89136), ("/Dev1/{0}/SampleClockTimebase", -89136),
    ("/Dev1/{0}/StartTrigger", -89131), ("{0}/SampleClock", -89136),
])  # fmt: skip
@pytest.mark.parametrize("kind", ADD)
def test_what_starts_no_task(bench, kind, source, code):
    with bench.task() as task:
        clocked(task, kind)
        task.triggers.start_trigger.cfg_dig_edge_start_trig(source.format(kind))
        assert code_of(task.control, COMMIT) == code


@pytest.mark.parametrize("kind", ["ai", "di"])
@pytest.mark.parametrize(("source", "code"), [("", -200797), ("OnboardClock", -89120), ("/Dev1/{0}/SampleClock", -89136)])
def test_what_is_no_reference(bench, kind, source, code):
    with bench.task() as task:
        clocked(task, kind)
        task.triggers.reference_trigger.cfg_dig_edge_ref_trig(source.format(kind), pretrigger_samples=10)
        assert code_of(task.control, COMMIT) == code


@pytest.mark.parametrize("kind", ADD)
@pytest.mark.parametrize(("source", "code"), [("", -200797), ("OnboardClock", -89120), ("/Dev1/{0}/SampleClock", -89136)])
def test_what_pauses_no_task(bench, kind, source, code):
    with bench.task() as task:
        clocked(task, kind)
        task.triggers.pause_trigger.trig_type = c.TriggerType.DIGITAL_LEVEL
        task.triggers.pause_trigger.dig_lvl_src = source.format(kind)
        assert code_of(task.control, COMMIT) == code


@pytest.mark.parametrize("source", ["/Dev1/ao/SampleClock", "/Dev1/di/StartTrigger", OUT0, "/Dev1/PFI0", "PFI0"])
def test_what_others_give_starts_a_task(bench, source):
    with bench.task() as task:
        clocked(task, "ai")
        task.triggers.start_trigger.cfg_dig_edge_start_trig(source)
        task.control(COMMIT)
        assert task.triggers.start_trigger.dig_edge_src.lower().endswith(source.lower().lstrip("/"))


# -- triggers again --------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["ai", "di"])
def test_runs_come_as_they_are_read(kind):
    with serve_devices({"Dev1": "PCIe-6363"}) as devices, nidaqmx.Task(grpc_options=devices.grpc_options) as task:
        clocked(task, kind, 20)
        task.triggers.start_trigger.cfg_dig_edge_start_trig("/Dev1/PFI0")
        task.triggers.start_trigger.retriggerable = True
        got = []
        task.register_every_n_samples_acquired_into_buffer_event(20, lambda *event: got.append(len(task.read(20))) or 0)
        task.start()
        deadline = time.monotonic() + 20.0
        while len(got) < 5 and time.monotonic() < deadline:
            time.sleep(0.01)
        assert got[:5] == [20] * 5
        time.sleep(0.2)
        assert not task.is_task_done()
        task.stop()


@pytest.mark.parametrize("kind", ["ai", "di"])
def test_runs_that_nobody_reads_do_not_fill_the_buffer(kind):
    with serve_devices({"Dev1": "PCIe-6363"}, pace="lockstep") as devices, nidaqmx.Task(grpc_options=devices.grpc_options) as task:
        clocked(task, kind, 20)
        task.triggers.start_trigger.cfg_dig_edge_start_trig("/Dev1/PFI0")
        task.triggers.start_trigger.retriggerable = True
        task.start()
        devices.advance(1.0)
        assert task.in_stream.total_samp_per_chan_acquired == 20
        for _ in range(5):
            assert len(task.read(20, timeout=1.0)) == 20
        devices.advance(1.0)
        assert task.in_stream.total_samp_per_chan_acquired == 120


def test_real_triggers_that_nobody_reads_end_the_task(bench):
    with bench.task() as triggers, bench.task() as task:
        train(triggers, freq=10.0)
        clocked(task, "ai", 20)
        task.triggers.start_trigger.cfg_dig_edge_start_trig(OUT0)
        task.triggers.start_trigger.retriggerable = True
        task.start()
        triggers.start()
        with bench.engine.lock:
            bench.engine.advance(bench.engine.time + 1.0, exact=True)
        assert code_of(task.read, 20) == -200279


def test_an_output_is_put_out_again_and_again():
    with serve_devices({"Dev1": "PCIe-6363"}, pace="lockstep") as devices, nidaqmx.Task(grpc_options=devices.grpc_options) as task:
        clocked(task, "ao", 5)
        task.triggers.start_trigger.cfg_dig_edge_start_trig("/Dev1/PFI0")
        task.triggers.start_trigger.retriggerable = True
        task.write(np.zeros(5), auto_start=True)
        devices.advance(1.0)
        # 5 samples in 5 ms, and not more often than every 10 ms
        assert task.out_stream.total_samp_per_chan_generated == pytest.approx(500, abs=10)


# -- events ----------------------------------------------------------------------------------------------------------------------------


def test_the_other_event_is_not_supported_whatever_is_registered(bench):
    with bench.task() as task:
        clocked(task, "ai")
        task.register_every_n_samples_acquired_into_buffer_event(10, Heard())
        assert code_of(task.register_every_n_samples_transferred_from_buffer_event, 10, Heard()) == -200980
    with bench.task() as task:
        clocked(task, "ao")
        task.register_every_n_samples_transferred_from_buffer_event(10, Heard())
        assert code_of(task.register_every_n_samples_acquired_into_buffer_event, 10, Heard()) == -200981


# -- how errors are written ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("signal", "name"), [
    (c.Signal.SAMPLE_CLOCK, "SampClk"), (c.Signal.START_TRIGGER, "StartTrig"), (c.Signal.REFERENCE_TRIGGER, "RefTrig"),
    (c.Signal.AI_CONVERT_CLOCK, "AIConvClk"),
])  # fmt: skip
@pytest.mark.parametrize(("terminal", "shown"), [("/Dev1/PFI99", "PFI99"), ("PFI99", "PFI99"), ("/dev1/nowhere", "nowhere")])
def test_exports_to_nowhere(bench, signal, name, terminal, shown):
    with bench.task() as task:
        clocked(task, "ai")
        task.export_signals.export_signal(signal, terminal)
        code, text = error_of(task.control, COMMIT)
        assert code == -89121
        for line in (f"Property: DAQmx_Exported_{name}_OutputTerm", "Destination Device: Dev1", f"Destination Terminal: {shown}"):
            assert line in text.splitlines()


@pytest.mark.parametrize(("source", "code", "device", "shown"), [
    ("/dev1/apfi0", -89136, "Dev1", "APFI0"), ("/DEV1/AI/sampleclock", -89136, "Dev1", "ai/SampleClock"),
    ("/dev1/PFI99", -89120, "Dev1", "PFI99"), ("pfi99", -89120, "Dev1", "pfi99"),
])  # fmt: skip
def test_terminals_are_written_as_the_device_has_them(bench, source, code, device, shown):
    with bench.task() as task:
        clocked(task, "ai")
        task.triggers.start_trigger.cfg_dig_edge_start_trig(source)
        found, text = error_of(task.control, COMMIT)
        assert found == code
        for line in ("Property: DAQmx_DigEdge_StartTrig_Src", f"Source Device: {device}", f"Source Terminal: {shown}"):
            assert line in text.splitlines()


def test_terminals_of_counters_are_written_as_the_device_has_them(bench):
    with bench.task() as task:
        task.ci_channels.add_ci_count_edges_chan("Dev1/ctr0").ci_count_edges_term = "/dev1/ai/samplecloCktimebase"
        code, text = error_of(task.control, COMMIT)
        assert code == -89136
        assert "Source Terminal: ai/SampleClockTimebase" in text.splitlines()


def test_methods_are_written_as_the_header_names_them(bench):
    with bench.task() as task:
        channel = task.ci_channels.add_ci_freq_chan("Dev1/ctr0")
        channel.ci_freq_meas_meth = c.CounterFrequencyMethod.DYNAMIC_AVERAGING
        code, text = error_of(task.control, COMMIT)
        assert code == -200077
        assert "Requested Value: DAQmx_Val_DynAvg" in text.splitlines()
        possible = "DAQmx_Val_LowFreq1Ctr, DAQmx_Val_HighFreq2Ctr, DAQmx_Val_LargeRng2Ctr"
        assert f"Possible Values: {possible}" in text.splitlines()


@pytest.mark.parametrize("number", [c.Signal.AI_CONVERT_CLOCK, c.Signal.REFERENCE_TRIGGER])
def test_signals_that_are_no_events(bench, number):
    with bench.task() as task:
        clocked(task, "ai")
        assert code_of(task.register_signal_event, number, Heard()) == -200987


@pytest.mark.parametrize(("asked", "shown"), [(1e-9, 20e-9), (31e-9, 30e-9), (0.0, 0.0), (0.5, 0.5)])
def test_the_initial_delay_is_in_whole_ticks(bench, asked, shown):
    with bench.task() as task:
        channel = task.co_channels.add_co_pulse_chan_freq("Dev1/ctr0", freq=1000.0, initial_delay=asked)
        task.control(c.TaskMode.TASK_VERIFY)
        assert channel.co_pulse_freq_initial_delay == pytest.approx(shown, rel=1e-9, abs=1e-15)
    with bench.task() as task:
        channel = task.co_channels.add_co_pulse_chan_time("Dev1/ctr0", initial_delay=asked)
        assert channel.co_pulse_time_initial_delay == pytest.approx(shown, rel=1e-9, abs=1e-15)
