"""The end of a bench: every part of it is ended, and everything that goes wrong meanwhile is told, whatever the parts raise."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from drivers.errors import NoReply, WatchdogExpired
from rig.workers.bench.equipment import Equipment
from rig.workers.bench.instruments import Instruments
from rig.workers.bench.watchdog_feeding import while_ending

PULLED = OSError(5, "Input/output error")
PARTS = ("trip", "actuation", "instruments", "daq", "rings")


class Parts:
    """A bench's equipment of which some parts raise `error` when they are ended."""

    def __init__(self, failing: tuple[str, ...], error: Exception = PULLED) -> None:
        self.ended: list[str] = []
        self._failing, self._error = failing, error
        own: Any = Equipment.__new__(Equipment)
        own.actuation = SimpleNamespace(trip=self._part("trip"), close=self._part("actuation"))
        own.instruments, own.daq, own._rings = (SimpleNamespace(close=self._part(name)) for name in PARTS[2:])
        self.equipment: Equipment = own

    def _part(self, name: str) -> Any:
        def end() -> list[str]:
            self.ended.append(name)
            if name in self._failing:
                raise self._error
            return []

        return end


@pytest.mark.parametrize("failing", [*((name,) for name in PARTS), PARTS])
def test_no_part_keeps_another_from_its_end(failing: tuple[str, ...]) -> None:
    parts = Parts(failing)
    complaints = parts.equipment.close(safe=False)
    assert parts.ended == list(PARTS)
    assert len(complaints) == len(failing) and all("Input/output error" in one for one in complaints)


def test_what_is_told_says_who_and_what() -> None:
    told = Parts(("trip", "daq"), NoReply("loader on COM1: no reply")).equipment.close(safe=False)
    assert told == ["the safe state could not be brought about: loader on COM1: no reply", "loader on COM1: no reply"]
    assert Parts(("daq",)).equipment.close(safe=True) == ["DAQ: Input/output error"]


def test_lines_that_a_watchdog_has_taken_down_are_safe() -> None:
    told = Parts(("trip",), WatchdogExpired("DAQ: expired")).equipment.close(safe=False)
    assert told == ["the lines were in their safe states already, by the device's watchdog"]


def test_no_instrument_keeps_another_from_its_end() -> None:
    ended: list[int] = []

    def close(k: int) -> list[str]:
        ended.append(k)
        raise PULLED if k == 0 else NoReply("gauge1: no reply")

    own: Any = Instruments.__new__(Instruments)
    own._daq = SimpleNamespace(reset_watchdog=lambda: None)
    idle = {"hurry": lambda: None, "end": lambda: None}
    devices = (SimpleNamespace(close=lambda k=k: close(k)) for k in range(2))
    own._polls = [SimpleNamespace(config=SimpleNamespace(name=f"gauge{k}"), device=device, **idle) for k, device in enumerate(devices)]
    assert own.close() == ["gauge0: Input/output error", "gauge1: no reply"] and ended == [0, 1]


def test_a_device_that_is_gone_keeps_nothing_from_its_end() -> None:
    def reset() -> None:
        raise PULLED

    assert while_ending(SimpleNamespace(reset_watchdog=reset), lambda: ["told"]) == ["told"]
