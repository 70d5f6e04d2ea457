"""Limits and ranges of analogue inputs, how they are connected, and what a device has not got, with the driver's words for it.

Expected values: "NI-DAQmx Help" and NI's knowledge base where named.
"""

from __future__ import annotations

import pytest
from nidaqmx import Scale
from nidaqmx import constants as c

from tests.unit.drivers.simulated.daqmx.client_calls import error_of
from tests.unit.drivers.simulated.daqmx.ni_testers import BRIDGE, DSA, add


def test_limits_read_back_are_those_of_the_range(testers):
    # NI knowledge base kA00Z0000019Mk8SAE, Example A: +-3 V of a device with these ranges become +-5 V.
    with testers.task() as task:
        channel = add(task, "voltage", min_val=-3.0, max_val=3.0)
        assert (channel.ai_min, channel.ai_max, channel.ai_rng_low, channel.ai_rng_high) == (-5.0, 5.0, -5.0, 5.0)
        channel.ai_max = 0.15
        channel.ai_min = 0.0
        assert (channel.ai_min, channel.ai_max, channel.ai_rng_high) == (-0.2, 0.2, 0.2)


def test_limits_of_scaled_values_are_coerced_as_well(testers):
    # "NI-DAQmx Help", Input Limit Coercion: 80 degrees of a sensor of 100 mV a degree become 100 on a range of 10 V.
    with testers.task() as task:
        Scale.create_lin_scale("degrees", 10.0, grpc_options=testers.options)
        channel = add(task, "voltage", min_val=0.0, max_val=80.0, units=c.VoltageUnits.FROM_CUSTOM_SCALE, custom_scale_name="degrees")
        assert channel.ai_max == 100.0
        assert channel.ai_rng_high == 10.0


@pytest.mark.parametrize(("given", "lines"), [
    ({"min_val": -20.0, "max_val": 20.0}, ["DAQmx_AI_Min", "Requested Value: -20.0", "Maximum Value:  10.000000"]),
    ({"min_val": -1.0, "max_val": 10.5}, ["DAQmx_AI_Max", "Value:  10.500000", "Minimum Value: -10.000000", "Channel Name: Dev1/ai0"]),
    # labscript-devices, issue 62: what the driver itself says of a configuration that an input has not got.
    ({"terminal_config": c.TerminalConfiguration.PSEUDO_DIFF},
     ["Property: DAQmx_AI_TermCfg\nRequested Value: DAQmx_Val_PseudoDiff\nPossible Values: DAQmx_Val_RSE, DAQmx_Val_NRSE, DAQmx_Val_Diff"]),
])  # fmt: skip
def test_values_that_the_device_has_not(testers, given, lines):
    with testers.task("t") as task:
        code, text = error_of(add_and_verify, task, **given)
        assert code == -200077
        for line in (*lines, "Task Name: t", "Status Code: -200077"):
            assert line in text


def add_and_verify(task, **given):
    add(task, "voltage", **given)
    task.control(c.TaskMode.TASK_VERIFY)


def test_a_limit_set_too_far_is_told_when_it_matters(testers):
    # "NI-DAQmx Help", Verified State: what depends on other attributes is checked when the task is verified.
    with testers.task() as task:
        channel = add(task, "voltage")
        channel.ai_max = 11.0
        assert error_of(task.start)[0] == -200077
        channel.ai_max = -6.0
        assert error_of(lambda: channel.ai_max)[0] == -200082
        channel.ai_max = 6.0
        assert channel.ai_max == 10.0


@pytest.mark.parametrize(("name", "expected"), [
    ("ai0", c.TerminalConfiguration.DIFF), ("ai7", c.TerminalConfiguration.DIFF), ("ai8", c.TerminalConfiguration.RSE),
    ("ai16", c.TerminalConfiguration.DIFF), ("ai31", c.TerminalConfiguration.RSE),
])  # fmt: skip
def test_default_configuration_of_a_multifunction_card(testers, name, expected):
    # "NI-DAQmx Help", Default Input/Output Terminal Configurations: eight differential, eight referenced single-ended, and so on.
    with testers.task() as task:
        assert add(task, "voltage", f"Dev1/{name}").ai_term_cfg is expected
    with testers.task() as task:
        if expected is c.TerminalConfiguration.RSE:
            assert error_of(add, task, "voltage", f"Dev1/{name}", terminal_config=c.TerminalConfiguration.DIFF)[0] == -200077


