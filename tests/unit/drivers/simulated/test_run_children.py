"""What a program starts that `drivers.simulated.run` has started: it has the same devices, as on a machine with a driver.

Programs of that kind: GraysonBellamy/nidaqlib (console scripts), everything that measures in processes of `multiprocessing`.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[4]
CARD = ROOT / "configs" / "devices" / "x_series.toml"
PROCESSES = """
import multiprocessing as mp
import os
import sys
from concurrent.futures import ProcessPoolExecutor

import nidaqmx


def measure(n):
    with nidaqmx.Task("same") as task:  # names of tasks are those of a process
        task.ai_channels.add_ai_voltage_chan(f"Dev1/ai{n}")
        return type(task.read()).__name__


def send(queue):
    try:
        queue.put(measure(0))
    except Exception as error:
        queue.put(repr(error))


if __name__ == "__main__":
    with nidaqmx.Task("same"):
        for method in ("spawn", "forkserver", "fork"):
            context = mp.get_context(method)
            queue = context.Queue()
            child = context.Process(target=send, args=(queue,))
            child.start()
            print(method, queue.get(timeout=30))
            child.join(10)
        with ProcessPoolExecutor(1) as pool:
            print("pool", pool.submit(measure, 1).result(30))
    print("parent", measure(0))
"""
NAMES = "from nidaqmx.system import System; print([d.name for d in System.local().devices])"
PROGRAMS = """
import os
import subprocess
import sys

import drivers.own  # a package of the program's own
print(drivers.own.__name__, os.path.basename(sys.path[0]), __name__)
for command in ([sys.executable, "-c", {names!r}], [{script!r}, "--list"]):
    done = subprocess.run(command, capture_output=True, text=True, timeout=30)
    print(done.stdout.strip(), done.stderr.strip())
done = subprocess.run([sys.executable, "-I", "-c", {names!r}], capture_output=True, text=True, timeout=30)
print("DaqNotFoundError" in done.stderr)
"""
CHANNELS = """
import nidaqmx
from nidaqmx.constants import LineGrouping
with nidaqmx.Task() as task:
    for name in ("", "myChan09", "EV01:02", "one, two, three"):
        channel = task.ai_channels.add_ai_voltage_chan("Dev1/ai0:3", name)
        print(channel.name, "-", channel.chan_type.name)
    print(task.ai_channels.add_ai_voltage_chan("Dev1/AI05").name)
with nidaqmx.Task() as task:
    print(task.di_channels.add_di_chan("/Dev1/PFI0", line_grouping=LineGrouping.CHAN_FOR_ALL_LINES).di_num_lines)
    print(task.di_channels.add_di_chan("Dev1/port0/line0:7", " myChan 0 ", LineGrouping.CHAN_PER_LINE).name)
"""
TWICE = """
import nidaqmx
one = nidaqmx.Task("one")
try:
    nidaqmx.Task("one")
except nidaqmx.DaqError as error:
    print(error.error_code, str(error).splitlines())
one.close()
nidaqmx.Task("one").close()
"""
MACHINE = """
import sys, nidaqmx
print(sys.of_the_machine)
nidaqmx.Task().close()
"""


def run(program: Path, **more: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-W", "ignore", "-m", "drivers.simulated.run", "--devices", str(CARD), str(program)]
    return subprocess.run(
        command, capture_output=True, text=True, timeout=120.0, check=False, cwd=ROOT,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), *more.values()])},
    )  # fmt: skip


def written(place: Path, text: str, name: str = "program.py") -> Path:
    file = place / name
    file.parent.mkdir(exist_ok=True)
    file.write_text(text)
    return file


def test_processes_of_multiprocessing(tmp_path: Path) -> None:
    done = run(written(tmp_path, PROCESSES))
    assert done.stdout.splitlines() == ["spawn float", "forkserver float", "fork float", "pool float", "parent float"], done.stderr


def test_other_programs_and_a_program_with_a_package_drivers(tmp_path: Path) -> None:
    script = written(tmp_path, f"#!{sys.executable}\n{NAMES}\n", "measure")
    script.chmod(0o755)
    written(tmp_path, "", "drivers/__init__.py")
    written(tmp_path, "", "drivers/own.py")
    done = run(written(tmp_path, PROGRAMS.format(names=NAMES, script=str(script))))
    assert done.stdout.splitlines() == [f"drivers.own {tmp_path.name} __main__", "['Dev1'] ", "['Dev1'] ", "True"], done.stderr


@pytest.fixture(scope="module")
def printed(tmp_path_factory: pytest.TempPathFactory) -> list[list[str]]:
    """Lines of CHANNELS, of TWICE and of MACHINE, from one program."""
    folder = tmp_path_factory.mktemp("lab")
    written(folder, "import sys\nsys.of_the_machine = True\n", "site/sitecustomize.py")
    done = run(written(folder, "print('--')\n".join((CHANNELS, TWICE, MACHINE))), site=str(folder / "site"))
    parts = [part.splitlines() for part in done.stdout.split("--\n")]
    assert len(parts) == 3, done.stderr
    return parts


def test_channels_have_the_names_that_the_driver_gives(printed: list[list[str]]) -> None:
    """ni/nidaqmx-python, issue 579, and tests/component/task/channels/test_di_channel.py, as they are for the local driver."""
    assert printed[0] == [
        "Dev1/ai0:3 - ANALOG_INPUT", "myChan09:12 - ANALOG_INPUT", "EV01:04 - ANALOG_INPUT",
        "one, two, three0:1 - ANALOG_INPUT", "Dev1/ai5", "1", "myChan0:7",
    ]  # fmt: skip


def test_one_name_for_two_tasks(printed: list[list[str]]) -> None:
    """ni/nidaqmx-python, issue 100: the driver's -200089, for a program that knows of no server."""
    words = ["Task name specified conflicts with an existing task name.", "", "Task Name: one", "", "Status Code: -200089"]
    assert printed[1] == [f"-200089 {words}"]


def test_a_sitecustomize_of_the_machine_is_run_as_well(printed: list[list[str]]) -> None:
    assert printed[2] == ["True"]


def test_a_signal_reaches_the_program(tmp_path: Path) -> None:
    program = written(tmp_path, "import nidaqmx, sys, time\nprint('up', flush=True)\ntime.sleep(60)\n")
    command = [sys.executable, "-m", "drivers.simulated.run", "--devices", str(CARD), str(program)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT) as runner:
        assert runner.stdout is not None and runner.stdout.readline() == "up\n"
        runner.send_signal(signal.SIGTERM)
        assert runner.wait(30.0) == 128 + signal.SIGTERM
