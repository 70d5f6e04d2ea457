"""`daqmx-sim run PROGRAM`: as `python -m drivers.simulated.run`."""

from __future__ import annotations

from drivers.simulated.run import configure, execute

__all__ = ["configure", "execute"]
