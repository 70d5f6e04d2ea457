"""Analogue output channels, inverted lines, sensors that describe themselves, and properties that belong to no channel of these devices.

Expected values: "NI-DAQmx Properties" (AO.Max: "If you try to write a value larger than the maximum value, NI-DAQmx generates an error";
DI.InvertLines); nidaqmx-python, issue 1007 (wording of a limit that the device has not); NI's tests of nidaqmx (test_ai_channel.py: a
sensor that is not there; the PXIe-4322 with +-16 V in nidaqmxMaxConfig.ini).
"""

from __future__ import annotations

import numpy as np
import pytest
from nidaqmx import Scale
from nidaqmx import constants as c

from tests.unit.drivers.simulated.daqmx.client_calls import code_of, error_of

CARDS = (("Dev1", "PCIe-6363"), ("aoTester", "PXIe-4322"), ("positionTester", "PXIe-4340"), ("bridgeTester", "PXIe-4331"))


@pytest.fixture
def rig(make_bench):
    return make_bench(devices=CARDS, wiring={"Dev1/ai0": "Dev1/ao0", "Dev1/port0/line8": "Dev1/port0/line0"})


def volts_of(rig):
    return rig.engine.board.levels["dev1/ao0"]


def test_attributes(rig):
    with rig.task() as task:
        channel = task.ao_channels.add_ao_voltage_chan("Dev1/ao0:1", min_val=-3.0, max_val=4.0)
        assert channel.ao_output_type is c.UsageTypeAO.VOLTAGE
        assert (channel.ao_min, channel.ao_max) == (-3.0, 4.0)
        assert (channel.ao_dac_rng_low, channel.ao_dac_rng_high, channel.ao_resolution) == (-5.0, 5.0, 16.0)
        assert (channel.ao_voltage_units, channel.ao_custom_scale.name) == (c.VoltageUnits.VOLTS, "")
        assert channel.ao_term_cfg is c.TerminalConfiguration.RSE
        channel.ao_max = 7.0
        assert channel.ao_dac_rng_high == 10.0
        del channel.ao_max
        assert channel.ao_max == 10.0


def test_a_limit_that_the_device_has_not(rig):
    with rig.task() as task:
        task.ao_channels.add_ao_voltage_chan("Dev1/ao0", min_val=-12.0, max_val=12.0)
        code, text = error_of(task.control, c.TaskMode.TASK_VERIFY)
        assert code == -200077
        for line in ("Property: DAQmx_AO_Min", "Requested Value: -12.0", "Maximum Value:  10.000000", "Minimum Value: -10.000000",
                     "Channel Name: Dev1/ao0"):  # fmt: skip
            assert line in text
    with rig.task() as task:
        assert task.ao_channels.add_ao_voltage_chan("aoTester/ao0", min_val=-16.0, max_val=16.0).ao_max == 16.0


@pytest.mark.parametrize("value", [4.1, -3.1])
def test_nothing_beyond_the_limits_is_written(rig, value):
    with rig.task() as task:
        task.ao_channels.add_ao_voltage_chan("Dev1/ao0", min_val=-3.0, max_val=4.0)
        task.write(1.0)
        assert error_of(task.write, value)[0] == -200561
        task.write(4.0)
        assert volts_of(rig) == pytest.approx(4.0, abs=2e-4)


def test_a_scale_turns_what_is_written_into_volts(rig):
    Scale.create_lin_scale("newtons", 100.0, 50.0, grpc_options=rig.options)
    Scale.create_table_scale("curve", [-10.0, 0.0, 10.0], [-1.0, 0.0, 3.0], grpc_options=rig.options)
    own = {"units": c.VoltageUnits.FROM_CUSTOM_SCALE}
    with rig.task() as task:
        channel = task.ao_channels.add_ao_voltage_chan("Dev1/ao0", min_val=-350.0, max_val=450.0, custom_scale_name="newtons", **own)
        assert channel.ao_dac_rng_high == 5.0
        task.write(250.0)
        assert volts_of(rig) == pytest.approx(2.0, abs=2e-4)
    with rig.task() as task:
        task.ao_channels.add_ao_voltage_chan("Dev1/ao0", min_val=-1.0, max_val=3.0, custom_scale_name="curve", **own)
        task.write([1.5], auto_start=True)
        assert volts_of(rig) == pytest.approx(5.0, abs=4e-4)


def test_current(rig):
    with rig.task() as task:
        assert error_of(task.ao_channels.add_ao_current_chan, "Dev1/ao0")[0] == -200431
        assert error_of(task.ao_channels.add_ao_func_gen_chan, "Dev1/ao0")[0] == -200431
        channel = task.ao_channels.add_ao_current_chan("aoTester/ao3")
        assert channel.ao_output_type is c.UsageTypeAO.CURRENT
        assert (channel.ao_current_units, channel.ao_max) == (c.CurrentUnits.AMPS, 0.02)


@pytest.mark.parametrize(("written", "inverted", "level"), [(True, False, True), (True, True, False), (False, True, True)])
def test_inverted_lines(rig, written, inverted, level):
    with rig.task() as out, rig.task() as back:
        line = out.do_channels.add_do_chan("Dev1/port0/line0")
        assert not line.do_invert_lines
        line.do_invert_lines = inverted
        out.write(written)
        seen = back.di_channels.add_di_chan("Dev1/port0/line8")
        assert back.read() is level
        seen.di_invert_lines = True
        assert back.read() is not level


@pytest.mark.parametrize(("add", "where"), [
    ("add_teds_ai_pos_lvdt_chan", "positionTester/ai0"), ("add_teds_ai_pos_rvdt_chan", "positionTester/ai0"),
    ("add_teds_ai_voltage_chan_with_excit", "bridgeTester/ai0"), ("add_teds_ai_voltage_chan", "Dev1/ai0"),
])  # fmt: skip
def test_a_sensor_that_is_not_there(rig, add, where):
    with rig.task() as task:
        assert error_of(getattr(task.ai_channels, add), where)[0] == -200709


