"""Programs read what is played to their inputs. Expected values come from the signals themselves, and from what NI documents of inputs."""

from __future__ import annotations

import nidaqmx
import numpy as np
import pytest
from nidaqmx.constants import AcquisitionType, BridgeElectricalUnits, BridgePhysicalUnits, BridgeUnits, Edge, ForceUnits

from drivers.simulated import serve_devices
from drivers.simulated.device_file import BadDeviceFile, read

CARD = {"Dev1": "PCIe-6363"}
LSB = 20.0 / 2**16
TONE = 5.0


def tone(times):
    return 3.0 * np.sin(2.0 * np.pi * TONE * times)


def acquire(bench, channels, rate=1000.0, samples=500, configure=lambda task: None):
    with nidaqmx.Task(grpc_options=bench.grpc_options) as task:
        task.ai_channels.add_ai_voltage_chan(channels)
        task.timing.cfg_samp_clk_timing(rate, samps_per_chan=samples)
        configure(task)
        return np.array(task.read(samples))


def test_a_function_of_device_time_is_read():
    with serve_devices(CARD, {"Dev1/ai1": "Dev1/ao0"}, pace="lockstep", signals={"Dev1/ai0": tone}) as bench:
        first = acquire(bench, "Dev1/ai0:2")
        np.testing.assert_allclose(first[0], tone(np.arange(500) / 1000.0), atol=LSB)
        assert not first[1].any() and np.ptp(first[2]) > 9.0  # a wire and a loose input beside it are what they were
        bench.advance(0.0305)
        begun = bench.engine.time
        again = acquire(bench, "Dev1/ai0")
        np.testing.assert_allclose(again, tone(begun + np.arange(500) / 1000.0), atol=LSB)
        assert np.abs(again - first[0]).max() > 1.0


def test_on_demand_it_is_read_as_it_is_now():
    with (
        serve_devices(CARD, pace="lockstep", signals={"Dev1/ai0": lambda t: 10.0 * t}) as bench,
        nidaqmx.Task(grpc_options=bench.grpc_options) as task,
    ):
        task.ai_channels.add_ai_voltage_chan("Dev1/ai0")
        assert task.read() == pytest.approx(0.0, abs=LSB)
        bench.advance(0.5)
        assert task.read() == pytest.approx(5.0, abs=LSB)


def devices(folder, signal, product="PCIe-6363", terminal="Dev1/ai0"):
    file = folder / "devices.toml"
    file.write_text(f"""
pace = "lockstep"
[[devices]]
name = "Dev1"
product = "{product}"
[[wiring]]
terminal = "{terminal}"
signal = {signal}
""")
    return file


def test_yesterday_comes_back_sample_by_sample(tmp_path):
    yesterday = np.round(np.random.default_rng(3).uniform(-4.9, 4.9, 400) / LSB) * LSB
    np.savetxt(tmp_path / "yesterday.csv", yesterday, header="force", comments="", fmt="%.17g")
    with serve_devices(devices(tmp_path, '{file = "yesterday.csv", column = "force", rate = 1000}')) as bench:
        read_back = acquire(bench, "Dev1/ai0", samples=450)
    np.testing.assert_allclose(read_back[:400], yesterday, atol=1e-9)
    np.testing.assert_allclose(read_back[400:], yesterday[-1], atol=1e-9)  # it holds its last sample


def test_a_run_may_begin_with_the_file_whatever_device_time_is(tmp_path):
    (tmp_path / "f.csv").write_text("v\n1\n2\n3\n4\n")
    for begin, expected in (("task", [1.0, 1.0, 1.0, 2.0, 3.0, 4.0]), ("device", [4.0] * 6)):
        signal = f'{{file = "f.csv", column = "v", rate = 1000, begin = "{begin}", delay = 0.002}}'
        with serve_devices(devices(tmp_path, signal)) as bench:
            bench.advance(0.5)
            for _ in range(2):
                np.testing.assert_allclose(acquire(bench, "Dev1/ai0", samples=6), expected, atol=LSB)


@pytest.mark.parametrize("excitation", [2.5, 5.0, 10.0])
def test_a_load_cell_reads_what_the_file_says_under_any_excitation(tmp_path, excitation):
    # A cell of 50 kN and 2 mV/V: 40 uV/V for each kN ("Force Bridge Two-Point-Linear": the physical value of an electrical ratio).
    (tmp_path / "f.csv").write_text("kN\n0\n12.5\n-30\n")
    signal = '{file = "f.csv", column = "kN", rate = 1000, sensitivity = "40 uV/V"}'
    with serve_devices(devices(tmp_path, signal, "PXIe-4331")) as bench, nidaqmx.Task(grpc_options=bench.grpc_options) as task:
        task.ai_channels.add_ai_force_bridge_two_point_lin_chan(
            "Dev1/ai0", min_val=-50e3, max_val=50e3, units=ForceUnits.NEWTONS, voltage_excit_val=excitation,
            first_electrical_val=0.0, second_electrical_val=2.0, electrical_units=BridgeElectricalUnits.MILLIVOLTS_PER_VOLT,
            first_physical_val=0.0, second_physical_val=50e3, physical_units=BridgePhysicalUnits.NEWTONS,
        )  # fmt: skip
        task.timing.cfg_samp_clk_timing(1000.0, samps_per_chan=3)
        np.testing.assert_allclose(task.read(3), [0.0, 12.5e3, -30e3], atol=5.0)
    with serve_devices(devices(tmp_path, signal, "PXIe-4331")) as bench, nidaqmx.Task(grpc_options=bench.grpc_options) as task:
        task.ai_channels.add_ai_bridge_chan("Dev1/ai0", min_val=-2e-3, max_val=2e-3, units=BridgeUnits.VOLTS_PER_VOLT)
        task.timing.cfg_samp_clk_timing(1000.0, samps_per_chan=3)
        np.testing.assert_allclose(task.read(3), [0.0, 0.5e-3, -1.2e-3], atol=1e-6)


