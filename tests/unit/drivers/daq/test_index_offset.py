"""An index stands for a value of its channel: offset, tare and direction of that channel are in it, whatever the device is told."""

from __future__ import annotations

import numpy as np
import pytest

from drivers.daq.ni_daq import Config, NiDaq
from drivers.daq.wiring import Counter, Input, Wiring
from tests.unit.drivers.simulated.daqmx.turning_plant import TURN, TurningPlant

WIRES = {
    "Dev1/PFI8": "encoder_a", "Dev1/PFI10": "encoder_b", "Dev1/PFI9": "encoder_z", "Dev1/PFI0": "encoder_b", "Dev1/PFI1": "encoder_a",
    "Dev1/ai0": "cosine",
}  # fmt: skip
RATE, BLOCK, BLOCKS = 10e3, 200, 25
COUNT = TURN / 4096
INDEX = 326 * TURN / 1024
WRONG = 0.1
"""rad, by which the angle at the start is wrong until the index comes."""


@pytest.mark.parametrize("offset", [0.3, -1.2, 2.0 * TURN])
@pytest.mark.parametrize("reversed_", [False, True])
def test_the_index_puts_right_the_value_of_a_channel_with_an_offset(make_bench, offset, reversed_):
    """The value is the shaft's angle and the offset; a reversed encoder has its phases exchanged, so that the two cancel."""
    plant = TurningPlant(begin=1.0, index=INDEX)
    mounted = {"a": "Dev1/PFI0", "b": "Dev1/PFI1", "gain": -1.0, "index_phase": "low_high"} if reversed_ else {"index_phase": "high_low"}
    counter = Counter("angle", "Dev1/ctr0", pulses=1024, index=INDEX + offset, initial=1.0 - WRONG + offset, offset=offset, **mounted)
    bench = make_bench(wiring=WIRES, plant=plant)
    daq = NiDaq(Config(), Wiring((Input("cosine", "Dev1/ai0"), counter), (), {}, {}, {}), f"127.0.0.1:{bench.server.port}")
    daq.connect()
    daq.open(RATE, BLOCK, 5 * BLOCK)
    begun = bench.engine.time
    daq.start()
    values = np.concatenate([daq.read(BLOCK) for _ in range(BLOCKS)])[:, 1]
    assert daq.close() == []
    true = plant.angle(begun + np.arange(len(values)) / RATE) + offset
    before = true < INDEX + offset - COUNT
    after = true > INDEX + offset + COUNT
    np.testing.assert_allclose(values[before], true[before] - WRONG, atol=2.1 * COUNT)
    np.testing.assert_allclose(values[after], true[after], atol=2.1 * COUNT)
    assert values[-1] - offset > 2.0 * TURN


@pytest.mark.parametrize("gain", [1.0, -1.0])
def test_an_encoder_is_placed_at_a_value_of_its_channel(make_bench, gain):
    """Value = gain x what the device counts + offset: placed at 2 rad it begins there, and goes on the way that it is mounted."""
    offset, begin = 0.3, 2.0
    plant = TurningPlant(begin=1.0)
    bench = make_bench(wiring=WIRES, plant=plant)
    counter = Counter("angle", "Dev1/ctr0", pulses=1024, gain=gain, offset=offset)
    daq = NiDaq(Config(), Wiring((Input("cosine", "Dev1/ai0"), counter), (), {}, {}, {}), f"127.0.0.1:{bench.server.port}")
    daq.connect()
    daq.open(RATE, BLOCK, 5 * BLOCK)
    daq.place_encoders({"angle": begin})
    begun = bench.engine.time
    daq.start()
    values = np.concatenate([daq.read(BLOCK) for _ in range(3)])[:, 1]
    assert daq.close() == []
    turned = plant.angle(begun + np.arange(len(values)) / RATE) - plant.angle(begun)
    np.testing.assert_allclose(values, begin + gain * turned, atol=2.1 * COUNT)
