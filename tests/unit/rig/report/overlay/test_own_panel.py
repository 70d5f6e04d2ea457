"""A panel of the user's own in overlay.png: one file in a folder outside the program, found by its place, drawn under the others."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import matplotlib.image
import numpy as np
import pytest

from rig.report.overlay.page import DPI, ROOM, ROW, SIZE, overlay
from rig.report.palette import MUTED, PREDICTED
from tests.documented_files import shown
from tests.tiers import quick
from tests.unit.rig.own_folder import forget, own_room
from tests.unit.rig.report.overlay.test_page import coloured, page

COLOUR = "#ff00ff"
HISTOGRAM = shown("your_own_kinds.md")["A panel of overlay.png"].replace("bins=40", f'bins=40, color="{COLOUR}"')


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Path]:
    with own_room(ROOM, tmp_path) as folder:
        yield folder


def test_it_stands_under_the_others(room: Path, tmp_path: Path) -> None:
    (room / "force_histogram.py").write_text(HISTOGRAM)
    overlay(tmp_path / "overlay.png", page())
    picture = matplotlib.image.imread(tmp_path / "overlay.png")
    assert picture.shape[:2] == (int((SIZE[1] + ROW) * DPI), int(SIZE[0] * DPI))
    usual = int(SIZE[1] * DPI)
    assert coloured(picture[usual:], COLOUR) > 1000 and coloured(picture[:usual], COLOUR) == 0
    (room / "force_histogram.py").unlink()
    forget()
    overlay(tmp_path / "usual.png", page())
    without = matplotlib.image.imread(tmp_path / "usual.png")
    assert without.shape[0] == usual
    assert np.mean(np.any(np.abs(without - picture[:usual]) > 0.2, axis=2)) < 0.01, "the usual part of the page stays as it is"


@pytest.mark.long
def test_one_that_does_not_fit_takes_no_room(room: Path, tmp_path: Path) -> None:
    (room / "force_histogram_of_metres.py").write_text(HISTOGRAM.replace('== "N"', '== "m"'))
    overlay(tmp_path / "overlay.png", page())
    assert matplotlib.image.imread(tmp_path / "overlay.png").shape[0] == int(SIZE[1] * DPI)


UNDRAWN, UNFIT = HISTOGRAM.replace("axes.hist(", "axes.no_such_plot("), HISTOGRAM.replace("data.controlled.unit", "data.nothing")


@pytest.mark.parametrize("text", quick(["import no_such_vendor", UNDRAWN, UNFIT], 1))
def test_one_that_fails_says_so_in_its_place_and_the_rest_is_drawn(room: Path, tmp_path: Path, text: str) -> None:
    (room / "failing.py").write_text(text)
    overlay(tmp_path / "overlay.png", page())
    picture = matplotlib.image.imread(tmp_path / "overlay.png")
    usual = int(SIZE[1] * DPI)
    assert picture.shape[0] == int((SIZE[1] + ROW) * DPI)
    assert coloured(picture[:usual], PREDICTED) > 1000, "the page that a verdict rests on"
    assert coloured(picture[usual:], MUTED) > 300 and coloured(picture[usual:], COLOUR) == 0
