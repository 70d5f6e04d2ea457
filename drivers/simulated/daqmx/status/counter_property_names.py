"""Names of the properties of counters in the driver's C interface (NIDAQmx.h), as groups of words for `property_names`."""

from __future__ import annotations

_FILTERED = {
    "COUNT_EDGES_COUNT_DIR": "CountEdges_CountDir", "COUNT_EDGES_COUNT_RESET": "CountEdges_CountReset", "COUNT_EDGES": "CountEdges",
    "CTR_TIMEBASE": "CtrTimebase", "DUTY_CYCLE": "DutyCycle", "ENCODER_A_INPUT": "Encoder_AInput", "ENCODER_B_INPUT": "Encoder_BInput",
    "ENCODER_Z_INPUT": "Encoder_ZInput", "FREQ": "Freq", "PERIOD": "Period", "PULSE_FREQ": "Pulse_Freq", "PULSE_TIME": "Pulse_Time",
    "PULSE_TICKS": "Pulse_Ticks", "PULSE_WIDTH": "PulseWidth", "SEMI_PERIOD": "SemiPeriod", "TWO_EDGE_SEP_FIRST": "TwoEdgeSep_First",
    "TWO_EDGE_SEP_SECOND": "TwoEdgeSep_Second",
}  # fmt: skip


def _filters(names: dict[str, str]) -> tuple[str, ...]:
    return tuple(f"{key}_DIG_{part}={words}_Dig{part.capitalize()}" for key, words in names.items() for part in ("FLTR", "SYNC"))


INPUTS = (
    *_filters(_FILTERED),
    *(f"VELOCITY_ENCODER_{side}_INPUT_DIG_FLTR=Velocity_Encoder_{side}InputDigFltr" for side in "AB"),
    "VELOCITY_ANG_ENCODER=Velocity_AngEncoder", "VELOCITY_LIN_ENCODER=Velocity_LinEncoder", "VELOCITY_ENCODER=Velocity_Encoder",
    "VELOCITY=Velocity", "ANG_ENCODER=AngEncoder", "LIN_ENCODER=LinEncoder", "COUNT_EDGES_COUNT_DIR=CountEdges_CountDir",
    "COUNT_EDGES_COUNT_RESET=CountEdges_CountReset", "COUNT_EDGES_GATE=CountEdges_Gate", "COUNT_EDGES=CountEdges",
    "DUTY_CYCLE=DutyCycle", "ENCODER=Encoder", "FREQ=Freq", "PERIOD=Period", "PULSE_FREQ=Pulse_Freq", "PULSE_TIME=Pulse_Time",
    "PULSE_TICKS=Pulse_Ticks", "PULSE_WIDTH=PulseWidth", "SEMI_PERIOD=SemiPeriod", "TWO_EDGE_SEP=TwoEdgeSep", "TIMESTAMP=Timestamp",
)  # fmt: skip
OUTPUTS = (
    *_filters({"CTR_TIMEBASE": "CtrTimebase"}), "PULSE_FREQ=Pulse_Freq", "PULSE_TIME=Pulse_Time", "PULSE_TICKS=Pulse_Ticks", "PULSE=Pulse",
)  # fmt: skip
SPECIAL = {
    "CI_COUNT_EDGES_GATE_WHEN": "CI_CountEdges_GateWhen", "CI_PULSE_FREQ_START_EDGE": "CI_Pulse_Freq_Start_Edge",
    "CI_TC_REACHED": "CI_TCReached", "CO_PULSE_DONE": "CO_PulseDone", "CI_ENCODER_Z_INDEX_VAL": "CI_Encoder_ZIndexVal",
    "CI_ENCODER_Z_INDEX_ENABLE": "CI_Encoder_ZIndexEnable", "CI_ENCODER_Z_INDEX_PHASE": "CI_Encoder_ZIndexPhase",
}  # fmt: skip
"""What the groups do not tell."""
