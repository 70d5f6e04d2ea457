"""Smooth curves through points: what they are at their ends, how fast they near what the points are of, what is refused."""

from __future__ import annotations

import math
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from model.assembly.functions.spline import ON, REPEAT, REST, table, through


def worst(points: int) -> float:
    """Error of the second derivative of a curve through points of a sine that repeats, 1/s^2."""
    t = np.linspace(0.0, 2.0 * math.pi, points + 1)
    found = through(list(zip(t.tolist(), np.sin(t).tolist(), strict=True)), "points", REPEAT)
    return max(abs(found(x)[2] + math.sin(x)) for x in np.linspace(0.0, 20.0, 333).tolist())


def test_accelerations_come_nearer_with_the_fourth_power_of_the_spacing() -> None:
    """Degree 5: values by the sixth power, the second derivative by the fourth (de Boor 1978, chapter XII)."""
    errors = [worst(points) for points in (20, 40, 80)]
    orders = [math.log2(a / b) for a, b in pairwise(errors)]
    assert all(3.7 < order < 4.5 for order in orders) and errors[-1] < 1e-5


@pytest.mark.parametrize("beyond", [REST, ON])
def test_it_goes_through_its_points_and_ends_as_is_said(beyond: str) -> None:
    points = [(0.0, 0.0), (0.3, 1.0), (0.5, 0.4), (1.0, 2.0), (1.1, 2.2)]
    found = through(points, "points", beyond)
    assert [found(x)[0] for x, _ in points] == pytest.approx([y for _, y in points], abs=1e-12)
    for end, outside in ((0.0, -2.0), (1.1, 3.0)):
        value, rate, second = found(end)
        assert second == pytest.approx(0.0, abs=1e-8)
        assert found(outside) == pytest.approx((value + rate * (outside - end), rate, 0.0), abs=1e-6)
        assert (abs(rate) < 1e-9) is (beyond == REST)


def test_two_points_make_the_polynomial_from_rest_to_rest() -> None:
    """10 x^3 - 15 x^4 + 6 x^5."""
    found = through([(0.0, 1.0), (2.0, 4.0)], "points")
    assert found(1.0) == pytest.approx((2.5, 3.0 * 1.875 / 2.0, 0.0), abs=1e-12)
    assert found(0.5)[0] == pytest.approx(1.0 + 3.0 * (10 / 64 - 15 / 256 + 6 / 1024), abs=1e-12)


def test_what_repeats_goes_on_from_where_it_has_ended() -> None:
    points = [(0.0, 0.0), (0.2, 0.5), (0.4, 1.5), (0.5, 1.9), (0.6, 2.6), (0.8, 2.8), (1.0, 3.0)]
    found = through(points, "points", REPEAT)
    assert found(5.4)[0] == pytest.approx(16.5, abs=1e-12) and found(-0.6)[0] == pytest.approx(-1.5, abs=1e-12)
    assert found(2.0 - 1e-9)[1:] == pytest.approx(found(2.0 + 1e-9)[1:], rel=1e-5)


@pytest.mark.parametrize(
    ("points", "beyond", "said"),
    [
        ([(0.0, 1.0)], REST, "points: expected 2 to 5000 points, got 1"),
        ([(0.0, 1.0), (0.0, 2.0)], REST, "rises, got 0 after 0"),
        ([(0.0, 1.0), (1.0, 2.0)], REPEAT, "at least 6 points of what repeats, got 2"),
    ],
)
def test_what_is_no_curve_is_refused(points: list[tuple[float, float]], beyond: str, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        through(points, "points", beyond)


def test_a_file_of_points_is_read_and_what_is_none_is_told(tmp_path: Path) -> None:
    file = tmp_path / "way.csv"
    file.write_text("time [s], way [deg]\n0, 0\n0.5; 30  # half way\n\n1.0 60\n")
    assert table(str(file), 2.0, "file") == [(0.0, 0.0), (0.5, 60.0), (1.0, 120.0)]
    file.write_text("0, 0\n0.5, ten\n")
    with pytest.raises(ValueError, match=r"file: way.csv, line 2: expected two numbers, such as 0.1, 25; got '0.5, ten'"):
        table(str(file), 1.0, "file")
    with pytest.raises(ValueError, match=r"cannot read .*missing.csv: No such file"):
        table(str(tmp_path / "missing.csv"), 1.0, "file")
    file.write_text("0, 0\n1, nan\n")
    with pytest.raises(ValueError, match="line 2"):
        table(str(file), 1.0, "file")
