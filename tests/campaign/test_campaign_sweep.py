"""Campaigns of `rig sweep` at length: ten thousand models, twenty kills of each kind, a hundred thousand tasks in a bounded client."""

from __future__ import annotations

import random
import time
from pathlib import Path

import psutil
import pytest
import xarray
from swept import FUNCTIONS, campaign, ended, journal_lines, kill_everything, started, wait_for_tasks, workers_of

pytestmark = pytest.mark.campaign

ROOT = Path(__file__).parents[2]
KILLS = 20
MODELS = 10_000
MANY = 100_000
EARLY, LATE = 20_000, 90_000  # tasks done, between which the client's memory is looked at
GROWTH = 20e6  # bytes, at most


@pytest.mark.parametrize("whom", ["everything", "worker"])
def test_each_task_once_through_twenty_kills(tmp_path: Path, whom: str) -> None:
    drawn, tasks = random.Random(1), 2400
    path, out = campaign(tmp_path, tasks), tmp_path / "r.zarr"
    process = started(path, out, "--workers", "2")
    for _ in range(KILLS):
        wait_for_tasks(process, out, drawn.randint(20, 90))
        if process.poll() is not None:
            break
        there = journal_lines(out)
        if whom == "everything":
            kill_everything(process)
            assert journal_lines(out) >= there
            process = started(path, out, "--workers", "2")
        else:
            drawn.choice(workers_of(process)).kill()
    found = ended(process)
    assert (found["done"], found["failed"]) == (tasks, 0)
    with xarray.open_zarr(out) as data:
        assert (data["state"].values == 1).all()
        assert (data["y"].values == data["x"].values ** 2).all()


def test_ten_thousand_slider_cranks(tmp_path: Path) -> None:
    path, out = tmp_path / "c.toml", tmp_path / "r.zarr"
    path.write_text(
        f'title = "t"\nexperiment = "{ROOT / "configs/experiments/slider_crank.toml"}"\n'
        'set = ["mechanism.guide_clearance=0 mm", "simulate.duration=12 ms", "simulate.output_rate=20 kHz"]\n'
        f'[design]\nkind = "latin_hypercube"\nsamples = {MODELS}\n'
        '[[vary]]\nkey = "mechanism.clearance"\nminimum = "0.01 mm"\nmaximum = "0.2 mm"\n'
        '[[vary]]\nkey = "mechanism.contact.restitution"\nminimum = 0.5\nmaximum = 0.9\n'
        '[[keep]]\nchannel = "crank_torque"\n[[keep]]\nfigure = "contacts"\n',
        encoding="utf-8",
    )
    process = started(path, out, "--workers", "2")
    wait_for_tasks(process, out, MODELS // 3)
    kill_everything(process)
    found = ended(started(path, out, "--workers", "2"), 3600.0)
    assert (found["done"], found["failed"]) == (MODELS, 0)
    assert found["skipped"] >= MODELS // 3


def test_the_memory_of_a_client_does_not_grow_with_its_tasks(tmp_path: Path) -> None:
    path, out = tmp_path / "c.toml", tmp_path / "r.zarr"
    path.write_text(
        f'title = "t"\ntask = "function"\nfunction = "{FUNCTIONS}:ishigami"\n[design]\nkind = "sobol"\nsamples = 131072\n'
        + "".join(f'[[vary]]\nkey = "x{k}"\nminimum = -3\nmaximum = 3\n' for k in (1, 2, 3))
        + '[[keep]]\nname = "y"\n',
        encoding="utf-8",
    )
    process = started(path, out, "--workers", "2")
    wait_for_tasks(process, out, EARLY)
    client = psutil.Process(process.pid)
    early, largest = client.memory_info().rss, 0
    while process.poll() is None and journal_lines(out) < LATE:
        largest = max(largest, client.memory_info().rss)
        time.sleep(0.5)
    assert largest - early < GROWTH, f"{early / 1e6:.1f} MB after {EARLY} tasks, {largest / 1e6:.1f} MB at most before {LATE}"
    found = ended(process, 600.0)
    assert found["done"] == 131072 >= MANY
