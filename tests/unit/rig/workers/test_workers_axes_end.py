"""At the end of a test each drive hears its program until it is told to let go: no other's farewell makes it take silence for a death."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from drivers.errors import NoReply
from rig.workers.axes_actuation import AxesActuation


def ended(failing: int | None = None) -> tuple[list[tuple[str, int]], list[str]]:
    """What was done to three axes, in order, and what is complained of; the driver of one may fail to close."""
    done: list[tuple[str, int]] = []

    def close(k: int) -> list[str]:
        done.append(("close", k))
        if k == failing:
            raise NoReply(f"axis{k}: no reply")
        return []

    own: Any = AxesActuation.__new__(AxesActuation)
    own._daq = SimpleNamespace(reset_watchdog=lambda: None)
    own._analog, own._tripped = {}, False
    own._serial = {k: SimpleNamespace(end=lambda k=k: done.append(("end", k)), failed="") for k in range(3)}
    own._drivers = {k: SimpleNamespace(close=lambda k=k: close(k)) for k in range(3)}
    own.release()
    assert not done
    return done, own.close()


def test_each_is_closed_as_soon_as_its_thread_has_ended() -> None:
    assert ended() == ([(what, k) for k in range(3) for what in ("end", "close")], [])


def test_one_that_does_not_answer_keeps_none_from_its_end() -> None:
    done, complaints = ended(failing=0)
    assert complaints == ["axis0: no reply"] and ("close", 2) in done
