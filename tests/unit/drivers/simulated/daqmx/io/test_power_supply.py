"""Power supplies that measure their own output.

Expected values: NI's own tests with simulated TS-15200 modules (nidaqmx-python, tests/component/stream_readers/test_power_readers_ai.py,
tests/component/task/test_task_read_ai.py, tests/component/test_channel_properties.py, tests/component/_analog_utils.py, tests/legacy/
test_stream_power_reader.py): set points are read back within 1e-3, as codes 4096 a volt and 8192 an ampere; not-a-number or 0 with the
output disabled; the idle behaviour is to maintain. Descriptions of the `pwr_*` properties; examples pwr_sw_timed and pwr_hw_timed.
"""

from __future__ import annotations

import numpy as np
import pytest
from nidaqmx import constants as c
from nidaqmx.stream_readers import AnalogSingleChannelReader, PowerBinaryReader, PowerMultiChannelReader, PowerSingleChannelReader

from tests.unit.drivers.simulated.daqmx.client_calls import code_of

CARDS = (
    ("ts0", "TS-15000"), ("tsPowerTester1", "TS-15200", "ts0", 1), ("tsPowerTester2", "TS-15200", "ts0", 2),
    ("tsVoltageTester1", "TS-15100", "ts0", 3),
)  # fmt: skip
CLOSE = 1e-3


@pytest.fixture
def rig(make_bench):
    return make_bench(devices=CARDS)


def supply(task, number=1, volts=1.0, amperes=1.0, on=True):
    return task.ai_channels.add_ai_power_chan(f"tsPowerTester{number}/power", volts, amperes, on)


def test_attributes_of_the_channel(rig):
    with rig.task() as task:
        channel = supply(task, volts=2.5, amperes=1.0)
        assert channel.ai_meas_type is c.UsageTypeAI.POWER
        assert (channel.pwr_voltage_setpoint, channel.pwr_current_setpoint, channel.pwr_output_enable) == (2.5, 1.0, True)
        assert channel.pwr_idle_output_behavior is c.PowerIdleOutputBehavior.MAINTAIN_EXISTING_VALUE
        channel.pwr_idle_output_behavior = c.PowerIdleOutputBehavior.OUTPUT_DISABLED
        assert channel.pwr_idle_output_behavior is c.PowerIdleOutputBehavior.OUTPUT_DISABLED
        del channel.pwr_idle_output_behavior
        assert channel.pwr_idle_output_behavior is c.PowerIdleOutputBehavior.MAINTAIN_EXISTING_VALUE
        channel.pwr_remote_sense = c.Sense.REMOTE
        assert channel.pwr_remote_sense is c.Sense.REMOTE
        assert channel.pwr_voltage_dev_scaling_coeff == [0.0, 1 / 4096]
        assert channel.pwr_current_dev_scaling_coeff == [0.0, 1 / 8192]
        assert code_of(lambda: channel.ai_max) == -200452
        assert code_of(setattr, channel, "pwr_voltage_setpoint", -1.0) == -200077


@pytest.mark.parametrize("volts, amperes, on", [(0.0, 0.03, True), (2.5, 1.0, True), (6.0, 3.0, True), (1.0, 1.0, False)])
def test_what_is_set_is_read(rig, volts, amperes, on):
    expected = (volts, amperes) if on else (np.nan, np.nan)
    with rig.task() as task:
        supply(task, volts=volts, amperes=amperes, on=on)
        one = task.read()
        assert (one.voltage, one.current) == pytest.approx(expected, abs=CLOSE, nan_ok=True)
        many = task.read(8)
        assert len(many) == 8
        assert (many[7].voltage, many[7].current) == pytest.approx(expected, abs=CLOSE, nan_ok=True)
        found = PowerSingleChannelReader(task.in_stream).read_one_sample()
        assert (found.voltage, found.current) == pytest.approx(expected, abs=CLOSE, nan_ok=True)


def test_several_supplies(rig):
    with rig.task() as task:
        supply(task, 1, 1.0, 1.0)
        supply(task, 2, 2.0, 2.0)
        volts, amperes = np.full((2, 10), np.inf), np.full((2, 10), np.inf)
        assert PowerMultiChannelReader(task.in_stream).read_many_sample(volts, amperes, 10) == 10
        assert volts == pytest.approx(np.array([[1.0] * 10, [2.0] * 10]), abs=CLOSE)
        assert amperes == pytest.approx(np.array([[1.0] * 10, [2.0] * 10]), abs=CLOSE)
        task.channels.pwr_output_enable = True
        codes = np.full((2, 10), -32768, np.int16), np.full((2, 10), -32768, np.int16)
        PowerBinaryReader(task.in_stream).read_many_sample(*codes, 10)
        assert codes[0][:, 9].tolist() == [4096, 8192]
        assert codes[1][:, 9].tolist() == [8192, 16384]
    with rig.task() as task:
        supply(task, on=False)
        codes = np.full((1, 10), -32768, np.int16), np.full((1, 10), -32768, np.int16)
        PowerBinaryReader(task.in_stream).read_many_sample(*codes, 10)
        assert not codes[0].any() and not codes[1].any()


def test_clocked_reads(rig):
    # test_task_read_ai.py: ten of a finite task of five are five
    with rig.task() as task:
        supply(task)
        task.timing.cfg_samp_clk_timing(1000.0, samps_per_chan=5)
        assert [(m.voltage, m.current) for m in task.read(10)] == [(1.0, 1.0)] * 5
    with rig.task() as task:
        supply(task)
        task.timing.cfg_samp_clk_timing(100.0, sample_mode=c.AcquisitionType.CONTINUOUS)
        assert len(task.read(10)) == 10


def test_set_points_of_a_running_supply(rig):
    # pwr_sw_timed.py: set points and the switch can be written at run time
    with rig.task() as task:
        channel = supply(task, on=False)
        assert channel.pwr_output_state is c.PowerOutputState.OUTPUT_DISABLED
        task.start()
        channel.pwr_output_enable, channel.pwr_voltage_setpoint, channel.pwr_current_setpoint = True, 3.0, 0.5
        assert channel.pwr_output_state is c.PowerOutputState.CONSTANT_VOLTAGE
        found = task.read()
        assert (found.voltage, found.current) == (3.0, 0.5)
        assert code_of(setattr, channel, "pwr_remote_sense", c.Sense.REMOTE) == -200557
        task.stop()
        assert channel.pwr_output_state is c.PowerOutputState.CONSTANT_VOLTAGE
        channel.pwr_idle_output_behavior = c.PowerIdleOutputBehavior.OUTPUT_DISABLED
        assert channel.pwr_output_state is c.PowerOutputState.OUTPUT_DISABLED


def test_reads_of_other_kinds(rig):
    with rig.task() as task:
        supply(task)
        assert code_of(AnalogSingleChannelReader(task.in_stream).read_one_sample) == -200525
    with rig.task() as task:
        task.ai_channels.add_ai_voltage_chan("tsVoltageTester1/ai0")
        assert code_of(PowerSingleChannelReader(task.in_stream).read_one_sample) == -200525
    with rig.task() as task:
        where = "tsVoltageTester1/ai0"
        assert code_of(lambda: task.ai_channels.add_ai_power_chan(where, 1.0, 1.0, True)) == -200431
        assert code_of(lambda: task.ai_channels.add_ai_voltage_chan("tsPowerTester1/power")) == -200431
        assert code_of(supply, task, 1, 99.0) == -200077