def test_a_signal_that_ends_may_end_the_bench(tmp_path):
    (tmp_path / "f.csv").write_text("v\n1\n2\n")
    file = devices(tmp_path, '{file = "f.csv", column = "v", rate = 1000, end = "stop"}')
    with pytest.raises(RuntimeError, match=r"Dev1/ai0 .*f\.csv\): ends at 0\.001 s"), serve_devices(file) as bench:
        assert acquire(bench, "Dev1/ai0", samples=2).tolist() == pytest.approx([1.0, 2.0], abs=LSB)
        bench.advance(0.1)
        with pytest.raises(nidaqmx.errors.RpcError, match=r"ends at 0\.001 s"):
            acquire(bench, "Dev1/ai0", samples=2)


def test_an_error_of_a_function_is_told_at_once_and_at_the_end():
    def broken(times):
        return {}["no such key"]

    with (
        pytest.raises(RuntimeError, match=r"(?s)signal of Dev1/ai0: failed.*KeyError: 'no such key'"),
        serve_devices(CARD, pace="lockstep", signals={"Dev1/ai0": broken}) as bench,
    ):
        for _ in range(2):  # who calls again does not wait for his time-out
            with pytest.raises(nidaqmx.errors.RpcError, match=r"(?s)test_played_to_devices.py.*in broken.*KeyError: 'no such key'"):
                acquire(bench, "Dev1/ai0")


def test_counters_and_lines_see_edges_at_their_times():
    # 250 pulses/s, low for 3 ms and high for 1 ms, from 10.4 ms on.
    rises = 0.0104 + np.arange(1000) * 0.004
    edges = np.sort(np.concatenate((rises, rises + 0.001)))
    with serve_devices(CARD, pace="lockstep", signals={"Dev1/PFI8": edges, "Dev1/port0/line0": [0.0205, 0.0305]}) as bench:
        options = bench.grpc_options
        with nidaqmx.Task(grpc_options=options) as counts, nidaqmx.Task(grpc_options=options) as lines:
            counts.ci_channels.add_ci_count_edges_chan("Dev1/ctr0").ci_count_edges_term = "/Dev1/PFI8"
            counts.timing.cfg_samp_clk_timing(1000.0, source="/Dev1/di/SampleClock", samps_per_chan=50)
            lines.di_channels.add_di_chan("Dev1/port0/line0")
            lines.timing.cfg_samp_clk_timing(1000.0, samps_per_chan=50)
            counts.start()
            lines.start()
            states, counted = np.array(lines.read(50)), np.array(counts.read(50))
        at = np.arange(50) / 1000.0
        assert states.tolist() == ((at > 0.0205) & (at < 0.0305)).tolist()
        assert counted.tolist() == np.searchsorted(rises, at).tolist() and counted[-1] == 10
        with nidaqmx.Task(grpc_options=options) as frequency:
            frequency.ci_channels.add_ci_freq_chan("Dev1/ctr1", min_val=10.0, max_val=1000.0).ci_freq_term = "/Dev1/PFI8"
            assert frequency.read() == pytest.approx(250.0, rel=1e-6)
        with nidaqmx.Task(grpc_options=options) as width:
            width.ci_channels.add_ci_pulse_width_chan("Dev1/ctr2", min_val=1e-5, max_val=0.1).ci_pulse_width_term = "/Dev1/PFI8"
            assert width.read() == pytest.approx(1e-3, abs=1e-7)


def test_an_edge_that_is_played_starts_an_acquisition():
    signals = {"Dev1/ai0": lambda t: 10.0 * t, "Dev1/PFI0": [0.25, 0.3]}
    for edge, begun in ((Edge.RISING, 0.25), (Edge.FALLING, 0.3)):
        with serve_devices(CARD, pace="lockstep", signals=signals) as bench:

            def triggered(task, edge=edge):
                task.triggers.start_trigger.cfg_dig_edge_start_trig("/Dev1/PFI0", edge)

            read_back = acquire(bench, "Dev1/ai0", samples=10, configure=triggered)
        np.testing.assert_allclose(read_back, 10.0 * (begun + np.arange(10) / 1000.0), atol=2 * LSB)


