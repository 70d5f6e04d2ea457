"""Counters as channels of the driver: sample n of angle, pulses and volts is one instant; what gives nothing is named."""

from __future__ import annotations

import numpy as np
import pytest

from drivers.daq.ni_daq import Config, NiDaq
from drivers.daq.wiring import Counter, Input, Wiring
from drivers.errors import DriverError, NoReply, Refused
from tests.unit.drivers.simulated.daqmx.turning_plant import TURN, TurningPlant

WIRES = {
    "Dev1/PFI8": "encoder_a", "Dev1/PFI10": "encoder_b", "Dev1/PFI9": "encoder_z", "Dev1/PFI3": "pickup", "Dev1/ai0": "cosine",
    "Dev1/ai1": "sine", "Dev1/PFI0": "encoder_b", "Dev1/PFI1": "encoder_a",
}  # fmt: skip
COSINE, SINE = Input("cosine", "Dev1/ai0"), Input("sine", "Dev1/ai1")
ANGLE = Counter("angle", "Dev1/ctr0", pulses=1024)
PICKUP = Counter("pickup", "Dev1/ctr1", "pickup")
RATE, BLOCK, BLOCKS = 10e3, 200, 25
COUNT = TURN / 4096


@pytest.fixture
def make_daq(make_bench, connected):
    """A connected driver in lockstep; by its inputs and the plant."""

    def make(*inputs, plant=None, outputs=()) -> NiDaq:
        bench = make_bench(wiring=WIRES, plant=plant or TurningPlant())
        daq = connected(NiDaq(Config(), Wiring(inputs, outputs, {}, {}, {}), f"127.0.0.1:{bench.server.port}"))
        daq.bench = bench
        return daq

    return make


def streamed(daq: NiDaq, blocks: int = BLOCKS):
    """(samples, times of them on the bench clock)."""
    daq.open(RATE, BLOCK, 5 * BLOCK)
    begun = daq.bench.engine.time
    daq.start()
    values = np.concatenate([daq.read(BLOCK) for _ in range(blocks)])
    return values, begun + np.arange(len(values)) / RATE


def test_channels_come_in_the_order_of_the_bench_file_and_belong_together(make_daq):
    plant = TurningPlant()
    daq = make_daq(PICKUP, COSINE, ANGLE, SINE, plant=plant)
    values, at = streamed(daq)
    true = plant.angle(at)
    pulses, cosine, angle, sine = values.T
    np.testing.assert_array_equal(pulses, np.floor((true - np.pi) / TURN) + 1)
    np.testing.assert_array_equal(np.rint(angle / COUNT), np.floor(true / COUNT))
    np.testing.assert_allclose(cosine, np.cos(true), atol=4e-4)
    np.testing.assert_allclose(sine, np.sin(true), atol=4e-4)


def test_with_an_output_in_step(make_daq):
    daq = make_daq(COSINE, ANGLE, outputs=("Dev1/ao0",))
    daq.open(RATE, BLOCK, 5 * BLOCK)
    daq.write(np.zeros(5 * BLOCK))
    daq.start()
    assert daq.read(BLOCK).shape == (BLOCK, 2)
    assert daq.samples_ahead() == 4 * BLOCK


@pytest.mark.parametrize(("decoding", "step"), [("x1", TURN / 1024), ("x2", TURN / 2048), ("x4", TURN / 4096)])
def test_every_decoding_gives_the_angle(make_daq, decoding, step):
    plant = TurningPlant()
    values, at = streamed(make_daq(COSINE, Counter("angle", "Dev1/ctr0", pulses=1024, decoding=decoding), plant=plant))
    late = plant.angle(at) - values[:, 1]
    assert late.min() > -1e-6
    assert late.max() < step + 1e-6


def test_the_index_puts_the_angle_right_and_it_goes_on_over_turns(make_daq):
    index = 326 * TURN / 1024
    plant = TurningPlant(begin=1.0, index=index)
    counter = Counter("angle", "Dev1/ctr0", pulses=1024, index=index, index_phase="high_low", initial=0.9)  # 0.1 rad wrong
    values, at = streamed(make_daq(COSINE, counter, plant=plant))
    true = plant.angle(at)
    wrong = true < index
    np.testing.assert_allclose(values[wrong, 1], true[wrong] - 0.1, atol=1.1 * COUNT)
    np.testing.assert_allclose(values[~wrong, 1], true[~wrong], atol=1.1 * COUNT)
    assert values[-1, 1] > 2.0 * TURN


