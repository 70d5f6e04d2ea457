import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QApplication

from rig.config.bench import Bench, InputChannel, Sensor
from rig.config.experiment import Experiment
from rig.config.plan import Plan
from rig.display.window.pacing import REDRAWS, Pacer
from rig.errors import RigError
from rig.trajectory import sine
from rig.workers.display import Display, create
from rig.workers.runtime import ORPHANED, Links
from tests.unit.rig.display.display_rings import Rings

PATIENCE = 30.0  # s


class Said(Links):
    """Links that remember."""

    def __init__(self) -> None:
        self.messages: list[tuple[str, dict[str, Any]]] = []

    def send(self, message: str, **data: Any) -> None:
        self.messages.append((message, data))


@pytest.fixture
def links() -> Said:
    said = Said()
    said._name = "display"
    return said


@pytest.fixture
def plan(tmp_path: Path, rings: Rings) -> Plan:
    channels = tuple(
        InputChannel(name=name, unit=unit, terminal="Dev1/ai0", sensor=Sensor(sensitivity=1.0))
        for name, unit in (("transmitted_force", "N"), ("stroke", "m"))
    )
    experiment = Experiment(title="", mechanism=None, trajectory=sine.Config(amplitude=10e3, frequency=3.0), integrator=None)
    return Plan("0001-test", tmp_path, tmp_path, experiment, Bench(title="", daq=None, loader=None, channels=channels), "", "")


@pytest.fixture
def worker(plan: Plan, links: Said, qt: QApplication, monkeypatch: pytest.MonkeyPatch) -> Display:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(plan.run_dir / "configuration"))
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    return create(plan, links)


def _serve(worker: Display, seconds: float, meanwhile: Callable[[], None] = lambda: None, until: Callable[[], bool] = lambda: True) -> None:
    """The runtime's loop for a while, and until that is so."""
    end = time.monotonic() + seconds
    while (time.monotonic() < end or not until()) and not worker.done:
        assert time.monotonic() < end + PATIENCE
        meanwhile()
        pause = worker.step()
        assert 0.0 <= pause <= 0.02
        time.sleep(pause)


def test_a_whole_life(worker: Display, rings: Rings, links: Said, plan: Plan) -> None:
    worker.setup()
    began = time.monotonic()

    def publish() -> None:
        count = int((time.monotonic() - began) * 51200) - rings.n
        if count > 512:
            rings.append(count)

    _serve(worker, 0.5, publish)
    told = {"state": "running", "time_s": 1.0, "duration_s": 9.0, "cycle": 3, "lag_s": None, "lost": 0}
    worker.command("status", {**told, "events": [{"text": "x", "time_s": 0.5, "sample": 25600, "source": "bench", "kind": "limit"}]})
    _serve(worker, 1.0, publish, lambda: worker.report()["frames"] > 3)
    assert not worker.done
    worker.command("finish", {})
    assert worker.done
    figures = worker.close()
    print(f"display: {figures}")
    assert figures["redraws_per_s"] > 1.0
    assert figures["draw_s"]["p95"] >= figures["draw_s"]["median"]
    assert figures["draw_s"]["n"] == figures["frames"]
    assert links.messages == []
    assert (plan.run_dir / "configuration" / "clearance-rig" / "window.ini").is_file()


def test_it_waits_for_rings_that_are_not_there_yet(worker: Display, plan: Plan) -> None:
    for path in plan.run_dir.glob("*.ring"):
        path.rename(path.with_suffix(".later"))
    worker.setup()
    _serve(worker, 0.2)
    for path in plan.run_dir.glob("*.later"):
        path.rename(path.with_suffix(".ring"))
    assert worker._source is not None
    _serve(worker, 0.2, until=lambda: worker._source.rate == 51200.0)
    worker.close()


def test_without_a_supervisor_it_ends(worker: Display) -> None:
    worker.setup()
    worker.command(ORPHANED, {})
    assert worker.done
    worker.close()


def test_a_stop_of_the_test_is_no_end_of_the_window(worker: Display) -> None:
    worker.setup()
    worker.command("stop", {})
    assert not worker.done
    worker.close()


def test_the_stop_button_asks_the_supervisor(worker: Display, links: Said) -> None:
    worker.setup()
    assert worker._window is not None
    worker._window.stop_button.click()
    assert links.messages == [("request", {"verb": "stop", "reason": "stop button"})]
    worker.close()


def test_closing_the_window_with_stop_asks_first_and_then_ends(worker: Display, links: Said) -> None:
    worker.setup()
    assert worker._window is not None
    worker._window.close()
    _serve(worker, 0.1)
    assert not worker.done
    worker._window.question.stop_button.click()
    assert worker.done
    assert links.messages[0] == ("request", {"verb": "stop", "reason": "window closed with stop"})
    assert links.messages[1][1]["text"] == "window closed"
    worker.close()


def test_no_window_is_one_clear_message(plan: Plan, links: Said, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)
    worker = create(plan, links)
    with pytest.raises(RigError, match="display: no window can be shown: no display: neither DISPLAY nor WAYLAND_DISPLAY is set"):
        worker.setup()
    assert worker.close()["frames"] == 0


def test_the_pace_is_kept_and_gives_way_when_drawing_is_slow() -> None:
    for drawing, expected in ((0.005, REDRAWS), (0.060, 1.0 / 0.120)):
        pacer, now = Pacer(), 100.0
        while pacer.frames < 200:
            now += 0.003  # wakes up a little late
            if pacer.wait(now) == 0.0:
                pacer.drawn(now, now + drawing)
                now += drawing
            else:
                now += min(0.010, pacer.wait(now))
        figures = pacer.figures()
        assert figures["redraws_per_s"] == pytest.approx(expected, rel=0.06)
        assert figures["draw_s"]["p95"] == pytest.approx(drawing)


def test_waiting_for_the_processor_does_not_slow_the_pace_down() -> None:
    pacer, now = Pacer(), 100.0
    while pacer.frames < 200:
        if pacer.wait(now) == 0.0:
            pacer.drawn(now, now + 0.035, busy=0.004)
            now += 0.035
        else:
            now += 0.001
    assert pacer.figures()["redraws_per_s"] == pytest.approx(REDRAWS, rel=0.03)


def test_a_frame_without_anything_to_draw_does_not_count() -> None:
    pacer = Pacer()
    for k in range(10):
        pacer.drawn(float(k), k + 0.001, counts=False)
    assert pacer.figures()["draw_s"]["n"] == 0
    assert pacer.figures()["redraws_per_s"] is None
    assert pacer.wait(9.002) > 0.0


def test_a_stalled_machine_is_not_made_up_for() -> None:
    pacer = Pacer()
    pacer.drawn(0.0, 0.005)
    pacer.drawn(50.0, 50.005)
    assert pacer.wait(50.005) > 0.9 / REDRAWS - 0.005


def test_it_rests_tells_what_drawing_took_and_shows_the_end_until_it_is_closed(worker: Display, rings: Rings, links: Said) -> None:
    worker.setup()
    rings.append(4000)
    _serve(worker, 0.2, until=lambda: worker.report()["frames"] > 0)
    worker.command("rest", {})
    [(kind, data)] = links.messages
    assert kind == "closed" and data["figures"]["frames"] >= 1
    worker.command("ended", {"outcome": "done", "verdict": "pass", "verdict_reason": "all hold", "reason": "", "figures": "table"})
    _serve(worker, 0.2)
    assert worker._window is not None
    assert not worker.done and worker._window.figures.toPlainText() == "table"
    worker._window.close()
    assert worker.done and [kind for kind, _ in links.messages[1:]] == ["event"]
    worker.close()
