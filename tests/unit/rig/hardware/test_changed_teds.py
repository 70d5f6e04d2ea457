"""Sensors whose memory holds something else: a sheet, none, or one sentence of the driver. What it says is never zero or endless."""

from __future__ import annotations

import math
import random
from pathlib import Path

from changed_files import LOAD_CELL
from random_changes import of_bytes

from drivers.errors import DriverError
from rig.config import load_bench
from rig.hardware import data_sheets
from rig.hardware.data_sheets import disagreements
from tests.thorough import times
from tests.unit.rig.hardware.still_bench import served

CHANGES = times(30, thorough=200)


def test_a_changed_memory_is_a_sheet_or_one_sentence(tmp_path: Path) -> None:
    read = refused = 0
    with served(tmp_path) as (_, path, engine):
        bench, _ = load_bench(path)
        channels = {channel.name: channel for channel in bench.channels}
        for trial in range(CHANGES):
            engine.nonvolatile.sensors["dev2/ai0"] = of_bytes(random.Random(f"teds {trial}"), LOAD_CELL)
            try:
                for name, sheet in data_sheets.read(bench).items():
                    assert sheet.gain is None or (math.isfinite(sheet.gain) and sheet.gain != 0.0)
                    disagreements(channels[name], sheet)
                    read += 1
            except DriverError:
                refused += 1
    assert read > CHANGES / 4 and refused > CHANGES / 20
