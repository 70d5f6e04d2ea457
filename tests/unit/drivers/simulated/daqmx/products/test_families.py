"""Figures of products that the tables have, as NI publishes them.

Expected: "X Series User Manual", tables 4-5 and 4-8 (Analog Input Rates); "C Series Physical Channels" of the NI-DAQmx help; "NI 9144 User
Guide" (ranges, conversion times); pages "maximum sample rate" of the NI CompactRIO manual; data sheet of the NI 9247; "NI-9231
Specifications"; labscript-devices, capabilities.json, which its authors have read from devices.
"""

from __future__ import annotations

import nidaqmx
import pytest
from nidaqmx.constants import ExcitationSource, RTDType, StrainGageBridgeType, TerminalConfiguration, TriggerUsage
from nidaqmx.system import System

from drivers.simulated import serve_devices
from tests.unit.drivers.simulated.daqmx.client_calls import code_of

RATES = {  # one channel, all together (S/s)
    "PCIe-6320": (250e3, 250e3), "PCIe-6321": (250e3, 250e3), "PCIe-6323": (250e3, 250e3), "PCIe-6341": (500e3, 500e3),
    "PCIe-6343": (500e3, 500e3), "PCIe-6351": (1.25e6, 1e6), "PCIe-6353": (1.25e6, 1e6), "PCIe-6361": (2e6, 1e6), "USB-6363": (2e6, 1e6),
    "PXIe-6345": (500e3, 500e3), "PXIe-6355": (1.25e6, 1e6), "PXIe-6365": (2e6, 1e6), "PXIe-6375": (3.846e6, 1e6),
}  # fmt: skip
TOGETHER = {
    "PCIe-6346": (500e3, 4e6), "PXIe-6349": (500e3, 16e6), "PXIe-6356": (1.25e6, 10e6), "PXIe-6358": (1.25e6, 20e6),
    "USB-6366": (2e6, 16e6), "PXIe-6368": (2e6, 32e6), "PCIe-6374": (3.57e6, 14.28e6), "PXIe-6376": (3.57e6, 28.56e6),
    "PXIe-6378": (3.57e6, 57.12e6), "PXIe-6386": (14.29e6, 114.29e6), "PXIe-6396": (14.29e6, 114.29e6),
}  # fmt: skip


def device(make_bench, product):
    return System.remote(make_bench(devices=[("Dev1", product)]).options).devices[0]


@pytest.mark.parametrize("product", RATES)
def test_rates_of_multiplexed_devices(make_bench, product):
    card = device(make_bench, product)
    assert (card.ai_max_single_chan_rate, card.ai_max_multi_chan_rate) == RATES[product]
    assert not card.ai_simultaneous_sampling_supported


