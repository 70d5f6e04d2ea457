"""Simulated device servers, which the driver is tested on, and drivers that are connected to them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from drivers.daq.ni_daq import NiDaq
from tests.unit.drivers.simulated.daqmx.benches import bench, make_bench

__all__ = ["bench", "make_bench"]


@pytest.fixture
def connected(make_bench: Any) -> Iterator[Callable[[NiDaq], NiDaq]]:
    """Connects a driver; in the end, before the servers go, it closes without a word."""
    made: list[NiDaq] = []

    def connect(daq: NiDaq) -> NiDaq:
        made.append(daq)
        daq.connect()
        return daq

    yield connect
    for daq in made:
        assert daq.close() == []
