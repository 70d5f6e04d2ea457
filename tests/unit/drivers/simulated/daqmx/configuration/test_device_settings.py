"""Values of channel properties that a product has not got are refused; what it has, and what is not simulated, answers UNIMPLEMENTED.

"X Series User Manual": AO Reference Selection (10 V, 5 V, or a signal at APFI; of a 6341 always 10 V), Analog Output Connections (to AO
GND). "NI-DAQmx Key Concepts", Data Transfer Mechanisms: USB devices have no DMA, and only they have USB bulk; "NI PXIe-4300 User Manual":
DMA and programmed I/O on PXI Express. "NI PXIe-4330/4331 User Manual": excitation is a direct voltage. "NI-DAQmx Properties":
CO.Pulse.Freq.Units, AI.Bridge.Cfg, AI.Bridge.NomResistance.
"""

from __future__ import annotations

import pytest
from nidaqmx import constants as c

from tests.unit.drivers.simulated.daqmx.client_calls import code_of, error_of, not_served

DEVICES = (
    ("Dev1", "PCIe-6363"), ("Small", "PXIe-6341"), ("Usb", "USB-6363"), ("Bridge", "PXIe-4331"), ("DSA", "PXIe-4466"),
)  # fmt: skip
TERMS, MODES = c.TerminalConfiguration, c.DataTransferActiveTransferMode


@pytest.fixture
def bench(make_bench):
    return make_bench(devices=DEVICES)


@pytest.mark.parametrize("asked", [TERMS.DIFF, TERMS.NRSE, TERMS.PSEUDO_DIFF])
def test_outputs_of_a_card_are_referenced_to_ground(bench, asked):
    with bench.task() as task:
        channel = task.ao_channels.add_ao_voltage_chan("Dev1/ao0")
        code, text = error_of(setattr, channel, "ao_term_cfg", asked)
        assert code == -200077
        assert "Property: DAQmx_AO_TermCfg" in text and "DAQmx_Val_RSE" in text
        for fine in (TERMS.RSE, TERMS.DEFAULT):
            channel.ao_term_cfg = fine
            assert channel.ao_term_cfg is TERMS.RSE


def test_an_external_reference_of_outputs(bench):
    with bench.task() as task, bench.task() as small:
        channel = task.ao_channels.add_ao_voltage_chan("Dev1/ao0")
        assert not_served(setattr, channel, "ao_dac_ref_src", c.SourceSelection.EXTERNAL)
        channel.ao_dac_ref_src = c.SourceSelection.INTERNAL
        without = small.ao_channels.add_ao_voltage_chan("Small/ao0")
        assert code_of(setattr, without, "ao_dac_ref_src", c.SourceSelection.EXTERNAL) == -200077
        assert channel.ao_dac_ref_src is without.ao_dac_ref_src is c.SourceSelection.INTERNAL


def test_lines_are_driven_both_ways(bench):
    with bench.task() as task:
        channel = task.do_channels.add_do_chan("Dev1/port0/line0")
        assert code_of(setattr, channel, "do_output_drive_type", c.DigitalDriveType.OPEN_COLLECTOR) == -200077
        assert not_served(setattr, channel, "do_tristate", True)
        channel.do_output_drive_type, channel.do_tristate = c.DigitalDriveType.ACTIVE_DRIVE, False
        assert (channel.do_output_drive_type, channel.do_tristate) == (c.DigitalDriveType.ACTIVE_DRIVE, False)


def of_every_kind(task, kind, device):
    """A channel of a kind on a card."""
    add = {
        "ai": lambda: task.ai_channels.add_ai_voltage_chan(f"{device}/ai0"),
        "ao": lambda: task.ao_channels.add_ao_voltage_chan(f"{device}/ao0"),
        "di": lambda: task.di_channels.add_di_chan(f"{device}/port0/line0"),
        "do": lambda: task.do_channels.add_do_chan(f"{device}/port0/line0"),
        "ci": lambda: task.ci_channels.add_ci_count_edges_chan(f"{device}/ctr0"),
        "co": lambda: task.co_channels.add_co_pulse_chan_freq(f"{device}/ctr0"),
    }  # fmt: skip
    return add[kind]()


@pytest.mark.parametrize("kind", ["ai", "ao", "di", "do", "ci", "co"])
@pytest.mark.parametrize(("device", "usual", "refused"), [
    ("Dev1", MODES.DMA, (MODES.USB_BULK, MODES.INTERRUPT)), ("Usb", MODES.USB_BULK, (MODES.DMA, MODES.INTERRUPT)),
])  # fmt: skip
def test_ways_to_the_host(bench, kind, device, usual, refused):
    with bench.task() as task:
        channel = of_every_kind(task, kind, device)
        name = f"{kind}_data_xfer_mech"
        assert getattr(channel, name) is usual
        for other in refused:
            assert code_of(setattr, channel, name, other) == -200077
        setattr(channel, name, MODES.POLLED)
        setattr(channel, name, usual)


