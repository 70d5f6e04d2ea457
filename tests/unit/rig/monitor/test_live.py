"""What is read from the rings of a test: values over a whole cycle, and measured beside predicted, sample by sample."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from rig.monitor.live import Live
from rig.streaming.ring import RingWriter
from rig.streaming.streams import paths

RATE = 1000.0


@pytest.fixture
def plan(tmp_path: Path) -> Any:
    trajectory = SimpleNamespace(frequency=0.5)
    return SimpleNamespace(streams=paths(tmp_path), experiment=SimpleNamespace(trajectory=trajectory), bench=SimpleNamespace(channels=()))


def sine(first: int, count: int) -> np.ndarray:
    return 10.0 * np.sin(2 * np.pi * 0.5 * np.arange(first, first + count) / RATE)[:, None]


def test_looks_that_are_shorter_than_a_cycle_show_the_whole_of_it(plan: Any) -> None:
    ring = RingWriter.create(plan.streams["measured"], ["force"], ["N"], 10_000, RATE)
    live, found = Live(plan), []
    for look in range(20):  # a look every 0.4 s of a cycle of 2 s
        ring.append(sine(400 * look, 400))
        at, spans = live.spans()
        found.append(spans["force"])
        assert at == pytest.approx(0.4 * (look + 1))
    assert all(low < -9.99 and high > 9.99 for low, high in found[5:])
    assert found[0][0] > -1e-9  # of the first part of the first cycle nothing else was seen
    assert live.spans() == (None, {})  # nothing new
    live.close()
    ring.close()


def test_measured_and_predicted_of_a_picture_are_of_the_same_samples(plan: Any) -> None:
    measured = RingWriter.create(plan.streams["measured"], ["other", "force"], ["m", "N"], 10_000, RATE)
    live = Live(plan)
    assert live.picture("force") is None  # nothing has been measured
    values = sine(0, 9000)
    measured.append(np.hstack((np.zeros_like(values), values)))
    alone = live.picture("force")
    assert alone is not None and [*alone.curves] == ["measured"]
    predicted = RingWriter.create(plan.streams["predicted_as_measured"], ["force"], ["N"], 10_000, RATE)
    predicted.append(values[:8200])  # it comes later
    both = live.picture("force")
    assert both is not None and [*both.curves] == ["measured", "predicted"]
    assert both.curves["measured"] == both.curves["predicted"] and len(both.times) == 400
    assert both.times[0] == pytest.approx(8.2 - 6.0, abs=0.02) and both.times[-1] < 8.2  # three cycles of 2 s
    assert live.picture("none") is None
    live.close()
    measured.close()
    predicted.close()


def test_a_channel_that_is_nan_has_no_span(plan: Any) -> None:
    ring = RingWriter.create(plan.streams["measured"], ["force", "dead"], ["N", "N"], 100, RATE)
    ring.append(np.array([[1.0, np.nan], [2.0, np.nan]]))
    live = Live(plan)
    assert live.spans() == (0.002, {"force": (1.0, 2.0)})
    live.close()
    ring.close()
