"""Saved tasks, global channels and scales: of the configuration, and saved by a client.

Expected values: NI's tests of its nidaqmx package (tests/component/system/storage/*, tests/component/system/_collections/*), with the
configuration that they import (tests/max_config/nidaqmxMaxConfig.ini), here in the words of NI MAX.
"""

from __future__ import annotations

import pytest
from nidaqmx import GrpcSessionOptions, Scale, SessionInitializationBehavior
from nidaqmx import constants as c
from nidaqmx.error_codes import DAQmxErrors
from nidaqmx.errors import RpcError
from nidaqmx.system import System
from nidaqmx.system.storage import PersistedChannel, PersistedScale, PersistedTask

from drivers.simulated.daqmx.core.device_entries import Stored
from tests.unit.drivers.simulated.daqmx.client_calls import code_of

CHANNEL = {
    "AI.MeasType": "Voltage", "AI.Voltage.Units": "Volts", "AI.TermCfg": "Differential", "AI.Max": "10", "AI.Min": "-10",
    "ChanType": "Analog Input", "PhysicalChanName": "Dev1/ai0",
}  # fmt: skip
OWN = {"Author": "Test Author", "AllowInteractiveEditing": "True"}


@pytest.fixture
def rig(make_bench):
    bench = make_bench(devices=(("Dev1", "PCIe-6363"), ("aoTester", "PXIe-4322"), ("bridgeTester", "PXIe-4331")))
    keep(bench.engine.stored_scales, "double_gain_scale", {
        "Lin.Slope": "2", "Lin.YIntercept": "0", "PreScaledUnits": "Volts", "ScaledUnits": "", "ScaleType": "Linear",
        "Descr": "Twice the gain", **OWN,
    })  # fmt: skip
    keep(bench.engine.stored_scales, "polynomial_scale", {
        "Poly.ForwardCoeff": "0, 1", "Poly.ReverseCoeff": "0, 1", "PreScaledUnits": "Volts", "ScaleType": "Polynomial",
    })  # fmt: skip
    keep(bench.engine.stored_scales, "degrees_scale", {"Lin.Slope": "2", "PreScaledUnits": "Degrees", "ScaledUnits": "potatoes"})
    keep(bench.engine.stored_channels, "VoltageTesterChannel", {**CHANNEL, **OWN})
    keep(bench.engine.stored_channels, "VoltageTesterChannel2", {
        **CHANNEL, "AI.Max": "5", "AI.Min": "-5", "PhysicalChanName": "Dev1/ai1", "Descr": "Another channel", "Author": "Another Author",
    })  # fmt: skip
    keep(bench.engine.stored_channels, "VoltageTesterTask/Voltage_0", CHANNEL)
    keep(bench.engine.stored_tasks, "VoltageTesterTask", {
        "Channels": "VoltageTesterTask/Voltage_0", "SampQuant.SampMode": "Finite Samples", "SampClk.ActiveEdge": "Rising",
        "SampQuant.SampPerChan": "100", "SampClk.Rate": "1000", "SampTimingType": "Sample Clock", "SampClk.Src": "", **OWN,
    })  # fmt: skip
    for n in range(3):
        keep(bench.engine.stored_channels, f"AOTesterTask/VoltageOut_{n}", {
            "AO.OutputType": "Voltage", "AO.Voltage.Units": "Volts", "AO.Max": "16", "AO.Min": "-16", "ChanType": "Analog Output",
            "AO.TermCfg": "Differential", "PhysicalChanName": f"aoTester/ao{n}",
        })  # fmt: skip
    keep(bench.engine.stored_tasks, "AOTesterTask", {
        "Channels": ", ".join(f"AOTesterTask/VoltageOut_{n}" for n in range(3)), "SampQuant.SampMode": "Finite Samples",
        "SampQuant.SampPerChan": "100", "SampClk.Rate": "1000", "SampTimingType": "Sample Clock", "RegenMode": "Allow Regeneration",
    })  # fmt: skip
    return bench


def keep(kept, name, attributes):
    kept[name] = Stored(name, attributes)


