"""The window at the end of a test: verdict, reason and figures stay until it is closed. And before it: the preparation."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtWidgets import QApplication

from rig.display.ending import Ended
from rig.display.sources.live import LiveSource
from rig.display.sources.source import Trace
from rig.display.status import Status
from rig.display.theme import RESULTS
from rig.display.window.live_window import STAYS, LiveWindow
from rig.streaming.ring import RingWriter
from tests.tiers import quick
from tests.unit.rig.display.display_rings import RATE, SUBJECT, Rings

FORCE = Trace("measured", "transmitted_force")
TABLE = "channel  error *\n-----\nforce  +0.10\n* predicted - measured"
COLUMNS = ["stage", "force_command", "stroke_command", "force", "stroke"]


class Shown:
    """A window on rings, and what it asked for."""

    def __init__(self, folder: Path, rings: Rings, paths: dict[str, Path]) -> None:
        what = replace(SUBJECT, preparation_guard=10e3)
        self.stops: list[str] = []
        self.left = 0
        self.source = LiveSource(paths, what.traces(what.force))
        self.window = LiveWindow(what, self.source, folder / "no.ini", self.stops.append, self._leave, self.source.prepared)
        self.window.show()

    def _leave(self) -> None:
        self.left += 1

    @property
    def banner(self) -> tuple[str, str]:
        return self.window._banner._state.text(), self.window._banner._message.text()


@pytest.fixture
def shown(tmp_path: Path, rings: Rings, qt: QApplication) -> Callable[..., Shown]:
    return lambda **more: Shown(tmp_path, rings, rings.paths | more)


def ended(outcome: str, verdict: str, reason: str = "") -> Ended:
    return Ended.of({"outcome": outcome, "verdict": verdict, "verdict_reason": "so it is", "reason": reason, "figures": TABLE, "more": 1})


@pytest.mark.parametrize(
    ("end", "state", "message"),
    quick(
        [
            (ended("done", "pass"), "PASS", "verdict: pass: so it is"),
            (ended("verdict_failed", "fail"), "FAIL", "verdict: fail: so it is"),
            (ended("done", "cannot_discriminate"), "CANNOT DISCRIMINATE", "verdict: cannot discriminate: so it is"),
            (ended("done", "none"), "NO VERDICT", "verdict: none: so it is"),
            (ended("tripped", "none", "limit: 31 kN"), "TRIPPED", "limit: 31 kN\nverdict: none: so it is"),
            (ended("stopped", "fail", "Ctrl-C"), "STOPPED", "Ctrl-C\nverdict: fail: so it is"),
            (ended("failed", "none", "ai0 is gone"), "FAILED", "ai0 is gone\nverdict: none: so it is"),
        ],
        3,
    ),
)
def test_the_end_is_told_and_stays(shown: Callable[..., Shown], end: Ended, state: str, message: str) -> None:
    there = shown()
    there.window.show_ended(end)
    there.window.show_status(Status("running", message="late news"))
    assert there.banner[0].endswith(state) and there.banner[0].startswith(RESULTS[end.name].sign)
    assert there.banner[1] == message
    assert there.window.figures.toPlainText() == TABLE and there.window.figures.isVisible()
    assert there.window._hint.text() == STAYS
    there.source.close()


def test_closing_it_then_asks_nothing_and_stops_nothing(shown: Callable[..., Shown]) -> None:
    there = shown()
    there.window.show_status(Status("ready"))
    there.window.show_ended(ended("failed", "none", "no bench"))
    assert not there.window.stop_button.isEnabled()
    there.window.close()
    assert (there.left, there.stops, there.window.question.box.isVisible()) == (1, [], False)
    there.source.close()


def test_what_was_shown_stays_when_the_rings_have_gone(shown: Callable[..., Shown], rings: Rings) -> None:
    there = shown()
    rings.append(8000)
    there.window.refresh()
    rings.append(1000)
    there.source.freeze()
    for path in rings.paths.values():
        path.unlink()
    there.window.show_ended(ended("done", "pass"))
    assert there.window.refresh()
    assert there.source.end(FORCE) == 9000
    assert np.isfinite(there.source.samples(FORCE, 0, 9000)[1]).all()


def test_what_is_frozen_takes_nothing_from_a_ring_that_is_still_there(shown: Callable[..., Shown], rings: Rings) -> None:
    there = shown()
    rings.append(3000)
    there.source.freeze()
    rings.append(3000)
    there.source.poll()
    assert there.source.end(FORCE) == 3000


def test_the_preparation_is_shown_until_the_test_begins(shown: Callable[..., Shown], rings: Rings, tmp_path: Path) -> None:
    path = tmp_path / "preparation.ring"
    there = shown(preparation=path)
    assert not there.window.refresh() and not there.window.preparation.isVisible()
    ring = RingWriter.create(path, COLUMNS, ["1", "N", "m", "N", "m"], round(RATE), RATE)
    ring.append(np.tile([1.0, np.nan, 2e-4, 1812.0, 1.9e-4], (5000, 1)))
    there.window.refresh()
    panel = there.window.preparation
    assert panel.isVisible()
    assert "seating (2 of 4)" in panel.said.text() and "±10.00 kN" in panel.said.text()
    assert [plot.figures.text() for plot in panel._plots.values()] == ["+1.812 kN", "+0.190 mm"]
    ring.append(np.tile([-1.0, np.nan, np.nan, 0.0, 0.0], (10, 1)))
    there.window.refresh()
    assert "at rest" in panel.said.text()
    rings.append(4000)
    assert there.window.refresh() and not panel.isVisible()
    there.source.close()
    ring.close()