def test_an_encoder_that_is_mounted_reversed_and_has_a_zero(make_daq):
    plant = TurningPlant()
    counter = Counter("angle", "Dev1/ctr0", pulses=1024, a="Dev1/PFI0", b="/Dev1/PFI1", gain=-1.0, offset=0.3, initial=0.5)
    daq = make_daq(COSINE, counter, plant=plant)
    assert daq.read_once()[1] == 0.5
    values, at = streamed(daq)
    np.testing.assert_allclose(values[:, 1] - 0.5, plant.angle(at) - plant.angle(at[0]), atol=1.1 * COUNT)  # A and B are swapped, too


def test_before_the_start_a_counter_shows_what_it_begins_with(make_daq):
    daq = make_daq(PICKUP, COSINE, Counter("angle", "Dev1/ctr0", pulses=1024, initial=0.25), plant=TurningPlant())
    np.testing.assert_allclose(daq.read_once(), [0.0, 1.0, 0.25], atol=1e-3)


def test_an_encoder_is_placed_for_the_next_start(make_daq):
    plant = TurningPlant()
    daq = make_daq(COSINE, ANGLE, plant=plant)
    daq.open(RATE, BLOCK, 5 * BLOCK)
    daq.start_inputs()
    daq.read(BLOCK)
    daq.stop_inputs()
    begin = float(plant.angle(daq.bench.engine.time))
    daq.place_encoders({"angle": begin})
    begun = daq.bench.engine.time
    daq.start_inputs()
    values = np.concatenate([daq.read(BLOCK) for _ in range(10)])
    true = plant.angle(begun + np.arange(len(values)) / RATE)
    np.testing.assert_allclose(values[:, 1], true, atol=1.1 * COUNT)


def test_short_pulses_are_filtered_away(make_daq):
    # The pickup's pulse lasts 3 ms, a line of the encoder 0.2 ms.
    slow = [
        Counter(name, f"Dev1/ctr{n}", "pickup", a=a, filter=1e-3)
        for n, (name, a) in enumerate({"p": "Dev1/PFI3", "a": "Dev1/PFI8"}.items())
    ]
    values, _ = streamed(make_daq(COSINE, *slow))
    assert values[-1, 1:].tolist() == [2.0, 0.0]


BESIDE = Counter("pickup", "Dev1/ctr1", "pickup", beside="angle")


def test_a_pickup_beside_an_encoder_that_both_work(make_daq):
    values, _ = streamed(make_daq(COSINE, ANGLE, BESIDE), blocks=80)
    assert values[-1, 2] == 8.0


@pytest.mark.parametrize(
    ("silent", "words"),
    [
        (("pickup",), ("channel pickup", "Dev1/ctr1", "no pulse while angle turned", "wires")),
        (("encoder_a", "encoder_b"), ("channel angle", "Dev1/ctr0", "no counts over 3 pulses", "wires")),
        (("encoder_b",), ("channel angle", "Dev1/ctr0", "no counts over 3 pulses")),
    ],
)
def test_a_counter_that_gives_nothing_is_named(make_daq, silent, words):
    with pytest.raises(NoReply) as caught:
        streamed(make_daq(COSINE, ANGLE, BESIDE, plant=TurningPlant(silent=silent)), blocks=80)
    for word in words:
        assert word in str(caught.value)


def test_samples_that_were_not_read_in_time_are_told(make_daq):
    daq = make_daq(COSINE, ANGLE)
    daq.open(RATE, BLOCK, 5 * BLOCK)
    daq.start()
    with daq.bench.engine.lock:
        daq.bench.engine.advance(daq.bench.engine.time + 5.0)
    with pytest.raises(Refused, match=r"reading 200 samples of .*overwritten.*raise daq.input_buffer"):
        daq.read(BLOCK)


@pytest.mark.parametrize(
    ("inputs", "words"),
    [
        ((COSINE, Counter("angle", "Dev1/ctr7", pulses=1024)), ("channel angle (encoder)", "Dev1/ctr7")),
        ((COSINE, Counter("angle", "Dev1/ctr0", pulses=1024, a="Dev1/PFI99")), ("channel angle (encoder)", "PFI99")),
        ((COSINE, ANGLE, Counter("again", "Dev1/ctr0", "pickup")), ("again", "Dev1/ctr0")),
        ((ANGLE,), ("analogue input", "add a channel")),
    ],
)
def test_counters_that_cannot_be_had_are_named(make_daq, inputs, words):
    with pytest.raises(DriverError) as caught:
        make_daq(*inputs).open(RATE, BLOCK, 5 * BLOCK)
    for word in words:
        assert word in str(caught.value)
