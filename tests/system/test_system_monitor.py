"""The page of a running test in a headless browser: it is up to date, asks nobody else, and can only read; the test does not notice it."""

from __future__ import annotations

import contextlib
import json
import signal
import urllib.error
import urllib.request
from pathlib import Path

import psutil
import pytest
from bench_run import LINKAGE, ROOT, UNPREPARED, Running, assert_kept_pace, rig
from browser import browser
from monitored import AT_LEAST, longest_pauses, served

from rig.supervision.operation_client import ask

FIELDS = {
    "schema", "command", "rig_version", "exit_code", "outcome", "warnings", "run", "state", "sample", "time_s", "cycle", "cycles_total",
    "block", "phase", "held_s", "operator", "channels", "lag_s", "disk", "events",
    "outcome_of", "test_outcome", "test_verdict", "test_reason",
}  # fmt: skip
BENCH_32 = ROOT / "configs/benches/virtual_32ch.toml"


def test_a_page_follows_a_test_through_hold_and_resume_until_it_is_broken_off(tmp_path: Path) -> None:
    running = Running(tmp_path / "out", "bench.pace=lockstep", "trajectory.cycles=1500", "acquisition.rate=12.8 kHz", UNPREPARED)
    running.wait_for_samples()
    with served(running.folder) as url, browser(tmp_path) as page:
        page.open(url)
        page.wait_for("document.getElementById('word') && document.getElementById('word').textContent === 'running'")
        pauses = longest_pauses(page)
        assert pauses[-1] <= AT_LEAST, pauses
        cycle = page.text("cycle")
        page.wait_for(f"document.getElementById('cycle').textContent !== {json.dumps(cycle)}")
        assert page.text("cycle").endswith(" of 1500") and page.text("chosen") == "transmitted force"
        assert page.ask("document.querySelectorAll('#channels .channel').length") >= 3

        ask(running.folder, "hold", operator="me", reason="to look")
        page.wait_for("document.getElementById('word').textContent === 'hold'")
        page.wait_for("document.getElementById('events').textContent.includes('hold by me in another terminal: to look')")
        code, status = rig("status", str(running.folder))
        with urllib.request.urlopen(f"{url}/status.json", timeout=20.0) as answer:
            shown = json.load(answer)
        assert code == 0 and status["state"] == shown["state"] == "hold" and {*shown} == {*status} >= FIELDS
        assert status["held_s"] >= 0.0 and shown["channels"].keys() == status["channels"].keys()
        ask(running.folder, "resume", operator="me")
        page.wait_for("document.getElementById('word').textContent === 'running'")
        page.wait_for("document.getElementById('trend').getAttribute('aria-label').includes('; held at ')")

        for method in ("POST", "PUT", "DELETE", "PATCH", "OPTIONS"):
            with pytest.raises(urllib.error.HTTPError, match="405"):
                urllib.request.urlopen(urllib.request.Request(f"{url}/status.json", b"", method=method), timeout=20.0)
        assert ask(running.folder, "status")["status"]["state"] == "running"  # type: ignore[index, call-overload]

        everything = json.loads((running.folder / "processes.json").read_text())
        for pid in everything.values():
            with contextlib.suppress(psutil.NoSuchProcess):
                psutil.Process(pid).send_signal(signal.SIGKILL)
        running.process.wait(30.0)
        page.wait_for("document.getElementById('word').textContent === 'ended: broken off'")
        assert page.complaints == [], page.complaints
        assert page.requests and all(one.startswith(f"{url}/") for one in page.requests), {*page.requests}
    code, status = rig("status", str(running.folder))
    assert code == 0 and {*status} >= FIELDS and (status["state"], status["ended"]) == ("stopped", "broken_off")
    assert any(event["text"].startswith("resuming") for event in status["events"])
    code, status = rig("status", str(running.folder), "--follow")
    assert (code, status["outcome"], status["exit_code"]) == (3, "failed", 3)
    assert (status["outcome_of"], status["test_outcome"]) == ("test", "broken_off")


def test_another_address_is_refused_in_words(tmp_path: Path) -> None:
    run = tmp_path / "0001-test"
    run.mkdir()
    code, said = rig("monitor", str(run), "--host", "0.0.0.0")
    assert code == 2 and "--token-file FILE and --certificate FILE --key FILE" in said["error"]
    code, said = rig("monitor", str(run))
    assert code == 2 and "no test runs there" in said["error"]


@pytest.mark.real_pace
@pytest.mark.soak
def test_beside_32_channels_at_full_rate_no_sample_is_lost(tmp_path: Path) -> None:
    running = Running(tmp_path / "out", "bench.pace=real", "trajectory.cycles=90", bench=BENCH_32, experiment=LINKAGE)
    running.wait_for_samples()
    with served(running.folder) as url, browser(tmp_path) as page:
        page.open(url)
        page.wait_for("document.getElementById('word') && document.getElementById('word').textContent === 'running'")
        pauses = longest_pauses(page)
        _, data, _ = running.end(timeout=180.0)
        page.wait_for("document.getElementById('word').textContent.startsWith('ended')")
        assert page.complaints == [] and all(one.startswith(f"{url}/") for one in page.requests)
    assert pauses[-1] <= AT_LEAST, pauses
    assert data["outcome"] in ("done", "verdict_failed"), data["reason"]
    for name, stream in data["streams"].items():
        assert stream["lost_samples"] == 0, name
    assert data["ao"]["underflows"] == 0
    assert_kept_pace(data)
