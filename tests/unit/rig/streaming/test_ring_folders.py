"""Where rings live: with room, and gone when their run is gone."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from rig.errors import RigError
from rig.streaming import streams


@pytest.fixture
def bases(tmp_path: Path, monkeypatch) -> list[Path]:
    """Two folders in the place of /dev/shm and the temporary folder."""
    found = [tmp_path / "shm", tmp_path / "tmp"]
    for base in found:
        base.mkdir()
    monkeypatch.setattr(streams, "_bases", lambda: found)
    return found


def room(monkeypatch, free: dict[Path, int]) -> None:
    monkeypatch.setattr(streams.shutil, "disk_usage", lambda base: SimpleNamespace(free=free[base]))


def test_shared_memory_is_taken_when_it_has_room(bases, monkeypatch) -> None:
    room(monkeypatch, dict.fromkeys(bases, 10**9))
    first, second = streams.make_folder(10**8), streams.make_folder(10**8)
    assert first.parent == second.parent == bases[0]
    assert first != second


def test_a_small_shared_memory_is_passed_over(bases, monkeypatch) -> None:
    room(monkeypatch, {bases[0]: 64 * 2**20, bases[1]: 10**9})  # a container's 64 MB
    assert streams.make_folder(10**8).parent == bases[1]


def test_no_room_anywhere_names_what_was_looked_at(bases, monkeypatch) -> None:
    room(monkeypatch, dict.fromkeys(bases, 10**6))
    with pytest.raises(RigError, match=r"125 MB needed.*shm: 1 MB free.*tmp: 1 MB free"):
        streams.make_folder(10**8)


def test_sweep_takes_the_folders_of_the_dead_only(bases) -> None:
    alive = streams.make_folder(1000)
    code = "from rig.streaming import streams; print(streams.make_folder(1000))"
    made = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=Path(__file__).parents[4])
    elsewhere = Path(made.stdout.strip())
    elsewhere.rmdir()
    dead = bases[1] / elsewhere.name  # of a process that has ended
    dead.mkdir()
    (dead / "measured.ring").write_bytes(b"x")
    recycled = bases[0] / f"clearance-rig-{os.getpid()}-1000000000-0"  # our id, but another process's start
    recycled.mkdir()
    foreign = bases[0] / "clearance-rig-of-somebody-else"
    foreign.mkdir()
    assert set(streams.sweep()) == {dead, recycled}
    assert alive.exists()
    assert foreign.exists()
    streams.remove_folder(alive)
    assert not alive.exists()


def test_every_stream_has_a_ring_and_capacity_is_in_seconds(tmp_path: Path) -> None:
    predicted = {"predicted", "predicted_as_measured", "predicted_band", "calculated_predicted", "motion", "estimated"}
    names = predicted | {"command", "measured", "calculated", "preparation", "axes", "loader", "instruments"}
    assert set(streams.paths(tmp_path)) == names
    assert streams.capacity(51_200.0) == 512_000
    assert streams.capacity(0.01) == 1