def test_default_configuration_and_coupling_of_modules(testers):
    with testers.task() as task:
        channel = add(task, "voltage", DSA)
        assert (channel.ai_term_cfg, channel.ai_coupling) == (c.TerminalConfiguration.PSEUDO_DIFF, c.Coupling.DC)
        channel.ai_coupling = c.Coupling.AC
        assert channel.ai_coupling is c.Coupling.AC
        channel.ai_excit_src, channel.ai_excit_val = c.ExcitationSource.INTERNAL, 0.004
        assert channel.ai_excit_val == 0.004
    with testers.task() as task:
        assert add(task, "force_bridge_two_point_lin", BRIDGE).ai_term_cfg is c.TerminalConfiguration.DIFF
    with testers.task() as task:
        assert error_of(setattr, add(task, "voltage"), "ai_coupling", c.Coupling.AC)[0] == -200077


@pytest.mark.parametrize(("what", "where"), [
    ("accel", "Dev1/ai0"), ("bridge", "Dev1/ai0"), ("voltage", BRIDGE), ("microphone", BRIDGE), ("rtd", DSA), ("charge", DSA),
    ("voltage_rms", "Dev1/ai0"), ("freq_voltage", "Dev1/ai0"), ("pos_lvdt", DSA),
])  # fmt: skip
def test_what_a_device_does_not_measure(testers, what, where):
    with testers.task() as task:
        code, text = error_of(add, task, what, where)
        assert code == -200431
        assert where.partition("/")[0] in text


@pytest.mark.parametrize(("what", "given"), [
    ("resistance", {"current_excit_source": c.ExcitationSource.INTERNAL}),
    ("current", {"shunt_resistor_loc": c.CurrentShuntResistorLocation.INTERNAL}),
    ("thrmcpl", {"cjc_source": c.CJCSource.BUILT_IN}),
    ("voltage", {"units": c.VoltageUnits.FROM_TEDS}),
])  # fmt: skip
def test_what_a_multifunction_card_has_not_got_on_board(testers, what, given):
    with testers.task() as task:
        assert error_of(add, task, what, **given)[0] == -200077


def test_gains_of_a_module_are_its_ranges(testers):
    # "PXIe-4466/4467 Calibration Procedure": gains from -20 to 30 dB; 0 dB is 10 V.
    with testers.task() as task:
        channel = add(task, "voltage", DSA, min_val=-1.0, max_val=1.0)
        assert (channel.ai_gain, channel.ai_rng_high) == (20.0, 1.0)
        channel.ai_gain = 0.0
        assert (channel.ai_gain, channel.ai_rng_high, channel.ai_max) == (0.0, 10.0, 10.0)
        assert error_of(setattr, channel, "ai_gain", 7.0)[0] == -200077
        del channel.ai_gain
        assert channel.ai_gain == 20.0
    with testers.task() as task:
        assert error_of(lambda: add(task, "voltage").ai_gain)[0] == -200452


def test_whole_messages(make_bench):
    # As the driver worded them to users: labscript-devices, issue 62 (a USB-6366, which is differential only); navigate, issue 1009.
    bench = make_bench(devices=(("Dev1", "PXIe-6368"),))
    with bench.task("t") as task:
        _, text = error_of(task.ai_channels.add_ai_voltage_chan, "Dev1/ai0", terminal_config=c.TerminalConfiguration.RSE)
        assert text == (
            "Requested value is not a supported value for this property. The property value may be invalid because it conflicts with "
            "another property.\nProperty: DAQmx_AI_TermCfg\nRequested Value: DAQmx_Val_RSE\nPossible Values: DAQmx_Val_Diff\n"
            "Channel Name: Dev1/ai0\n\nTask Name: t\n\nStatus Code: -200077"
        )
        _, text = error_of(task.ao_channels.add_ao_voltage_chan, "Dev1/ao11")
        assert text == (
            "Physical channel specified does not exist on this device.\nRefer to the documentation for channels available on this device.\n"
            "Device: Dev1\nPhysical Channel Name: ao11\n\nTask Name: t\n\nStatus Code: -200170"
        )
