import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from rig.display.window import availability
from rig.display.window.availability import reason_headless

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="other systems always have a desktop")


@pytest.fixture(autouse=True)
def bare(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(availability, "_loads", lambda library: True)


@pytest.fixture
def sockets(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as folder:  # a socket's name must be short
        monkeypatch.setattr(availability, "X11_SOCKETS", Path(folder))
        yield Path(folder)


def test_no_display() -> None:
    assert reason_headless() == "no display: neither DISPLAY nor WAYLAND_DISPLAY is set"


def test_a_display_nobody_serves(monkeypatch: pytest.MonkeyPatch, sockets: Path) -> None:
    monkeypatch.setenv("DISPLAY", ":4217")
    assert reason_headless() == "no display: DISPLAY is :4217, but no X server answers there"


def test_a_display_that_answers(monkeypatch: pytest.MonkeyPatch, sockets: Path) -> None:
    monkeypatch.setenv("DISPLAY", ":4217.0")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(sockets / "X4217"))
        server.listen()
        assert reason_headless() is None


def test_a_forwarded_display(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen()
        monkeypatch.setenv("DISPLAY", f"127.0.0.1:{server.getsockname()[1] - 6000}.0")
        assert reason_headless() is None


def test_a_display_that_cannot_be_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISPLAY", "nonsense")
    assert "'nonsense', expected [HOST]:NUMBER" in str(reason_headless())


def test_wayland(monkeypatch: pytest.MonkeyPatch, sockets: Path) -> None:
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(sockets))
    monkeypatch.setenv("WAYLAND_DISPLAY", "wayland-7")
    assert f"no socket {sockets}/wayland-7" in str(reason_headless())
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(sockets / "wayland-7"))
        assert reason_headless() is None


@pytest.mark.parametrize(("module", "said"), [("PySide6", "PySide6-Essentials"), ("pyqtgraph", "pyqtgraph")])
def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch, module: str, said: str) -> None:
    find = availability.importlib.util.find_spec
    monkeypatch.setattr(availability.importlib.util, "find_spec", lambda name: None if name == module else find(name))
    assert reason_headless() == f"the Python package {said} is not installed"


def test_missing_libraries_are_named_with_their_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    monkeypatch.setattr(availability, "_loads", lambda library: library not in ("libEGL.so.1", "libGL.so.1"))
    assert reason_headless() == "system libraries missing: apt-get install libegl1 libgl1"


def test_one_of_two_displays_is_enough(monkeypatch: pytest.MonkeyPatch, sockets: Path) -> None:
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(sockets))
    monkeypatch.setenv("WAYLAND_DISPLAY", "wayland-7")
    monkeypatch.setenv("DISPLAY", ":4217")
    absent = ["libwayland-cursor.so.0"]
    monkeypatch.setattr(availability, "_loads", lambda library: library not in absent)
    with socket.socket(socket.AF_UNIX) as wayland, socket.socket(socket.AF_UNIX) as x11:
        wayland.bind(str(sockets / "wayland-7"))
        assert reason_headless() == "system libraries missing: apt-get install libwayland-cursor0"
        x11.bind(str(sockets / "X4217"))
        x11.listen()
        assert reason_headless() is None
        absent.append("libxcb-cursor.so.0")
        assert reason_headless() == "system libraries missing: apt-get install libxcb-cursor0"


def test_a_library_that_is_not_there_does_not_load(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    assert availability._loads("libc.so.6")
    assert not availability._loads("libnot-there.so.1")


def test_asking_does_not_load_qt() -> None:
    ask = "from rig.display.window.availability import reason_headless; reason_headless()"
    code = f"import sys; {ask}; print([name for name in sys.modules if 'PySide' in name or 'pyqtgraph' in name])"
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert answer.stdout.strip() == "[]"
