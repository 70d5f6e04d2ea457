"""The plugin for pytest, in tests of somebody else's that it is given (`pytester`)."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import nidaqmx
import pytest

pytest_plugins = ["pytester"]

PLUGIN = "drivers.simulated.pytest_plugin"
SOURCE = Path(__file__).parents[4] / "drivers" / "simulated" / "pytest_plugin.py"
CONFTEST = f'pytest_plugins = ["{PLUGIN}"]\n'
MEASURE = """
import nidaqmx
from nidaqmx.system import System

def measure(channel="Dev1/ai0", count=100):
    with nidaqmx.Task() as task:
        task.ai_channels.add_ai_voltage_chan(channel)
        task.timing.cfg_samp_clk_timing(1000.0, samps_per_chan=count)
        return task.read(count)

def names():
    return [(device.name, device.product_type) for device in System.local().devices]
"""
FILE = '[[devices]]\nname = "Card"\nproduct = "USB-6423"\n'


@pytest.fixture
def lab(pytester: pytest.Pytester) -> pytest.Pytester:
    """A laboratory's folder: its code knows of no server."""
    pytester.makepyfile(lab=MEASURE)
    pytester.makeconftest(CONFTEST)
    return pytester


def outcomes(lab: pytest.Pytester, text: str, *arguments: str) -> dict[str, int]:
    """How the tests of a module end."""
    module = f"test_lab_{len([*lab.path.glob('test_lab_*.py')])}"  # one of the same name and size would be taken from its bytecode
    lab.makepyfile(**{module: "import nidaqmx\nimport pytest\nfrom lab import measure, names\n" + text})
    return lab.runpytest_inprocess("-p", "no:cacheprovider", *arguments, f"{module}.py").parseoutcomes()


def test_code_that_knows_of_no_server_is_tested_as_it_is(lab: pytest.Pytester) -> None:
    before = nidaqmx.Task.__init__, nidaqmx.system.System.local
    assert outcomes(
        lab,
        """
def test_it_measures(daqmx_local):
    assert names() == [("Dev1", "PCIe-6363")]
    assert len(measure()) == 100

def test_without_the_fixture_there_is_no_driver():
    with pytest.raises((nidaqmx.errors.DaqError, nidaqmx.errors.DaqNotFoundError)):
        measure()
""",
    ) == {"passed": 2}
    assert (nidaqmx.Task.__init__, nidaqmx.system.System.local) == before


def test_each_test_has_devices_of_its_own(lab: pytest.Pytester) -> None:
    assert outcomes(
        lab,
        """
@pytest.mark.parametrize("volts", [1.0, 2.0])
@pytest.mark.daqmx(wiring={"Dev1/ai0": "Dev1/ao0"})
def test_the_output_comes_back(daqmx_bench, volts):
    options = daqmx_bench.grpc_options
    with nidaqmx.Task(grpc_options=options) as output, nidaqmx.Task("same", grpc_options=options) as inputs:
        output.ao_channels.add_ao_voltage_chan("Dev1/ao0")
        inputs.ai_channels.add_ai_voltage_chan("Dev1/ai0")
        assert inputs.read() == pytest.approx(0.0, abs=1e-3), "nothing is left of the test before"
        output.write(volts)
        assert inputs.read() == pytest.approx(volts, abs=1e-3)
        assert daqmx_bench.engine.time == 0.0
""",
    ) == {"passed": 2}


def test_faults_are_injected(lab: pytest.Pytester) -> None:
    assert outcomes(
        lab,
        """
@pytest.mark.parametrize(("fault", "code"), [("overrun", -200279), ("timeout", -200284), ("device_gone", -88709)])
def test_it_fails(daqmx_local, fault, code):
    with pytest.raises(nidaqmx.errors.DaqError) as raised, getattr(daqmx_local.faults, fault)("Dev1", after=0.05):
        measure()
    assert raised.value.error_code == code
    assert len(measure()) == 100

def test_a_sensor_is_open(daqmx_local):
    with daqmx_local.faults.open_sensor("Dev1/ai0"):
        assert min(measure()) > 4.99
    assert min(measure()) < 0.0
""",
    ) == {"passed": 4}


def test_where_the_devices_come_from(lab: pytest.Pytester) -> None:
    file = lab.makefile(".toml", card=FILE)
    lab.mkdir("here").joinpath("card.toml").write_text(FILE.replace("Card", "Ours"))
    lab.makefile(".ini", pytest="[pytest]\ndaqmx_devices = here/card.toml\n")
    named = "def test_names(daqmx_local):\n    assert names() == [({!r}, {!r})]\n"
    assert outcomes(lab, named.format("Ours", "USB-6423")) == {"passed": 1}
    assert outcomes(lab, named.format("Card", "USB-6423"), "--daqmx-devices", file.name) == {"passed": 1}, "the option before the ini file"
    override = "@pytest.fixture\ndef daqmx_devices():\n    return {'PXI1Slot4': 'PXIe-4480'}\n"
    assert outcomes(lab, override + named.format("PXI1Slot4", "PXIe-4480"), "--daqmx-devices", file.name) == {"passed": 1}
    marked = "pytestmark = pytest.mark.daqmx(devices={'M': 'PCIe-6361'})\n" + override + named.format("M", "PCIe-6361")
    assert outcomes(lab, marked) == {"passed": 1}
    both = marked.replace("def test_names", "@pytest.mark.daqmx(devices='card.toml')\ndef test_names").replace(
        "('M', 'PCIe-6361')", "('Card', 'USB-6423')"
    )
    assert outcomes(lab, both) == {"passed": 1}, "the marker of the test before that of its module"


