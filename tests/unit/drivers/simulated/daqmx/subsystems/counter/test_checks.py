"""Timing and triggers that counters can have, and those that they cannot.

"NI cDAQ-917x User Manual", Counter Timing Measurements, and the errors by their names in nidaqmx.error_codes.
"""

from __future__ import annotations

import numpy as np
import pytest
from nidaqmx import constants as c
from nidaqmx.stream_readers import CounterReader
from nidaqmx.types import CtrFreq

from tests.unit.drivers.simulated.daqmx.client_calls import code_of, train, verified

FINITE, CONTINUOUS = c.AcquisitionType.FINITE, c.AcquisitionType.CONTINUOUS


def test_counters_have_no_clock_of_their_own(bench):
    with bench.task() as count:
        count.ci_channels.add_ci_count_edges_chan("Dev1/ctr0")
        assert code_of(count.ci_channels.add_ci_count_edges_chan, "Dev1/ctr1") == -200147
        count.timing.cfg_samp_clk_timing(1000.0)
        assert code_of(count.start) == -200303


def test_implicit_timing_is_for_one_counter(counters):
    with counters.task() as module:
        module.ci_channels.add_ci_period_chan("cDAQ1Mod1/ctr0:1")
        module.timing.cfg_implicit_timing(samps_per_chan=5)
        assert code_of(module.start) == -200077


def pause_at(task, source="/Dev1/PFI3"):
    pause = task.triggers.pause_trigger
    pause.trig_type, pause.dig_lvl_src = c.TriggerType.DIGITAL_LEVEL, source


def test_pauses_are_for_counts_on_demand(counters):
    """-200145: "Pause trigger is only valid for event counting if sample clock is not used"."""
    with counters.task() as task:
        task.ci_channels.add_ci_count_edges_chan("Dev1/ctr0")
        pause_at(task)
        task.control(c.TaskMode.TASK_VERIFY)
        task.timing.cfg_samp_clk_timing(1000.0, source="/Dev1/PFI0")
        assert code_of(task.start) == -200145
    with counters.task() as task:
        task.ci_channels.add_ci_freq_chan("Dev1/ctr0")
        pause_at(task)
        assert code_of(task.start) == -200145


@pytest.mark.parametrize("edge", [c.Edge.RISING, c.Edge.FALLING])
def test_a_separation_has_two_different_edges(counters, edge):
    with counters.task() as task:
        channel = task.ci_channels.add_ci_two_edge_sep_chan("Dev1/ctr0", first_edge=edge, second_edge=edge)
        task.control(c.TaskMode.TASK_VERIFY)
        channel.ci_two_edge_sep_first_term = channel.ci_two_edge_sep_second_term = "/Dev1/PFI0"
        assert code_of(task.start) == -201442
        channel.ci_two_edge_sep_second_edge = c.Edge.FALLING if edge is c.Edge.RISING else c.Edge.RISING
        task.control(c.TaskMode.TASK_VERIFY)


@pytest.mark.parametrize(("add", "implicit", "clocked"), [
    # "NI cDAQ-917x User Manual", Counter Timing Measurements.
    ("count_edges_chan", -200077, 0), ("pulse_width_chan", 0, 0), ("pulse_chan_time", 0, 0), ("semi_period_chan", 0, -200077),
    ("freq_chan", 0, 0), ("period_chan", 0, 0), ("ang_encoder_chan", -200077, 0), ("two_edge_sep_chan", 0, 0),
])  # fmt: skip
def test_timing_by_measurement(counters, add, implicit, clocked):
    for code, configure in ((implicit, lambda t: t.timing.cfg_implicit_timing()),
                            (clocked, lambda t: t.timing.cfg_samp_clk_timing(1e3, source="/Dev1/PFI0"))):  # fmt: skip
        with counters.task() as task:
            getattr(task.ci_channels, f"add_ci_{add}")("Dev1/ctr0")
            configure(task)
            assert verified(task) == code


