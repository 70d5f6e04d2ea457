"""A simulated controller with a small frame, and a loader that is connected to its serial side."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from drivers.loaders import instron
from drivers.loaders.instron import Config
from drivers.simulated.loaders.instron import Instron
from drivers.simulated.plant.load_frame import SmallFrame
from drivers.simulated.serial.serial_side import SerialSide


@pytest.fixture
def device() -> Instron:
    return Instron(SmallFrame())


@pytest.fixture
def loader(side: SerialSide) -> Iterator[instron.Instron]:
    loader = Config(side.url, chunk=1.0, pause=0.0, reply_timeout=0.3).create("force")
    loader.connect()
    yield loader
    loader.close()