@pytest.mark.parametrize("name", ["ai_lowpass_enable", "ai_impedance", "ai_samp_and_hold_enable", "ai_bridge_balance_fine_pot"])
def test_properties_of_other_products(rig, name):
    with rig.task() as task:
        channel = task.ai_channels.add_ai_voltage_chan("Dev1/ai0")
        assert error_of(getattr, channel, name)[0] == -200452
        assert error_of(delattr, channel, name)[0] == -200452


def test_inputs_of_counters_that_only_modules_configure(rig):
    with rig.task() as task:
        channel = task.ci_channels.add_ci_count_edges_chan("Dev1/ctr0")
        assert error_of(lambda: channel.ci_count_edges_term_cfg)[0] == -200452
        assert error_of(lambda: channel.ci_count_edges_hyst)[0] == -200452


def test_types_of_channels_do_not_mix_and_names_are_unique(rig):
    with rig.task() as task:
        task.ao_channels.add_ao_voltage_chan("Dev1/ao0", "drive")
        assert error_of(task.ai_channels.add_ai_voltage_chan, "Dev1/ai0")[0] == -200559
        code, text = error_of(task.ao_channels.add_ao_voltage_chan, "Dev1/ao1", "Drive")
        assert code == -200489
        assert "Channel Name: Drive" in text


def test_what_loses_the_samples_that_were_written(bench):
    """NI's text for -200462: "The following actions can empty the buffer: changing the size of the buffer, unreserving a task, setting the
    Regeneration Mode property, changing the Sample Mode, or configuring retriggering." A trigger may come after the write.
    """
    with bench.task() as task:
        task.ao_channels.add_ao_voltage_chan("Dev1/ao0")
        task.timing.cfg_samp_clk_timing(1000.0, samps_per_chan=10)
        for lost, change in (
            (False, lambda: task.triggers.start_trigger.cfg_dig_edge_start_trig("/Dev1/PFI0")),
            (False, lambda: setattr(task.export_signals, "samp_clk_output_term", "/Dev1/PFI4")),
            (False, lambda: setattr(task.timing, "samp_clk_rate", 2000.0)),
            (True, lambda: setattr(task.out_stream, "output_buf_size", 20)),
            (True, lambda: setattr(task.out_stream, "regen_mode", c.RegenerationMode.DONT_ALLOW_REGENERATION)),
            (True, lambda: task.timing.cfg_samp_clk_timing(1000.0, sample_mode=c.AcquisitionType.CONTINUOUS)),
            (True, lambda: task.control(c.TaskMode.TASK_UNRESERVE)),
        ):
            task.write([0.0] * 10, auto_start=False)
            change()
            if lost:
                assert code_of(task.start) == -200462
            else:
                task.start()
                task.stop()


@pytest.mark.parametrize("auto", [True, False])
@pytest.mark.parametrize("lengths", [(10, 10, 10), (10, 20, 5)])
def test_one_generation_after_the_other(make_bench, auto, lengths):
    """Write, start, wait, stop, and again with other samples: the buffer is written from its first sample on for each start."""
    bench = make_bench(wiring={"Dev1/ai0": "Dev1/ao0"})
    with bench.task() as task, bench.task() as seen:
        task.ao_channels.add_ao_voltage_chan("Dev1/ao0")
        seen.ai_channels.add_ai_voltage_chan("Dev1/ai0")
        for level, length in enumerate(lengths, 1):
            task.timing.cfg_samp_clk_timing(1000.0, samps_per_chan=length)
            assert task.write([0.0] * (length - 1) + [float(level)], auto_start=auto) == length
            if not auto:
                task.start()
            task.wait_until_done(1.0)
            task.stop()
            assert seen.read() == pytest.approx(level, abs=1e-3)


def test_raw_writes_keep_to_the_buffer_as_others_do(bench):
    """NI's text for -200547, and for -200293 with a buffer of one's own: what was written before is not overwritten."""
    with bench.task() as task, bench.task() as seen:
        task.ao_channels.add_ao_voltage_chan("Dev1/ao0:1")
        task.timing.cfg_samp_clk_timing(1000.0, samps_per_chan=50)
        task.write(np.full((2, 50), 1.0))
        more = np.full(100, 16000, dtype=np.int16)
        assert code_of(task.out_stream.write, more) == -200547
        assert task.out_stream.curr_write_pos == 50
        task.start()
        task.wait_until_done(1.0)
        seen.ai_channels.add_ai_voltage_chan("Dev1/_ao0_vs_aognd")
        assert seen.read() == pytest.approx(1.0, abs=1e-3)
        task.stop()
        task.out_stream.output_buf_size = 100
        assert task.out_stream.write(more) == task.out_stream.write(more) == 50
        assert code_of(task.out_stream.write, more) == -200293


def test_a_second_write_before_the_start(bench):
    """NI's text for -200547: "a previous DAQmx Write automatically configured the output buffer size"."""
    with bench.task() as task:
        task.ao_channels.add_ao_voltage_chan("Dev1/ao0")
        task.timing.cfg_samp_clk_timing(1000.0, samps_per_chan=20)
        task.write([0.0] * 10, auto_start=False)
        assert code_of(task.write, [0.0] * 10, auto_start=False) == -200547
        task.out_stream.output_buf_size = 20
        task.write([0.0] * 10, auto_start=False)
        task.write([0.0] * 10, auto_start=False)
        assert code_of(task.write, [0.0] * 10, auto_start=False) == -200293
