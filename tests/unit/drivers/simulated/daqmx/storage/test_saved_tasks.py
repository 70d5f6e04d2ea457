"""A saved task comes back with all that it is configured by, or is not saved.

"DAQmxSaveTask" (NI-DAQmx C reference): "Saves the specified task and any local channels it contains to MAX"; global channels are saved by
themselves ("DAQmxSaveGlobalChan").
"""

from __future__ import annotations

import pytest
from nidaqmx import constants as c
from nidaqmx.system.storage import PersistedChannel, PersistedTask

from tests.unit.drivers.simulated.daqmx.client_calls import code_of, not_served

CONTINUOUS = c.AcquisitionType.CONTINUOUS


@pytest.fixture
def bench(make_bench):
    return make_bench(devices=(("Dev1", "PCIe-6363"), ("Bridge", "PXIe-4331")), wiring={"Dev1/ai1": "sample_code"})


def voltage(task, samples=100, **how):
    task.ai_channels.add_ai_voltage_chan("Dev1/ai1", "v", min_val=-10.0, max_val=10.0)
    task.timing.cfg_samp_clk_timing(1000.0, samps_per_chan=samples, **how)


def analog_start(task):
    voltage(task)
    start = task.triggers.start_trigger
    start.cfg_anlg_edge_start_trig("v", c.Slope.FALLING, 1.5)
    start.anlg_edge_hyst, start.delay, start.delay_units = 0.25, 3.0, c.DigitalWidthUnits.SAMPLE_CLOCK_PERIODS


def digital_start(task):
    voltage(task)
    start = task.triggers.start_trigger
    start.cfg_dig_edge_start_trig("/Dev1/PFI3", c.Edge.FALLING)
    start.retriggerable, start.dig_edge_dig_fltr_enable, start.dig_edge_dig_fltr_min_pulse_width = True, True, 5.12e-6


def reference(task):
    voltage(task)
    task.triggers.reference_trigger.cfg_dig_edge_ref_trig("/Dev1/PFI2", 17)


def paused(task):
    voltage(task, sample_mode=CONTINUOUS)
    pause = task.triggers.pause_trigger
    pause.trig_type, pause.dig_lvl_src, pause.dig_lvl_when = c.TriggerType.DIGITAL_LEVEL, "/Dev1/PFI1", c.Level.LOW


def streams(task):
    voltage(task, sample_mode=CONTINUOUS)
    task.ai_channels.add_ai_voltage_chan("Dev1/ai2", "w")
    task.export_signals.export_signal(c.Signal.SAMPLE_CLOCK, "/Dev1/PFI6")
    task.export_signals.export_signal(c.Signal.START_TRIGGER, "/Dev1/PFI7")
    stream = task.in_stream
    stream.overwrite, stream.input_buf_size = c.OverwriteMode.OVERWRITE_UNREAD_SAMPLES, 7777
    stream.read_all_avail_samp, stream.auto_start = True, False
    stream.relative_to, stream.offset = c.ReadRelativeTo.MOST_RECENT_SAMPLE, -5
    stream.logging_file_path, stream.logging_tdms_group_name = "kept.tdms", "group"
    stream.channels_to_read = task.ai_channels["w"]


def changes(task):
    task.di_channels.add_di_chan("Dev1/port0", "lines", line_grouping=c.LineGrouping.CHAN_FOR_ALL_LINES)
    task.timing.cfg_change_detection_timing("Dev1/port0/line0", "Dev1/port0/line3:4", CONTINUOUS, 123)


def divided(task):
    voltage(task)
    task.timing.samp_clk_timebase_div = 31_250
    task.timing.samp_clk_active_edge = c.Edge.FALLING


def pulses(task):
    channel = task.co_channels.add_co_pulse_chan_freq("Dev1/ctr1", "p", freq=250.0, duty_cycle=0.3)
    task.timing.cfg_implicit_timing(samps_per_chan=9)
    channel.co_ctr_timebase_src, channel.co_enable_initial_delay_on_retrigger = "/Dev1/20MHzTimebase", True
    task.triggers.start_trigger.cfg_dig_edge_start_trig("/Dev1/PFI5")


def armed(task):
    channel = task.ci_channels.add_ci_count_edges_chan("Dev1/ctr1", "n")
    channel.ci_count_edges_dig_fltr_enable, channel.ci_count_edges_dig_fltr_min_pulse_width = True, 1e-6
    arm = task.triggers.arm_start_trigger
    arm.trig_type, arm.dig_edge_src = c.TriggerType.DIGITAL_EDGE, "/Dev1/PFI4"


