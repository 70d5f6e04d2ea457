"""What modules for sensors do to a signal and to a sensor: AC coupling, the filter against aliases, excitation.

Expected values: "NI-DAQmx Device Considerations", Input Coupling (one pole of resistor and capacitor; 3 dB at the corner; AC by default of
accelerations and sound pressures, else DC); "NI-9234 Specifications" (0.5 Hz; 2 mA); "PCI-4451/4452 User Manual", Input Coupling (3.4 Hz);
"NI PXIe-4330/4331 User Manual", Analog Input Filters, and "Specifications Explained: NI DSA & SC Express DAQ" (pass band, stop band,
alias-free bandwidth); "NI-DAQmx Key Concepts", Coercion.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from nidaqmx import constants as c
from nidaqmx.errors import DaqError

from tests.unit.drivers.simulated.daqmx.client_calls import code_of, volt_out, volts_out

DEVICES = (
    ("Dev1", "PCIe-6363"), ("DSA", "PXIe-4466"), ("Fast", "PXIe-4480"), ("Old", "PXI-4462"), ("Bridge", "PXIe-4331"),
    ("cDAQ1", "cDAQ-9189"), ("cDAQ1Mod1", "NI 9234"), ("cDAQ1Mod2", "NI 9237"),
)  # fmt: skip
WIRES = {f"{device}/ai0": "Dev1/ao0" for device in ("DSA", "Fast", "Old", "Bridge", "cDAQ1Mod1", "Dev1")}
FINITE, CONTINUOUS = c.AcquisitionType.FINITE, c.AcquisitionType.CONTINUOUS


@pytest.fixture
def rig(make_bench):
    """Modules whose first input sees Dev1/ao0; the NI 9234 sits in a chassis."""
    from drivers.simulated.daqmx.core.device_entries import DeviceEntry

    devices = [DeviceEntry(n, p, chassis="cDAQ1" if "Mod" in n else "", slot=int(n[-1]) if "Mod" in n else 0) for n, p in DEVICES]
    return make_bench(devices=devices, wiring=WIRES)


def tone(rig, where, frequency, rate, count, *, update=200e3, amplitude=1.0, offset=0.0, coupling=None, kind="voltage", skip=0, **given):
    """What an input shows of a sine that goes out at Dev1/ao0."""
    with rig.task() as output, rig.task() as inputs:
        output.ao_channels.add_ao_voltage_chan("Dev1/ao0")
        cycles = max(1, round(frequency * 0.05))
        points = round(update * cycles / frequency)
        output.timing.cfg_samp_clk_timing(update, sample_mode=CONTINUOUS, samps_per_chan=points)
        output.write(offset + amplitude * np.sin(2.0 * math.pi * cycles * np.arange(points) / points))
        channel = getattr(inputs.ai_channels, f"add_ai_{kind}_chan")(where, **given)
        if coupling is not None:
            channel.ai_coupling = coupling
        inputs.timing.cfg_samp_clk_timing(rate, sample_mode=FINITE, samps_per_chan=count + skip)
        output.start()
        rig.engine.advance(rig.engine.time + 0.02)
        made = inputs.timing.samp_clk_rate
        return np.array(inputs.read(count + skip, timeout=100.0))[skip:], made, update * cycles / points


def amplitude_at(values, frequency, rate):
    """Amplitude of the part of `values` at a frequency (Hz), by least squares."""
    angle = 2.0 * math.pi * frequency * np.arange(len(values)) / rate
    basis = np.column_stack((np.sin(angle), np.cos(angle), np.ones(len(values))))
    found = np.linalg.lstsq(basis, values, rcond=None)[0]
    return math.hypot(found[0], found[1]), found[2]


def held(frequency, update):
    """Gain of an output that holds each of its values."""
    return np.sinc(frequency / update)


# -- coupling --------------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("where", "corner"), [("DSA/ai0", 0.5), ("Fast/ai0", 0.5), ("Old/ai0", 3.4), ("cDAQ1Mod1/ai0", 0.5)])
def test_a_direct_voltage_does_not_pass_ac_coupling(rig, where, corner):
    with rig.task() as output:
        volt_out(output, 2.0)
    for coupling, expected in ((c.Coupling.AC, 0.0), (c.Coupling.DC, 2.0)):
        with rig.task() as inputs:
            inputs.ai_channels.add_ai_voltage_chan(where).ai_coupling = coupling
            inputs.timing.cfg_samp_clk_timing(2000.0, sample_mode=FINITE, samps_per_chan=100)
            assert np.array(inputs.read(100)) == pytest.approx(expected, abs=1e-3)


@pytest.mark.parametrize(("where", "corner"), [("DSA/ai0", 0.5), ("Old/ai0", 3.4), ("cDAQ1Mod1/ai0", 0.5)])
def test_the_corner_of_ac_coupling(rig, where, corner):
    # 3 dB down at the corner, 1 / sqrt(1 + 1/16) at four times it: one pole
    for multiple in (1.0, 4.0):
        frequency, rate = multiple * corner, 2000.0
        settled = 1.5 / corner
        values, rate, made = tone(
            rig, where, frequency, rate, round(8.0 * rate / frequency), update=2000.0, coupling=c.Coupling.AC, offset=0.5,
            skip=round(settled * rate),
        )  # fmt: skip
        assert amplitude_at(values, made, rate)[0] == pytest.approx(1.0 / math.sqrt(1.0 + 1.0 / multiple**2), rel=5e-3)


def test_default_coupling(rig):
    with rig.task() as task:
        assert task.ai_channels.add_ai_accel_chan("DSA/ai0").ai_coupling is c.Coupling.AC
    with rig.task() as task:
        assert task.ai_channels.add_ai_microphone_chan("DSA/ai0").ai_coupling is c.Coupling.AC
    with rig.task() as task:
        assert task.ai_channels.add_ai_voltage_chan("DSA/ai0").ai_coupling is c.Coupling.DC


@pytest.mark.parametrize("where", ["Dev1/ai0", "cDAQ1Mod2/ai0", "Bridge/ai0"])
def test_inputs_without_ac_coupling(rig, where):
    with rig.task() as task:
        add = task.ai_channels.add_ai_voltage_chan if where == "Dev1/ai0" else task.ai_channels.add_ai_bridge_chan
        channel = add(where)
        assert code_of(setattr, channel, "ai_coupling", c.Coupling.AC) == -200077


# -- aliases ---------------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("where", "rate"), [("DSA/ai0", 20e3), ("Fast/ai0", 20e3), ("Old/ai0", 20e3)])
@pytest.mark.parametrize("share", [0.6, 0.75, 1.1, 2.25])
def test_a_tone_beyond_the_stop_band_leaves_no_alias(rig, where, rate, share):
    values, rate, _ = tone(rig, where, share * rate, rate, 4000, skip=100)
    assert np.abs(values).max() < 2e-4  # of 1 V; the real ones: 100 dB and more


@pytest.mark.parametrize("share", [0.01, 0.2, 0.4])
def test_the_pass_band_is_flat_and_in_phase(rig, share):
    # The delay is made up for: a sample belongs to its clock edge ("PXIe-4480/4481 User Manual", Group Delay)
    for where in ("DSA/ai0", "Fast/ai0"):
        values, rate, frequency = tone(rig, where, share * 20e3, 20e3, 4000, skip=100)
        assert amplitude_at(values, frequency, rate)[0] == pytest.approx(held(frequency, 200e3), rel=1e-3)


def test_a_card_without_a_filter_shows_the_alias(rig):
    values, rate, made = tone(rig, "Dev1/ai0", 15e3, 20e3, 4000)
    assert amplitude_at(values, made - rate, rate)[0] == pytest.approx(held(15e3, 200e3), rel=0.02)


def test_a_step_arrives_at_its_sample(rig):
    # An output steps behind sample 500 of an input with the same clock rate: the filter is symmetric about the step.
    with rig.task() as output, rig.task() as inputs:
        volts_out(output, np.repeat([0.0, 1.0], 500), 1000.0)
        inputs.ai_channels.add_ai_voltage_chan("DSA/ai0")
        inputs.timing.cfg_samp_clk_timing(1000.0, sample_mode=FINITE, samps_per_chan=1000)
        inputs.start()
        output.start()
        values = np.array(inputs.read(1000, timeout=10.0))
    middle = np.interp(0.5, values[480:520], np.arange(480, 520))
    assert middle == pytest.approx(500.0, abs=1.0)
    assert values[500] + values[500 - 1] == pytest.approx(1.0, abs=0.6)
    assert values[:470] == pytest.approx(0.0, abs=1e-4)
    assert values[530:] == pytest.approx(1.0, abs=1e-4)


# -- excitation ------------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("where", "asked", "made"), [
    ("Bridge/ai0", 2.5, 2.5), ("Bridge/ai0", 2.75, 2.75), ("Bridge/ai0", 3.0, 3.3), ("Bridge/ai0", 0.1, 0.625), ("Bridge/ai0", 9.0, 10.0),
    ("cDAQ1Mod2/ai0", 2.5, 2.5), ("cDAQ1Mod2/ai0", 4.0, 5.0),
])  # fmt: skip
def test_excitation_of_bridges_is_coerced(rig, where, asked, made):
    with rig.task() as task:
        channel = task.ai_channels.add_ai_bridge_chan(where, voltage_excit_val=asked)
        task.timing.cfg_samp_clk_timing(10_000.0)
        assert channel.ai_excit_val == made
        assert made in rig_values(rig, where.partition("/")[0])
    with rig.task() as task:
        channel = task.ai_channels.add_ai_bridge_chan(where, voltage_excit_source=c.ExcitationSource.EXTERNAL, voltage_excit_val=asked)
        task.timing.cfg_samp_clk_timing(10_000.0)
        assert channel.ai_excit_val == asked


def rig_values(rig, device):
    from nidaqmx.system import System

    return System.remote(rig.options).devices[device].ai_voltage_int_excit_discrete_vals


@pytest.mark.parametrize(("where", "kind", "given"), [
    ("Bridge/ai0", "bridge", {"voltage_excit_val": 12.0}), ("Bridge/ai0", "bridge", {"voltage_excit_val": -2.5}),
    ("DSA/ai0", "accel", {"current_excit_val": 0.025}), ("cDAQ1Mod1/ai0", "accel", {"current_excit_val": 0.004}),
])  # fmt: skip
def test_excitation_that_a_device_has_not_got(rig, where, kind, given):
    with rig.task() as task, pytest.raises(DaqError) as caught:
        getattr(task.ai_channels, f"add_ai_{kind}_chan")(where, **given)
    assert caught.value.error_code == -200077
    assert "DAQmx_AI_Excit_Val" in str(caught.value)


def test_excitation_of_iepe_sensors_is_coerced(rig):
    with rig.task() as task:
        channel = task.ai_channels.add_ai_accel_chan("DSA/ai0", current_excit_val=0.006)
        assert channel.ai_excit_val == 0.010
        channel.ai_excit_val = 0.0
        assert channel.ai_excit_val == 0.0
        channel.ai_excit_val = 0.015
        assert channel.ai_excit_val == 0.020


def test_an_iepe_sensor_goes_with_ac_coupling_only_on_a_9234(rig):
    # Its modes are DC, AC, and IEPE with AC; IEPE_WITH_DC_NOT_ALLOWED of nidaqmx.error_codes
    with rig.task() as task:
        channel = task.ai_channels.add_ai_accel_chan("cDAQ1Mod1/ai0", current_excit_val=0.002)
        task.timing.cfg_samp_clk_timing(51_200.0)
        assert channel.ai_coupling is c.Coupling.AC
        channel.ai_coupling = c.Coupling.DC
        assert code_of(task.control, c.TaskMode.TASK_VERIFY) == -201172


def test_many_steps_to_a_sample(rig):
    # An output at 1 MS/s into an input at 100 S/s: 480 000 steps are within the filter's reach.
    values, rate, frequency = tone(rig, "DSA/ai0", 10.0, 100.0, 60, update=1e6, skip=30)
    assert amplitude_at(values, frequency, rate)[0] == pytest.approx(1.0, rel=1e-3)
