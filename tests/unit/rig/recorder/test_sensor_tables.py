"""What a record says of a channel is flat: it becomes attributes of a group, which hold no tables and no nothing."""

from __future__ import annotations

import datetime

import h5py
import pytest

from rig.config.bench import InputChannel, Sensor
from rig.config.counter import Counter
from rig.recorder.description import sensor_tables

FORCE = InputChannel("force", "N", "Dev1/ai0", Sensor(25e3, expires="2026-01-01"))
CRANK = InputChannel("crank", "rad", "Dev1/ctr0", Sensor(1.0), kind="encoder", counter=Counter(1024, z="Dev1/PFI9", index=0.5))


def test_an_analogue_channel_and_a_counter() -> None:
    tables = sensor_tables([FORCE, CRANK], datetime.date(2026, 1, 2))
    assert tables["force"]["terminal"] == "Dev1/ai0"
    assert tables["force"]["expired"] is True
    assert not any(key.startswith("counter") for key in tables["force"])
    assert (tables["crank"]["counter_pulses"], tables["crank"]["counter_z"], tables["crank"]["counter_index"]) == (1024, "Dev1/PFI9", 0.5)
    assert "counter_filter" not in tables["crank"], "what is not known is left out"


@pytest.mark.parametrize("channel", [FORCE, CRANK])
def test_every_value_can_be_an_attribute(channel: InputChannel) -> None:
    (table,) = sensor_tables([channel], datetime.date(2026, 1, 2)).values()
    with h5py.File("memory", "w", driver="core", backing_store=False) as file:
        file.attrs.update(table)
        assert set(file.attrs) == set(table)