@pytest.mark.parametrize("method", list(c.CounterFrequencyMethod)[1:3])
def test_two_counters_take_no_sample_clock(counters, method):
    with counters.task() as task:
        task.ci_channels.add_ci_freq_chan("Dev1/ctr0", meas_method=method)
        task.timing.cfg_samp_clk_timing(1e3, source="/Dev1/PFI0")
        assert code_of(task.start) == -201323


def test_clocks_come_from_outside(counters):
    with counters.task() as task:
        task.co_channels.add_co_pulse_chan_freq("Dev1/ctr0")
        task.timing.cfg_samp_clk_timing(100.0)
        assert code_of(task.write, [CtrFreq(1e3, 0.5)] * 4) == -200303


def test_what_is_retriggered(counters):
    def configured(task, **timing):
        task.co_channels.add_co_pulse_chan_freq("Dev1/ctr0", freq=1e3)
        if timing:
            task.timing.cfg_implicit_timing(**timing)
        task.triggers.start_trigger.cfg_dig_edge_start_trig("/Dev1/PFI0")
        task.triggers.start_trigger.retriggerable = True

    with counters.task() as task:
        configured(task, sample_mode=CONTINUOUS)
        assert code_of(task.start) == -201320
    with counters.task() as task:
        configured(task, sample_mode=FINITE, samps_per_chan=5)
        task.triggers.start_trigger.disable_start_trig()
        assert code_of(task.start) == -201320
    with counters.task() as task:
        configured(task)  # a single pulse
        task.control(c.TaskMode.TASK_VERIFY)
    with counters.task() as task:
        configured(task, sample_mode=FINITE, samps_per_chan=5)
        task.timing.cfg_samp_clk_timing(100.0, source="/Dev1/PFI1", samps_per_chan=5)
        assert code_of(task.write, [CtrFreq(1e3, 0.5)] * 5) == -201439


def test_several_counters_have_no_buffer(counters):
    with counters.task() as task:
        train(task, "Dev1/ctr0:1")
        task.control(c.TaskMode.TASK_VERIFY)
        task.out_stream.output_buf_size = 10
        assert code_of(task.control, c.TaskMode.TASK_VERIFY) == -201317
        task.timing.cfg_samp_clk_timing(100.0, source="/Dev1/PFI0", samps_per_chan=4)
        assert code_of(task.control, c.TaskMode.TASK_VERIFY) == -201324


PULSES = ("freq", "time", "ticks")


@pytest.mark.parametrize("kind", PULSES)
def test_pulses_are_read_as_pulses_only(counters, kind):
    """-200525: "this version of DAQmx Read does not match the type of channels in the task"."""
    with counters.task() as task, counters.task() as out:
        getattr(task.ci_channels, f"add_ci_pulse_chan_{kind}")("Dev1/ctr0").__setattr__(f"ci_pulse_{kind}_term", "/Dev1/Ctr1InternalOutput")
        train(out, "Dev1/ctr1", freq=1000.0)
        out.start()
        reader = CounterReader(task.in_stream)
        assert code_of(reader.read_one_sample_double) == -200525
        assert code_of(reader.read_one_sample_uint32) == -200525
        assert code_of(reader.read_many_sample_double, np.zeros(2), 2) == -200525
        assert code_of(reader.read_many_sample_uint32, np.zeros(2, dtype=np.uint32), 2) == -200525
        assert type(task.read(timeout=1.0)).__name__ == f"Ctr{'Tick' if kind == 'ticks' else kind.title()}"


def test_other_measurements_are_read_by_neither(counters):
    with counters.task() as task:
        task.ci_channels.add_ci_count_edges_chan("Dev1/ctr0")
        reader = CounterReader(task.in_stream)
        assert code_of(reader.read_one_sample_pulse_frequency) == -200525
        assert reader.read_one_sample_uint32() == 0
