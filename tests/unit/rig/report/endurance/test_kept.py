"""A part of which no sample was kept: it is seen, and told in words."""

from types import SimpleNamespace

import numpy as np
import pytest

from rig.report.endurance import kept
from tests.unit.rig.report.endurance.known_tables import LENGTH, RATE, tables


def record(path, absent, known=()):
    """As `RunData`, of one channel; known: rows that are there."""
    samples = np.full(50 * LENGTH, np.nan)
    for first, behind in known:
        samples[first:behind] = 1.0
    return SimpleNamespace(
        path=path, streams={"measured": ("stroke",)}, absent=[(a, b, False) for a, b in absent], samples=len(samples), first_sample=0,
        rate=RATE, channel=lambda stream, name, first, count: samples[first : first + count],
    )  # fmt: skip


def test_nothing_is_kept_and_how_many_cycles_there_are_is_said(tmp_path):
    found = record(tables(tmp_path / "00002.h5", np.arange(50)), [(0, 50 * LENGTH)])
    assert kept.nothing(found)
    assert kept.words(found) == f"50 cycles in the table, no samples kept from 0.000 to {50 * LENGTH / RATE:.3f} s"


@pytest.mark.parametrize("known", [(0, 100), (20_000, 20_001), (49_999, 50_000)])
def test_one_sample_is_something(tmp_path, known):
    gaps = [(0, known[0]), (known[1], 50 * LENGTH)]
    assert not kept.nothing(record(tmp_path / "00002.h5", gaps, [known]))
