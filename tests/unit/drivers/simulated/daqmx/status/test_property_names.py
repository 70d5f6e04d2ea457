"""Names of properties in errors: those of NIDAQmx.h, as the wiki of ni/grpc-device (Channel Attributes) and ni-daqmx-sys list them."""

from __future__ import annotations

import pytest
from nidaqmx.errors import DaqError
from nidaqmx.scale import Scale
from nidaqmx.system import PhysicalChannel

from drivers.simulated.daqmx.status.property_names import c_name
from drivers.simulated.daqmx.status.wording import line, number
from tests.each_row import each_row


@each_row(("name", "expected"), [
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


@each_row(("family", "name", "expected"), [
    ("TIMING", "SAMP_CLK_RATE", "SampClk_Rate"),
    ("TIMING", "SAMP_TIMING_TYPE", "SampTimingType"),
    ("TIMING", "SAMP_QUANT_SAMP_MODE", "SampQuant_SampMode"),
    ("TIMING", "SAMP_CLK_TIMEBASE_RATE", "SampClk_Timebase_Rate"),
    ("TIMING", "SAMP_CLK_TIMEBASE_DIV", "SampClk_TimebaseDiv"),
    ("TIMING", "SAMP_CLK_DIG_FLTR_MIN_PULSE_WIDTH", "SampClk_DigFltr_MinPulseWidth"),
    ("TIMING", "REF_CLK_SRC", "RefClk_Src"),
    ("TIMING", "CHANGE_DETECT_DI_RISING_EDGE_PHYSICAL_CHANS", "ChangeDetect_DI_RisingEdgePhysicalChans"),
    ("TIMING", "AI_CONV_RATE", "AIConv_Rate"),
    ("TRIGGER", "START_TRIG_TYPE", "StartTrig_Type"),
    ("TRIGGER", "DIG_EDGE_START_TRIG_SRC", "DigEdge_StartTrig_Src"),
    ("TRIGGER", "ANLG_WIN_REF_TRIG_WHEN", "AnlgWin_RefTrig_When"),
    ("TRIGGER", "DIG_EDGE_ARM_START_TRIG_DIG_FLTR_ENABLE", "DigEdge_ArmStartTrig_DigFltr_Enable"),
    ("TRIGGER", "REF_TRIG_PRETRIG_SAMPLES", "RefTrig_PretrigSamples"),
    ("TRIGGER", "ANLG_LVL_PAUSE_TRIG_HYST", "AnlgLvl_PauseTrig_Hyst"),
    ("EXPORTEDSIGNAL", "SAMP_CLK_OUTPUT_TERM", "Exported_SampClk_OutputTerm"),
    ("EXPORTEDSIGNAL", "START_TRIG_PULSE_POLARITY", "Exported_StartTrig_Pulse_Polarity"),
    ("EXPORTEDSIGNAL", "20_MHZ_TIMEBASE_OUTPUT_TERM", "Exported_20MHzTimebase_OutputTerm"),
    ("EXPORTEDSIGNAL", "AI_CONV_CLK_OUTPUT_TERM", "Exported_AIConvClk_OutputTerm"),
    ("READ", "RELATIVE_TO", "Read_RelativeTo"),
    ("READ", "OVERWRITE", "Read_OverWrite"),
    ("READ", "LOGGING_TDMS_GROUP_NAME", "Logging_TDMS_GroupName"),
    ("WRITE", "REGEN_MODE", "Write_RegenMode"),
    ("BUFFER", "INPUT_BUF_SIZE", "Buf_Input_BufSize"),
    ("READ", "CHANGE_DETECT_HAS_OVERFLOWED", "Read_ChangeDetect_HasOverflowed"),
    ("READ", "DIGITAL_LINES_BYTES_PER_CHAN", "Read_DigitalLines_BytesPerChan"),
    ("READ", "PLL_UNLOCKED_CHANS_EXIST", "Read_PLL_UnlockedChansExist"),
    ("WRITE", "SYNC_UNLOCKED_CHANS", "Write_Sync_UnlockedChans"),
    ("SCALE", "TYPE", "Scale_Type"),
    ("SCALE", "LIN_Y_INTERCEPT", "Scale_Lin_YIntercept"),
    ("SCALE", "MAP_SCALED_MAX", "Scale_Map_ScaledMax"),
    ("SCALE", "POLY_FORWARD_COEFF", "Scale_Poly_ForwardCoeff"),
    ("SCALE", "TABLE_PRE_SCALED_VALS", "Scale_Table_PreScaledVals"),
    ("SCALE", "PRE_SCALED_UNITS", "Scale_PreScaledUnits"),
    ("PHYSICALCHANNEL", "PHYSICAL_CHAN_AI_INPUT_SRCS", "PhysicalChan_AI_InputSrcs"),
    ("PHYSICALCHANNEL", "PHYSICAL_CHAN_AI_TERM_CFGS", "PhysicalChan_AI_TermCfgs"),
    ("PHYSICALCHANNEL", "PHYSICAL_CHAN_AI_SENSOR_POWER_OPEN_CHAN", "PhysicalChan_AI_SensorPower_OpenChan"),
    ("PHYSICALCHANNEL", "PHYSICAL_CHAN_AO_MANUAL_CONTROL_AMPLITUDE", "PhysicalChan_AO_ManualControlAmplitude"),
    ("PHYSICALCHANNEL", "PHYSICAL_CHAN_AO_MANUAL_CONTROL_SHORT_DETECTED", "PhysicalChan_AO_ManualControl_ShortDetected"),
    ("PHYSICALCHANNEL", "PHYSICAL_CHAN_DI_SAMP_MODES", "PhysicalChan_DI_SampModes"),
    ("PHYSICALCHANNEL", "PHYSICAL_CHAN_DO_PORT_WIDTH", "PhysicalChan_DO_PortWidth"),
    ("PHYSICALCHANNEL", "PHYSICAL_CHAN_TEDS_MFG_ID", "PhysicalChan_TEDS_MfgID"),
    ("PHYSICALCHANNEL", "PHYSICAL_CHAN_TEDS_TEMPLATE_I_DS", "PhysicalChan_TEDS_TemplateIDs"),
    ("PHYSICALCHANNEL", "AO_POWER_AMP_SCALING_COEFF", "AO_PowerAmp_ScalingCoeff"),
    ("DEVICE", "AI_MAX_SINGLE_CHAN_RATE", "Dev_AI_MaxSingleChanRate"),
])  # fmt: skip
def test_names_of_other_families(family, name, expected):
    assert c_name(name, family) == f"DAQmx_{expected}"


def test_values_as_the_driver_writes_them():
    """Published messages: ni/nidaqmx-python issues 448 and 1007."""
    assert line("Requested_Value", 10280, "DAQmx_CI_CountEdges_ActiveEdge") == "Requested Value: DAQmx_Val_Rising"
    assert line("Requested_Value", -10.0) == "Requested Value: -10.0"
    assert line("Maximum_Value", 3.5) == "Maximum Value:  3.500000"
    assert line("Minimum_Value", -3.5) == "Minimum Value: -3.500000"
    assert [number(value) for value in (52e3, 51367.188, 2e6)] == [" 52.0e3", " 51.367188e3", " 2.0e6"]
    # HelioScan/HelioScan, issue 230: the driver writes the smallest rate as 22.250739e-309
    assert number(2.2250738585072014e-308) == " 22.250739e-309"
    assert [number(value) for value in (5e-324, -1e-320, 1e300, 0.0, 999.9999999)] == [
        " 4.940656e-324",
        "-9.999889e-321",
        " 1.0e300",
        " 0.0",
        " 1.0e3",
    ]
    assert line("You_Can_Select", "On Demand") == "Possible Values: DAQmx_Val_OnDemand"


def test_a_refused_setting_names_its_property(bench):
    with bench.task("t") as task:
        task.ai_channels.add_ai_voltage_chan("Dev1/ai0")
        task.timing.cfg_samp_clk_timing(1000.0)
        task.start()
        with pytest.raises(DaqError) as caught:
            task.timing.samp_clk_rate = 500.0
        assert str(caught.value).endswith("\nProperty: DAQmx_SampClk_Rate\n\nTask Name: t\n\nStatus Code: -200557")
        with pytest.raises(DaqError, match="Property: DAQmx_Buf_Output_OnbrdBufSize"):
            _ = task.out_stream.output_onbrd_buf_size
    with bench.task("t") as task:
        task.di_channels.add_di_chan("Dev1/port1/line0")
        task.timing.cfg_samp_clk_timing(1000.0)
        with pytest.raises(DaqError) as caught:
            task.start()
        text = "Property: DAQmx_SampTimingType\nRequested Value: DAQmx_Val_SampClk\nPossible Values: DAQmx_Val_OnDemand\n"
        assert text in str(caught.value)


def test_names_of_scales_and_physical_channels_in_errors(bench):
    scale = Scale.create_lin_scale("linear", 2.0, grpc_options=bench.options)
    channel = PhysicalChannel("Dev1/ai0", grpc_options=bench.options)
    for get, name in (
        (lambda: scale.map_scaled_max, "DAQmx_Scale_Map_ScaledMax"), (lambda: scale.poly_forward_coeff, "DAQmx_Scale_Poly_ForwardCoeff"),
        (lambda: channel.ai_input_srcs, "DAQmx_PhysicalChan_AI_InputSrcs"),
        (lambda: channel.do_port_width, "DAQmx_PhysicalChan_DO_PortWidth"),
    ):  # fmt: skip
        with pytest.raises(DaqError, match=f"Property: {name}\n"):
            get()


@each_row(("name", "expected"), [
    ("CI_COUNT_EDGES_TERM", "CI_CountEdges_Term"), ("CI_COUNT_EDGES_DIR_TERM", "CI_CountEdges_DirTerm"),
    ("CI_COUNT_EDGES_COUNT_DIR_DIG_FLTR_ENABLE", "CI_CountEdges_CountDir_DigFltr_Enable"),
    ("CI_COUNT_EDGES_COUNT_RESET_RESET_COUNT", "CI_CountEdges_CountReset_ResetCount"),
    ("CI_COUNT_EDGES_GATE_WHEN", "CI_CountEdges_GateWhen"), ("CI_COUNT_EDGES_GATE_DIG_FLTR_ENABLE", "CI_CountEdges_Gate_DigFltrEnable"),
    ("CI_CTR_TIMEBASE_SRC", "CI_CtrTimebaseSrc"), ("CI_CTR_TIMEBASE_RATE", "CI_CtrTimebaseRate"),
    ("CI_CTR_TIMEBASE_MASTER_TIMEBASE_DIV", "CI_CtrTimebaseMasterTimebaseDiv"),
    ("CI_CTR_TIMEBASE_DIG_SYNC_ENABLE", "CI_CtrTimebase_DigSync_Enable"), ("CI_ENCODER_A_INPUT_TERM", "CI_Encoder_AInputTerm"),
    ("CI_ENCODER_Z_INPUT_DIG_FLTR_TIMEBASE_SRC", "CI_Encoder_ZInput_DigFltr_TimebaseSrc"),
    ("CI_ENCODER_Z_INDEX_VAL", "CI_Encoder_ZIndexVal"), ("CI_FREQ_MEAS_METH", "CI_Freq_MeasMeth"),
    ("CI_FREQ_DIG_FLTR_MIN_PULSE_WIDTH", "CI_Freq_DigFltr_MinPulseWidth"), ("CI_PULSE_FREQ_START_EDGE", "CI_Pulse_Freq_Start_Edge"),
    ("CI_PULSE_TIME_START_EDGE", "CI_Pulse_Time_StartEdge"), ("CI_PULSE_WIDTH_TERM", "CI_PulseWidth_Term"),
    ("CI_TWO_EDGE_SEP_FIRST_TERM", "CI_TwoEdgeSep_FirstTerm"),
    ("CI_TWO_EDGE_SEP_SECOND_DIG_FLTR_ENABLE", "CI_TwoEdgeSep_Second_DigFltr_Enable"),
    ("CI_VELOCITY_ANG_ENCODER_UNITS", "CI_Velocity_AngEncoder_Units"), ("CI_VELOCITY_DIV", "CI_Velocity_Div"),
    ("CI_VELOCITY_ENCODER_A_INPUT_DIG_FLTR_ENABLE", "CI_Velocity_Encoder_AInputDigFltr_Enable"), ("CI_TC_REACHED", "CI_TCReached"),
    ("CI_DUP_COUNT_PREVENT", "CI_DupCountPrevent"), ("CI_MAX_MEAS_PERIOD", "CI_MaxMeasPeriod"),
    ("CO_CTR_TIMEBASE_RATE", "CO_CtrTimebaseRate"), ("CO_CTR_TIMEBASE_DIG_FLTR_ENABLE", "CO_CtrTimebase_DigFltr_Enable"),
    ("CO_PULSE_FREQ", "CO_Pulse_Freq"), ("CO_PULSE_FREQ_UNITS", "CO_Pulse_Freq_Units"),
    ("CO_PULSE_FREQ_INITIAL_DELAY", "CO_Pulse_Freq_InitialDelay"), ("CO_PULSE_TICKS_INITIAL_DELAY", "CO_Pulse_Ticks_InitialDelay"),
    ("CO_PULSE_HIGH_TIME", "CO_Pulse_HighTime"), ("CO_PULSE_DONE", "CO_PulseDone"), ("CO_AUTO_INCR_CNT", "CO_AutoIncrCnt"),
    ("CO_ENABLE_INITIAL_DELAY_ON_RETRIGGER", "CO_EnableInitialDelayOnRetrigger"), ("CO_RDY_FOR_NEW_VAL", "CO_RdyForNewVal"),
])  # fmt: skip
def test_names_of_counters_of_the_header(name, expected):
    assert c_name(name) == f"DAQmx_{expected}"
