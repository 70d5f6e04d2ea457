"""Names of what is saved: scales, global channels and tasks.

Codes and texts are NI-DAQmx's own: CUSTOM_SCALE_NAME_USED, CANT_SAVE_..._WITHOUT_REPLACE, GLOBAL_CHAN_NAME_ALREADY_TASK_NAME and
GLOBAL_TASK_NAME_ALREADY_CHAN_NAME.
"""

from __future__ import annotations

import pytest
from nidaqmx import Scale
from nidaqmx import constants as c
from nidaqmx.system.storage import PersistedScale

from tests.unit.drivers.simulated.daqmx.client_calls import code_of, error_of


def scale(bench, name="double", slope=2.0):
    return Scale.create_lin_scale(name, slope, grpc_options=bench.options)


def test_a_scale_is_made_anew_until_one_of_its_name_is_saved(bench):
    scale(bench)
    made = scale(bench, slope=3.0)
    assert made.lin_slope == 3.0
    made.save()
    for name in ("double", "Double"):
        code, text = error_of(scale, bench, name)
        assert code == -200356
        assert text.startswith("Custom scale cannot be created. A saved scale with this name already exists.")
    PersistedScale("double", grpc_options=bench.options).delete()
    scale(bench)


@pytest.mark.parametrize("name", ["", "triple"])
def test_a_saved_scale_is_replaced_where_that_is_asked_for(bench, name):
    made = scale(bench)
    made.save(name)
    assert code_of(made.save, name) == -200356
    made.lin_slope = 4.0
    made.save(name, overwrite_existing_scale=True)
    made.lin_slope = 5.0
    assert float(bench.engine.stored_scales[name or "double"].attributes["LIN_SLOPE"]) == 4.0


def test_a_scale_that_a_running_task_uses(bench):
    """What the task runs with was fixed when it was verified: the scale may be changed, saved and deleted meanwhile."""
    made = scale(bench)
    made.save()
    with bench.task() as task:
        task.ai_channels.add_ai_voltage_chan(
            "Dev1/ai1", min_val=-20.0, max_val=20.0, units=c.VoltageUnits.FROM_CUSTOM_SCALE, custom_scale_name="double"
        )
        task.timing.cfg_samp_clk_timing(1000.0, sample_mode=c.AcquisitionType.CONTINUOUS)
        task.start()
        before = task.read(1)[0]
        made.lin_slope = 5.0
        PersistedScale("double", grpc_options=bench.options).delete()
        after = task.read(1)[0]
        assert before == pytest.approx(-20.0)
        assert after - before == pytest.approx(2.0 * 20 / 65536)


def test_tasks_and_global_channels_have_no_name_together(bench):
    with bench.task("force") as task:
        task.ai_channels.add_ai_voltage_chan("Dev1/ai0", "load")
        task.ai_channels["load"].save("force")
        code, text = error_of(task.save)
        assert code == -200919 and "does not support overlapping task and global channel names" in text
        task.save("cell")
        assert code_of(task.ai_channels["load"].save, "Cell") == -200918
        task.ai_channels["load"].save("other")


def test_what_is_saved_is_not_replaced_unasked(bench):
    with bench.task("force") as task:
        task.ai_channels.add_ai_voltage_chan("Dev1/ai0", "load")
        task.save()
        assert code_of(task.save) == -200484
        task.save(overwrite_existing_task=True)
        task.ai_channels["load"].save("cell")
        assert code_of(task.ai_channels["load"].save, "CELL") == -200483
        task.ai_channels["load"].save("cell", overwrite_existing_channel=True)
