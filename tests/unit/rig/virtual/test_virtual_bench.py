"""The virtual bench as the process that it is."""

from __future__ import annotations

import contextlib
import json
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import grpc
import nidaqmx
import pytest
from nidaqmx.constants import LineGrouping
from nidaqmx.grpc_session_options import GrpcSessionOptions

from drivers.simulated.device_file import read
from rig import commands, config
from rig.commands.bench import virtual_bench as by_hand
from rig.config.plan import Plan
from rig.errors import ConfigError
from rig.files import output_files
from rig.streaming.heartbeat_table import HeartbeatTable
from rig.streaming.processes import ROWS, SUPERVISOR, SUPERVISOR_SILENT
from rig.virtual import virtual_bench
from tests.tiers import quick

ROOT = Path(__file__).parents[4]
EXPERIMENT = ROOT / "configs/experiments/linkage.toml"
DEVICES = ("--devices", "configs/devices/x_series.toml", "--port", "0")
PATIENCE = 30.0  # s


@contextlib.contextmanager
def process(*arguments, **options):
    """A process whose first line of output says where it listens."""
    started = subprocess.Popen(
        [sys.executable, "-m", *map(str, arguments)],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        **options,
    )
    try:
        yield started
    finally:
        if started.poll() is None:
            started.kill()
        started.communicate()


def address_of(started):
    line = started.stdout.readline()
    assert line.startswith("listening 127.0.0.1:"), (line, started.poll() is not None and started.stderr.read())
    return line.split()[1]


def log_of(text):
    return [json.loads(line) for line in text.splitlines()]


def make_plan(folder, *overrides):
    setup = config.load(EXPERIMENT, overrides)
    Plan("test", folder, folder, setup.experiment, setup.bench, setup.experiment_text, setup.bench_text).write()


def test_plain_nidaqmx_runs_against_it_and_it_ends_on_interrupt():
    with process("rig", "virtual-bench", EXPERIMENT, "--port", "0") as bench:
        address = address_of(bench)
        client = subprocess.run(
            [sys.executable, ROOT / "docs/plain_nidaqmx.py", address], capture_output=True, text=True, timeout=PATIENCE, check=True
        )
        analogue, digital = (line.partition(": ")[2] for line in client.stdout.splitlines())
        assert json.loads(analogue)[-1] == pytest.approx(0.5, abs=1e-3)  # the command came back
        assert digital == "111"
        bench.send_signal(signal.SIGINT)
        _, errors = bench.communicate(timeout=PATIENCE)
        assert bench.returncode == 0
        assert [line["text"] for line in log_of(errors) if line["source"] == "controller"] == [
            "interlock reset by the client",
            "hydraulics on, force mode",
        ]


