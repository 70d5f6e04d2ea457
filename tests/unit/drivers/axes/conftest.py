"""The other ends of three lines, each with a clock that goes on while its driver waits."""

from __future__ import annotations

import pytest
from modbus_drive_words import DISABLED, ETA, SLL
from odrive_words import DONE, ERRORS, SPEED, STATE
from scripted_drives import Clock, ModbusSlave, ODriveLines, TmclModule


@pytest.fixture
def lines(monkeypatch: pytest.MonkeyPatch) -> ODriveLines:
    lines = ODriveLines(Clock(monkeypatch, "axes.odrive"))
    lines.properties |= {STATE: "1", DONE: "0", SPEED: "0.000000", "axis1.motor.config.torque_constant": "0.05"}
    lines.properties |= dict.fromkeys(ERRORS, "0") | {"axis1.motor.current_control.Iq_measured": "4.0"}
    lines.properties |= {"fw_version_major": "0", "fw_version_minor": "5", "fw_version_revision": "4"}
    return lines


@pytest.fixture
def module(monkeypatch: pytest.MonkeyPatch) -> TmclModule:
    return TmclModule(Clock(monkeypatch, "axes.tmcl"))


@pytest.fixture
def slave(monkeypatch: pytest.MonkeyPatch) -> ModbusSlave:
    slave = ModbusSlave(Clock(monkeypatch, "axes.modbus_drive"))
    slave.registers |= {ETA: DISABLED, SLL: 1}
    return slave
