"""Plugin for pytest: simulated NI-DAQmx devices as fixtures, fresh for each test, so that tests run in any order and side by side.

    def test_the_output_comes_back(daqmx_local):     # a fixture
    @pytest.mark.daqmx(devices={"Dev1": "PCIe-6363"}, wiring={"Dev1/ai0": "Dev1/ao0"})     # what it is made of
    bench.faults.overrun("Dev1", after=0.5)     # what goes wrong

`daqmx_bench` serves devices, `daqmx_local` makes nidaqmx in the test's own process mean them, `daqmx_devices` says which they are. gRPC and
numpy are loaded by the first test that asks for a bench: every pytest run of an environment loads this module.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from drivers.simulated import DEFAULT_DEVICES

if TYPE_CHECKING:
    from drivers.simulated.serving import SimulatedDevices

MARKER = "daqmx"
KEYS = ("devices", "wiring", "pace", "unconnected", "signals")
OPTION, INI = "daqmx_devices_file", "daqmx_devices"


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--daqmx-devices FILE`, and `daqmx_devices` in an ini file; where another installation's copy of this has them already, nothing."""
    group = parser.getgroup("daqmx", "simulated NI-DAQmx devices")
    if group.options:
        return
    words = "file of devices (.toml, or .ini exported by NI MAX) for the fixture daqmx_bench"
    group.addoption("--daqmx-devices", dest=OPTION, metavar="FILE", help=words)
    parser.addini(INI, f"{words}; relative to the ini file", default="")


def pytest_configure(config: pytest.Config) -> None:
    """Declare the marker."""
    words = "devices of daqmx_bench: names and products or a file, wires from inputs to outputs, lockstep (default) or real, signals"
    config.addinivalue_line("markers", f"{MARKER}(devices=..., wiring=..., pace=..., unconnected=..., signals=...): {words}")


@pytest.fixture
def daqmx_devices(request: pytest.FixtureRequest) -> str | Path | Mapping[str, str]:
    """The devices of tests that do not name any by a marker: names and products, or a file. To be overridden in a conftest.py or a module.

    As it is here: the file of `--daqmx-devices`, else of the ini file, else Dev1, an X Series card.
    """
    config = request.config
    if given := config.getoption(OPTION):
        return Path(config.invocation_params.dir) / str(given)
    if given := config.getini(INI):
        return (config.inipath.parent if config.inipath is not None else config.rootpath) / str(given)
    return DEFAULT_DEVICES


@pytest.fixture
def daqmx_bench(request: pytest.FixtureRequest) -> Iterator[SimulatedDevices]:
    """Devices that nobody else has, in lockstep, until the test ends; nidaqmx takes them by `grpc_options=daqmx_bench.grpc_options`."""
    from drivers.simulated import serve_devices
    from drivers.simulated.device_setup import BadDeviceFile

    marked = _marked(request)
    devices = marked["devices"] if "devices" in marked else request.getfixturevalue("daqmx_devices")
    problem, bench = "", None
    try:
        bench = serve_devices(
            devices, marked.get("wiring"), pace=marked.get("pace", "lockstep"), unconnected=marked.get("unconnected"), port=0,
            signals=marked.get("signals"),
        )  # fmt: skip
    except (BadDeviceFile, ValueError) as error:
        problem = str(error)
    if bench is None:  # not while the exception is handled: pytest would show both
        pytest.fail(f"daqmx_bench: {problem}", pytrace=False)
    with bench:
        yield bench


@pytest.fixture
def daqmx_local(daqmx_bench: SimulatedDevices) -> Iterator[SimulatedDevices]:
    """The same bench for code that knows of no server: `nidaqmx.Task()` and `System.local()` of this process mean its devices meanwhile."""
    with daqmx_bench.as_local():
        yield daqmx_bench


def _marked(request: pytest.FixtureRequest) -> dict[str, Any]:
    """What the markers of a test say together; that of the function before those of its class and module."""
    found: dict[str, Any] = {}
    for marker in request.node.iter_markers(MARKER):
        unknown = [key for key in marker.kwargs if key not in KEYS]
        if marker.args or unknown:
            got = f"got {unknown[0]}=" if unknown else f"got {marker.args[0]!r} without a key"
            pytest.fail(f"pytest.mark.{MARKER}: expected {', '.join(f'{key}=' for key in KEYS)}; {got}", pytrace=False)
        found = {**marker.kwargs, **found}
    return found
