"""Sensors that something outside a multifunction card feeds: what is made of them, and with which limits.

Expected values: nidaqmx-python, tests/legacy/test_channel_creation.py, which runs on a simulated PCIe-6363.
"""

from __future__ import annotations

import pytest
from nidaqmx.constants import ExcitationSource, RTDType, StrainGageBridgeType, TemperatureUnits

from tests.unit.drivers.simulated.daqmx.client_calls import code_of


def test_a_strain_gage_at_a_multifunction_card(bench):
    """Fed from outside it is made; 0.2 V/V at 1 V are the range of 0.2 V."""
    how = {"strain_config": StrainGageBridgeType.FULL_BRIDGE_I, "voltage_excit_val": 1.0, "gage_factor": 4.0, "lead_wire_resistance": 0.1}
    with bench.task() as task:
        channel = task.ai_channels.add_ai_strain_gage_chan(
            "Dev1/ai0", min_val=-0.05, max_val=0.05, voltage_excit_source=ExcitationSource.EXTERNAL, **how
        )
        assert (channel.ai_min, channel.ai_max) == pytest.approx((-0.05, 0.05))
        assert channel.ai_rng_high == 0.2
    with bench.task() as task:
        assert code_of(task.ai_channels.add_ai_strain_gage_chan, "Dev1/ai0", voltage_excit_source=ExcitationSource.INTERNAL) == -200077


def test_limits_of_resistive_temperature_sensors(bench):
    """A Pt3750 down to 28 K reads to 221 K, a thermistor from -30 to 300 degrees."""
    with bench.task() as task:
        channel = task.ai_channels.add_ai_rtd_chan(
            "Dev1/ai0", min_val=28.0, max_val=120.0, units=TemperatureUnits.K, rtd_type=RTDType.PT_3750,
            current_excit_source=ExcitationSource.EXTERNAL, current_excit_val=0.0025, r_0=100.0,
        )  # fmt: skip
        assert (channel.ai_min, channel.ai_max) == (pytest.approx(28.0, abs=1.0), pytest.approx(221.0, abs=1.0))
    with bench.task() as task:
        channel = task.ai_channels.add_ai_thrmstr_chan_iex(
            "Dev1/ai1", min_val=-30.0, max_val=300.0, current_excit_source=ExcitationSource.EXTERNAL, current_excit_val=0.0001,
            a=0.0013, b=0.00023, c=0.000000102,
        )  # fmt: skip
        assert (channel.ai_min, channel.ai_max) == (pytest.approx(-30.0, abs=1.0), pytest.approx(300.0, abs=1.0))