@pytest.mark.parametrize(("kind", "code"), [("ai", -200847), ("di", -200847), ("ci", -200847), ("ao", -200767), ("do", -200847)])
def test_programmed_io_has_no_buffer(bench, kind, code):
    """Key Concepts: "a buffer is not used and instead the computer reads and writes directly to the device"."""
    with bench.task() as task:
        channel = of_every_kind(task, kind, "Dev1")
        setattr(channel, f"{kind}_data_xfer_mech", MODES.POLLED)
        task.control(c.TaskMode.TASK_VERIFY)
        task.timing.cfg_samp_clk_timing(1000.0, source="/Dev1/PFI3" if kind == "ci" else "")
        assert code_of(task.control, c.TaskMode.TASK_VERIFY) == code
        setattr(channel, f"{kind}_data_xfer_mech", MODES.DMA)
        task.control(c.TaskMode.TASK_VERIFY)


@pytest.mark.parametrize("kind", ["ai", "di", "ci"])
@pytest.mark.parametrize(
    "condition", [c.InputDataTransferCondition.WHEN_ACQUISITION_COMPLETE, c.InputDataTransferCondition.ONBOARD_MEMORY_CUSTOM_THRESHOLD]
)
def test_conditions_of_transfers(bench, kind, condition):
    with bench.task() as task:
        channel = of_every_kind(task, kind, "Dev1")
        assert code_of(setattr, channel, f"{kind}_data_xfer_req_cond", condition) == -200077


@pytest.mark.parametrize("kind", [c.RawDataCompressionType.LOSSLESS_PACKING, c.RawDataCompressionType.LOSSY_LSB_REMOVAL])
def test_samples_are_not_compressed(bench, kind):
    with bench.task() as task:
        channel = task.ai_channels.add_ai_voltage_chan("Dev1/ai0")
        assert not_served(setattr, channel, "ai_raw_data_compression_type", kind)
        assert channel.ai_raw_data_compression_type is c.RawDataCompressionType.NONE


def test_excitation_is_a_direct_voltage(bench):
    with bench.task() as task, bench.task() as sensors:
        channel = task.ai_channels.add_ai_bridge_chan("Bridge/ai0")
        assert code_of(setattr, channel, "ai_excit_d_cor_ac", c.ExcitationDCorAC.USE_AC) == -200077
        assert code_of(setattr, channel, "ai_excit_voltage_or_current", c.ExcitationVoltageOrCurrent.USE_CURRENT) == -200077
        assert code_of(setattr, channel, "ai_excit_actual_val", -1.0) == -200077
        accelerometer = sensors.ai_channels.add_ai_accel_chan("DSA/ai0")
        assert code_of(setattr, accelerometer, "ai_excit_voltage_or_current", c.ExcitationVoltageOrCurrent.USE_VOLTAGE) == -200077


@pytest.mark.parametrize("resistance", [-350.0, 0.0, float("nan")])
def test_bridges_have_a_resistance(bench, resistance):
    with bench.task() as task:
        add = task.ai_channels.add_ai_bridge_chan
        assert code_of(add, "Bridge/ai0", nominal_bridge_resistance=resistance) == -200077
        channel = add("Bridge/ai0", nominal_bridge_resistance=120.0)
        assert code_of(setattr, channel, "ai_bridge_nom_resistance", resistance) == -200077
        assert channel.ai_bridge_nom_resistance == 120.0


def test_bridges_are_bridges(bench):
    with bench.task() as task, bench.task() as other:
        assert code_of(task.ai_channels.add_ai_bridge_chan, "Bridge/ai0", bridge_config=c.BridgeConfiguration.NO_BRIDGE) == -200077
        channel = task.ai_channels.add_ai_bridge_chan("Bridge/ai0")
        assert code_of(setattr, channel, "ai_bridge_cfg", c.BridgeConfiguration.NO_BRIDGE) == -200077
        # "Custom voltage with excitation" is for sensors that are none, too.
        add = other.ai_channels.add_ai_voltage_chan_with_excit
        plain = add("Bridge/ai1", min_val=-0.1, max_val=0.1, bridge_config=c.BridgeConfiguration.NO_BRIDGE, voltage_excit_val=5.0,
                    voltage_excit_source=c.ExcitationSource.INTERNAL)  # fmt: skip
        assert plain.ai_bridge_cfg is c.BridgeConfiguration.NO_BRIDGE


def test_units_of_pulses(bench):
    with bench.task() as task, bench.task() as by_time:
        channel = task.co_channels.add_co_pulse_chan_freq("Dev1/ctr0")
        for unit in (c.FrequencyUnits.FROM_CUSTOM_SCALE, c.FrequencyUnits.TICKS):
            assert code_of(setattr, channel, "co_pulse_freq_units", unit) == -200077
        channel.co_pulse_freq_units = c.FrequencyUnits.HZ
        timed = by_time.co_channels.add_co_pulse_chan_time("Dev1/ctr1")
        assert code_of(setattr, timed, "co_pulse_time_units", c.TimeUnits.FROM_CUSTOM_SCALE) == -200077
