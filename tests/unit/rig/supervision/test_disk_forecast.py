"""The forecast of the disk: what the rest of a test needs by what it has taken, told in time, and the bound at which it is ended."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from rig.supervision import disk_forecast
from rig.supervision.disk_forecast import DiskForecast, size_of

EACH, END = 80, 1_000_000  # bytes a sample, samples of the test
Look = Callable[[int, float], "disk_forecast.Finding | None"]


@pytest.fixture
def forecast(tmp_path: Path) -> DiskForecast:
    return DiskForecast(tmp_path, reserve=5e6)


@pytest.fixture
def look(tmp_path: Path, forecast: DiskForecast, monkeypatch: pytest.MonkeyPatch) -> Look:
    """At a sample, with so many bytes free on the disk."""

    def at(sample: int, free: float) -> disk_forecast.Finding | None:
        (tmp_path / "parts").mkdir(exist_ok=True)
        for file in ("journal.bin", "parts/00001.h5"):
            (tmp_path / file).open("wb").truncate(10_000 + sample * EACH // 2)
        monkeypatch.setattr(disk_forecast.shutil, "disk_usage", lambda _: SimpleNamespace(free=round(free)))
        return forecast.look(sample, END)

    return at


def test_what_a_folder_holds(tmp_path: Path, look: Look) -> None:
    look(1000, 1e9)
    assert size_of(tmp_path) == 20_000 + 1000 * EACH


def test_what_is_needed_until_the_end(forecast: DiskForecast, look: Look) -> None:
    assert look(0, 1e9) is None and forecast.room == {"free_bytes": 10**9, "needed_bytes": None}
    look(1000, 1e9)
    look(101_000, 1e9)
    assert forecast.room == {"free_bytes": 10**9, "needed_bytes": (END - 101_000) * EACH}


def test_where_there_is_room_nothing_is_told(look: Look) -> None:
    assert [look(sample, 90e6) for sample in range(1000, END, 100_000)] == [None] * 10


def test_that_it_will_not_fit_is_told_once_and_long_before(look: Look) -> None:
    look(1000, 60e6)
    found = look(101_000, 52e6)
    assert found is not None and not found.ends
    assert "71.9 MB to come, 52 MB free" in found.text
    assert look(201_000, 44e6) is None


def test_at_the_bound_the_test_ends_once(look: Look) -> None:
    look(1000, 60e6)
    look(101_000, 52e6)
    look(595_000, 50e6)
    found = look(600_000, 4e6)
    assert found is not None and found.ends and "record.reserve" in found.text
    assert look(610_000, 3e6) is None


def test_the_bound_allows_for_the_stop_and_for_the_time_between_two_looks(tmp_path: Path, look: Look) -> None:
    """5 MB are to be left; until the next look 10 000 samples come, it may be late by as much, and 20 000 while the test ends."""
    for free, ends in ((5e6 + 40_000 * EACH - 1, True), (5e6 + 40_000 * EACH + 1, False)):
        one = DiskForecast(tmp_path, reserve=5e6, stopping=20_000)
        for sample, left in ((1000, 1e9), (490_000, 1e9), (500_000, free)):
            look(sample, left)  # the files and the disk
            found = one.look(sample, END)
        assert (found is not None and found.ends) == ends


def test_a_test_that_will_fit_is_not_ended_by_the_bound(look: Look) -> None:
    look(1000, 60e6)
    assert look(980_000, 4e6) is None, "1.6 MB to come"


def test_it_is_told_again_when_room_came_and_went(look: Look) -> None:
    look(1000, 60e6)
    assert look(101_000, 52e6) is not None
    assert look(201_000, 500e6) is None
    assert look(301_000, 20e6) is not None


def test_a_folder_that_is_gone_is_told_by_others(tmp_path: Path) -> None:
    assert DiskForecast(tmp_path / "gone", 1e6).look(1000, END) is None