def test_what_the_system_lists(rig):
    system = System.remote(rig.options)
    assert system.tasks.task_names == ["VoltageTesterTask", "AOTesterTask"]
    assert system.global_channels.global_channel_names == ["VoltageTesterChannel", "VoltageTesterChannel2"]
    assert system.scales.scale_names == ["double_gain_scale", "polynomial_scale", "degrees_scale"]
    assert [task.name for task in reversed(system.tasks)] == ["AOTesterTask", "VoltageTesterTask"]


@pytest.mark.parametrize(("kind", "name", "nobody", "code"), [
    (PersistedTask, "VoltageTesterTask", "NonexistentTask", DAQmxErrors.TASK_NOT_IN_DATA_NEIGHBORHOOD),
    (PersistedChannel, "VoltageTesterChannel", "NonexistentChannel", DAQmxErrors.INVALID_GLOBAL_CHAN),
    (PersistedScale, "double_gain_scale", "NonexistentScale", DAQmxErrors.CUSTOM_SCALE_DOES_NOT_EXIST),
])  # fmt: skip
def test_author_and_editing(rig, kind, name, nobody, code):
    stored = kind(name, grpc_options=rig.options)
    assert (stored.author, stored.allow_interactive_editing) == ("Test Author", True)
    assert code_of(lambda: kind(nobody, grpc_options=rig.options).author) == code
    assert code_of(kind(nobody, grpc_options=rig.options).delete) == code


def test_a_loaded_scale(rig):
    scale = PersistedScale("double_gain_scale", grpc_options=rig.options).load()
    assert (scale.lin_slope, scale.description, scale.pre_scaled_units) == (2.0, "Twice the gain", c.UnitsPreScaled.VOLTS)
    assert PersistedScale("polynomial_scale", grpc_options=rig.options).load().poly_forward_coeff == [0.0, 1.0]
    degrees = PersistedScale("degrees_scale", grpc_options=rig.options).load()
    assert (degrees.pre_scaled_units, degrees.scaled_units) == (c.UnitsPreScaled.DEGREES, "potatoes")
    with rig.task() as task:
        # test_channel_properties.py: the channel has the one, and takes the other.
        channel = task.ai_channels.add_ai_voltage_chan(
            "Dev1/ai0", units=c.VoltageUnits.FROM_CUSTOM_SCALE, custom_scale_name="double_gain_scale"
        )
        assert channel.ai_custom_scale.name == "double_gain_scale"
        channel.ai_custom_scale = PersistedScale("polynomial_scale", grpc_options=rig.options).load()
        assert channel.ai_custom_scale.name == "polynomial_scale"


def test_a_loaded_task(rig):
    with PersistedTask("VoltageTesterTask", grpc_options=rig.options).load() as task:
        channel = task.ai_channels[0]
        assert (channel.ai_meas_type, channel.ai_term_cfg, channel.ai_max) == (c.UsageTypeAI.VOLTAGE, c.TerminalConfiguration.DIFF, 10.0)
        assert task.channel_names == ["Voltage_0"]
        timing = task.timing
        assert (timing.samp_clk_rate, timing.samp_quant_samp_mode, timing.samp_quant_samp_per_chan) == (
            1000.0, c.AcquisitionType.FINITE, 100,
        )  # fmt: skip
        samples = task.read(c.READ_ALL_AVAILABLE)
        assert len(samples) == 100
        assert all(-10.4 <= s <= 10.4 for s in samples)


def test_a_task_is_loaded_twice(rig):
    stored = PersistedTask("VoltageTesterTask", grpc_options=rig.options)
    with stored.load() as one, stored.load() as two:
        assert one is not two
        assert one.name == two.name
    options = GrpcSessionOptions(rig.channel, "", initialization_behavior=SessionInitializationBehavior.INITIALIZE_SERVER_SESSION)
    stored = PersistedTask("VoltageTesterTask", grpc_options=options)
    with stored.load(), pytest.raises(RpcError, match="VoltageTesterTask") as caught, stored.load():
        pass
    assert caught.value.rpc_code.name == "ALREADY_EXISTS"


def test_outputs_of_a_loaded_task(rig):
    with PersistedTask("AOTesterTask", grpc_options=rig.options).load() as task:
        assert task.channel_names == ["VoltageOut_0", "VoltageOut_1", "VoltageOut_2"]
        assert (task.ao_channels[2].ao_max, task.ao_channels[2].ao_min) == (16.0, -16.0)
        assert task.ao_channels[2].ao_term_cfg is c.TerminalConfiguration.DIFF
    assert code_of(PersistedTask("NonexistentTask", grpc_options=rig.options).load) == DAQmxErrors.TASK_NOT_IN_DATA_NEIGHBORHOOD