def test_the_script_says_how_it_is_used():
    done = subprocess.run([sys.executable, ROOT / "docs/plain_nidaqmx.py"], capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 1
    assert done.stdout == ""
    (line,) = done.stderr.splitlines()
    assert line.startswith("Usage: python plain_nidaqmx.py HOST:PORT")


def test_the_script_is_short():
    code = [line for line in (ROOT / "docs/plain_nidaqmx.py").read_text().splitlines() if line and not line.startswith(('"""', "#"))]
    assert len(code) <= 15


@pytest.mark.parametrize("pace", quick(["real", "lockstep"], ["lockstep"]))
def test_outlives_its_parent_until_the_controller_has_interlocked(tmp_path, pace):
    make_plan(tmp_path, f"bench.pace={pace}")
    with process("rig.virtual.virtual_bench", "--plan", tmp_path, "--with-parent") as bench:
        options = GrpcSessionOptions(grpc.insecure_channel(address_of(bench)), "")
        with nidaqmx.Task(grpc_options=options) as lines:
            lines.do_channels.add_do_chan("Dev1/port0/line0:4", line_grouping=LineGrouping.CHAN_FOR_ALL_LINES)
            for state in (0b00001, 0b00101, 0b11101):  # pressure; interlock; program with one edge of the heartbeat
                lines.write(state)
        bench.stdin.close()
        bench.stdin = None
        _, errors = bench.communicate(timeout=PATIENCE)
    assert bench.returncode == 0
    log = log_of(errors)
    (lost,) = [line for line in log if "heartbeat lost" in line["text"]]
    (begun,) = [line for line in log if "program runs" in line["text"]]
    assert lost["source"] == "controller"
    assert 0.249 < lost["bench"] - begun["bench"] < 0.250 + 0.050
    assert log[-1]["text"] == "ended"


def test_ends_at_once_when_nothing_runs(tmp_path):
    make_plan(tmp_path)
    with process("rig.virtual.virtual_bench", "--plan", tmp_path, "--with-parent") as bench:
        address_of(bench)
        begun = time.monotonic()
        bench.communicate(timeout=PATIENCE)  # closes its input
        assert bench.returncode == 0
        assert time.monotonic() - begun < 5.0


def test_a_signal_that_comes_while_the_end_is_waited_for_ends_it(monkeypatch):
    """Wherever in that: here the thread has the lock of what it waits for."""
    monkeypatch.setattr(virtual_bench, "LAST_RESORT", 1e6)
    ended = threading.Event()

    def signalled():
        with ended._cond:
            virtual_bench._end(ended)

    thread = threading.Thread(target=signalled, daemon=True)
    thread.start()
    assert ended.wait(PATIENCE)
    thread.join(PATIENCE)
    assert not thread.is_alive()


@pytest.mark.long
def test_a_port_in_use_is_one_clear_message():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = subprocess.run(
            [sys.executable, "-m", "rig", "virtual-bench", str(EXPERIMENT), "--port", str(port)],
            cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE, check=False,
        )  # fmt: skip
    assert done.returncode == 2
    assert f"port {port}" in done.stderr and "Traceback" not in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


def test_devices_without_a_plant(tmp_path):
    file = tmp_path / "devices.toml"
    file.write_text(
        '[[devices]]\nname = "PXI1Slot2"\nproduct = "PXIe-4466"\n[[devices]]\nname = "Dev7"\nproduct = "PCIe-6363"\n'
        '[[wiring]]\nterminal = "Dev7/ai3"\nsignal = "Dev7/ao1"\n'
    )
    with process("rig", "virtual-bench", "--devices", file) as bench:
        options = GrpcSessionOptions(grpc.insecure_channel(address_of(bench)), "")
        with nidaqmx.Task(grpc_options=options) as output, nidaqmx.Task(grpc_options=options) as inputs:
            output.ao_channels.add_ao_voltage_chan("Dev7/ao1")
            inputs.ai_channels.add_ai_voltage_chan("Dev7/ai3")
            output.write(1.25)
            assert inputs.read() == pytest.approx(1.25, abs=1e-3)
        bench.send_signal(signal.SIGTERM)
        assert bench.wait(PATIENCE) == 0


@pytest.mark.parametrize("file", quick(sorted((ROOT / "configs" / "devices").iterdir()), 1), ids=lambda file: file.name)
def test_the_files_of_devices_are_served(file):
    with process("rig", "virtual-bench", "--devices", file) as bench:
        options = GrpcSessionOptions(grpc.insecure_channel(address_of(bench)), "")
        with nidaqmx.Task(grpc_options=options) as inputs:
            inputs.ai_channels.add_ai_voltage_chan("Dev1/ai0")
            inputs.timing.cfg_samp_clk_timing(10e3, samps_per_chan=2000)
            assert len(inputs.read(2000)) == 2000
        bench.send_signal(signal.SIGTERM)
        assert bench.wait(PATIENCE) == 0


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "nothing to simulate"),
        (["--port", "99999", str(EXPERIMENT)], "--port 99999: expected 0 to 65535"),
        (["--devices", "no-such.toml"], "no-such.toml"),
        (["--set", "bench.seed=3"], "give one"),
        (["--devices", "pyproject.toml"], "pyproject.toml: devices: missing; expected a list of tables ([[devices]])"),
        ([str(EXPERIMENT), "--set", "bench.devices.0.product=PCIe-0000"], "PCIe-0000"),
        ([str(EXPERIMENT), "--set", "bench.wiring.0.signal=nothing"], "nothing"),
        ([*DEVICES, "--log", "/dev/full"], "--log /dev/full: is no file but a device, a pipe or the like"),
        ([*DEVICES, "--log", "/dev/zero"], "--log /dev/zero: is no file but a device, a pipe or the like"),
        ([*DEVICES, "--log", "configs"], "--log configs: is a folder"),
        ([*DEVICES, "--log", "no/such.log"], "--log no/such.log: there is no folder no"),
    ],
)
def test_bad_input_is_one_message(monkeypatch, capsys, arguments, words):
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("COLUMNS", "200")
    assert commands.main(["virtual-bench", *arguments]) == 2
    told = capsys.readouterr().err
    assert words in told and "Traceback" not in told