@pytest.mark.parametrize(
    ("marker", "words"),
    [
        ("device={'Dev1': 'PCIe-6363'}", "*expected devices=, wiring=, pace=, unconnected=, signals=; got device=*"),
        ("'card.toml'", "*got 'card.toml' without a key*"),
        ("devices={'Dev1': 'PCIe-6364'}", "*daqmx_bench: devices: no product PCIe-6364*"),
        ("wiring={'Dev1/ai99': 'Dev1/ao0'}", "*Dev1/ai99: no such terminal*"),
        ("pace='slow'", "*pace: expected one of real, lockstep, got 'slow'*"),
    ],
)
def test_what_cannot_be_is_one_message(lab: pytest.Pytester, marker: str, words: str) -> None:
    lab.makepyfile(test_lab=f"import pytest\n@pytest.mark.daqmx({marker})\ndef test(daqmx_bench): ...")
    result = lab.runpytest_inprocess("-p", "no:cacheprovider")
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines([words])
    result.stdout.no_fnmatch_line("*Traceback*")
    result.stdout.no_fnmatch_line("*another exception*")


def test_a_process_that_a_test_starts_has_the_devices(lab: pytest.Pytester) -> None:
    assert outcomes(
        lab,
        """
import subprocess, sys
def test_a_program(daqmx_bench):
    command = [sys.executable, "-c", "import lab; print(lab.names())"]
    done = subprocess.run(command, env=daqmx_bench.environment(), capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[('Dev1', 'PCIe-6363')]"
""",
    ) == {"passed": 1}


def test_the_fixtures_and_the_marker_are_told(lab: pytest.Pytester) -> None:
    result = lab.runpytest_inprocess("--fixtures")
    result.stdout.fnmatch_lines_random(["daqmx_bench*", "daqmx_local*", "daqmx_devices*"])
    lab.runpytest_inprocess("--markers").stdout.fnmatch_lines(["@pytest.mark.daqmx(devices=*"])
    lab.runpytest_inprocess("--help").stdout.fnmatch_lines(["*--daqmx-devices=FILE*"])


@pytest.mark.long
def test_workers_of_xdist_do_not_meet(lab: pytest.Pytester) -> None:
    tests = "@pytest.mark.parametrize('n', range(8))\ndef test(daqmx_local, n):\n    measure()\n"
    lab.makepyfile(test_lab="import pytest\nfrom lab import measure\n" + tests)
    lab.runpytest_subprocess("-p", "no:cacheprovider", "-n", "2").assert_outcomes(passed=8)


def test_nothing_heavy_is_loaded_before_a_bench_is_asked_for(tmp_path: Path) -> None:
    (tmp_path / "test_lab.py").write_text(
        "import sys\ndef test_it():\n    assert not {'grpc', 'numpy', 'nidaqmx'} & {*sys.modules}\n"
        "def test_control(daqmx_bench):\n    assert {'grpc', 'numpy', 'nidaqmx'} <= {*sys.modules}\n"
    )
    command = [sys.executable, "-m", "pytest", "-q", "-p", PLUGIN, "-p", "no:cacheprovider", "test_lab.py"]
    alone = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, env=alone, timeout=120.0, check=False)
    assert "2 passed" in done.stdout, done.stdout + done.stderr


def test_two_copies_of_it_are_as_one(lab: pytest.Pytester) -> None:
    """That of the light and that of the full installation, one of them by a conftest."""
    lab.makepyfile(other_copy=SOURCE.read_text(encoding="utf-8"))
    lab.makeconftest(CONFTEST.replace('"]', '", "other_copy"]'))
    assert outcomes(lab, "def test_it(daqmx_local):\n    assert names() == [('Dev1', 'PCIe-6363')]\n") == {"passed": 1}


def test_a_marker_says_what_an_input_sees_and_what_was_written_is_known(lab: pytest.Pytester) -> None:
    text = """
@pytest.mark.daqmx(signals={"Dev1/ai0": lambda times: 2.0 + 0.0 * times})
def test_it_sees_a_function(daqmx_local):
    assert measure() == pytest.approx([2.0] * 100, abs=1e-3)

@pytest.mark.daqmx(signals={"Dev1/ai0": lambda times: 2.0 + 0.0 * times})
def test_the_control_fails(daqmx_local):
    assert measure() == pytest.approx([2.1] * 100, abs=1e-3)

def test_what_it_wrote_is_known(daqmx_local):
    daqmx_local.record("Dev1/ao0")
    with nidaqmx.Task() as task:
        task.ao_channels.add_ao_voltage_chan("Dev1/ao0")
        task.write(1.5)
    assert daqmx_local.written("Dev1/ao0").values[-1] == pytest.approx(1.5, abs=1e-3)
"""
    assert outcomes(lab, text) == {"passed": 2, "failed": 1}