def test_global_channels_in_a_task(rig):
    channels = System.remote(rig.options).global_channels
    with rig.task() as task:
        task.add_global_channels([channels["VoltageTesterChannel"], channels["VoltageTesterChannel2"]])
        assert task.channel_names == ["VoltageTesterChannel", "VoltageTesterChannel2"]
        second = task.ai_channels["VoltageTesterChannel2"]
        assert second.is_global
        assert (second.ai_max, second.physical_channel.name, second.description) == (5.0, "Dev1/ai1", "Another channel")


def test_a_channel_is_saved_and_used_and_deleted(rig):
    with rig.task() as task:
        task.ai_channels.add_ai_force_bridge_table_chan(
            "bridgeTester/ai3", "cell", min_val=-90.0, max_val=90.0, units=c.ForceUnits.NEWTONS, voltage_excit_val=5.0,
            electrical_vals=[-2.0, 0.0, 2.0], physical_vals=[-100.0, 1.0, 100.0], physical_units=c.BridgePhysicalUnits.NEWTONS,
        ).save("kept cell", "me")  # fmt: skip
    stored = PersistedChannel("kept cell", grpc_options=rig.options)
    assert stored.author == "me"
    with rig.task() as task:
        task.add_global_channels([stored])
        channel = task.ai_channels["kept cell"]
        assert channel.ai_meas_type is c.UsageTypeAI.FORCE_BRIDGE
        assert channel.ai_bridge_table_physical_vals == [-100.0, 1.0, 100.0]
        assert (channel.ai_force_units, channel.ai_excit_val) == (c.ForceUnits.NEWTONS, 5.0)
        stored.delete()
        # "Deletes this global channel from MAX. This function does not remove the global channel from tasks that use it."
        assert channel.ai_excit_val == 5.0
    assert code_of(lambda: stored.author) == DAQmxErrors.INVALID_GLOBAL_CHAN


def test_what_is_saved_keeps_the_limits_that_were_asked_for(rig):
    # NI forum, "setting ai.max and ai.min": the range as specified is saved, not the one that it was coerced to.
    with rig.task() as task:
        task.ai_channels.add_ai_voltage_chan("Dev1/ai0", "v", min_val=-3.0, max_val=3.0).save()
        assert task.ai_channels[0].ai_max == 5.0
    assert float(rig.engine.stored_channels["v"].attributes["AI_MAX"]) == 3.0


def test_a_task_is_saved_and_loaded(rig):
    with rig.task("shaker") as task:
        task.ai_channels.add_ai_voltage_chan("Dev1/ai0:1", "accel", min_val=-1.0, max_val=1.0)
        task.timing.cfg_samp_clk_timing(5000.0, sample_mode=c.AcquisitionType.CONTINUOUS, samps_per_chan=777)
        task.save(author="me", allow_interactive_editing=False)
        assert code_of(task.save) == DAQmxErrors.CANT_SAVE_TASK_WITHOUT_REPLACE
        task.save(overwrite_existing_task=True, allow_interactive_editing=False)
    stored = PersistedTask("shaker", grpc_options=rig.options)
    assert not stored.allow_interactive_editing
    with stored.load() as task:
        assert task.channel_names == ["accel0", "accel1"]
        assert (task.timing.samp_clk_rate, task.timing.samp_quant_samp_per_chan) == (5000.0, 777)
        assert task.ai_channels["accel1"].ai_rng_high == 1.0
    stored.delete()
    assert "shaker" not in System.remote(rig.options).tasks.task_names


def test_scales_and_channels_are_overwritten_only_when_told(rig):
    scale = Scale.create_table_scale("own", [0.0, 1.0], [5.0, 8.0], grpc_options=rig.options)
    scale.save(author="me")
    assert code_of(scale.save) == DAQmxErrors.CUSTOM_SCALE_NAME_USED
    scale.table_scaled_vals = [5.0, 9.0]
    scale.save(overwrite_existing_scale=True)
    rig.engine.scales.clear()
    assert PersistedScale("own", grpc_options=rig.options).load().table_scaled_vals == [5.0, 9.0]
    with rig.task() as task:
        channel = task.ai_channels.add_ai_voltage_chan("Dev1/ai0", "v")
        channel.save()
        assert code_of(channel.save) == DAQmxErrors.CANT_SAVE_CHAN_WITHOUT_REPLACE
        channel.save(overwrite_existing_channel=True)


