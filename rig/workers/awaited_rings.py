"""Rings that another process makes: a worker that reads them waits until they are there."""

from __future__ import annotations

import time
from pathlib import Path

from rig.errors import StaleStream
from rig.streaming.ring import RingReader
from rig.workers.links import Links

PAUSE = 0.002  # s between two looks


def opened(path: Path, links: Links, who: str) -> RingReader:
    """Once it is there, for as long as the supervisor lets it: instruments, and simulated ones, take their time. Raises StaleStream where
    the supervisor is gone before."""
    while not path.exists():
        if links.alone.is_set() or links.abandoned:
            raise StaleStream(f"{who}: the supervisor is gone before the bench made {path.name}")
        links.beat()
        time.sleep(PAUSE)
    return RingReader.open(path, 1.0)
