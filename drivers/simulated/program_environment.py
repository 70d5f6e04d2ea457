"""Environment variables by which a Python program that knows of no device server gets one."""

from __future__ import annotations

import os
from pathlib import Path

SITE = Path(__file__).resolve().parent / "run_site"
"""Where the module is that Python imports when it starts."""
ADDRESS = "SIMULATED_DAQMX_ADDRESS"
"""Environment variable that it looks at."""


def environment(address: str) -> dict[str, str]:
    """Variables of a program, and of what it starts, in which nidaqmx means the server at HOST:PORT; those that differ from ours.

    gRPC is told to bear forks: `fork` is how multiprocessing starts a process on Linux unless it is told otherwise.
    """
    path = os.pathsep.join(filter(None, (str(SITE), os.environ.get("PYTHONPATH"))))
    quiet = {"GRPC_ENABLE_FORK_SUPPORT": "true", "GRPC_VERBOSITY": "NONE"}
    return {**{name: value for name, value in quiet.items() if name not in os.environ}, ADDRESS: address, "PYTHONPATH": path}
