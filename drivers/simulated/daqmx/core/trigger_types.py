"""Types of triggers by the numbers of nidaqmx.constants, and how far a started task has come by them."""

from __future__ import annotations

from enum import Enum, auto

from nidaqmx.constants import DigitalPatternCondition, DigitalWidthUnits, Edge, Level, TriggerType

RISING = Edge.RISING.value
NONE, DIGITAL_EDGE, DIGITAL_LEVEL, PATTERN = (
    TriggerType.NONE.value, TriggerType.DIGITAL_EDGE.value, TriggerType.DIGITAL_LEVEL.value, TriggerType.DIGITAL_PATTERN.value,
)  # fmt: skip
ANALOG_EDGE, ANALOG_LEVEL, ANALOG_WINDOW, MULTI_EDGE = (
    TriggerType.ANALOG_EDGE.value, TriggerType.ANALOG_LEVEL.value, TriggerType.ANALOG_WINDOW.value, TriggerType.ANALOG_MULTI_EDGE.value,
)  # fmt: skip
TIME = TriggerType.TIME.value
ANALOG = (ANALOG_EDGE, ANALOG_WINDOW, MULTI_EDGE)
HIGH, MATCHES = Level.HIGH.value, DigitalPatternCondition.PATTERN_MATCHES.value
SECONDS, TICKS = DigitalWidthUnits.SECONDS.value, DigitalWidthUnits.TICKS.value


class Phase(Enum):
    """How far a started task has come."""

    IDLE = auto()
    ARMING = auto()
    WAITING = auto()
    GOING = auto()
