"""A worker that has fallen behind looks at the controller's lines with the last of the blocks it has fetched, and lets no heartbeat go."""

from __future__ import annotations

from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import pytest

from rig.workers.loader_actuation import LoaderActuation


@dataclass
class Loader:
    feedback_channel: str = "force"
    heartbeat_period: float = 0.04
    beats: int = 0
    looks: int = 0
    says: str | None = None

    def beat(self) -> None:
        self.beats += 1

    def fault(self) -> str | None:
        self.looks += 1
        return self.says


def create(config: Loader, *_: Any) -> Loader:
    return config


def actuation(loader: Loader, block: float) -> LoaderActuation:
    bench = SimpleNamespace(loader=loader, loader_zero=lambda mode: 0.0, channels=[SimpleNamespace(name="force")])
    experiment = SimpleNamespace(command=SimpleNamespace(mode="force"), acquisition=SimpleNamespace(block=block))
    plan: Any = SimpleNamespace(bench=bench, experiment=experiment)
    return LoaderActuation(plan, None, lambda: None)


@pytest.mark.parametrize(("block", "looks"), [(0.02, 60), (0.01, 30)])
def test_who_keeps_up_looks_every_20_ms(block: float, looks: int) -> None:
    loader = Loader()
    own = actuation(loader, block)
    for _ in range(60):
        assert own.attend() is None
    assert loader.looks == looks
    assert loader.beats == round(60 * block / loader.heartbeat_period)


def test_three_blocks_in_one_call_are_one_look_and_every_heartbeat() -> None:
    loader = Loader()
    own = actuation(loader, 0.02)
    for k in range(60):
        own.attend(more=k % 3 < 2)
    assert loader.looks == 20
    assert loader.beats == 30


def test_a_fault_is_told_with_the_last_of_them() -> None:
    own = actuation(Loader(says="no pressure"), 0.02)
    assert [own.attend(more=True), own.attend(more=True), own.attend()] == [None, None, "loader: no pressure"]
