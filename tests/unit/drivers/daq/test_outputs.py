"""The driver with several analogue outputs in one task, and with none; without lines."""

from __future__ import annotations

import numpy as np
import pytest

from drivers.daq.ni_daq import Config, NiDaq
from drivers.daq.wiring import Input, Wiring
from drivers.errors import Refused
from tests.unit.drivers.simulated.daqmx.client_calls import LSB

WIRES = {"Dev1/ai0": "Dev1/ao0", "Dev1/ai1": "Dev1/ao1", "Dev1/ai2": "Dev1/ao3"}
BACK = tuple(Input(f"back{index}", f"Dev1/ai{index}") for index in range(3))
OUTPUTS = ("Dev1/ao0", "Dev1/ao1", "Dev1/ao3")
RATE, BLOCK, AHEAD = 10e3, 100, 500


@pytest.fixture
def make_daq(make_bench, connected):
    """A connected and opened driver in lockstep; by its outputs."""
    bench = make_bench(wiring=WIRES)

    def make(*outputs: str) -> NiDaq:
        daq = connected(NiDaq(Config(), Wiring(BACK, outputs, {}, {}, {}), f"127.0.0.1:{bench.server.port}"))
        daq.open(RATE, BLOCK, AHEAD)
        return daq

    return make


def test_several_outputs_each_give_their_own_column(make_daq):
    daq = make_daq(*OUTPUTS)
    n = np.arange(AHEAD + 5 * BLOCK)
    volts = np.column_stack([n * 5e-3, -n * 5e-3, 3.0 + 0.0 * n])
    daq.write(volts[:AHEAD])
    daq.start()
    got = []
    for block in range(5):
        got.append(daq.read(BLOCK))
        daq.write(volts[AHEAD + block * BLOCK :][:BLOCK])
    back = np.concatenate(got)
    np.testing.assert_allclose(back[1:], volts[: len(back) - 1], atol=LSB)  # an update takes effect behind its clock edge
    assert daq.samples_ahead() == AHEAD


def test_they_are_taken_back_together_and_set_by_hand(make_daq):
    daq = make_daq(*OUTPUTS)
    n = np.arange(AHEAD)
    volts = np.column_stack([n * 1e-2, -n * 1e-2, 0.5 + n * 1e-3])
    daq.write(volts)
    daq.start()
    daq.read(BLOCK)
    held = daq.abort_output()
    assert held.shape == (3,)
    row = round(held[0] / 1e-2)
    assert BLOCK - 1 <= row < AHEAD
    np.testing.assert_allclose(held, volts[row])
    daq.stop_inputs()
    daq.set_output(np.array([1.0, 2.0, 3.0]))
    daq.start_inputs()
    np.testing.assert_allclose(daq.read(BLOCK)[-1], [1.0, 2.0, 3.0], atol=LSB)


def test_they_are_held_before_the_start(make_daq):
    daq = make_daq(*OUTPUTS)
    daq.hold_output(np.array([-1.0, 0.25, 4.0]))
    daq.start_inputs()
    np.testing.assert_allclose(daq.read(BLOCK)[-1], [-1.0, 0.25, 4.0], atol=LSB)
    daq.stop_inputs()
    daq.release_output()


def test_one_output_is_a_number(make_daq):
    daq = make_daq("Dev1/ao1")
    daq.write(np.full(AHEAD, 2.5))
    daq.start()
    np.testing.assert_allclose(daq.read(BLOCK)[1:, 1], 2.5, atol=LSB)
    assert daq.abort_output() == 2.5


def test_without_outputs_and_lines_the_inputs_run_alone(make_daq):
    daq = make_daq()
    daq.start()
    assert daq.read(BLOCK).shape == (BLOCK, 3)
    assert daq.read_lines() == {}
    daq.write_lines({})
    assert daq.underflows == 0


def test_an_output_that_is_not_there_is_named(make_daq):
    with pytest.raises(Refused, match="Dev1/ao7"):
        make_daq("Dev1/ao0", "Dev1/ao7")