@pytest.mark.parametrize("add", [
    lambda t: t.ai_channels.add_ai_rtd_chan("Dev1/ai0", "x", rtd_type=c.RTDType.PT_3851),
    lambda t: t.ai_channels.add_ai_thrmstr_chan_vex("Dev1/ai0", "x", r_1=4000.0),
    lambda t: t.ai_channels.add_ai_strain_gage_chan("bridgeTester/ai0", "x", strain_config=c.StrainGageBridgeType.HALF_BRIDGE_II),
    lambda t: t.ao_channels.add_ao_voltage_chan("Dev1/ao1", "x", min_val=-4.0, max_val=4.0),
    lambda t: t.di_channels.add_di_chan("Dev1/port0/line3:5", "x"),
    lambda t: t.do_channels.add_do_chan("Dev1/port1", "x"),
    lambda t: t.ci_channels.add_ci_freq_chan("Dev1/ctr1", "x", meas_method=c.CounterFrequencyMethod.LARGE_RANGE_2_COUNTERS, divisor=9),
    lambda t: t.co_channels.add_co_pulse_chan_time("Dev1/ctr2", "x", low_time=0.3),
])  # fmt: skip
def test_any_channel_comes_back_as_it_was(rig, add):
    with rig.task() as task:
        add(task).save()
        before = rig.engine.tasks[task.name].channels[0]
    with rig.task() as task:
        task.add_global_channels([PersistedChannel("x", grpc_options=rig.options)])
        after = rig.engine.tasks[task.name].channels[0]
        assert after.attributes == before.attributes | {"CHAN_IS_GLOBAL": True}
        assert (after.physical, after.kind) == (before.physical, before.kind)


@pytest.mark.parametrize(("key", "text"), [
    ("AI.MeasType", "Taste"), ("AI.Max", "much"), ("AI.TermCfg", "Sideways"), ("AI.Voltage.Units", "furlongs"), ("ChanType", "Analog"),
])  # fmt: skip
def test_a_stored_channel_of_words_that_are_none(rig, key, text):
    keep(rig.engine.stored_channels, "bad", {**CHANNEL, key: text})
    keep(rig.engine.stored_tasks, "bad task", {"Channels": "bad", "SampQuant.SampPerChan": "100"})
    assert code_of(PersistedTask("bad task", grpc_options=rig.options).load) == -200077
    assert "bad task" not in rig.engine.tasks
    keep(rig.engine.stored_tasks, "bad task", {"Channels": "nobody"})
    assert code_of(PersistedTask("bad task", grpc_options=rig.options).load) == DAQmxErrors.INVALID_GLOBAL_CHAN


def test_an_accelerometer_in_the_words_of_max(make_bench):
    bench = make_bench(devices=(("Dev2", "PXIe-4466"),))
    keep(bench.engine.stored_channels, "a", {
        "AI.MeasType": "Accelerometer", "AI.Accel.Units": "m/s^2", "AI.Accel.Sensitivity": "98.2", "AI.Accel.SensitivityUnits": "mVolts/g",
        "AI.Excit.Src": "Internal", "AI.Excit.Val": "0.004", "AI.Coupling": "AC", "AI.TermCfg": "Pseudodifferential", "AI.Max": "80",
        "AI.Min": "-80", "ChanType": "Analog Input", "PhysicalChanName": "Dev2/ai1",
    })  # fmt: skip
    with bench.task() as task:
        task.add_global_channels([PersistedChannel("a", grpc_options=bench.options)])
        channel = task.ai_channels["a"]
        assert (channel.ai_accel_units, channel.ai_accel_sensitivity) == (c.AccelUnits.METERS_PER_SECOND_SQUARED, 98.2)
        assert (channel.ai_coupling, channel.ai_excit_src, channel.ai_rng_high) == (c.Coupling.AC, c.ExcitationSource.INTERNAL, 1.0)
