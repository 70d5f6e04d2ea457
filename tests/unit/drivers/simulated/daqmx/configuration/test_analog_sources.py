"""Analogue triggers: what their sources can be, levels within limits, one comparing circuit, pauses by level.

Conditions: "X Series User Manual", Triggering with an Analog Source (first channel for a start, only channel for a reference or a pause,
any channel of a simultaneous device; APFI terminals), and NI's texts for the errors that `nidaqmx.error_codes` names.
"""

from __future__ import annotations

import numpy as np
import pytest
from nidaqmx.constants import AcquisitionType, ActiveLevel, Slope, TaskMode, TriggerType, WindowTriggerCondition1, WindowTriggerCondition2
from nidaqmx.error_codes import DAQmxErrors
from nidaqmx.errors import DaqError

from tests.unit.drivers.simulated.daqmx.client_calls import LSB, code_of, verified, volts_in

FINITE, CONTINUOUS = AcquisitionType.FINITE, AcquisitionType.CONTINUOUS


@pytest.fixture
def make_task(make_bench):
    """An acquisition of some channels of a device, clocked, with limits of -5 V and 5 V."""

    def make(*names, device="Dev1", product="PCIe-6363"):
        task = make_bench(devices=[(device, product)]).task()
        opened.append(task)
        for name in names:
            task.ai_channels.add_ai_voltage_chan(f"{device}/{name}", min_val=-5.0, max_val=5.0)
        task.timing.cfg_samp_clk_timing(10_000.0, samps_per_chan=100)
        return task

    opened = []
    yield make
    for task in opened:
        task.close()


def test_a_source_that_is_not_in_the_task(make_task):
    task = make_task("ai0")
    for source in ("Dev1/ai1", "Dev1/ao0", "/Dev1/PFI0", "nobody"):
        task.triggers.start_trigger.cfg_anlg_edge_start_trig(source, Slope.RISING, 1.0)
        assert verified(task) == DAQmxErrors.INVALID_ANALOG_TRIG_SRC


def test_a_channel_goes_by_the_name_it_was_given(bench):
    """NI's text for -200131: "If you explicitly named the virtual channel in DAQmx Create Channel, you must use the name assigned"."""
    with bench.task() as task:
        task.ai_channels.add_ai_voltage_chan("Dev1/ai0", "load")
        task.timing.cfg_samp_clk_timing(1000.0, samps_per_chan=10)
        task.triggers.start_trigger.cfg_anlg_edge_start_trig("Dev1/ai0", Slope.RISING, 1.0)
        assert verified(task) == DAQmxErrors.INVALID_ANALOG_TRIG_SRC
        task.triggers.start_trigger.cfg_anlg_edge_start_trig("load", Slope.RISING, 1.0)
        assert verified(task) == 0


def test_a_start_on_the_first_channel_only(make_task):
    task = make_task("ai0", "ai1")
    task.triggers.start_trigger.cfg_anlg_edge_start_trig("Dev1/ai1", Slope.RISING, 1.0)
    assert verified(task) == DAQmxErrors.ANALOG_TRIG_CHAN_NOT_FIRST_IN_SCAN_LIST
    for source in ("Dev1/ai0", "APFI0", "/Dev1/APFI1"):
        task.triggers.start_trigger.cfg_anlg_edge_start_trig(source, Slope.RISING, 1.0)
        assert verified(task) == 0


def test_a_reference_and_a_pause_on_an_only_channel(make_task):
    task = make_task("ai0", "ai1")
    task.triggers.reference_trigger.cfg_anlg_edge_ref_trig("Dev1/ai0", 10, Slope.RISING, 1.0)
    assert verified(task) == DAQmxErrors.TOO_MANY_CHANS_FOR_ANALOG_REF_TRIG
    task.triggers.reference_trigger.cfg_anlg_edge_ref_trig("APFI0", 10, Slope.RISING, 1.0)
    assert verified(task) == 0
    task.triggers.reference_trigger.disable_ref_trig()
    pause = task.triggers.pause_trigger
    pause.trig_type, pause.anlg_lvl_src, pause.anlg_lvl_lvl = TriggerType.ANALOG_LEVEL, "Dev1/ai0", 1.0
    assert verified(task) == DAQmxErrors.TOO_MANY_CHANS_FOR_ANALOG_PAUSE_TRIG