def test_lines_on_demand_and_changes_of_lines_are_played():
    with (
        serve_devices(CARD, pace="lockstep", signals={"Dev1/port0/line0": [0.25, 0.5]}) as bench,
        nidaqmx.Task(grpc_options=bench.grpc_options) as line,
    ):
        line.di_channels.add_di_chan("Dev1/port0/line0")
        seen = []
        for _ in range(3):
            seen.append(line.read())
            bench.advance(0.3)
        assert seen == [False, True, False]
    with (
        serve_devices(CARD, pace="lockstep", signals={"Dev1/port0/line0": [0.25, 0.5]}) as bench,
        nidaqmx.Task(grpc_options=bench.grpc_options) as changes,
    ):
        changes.di_channels.add_di_chan("Dev1/port0/line0")
        changes.timing.cfg_change_detection_timing("Dev1/port0/line0", "Dev1/port0/line0", AcquisitionType.FINITE, 2)
        assert changes.read(2) == [True, False]
        assert bench.engine.time == pytest.approx(0.5, abs=1e-6)


def test_an_encoder_is_played_as_two_files_of_edges(tmp_path):
    # 24 pulses a turn, A before B: with X4 each edge of either is 360 / 96 degrees (X Series User Manual, "Quadrature Encoders").
    a = 0.1 + np.arange(24) * 0.01
    for name, rises in (("a", a), ("b", a + 0.0025)):
        np.savetxt(tmp_path / f"{name}.csv", np.sort(np.concatenate((rises, rises + 0.005))), header="at", comments="")
    signals = {f"Dev1/{pin}": {"file": str(tmp_path / f"{name}.csv"), "edges": "at"} for pin, name in (("PFI8", "a"), ("PFI10", "b"))}
    with serve_devices(CARD, pace="lockstep", signals=signals) as bench, nidaqmx.Task(grpc_options=bench.grpc_options) as encoder:
        channel = encoder.ci_channels.add_ci_ang_encoder_chan("Dev1/ctr0", pulses_per_rev=24, initial_angle=10.0)
        channel.ci_encoder_a_input_term, channel.ci_encoder_b_input_term = "/Dev1/PFI8", "/Dev1/PFI10"
        encoder.start()
        assert encoder.read() == pytest.approx(10.0)
        bench.advance(0.1 + 6 * 0.01 + 0.0001)
        assert encoder.read() == pytest.approx(10.0 + 25 * 3.75)
        bench.advance(1.0)
        assert encoder.read() == pytest.approx(370.0)


def test_states_and_edges_of_a_file(tmp_path):
    (tmp_path / "f.csv").write_text("t,state\n0,0\n0.0105,1\n0.0205,0\n")
    for signal in (
        '{file = "f.csv", column = "state", time = "t"}',
        '{file = "edges.csv", edges = "at"}',
        '{file = "earlier.csv", edges = "at", delay = 0.01}',
    ):
        (tmp_path / "edges.csv").write_text("at\n0.0105\n0.0205\n")
        (tmp_path / "earlier.csv").write_text("at\n0.0005\n0.0105\n")
        with (
            serve_devices(devices(tmp_path, signal, terminal="Dev1/port0/line3")) as bench,
            nidaqmx.Task(grpc_options=bench.grpc_options) as lines,
        ):
            lines.di_channels.add_di_chan("Dev1/port0/line3")
            lines.timing.cfg_samp_clk_timing(1000.0, sample_mode=AcquisitionType.FINITE, samps_per_chan=30)
            assert np.flatnonzero(lines.read(30)).tolist() == list(range(11, 21))


def test_what_is_wrong_with_signals_is_told_before_anything_is_served(tmp_path):
    for signals, words in (
        ({"Dev1/ao0": tone}, "signals: Dev1/ao0 is no analogue input"),
        ({"Dev1/ai0": [0.1]}, "signals: Dev1/ai0 is no digital terminal"),
        ({"Dev1/PFI0": [0.2, 0.1]}, "signals: .*Dev1/PFI0: expected times of edges"),
        ({"Dev1/ai0": {"file": "none.csv", "column": "a"}}, "signals: none.csv: no such file"),
    ):
        with pytest.raises(BadDeviceFile, match=words):
            serve_devices(CARD, signals=signals)
    with pytest.raises(BadDeviceFile, match="wiring: Dev1/ai0: file: expected the name of a file"):
        read(devices(tmp_path, "{column = 'a'}"))
    with pytest.raises(BadDeviceFile, match=r"wiring\[0\]\.signal: expected a text, or a table|signal: expected a text, or a table"):
        read(devices(tmp_path, "3"))


def test_a_signal_takes_the_place_of_a_wire():
    with serve_devices(CARD, {"Dev1/ai1": "Dev1/ao0"}, pace="lockstep", signals={"Dev1/AI0": lambda t: 1.0}) as bench:
        assert acquire(bench, "Dev1/ai0", samples=2)[0] == pytest.approx(1.0, abs=LSB)
    with pytest.raises(BadDeviceFile, match="signals: Dev1/ai0 has a wire as well"):
        serve_devices(CARD, {"Dev1/ai0": "Dev1/ao0"}, signals={"Dev1/ai0": tone})
