"""The delay from the start trigger to the first sample: with analogue triggers, and how long it can be.

"StartTrig.Delay", NI-DAQmx C Properties; errors by their names in nidaqmx.error_codes (DELAY_FROM_START_TRIG_TOO_SHORT, ..._TOO_LONG).
"""

from __future__ import annotations

import numpy as np
import pytest
from nidaqmx.constants import DigitalWidthUnits, Slope, TaskMode, WindowTriggerCondition1

from tests.unit.drivers.simulated.daqmx.client_calls import code_of, codes, volts_in, volts_out


@pytest.fixture
def bench(make_bench):
    return make_bench(wiring={"Dev1/ai1": "sample_code", "Dev1/ai0": "Dev1/ao0"})


@pytest.mark.parametrize("window", [False, True])
@pytest.mark.parametrize(
    ("value", "units", "first"),
    [(2e-3, DigitalWidthUnits.SECONDS, 1.1 + 2.0), (5, DigitalWidthUnits.SAMPLE_CLOCK_PERIODS, 1.1 + 0.5),
     (1e5, DigitalWidthUnits.TICKS, 1.1 + 1.0), (2.5, DigitalWidthUnits.SAMPLE_CLOCK_PERIODS, 1.1 + 0.3)],
)  # fmt: skip
def test_delay_from_an_analog_start_trigger(bench, window, value, units, first):
    """StartTrig.Delay: "time to wait after the Start Trigger is received before acquiring the first sample"; here whole samples."""
    with bench.task() as out, bench.task() as task:
        volts_out(out, np.linspace(-5.0, 5.0, 101))
        volts_in(task, samples=5)
        start = task.triggers.start_trigger
        if window:
            start.cfg_anlg_window_start_trig(8.0, 1.05, "Dev1/ai0", WindowTriggerCondition1.ENTERING_WINDOW)
        else:
            start.cfg_anlg_edge_start_trig("Dev1/ai0", Slope.RISING, 1.05)
        start.delay_units, start.delay = units, value
        out.start()
        task.start()
        np.testing.assert_allclose(task.read(5), first + 0.1 * np.arange(5), atol=2e-3)


def test_an_analog_start_trigger_is_looked_for_on_every_sample(bench):
    """Also where many times the samples that are taken come in a millisecond: the ramp crosses the level in the midst of one."""
    with bench.task() as out, bench.task() as task:
        volts_out(out, np.linspace(-5.0, 5.0, 10_001), 500_000.0)
        volts_in(task, 500_000.0, 20)
        task.triggers.start_trigger.cfg_anlg_edge_start_trig("Dev1/ai0", Slope.RISING, 1.2345)
        out.start()
        task.start()
        values = task.read(20)
        np.testing.assert_allclose(values, 1.235 + 1e-3 * np.arange(20), atol=2e-3)


@pytest.mark.parametrize("analog", [False, True])
@pytest.mark.parametrize(("delay", "code"), [(-1.0, -200333), (1e-9, -200333), (60.0, -200334), (20e-9, 0), (40.0, 0)])
def test_delays_that_the_counter_of_the_clock_does_not_make(bench, analog, delay, code):
    """It counts ticks of the sample clock's timebase, here 100 MHz, in 32 bits ("X Series User Manual")."""
    with bench.task() as task:
        codes(task, samples=30)
        start = task.triggers.start_trigger
        if analog:
            start.cfg_anlg_edge_start_trig("Dev1/ai1", trigger_level=1.0)
        else:
            start.cfg_dig_edge_start_trig("/Dev1/PFI0")
        start.delay_units, start.delay = DigitalWidthUnits.SECONDS, delay
        if not code:
            task.control(TaskMode.TASK_VERIFY)
            return
        assert code_of(task.control, TaskMode.TASK_COMMIT) == code