def test_simultaneous_devices_take_any_channel(make_task):
    task = make_task("ai0", "ai1", product="PXIe-6368")
    task.triggers.start_trigger.cfg_anlg_edge_start_trig("Dev1/ai1", Slope.RISING, 1.0)
    task.triggers.reference_trigger.cfg_anlg_edge_ref_trig("Dev1/ai1", 10, Slope.RISING, 1.0)
    assert verified(task) == 0


def test_there_is_one_comparing_circuit(make_task):
    task = make_task("ai0")
    start, reference = task.triggers.start_trigger, task.triggers.reference_trigger
    start.cfg_anlg_edge_start_trig("Dev1/ai0", Slope.RISING, 1.0)
    reference.cfg_anlg_edge_ref_trig("Dev1/ai0", 10, Slope.RISING, 2.0)
    assert verified(task) == DAQmxErrors.INCONSISTENT_ANALOG_TRIG_SETTINGS
    reference.cfg_anlg_window_ref_trig("Dev1/ai0", 2.0, 1.0, 10, WindowTriggerCondition1.ENTERING_WINDOW)
    assert verified(task) == DAQmxErrors.INCONSISTENT_ANALOG_TRIG_SETTINGS
    reference.cfg_anlg_edge_ref_trig("Dev1/ai0", 10, Slope.FALLING, 1.0)
    assert verified(task) == 0


def test_levels_are_within_the_limits_of_the_channel(make_task):
    """-200422: AI Minimum < Trigger Level < AI Maximum, -200421: level - hysteresis > minimum, -200425, -200423 for windows."""
    task = make_task("ai0")
    start = task.triggers.start_trigger
    for level in (-5.5, 5.0, 7.0):
        start.cfg_anlg_edge_start_trig("Dev1/ai0", Slope.RISING, level)
        assert verified(task) == DAQmxErrors.TRIG_AI_MIN_AI_MAX
    for slope, level, error in (
        (Slope.RISING, -4.0, DAQmxErrors.HYST_TRIG_LEVEL_AI_MIN), (Slope.FALLING, 4.0, DAQmxErrors.HYST_TRIG_LEVEL_AI_MAX),
    ):  # fmt: skip
        start.cfg_anlg_edge_start_trig("Dev1/ai0", slope, level)
        start.anlg_edge_hyst = 1.5
        assert verified(task) == error
        start.anlg_edge_hyst = 0.5
        assert verified(task) == 0
    start.cfg_anlg_window_start_trig(6.0, 1.0, "Dev1/ai0", WindowTriggerCondition1.ENTERING_WINDOW)
    assert verified(task) == DAQmxErrors.TRIG_WINDOW_AI_MIN_AI_MAX_COMBO


def test_devices_without_the_circuit(make_task):
    # As a PXI-6221 answers: Requested Value: DAQmx_Val_AnlgEdge, Possible Values: DAQmx_Val_DigEdge, DAQmx_Val_None.
    task = make_task("ai0", product="PXIe-6341")
    task.triggers.start_trigger.cfg_anlg_edge_start_trig("Dev1/ai0", Slope.RISING, 1.0)
    with pytest.raises(DaqError, match="Possible Values: DAQmx_Val_DigEdge, DAQmx_Val_None") as caught:
        task.control(TaskMode.TASK_VERIFY)
    assert caught.value.error_code == DAQmxErrors.INVALID_ATTRIBUTE_VALUE


@pytest.mark.parametrize("product", ["PXIe-4466", "PXIe-4331", "PXI-4462"])
def test_delta_sigma_converters_cannot_pause(make_bench, product):
    # Device.ai_trig_usage of nidaqmx-python's tests for a PXIe-4331: start and reference.
    with make_bench(devices=[("PXI1Slot3", product)]).task() as task:
        if product == "PXIe-4331":
            task.ai_channels.add_ai_bridge_chan("PXI1Slot3/ai0")
        else:
            task.ai_channels.add_ai_voltage_chan("PXI1Slot3/ai0")
        task.timing.cfg_samp_clk_timing(10_000.0, samps_per_chan=100)
        pause = task.triggers.pause_trigger
        assert code_of(setattr, pause, "trig_type", TriggerType.DIGITAL_LEVEL) == DAQmxErrors.ATTRIBUTE_NOT_SUPPORTED_IN_TASK_CONTEXT


