"""Starts and references on several analogue edges: the first of them that comes.

"Multi-edge triggering treats the configured triggers as if a logical OR is applied" (nidaqmx-python, cfg_anlg_multi_edge_start_trig). An
NI 9775 has it (NI's tests, tests/component/task/test_triggers.py). Signals are steps, put out and taken in at the same sample clock: so the
sample at which each edge is crossed is known.
"""

from __future__ import annotations

import numpy as np
import pytest
from nidaqmx import constants as c
from nidaqmx.constants import AcquisitionType, Slope

from tests.unit.drivers.simulated.daqmx.client_calls import error_of, volts_in

RISE, FALL = Slope.RISING, Slope.FALLING


@pytest.fixture
def module(make_bench):
    """An NI 9775 whose first two inputs see two outputs."""
    names = (("cDAQ1", "cDAQ-9189"), ("cDAQ1Mod1", "NI 9775"), ("cDAQ1Mod2", "NI 9263"))
    return make_bench(devices=names, wiring={f"cDAQ1Mod1/ai{n}": f"cDAQ1Mod2/ao{n}" for n in (0, 1)})


def steps(task, first, second, samples=100):
    """Two outputs that step from 0 V by 5 V and by -5 V after so many samples."""
    task.ao_channels.add_ao_voltage_chan("cDAQ1Mod2/ao0:1")
    task.timing.cfg_samp_clk_timing(1000.0, sample_mode=AcquisitionType.FINITE, samps_per_chan=samples)
    index = np.arange(samples)
    task.write(np.array([5.0 * (index >= first), -5.0 * (index >= second)]), auto_start=False)


def inputs(task, samples=20):
    """The inputs, at the clock of the outputs: sample n sees what was put out at edge n - 1."""
    volts_in(task, 1000.0, samples, where="cDAQ1Mod1/ai0:1", source="/cDAQ1/ao/SampleClock")


def acquired(module, configure, first, second, samples=20):
    """What the inputs acquire with a trigger, in V, rounded."""
    with module.task() as out, module.task() as task:
        steps(out, first, second)
        inputs(task, samples)
        configure(task.triggers)
        task.start()
        out.start()
        return np.rint(task.read(samples))


@pytest.mark.parametrize(("first", "second", "seen"), [(30, 50, (5, 0)), (50, 30, (0, -5)), (40, 40, (5, -5))])
def test_whichever_edge_comes_first_starts(module, first, second, seen):
    """With one edge it would wait for that: the other signal is beyond its level only later."""
    found = acquired(
        module, lambda t: t.start_trigger.cfg_anlg_multi_edge_start_trig("cDAQ1Mod1/ai0:1", [RISE, FALL], [2.0, -2.0]), first, second
    )  # fmt: skip
    assert tuple(found[:, 0]) == seen
    later = abs(first - second)
    assert np.array_equal(np.abs(found).sum(axis=0), np.where(np.arange(20) < later, 5 if later else 10, 10))


def test_an_edge_of_the_other_slope_does_not_count(module):
    found = acquired(
        module, lambda t: t.start_trigger.cfg_anlg_multi_edge_start_trig("cDAQ1Mod1/ai0:1", [FALL, FALL], [2.0, -2.0]), 20, 60
    )  # fmt: skip
    assert tuple(found[:, 0]) == (5, -5)  # the rise of ai0 has passed by


@pytest.mark.parametrize(("first", "second"), [(30, 50), (50, 30)])
def test_whichever_edge_comes_first_is_the_reference(module, first, second):
    found = acquired(
        module, lambda t: t.reference_trigger.cfg_anlg_multi_edge_ref_trig("cDAQ1Mod1/ai0:1", 8, [RISE, FALL], [2.0, -2.0]), first, second
    )  # fmt: skip
    assert np.array_equal(np.abs(found).sum(axis=0), [0] * 8 + [5] * 12)
    assert found[0 if first < second else 1, 8] != 0


def test_an_edge_before_the_pretrigger_samples_are_there_is_no_reference(module):
    found = acquired(
        module, lambda t: t.reference_trigger.cfg_anlg_multi_edge_ref_trig("cDAQ1Mod1/ai0:1", 10, [RISE, FALL], [2.0, -2.0]), 5, 25
    )  # fmt: skip
    assert np.array_equal(found[0], [5] * 20)
    assert np.array_equal(found[1], [0] * 10 + [-5] * 10)


def test_hysteresis_is_each_edge_s_own(module):
    """A level of 1 V with a hysteresis of 3 V is ready below -2 V only: the step from 0 V does not trigger, the other signal's does."""

    def configure(triggers):
        triggers.start_trigger.cfg_anlg_multi_edge_start_trig("cDAQ1Mod1/ai0:1", [RISE, FALL], [1.0, -2.0])
        triggers.start_trigger.anlg_multi_edge_hysts = [3.0, 0.0]
        assert list(triggers.start_trigger.anlg_multi_edge_hysts) == [3.0, 0.0]

    assert tuple(acquired(module, configure, 20, 60)[:, 0]) == (5, -5)


def test_what_was_configured_is_shown(module):
    with module.task() as task:
        inputs(task)
        start = task.triggers.start_trigger
        start.cfg_anlg_multi_edge_start_trig("cDAQ1Mod1/ai0, cDAQ1Mod1/ai1", [FALL, RISE], [3.0, -2.0])
        assert start.trig_type == c.TriggerType.ANALOG_MULTI_EDGE
        assert start.anlg_multi_edge_srcs == "cDAQ1Mod1/ai0, cDAQ1Mod1/ai1"
        assert (list(start.anlg_multi_edge_slopes), list(start.anlg_multi_edge_lvls)) == ([FALL, RISE], [3.0, -2.0])
        start.anlg_multi_edge_couplings = [c.Coupling.DC, c.Coupling.DC]
        assert list(start.anlg_multi_edge_couplings) == [c.Coupling.DC] * 2
        start.disable_start_trig()
        task.control(c.TaskMode.TASK_VERIFY)


def test_what_is_refused(module, bench):
    with module.task() as task:
        inputs(task)
        start = task.triggers.start_trigger
        start.cfg_anlg_multi_edge_start_trig("cDAQ1Mod1/ai0, cDAQ1Mod1/ai3", [FALL, RISE], [3.0, -2.0])
        assert error_of(task.start)[0] == -200265  # a channel that is not in the task
        start.cfg_anlg_multi_edge_start_trig("cDAQ1Mod1/ai0:1", [FALL, RISE], [3.0])
        code, text = error_of(task.start)
        assert code == -209826
        assert text.startswith("Multiple sourced triggering requires the same number of values for all user-specified trigger config")
        start.cfg_anlg_multi_edge_start_trig("cDAQ1Mod1/ai0:1", [FALL, RISE], [3.0, -20.0])
        assert error_of(task.start)[0] == -200422  # a level beyond the limits of the channel
    with bench.task() as task:
        task.ai_channels.add_ai_voltage_chan("Dev1/ai0:1")
        task.timing.cfg_samp_clk_timing(1000.0)
        task.triggers.start_trigger.cfg_anlg_multi_edge_start_trig("Dev1/ai0:1", [FALL, RISE], [3.0, -2.0])
        code, text = error_of(task.start)
        assert code == -200077
        assert "Property: DAQmx_StartTrig_Type\nRequested Value: DAQmx_Val_AnlgMultiEdge\nPossible Values: DAQmx_Val_AnlgEdge" in text
