"""The level in the band on the page: both levels, what is allowed, each cycle; where it stands, and when it is not there."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from matplotlib.axes import Axes

from rig.comparison import ChannelAgreement, Line, Verdict
from rig.comparison.result import CycleLevel
from rig.report.drawing import Figure, FigureCanvasAgg
from rig.report.overlay.content import OverlayData, Pair
from rig.report.overlay.page import _panels
from rig.report.overlay.panels.band_level import Config
from rig.report.overlay.panels.report_panel import OF_THE_USER
from rig.report.overlay.turn import Turn

TURN = Turn("One turn", "angle, deg", 0.0, 0.0, np.zeros(2), ())


def data(error: float | None, tolerance: float = 0.2, turn: Turn | None = TURN) -> OverlayData:
    """A measured level of 2 m/s2, one of the model that is off by `error`."""
    predicted = None if error is None else 2.0 * (1.0 + error)
    cycles = tuple(CycleLevel(n, 2.0, predicted or 0.0) for n in range(2, 12))
    agreement = ChannelAgreement(
        unit="m/s^2", max_measured=50.0, band_level_measured=2.0, band_level_predicted=predicted, band_level_error=error, band_cycles=cycles
    )
    line = Line("slider_acceleration", "band_level", error, tolerance, error is not None and abs(error) <= tolerance, "text")
    nothing = np.zeros(10)
    verdict = Verdict("pass" if line.passed else "fail", "", (line,))
    pair = Pair(nothing, nothing, "N*m")
    agreements = {"slider_acceleration": agreement}
    return OverlayData(
        "a run",
        "a bench",
        1000.0,
        "crank_torque",
        nothing,
        pair,
        range(10),
        agreements=agreements,
        verdict=verdict,
        turn=turn,
        band=(100.0, 300.0),
    )


def drawn(page: OverlayData) -> list[Axes]:
    figure = Figure(figsize=(6.0, 4.0))
    FigureCanvasAgg(figure)
    Config().draw(figure, figure.add_gridspec(1, 1)[0], page)
    return figure.axes


def said(axes: Axes) -> list[str]:
    return [text.get_text() for text in axes.texts]


@pytest.mark.parametrize("error", [0.1, -0.5, 1.0])
def test_both_levels_and_what_is_allowed_are_drawn_and_said(error: float) -> None:
    (axes,) = drawn(data(error))
    assert axes.get_title("left") == "Slider acceleration: level, 100 to 300 Hz"
    levels = [line.get_ydata()[0] for line in axes.lines[:2]]
    assert levels == pytest.approx([2.0, 2.0 * (1.0 + error)])
    allowed = axes.patches[0].get_extents().transformed(axes.transData.inverted())
    assert sorted((allowed.y0, allowed.y1)) == pytest.approx([1.6, 2.4])
    assert axes.get_ylim()[1] > max(2.4, levels[1])
    assert said(axes) == ["measured 2", f"predicted {levels[1]:.3g} ({100.0 * error:+.2f} %)", "allowed ± 20 %"]
    bold = [text for text in axes.texts if text.get_fontweight() == "bold"]
    assert bool(bold) == (abs(error) > 0.2)


def test_a_level_that_could_not_be_told_is_said() -> None:
    (axes,) = drawn(data(None))
    assert said(axes) == ["no level could be told"]


def test_where_it_stands_and_when() -> None:
    panel = Config()
    assert panel.fits(data(0.1)) and panel.place(data(0.1)) == "middle right"
    assert panel.place(data(0.1, turn=None)) == OF_THE_USER  # force over stroke stands there
    without = replace(data(0.1), verdict=Verdict("pass", "", ()))
    assert not panel.fits(without) and not panel.fits(replace(without, verdict=None))
    found, wrong = _panels(data(0.1))
    assert not wrong and [one.place(data(0.1)) for one in found].count("middle right") == 1
