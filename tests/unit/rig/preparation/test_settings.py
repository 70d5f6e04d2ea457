"""What the stages of a preparation work with."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from drivers.loaders.servo_loader import Preparation
from rig.preparation.settings import Reading, Settings, towards
from tests.unit.rig.preparation.stage_readings import BLOCK, reading, settings


def test_forces_are_shares_of_full_scale_and_the_rest_is_as_it_stands() -> None:
    shares = Preparation(
        zero_within=1e-4, stroke_probe=2e-4, speed=3e-3, travel=4e-3, preload=-0.03, force_probe=0.01, force_guard=0.09, touch=0.005,
        stroke_bound=7e-4, tolerance=0.03, patience=8.0,
    )  # fmt: skip
    assert dataclasses.asdict(Settings.from_shares(shares, 100e3, 0.2, 50, 1000.0)) == {
        "block": 0.05, "rate": 1000.0, "force_full_scale": 100e3, "stroke_full_scale": 0.2, "zero_within": 1e-4, "stroke_probe": 2e-4,
        "speed": 3e-3, "travel": 4e-3, "preload": -3000.0, "force_probe": 1000.0, "force_guard": 9000.0, "touch": 500.0,
        "stroke_bound": 7e-4, "tolerance": 0.03, "patience": 8.0,
    }  # fmt: skip


@pytest.mark.parametrize(("block", "tail"), [(20, 5), (100, 25), (1, 1), (3, 1), (9, 2), (7, 2)])
def test_where_a_channel_is_now_is_told_by_the_last_quarter_of_a_block(block: int, tail: int) -> None:
    assert Settings.from_shares(Preparation(), 1.0, 1.0, block, 1000.0).tail == tail


@pytest.mark.parametrize(("preload", "side"), [(0.02, 1.0), (-0.02, -1.0)])
def test_the_preload_says_the_side(preload: float, side: float) -> None:
    assert settings(preload=preload).side == side


@pytest.mark.parametrize(("duration", "blocks"), [(0.05, 5), (0.1, 10), (0.014, 1), (0.016, 2), (0.0, 1)])
def test_blocks_in_a_time(duration: float, blocks: int) -> None:
    assert settings().blocks(duration) == blocks


def test_now_is_the_end_of_a_reading() -> None:
    one = reading(0.0, force=8.0, stroke=3.0, before=100.0)
    assert (one.force_now, one.stroke_now) == (8.0, 3.0)
    n = np.arange(20.0)
    rising = Reading(0.0, n, n, 2.0 * n, 5, n > 0)
    assert (rising.force_now, rising.stroke_now) == (17.0, 34.0), "the mean of the last five"


@pytest.mark.parametrize(("count", "sizes"), [(45, [25, 20]), (40, [20, 20]), (20, [20]), (15, [15]), (59, [39, 20]), (21, [21])])
def test_a_long_reading_is_taken_in_pieces_the_first_with_what_is_over(count: int, sizes: list[int]) -> None:
    n = np.arange(count, dtype=float)
    pieces = [*Reading(7.0, n, n + 0.25, n + 0.5, 5, n % 2 > 0).pieces(BLOCK)]
    assert [len(piece.force) for piece in pieces] == sizes
    assert {(piece.setpoint, piece.tail) for piece in pieces} == {(7.0, 5)}
    for name, values in (("command", n), ("force", n + 0.25), ("stroke", n + 0.5), ("sure", n % 2 > 0)):
        np.testing.assert_array_equal(np.concatenate([getattr(piece, name) for piece in pieces]), values)


def test_where_a_block_is_one_sample_each_is_a_piece() -> None:
    """As of 10 ms at 100 Hz."""
    n = np.arange(3.0)
    assert [piece.force.tolist() for piece in Reading(0.0, n, n, n, 1, n >= 0.0).pieces(1)] == [[0.0], [1.0], [2.0]]


@pytest.mark.parametrize(("target", "goes"), [(10.0, 3.0), (-10.0, -1.0), (2.5, 2.5), (-0.5, -0.5), (1.0, 1.0), (3.0, 3.0), (-1.0, -1.0)])
def test_a_step_goes_as_far_as_it_reaches_and_no_further(target: float, goes: float) -> None:
    assert towards(1.0, target, 2.0) == goes
