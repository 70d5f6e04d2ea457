"""The commands that README and docs show in blocks, run as they stand; those with places to be filled in are read only (unit tests)."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from tests.documented_commands import ROOT, Documented, in_blocks

WALKED = ("from_nothing.md",)
"""Pages whose blocks need each other: test_system_wheel.py goes through them."""
GOES_ON = "runs/0007-linkage"
"""A test that goes on while something is asked of it: test_system_faults.py does that."""


def takes_hours(one: Documented) -> bool:
    """Whether it is a whole campaign, which `make campaign` runs; of one kind of fault it is run here."""
    return tuple(one.words[:2]) == ("campaign", "faults") and "--kinds" not in one.words


LITERAL = [one for one in in_blocks() if not (one.filled or one.page in WALKED or GOES_ON in one.words or takes_hours(one))]
BESIDE = {after: before for before, after in pairwise(LITERAL) if before.background}
"""What has to be running beside a command."""
SERVERS = [documented for documented in LITERAL if documented.words[0] == "virtual-bench" and not documented.background]
ALONE = [documented for documented in LITERAL if documented.words[0] != "virtual-bench"]
STOPPED = 128 + signal.SIGINT


SIX_BAR, LINKAGE, OTHER, FOREIGN = "runs/0001-six_bar_rig", "runs/0001-linkage", "runs/0002-linkage", "labor.csv"
IMPORTED, MAP, TAP, TAPPED = "runs/labor", "labor.toml", "tap.csv", "runs/tap"


class Prepared:
    """What commands need that a reader has made before them, each made when it is first needed."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        (folder / "configs").symlink_to(ROOT / "configs")

    def lend(self, name: str, to: Path) -> None:
        """A copy, to be written into."""
        source = self._folder / name
        if not source.exists():
            getattr(self, f"_{Path(name).name.replace('.', '_').replace('-', '_').lstrip('0123456789_')}")()
        (to / name).parent.mkdir(exist_ok=True)
        (shutil.copytree if source.is_dir() else shutil.copy)(source, to / name)

    def _rig(self, *words: str) -> None:
        command = [sys.executable, "-m", "rig", *words]
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        subprocess.run(command, check=True, cwd=self._folder, env=environment, capture_output=True, timeout=900.0)

    def _linkage(self) -> None:
        if not (self._folder / LINKAGE).exists():
            self._rig("run", "configs/experiments/linkage.toml", "--headless", "--set", "bench.pace=lockstep")
        if not (self._folder / OTHER).exists():
            shutil.copytree(self._folder / LINKAGE, self._folder / OTHER)

    def _six_bar_rig(self) -> None:
        self._rig("run", "configs/experiments/six_bar_rig.toml", "--headless", "--no-picture", "--set", "bench.pace=lockstep")
        (made,) = (self._folder / "runs").glob("*six_bar_rig")
        made.rename(self._folder / SIX_BAR) if made != self._folder / SIX_BAR else None

    def _labor_csv(self) -> None:
        self._linkage()
        self._rig("export", LINKAGE, "--to", "csv", "--channels", "command,measured", "--out", FOREIGN)

    def _labor_toml(self) -> None:
        (self._folder / MAP).write_text('zone = "+01:00"\n')

    def _labor(self) -> None:
        self._labor_csv()
        self._rig("import", FOREIGN, "--out", IMPORTED)

    def _tap_csv(self) -> None:
        t = np.arange(0.0, 2.0, 2.5e-4)
        since, noise = np.maximum(t - 0.25, 0.0), np.random.default_rng(3).standard_normal(len(t))
        modes = ((12.0, 41.3, 0.011, 0.0), (4.0, 133.0, 0.02, 1.0))
        x = sum(a * np.exp(-d * 2.0 * np.pi * f * since) * np.cos(2.0 * np.pi * f * since + p) for a, f, d, p in modes)
        table = np.column_stack([t, 0.3 + 0.02 * noise + x * (t >= 0.25)])
        np.savetxt(self._folder / TAP, table, delimiter=",", header="time (s),acceleration (m/s^2)", comments="", fmt="%.6f")

    def _tap(self) -> None:
        self._tap_csv()
        self._rig("import", TAP, "--out", TAPPED)


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Prepared:
    return Prepared(tmp_path_factory.mktemp("prepared"))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Where a user would be: a folder with configs, as `rig new` lays them out too."""
    for name in ("configs", "configs/experiments", "configs/benches"):
        (tmp_path / Path(name).name).symlink_to(ROOT / name)
    return tmp_path


def started(documented: Documented, folder: Path) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "rig", *documented.words]
    pipe = subprocess.PIPE
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True, cwd=folder, env=environment)


@contextmanager
def serving(documented: Documented | None, folder: Path) -> Iterator[None]:
    """A bench that listens until the end, and is stopped as its user would."""
    if documented is None:
        yield
        return
    server = started(documented, folder)
    try:
        assert server.stdout is not None and server.stdout.readline().startswith("listening")
        yield
        server.send_signal(signal.SIGINT)
        _, said = server.communicate(timeout=60.0)
        assert server.returncode in (0, STOPPED) and "Traceback" not in said, said
    finally:
        server.kill()


@pytest.mark.soak
@pytest.mark.parametrize("documented", ALONE, ids=str)
def test_a_command_as_it_stands(documented: Documented, folder: Path, prepared: Prepared) -> None:
    for name in {SIX_BAR, LINKAGE, OTHER, FOREIGN, MAP, TAP} & {*documented.words}:
        prepared.lend(name, folder)
    for name in {IMPORTED, TAPPED} & {*documented.words} if documented.words[0] != "import" else ():
        prepared.lend(name, folder)
    with serving(BESIDE.get(documented), folder):
        _, said = (process := started(documented, folder)).communicate(timeout=900.0)
    assert process.returncode == documented.status, said
    assert "Traceback" not in said


@pytest.mark.soak
@pytest.mark.parametrize("documented", SERVERS, ids=str)
def test_a_bench_as_it_stands(documented: Documented, folder: Path) -> None:
    with serving(documented, folder):
        pass
