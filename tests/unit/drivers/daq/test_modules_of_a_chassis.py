"""The driver on modules of a chassis: inputs here, output and lines there, one clock; what does not fit is named."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from drivers.daq.ni_daq import Config, NiDaq
from drivers.daq.wiring import Input, Wiring
from drivers.errors import NotConnected, Refused, WatchdogExpired
from tests.unit.drivers.simulated.daqmx.client_calls import CHASSIS_DEVICES, LSB, decoded

CHASSIS = (*CHASSIS_DEVICES, ("PXI1Slot7", "PXI-4462"))
CODE = Input("code", "PXI1Slot4/ai0")
BACK = Input("back", "PXI1Slot5/ai1")
CELL = Input("cell", "PXI1Slot3/ai0", "force_bridge", gain=12.5e6, range=0.025, capacity=250e3)
BUMP = Input("bump", "PXI1Slot5/ai0", "iepe", gain=980.665)
WIRES = {"PXI1Slot4/ai0": "sample_code", "PXI1Slot5/ai1": "PXI1Slot2/ao0", "PXI1Slot6/ai0": "sample_code", "PXI1Slot6/ai1": "PXI1Slot2/ao0"}
RATE, BLOCK, AHEAD = 51_200.0, 512, 5120


def wiring(*inputs: Input, output: str = "PXI1Slot2/ao0") -> Wiring:
    return Wiring(inputs, (output,), {"interlock": "PXI1Slot2/port0/line2"}, {"ok": "PXI1Slot2/port1/line0"}, {"interlock": False})


@pytest.fixture
def chassis(make_bench):
    return make_bench(devices=CHASSIS, wiring=WIRES)


def guarded(chassis, use: Wiring, **options) -> NiDaq:
    return NiDaq(Config("PXI1Slot2", watchdog=0.25, **options), use, f"127.0.0.1:{chassis.server.port}")


@pytest.fixture
def make_daq(chassis, connected):
    """Connected drivers to a chassis in lockstep."""
    return lambda use, **options: connected(guarded(chassis, use, **options))


def in_step(daq: NiDaq, blocks: int) -> None:
    """Stream a ramp of known volts; every input sample must belong to the output sample of its own number."""
    ramp = np.linspace(-9.0, 9.0, AHEAD + blocks * BLOCK)
    daq.write(ramp[:AHEAD])
    daq.start_watchdog()
    daq.start()
    got = []
    for block in range(blocks):
        got.append(daq.read(BLOCK))
        daq.write(ramp[AHEAD + block * BLOCK :][:BLOCK])
        daq.reset_watchdog()
    code, back = np.concatenate(got).T[:2]
    n = np.arange(blocks * BLOCK)
    np.testing.assert_array_equal(decoded(code), n)
    # An update takes effect behind its clock edge. The filter of the input is symmetric about the edge: it shows the mean of the levels
    # before and behind, and a step (the first one, to the ramp's beginning) spreads over 24 samples to either side.
    np.testing.assert_allclose(back[25:], (ramp[n[24:-1]] + ramp[n[25:]]) / 2.0, atol=LSB)
    assert daq.underflows == 0


def test_sample_n_of_modules_and_output_are_one_clock_edge(make_daq):
    daq = make_daq(wiring(CODE, BACK, CELL, BUMP))
    assert daq.open(RATE, BLOCK, AHEAD) == pytest.approx(RATE, abs=2e-4)
    in_step(daq, 40)


def test_modules_that_leave_their_filter_delay_in(make_daq):
    late = (replace(CODE, terminal="PXI1Slot6/ai0"), replace(BACK, terminal="PXI1Slot6/ai1"))
    daq = make_daq(wiring(*late), filter_delay="discard")
    daq.open(RATE, BLOCK, AHEAD)
    in_step(daq, 20)


def test_their_delay_stays_where_it_is_not_discarded(make_daq):
    daq = make_daq(wiring(replace(CODE, terminal="PXI1Slot6/ai0")))
    daq.open(RATE, BLOCK, AHEAD)
    daq.write(np.zeros(AHEAD))
    daq.start()
    code = decoded(daq.read(BLOCK)[:, 0])
    assert code[63] == 0  # a delay of 63 samples, as sensor.delay has to tell then
    assert code[64] == 1


def test_every_channel_once_from_modules_that_give_nothing_on_demand(make_daq):
    values = make_daq(wiring(CODE, BACK, CELL, BUMP)).read_once()
    assert values.shape == (4,)
    assert abs(values[1]) < 1e-3
    assert np.isfinite(values).all()


def test_the_watchdog_does_not_run_until_something_gets_power(chassis):
    """What comes before, on a computer that starts five programs, takes longer than it waits; and an expired one is cleared by hand."""
    daq = guarded(chassis, wiring(CODE, CELL))
    daq.connect()
    daq.open(RATE, BLOCK, AHEAD)
    with chassis.engine.lock:
        chassis.engine.advance(chassis.engine.time + 5.0)
    daq.reset_watchdog()
    assert [dog.expires for dog in chassis.engine.watchdogs.values()] == [None]
    daq.start_watchdog()
    assert [dog.expires for dog in chassis.engine.watchdogs.values()] == [chassis.engine.time + 0.25]
    daq.start_watchdog()  # once is enough
    daq.reset_watchdog()
    daq.close()


def test_a_device_that_is_opened_again_has_its_watchdog_again(chassis):
    daq = guarded(chassis, wiring(CODE, CELL))
    for _ in range(2):
        daq.connect()
        daq.open(RATE, BLOCK, AHEAD)
        daq.start_watchdog()
        assert [dog.expires for dog in chassis.engine.watchdogs.values()] == [chassis.engine.time + 0.25]
        daq.reset_watchdog()
        assert daq.close() == []
        daq.reset_watchdog()  # there is none that could want it


def test_an_expired_watchdog_is_told_as_such_whoever_finds_it(chassis):
    daq = guarded(chassis, wiring(CODE, CELL))
    daq.connect()
    daq.open(RATE, BLOCK, AHEAD)
    daq.start_watchdog()
    daq.write_lines({"interlock": True})
    with chassis.engine.lock:
        chassis.engine.advance(chassis.engine.time + 0.3)
    for ask in (daq.reset_watchdog, lambda: daq.write_lines({"interlock": True})):
        with pytest.raises(WatchdogExpired, match=r"longer than daq\.watchdog, and its lines have gone to their safe states .*too busy"):
            ask()
    assert daq.close() == []


@pytest.mark.parametrize(
    ("inputs", "words"),
    [
        ((CODE, replace(BUMP, terminal="PXI1Slot9/ai0")), ("PXI1Slot9", "bump", "there are", "PXI1Slot5")),
        ((replace(CODE, terminal="Dev8/ai0"), replace(BACK, terminal="Dev8/ai1")), ("Dev8", "code, back")),
    ],
)
def test_a_module_that_is_not_there(make_daq, inputs, words):
    with pytest.raises(NotConnected) as caught:
        make_daq(wiring(*inputs))
    for word in words:
        assert word.lower() in str(caught.value).lower()


@pytest.mark.parametrize(
    ("inputs", "words"),
    [
        ((CODE, replace(BUMP, terminal="PXI1Slot3/ai1")), ("bump (iepe)", "PXI1Slot3/ai1")),
        ((replace(BUMP, terminal="PXI1Slot2/ai1"),), ("bump (iepe)", "PXI1Slot2/ai1")),
        ((CODE, replace(CELL, terminal="PXI1Slot5/ai2")), ("cell (force_bridge)", "PXI1Slot5/ai2")),
        ((CODE, replace(BACK, terminal="PXI1Slot2/ai1")), ("back (voltage)", "have no sample clock in common", "PXI1Slot4, PXI1Slot2")),
        ((CODE, replace(BACK, terminal="PXI1Slot6/ai1")), ("have no sample clock in common", "PXI1Slot4, PXI1Slot6")),
        ((CODE, replace(BACK, terminal="PXI1Slot4/ai9")), ("back (voltage)", "PXI1Slot4/ai9", "does not exist")),
    ],
)
def test_a_channel_that_its_module_cannot_take(make_daq, inputs, words):
    daq = make_daq(wiring(*inputs))
    with pytest.raises(Refused) as caught:
        daq.open(RATE, BLOCK, AHEAD)
    for word in words:
        assert word in str(caught.value)


@pytest.mark.parametrize(("rate", "module"), [(150e3, "PXI1Slot3"), (50.0, "PXI1Slot4")])
def test_a_rate_that_one_module_cannot_do(make_daq, rate, module):
    daq = make_daq(wiring(CELL, CODE))
    with pytest.raises(Refused, match=f"{rate:.9g} Hz") as caught:
        daq.open(rate, BLOCK, AHEAD)
    assert f"Device: {module}" in str(caught.value)


def test_a_rate_between_two_steps_is_coerced_and_told(make_daq):
    assert make_daq(wiring(CELL, CODE)).open(50_000.0, BLOCK, AHEAD) > 50_000.0


def test_an_output_outside_the_chassis_gets_no_clock(make_daq):
    daq = make_daq(wiring(CODE, output="Dev1/ao0"))
    with pytest.raises(Refused) as caught:
        daq.open(RATE, BLOCK, AHEAD)
    for word in ("Dev1/ao0", "/PXI1Slot4/ai/SampleClock", "-89125"):
        assert word in str(caught.value)


def test_a_delay_nobody_tells_cannot_be_discarded(make_daq):
    daq = make_daq(wiring(replace(CODE, terminal="PXI1Slot2/ai0")), filter_delay="discard")
    with pytest.raises(Refused, match="PXI1Slot2 does not tell"):
        daq.open(RATE, BLOCK, AHEAD)


def test_modules_with_different_delays_are_not_discarded_together(make_daq):
    daq = make_daq(wiring(CELL, CODE), filter_delay="discard")
    with pytest.raises(Refused, match="PXI1Slot3 35, PXI1Slot4 63"):
        daq.open(RATE, BLOCK, AHEAD)


def test_inputs_on_devices_without_a_common_clock_are_told_with_both_and_what_to_do(make_daq):
    """NI's -200558 ("multiple independent devices") names one of them and says to make two tasks, which no test can use."""
    daq = make_daq(wiring(CODE, Input("far", "Dev1/ai0")))
    for look in (daq.read_once, lambda: daq.open(RATE, BLOCK, AHEAD)):
        with pytest.raises(Refused, match=r"-200558") as caught:
            look()
        text = str(caught.value)
        assert "channel far (voltage) on Dev1/ai0" in text
        assert "inputs on PXI1Slot4, Dev1 have no sample clock in common" in text
        assert "put them all on one device" in text
