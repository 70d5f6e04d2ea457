"""Every product of the tables works: an input of each of its kinds is read by its clock, outputs take values, lines and counters run.

Expected: as many samples as were asked for, within the range that the device says it has; values of outputs that its own channels took.
"""

from __future__ import annotations

import pytest
from nidaqmx.constants import AcquisitionType, ExcitationSource, StrainGageBridgeType, ThermocoupleType
from nidaqmx.system import System

from drivers.simulated.daqmx.products import products
from drivers.simulated.daqmx.products.product import C_SERIES_MODULE, TEST_SCALE_MODULE
from tests.tiers import quick

CHASSIS = {C_SERIES_MODULE: "cDAQ-9178", TEST_SCALE_MODULE: "TS-15000"}
SAMPLES = 20
FEW = 10
"""Of each table in `make test`; whether the tables themselves are right: test_product_tables.py."""


def _bench(make_bench, name):
    chassis = CHASSIS.get(products()[name].category)
    return make_bench(devices=[("Dev", name)] if chassis is None else [("c", chassis), ("Dev", name, "c", 1)])


def _volts(channels, where, top):
    return channels.add_ai_voltage_chan(where, min_val=-top, max_val=top)


def _amperes(channels, where, top):
    return channels.add_ai_current_chan(where, min_val=-top, max_val=top)


def _gage(channels, where, volts):
    return channels.add_ai_strain_gage_chan(
        where, strain_config=StrainGageBridgeType.QUARTER_BRIDGE_I, voltage_excit_val=volts, nominal_gage_resistance=120.0
    )


def _rtd(channels, where, amps):
    ohms = 1000.0 if amps < 1e-3 else 100.0
    return channels.add_ai_rtd_chan(where, current_excit_source=ExcitationSource.INTERNAL, current_excit_val=amps, r_0=ohms)


def _channel(channels, kind, inputs, where):
    """A channel of a kind at an input, None for kinds that are tried with another."""
    made = {
        "voltage": lambda: _volts(channels, where, inputs.tops[-1]),
        "current": lambda: _amperes(channels, where, inputs.current_tops[-1]),
        "accel": lambda: channels.add_ai_accel_chan(where, current_excit_val=inputs.excitation_amps[0]),
        "bridge": lambda: channels.add_ai_bridge_chan(where, voltage_excit_val=inputs.excitation_volts[-1]),
        "strain": lambda: _gage(channels, where, inputs.excitation_volts[-1]),
        "thermocouple": lambda: channels.add_ai_thrmcpl_chan(where, thermocouple_type=ThermocoupleType.K),
        "rtd": lambda: _rtd(channels, where, inputs.excitation_amps[0]),
        "position": lambda: channels.add_ai_pos_lvdt_chan(where),
        "charge": lambda: channels.add_ai_charge_chan(where),
    }
    return made[kind]() if kind in made else None


INPUTS = [(name, kind) for name, product in products().items() if product.inputs is not None for kind in product.inputs.kinds]


@pytest.mark.parametrize(("name", "kind"), quick([pair for pair in INPUTS if pair[1] not in ("multifunction", "power")], FEW))
def test_inputs(make_bench, name, kind):
    inputs = products()[name].inputs
    bench = _bench(make_bench, name)
    last = inputs.names[-1]
    with bench.task() as task:
        places = list(dict.fromkeys((inputs.names[0], last)))
        for one in places:
            channel = _channel(task.ai_channels, kind, inputs, f"Dev/{one}")
        rate = min(inputs.rate_max(len(places)), 1000.0)
        task.timing.cfg_samp_clk_timing(max(rate, inputs.rate_min), samps_per_chan=SAMPLES)
        data = task.read(SAMPLES)
        rows = data if isinstance(data[0], list) else [data]
        assert [len(row) for row in rows] == [SAMPLES] * len(rows)
        low, high = channel.ai_min, channel.ai_max
        span = high - low
        assert all(low - 0.1 * span <= value <= high + 0.1 * span for value in rows[-1])


@pytest.mark.parametrize("name", quick([name for name, product in products().items() if product.outputs is not None], FEW))
def test_outputs(make_bench, name):
    outputs = products()[name].outputs
    bench = _bench(make_bench, name)
    with bench.task() as task:
        where, top = f"Dev/{outputs.names[0]},Dev/{outputs.names[-1]}", outputs.tops[-1]
        if "voltage" in outputs.kinds:
            task.ao_channels.add_ao_voltage_chan(where, min_val=-top, max_val=top)
        else:
            task.ao_channels.add_ao_current_chan(where, min_val=0.0, max_val=outputs.current_tops[-1])
        top = outputs.tops[-1] if "voltage" in outputs.kinds else outputs.current_tops[-1]
        task.timing.cfg_samp_clk_timing(outputs.rates[1], samps_per_chan=SAMPLES)
        assert task.timing.samp_clk_rate == pytest.approx(outputs.rates[1])
        assert task.write([[top / 2.0] * SAMPLES] * 2, auto_start=True) == SAMPLES
        task.wait_until_done()


LINES = [name for name, product in products().items() if any(product.ports)]


@pytest.mark.parametrize("name", quick(LINES, FEW))
def test_lines(make_bench, name):
    product = products()[name]
    bench = _bench(make_bench, name)
    device = System.remote(bench.options).devices["Dev"]
    if product.digital.direction != "output":
        with bench.task() as task:
            task.di_channels.add_di_chan(device.di_lines[0].name)
            task.timing.cfg_samp_clk_timing(min(product.digital.rate, 1000.0), samps_per_chan=SAMPLES)
            assert len(task.read(SAMPLES)) == SAMPLES
    if product.digital.direction != "input":
        with bench.task() as task:
            task.do_channels.add_do_chan(device.do_lines[-1].name)
            assert task.write(True) == 1
    assert device.di_max_rate == product.digital.rate


@pytest.mark.parametrize(
    "name", quick([name for name, product in products().items() if product.counting is not None and product.counting.outputs], FEW)
)
def test_counters(make_bench, name):
    bench = _bench(make_bench, name)
    hidden = products()[name].counting.hidden
    with bench.task() as train:
        train.co_channels.add_co_pulse_chan_freq("Dev/_ctr0" if hidden else "Dev/ctr0", freq=1000.0)
        train.timing.cfg_implicit_timing(sample_mode=AcquisitionType.FINITE, samps_per_chan=5)
        train.start()
        train.wait_until_done()
        assert bench.engine.time == pytest.approx(5e-3, rel=0.2)
