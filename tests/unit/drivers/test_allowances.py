"""What each call of a driver may wait for in all, as docs/motors.md and the decision on it state: 5 s to reach it, 10 s to set it up, 6 s
to stop it, 4 s to let go."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from drivers.axes import modbus_drive, odrive, tmcl
from drivers.loaders import instron
from drivers.serial.allowance import Allowance

REACH, SET_UP, STOP, LET_GO = 5.0, 10.0, 6.0, 4.0
AXIS = {
    "connect": ((), REACH), "identity": ((), REACH), "prepare": (("velocity",), SET_UP), "quick_stop": ((), STOP), "close": ((), LET_GO),
}  # fmt: skip
LOADER = {
    "connect": ((), REACH), "identity": ((), REACH), "prepare": ((), SET_UP), "start_waveform": (("sine", 1.0, 1e3, 5), SET_UP),
    "disable": ((), STOP), "trip": ((), STOP), "release": ((), STOP), "close": ((), LET_GO),
}  # fmt: skip
DRIVERS: dict[str, tuple[Callable[[], Any], dict[str, tuple[tuple[Any, ...], float]]]] = {
    "modbus_drive": (lambda: modbus_drive.Config("COM1").create(), AXIS),
    "odrive": (lambda: odrive.Config("COM1").create(), AXIS),
    "tmcl": (lambda: tmcl.Config("COM1").create(), AXIS),
    "instron": (lambda: instron.Config("COM1").create("force"), LOADER),
}


class GrantedError(Exception):
    """Before anything is said: what was granted."""


@pytest.mark.parametrize(("kind", "call"), [(kind, call) for kind, (_, calls) in DRIVERS.items() for call in calls])
def test_a_call_waits_no_longer_in_all(monkeypatch: pytest.MonkeyPatch, kind: str, call: str) -> None:
    create, calls = DRIVERS[kind]
    driver, (given, seconds) = create(), calls[call]

    def within(allowance: Allowance) -> None:
        raise GrantedError(allowance.seconds)

    monkeypatch.setattr(driver.line, "within", within)
    with pytest.raises(GrantedError) as granted:
        getattr(driver, call)(*given)
    assert granted.value.args == (seconds,)


def test_an_allowance_is_spent_to_the_last() -> None:
    allowance = Allowance(2.0, "stopping it")
    assert not allowance.spent
    allowance.spend(1.5)
    assert not allowance.spent
    allowance.spend(0.5)
    assert allowance.spent and (allowance.seconds, allowance.doing) == (2.0, "stopping it")