def test_a_plant_that_cannot_be_built_is_one_message_with_its_key():
    """A crank of half a gram, on pins as stiff as a steel one's."""
    overrides = ["bench.plant.mechanism.bodies.crank.mass=0.5 g", "bench.plant.mechanism.bodies.crank.inertia=3e-7 kg*m^2"]
    bench = config.load(ROOT / "configs/experiments/six_bar_rig.toml", overrides).bench
    with pytest.raises(ConfigError, match=r"plant\.step: 2 us is too long for these joints; expected at most 0\.\d+ us"):
        virtual_bench.Hardware.from_bench(bench).create_plant()


@pytest.mark.parametrize(
    ("words", "real_time"),
    [
        ([str(ROOT / "configs/experiments/four_bar_rig.toml")], [2]),
        ([str(ROOT / "configs/experiments/four_bar_rig.toml"), "--set", "bench.pace=lockstep"], []),
        (["--devices", str(ROOT / "configs/devices/lab.toml")], []),
    ],
)
def test_by_hand_a_plant_in_real_time_has_the_priority_that_a_run_gives_it(
    monkeypatch: pytest.MonkeyPatch, words: list[str], real_time: list[int]
) -> None:
    """The bench worker of a run has one, too, and would come before it on a busy computer."""
    given: list[int] = []
    monkeypatch.setattr("rig.commands.bench.virtual_bench.hurry", lambda pid, priority: given.append(priority))
    monkeypatch.setattr("rig.commands.bench.virtual_bench.host", lambda hardware, port, log, announce: announce("listening"))
    assert commands.main(["virtual-bench", *words]) == 0
    assert given == real_time


@pytest.mark.parametrize("bench", ["never began", "has ended", "hangs as well"])
def test_a_supervisor_that_hangs_is_gone_once_its_bench_worker_is(tmp_path, monkeypatch, bench):
    """It has been stopped, so its end of the pipe stays open; whoever moves something is left the hardware that it moves."""
    monkeypatch.setattr(virtual_bench, "LOOK_EVERY", 0.001)
    board = HeartbeatTable.create(tmp_path / "board", ROWS)
    board.beat(SUPERVISOR)
    if bench != "never began":
        board.beat("bench")
    gone = threading.Event()
    following = threading.Thread(target=virtual_bench._follow_board, args=(tmp_path / "board", gone))
    following.start()
    assert not gone.wait(0.05), "both live"
    board._rows["alive"][board._names[SUPERVISOR]] -= SUPERVISOR_SILENT
    if bench != "never began":
        assert not gone.wait(0.05), "the worker brings it to rest"
    if bench == "has ended":
        board.gone("bench")
    elif bench == "hangs as well":
        board._rows["alive"][board._names["bench"]] -= SUPERVISOR_SILENT
    assert gone.wait(20.0)
    following.join()


def test_hardware_of_no_run_has_no_board(tmp_path):
    make_plan(tmp_path)
    assert virtual_bench._board(tmp_path) is None
    HeartbeatTable.create(tmp_path / "board", ROWS)
    assert virtual_bench._board(tmp_path) == tmp_path / "board"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only where a full disk can be had for nothing")
def test_a_disk_that_is_full_of_its_log_ends_no_bench(monkeypatch, capsys):
    """Told once; not while the file is closed either, where what is left in its buffer is written once more."""
    monkeypatch.setattr(output_files, "file", lambda flag, path: path)
    ended = threading.Event()
    ended.set()
    with by_hand._open(Path("/dev/full")) as log:
        bench = virtual_bench.VirtualBench(virtual_bench.Hardware(read(ROOT / "configs/devices/x_series.toml")), 0, log)
        bench.run(ended, threading.Event())  # says that it listens, and that it has ended
    assert capsys.readouterr().err == "virtual bench: its log cannot be written: No space left on device; it goes on without\n"
