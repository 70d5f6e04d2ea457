"""The mechanism and its orbits in the window: where the model says that they are, live, held, and the same of a record."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from PySide6.QtGui import QImage

from rig.display.panels.curve import Curve
from rig.display.panels.orbit import APART
from rig.display.sources.live import LiveSource
from rig.display.sources.moving import Moving, moving
from rig.display.sources.record import RecordSource
from rig.display.sources.source import Trace
from rig.display.sources.view_model import Subject
from rig.display.window.live_window import LiveWindow
from rig.errors import ConfigError
from rig.recorder.description import Description, StreamShape
from rig.recorder.reading import read_run
from rig.recorder.record import Record
from tests.unit.rig.display.display_rings import FREQUENCY, RATE
from tests.unit.rig.display.moved_rings import CONFIGS, PLAY, WIDE, MovedRings, places, planned

TOUCHING = 2.0 / np.pi * np.arccos(1.0 / 1.02)
"""Share of the time that a sine of 1.02 is beyond 1."""
CYCLE = round(RATE / FREQUENCY)

Opened = Callable[[Subject], LiveWindow]


@pytest.fixture
def rings(tmp_path: Path) -> Iterator[MovedRings]:
    made = MovedRings(tmp_path)
    yield made
    made.close()


@pytest.fixture
def opened(qt: Any, rings: MovedRings, tmp_path: Path) -> Iterator[Opened]:
    made: list[LiveWindow] = []

    def window(what: Subject) -> LiveWindow:
        source = LiveSource(rings.paths, what.traces(what.force))
        one = LiveWindow(what, source, tmp_path / "window.ini", lambda reason: None, lambda: None)
        made.append(one)
        one.show()
        return one

    yield window
    for one in made:
        one.hide()
        one.source.close()  # type: ignore[attr-defined]
        one.deleteLater()


def drawn(window: LiveWindow, rings: MovedRings, frames: int = 24) -> None:
    for _ in range(frames):
        rings.append(2048)
        assert window.refresh()


def ends(curve: Curve) -> tuple[float, float, float, float]:
    """Left, right, lower and upper end of what it draws."""
    box = curve._path.boundingRect()
    return box.left(), box.right(), box.top(), box.bottom()


def test_a_pin_is_drawn_where_the_model_has_it_and_its_contact_is_marked(opened: Opened, rings: MovedRings, tmp_path: Path) -> None:
    window = opened(planned(tmp_path))
    window.toggle_orbit()
    drawn(window, rings)
    orbit = window.panels.orbit
    assert not orbit.why.text()
    a, b = orbit._joints
    newest = places(np.array([np.floor((rings.n - 1) / 51.2) * 51.2]))[0]
    window.panels.orbit.refresh(window.source, rings.n)
    assert a.now.pos().x() == pytest.approx((newest[2] - newest[1]) / (0.5 * PLAY), abs=1e-9)
    assert b.now.pos().x() == pytest.approx(APART + (newest[3] - newest[2]) / (0.5 * PLAY), abs=1e-9)
    assert ends(a.flight)[:2] == (pytest.approx(-0.9, abs=0.001), pytest.approx(0.9, abs=0.001))
    assert a.contact._path.isEmpty() and "0 % touching" in a.words.toPlainText()
    assert ends(b.contact)[:2] == (pytest.approx(APART - 1.02, abs=0.001), pytest.approx(APART + 1.02, abs=0.001))
    assert b.words.toPlainText() == f"joint B, 0.2 mm\n{100.0 * TOUCHING:.0f} % touching"


def test_shown_by_a_key_remembered_and_not_drawn_otherwise(opened: Opened, rings: MovedRings, tmp_path: Path) -> None:
    what = planned(tmp_path)
    window = opened(what)
    drawn(window, rings)
    assert not window.panels.orbit.isVisible() and not window.panels.orbit._joints
    window.toggle_orbit()
    window.toggle_animation()
    window.keep()
    again = opened(what)
    drawn(again, rings)
    assert again.panels.orbit.isVisible() and again.panels.animation.isVisible() and again.panels.orbit._joints
    again.toggle_orbit()
    assert not again.panels.orbit.isVisible() and again.panels.animation.isVisible()


def test_no_frame_draws_two_panels_beside_the_curves(opened: Opened, rings: MovedRings, tmp_path: Path, monkeypatch: Any) -> None:
    window = opened(planned(tmp_path))
    window.toggle_orbit()
    window.toggle_animation()
    drawn(window, rings, 2)
    asked: list[str] = []
    panels = window.panels
    for name in ("loop", "channels", "spectrum", "trend", "orbit", "animation"):
        monkeypatch.setattr(getattr(panels, name), "refresh", lambda *given, name=name: asked.append(name))
    for frame in range(60):
        drawn(window, rings, 1)
        assert len(asked) <= frame + 1
    assert {name: asked.count(name) for name in set(asked)} == {
        "loop": 12, "channels": 6, "spectrum": 6, "trend": 6, "animation": 20, "orbit": 10
    }  # fmt: skip


def test_the_mechanism_goes_through_its_last_cycle_in_slow_motion_and_stands_where_it_is_held(
    opened: Opened, rings: MovedRings, tmp_path: Path, monkeypatch: Any
) -> None:
    now = SimpleNamespace(s=100.0)
    monkeypatch.setattr("rig.display.panels.animation.clock.now", lambda: now.s)
    window = opened(planned(tmp_path))
    window.toggle_animation()
    drawn(window, rings)
    animation = window.panels.animation
    shown = []
    for now.s in (110.0, 111.5, 114.5):  # of 6 s: at the begin, after a quarter and after three quarters of the cycle
        animation.refresh(window.source, rings.n)
        scene = animation._scene
        assert scene is not None
        shown.append(ends(scene._bodies[2])[0])
    motion = scene.shown.motion
    for place, share in zip(shown, (0.0, 0.25, 0.75), strict=True):
        moment = int(np.searchsorted(motion.time, motion.time[0] + share * np.ptp(motion.time)))
        assert place == pytest.approx(scene._places[2][moment, 0, 0], abs=2e-4)  # a moment more or less
    assert np.ptp(shown) > 2e-3, "the play is magnified"
    assert "18 × slower" in animation.figures.text()
    window.toggle_pause()
    held = window.moment()
    assert held is not None
    drawn(window, rings)
    scene = animation._scene
    moment = int(np.searchsorted(scene.shown.motion.time, (held - 1) / RATE, side="right")) - 1
    assert abs(scene.shown.motion.time[moment] - held / RATE) < 0.002
    assert ends(scene._bodies[2])[0] == pytest.approx(scene._places[2][moment, 0, 0], abs=1e-6)


def recorded(folder: Path, rings: MovedRings, blocks: dict[str, np.ndarray]) -> RecordSource:
    record = Record(folder / "run.h5", Description("0007-linkage", "made up", "2026-01-01T00:00:00", "", "", {}))
    for name, block in blocks.items():
        writer = rings.writers[name]
        record.stream(StreamShape(name, writer.names, ("1",) * len(writer.names), RATE), 0 if name == "motion" else None)
        record.append(name, 0, block)
    record.close()
    return RecordSource(read_run(folder / "run.h5"), ())


def test_the_same_motion_live_and_of_the_record(rings: MovedRings, tmp_path: Path) -> None:
    what = planned(tmp_path)
    blocks = rings.blocks(3 * CYCLE)
    for name, block in blocks.items():
        rings.writers[name].append(block)
    source = LiveSource(rings.paths, ())
    source.poll()
    record = recorded(tmp_path, rings, blocks)
    moved = moving(what.folder, dict(what.quantities))
    live, after = (moved.motion(one, CYCLE, 2 * CYCLE) for one in (source, record))
    assert live is not None and after is not None
    assert len(live.time) == pytest.approx(1000.0 / FREQUENCY, abs=1.0)
    np.testing.assert_array_equal(live.time, after.time)
    for one, other in zip(live.pins, after.pins, strict=True):
        np.testing.assert_array_equal(one.offset, other.offset)
    assert source.rows("motion", CYCLE, CYCLE)[1].shape == (0, 4)  # no look just there: none is made up
    source.freeze()
    kept = moved.motion(source, CYCLE, 2 * CYCLE)
    assert kept is not None and np.array_equal(kept.time, live.time), "when the rings are gone"
    assert [len(record.samples(trace, 0, 10)[1]) for trace in what.band(what.force)] == [10, 10]
    record.close()


def test_a_session_that_goes_on_shows_its_own_samples(rings: MovedRings) -> None:
    rings.append(CYCLE)
    first, later = (LiveSource(rings.paths, (), first_sample=origin) for origin in (0, 512))
    assert later.rows("motion", 0, 100)[1][:, 0].tolist() == [value - 512 for value in first.rows("motion", 512, 612)[1][:, 0]]


class Told:
    """A source whose samples are given, in place of rings or record."""

    rate = 1000.0

    def __init__(self, samples: dict[Trace, np.ndarray]) -> None:
        self._samples = samples

    def samples(self, trace: Trace, first: int, last: int) -> tuple[int, np.ndarray]:
        return first, self._samples[trace][first:last]


def test_channels_that_say_it_all_are_drawn_from_and_what_the_bench_measures_beside(tmp_path: Path) -> None:
    what = planned(tmp_path, "slider_bar_rig")
    moved = moving(what.folder, dict(what.quantities))
    assert isinstance(moved, Moving)
    count = 500
    lift = 5e-5 * np.sign(np.sin(np.arange(count) / 20.0))
    samples = {Trace("predicted", name): values for name, values in (("x", np.zeros(count)), ("lift_rear", lift), ("lift_front", -lift))}
    samples |= {Trace("measured", name): 0.9 * samples[Trace("predicted", name)] for name in ("x", "lift_rear", "lift_front")}
    source: Any = Told(samples)
    told, seen = moved.motion(source, 100, 400), moved.as_measured(source, 400)
    assert told is not None and seen is not None
    np.testing.assert_array_equal(told.guides[0].ends, np.column_stack((lift, -lift))[100:400])
    np.testing.assert_allclose(seen.guides[0].ends[-1], 0.9 * told.guides[0].ends[-1])
    assert Moving(moved._drawn, {"x": "x"}).as_measured(source, 400) is None  # the control: a bench that measures but a part of it


def test_where_nothing_can_be_drawn_it_is_said(opened: Opened, rings: MovedRings, tmp_path: Path) -> None:
    window = opened(replace(planned(tmp_path), folder=None))
    window.toggle_orbit()
    drawn(window, rings, 4)
    assert window.panels.orbit.why.text() == "nothing is drawn here: beside this record there is no plan.json, which tells what was tested"
    with pytest.raises(ConfigError, match=r"no plan\.json"):
        moving(CONFIGS, {})


def test_the_band_lies_about_the_prediction_as_it_came(opened: Opened, rings: MovedRings, tmp_path: Path) -> None:
    what = replace(planned(tmp_path), lowpass=1000.0)
    window = opened(what)
    drawn(window, rings)
    overlay = window.panels.overlay
    low, high = overlay.extremes["predicted"]
    *_, lower, upper = ends(overlay._band)
    assert (lower, upper) == (pytest.approx((low - WIDE) / 1e3, rel=0.01), pytest.approx((high + WIDE) / 1e3, rel=0.01))
    assert "predicted, band" in overlay._legend.text()
    window.toggle_lowpass()
    drawn(window, rings, 2)
    assert overlay._band._path.isEmpty()
    without = opened(replace(what, coverage=0.0))
    drawn(without, rings, 2)
    assert without.panels.overlay._band._path.isEmpty()


def test_colours_are_those_of_the_theme(opened: Opened, rings: MovedRings, tmp_path: Path) -> None:
    window = opened(planned(tmp_path))
    window.toggle_orbit()
    window.toggle_animation()
    drawn(window, rings)
    seen = []
    for name in ("light", "dark"):
        window.apply_theme(name)
        image = window.panels.orbit.board.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)
        seen.append(image.pixelColor(2, 2).name())
    assert seen == ["#ffffff", "#1b1f24"]
