"""What a drive over Modbus is told, register by register, and what is made of its words.

Registers of an Altivar as Schneider's NVE41308 and NVE41316 have them: CMD 8501, LFR 8502, ETA 3201, RFR 3202, LCR 3204, LFT 7121,
HSP 3104, LSP 3105, ACC 9001, DEC 9002, ttO 6005, SLL 7010; frequencies, times and currents in tenths. States and command words:
IEC 61800-7-201.
"""

from __future__ import annotations

from typing import Any

from scripted_drives import LINE, ModbusSlave

from drivers.axes import modbus_drive
from drivers.axes.modbus_drive import Config

CMD, LFR, ETA, RFR, LCR, LFT, HSP, LSP, ACC, DEC, TTO, SLL = 8501, 8502, 3201, 3202, 3204, 7121, 3104, 3105, 9001, 9002, 6005, 7010
DISABLED, READY, ON, RUNS, STOPPING, FAULT = 0x40, 0x21, 0x23, 0x27, 0x07, 0x08


def drive(slave: ModbusSlave, guarded: bool = False, **changes: Any) -> modbus_drive.ModbusDrive:
    settings = {"enable_line": LINE if guarded else None, "max_speed": 10.0, "acceleration": 20.0, "timeout": 0.5} | changes
    axis = Config("COM1", **settings).create("crank", slave.guard() if guarded else None)
    made: modbus_drive.ModbusDrive = slave.attach(axis)
    return made


def enabled(slave: ModbusSlave, **changes: Any) -> modbus_drive.ModbusDrive:
    axis = drive(slave, **changes)
    axis.prepare("velocity")
    slave.registers[ETA] = RUNS
    axis.enable()
    slave.log.clear()
    slave.asked.clear()
    return axis
