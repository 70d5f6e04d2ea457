"""What modules for thermocouples and RTDs can be set to.

Expected: NI-DAQmx Properties, DAQmx Channel (AI.ADCTimingMode, AI.AutoZeroMode, AI.Thrmcpl.LeadOffsetVoltage: subtracted from measurements,
ignored where open thermocouples are not looked for); tests/component/test_task.py of nidaqmx-python (nulling the leads of an NI 9214, with
and without skipping channels that have no such offset); 41 uV per degree of a type K about room temperature (ITS-90 reference tables).
"""

from __future__ import annotations

import pytest
from nidaqmx.constants import ADCTimingMode, AutoZeroType, CJCSource, ExcitationSource, ThermocoupleType

from tests.unit.drivers.simulated.daqmx.client_calls import code_of

DEVICES = [("c", "cDAQ-9178"), ("Warm", "NI 9214", "c", 1), ("Pt", "NI 9217", "c", 2), ("Dev1", "PCIe-6363")]


@pytest.fixture
def modules(make_bench):
    return make_bench(devices=DEVICES)


def _thermocouple(task, device="Warm"):
    k = ThermocoupleType.K
    return task.ai_channels.add_ai_thrmcpl_chan(
        f"{device}/ai0", thermocouple_type=k, cjc_source=CJCSource.CONSTANT_USER_VALUE, cjc_val=25.0
    )


def test_how_a_module_converts(modules):
    with modules.task() as task:
        channel = _thermocouple(task)
        assert channel.ai_adc_timing_mode is ADCTimingMode.AUTOMATIC
        for mode in (ADCTimingMode.HIGH_SPEED, ADCTimingMode.HIGH_RESOLUTION):
            channel.ai_adc_timing_mode = mode
            assert channel.ai_adc_timing_mode is mode
        channel.ai_auto_zero_mode = AutoZeroType.EVERY_SAMPLE
        assert channel.ai_auto_zero_mode is AutoZeroType.EVERY_SAMPLE
        del channel.ai_adc_timing_mode
        assert channel.ai_adc_timing_mode is ADCTimingMode.AUTOMATIC
        assert code_of(setattr, channel, "ai_adc_timing_mode", ADCTimingMode.CUSTOM) == -200077
        assert isinstance(task.read(), float)
    with modules.task() as task:
        channel = task.ai_channels.add_ai_rtd_chan("Pt/ai0", current_excit_source=ExcitationSource.INTERNAL, current_excit_val=1e-3)
        channel.ai_adc_timing_mode = ADCTimingMode.HIGH_SPEED
        assert code_of(lambda: channel.ai_auto_zero_mode) == -200452
    with modules.task() as task:
        card = _thermocouple(task, "Dev1")
        for name in ("ai_adc_timing_mode", "ai_auto_zero_mode", "ai_open_thrmcpl_detect_enable"):
            assert code_of(getattr, card, name) == -200452


def test_the_voltage_of_leads_is_taken_off(make_bench):
    """41 uV are about a degree of a type K; with nobody looking for open ones they stay."""
    for looks, fewer in ((True, 1.0), (False, 0.0)):
        seen = []
        for offset in (0.0, 41e-6):
            bench = make_bench(devices=DEVICES, wiring={"Warm/ai0": "Dev1/ao0"})  # 0 V: as warm as the cold junction
            with bench.task() as task:
                channel = _thermocouple(task)
                channel.ai_open_thrmcpl_detect_enable = looks
                channel.ai_thrmcpl_lead_offset_voltage = offset
                seen.append(task.read())
        assert seen[0] - seen[1] == pytest.approx(fewer, abs=0.1)


def test_leads_are_nulled(modules):
    with modules.task() as task:
        channel = _thermocouple(task)
        channel.ai_thrmcpl_lead_offset_voltage = 1e-3
        task.perform_thrmcpl_lead_offset_nulling_cal(channel.name, True)
        assert channel.ai_thrmcpl_lead_offset_voltage == 0.0
    with modules.task() as task:
        channel = _thermocouple(task, "Dev1")
        assert code_of(task.perform_thrmcpl_lead_offset_nulling_cal, channel.name, False) == -200452
        task.perform_thrmcpl_lead_offset_nulling_cal(channel.name, True)
    with modules.task() as task:
        channel = task.ai_channels.add_ai_voltage_chan("Dev1/ai0")
        assert code_of(task.perform_thrmcpl_lead_offset_nulling_cal, channel.name, False) == -200452
