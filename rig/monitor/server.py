"""The server of the page: one process, of low priority, that ends by Ctrl-C."""

from __future__ import annotations

import contextlib
import os
import socket
import sys
from collections.abc import Callable
from pathlib import Path

import uvicorn
from starlette.types import ASGIApp

from rig.errors import ConfigError
from rig.monitor.access import Address

NICE = 5
"""Behind every process of a test, which has -5 or a real-time priority where the system grants it; often enough to look twice a second."""
MOST_AT_ONCE = 32  # requests; a page takes one at a time
IDLE = 5  # s that a connection without requests is kept


def prefer_others() -> None:
    """Whatever else runs on this computer comes first. Linux weighs sessions against each other before processes; a session that is not
    this process's alone keeps its weight, as a test may have been started in the same terminal."""
    if sys.platform == "win32":
        return
    with contextlib.suppress(OSError):
        os.nice(NICE)
    if os.getsid(0) != os.getpid():
        return
    with contextlib.suppress(OSError):
        Path("/proc/self/autogroup").write_text(f"{NICE}\n", encoding="ascii")


def listening(address: Address) -> socket.socket:
    """Raises ConfigError for an address that cannot be had."""
    family = socket.AF_INET6 if ":" in address.host else socket.AF_INET
    line = socket.socket(family, socket.SOCK_STREAM)
    try:
        if sys.platform != "win32":
            line.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        line.bind((address.host, address.port))
    except (OSError, OverflowError) as error:
        line.close()
        raise ConfigError(f"{address.host}, port {address.port}: {getattr(error, 'strerror', None) or error}; choose another") from error
    return line


def serve(app: ASGIApp, line: socket.socket, address: Address, began: Callable[[], None]) -> None:
    """Until Ctrl-C or SIGTERM. Requests are written down nowhere: what they carry is nobody's business."""
    options = {} if address.certificate is None else {"ssl_certfile": address.certificate, "ssl_keyfile": address.key}
    config = uvicorn.Config(
        app, access_log=False, log_level="error", server_header=False, ws="none", lifespan="off", proxy_headers=False,
        limit_concurrency=MOST_AT_ONCE, timeout_keep_alive=IDLE, timeout_graceful_shutdown=1, **options,  # type: ignore[arg-type]
    )  # fmt: skip
    server = uvicorn.Server(config)
    line.listen()
    began()
    with contextlib.suppress(KeyboardInterrupt):
        server.run(sockets=[line])
