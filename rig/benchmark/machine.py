"""The machine that the figures are from."""

from __future__ import annotations

import os
import platform
import time
from pathlib import Path

from rig.benchmark.result_row import Machine

TRIES, TERMS = 5, 1_000_000


def described() -> Machine:
    """Processor, cores, load over the last minute, and what a fixed piece of plain Python takes (s, least of several)."""
    return {"cpu": _processor(), "cores": os.cpu_count(), "load_before": _load(), "calibration_s": min(_calibrate() for _ in range(TRIES))}


def _processor() -> str:
    """Its name, and its clock now where the system tells it."""
    lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines() if Path("/proc/cpuinfo").exists() else []
    known = dict(line.split(":", 1) for line in reversed(lines) if ":" in line)  # reversed: the first processor's stay
    found = {key.strip(): value.strip() for key, value in known.items()}
    name = found.get("model name") or platform.processor() or platform.machine()
    return f"{name} ({float(found['cpu MHz']):.0f} MHz)" if "cpu MHz" in found else name


def _load() -> float | None:
    return os.getloadavg()[0] if hasattr(os, "getloadavg") else None


def _calibrate() -> float:
    begun = time.perf_counter()
    sum(i * i for i in range(TERMS))
    return time.perf_counter() - begun
