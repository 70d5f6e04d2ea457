"""The other ends of three lines, without a port: they keep what they are told and answer from tables. A clock goes on while somebody waits.

Frames are made and read here by the published protocols alone, not by the drivers' modules.
"""

from __future__ import annotations

import contextlib
import struct
from collections.abc import Callable, Mapping
from functools import reduce
from operator import xor
from types import SimpleNamespace
from typing import Any

import pytest

from drivers.axes.axis import Guard
from drivers.errors import NoReply, NotConnected

LINE = "Dev1/port0/line6"


class Clock:
    """Each exchange takes a millisecond."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, module: str) -> None:
        self.now = 0.0
        monkeypatch.setattr(f"drivers.{module}.host_clock", SimpleNamespace(now=lambda: self.now))
        monkeypatch.setattr(f"drivers.{module}.time", self, raising=False)
        monkeypatch.setattr("drivers.axes.axis.host_clock", SimpleNamespace(now=lambda: self.now))
        monkeypatch.setattr("drivers.axes.axis.time", self)
        monkeypatch.setattr("drivers.axes.axis.AxisBase.clock", SimpleNamespace(now=lambda: self.now, sleep=self.sleep))

    def sleep(self, seconds: float) -> None:
        self.now += seconds


class Scripted:
    """`log`: what was told and which way the enable line went, in order. `silent`: nothing is answered; `unplugged`: nothing is sent."""

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self.log: list[Any] = []
        self.urgent: list[bytes] = []
        self.silent = self.unplugged = False

    def guard(self, timeout: float = 0.3) -> Guard:
        return Guard(SimpleNamespace(write_lines=self._lines), timeout)

    def attach(self, axis: Any) -> Any:
        line = axis.line
        line.open, line.close = lambda: None, list
        line.exchange, line.send = self._exchange, self._send
        line.within = lambda allowance: contextlib.nullcontext()
        return axis

    def _lines(self, states: Mapping[str, bool]) -> None:
        self.log += [f"{name} {'high' if high else 'low'}" for name, high in states.items()]

    def _exchange(self, request: bytes, parse: Callable[[bytes], Any], urgent: bool = False, mirrored: bool = False) -> Any:
        self.clock.now += 1e-3
        if self.unplugged:
            raise NotConnected("unplugged")
        if urgent:
            self.urgent.append(request)
        answer = self.answer(request)
        for length in range(1, 0 if self.silent else len(answer) + 1):  # as it comes, byte by byte
            if (got := parse(answer[:length])) is not None:
                return got
        raise NoReply("no reply")

    def _send(self, request: bytes) -> None:
        if self.unplugged:
            raise NotConnected("unplugged")
        self.answer(request)

    def answer(self, request: bytes) -> bytes:
        raise NotImplementedError


def crc16(data: bytes) -> bytes:
    """MODBUS over serial line V1.02, 6.2.2, bit by bit: begin with FFFFh, polynomial A001h, low byte first."""
    value = 0xFFFF
    for byte in data:
        value ^= byte
        for _ in range(8):
            value = value >> 1 ^ (0xA001 if value & 1 else 0)
    return struct.pack("<H", value)


class ModbusSlave(Scripted):
    """`registers`: what is read; a list is read one after the other, its last for ever. `refuses`: register -> codes of exceptions."""

    def __init__(self, clock: Clock) -> None:
        super().__init__(clock)
        self.registers: dict[int, int | list[int]] = {}
        self.keeps: dict[int, int] = {}
        self.refuses: dict[int, list[int]] = {}
        self.asked: list[tuple[int, int]] = []

    def answer(self, request: bytes) -> bytes:
        assert request[-2:] == crc16(request[:-2])
        address, function, register, value = struct.unpack(">BBHH", request[:-2])
        if codes := self.refuses.get(register):
            body = bytes((address, function | 0x80, codes.pop(0) if len(codes) > 1 else codes[0]))
        elif function == 3:
            self.asked.append((register, value))
            words = [self._word(register + k) for k in range(value)]
            body = bytes((address, 3, 2 * value)) + struct.pack(f">{value}H", *words)
        else:
            self.log.append((register, value - 0x10000 if value & 0x8000 else value))
            self.registers[register] = self.keeps.get(register, value)
            body = request[:-2]
        return body + crc16(body)

    def _word(self, register: int) -> int:
        word = self.registers.get(register, 0)
        if isinstance(word, list):
            word = word.pop(0) if len(word) > 1 else word[0]
        return word & 0xFFFF


class TmclModule(Scripted):
    """TMCL: nine bytes, the last their sum. `parameters` of one motor, `lacks` some of them; other commands answer `values`."""

    def __init__(self, clock: Clock) -> None:
        super().__init__(clock)
        self.parameters: dict[int, int | list[int]] = {}
        self.keeps: dict[int, int] = {}
        self.lacks: set[int] = set()
        self.values: dict[tuple[int, int], list[int]] = {}
        self.addressed, self.host, self.before = (3, 1), 2, b""

    def answer(self, request: bytes) -> bytes:
        assert request[8] == sum(request[:8]) & 0xFF
        module, command, kind, motor, value = struct.unpack(">BBBBi", request[:8])
        assert (module, motor) == self.addressed
        status = 100
        if command in (5, 6) and kind in self.lacks:
            status = 3
        elif command == 5:
            self.log.append(("set", kind, value))
            self.parameters[kind] = self.keeps.get(kind, value)
        elif command == 6:
            found = self.parameters.get(kind, 0)
            value = found if isinstance(found, int) else found.pop(0) if len(found) > 1 else found[0]
        else:
            self.log.append((command, kind, value))
            answers = self.values.get((command, kind), [0])
            value = answers.pop(0) if len(answers) > 1 else answers[0]
        head = struct.pack(">BBBBi", self.host, module, status, command, value)
        return self.before + head + bytes((sum(head) & 0xFF,))


class ODriveLines(Scripted):
    """ODrive's ASCII protocol: `properties` by path, kept when written unless in `keeps`; a list is read one after the other."""

    def __init__(self, clock: Clock) -> None:
        super().__init__(clock)
        self.properties: dict[str, Any] = {}
        self.keeps: dict[str, str] = {}
        self.where = "0.25 0.5"
        self.before = b""
        self.feeds = 0

    def answer(self, request: bytes) -> bytes:
        return self.before + b"".join(self._line(line) for line in request.split(b"\n")[:-1])

    def _line(self, line: bytes) -> bytes:
        text, _, told = line.partition(b"*")
        assert int(told) == reduce(xor, text, 0)
        word, *rest = text.decode().split()
        if word == "u":
            self.feeds += 1
        elif word == "r":
            found = self.properties[rest[0]]
            return self._answer(found if isinstance(found, str) else found.pop(0) if len(found) > 1 else found[0])
        elif word == "f":
            return self._answer(self.where)
        else:
            self.log.append(text.decode())
            if word == "w":
                self.properties[rest[0]] = self.keeps.get(rest[0], rest[1])
        return b""

    @staticmethod
    def _answer(text: str) -> bytes:
        return text.encode() + b"*%d\r\n" % reduce(xor, text.encode(), 0)
