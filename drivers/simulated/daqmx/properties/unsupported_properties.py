"""Properties of channels that only products have which are not simulated: SCXI and SCC conditioning, S Series and 653x devices, FieldDAQ,
sources of functions, GPS receivers. Of any channel here the driver says that they do not apply. `PARTLY` are those that some product
here has, for which they are not built.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from nidaqmx import constants as ni

from drivers.simulated.daqmx.products import Product
from drivers.simulated.daqmx.products.product import DYNAMIC_SIGNAL, PXI_EXPRESS

_ANALOG = (
    "ATTEN", "PROBE_ATTEN", "DC_OFFSET", "IMPEDANCE", "FORCE_READ_FROM_CHAN", "SAMP_AND_HOLD_ENABLE", "EXCIT_USE_MULTIPLEXED",
    "LOWPASS_ENABLE", "LOWPASS_CUTOFF_FREQ", "LOWPASS_SWITCH_CAP_CLK_SRC", "LOWPASS_SWITCH_CAP_EXT_CLK_FREQ",
    "LOWPASS_SWITCH_CAP_EXT_CLK_DIV", "LOWPASS_SWITCH_CAP_OUT_CLK_DIV", "HIGHPASS_ENABLE", "HIGHPASS_CUTOFF_FREQ", "HIGHPASS_TYPE",
    "HIGHPASS_ORDER", "BANDPASS_ENABLE", "BANDPASS_CENTER_FREQ", "BANDPASS_TYPE", "BANDPASS_WIDTH", "NOTCH_CENTER_FREQ", "NOTCH_TYPE",
    "NOTCH_WIDTH", "BRIDGE_BALANCE_COARSE_POT", "BRIDGE_BALANCE_FINE_POT", "CHOP_ENABLE", "SENSOR_POWER_CFG", "SENSOR_POWER_TYPE",
    "SENSOR_POWER_VOLTAGE", "FILTER_ENABLE", "FILTER_FREQ", "FILTER_RESPONSE", "FILTER_ORDER", "INPUT_LIMITS_FAULT_DETECT_ENABLE",
    "INPUT_LIMITS_FAULT_DETECT_UPPER_LIMIT", "INPUT_LIMITS_FAULT_DETECT_LOWER_LIMIT", "POWER_SUPPLY_FAULT_DETECT_ENABLE",
    "OVERCURRENT_DETECT_ENABLE", "OPEN_CHAN_DETECT_ENABLE", "POWER_UNITS", "CALCULATED_POWER_VOLTAGE_MAX",
    "CALCULATED_POWER_VOLTAGE_MIN", "CALCULATED_POWER_CURRENT_MAX", "CALCULATED_POWER_CURRENT_MIN",
    "ANALOG_PATH_DELAY", "ANALOG_PATH_DELAY_UNITS", "REMOVE_ANALOG_PATH_DELAY", "FILTER_DELAY_ADJUSTMENT", "ADC_CUSTOM_TIMING_MODE",
    "AVERAGING_WIN_SIZE", "DITHER_ENABLE",
    *(f"DIG_FLTR_{name}" for name in (
        "ENABLE", "TYPE", "RESPONSE", "ORDER", "LOWPASS_CUTOFF_FREQ", "HIGHPASS_CUTOFF_FREQ", "BANDPASS_CENTER_FREQ", "BANDPASS_WIDTH",
        "NOTCH_CENTER_FREQ", "NOTCH_WIDTH", "COEFF",
    )),
    *(f"BRIDGE_SHUNT_CAL_SHUNT_CAL_B_{name}" for name in ("SRC", "RESISTANCE", "ACTUAL_RESISTANCE")),
)  # fmt: skip
_ANALOG_OUT = (
    "FUNC_GEN_TYPE", "FUNC_GEN_FREQ", "FUNC_GEN_AMPLITUDE", "FUNC_GEN_OFFSET", "FUNC_GEN_SQUARE_DUTY_CYCLE", "FUNC_GEN_MODULATION_TYPE",
    "FUNC_GEN_FM_DEVIATION", "FUNC_GEN_START_PHASE", "VOLTAGE_CURRENT_LIMIT", "COMMON_MODE_OFFSET", "OUTPUT_IMPEDANCE",
    "LOAD_IMPEDANCE", "GAIN",
    "ENHANCED_IMAGE_REJECTION_ENABLE", "FILTER_DELAY", "FILTER_DELAY_UNITS", "FILTER_DELAY_ADJUSTMENT",
)  # fmt: skip
_COUNTER = (
    "GPS_SYNC_METHOD", "GPS_SYNC_SRC", "TIMESTAMP_EDGE", "TIMESTAMP_INITIAL_SECONDS", "TIMESTAMP_TERM", "TIMESTAMP_TIMESCALE",
    "FILTER_ENABLE", "FILTER_FREQ", "FILTER_RESPONSE", "FILTER_ORDER", "FILTER_DELAY", "FILTER_DELAY_UNITS", "THRESH_VOLTAGE",
    *(
        f"{signal}_{name}" for name in ("THRESH_VOLTAGE", "HYST")
        for signal in ("FREQ", "PERIOD", "COUNT_EDGES", "COUNT_EDGES_COUNT_DIR", "COUNT_EDGES_COUNT_RESET", "COUNT_EDGES_GATE")
    ),
)  # fmt: skip
_LINES = (
    "DI_ACQUIRE_ON", "DO_GENERATE_ON", "DO_LINE_STATES_START_STATE", "DO_LINE_STATES_PAUSED_STATE", "DO_LINE_STATES_DONE_STATE",
    "DO_OVERCURRENT_LIMIT", "DO_OVERCURRENT_AUTO_REENABLE", "DO_OVERCURRENT_REENABLE_PERIOD",
)  # fmt: skip
_NAVIGATION = (
    "MEAS_TYPE", "CUSTOM_SCALE_NAME", "ALT_UNITS", "LAT_UNITS", "LONG_UNITS", "SPEED_OVER_GROUND_UNITS", "TRACK_UNITS",
    "VERT_VELOCITY_UNITS", "TIMESTAMP_UNITS", "TIMESTAMP_TIMESCALE",
)  # fmt: skip
PROPERTIES = (
    *(f"AI_{name}" for name in _ANALOG), *(f"AO_{name}" for name in _ANALOG_OUT), *(f"CI_{name}" for name in _COUNTER), *_LINES,
    *(f"NAV_{name}" for name in _NAVIGATION), "CO_CONSTRAINED_GEN_MODE",
)  # fmt: skip

_USB, _MODULE = ni.BusType.USB.value, ni.ProductCategory.C_SERIES_MODULE.value
_INPUTS_OF_COUNTERS = (
    "FREQ", "PERIOD", "COUNT_EDGES", "COUNT_EDGES_COUNT_DIR", "COUNT_EDGES_COUNT_RESET", "COUNT_EDGES_GATE", "DUTY_CYCLE",
    "ENCODER_A_INPUT", "ENCODER_B_INPUT", "ENCODER_Z_INPUT", "PULSE_WIDTH", "TWO_EDGE_SEP_FIRST", "TWO_EDGE_SEP_SECOND", "SEMI_PERIOD",
    "PULSE_FREQ", "PULSE_TIME", "PULSE_TICKS", "VELOCITY_ENCODER_A_INPUT", "VELOCITY_ENCODER_B_INPUT",
)  # fmt: skip


def _thermocouples(product: Product) -> bool:
    return product.inputs is not None and "thermocouple" in product.inputs.kinds


PARTLY: Mapping[str, Callable[[Product], bool]] = {
    "CI_MAX_MEAS_PERIOD": lambda product: product.category == _MODULE,
    **{
        f"CI_{signal}_{name}": lambda product: product.category == _MODULE
        for signal in _INPUTS_OF_COUNTERS for name in ("TERM_CFG", "LOGIC_LVL_BEHAVIOR")
    },
    **{
        f"{family}_USB_XFER_REQ_{name}": lambda product: product.bus == _USB or product.category == _MODULE
        for family in ("AI", "AO", "DI", "DO", "CI", "CO") for name in ("SIZE", "COUNT")
    },
    # A module for thermocouples has modes of conversion and finds open ones; DSA modules switch their inputs; PXI Express streams.
    **{f"AI_{name}": _thermocouples for name in ("ADC_TIMING_MODE", "AUTO_ZERO_MODE", "OPEN_THRMCPL_DETECT_ENABLE")},
    "AI_INPUT_SRC": lambda product: product.category == DYNAMIC_SIGNAL,
    **{f"AI_DATA_XFER_{name}": lambda product: product.bus == PXI_EXPRESS for name in ("CUSTOM_THRESHOLD", "MAX_RATE")},
    **{f"{family}_LOGIC_FAMILY": lambda product: bool(product.digital.families) for family in ("DI", "DO")},
}  # fmt: skip
