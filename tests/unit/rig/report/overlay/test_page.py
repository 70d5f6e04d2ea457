"""overlay.png: complete, quick, without Qt, whatever is missing; reduction loses no impact."""

import itertools
import subprocess
import sys
import time
import tracemalloc
from dataclasses import replace

import matplotlib.image
import numpy as np
import pytest

from rig.comparison import ChannelAgreement, Line, Verdict, agreement
from rig.comparison.responses import response
from rig.comparison.reversals import reversals
from rig.report.drawing import Figure, FigureCanvasAgg
from rig.report.overlay.content import Impacts, OverlayData, Pair
from rig.report.overlay.page import BOTTOM, DPI, LEFT, RIGHT, SIZE, TOP, _panels, overlay
from rig.report.overlay.panels import whole_run
from rig.report.overlay.panels.verdict import draw_verdict
from rig.report.palette import MEASURED, PREDICTED
from rig.report.reducing import along, envelope
from rig.streaming.interruptions import Interruption
from tests.tiers import quick

RATE = 51200.0


def page(seconds: float = 2.0, frequency: float = 3.0) -> OverlayData:
    """A sine with a dead band in which the force is zero, predicted a little early."""
    n = np.arange(int(seconds * RATE))
    phase = 2.0 * np.pi * frequency * n / RATE
    command = 1e4 * np.sin(phase)
    cycle = np.floor(phase / (2.0 * np.pi))

    def force(lag: float) -> np.ndarray:
        wave = np.sin(phase - lag)
        return np.where(np.abs(wave) < 0.5, 0.0, 1e4 * wave)

    measured, predicted = force(0.1), force(0.09)
    kept = cycle >= 2.0
    found = agreement(measured, predicted, rate=RATE, command=command, cycle=cycle, amplitude=1e4, frequency=frequency, unit="N")
    zeros = reversals(command, cycle, kept, 1e4, RATE / frequency)
    zero = zeros[len(zeros) // 2]
    lines = (Line("force", "max", 0.001, 0.015, True, "text"), Line("force", "first_impact", -0.02, 0.005, False, "text"))
    return OverlayData(
        title="0001 linkage",
        subtitle="virtual loader",
        rate=RATE,
        channel="transmitted_force",
        command=command,
        controlled=Pair(measured, predicted, "N"),
        counts=range(int(np.flatnonzero(kept)[0]), len(kept)),
        stroke=Pair(measured * 5e-8, predicted * 5e-8, "m"),
        agreements={"transmitted_force": found},
        impacts=Impacts(zero, response(measured, command, zero, RATE), response(predicted, command, zero, RATE)),
        verdict=Verdict("fail", "force first impact -2 % T, to be within 0.5 % T", lines),
    )


def coloured(picture: np.ndarray, colour: str) -> int:
    """Pixels of nearly this colour."""
    wanted = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255.0
    return int(np.count_nonzero(np.max(np.abs(picture[..., :3] - wanted), axis=-1) < 0.05))


def drawn(path, data: OverlayData) -> np.ndarray:
    overlay(path, data)
    return matplotlib.image.imread(path)


def test_page_shows_both(tmp_path):
    picture = drawn(tmp_path / "overlay.png", page())
    assert picture.shape[:2] == (SIZE[1] * DPI, SIZE[0] * DPI)
    assert coloured(picture, MEASURED) > 2000
    assert coloured(picture, PREDICTED) > 2000
    assert [p.name for p in tmp_path.iterdir()] == ["overlay.png"]


def test_where_a_test_was_held_or_resumed_is_marked_in_words(tmp_path):
    stood = [Interruption(0.5, 0.9, "held"), Interruption(1.4, 1.4, "broken off, resumed")]
    clean, marked = (_whole_run(replace(page(), interruptions=those)) for those in ([], stood))
    assert [text.get_text() for text in marked.texts] == ["held", "broken off, resumed"]
    assert [text.xy[0] for text in marked.texts] == [0.5, 1.4]
    assert len(marked.patches) == len(clean.patches) + 1 and len(marked.lines) == len(clean.lines) + 1
    assert not clean.texts


def test_words_of_many_breaks_do_not_hide_each_other():
    stood = [Interruption(0.001 * n, 0.001 * n, "broken off, resumed") for n in range(100)]
    axes = _whole_run(replace(page(), interruptions=stood))
    assert len(axes.lines) > 100 and 2 <= len(axes.texts) <= 3


def _whole_run(data: OverlayData):
    figure = Figure()
    FigureCanvasAgg(figure)
    whole_run.Config().draw(figure, figure.add_gridspec(1, 1)[0, 0], data)
    figure.canvas.draw()
    return figure.axes[0]


def without_prediction(data: OverlayData) -> OverlayData:
    impacts = replace(data.impacts, predicted=None)
    return replace(data, controlled=replace(data.controlled, predicted=None), stroke=replace(data.stroke, predicted=None), impacts=impacts)


@pytest.mark.parametrize(
    "change",
    quick(
        [
            without_prediction,
            lambda data: replace(data, stroke=None, agreements={}, impacts=None, verdict=None),
            lambda data: replace(data, counts=range(0), agreements={"transmitted_force": ChannelAgreement()}, impacts=None),
            lambda data: replace(data, controlled=replace(data.controlled, predicted=np.full_like(data.command, np.nan))),
            lambda data: replace(data, controlled=replace(data.controlled, measured=np.zeros_like(data.command))),
            lambda data: replace(
                data, verdict=Verdict("cannot_discriminate", "the other law agrees just as well " * 4, data.verdict.lines)
            ),
            lambda data: replace(
                data, command=data.command[:0], controlled=Pair(np.empty(0), None, "N"), counts=range(0), stroke=None, impacts=None
            ),
        ],
        2,
    ),
    ids=["no prediction", "force alone", "nothing counted", "prediction not known", "measured zero", "long reason", "no sample"],
)
def test_what_is_missing_is_left_out(tmp_path, change):
    picture = drawn(tmp_path / "overlay.png", change(page()))
    assert coloured(picture, "#FFFFFF") > 0.3 * picture.shape[0] * picture.shape[1]


def middle(picture: np.ndarray, right: bool) -> np.ndarray:
    """The panel in the middle row, as a part of the page: left or right."""
    (height, width), (low, high) = picture.shape[:2], ((LEFT, 0.64), (0.70, RIGHT))[right]
    top, bottom = (1.0 - (TOP - share * (TOP - BOTTOM)) for share in (0.36, 0.68))
    return picture[int(top * height) : int(bottom * height), int(low * width) : int(high * width)]


def stroke_is_commanded(data: OverlayData) -> OverlayData:
    """The same force, of a loader that is told a stroke, which leads the model."""
    stroke = data.command * 4e-7
    fed = replace(data.stroke, measured=stroke, predicted=None)
    return replace(data, command=stroke, command_unit="m", stroke=fed, impacts=None)


@pytest.mark.parametrize(
    "change", quick([stroke_is_commanded, lambda data: replace(data, impacts=None, agreements={})], 1), ids=["stroke", "no period"]
)
def test_a_page_without_a_load_reversal_shows_a_cycle_in_its_place(tmp_path, change):
    picture = drawn(tmp_path / "overlay.png", change(page()))
    of_cycle, of_loop = middle(picture, False), middle(picture, True)
    for part in (of_cycle, of_loop):
        assert min(coloured(part, MEASURED), coloured(part, PREDICTED)) > 500
    empty = drawn(tmp_path / "empty.png", replace(change(page()), counts=range(0)))
    assert coloured(middle(empty, False), MEASURED) == 0  # and the place that was looked at is the panel's


def test_the_middle_has_one_panel_whatever_is_commanded():
    for data in (page(), stroke_is_commanded(page()), replace(page(), counts=range(0), impacts=None)):
        found, wrong = _panels(data)
        assert not wrong
        assert [panel.PLACE for panel in found].count("middle") == 1


def test_prediction_is_not_drawn_when_there_is_none(tmp_path):
    """Nothing of the colour remains but what the failing line is printed in."""
    passing = Verdict("pass", "", ())
    with_it = drawn(tmp_path / "a.png", replace(page(), verdict=passing))
    without = drawn(tmp_path / "b.png", replace(without_prediction(page()), agreements={}, verdict=passing))
    assert coloured(without, PREDICTED) == 0 < coloured(with_it, PREDICTED)


@pytest.mark.long
def test_three_million_samples(tmp_path):
    """A minute at 51.2 kS/s: seconds and modest memory; half its own duration fails."""
    data = page(seconds=60.0)
    tracemalloc.start()
    begun = time.process_time()
    overlay(tmp_path / "overlay.png", data)
    elapsed, (_, peak) = time.process_time() - begun, tracemalloc.get_traced_memory()
    tracemalloc.stop()
    print(f"overlay of {len(data.command)} samples: {elapsed:.2f} s, {peak / 1e6:.0f} MB on top")
    assert elapsed < 30.0
    assert peak < 250e6


def test_no_window_system_is_touched():
    """Drawing imports neither Qt nor pyplot, and the comparison alone not even matplotlib."""
    code = """
import sys
import rig.comparison, rig.report.table, rig.report.overlay.content
assert "matplotlib" not in sys.modules
import rig.report.overlay.page
assert not [name for name in sys.modules if name.startswith(("PySide6", "pyqtgraph", "matplotlib.pyplot"))]
"""
    subprocess.run([sys.executable, "-c", code], check=True)


def test_envelope_keeps_every_extreme():
    rng = np.random.default_rng(1)
    y = rng.standard_normal(200_001)
    y[123_456] = 50.0
    y[7] = -40.0
    y[50_000:51_000] = np.nan
    x, reduced = envelope(np.arange(200_001.0), y, columns=500)
    assert len(reduced) <= 2000
    assert np.nanmax(reduced) == 50.0
    assert np.nanmin(reduced) == -40.0
    assert np.all(np.diff(x) >= 0.0)
    assert np.isnan(reduced).any()
    short = np.arange(100.0)
    assert envelope(short, short)[1] is short


def test_loop_keeps_its_shape():
    """Points along a loop: few, in order, and never far apart, although the loop is run through at very uneven speed."""
    t = np.linspace(0.0, 1.0, 300_000) ** 6 * 2.0 * np.pi
    x, y = np.cos(t), 5.0 * np.sin(t)
    chosen = along(x, y, points=1000)
    assert len(chosen) <= 1000
    assert np.all(np.diff(chosen) > 0)
    assert np.max(np.hypot(np.diff(x[chosen]), np.diff(y[chosen]) / 5.0)) < 0.02


def test_no_two_words_of_the_verdict_lie_over_each_other() -> None:
    """Heads and rows of the panel, as wide as it is on the page."""
    figure = Figure(figsize=SIZE, dpi=DPI)
    canvas = FigureCanvasAgg(figure)
    axes = figure.add_axes((0.65, 0.6, 0.335, 0.28))
    data = page()
    metrics = ("max", "impact_peak", "overshoot", "first_impact", "fundamental", "phase", "nrms", "within_5_percent", "band_level")
    lines = tuple(Line("transmitted_force", metric, -0.123, 0.015, metric != "max", "text") for metric in metrics)
    draw_verdict(axes, Verdict("fail", "too far", lines), data.agreements, "transmitted_force")
    canvas.draw()
    boxes = [(text.get_text(), text.get_window_extent()) for text in axes.texts if text.get_text()]
    pairs = itertools.combinations(boxes, 2)
    over = [(one, other) for (one, a), (other, b) in pairs if a.x0 < b.x1 and b.x0 < a.x1 and abs(a.y0 - b.y0) < 5]
    assert not over and len(boxes) > 30


def test_nor_where_criteria_have_long_names() -> None:
    """Of two channels with levels, whose values stand beside the turn."""
    figure = Figure(figsize=SIZE, dpi=DPI)
    canvas = FigureCanvasAgg(figure)
    axes = figure.add_axes((0.65, 0.6, 0.335, 0.28))
    level = replace(page().agreements["transmitted_force"], band_level_measured=123.4, band_level_predicted=234.5)
    names = ("slider_acceleration", "crank_torque")
    lines = tuple(Line(name, metric, 0.1, 0.2, True, "text") for name in names for metric in ("band_level", "max"))
    draw_verdict(axes, Verdict("pass", "", lines), dict.fromkeys(names, level), names[0])
    canvas.draw()
    boxes = [text.get_window_extent() for text in axes.texts if text.get_text()]
    assert not [(a, b) for a, b in itertools.combinations(boxes, 2) if a.x0 < b.x1 and b.x0 < a.x1 and abs(a.y0 - b.y0) < 5]