def test_a_delay_needs_the_clock_of_the_device(bench):
    with bench.task() as task:
        task.ai_channels.add_ai_voltage_chan("Dev1/ai0")
        task.timing.cfg_samp_clk_timing(1000.0, source="/Dev1/PFI0", samps_per_chan=10)
        task.triggers.start_trigger.delay = 2.0
        assert verified(task) == DAQmxErrors.START_TRIG_DELAY_WITH_EXT_SAMP_CLK


WAVE = [0.0, 1.0, 2.0, 3.0, 2.4, 1.6, 1.2, 0.4, 3.5, 0.0]


def above(pause):
    pause.anlg_lvl_src, pause.anlg_lvl_lvl, pause.anlg_lvl_when = "Dev1/ai0", 2.2, ActiveLevel.ABOVE
    return TriggerType.ANALOG_LEVEL, [0.0, 1.0, 2.0, 1.6, 1.2, 0.4, 0.0]


def above_with_hysteresis(pause):
    above(pause)
    pause.anlg_lvl_hyst = 0.8  # goes on below 1.4
    return TriggerType.ANALOG_LEVEL, [0.0, 1.0, 2.0, 1.2, 0.4, 0.0]


def below(pause):
    pause.anlg_lvl_src, pause.anlg_lvl_lvl, pause.anlg_lvl_when = "Dev1/ai0", 1.5, ActiveLevel.BELOW
    return TriggerType.ANALOG_LEVEL, [2.0, 3.0, 2.4, 1.6, 3.5]


def inside(pause):
    pause.anlg_win_src, pause.anlg_win_top, pause.anlg_win_btm = "Dev1/ai0", 2.5, 0.9
    pause.anlg_win_when = WindowTriggerCondition2.INSIDE_WINDOW
    return TriggerType.ANALOG_WINDOW, [0.0, 3.0, 0.4, 3.5, 0.0]


def outside(pause):
    inside(pause)
    pause.anlg_win_when = WindowTriggerCondition2.OUTSIDE_WINDOW
    return TriggerType.ANALOG_WINDOW, [1.0, 2.0, 2.4, 1.6, 1.2]


@pytest.mark.parametrize("mode", [FINITE, CONTINUOUS])
@pytest.mark.parametrize("configure", [above, above_with_hysteresis, below, inside, outside])
def test_pauses_by_the_level_of_the_channel(make_bench, configure, mode):
    """`anlg_lvl_when`, `anlg_win_when` of `PauseTrigger`: "pauses while the trigger signal is above or below the threshold", "inside or
    outside the window"; `anlg_lvl_hyst`: goes on below the level minus the hysteresis.
    """
    bench = make_bench(wiring={"Dev1/ai0": "Dev1/ao0"})
    with bench.task() as out, bench.task() as task:
        out.ao_channels.add_ao_voltage_chan("Dev1/ao0")
        out.timing.cfg_samp_clk_timing(1000.0, source="/Dev1/ai/SampleClock", sample_mode=CONTINUOUS)
        out.write(np.tile(np.rint(np.array(WAVE) / LSB) * LSB, 20))
        volts_in(task, 1000.0, 20, sample_mode=mode)
        task.triggers.pause_trigger.trig_type, wanted = configure(task.triggers.pause_trigger)
        out.start()
        task.start()
        seen = task.read(20)
        assert task.is_task_done() is (mode is FINITE)
    # An edge samples what was before it: first the output at rest, 0 V, which is the first value of the wave as well.
    at_rest = [0.0] if wanted[0] == WAVE[0] else []
    np.testing.assert_allclose(seen, [*at_rest, *np.resize(wanted, 20)][:20], atol=1e-3)
