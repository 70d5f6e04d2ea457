"""What a worker of this computer does first (a preload of Dask's): Ctrl-C is for who started the campaign, which ends the workers."""

from __future__ import annotations

import signal


def dask_setup(worker: object) -> None:
    """In the worker's process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
