"""Names of properties in errors: those of NIDAQmx.h, as the wiki of ni/grpc-device (Channel Attributes) and ni-daqmx-sys list them."""

from __future__ import annotations

import pytest

from drivers.simulated.daqmx.property_names import c_name


@pytest.mark.parametrize(("name", "expected"), [
    ("AI_MAX", "DAQmx_AI_Max"), ("AI_MEAS_TYPE", "DAQmx_AI_MeasType"), ("AI_CUSTOM_SCALE_NAME", "DAQmx_AI_CustomScaleName"),
    ("AI_VOLTAGE_UNITS", "DAQmx_AI_Voltage_Units"), ("AI_VOLTAGE_ACRMS_UNITS", "DAQmx_AI_Voltage_ACRMS_Units"),
    ("AI_VOLTAGE_DB_REF", "DAQmx_AI_Voltage_dBRef"), ("AI_TEMP_UNITS", "DAQmx_AI_Temp_Units"),
    ("AI_THRMCPL_TYPE", "DAQmx_AI_Thrmcpl_Type"), ("AI_THRMCPL_SCALE_TYPE", "DAQmx_AI_Thrmcpl_ScaleType"),
    ("AI_THRMCPL_CJC_SRC", "DAQmx_AI_Thrmcpl_CJCSrc"), ("AI_RTD_TYPE", "DAQmx_AI_RTD_Type"), ("AI_RTD_R0", "DAQmx_AI_RTD_R0"),
    ("AI_RESISTANCE_CFG", "DAQmx_AI_ResistanceCfg"), ("AI_LEAD_WIRE_RESISTANCE", "DAQmx_AI_LeadWireResistance"),
    ("AI_BRIDGE_NOM_RESISTANCE", "DAQmx_AI_Bridge_NomResistance"), ("AI_BRIDGE_INITIAL_RATIO", "DAQmx_AI_Bridge_InitialRatio"),
    ("AI_BRIDGE_SHUNT_CAL_GAIN_ADJUST", "DAQmx_AI_Bridge_ShuntCal_GainAdjust"),
    ("AI_BRIDGE_SHUNT_CAL_SHUNT_CAL_A_ACTUAL_RESISTANCE", "DAQmx_AI_Bridge_ShuntCal_ShuntCalAActualResistance"),
    ("AI_FILTER_DELAY_UNITS", "DAQmx_AI_FilterDelayUnits"), ("AI_TERM_CFG", "DAQmx_AI_TermCfg"), ("AO_MIN", "DAQmx_AO_Min"),
])  # fmt: skip
def test_names_of_the_header(name, expected):
    assert c_name(name) == expected