def wave(task):
    task.ao_channels.add_ao_voltage_chan("Dev1/ao0", "out", min_val=-5.0, max_val=5.0).ao_use_only_on_brd_mem = True
    task.timing.cfg_samp_clk_timing(2000.0, samps_per_chan=50)
    task.out_stream.regen_mode = c.RegenerationMode.DONT_ALLOW_REGENERATION


def configured(task):
    """All that a task here is configured by."""
    channels = [
        (type(each), each.name, each.physical, each.attributes, getattr(each, "asked", None), getattr(each, "columns", None))
        for each in task.channels
    ]
    whole = (task.settings, task.exports, task.timing, task.regeneration, task.overwrite, task.buffer_size)
    return (channels, whole, task.read_auto_start, task.read_all_available)


ALL = [analog_start, digital_start, reference, paused, streams, changes, divided, pulses, armed, wave]


@pytest.mark.parametrize("configure", ALL, ids=[each.__name__ for each in ALL])
def test_it_comes_back_as_it_was(bench, configure):
    with bench.task("first") as task:
        configure(task)
        task.control(c.TaskMode.TASK_VERIFY)
        task.save("kept")
        before = configured(bench.engine.tasks[task.name])
    with PersistedTask("kept", grpc_options=bench.options).load() as task:
        task.control(c.TaskMode.TASK_VERIFY)
        assert configured(bench.engine.tasks[task.name]) == before


def test_what_a_client_reads_of_a_loaded_task(bench):
    with bench.task("first") as task:
        streams(task)
        task.triggers.start_trigger.cfg_dig_edge_start_trig("/Dev1/PFI3")
        task.save("kept")
    with PersistedTask("kept", grpc_options=bench.options).load() as task:
        assert task.export_signals.samp_clk_output_term == "/Dev1/PFI6"
        assert (task.in_stream.overwrite, task.in_stream.input_buf_size) == (c.OverwriteMode.OVERWRITE_UNREAD_SAMPLES, 7777)
        assert (task.triggers.start_trigger.trig_type, task.triggers.start_trigger.dig_edge_src) == (
            c.TriggerType.DIGITAL_EDGE, "/Dev1/PFI3",
        )  # fmt: skip
        assert task.in_stream.channels_to_read.channel_names == ["w"]
        assert str(task.in_stream.logging_file_path) == "kept.tdms"


def test_a_loaded_task_waits_for_its_trigger(make_bench):
    bench = make_bench(wiring={"Dev1/ai1": "sample_code", "Dev1/PFI3": "Dev1/port0/line0"})
    with bench.task("first") as task:
        voltage(task, 20)
        task.triggers.start_trigger.cfg_dig_edge_start_trig("/Dev1/PFI3")
        task.save("kept")
    with PersistedTask("kept", grpc_options=bench.options).load() as task, bench.task() as line:
        line.do_channels.add_do_chan("Dev1/port0/line0")
        line.write(False)
        task.start()
        assert code_of(task.read, 20, timeout=0.1) == -200284
        line.write(True)
        assert len(task.read(20)) == 20


def test_what_would_be_lost_is_named_and_nothing_is_saved(bench):
    """Of a global channel the task keeps the name only: what was changed of it in the task is to be saved with the channel."""
    with bench.task() as task:
        task.ai_channels.add_ai_voltage_chan("Dev1/ai0", "shared", min_val=-10.0, max_val=10.0).save()
    shared = PersistedChannel("shared", grpc_options=bench.options)
    with bench.task("first") as task:
        task.add_global_channels([shared])
        task.save("kept")
        task.ai_channels["shared"].ai_max = 1.0
        task.ai_channels["shared"].ai_min = -1.0
        assert not_served(task.save, "again")
        assert set(bench.engine.stored_tasks) == {"kept"}
        task.ai_channels["shared"].save(overwrite_existing_channel=True)
        task.save("again")
    with PersistedTask("again", grpc_options=bench.options).load() as task:
        assert task.ai_channels["shared"].ai_max == 1.0


def test_a_task_that_is_saved_anew_replaces_its_channels(bench):
    with bench.task("first") as task:
        voltage(task)
        task.save("kept")
        task.ai_channels["v"].ai_max, task.ai_channels["v"].ai_min = 2.0, -2.0
        task.save("kept", overwrite_existing_task=True)
    with PersistedTask("kept", grpc_options=bench.options).load() as task:
        assert task.ai_channels["v"].ai_rng_high == 2.0
