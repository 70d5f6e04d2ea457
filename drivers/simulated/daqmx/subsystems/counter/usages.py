"""What counters measure and generate, as data: for each call the usage, the attributes that its fields set, and its input terminals.

Source, gate and aux are the inputs of a counter; which of them a measurement takes is in the tables of default terminals ("X Series User
Manual", Default Counter/Timer Pinouts). Not checked: the terminals of mioDAQ devices (taken as the X Series).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from nidaqmx import constants as ni

from drivers.simulated.daqmx.core.values import Value, Values

SOURCE, GATE, AUX, OUT, PHASE = "source", "gate", "aux", "out", "phase"
FROM_CUSTOM_SCALE, TICKS = ni.FrequencyUnits.FROM_CUSTOM_SCALE.value, ni.FrequencyUnits.TICKS.value
RISING, FALLING, HIGH, LOW = ni.Edge.RISING.value, ni.Edge.FALLING.value, ni.Level.HIGH.value, ni.Level.LOW.value
HZ, SECONDS = ni.FrequencyUnits.HZ.value, ni.TimeUnits.SECONDS.value
BY_FREQUENCY, BY_TIME, BY_TICKS = ni.UsageTypeCO.PULSE_FREQUENCY.value, ni.UsageTypeCO.PULSE_TIME.value, ni.UsageTypeCO.PULSE_TICKS.value
PULSE_FIELDS = {"Freq": ("frequency", "duty_cycle"), "Time": ("high_time", "low_time"), "Ticks": ("high_ticks", "low_ticks")}
"""Name of a type of pulse in the remote calls -> their fields of its two numbers."""
DELAYS = {BY_FREQUENCY: "CO_PULSE_FREQ_INITIAL_DELAY", BY_TIME: "CO_PULSE_TIME_INITIAL_DELAY", BY_TICKS: "CO_PULSE_TICKS_INITIAL_DELAY"}
UP, DOWN, EXTERNAL = ni.CountDirection.COUNT_UP.value, ni.CountDirection.COUNT_DOWN.value, ni.CountDirection.EXTERNAL_SOURCE.value
ONBOARD = ("", "onboardclock")
REPEAT, SENTINEL = ni.SampClkOverrunBehavior.REPEAT_LAST_SAMPLE.value, ni.SampClkOverrunBehavior.RETURN_SENTINEL_VALUE.value
LOW_FREQUENCY, HIGH_FREQUENCY, LARGE_RANGE, DYNAMIC = (
    ni.CounterFrequencyMethod.LOW_FREQUENCY_1_COUNTER.value, ni.CounterFrequencyMethod.HIGH_FREQUENCY_2_COUNTERS.value,
    ni.CounterFrequencyMethod.LARGE_RANGE_2_COUNTERS.value, ni.CounterFrequencyMethod.DYNAMIC_AVERAGING.value,
)  # fmt: skip


@dataclass(frozen=True)
class CounterUsage:
    """`fields` of the request by attribute; `fixed`: further attributes; `units`: attribute of the unit and its members besides a scale.

    `inputs`: prefix of a terminal's properties -> its name and which input of the counter it is by default.
    `limits`: what CI.Min and CI.Max are reset to, None where there are none.
    """

    usage: int
    fields: Mapping[str, str] = field(default_factory=dict)
    fixed: Values = field(default_factory=dict)
    units: tuple[str, tuple[int, ...]] = ("", ())
    inputs: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    limits: tuple[float, float] | None = None


def _input(prefix: str, which: str, term: str = "") -> dict[str, tuple[str, str]]:
    return {prefix: (term or f"{prefix}_TERM", which)}


def _timed(name: str) -> dict[str, str]:
    return {
        "edge": f"CI_{name}_STARTING_EDGE", "meas_method": f"CI_{name}_MEAS_METH", "meas_time": f"CI_{name}_MEAS_TIME",
        "divisor": f"CI_{name}_DIV",
    }  # fmt: skip


_ENCODER = {
    "decoding_type": "CI_ENCODER_DECODING_TYPE", "zidx_enable": "CI_ENCODER_Z_INDEX_ENABLE", "zidx_val": "CI_ENCODER_Z_INDEX_VAL",
    "zidx_phase": "CI_ENCODER_Z_INDEX_PHASE",
}  # fmt: skip
_ENCODER_INPUTS = {
    **_input("CI_ENCODER_A_INPUT", SOURCE), **_input("CI_ENCODER_B_INPUT", AUX), **_input("CI_ENCODER_Z_INPUT", GATE),
}  # fmt: skip
_VELOCITY = {"decoding_type": "CI_VELOCITY_ENCODER_DECODING_TYPE"}
_VELOCITY_FIXED = {"CI_VELOCITY_MEAS_TIME": 1e-3, "CI_VELOCITY_DIV": 1}
_VELOCITY_INPUTS = {**_input("CI_VELOCITY_ENCODER_A_INPUT", SOURCE), **_input("CI_VELOCITY_ENCODER_B_INPUT", AUX)}
_TIME_UNITS, _FREQUENCY_UNITS = (SECONDS, TICKS), (HZ, TICKS)

INPUTS: dict[str, CounterUsage] = {
    "CreateCICountEdgesChan": CounterUsage(
        10125,
        {
            "edge": "CI_COUNT_EDGES_ACTIVE_EDGE", "initial_count": "CI_COUNT_EDGES_INITIAL_CNT", "count_direction": "CI_COUNT_EDGES_DIR",
        },
        {
            "CI_COUNT_EDGES_COUNT_RESET_ENABLE": False, "CI_COUNT_EDGES_COUNT_RESET_RESET_COUNT": 0,
            "CI_COUNT_EDGES_COUNT_RESET_ACTIVE_EDGE": RISING, "CI_COUNT_EDGES_GATE_ENABLE": False, "CI_COUNT_EDGES_GATE_WHEN": HIGH,
        },
        inputs={
            **_input("CI_COUNT_EDGES", SOURCE), **_input("CI_COUNT_EDGES_COUNT_DIR", AUX, "CI_COUNT_EDGES_DIR_TERM"),
            **_input("CI_COUNT_EDGES_COUNT_RESET", GATE), **_input("CI_COUNT_EDGES_GATE", GATE),
        },
    ),
    "CreateCIFreqChan": CounterUsage(
        10179, _timed("FREQ"), {"CI_FREQ_ENABLE_AVERAGING": True}, ("CI_FREQ_UNITS", _FREQUENCY_UNITS), _input("CI_FREQ", GATE),
        (2.0, 100.0),
    ),
    "CreateCIPeriodChan": CounterUsage(
        10256, _timed("PERIOD"), {"CI_PERIOD_ENABLE_AVERAGING": True}, ("CI_PERIOD_UNITS", _TIME_UNITS), _input("CI_PERIOD", GATE),
        (1e-6, 0.1),
    ),
    "CreateCIPulseWidthChan": CounterUsage(
        10359, {"starting_edge": "CI_PULSE_WIDTH_STARTING_EDGE"}, {}, ("CI_PULSE_WIDTH_UNITS", _TIME_UNITS), _input("CI_PULSE_WIDTH", GATE),
        (1e-6, 0.1),
    ),
    "CreateCISemiPeriodChan": CounterUsage(
        10289, {}, {"CI_SEMI_PERIOD_STARTING_EDGE": RISING}, ("CI_SEMI_PERIOD_UNITS", _TIME_UNITS), _input("CI_SEMI_PERIOD", GATE),
        (1e-6, 0.1),
    ),
    "CreateCITwoEdgeSepChan": CounterUsage(
        10267, {"first_edge": "CI_TWO_EDGE_SEP_FIRST_EDGE", "second_edge": "CI_TWO_EDGE_SEP_SECOND_EDGE"}, {},
        ("CI_TWO_EDGE_SEP_UNITS", _TIME_UNITS), {**_input("CI_TWO_EDGE_SEP_FIRST", AUX), **_input("CI_TWO_EDGE_SEP_SECOND", GATE)},
        (1e-6, 1.0),
    ),
    "CreateCIPulseChanFreq": CounterUsage(
        15864, {}, {"CI_PULSE_FREQ_START_EDGE": RISING}, ("CI_PULSE_FREQ_UNITS", _FREQUENCY_UNITS), _input("CI_PULSE_FREQ", GATE),
        (1e3, 1e6),
    ),
    "CreateCIPulseChanTime": CounterUsage(
        15865, {}, {"CI_PULSE_TIME_START_EDGE": RISING}, ("CI_PULSE_TIME_UNITS", _TIME_UNITS), _input("CI_PULSE_TIME", GATE), (1e-6, 1e-3)
    ),
    "CreateCIPulseChanTicks": CounterUsage(
        15866, {"source_terminal": "CI_CTR_TIMEBASE_SRC"}, {"CI_PULSE_TICKS_START_EDGE": RISING}, inputs=_input("CI_PULSE_TICKS", GATE),
        limits=(1e3, 1e6),
    ),
    "CreateCIDutyCycleChan": CounterUsage(
        16070, {"edge": "CI_DUTY_CYCLE_STARTING_EDGE", "min_freq": "CI_MIN", "max_freq": "CI_MAX"}, {},
        inputs=_input("CI_DUTY_CYCLE", GATE), limits=(2.0, 10e3),
    ),
    "CreateCIAngEncoderChan": CounterUsage(
        10360, {**_ENCODER, "pulses_per_rev": "CI_ANG_ENCODER_PULSES_PER_REV", "initial_angle": "CI_ANG_ENCODER_INITIAL_ANGLE"}, {},
        ("CI_ANG_ENCODER_UNITS", (10146, 10273, TICKS)), _ENCODER_INPUTS,
    ),
    "CreateCILinEncoderChan": CounterUsage(
        10361, {**_ENCODER, "dist_per_pulse": "CI_LIN_ENCODER_DIST_PER_PULSE", "initial_pos": "CI_LIN_ENCODER_INITIAL_POS"}, {},
        ("CI_LIN_ENCODER_UNITS", (10219, 10379, TICKS)), _ENCODER_INPUTS,
    ),
    "CreateCIAngVelocityChan": CounterUsage(
        16078, {**_VELOCITY, "pulses_per_rev": "CI_VELOCITY_ANG_ENCODER_PULSES_PER_REV"}, _VELOCITY_FIXED,
        ("CI_VELOCITY_ANG_ENCODER_UNITS", (16080, 16081, 16082)), _VELOCITY_INPUTS, (0.0, 1.0),
    ),
    "CreateCILinVelocityChan": CounterUsage(
        16079, {**_VELOCITY, "dist_per_pulse": "CI_VELOCITY_LIN_ENCODER_DIST_PER_PULSE"}, _VELOCITY_FIXED,
        ("CI_VELOCITY_LIN_ENCODER_UNITS", (15959, 15960)), _VELOCITY_INPUTS, (0.0, 1.0),
    ),
    # Of no product that is simulated: the time of a GPS receiver.
    "CreateCIGPSTimestampChan": CounterUsage(10362, {}, {}, ("CI_TIMESTAMP_UNITS", (SECONDS,))),
}  # fmt: skip

OUTPUTS: dict[str, CounterUsage] = {
    "CreateCOPulseChanFreq": CounterUsage(
        10119,
        {
            "idle_state": "CO_PULSE_IDLE_STATE", "initial_delay": "CO_PULSE_FREQ_INITIAL_DELAY", "freq": "CO_PULSE_FREQ",
            "duty_cycle": "CO_PULSE_DUTY_CYC",
        },
        units=("CO_PULSE_FREQ_UNITS", (HZ,)),
    ),
    "CreateCOPulseChanTime": CounterUsage(
        10269,
        {
            "idle_state": "CO_PULSE_IDLE_STATE", "initial_delay": "CO_PULSE_TIME_INITIAL_DELAY", "low_time": "CO_PULSE_LOW_TIME",
            "high_time": "CO_PULSE_HIGH_TIME",
        },
        units=("CO_PULSE_TIME_UNITS", (SECONDS,)),
    ),
    "CreateCOPulseChanTicks": CounterUsage(
        10268,
        {
            "source_terminal": "CO_CTR_TIMEBASE_SRC", "idle_state": "CO_PULSE_IDLE_STATE",
            "initial_delay": "CO_PULSE_TICKS_INITIAL_DELAY", "low_ticks": "CO_PULSE_LOW_TICKS", "high_ticks": "CO_PULSE_HIGH_TICKS",
        },
    ),
}  # fmt: skip

_EDGES = (RISING, FALLING)
CHOICES: dict[str, tuple[Value, ...]] = {
    **dict.fromkeys(
        (
            "CI_COUNT_EDGES_ACTIVE_EDGE", "CI_COUNT_EDGES_COUNT_RESET_ACTIVE_EDGE", "CI_FREQ_STARTING_EDGE", "CI_PERIOD_STARTING_EDGE",
            "CI_PULSE_WIDTH_STARTING_EDGE", "CI_SEMI_PERIOD_STARTING_EDGE", "CI_TWO_EDGE_SEP_FIRST_EDGE", "CI_TWO_EDGE_SEP_SECOND_EDGE",
            "CI_PULSE_FREQ_START_EDGE", "CI_PULSE_TIME_START_EDGE", "CI_PULSE_TICKS_START_EDGE", "CI_DUTY_CYCLE_STARTING_EDGE",
            "CI_CTR_TIMEBASE_ACTIVE_EDGE", "CO_CTR_TIMEBASE_ACTIVE_EDGE",
        ),
        _EDGES,
    ),
    "CI_COUNT_EDGES_DIR": (10128, 10124, 10326), "CI_COUNT_EDGES_GATE_WHEN": (HIGH, LOW),
    "CI_FREQ_MEAS_METH": (LOW_FREQUENCY, HIGH_FREQUENCY, LARGE_RANGE, DYNAMIC),
    "CI_PERIOD_MEAS_METH": (LOW_FREQUENCY, HIGH_FREQUENCY, LARGE_RANGE, DYNAMIC),
    "CI_ENCODER_DECODING_TYPE": (10090, 10091, 10092, 10313), "CI_VELOCITY_ENCODER_DECODING_TYPE": (10090, 10091, 10092, 10313),
    "CI_SAMP_CLK_OVERRUN_BEHAVIOR": (REPEAT, SENTINEL),
    "CI_ENCODER_Z_INDEX_PHASE": (10040, 10041, 10042, 10043), "CO_PULSE_IDLE_STATE": (HIGH, LOW),
}  # fmt: skip
DEFAULTS: dict[str, Value] = {
    **{name: choices[0] for name, choices in CHOICES.items()},
    "CI_COUNT_EDGES_INITIAL_CNT": 0, "CI_FREQ_MEAS_TIME": 1e-3, "CI_FREQ_DIV": 4, "CI_PERIOD_MEAS_TIME": 1e-3, "CI_PERIOD_DIV": 4,
    "CI_TWO_EDGE_SEP_SECOND_EDGE": FALLING, "CI_ENCODER_DECODING_TYPE": 10092, "CI_VELOCITY_ENCODER_DECODING_TYPE": 10092,
    "CI_ENCODER_Z_INDEX_ENABLE": False, "CI_ENCODER_Z_INDEX_VAL": 0.0, "CI_ANG_ENCODER_PULSES_PER_REV": 24,
    "CI_ANG_ENCODER_INITIAL_ANGLE": 0.0, "CI_LIN_ENCODER_DIST_PER_PULSE": 1e-3, "CI_LIN_ENCODER_INITIAL_POS": 0.0,
    "CI_VELOCITY_ANG_ENCODER_PULSES_PER_REV": 24, "CI_VELOCITY_LIN_ENCODER_DIST_PER_PULSE": 1e-3,
    "CO_PULSE_IDLE_STATE": LOW, "CO_PULSE_FREQ_INITIAL_DELAY": 0.0, "CO_PULSE_FREQ": 1.0, "CO_PULSE_DUTY_CYC": 0.5,
    "CO_PULSE_TIME_INITIAL_DELAY": 0.0, "CO_PULSE_LOW_TIME": 0.01, "CO_PULSE_HIGH_TIME": 0.01,
    "CO_PULSE_TICKS_INITIAL_DELAY": 0, "CO_PULSE_LOW_TICKS": 100, "CO_PULSE_HIGH_TICKS": 100,
}  # fmt: skip
"""What a field's attribute is reset to."""

