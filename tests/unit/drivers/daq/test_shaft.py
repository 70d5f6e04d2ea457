"""The angle of a shaft from what counters measure: from the plant's edges through server and driver to the smooth course."""

from __future__ import annotations

import numpy as np
import pytest

from drivers.daq.ni_daq import Config, NiDaq
from drivers.daq.wiring import Counter, Input, Wiring
from rig.signals import shaft
from tests.tiers import quick
from tests.unit.drivers.simulated.daqmx.turning_plant import TURN, TurningPlant

WIRES = {"Dev1/PFI8": "encoder_a", "Dev1/PFI10": "encoder_b", "Dev1/PFI3": "pickup", "Dev1/ai0": "cosine"}
INPUTS = (Input("cosine", "Dev1/ai0"), Counter("angle", "Dev1/ctr0", pulses=1024), Counter("pickup", "Dev1/ctr1", "pickup"))
RATE, BLOCK, BLOCKS = 51.2e3, 512, 100
RESOLUTION = TURN / 4096
DEG = np.pi / 180.0


@pytest.mark.parametrize("harmonic", quick([2, 4, 7], [4]))
def test_an_encoder_and_a_pickup_give_the_shafts_angle(make_bench, harmonic):
    plant = TurningPlant(harmonic=harmonic)
    bench = make_bench(wiring=WIRES, plant=plant)
    daq = NiDaq(Config(), Wiring(INPUTS, (), {}, {}, {}), f"127.0.0.1:{bench.server.port}")
    daq.connect()
    rate = daq.open(RATE, BLOCK, 5 * BLOCK)
    begun = bench.engine.time
    daq.start()
    values = np.concatenate([daq.read(BLOCK) for _ in range(BLOCKS)])
    assert daq.close() == []
    true = plant.angle(begun + np.arange(len(values)) / rate)
    by_encoder = shaft.from_encoder(values[:, 1], rate, RESOLUTION).angle
    assert np.sqrt(np.mean((by_encoder - true) ** 2)) < 0.05 * DEG
    by_pickup = shaft.from_pickup(values[:, 2], rate, np.pi).angle
    assert np.sqrt(np.mean((by_pickup - true) ** 2)) < 1.0 * DEG
