"""Can a window be shown here? Asked by the supervisor, which must not load Qt itself: environment, sockets, dlopen."""

from __future__ import annotations

import ctypes
import importlib.util
import os
import re
import socket
import sys
from collections.abc import Mapping
from pathlib import Path

PATIENCE = 0.5  # s for a display that is reached over the network
X11_SOCKETS = Path("/tmp/.X11-unix")
WITHOUT_SCREEN = ("offscreen", "minimal", "vnc", "linuxfb", "eglfs")  # Qt platforms that need no display server
UNSEEN = ("offscreen", "minimal")

# What the Qt wheels expect of a Linux system, with the Debian package of each.
_ALWAYS = {
    "libEGL.so.1": "libegl1",
    "libGL.so.1": "libgl1",
    "libxkbcommon.so.0": "libxkbcommon0",
    "libdbus-1.so.3": "libdbus-1-3",
    "libfontconfig.so.1": "libfontconfig1",
    "libglib-2.0.so.0": "libglib2.0-0",
}
_X11 = {
    "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxcb-shape.so.0": "libxcb-shape0",
}
_WAYLAND = {"libwayland-client.so.0": "libwayland-client0", "libwayland-cursor.so.0": "libwayland-cursor0"}


def reason_headless() -> str | None:
    """Why no window can be shown, as half a sentence; None when one can."""
    for package, name in (("PySide6", "PySide6-Essentials"), ("pyqtgraph", "pyqtgraph")):
        if importlib.util.find_spec(package) is None:
            return f"the Python package {name} is not installed"
    if not sys.platform.startswith("linux"):
        return None
    platform = os.environ.get("QT_QPA_PLATFORM", "").split(":")[0]
    if platform in WITHOUT_SCREEN:
        return _missing(_ALWAYS)
    refused = {"wayland": _no_wayland(os.environ), "x11": _no_x11(os.environ)}
    if None not in refused.values():
        return next(filter(None, refused.values()), "no display: neither DISPLAY nor WAYLAND_DISPLAY is set")
    # Qt takes the first of the two that it can load.
    lacking = [_missing(_ALWAYS | libraries) for name, libraries in (("wayland", _WAYLAND), ("x11", _X11)) if refused[name] is None]
    return None if None in lacking else lacking[-1]


def unseen() -> bool:
    """Whether a window would be shown where nobody can see or close it."""
    return os.environ.get("QT_QPA_PLATFORM", "").split(":")[0] in UNSEEN


def _missing(libraries: Mapping[str, str]) -> str | None:
    """Names the system libraries that cannot be loaded, and how to get them."""
    absent = [package for library, package in libraries.items() if not _loads(library)]
    return f"system libraries missing: apt-get install {' '.join(absent)}" if absent else None


def _loads(library: str) -> bool:
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True


def _no_wayland(environment: Mapping[str, str]) -> str | None:
    """None when a Wayland server answers, "" when none is named, else what is wrong with it."""
    name = environment.get("WAYLAND_DISPLAY", "")
    if not name:
        return ""
    path = Path(environment.get("XDG_RUNTIME_DIR", "")) / name  # an absolute name stays as it is
    return None if path.is_socket() else f"no display: WAYLAND_DISPLAY is {name}, but there is no socket {path}"


def _no_x11(environment: Mapping[str, str]) -> str | None:
    """None when an X server answers, "" when none is named, else what is wrong with it. Qt would end the process on a dead one."""
    name = environment.get("DISPLAY", "")
    if not name:
        return ""
    parts = re.fullmatch(r"(?P<host>.*):(?P<number>\d+)(\.\d+)?", name)
    if parts is None:
        return f"no display: DISPLAY is {name!r}, expected [HOST]:NUMBER"
    host, number = parts["host"], int(parts["number"])
    answers = _local_answers(number) if host in ("", "unix") else _remote_answers(host, number)
    return None if answers else f"no display: DISPLAY is {name}, but no X server answers there"


def _local_answers(number: int) -> bool:
    path = str(X11_SOCKETS / f"X{number}")
    for address in (path, "\0" + path):  # the second is Linux' abstract name, used when /tmp is private
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
            if probe.connect_ex(address) == 0:
                return True
    return False


def _remote_answers(host: str, number: int) -> bool:
    try:
        socket.create_connection((host, 6000 + number), PATIENCE).close()
    except OSError:
        return False
    return True
