"""Inputs that are configured by a file, as by a virtual data sheet."""

from __future__ import annotations

import pytest
from nidaqmx.system import System


@pytest.fixture
def virtual(rig, tmp_path):
    """Put a stream into a file, and let an input of the module's `rig` be configured by it."""

    def configure(where, sheet):
        path = tmp_path / "sensor.ted"
        path.write_bytes(sheet)
        device, _, channel = where.partition("/")
        sensor = System.remote(rig.options).devices[device].ai_physical_chans[channel]
        sensor.configure_teds(str(path))
        return sensor

    return configure
