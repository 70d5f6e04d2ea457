"""The supervisor hangs: the bench worker brings its test to rest by itself, as the device side's log tells, and leaves nothing armed."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.unit.rig.workers.bench.bench_worker import Rig, once, rig

OPEN = "interlock: the client's line fell"
WHY = "the supervisor gave no sign of life for 5 s"


def abandon(one: Rig) -> None:
    """As the runtime tells a worker."""
    one.heard.abandoned = True
    one.worker.command("abandoned", {})


def states(one: Rig) -> list[str]:
    return one.heard.of("state")


def test_a_running_test_ends_by_a_ramp_and_the_interlock_opens_at_rest(tmp_path: Path) -> None:
    with rig("playback", tmp_path) as one:
        figures = one.run(once(lambda it: it.worker.course.state == "running" and it.time > 0.5, abandon))
        one.lines("")  # the device side has seen what was written last
        said = one.said("controller")
    assert (figures["outcome"], figures["reason"]) == ("failed", WHY)
    assert states(one)[-2:] == [f"stopping: {WHY}", "stopped"]
    order = [text for text in said if text.startswith(("program off", "hydraulics off", OPEN))]
    assert [text.split()[0] for text in order[-3:]] == ["program", "hydraulics", "interlock:"], said


def test_one_that_is_back_in_time_gets_a_test_that_ended_as_ever(tmp_path: Path) -> None:
    """The ramp has begun and goes on; at rest there is somebody again who follows."""

    def come_back(one: Rig) -> None:
        one.heard.abandoned = False

    with rig("playback", tmp_path) as one:
        goes = once(lambda it: it.worker.course.state == "running" and it.time > 0.5, abandon)
        comes = once(lambda it: it.worker.course.state == "stopping", come_back)

        def goes_and_comes(it: Rig) -> None:
            goes(it)
            comes(it)

        figures = one.run(goes_and_comes)
        one.lines("")
        said = one.said("controller")
    assert figures["outcome"] == "failed"
    assert said[-1] == "hydraulics off" and not any(text.startswith(OPEN) for text in said), said


def test_a_preparation_is_called_off(tmp_path: Path) -> None:
    with rig("playback", tmp_path, "bench.loader.preparation.enabled=true") as one:
        figures = one.run(once(lambda it: it.worker.course.preparing is not None and it.worker.course.preparing.sample > 20_000, abandon))
        one.lines("")
        said = one.said("controller")
    assert (figures["outcome"], figures["samples"]) == ("failed", 0)
    assert states(one) == ["starting: preparation", f"stopping: {WHY}", "stopped"]
    assert "program off" in said and said.index("program off") < next(n for n, text in enumerate(said) if text.startswith(OPEN))


def test_before_anything_has_begun_nothing_does(tmp_path: Path) -> None:
    with rig("playback", tmp_path) as one:
        one.worker.setup()
        abandon(one)
        assert one.worker.done
        figures = one.worker.close()
        assert figures["outcome"] == "failed"
        assert not any(text.startswith("program runs") for text in one.said("controller"))


def test_a_start_that_comes_behind_a_stop_starts_nothing(tmp_path: Path) -> None:
    """Both wait for the worker at the same time: a loop that has hung gives it no look between them."""
    with rig("playback", tmp_path) as one:
        one.worker.setup()
        one.worker.command("stop", {"reason": "Ctrl-C"})
        one.worker.command("start", {})
        assert one.worker.done
        assert one.worker.course.state == "stopped"
        assert one.worker.close()["outcome"] == "stopped"
        assert not any(text.startswith(("hydraulics on", "program")) for text in one.said("controller"))


def test_pumps_that_are_waited_for_are_not_waited_for_any_longer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with rig("playback", tmp_path, "bench.loader.settle=60 s") as one:
        one.worker.setup()
        daq = one.worker._equipment.daq
        looks = daq.read_lines
        monkeypatch.setattr(daq, "read_lines", lambda: {**looks(), "interlock_ok": False})
        one.heard.abandoned = True
        one.worker.command("start", {})
        one.worker.command("abandoned", {})
        assert one.worker.done
        assert one.worker.close()["samples"] == 0
        one.lines("")
        assert one.said("controller")[-1].startswith(OPEN)


@pytest.mark.parametrize("name", ["slider_crank_rig"])
def test_drives_come_to_rest_without_power(tmp_path: Path, name: str) -> None:
    with rig(name, tmp_path) as one:
        figures = one.run(once(lambda it: it.worker.course.state == "running" and it.time > 0.6, abandon))
        assert not any(one.lines("drive"))
        for _ in range(400):  # 2 s, in which it coasts
            one.lines("drive")
        log = [line["text"] for line in one.log if line["source"].startswith("drive")]
    assert (figures["outcome"], figures["reason"]) == ("failed", WHY)
    assert [text for text in log if text in ("moving", "at rest")][-1] == "at rest", log
