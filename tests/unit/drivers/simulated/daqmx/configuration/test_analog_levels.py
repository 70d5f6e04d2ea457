"""Levels of analogue triggers that could never be met: windows without an inside, hysteresis below zero.

"AnlgWin.StartTrig.Top", "AnlgEdge.StartTrig.Hyst" (NI-DAQmx C Properties): the upper limit of the window; how far below the level the
signal has to be, in the units of the channel.
"""

from __future__ import annotations

import pytest
from nidaqmx import constants as c
from nidaqmx.errors import RpcError

from tests.unit.drivers.simulated.daqmx.client_calls import code_of, codes, not_served


@pytest.mark.parametrize("trigger", ["start", "reference"])
@pytest.mark.parametrize(("top", "bottom"), [(-1.0, 1.0), (1.0, 1.0)])
def test_a_window_has_its_top_above_its_bottom(bench, trigger, top, bottom):
    with bench.task() as task:
        codes(task, samples=100)
        if trigger == "start":
            task.triggers.start_trigger.cfg_anlg_window_start_trig(top, bottom, "Dev1/ai1")
        else:
            task.triggers.reference_trigger.cfg_anlg_window_ref_trig("Dev1/ai1", top, bottom, 10)
        assert not_served(task.start)


def test_a_pause_window_has_its_top_above_its_bottom(bench):
    with bench.task() as task:
        codes(task, samples=100, sample_mode=c.AcquisitionType.CONTINUOUS)
        pause = task.triggers.pause_trigger
        pause.trig_type, pause.anlg_win_src = c.TriggerType.ANALOG_WINDOW, "Dev1/ai1"
        pause.anlg_win_top, pause.anlg_win_btm = 1.0, 2.0
        with pytest.raises(RpcError):
            task.start()
        pause.anlg_win_top = 3.0
        task.control(c.TaskMode.TASK_VERIFY)


@pytest.mark.parametrize(("trigger", "name"), [("start", "anlg_edge_hyst"), ("reference", "anlg_edge_hyst"), ("pause", "anlg_lvl_hyst")])
@pytest.mark.parametrize("value", [-0.1, float("nan")])
def test_there_is_no_hysteresis_below_zero(bench, trigger, name, value):
    with bench.task() as task:
        codes(task, samples=100)
        owner = getattr(task.triggers, f"{trigger}_trigger")
        assert code_of(setattr, owner, name, value) == -200077
        setattr(owner, name, 0.5)
        assert getattr(owner, name) == 0.5
