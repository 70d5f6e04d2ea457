"""Digests of lockstep records of all rigs: what is recorded has to keep its bits through every change of the program's form.

`python tests/system/lockstep_digests.py` runs the cases (minutes) and writes their digests for this kind of processor and compiler; that is
done where a change is meant to change what is recorded, and said in the commit.
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

import h5py
import llvmlite
import llvmlite.binding
import numba
import numpy as np

ROOT = Path(__file__).parents[2]
FILE = Path(__file__).with_suffix(".json")
CASES: dict[str, tuple[str, ...]] = {
    "linkage": ("trajectory.cycles=3",),
    "linkage_random": ("trajectory.duration=2 s",),
    "linkage_instron": ("trajectory.cycles=3",),
    "linkage_amplitude": ("trajectory.cycles=4",),
    "pseudo_dynamic": (),
    "playback": (),
    "wave_shapes": (),
    "four_bar_rig": ("trajectory.cycles=2",),
    "slider_crank_rig": ("trajectory.cycles=2",),
    "slider_crank_rig_5000": ("trajectory.cycles=10",),
    "slider_bar_rig": ("trajectory.cycles=2",),
    "parallel_3rrpar_rig": ("trajectory.cycles=1",),
}
TOLD = "entry/events"
"""Holds times of the wall's clock."""


def machine() -> str:
    """What the bits depend on beside the program: the processor's instructions, compiler and mathematical library."""
    parts = (platform.machine(), llvmlite.binding.get_host_cpu_name(), f"numba {numba.__version__}", f"numpy {np.__version__}")
    return ", ".join((*parts, *platform.libc_ver()))


def digests(experiment: str, folder: Path) -> Mapping[str, str]:
    """Data set -> digest of its numbers, of a lockstep run of a case in `folder`."""
    command = [sys.executable, "-m", "rig", "run", f"configs/experiments/{experiment}.toml", "--headless", "--json", "--out", str(folder)]
    for override in ("bench.pace=lockstep", "bench.seed=7", *CASES[experiment]):
        command += ["--set", override]
    done = subprocess.run(command, cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1), done.stderr
    records = sorted(folder.rglob("run.h5"))  # of an iterated drive one a round
    return {f"{number}: {name}": value for number, record in enumerate(records, 1) for name, value in _digest(record).items()}


def _digest(record: Path) -> Mapping[str, str]:
    found: dict[str, str] = {}

    def take(name: str, item: object) -> None:
        if isinstance(item, h5py.Dataset) and item.dtype.kind not in "OSV" and name != TOLD:
            found[name] = hashlib.sha256(np.ascontiguousarray(item[()]).tobytes()).hexdigest()[:16]

    with h5py.File(record) as file:
        file.visititems(take)
    return found


def main() -> None:
    """Write the digests of this machine, and leave those of others."""
    known = json.loads(FILE.read_text()) if FILE.exists() else {}
    known[machine()] = {}
    for experiment in CASES:
        with tempfile.TemporaryDirectory() as folder:
            known[machine()][experiment] = digests(experiment, Path(folder))
    FILE.write_text(json.dumps(known, indent=1, sort_keys=True) + "\n")


if __name__ == "__main__":
    main()