@pytest.mark.parametrize(
    ("product", "number", "inputs"),
    [("PXIe-6345", 0x77A5C4C4, 80), ("PXIe-6355", 0x77A6C4C4, 80), ("PXIe-6365", 0x77A7C4C4, 144), ("PXIe-6375", 0x77A8C4C4, 208)],
)
def test_many_inputs_half_of_which_are_pairs(make_bench, product, number, inputs):
    """As NI sells them; the number of the 6365 as programs have read it from devices, the others by the public list of PCI devices."""
    card = device(make_bench, product)
    pairs = [one for one in card.ai_physical_chans if TerminalConfiguration.DIFF in one.ai_term_cfgs]
    assert (card.product_num, len(card.ai_physical_chans), len(pairs)) == (number, inputs, inputs // 2)


def test_the_fastest_has_a_lowest_rate_and_no_pause_trigger(make_bench):
    """"X Series User Manual" on pause triggers; 20 kS/s and ranges by "PXIe-6386 Specifications"."""
    card = device(make_bench, "PXIe-6386")
    assert card.ai_min_rate == 20e3
    assert card.ai_voltage_rngs == [-1.0, 1.0, -2.0, 2.0, -5.0, 5.0, -10.0, 10.0]
    assert {*card.ai_trig_usage} == {TriggerUsage.REFERENCE, TriggerUsage.START}


@pytest.mark.parametrize("product", TOGETHER)
def test_rates_of_simultaneous_devices(make_bench, product):
    """The manual rounds 100 MHz / 28."""
    card, (single, total) = device(make_bench, product), TOGETHER[product]
    assert card.ai_max_single_chan_rate == card.ai_max_multi_chan_rate == pytest.approx(single, rel=1e-3)
    assert card.ai_max_single_chan_rate * len(card.ai_physical_chans) == pytest.approx(total, rel=1e-3)
    assert card.ai_simultaneous_sampling_supported


@pytest.mark.parametrize(
    ("product", "inputs", "outputs", "lines", "output_rate", "line_rate"),
    [
        ("PCIe-6343", 32, 4, 48, 917431.1926605505, 1e6), ("USB-6343", 32, 4, 48, 917431.1926605505, 1e6),
        ("PXIe-6361", 16, 2, 24, 2857142.8571428573, 10e6), ("USB-6363", 32, 4, 48, 2857142.8571428573, 10e6),
        ("USB-6366", 8, 2, 24, 3333333.3333333335, 10e6),
    ],
)  # fmt: skip
def test_as_it_was_read_from_devices(make_bench, product, inputs, outputs, lines, output_rate, line_rate):
    card = device(make_bench, product)
    assert (len(card.ai_physical_chans), len(card.ao_physical_chans), len(card.di_lines)) == (inputs, outputs, lines)
    assert (card.ao_max_rate, card.do_max_rate) == (output_rate, line_rate)
    assert len(card.ci_physical_chans) == 4 and card.ai_voltage_rngs[-2:] == [-10.0, 10.0]
    single = product == "USB-6366"  # differential only
    assert len(card.ai_physical_chans[0].ai_term_cfgs) == (1 if single else 3)


CHANNELS = {
    3: ["NI 9225"], 8: ["NI 9201", "NI 9203", "NI 9221", "NI 9235", "NI 9236"], 32: ["NI 9205", "NI 9206"],
    4: ["NI 9211", "NI 9215", "NI 9217", "NI 9229", "NI 9233", "NI 9234", "NI 9237", "NI 9239"],
}  # fmt: skip


@pytest.mark.parametrize(("count", "product"), [(count, product) for count, products in CHANNELS.items() for product in products])
def test_channels_of_modules(make_bench, count, product):
    assert len(device(make_bench, product).ai_physical_chans) == count


@pytest.mark.parametrize(
    ("product", "rate", "lowest"),
    [
        ("NI 9229", 50e3, 50e3 / 31), ("NI 9239", 50e3, 50e3 / 31), ("NI 9252", 50e3, None), ("NI 9234", 51.2e3, None),
        ("NI 9230", 12.8e3, None), ("NI 9231", 51.2e3, None), ("NI 9247", 50e3, None),
    ],
)  # fmt: skip
def test_rates_of_delta_sigma_modules(make_bench, product, rate, lowest):
    module = device(make_bench, product)
    assert module.ai_max_single_chan_rate == rate
    assert lowest is None or module.ai_min_rate == pytest.approx(lowest)


@pytest.mark.parametrize(("product", "per_channel"), [("NI 9213", 1 / (18 * 740e-6)), ("NI 9214", 1 / (20 * 735e-6))])
def test_rates_of_thermocouple_modules(make_bench, product, per_channel):
    """The sixteen inputs, cold junctions and auto zero are converted one after the other."""
    bench = make_bench(devices=[("cDAQ1", "cDAQ-9178"), ("Dev1", product, "cDAQ1", 1)])
    with bench.task() as task:
        task.ai_channels.add_ai_thrmcpl_chan("Dev1/ai0:15")
        task.timing.cfg_samp_clk_timing(10.0)
        assert task.timing.samp_clk_max_rate == pytest.approx(per_channel, rel=0.01)


CHASSIS = [("cDAQ1", "cDAQ-9178")]


def test_a_current_module_measures_amperes_with_its_own_shunt(make_bench):
    """NI 9144 User Guide: the NI 9203 has eight channels of +-20 mA."""
    bench = make_bench(devices=[*CHASSIS, ("Mod1", "NI 9203", "cDAQ1", 1)])
    assert System.remote(bench.options).devices["Mod1"].ai_current_rngs == [-0.02, 0.02]
    with bench.task() as task:
        channel = task.ai_channels.add_ai_current_chan("Mod1/ai0", min_val=-0.02, max_val=0.02)
        assert (channel.ai_rng_low, channel.ai_rng_high) == (-0.02, 0.02)
        task.timing.cfg_samp_clk_timing(1000.0, samps_per_chan=1000)
        data = task.read(1000)
    assert 0.018 < max(data) <= 0.02 and -0.02 <= min(data) < -0.018  # NI's simulated devices: a sine over the range
    for make in (
        lambda task: task.ai_channels.add_ai_voltage_chan("Mod1/ai0"),
        lambda task: task.ai_channels.add_ai_current_chan("Mod1/ai0", max_val=0.03) and task.start(),
    ):
        with bench.task() as task:
            assert code_of(make, task) in (-200431, -200077)


def test_outputs_of_currents_from_nothing(make_bench):
    """NI 9144 User Guide: the NI 9265 has four channels from 0 to 20 mA (nominally 20.675), and tells open loops."""
    bench = make_bench(
        devices=[*CHASSIS, ("Mod1", "NI 9265", "cDAQ1", 1), ("Mod2", "NI 9203", "cDAQ1", 2)], wiring={"Mod2/ai0": "Mod1/ao0"}
    )
    module = System.remote(bench.options).devices["Mod1"]
    assert module.ao_current_rngs == [0.0, 0.02] and len(module.ao_physical_chans) == 4
    with bench.task() as out, bench.task() as task:
        channel = out.ao_channels.add_ao_current_chan("Mod1/ao0", min_val=0.004, max_val=0.02)
        assert (channel.ao_dac_rng_low, channel.ao_dac_rng_high) == (0.0, 0.02)
        task.ai_channels.add_ai_current_chan("Mod2/ai0", min_val=0.0, max_val=0.02)
        out.start()
        for milliamps in (4.0, 12.0, 19.5):
            out.write(milliamps * 1e-3)
            assert task.read() == pytest.approx(milliamps * 1e-3, abs=1e-6)
        assert code_of(out.write, 0.003) == -200561
        assert not out.out_stream.open_current_loop_chans_exist
    with bench.task() as out:
        out.ao_channels.add_ao_current_chan("Mod1/ao1", min_val=-0.01, max_val=0.02)
        assert code_of(out.start) == -200077


def test_an_rtd_module_feeds_its_sensors(make_bench):
    """NI 9144 User Guide: the NI 9217 has 1 mA and 0 to 400 ohm, for -200 to 850 degrees of a Pt100."""
    bench = make_bench(devices=[*CHASSIS, ("Mod1", "NI 9217", "cDAQ1", 1)])

    def channel(task, top, source=ExcitationSource.INTERNAL, amps=1e-3):
        return task.ai_channels.add_ai_rtd_chan(
            "Mod1/ai0", min_val=-200.0, max_val=top, rtd_type=RTDType.PT_3851, current_excit_source=source, current_excit_val=amps
        )

    with bench.task() as task:
        assert channel(task, 850.0).ai_excit_val == 1e-3
        assert -200.0 <= task.read() <= 870.0
    with bench.task() as task:
        assert code_of(channel, task, 850.0, ExcitationSource.EXTERNAL) == -200077
    with bench.task() as task:
        assert code_of(channel, task, 850.0, ExcitationSource.INTERNAL, 5e-3) == -200077


def test_quarter_bridges(make_bench):
    """ "NI 9235, NI 9236 ... support only the AI Strain Gage and AI Custom Voltage With Excitation channel types"; +-29.4 mV/V."""
    bench = make_bench(devices=[*CHASSIS, ("Mod1", "NI 9235", "cDAQ1", 1)])
    with bench.task() as task:
        channel = task.ai_channels.add_ai_strain_gage_chan(
            "Mod1/ai0", strain_config=StrainGageBridgeType.QUARTER_BRIDGE_I, voltage_excit_val=2.0, nominal_gage_resistance=120.0
        )
        task.timing.cfg_samp_clk_timing(10e3)
        assert (channel.ai_rng_high, channel.ai_excit_val) == (0.0294, 2.0)
    with bench.task() as task:
        assert code_of(task.ai_channels.add_ai_bridge_chan, "Mod1/ai0") == -200431


@pytest.mark.parametrize(("product", "inputs", "outputs"), [("NI 9421", 8, 0), ("NI 9472", 0, 8), ("NI 9401", 8, 8), ("NI 9476", 0, 32)])
def test_lines_of_one_direction(make_bench, product, inputs, outputs):
    bench = make_bench(devices=[*CHASSIS, ("Mod1", product, "cDAQ1", 1)])
    module = System.remote(bench.options).devices["Mod1"]
    assert (len(module.di_lines), len(module.do_lines)) == (inputs, outputs)
    for count, channels in ((inputs, "di"), (outputs, "do")):
        with bench.task() as task:
            make = getattr(getattr(task, f"{channels}_channels"), f"add_{channels}_chan")
            # DAQmx, -200430: I/O type of the physical channel does not match
            if count:
                make("Mod1/port0/line0")
            else:
                assert code_of(make, "Mod1/port0/line0") == -200430


def test_a_connector_in_the_name(tmp_path):
    """`nidaqmxconfig --export` of a cDAQ-9174 on a bench lists an `NI 9232 (BNC)`."""
    text = "[DAQmxCDAQChassis cDAQ1]\nProductType = cDAQ-9174\n[DAQmxCDAQModule cDAQ1Mod2]\nProductType = NI 9232 (BNC)\n"
    (tmp_path / "e.ini").write_text(f"{text}CompactDAQ.ChassisDevName = cDAQ1\nCompactDAQ.SlotNum = 2\n")
    with serve_devices(tmp_path / "e.ini", pace="lockstep") as bench:
        module = bench.system.devices["cDAQ1Mod2"]
        assert (module.product_type, len(module.ai_physical_chans), module.is_simulated) == ("NI 9232 (BNC)", 3, False)
        with nidaqmx.Task(grpc_options=bench.grpc_options) as task:
            task.ai_channels.add_ai_voltage_chan("cDAQ1Mod2/ai0:2", terminal_config=TerminalConfiguration.PSEUDO_DIFF)
            task.timing.cfg_samp_clk_timing(25600.0, samps_per_chan=100)
            assert len(task.read(100)[0]) == 100
