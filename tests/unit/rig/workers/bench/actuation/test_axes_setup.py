"""Drives are set up one after the other: each shows that the worker lives, and between two of them a stop is answered."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from rig.workers.bench.actuation.axes import AxesActuation
from rig.workers.bench.watchdog_feeding import CalledOff


class SettingUp:
    """Three drives on lines; `order` is what was done. After `patience` signs of life somebody wants something else."""

    def __init__(self, patience: int = 99) -> None:
        self.order: list[str] = []
        self._patience = patience
        own: Any = AxesActuation.__new__(AxesActuation)
        own._daq = SimpleNamespace(reset_watchdog=lambda: None)
        own._alive, own._analog, own._serial, own._rate, own._lockstep = self._alive, {}, {}, 1000.0, False
        own._drivers = {
            k: SimpleNamespace(name=f"axis{k}", output_lines={}, prepare=lambda mode, rate, k=k: self.order.append(f"prepare {k}"))
            for k in range(3)
        }
        own._configs = {k: SimpleNamespace(mode="velocity", rate=50.0) for k in range(3)}
        own._plan = SimpleNamespace(bench=SimpleNamespace(line_rate=lambda axis: 50.0))
        own._drives = SimpleNamespace(evaluate=lambda s: (np.zeros((1, 3)),))
        self.session = lambda: own.session(None, 10, lambda text: None)

    def _alive(self) -> None:
        self.order.append("alive")
        if self.order.count("alive") > self._patience:
            raise CalledOff


def test_each_begins_with_a_sign_of_life() -> None:
    setting_up = SettingUp()
    assert setting_up.session() is not None
    assert setting_up.order == [word for k in range(3) for word in ("alive", f"prepare {k}")]


def test_a_stop_is_answered_between_two_of_them() -> None:
    setting_up = SettingUp(patience=1)
    with pytest.raises(CalledOff):
        setting_up.session()
    assert setting_up.order == ["alive", "prepare 0", "alive"]
