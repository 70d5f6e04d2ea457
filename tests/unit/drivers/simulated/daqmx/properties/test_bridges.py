"""Zero of a bridge at rest, and the shunt of strain gages.

"NI-DAQmx Help", Bridge Sensor Nulling and Shunt Calibration: nulling measures the unstrained bridge and stores it as AI.Bridge.InitialRatio
(of a strain gage as AI.Bridge.InitialVoltage), which readings are then without; a shunt across an arm stands for a known strain.
"""

from __future__ import annotations

import numpy as np
import pytest
from nidaqmx import constants as c
from nidaqmx.errors import DaqError

from tests.unit.drivers.simulated.daqmx.client_calls import code_of


class Rest:
    """Three bridges at rest; the first two are off balance by 0.4 mV/V and -0.2 mV/V of 10 V."""

    analogue_inputs: tuple[str, ...] = ()
    analogue_outputs = ("cell", "gage", "level")
    digital_inputs: tuple[str, ...] = ()
    digital_outputs: tuple[str, ...] = ()

    def advance(self, times, volts, lines):
        return np.tile([4e-3, -2e-3, 1.0], (len(times), 1))

    def read_lines(self):
        return np.zeros(0, dtype=bool)

    def take_events(self):
        return []


@pytest.fixture
def rig(make_bench):
    wires = {"Dev2/ai0": "cell", "Dev2/ai1": "gage", "Dev1/ai0": "level"}
    return make_bench(devices=(("Dev1", "PCIe-6363"), ("Dev2", "PXIe-4331")), wiring=wires, plant=Rest())


def cell(task, where="Dev2/ai0"):
    return task.ai_channels.add_ai_force_bridge_two_point_lin_chan(
        where, min_val=-1000.0, max_val=1000.0, units=c.ForceUnits.NEWTONS, voltage_excit_val=10.0, second_electrical_val=2.0,
        second_physical_val=1000.0, physical_units=c.BridgePhysicalUnits.NEWTONS,
    )  # fmt: skip


def gage(task):
    return task.ai_channels.add_ai_strain_gage_chan(
        "Dev2/ai1", strain_config=c.StrainGageBridgeType.QUARTER_BRIDGE_I, voltage_excit_val=10.0, nominal_gage_resistance=350.0
    )


def test_nulling_takes_the_rest_out_of_the_readings(rig):
    with rig.task() as task:
        channel = cell(task)
        # 0.4 mV/V of a cell of 1000 N at 2 mV/V
        assert task.read() == pytest.approx(200.0, abs=0.1)
        assert channel.ai_bridge_initial_ratio == 0.0
        task.perform_bridge_offset_nulling_cal()
        assert channel.ai_bridge_initial_ratio == pytest.approx(0.4e-3, abs=5e-9)
        assert task.read() == pytest.approx(0.0, abs=0.1)
        # Again: what is there already is not taken twice.
        task.perform_bridge_offset_nulling_cal()
        assert channel.ai_bridge_initial_ratio == pytest.approx(0.4e-3, abs=5e-9)


def test_nulling_of_a_strain_gage(rig):
    with rig.task() as task:
        channel = gage(task)
        # -0.2 mV/V: e = -4 Vr / (GF (1 + 2 Vr)) with GF 2
        assert task.read() == pytest.approx(4e-4, rel=1e-3)
        task.perform_bridge_offset_nulling_cal()
        assert channel.ai_bridge_initial_voltage == pytest.approx(-2e-3, abs=5e-8)
        assert task.read() == pytest.approx(0.0, abs=1e-8)


def test_only_what_is_named_and_only_bridges(rig):
    with rig.task() as task:
        cell(task, "Dev2/ai0")
        cell(task, "Dev2/ai2")
        task.perform_bridge_offset_nulling_cal("Dev2/ai0")
        assert task.ai_channels["Dev2/ai2"].ai_bridge_initial_ratio == 0.0
        assert task.ai_channels["Dev2/ai0"].ai_bridge_initial_ratio != 0.0
    with rig.task() as task:
        task.ai_channels.add_ai_voltage_chan("Dev1/ai0")
        assert code_of(task.perform_bridge_offset_nulling_cal) == -200452
        task.perform_bridge_offset_nulling_cal(skip_unsupported_channels=True)
        with pytest.raises(DaqError):
            task.perform_strain_shunt_cal()


def test_a_shunt_of_a_strain_gage_sets_its_gain(rig):
    # A gage of 357 ohm, taken for one of 350: the shunt shows by how much less it answers.
    rig.engine.board.bridges["dev2/ai1"] = 357.0
    with rig.task() as task:
        channel = gage(task)
        task.perform_strain_shunt_cal(shunt_resistor_value=100e3)
        change = lambda ohms: 0.5 - ohms / (ohms + 1.0 / (1.0 / ohms + 1.0 / 100e3))  # noqa: E731
        assert channel.ai_bridge_shunt_cal_gain_adjust == pytest.approx(change(350.0) / change(357.0), rel=1e-9)
        raw = -4.0 * -2e-4 / (2.0 * (1.0 - 4e-4))
        assert task.read() == pytest.approx(raw * channel.ai_bridge_shunt_cal_gain_adjust, rel=1e-3)


def test_gain_and_zero_together(rig):
    with rig.task() as task:
        cell(task)
        task.perform_bridge_offset_nulling_cal()
        task.perform_bridge_shunt_cal(shunt_resistor_value=50e3)
        assert task.read() == pytest.approx(0.0, abs=0.1)
