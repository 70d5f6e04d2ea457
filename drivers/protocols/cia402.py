"""The states of a drive after CiA 402 (IEC 61800-7-201): command words, and what a status word says."""

from __future__ import annotations

SHUTDOWN, SWITCH_ON, ENABLE_OPERATION = 0x06, 0x07, 0x0F
DISABLE_VOLTAGE, QUICK_STOP, FAULT_RESET = 0x00, 0x02, 0x80

DISABLED, READY, SWITCHED_ON, ENABLED, STOPPING, FAULT = (
    "switch on disabled",
    "ready to switch on",
    "switched on",
    "operation enabled",
    "quick stop active",
    "fault",
)
_BY_6F = {0x21: READY, 0x23: SWITCHED_ON, 0x27: ENABLED, 0x07: STOPPING}
_BY_4F = {0x40: DISABLED, 0x08: FAULT, 0x0F: FAULT}
WORDS = {DISABLED: 0x40, READY: 0x21, SWITCHED_ON: 0x23, ENABLED: 0x27, STOPPING: 0x07, FAULT: 0x08}
VOLTAGE = 0x10
"""Bit of the status word: power stage supplied."""
COMMAND_OF_NEXT = {DISABLED: SHUTDOWN, READY: SWITCH_ON, SWITCHED_ON: ENABLE_OPERATION}
"""State on the way to `operation enabled` -> command word that leads on."""


def state(status: int) -> str:
    """The state that a status word stands for; "unknown state" for one that is none of them."""
    return _BY_6F.get(status & 0x6F) or _BY_4F.get(status & 0x4F, "unknown state")