LIVE = {"CO_PULSE_FREQ", "CO_PULSE_DUTY_CYC", "CO_PULSE_LOW_TIME", "CO_PULSE_HIGH_TIME", "CO_PULSE_LOW_TICKS", "CO_PULSE_HIGH_TICKS"}
"""What can be set while pulses go out."""


UNSYNCHRONISED = ("CI_COUNT_EDGES_GATE", "CI_DUTY_CYCLE", "CI_VELOCITY_ENCODER_A_INPUT", "CI_VELOCITY_ENCODER_B_INPUT")
"""Inputs of newer counters, whose filters have no such property."""


def _filter_names(prefix: str) -> set[str]:
    return {
        f"{prefix}_DIG_{name}" for name in ("FLTR_ENABLE", "FLTR_MIN_PULSE_WIDTH", "FLTR_TIMEBASE_SRC", "FLTR_TIMEBASE_RATE", "SYNC_ENABLE")
    }


def names() -> set[str]:
    """All properties that a counter channel can have."""
    found = {"CI_MEAS_TYPE", "CO_OUTPUT_TYPE", "CI_CUSTOM_SCALE_NAME", "CI_MIN", "CI_MAX", "CI_DUP_COUNT_PREVENT", "CO_PULSE_TERM",
             "CI_NUM_POSSIBLY_INVALID_SAMPS", "CO_ENABLE_INITIAL_DELAY_ON_RETRIGGER", "CO_USE_ONLY_ON_BRD_MEM",
             "CO_AUTO_INCR_CNT", "CI_SAMP_CLK_OVERRUN_BEHAVIOR", "CI_SAMP_CLK_OVERRUN_SENTINEL_VAL"}  # fmt: skip
    for family in ("CI", "CO"):
        timebase = {f"{family}_CTR_TIMEBASE_{name}" for name in ("SRC", "RATE", "ACTIVE_EDGE", "MASTER_TIMEBASE_DIV")}
        rest = {f"{family}_{name}" for name in ("PRESCALER", "DATA_XFER_MECH", "DATA_XFER_REQ_COND", "MEM_MAP_ENABLE")}
        found |= timebase | rest | _filter_names(f"{family}_CTR_TIMEBASE")
    for creation in (*INPUTS.values(), *OUTPUTS.values()):
        found |= {*creation.fields.values(), *creation.fixed, *filter(None, (creation.units[0],))}
        for prefix, (term, _) in creation.inputs.items():
            found |= {term} | _filter_names(prefix)
    return found - {f"{prefix}_DIG_SYNC_ENABLE" for prefix in UNSYNCHRONISED}
