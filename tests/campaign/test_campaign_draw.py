"""What a frame of the window takes beside 32 channels, with the band of an ensemble, the mechanism and its orbits."""

from pathlib import Path
from typing import Any

import pytest
from bench_run import Running
from campaign_results import Results

from rig.display.sources.live import LiveSource
from rig.display.window.application import application
from rig.display.window.layout import settings_file
from rig.display.window.live_window import LiveWindow
from tests.unit.rig.display.moved_rings import CONFIGS, MovedRings, planned

pytestmark = pytest.mark.campaign

CYCLES = 90  # 30 s
DRAWN, REDRAWS = 0.025, 20.0  # s, p95; a second
BAND = 'predictor.ensemble={members=8, spread=[{key="clearance", relative=0.02}]}'


def test_a_frame(results: Results, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "configuration"))
    found = results.once("window/band and orbit", lambda: _run(tmp_path))
    display = found["display"]
    print(found)
    assert found["lost_samples"] == 0
    assert display["draw_cpu_s"]["p95"] <= DRAWN  # on a busy computer this is what can be told
    assert display["draw_s"]["p95"] <= DRAWN
    assert display["redraws_per_s"] >= REDRAWS


def _with_both_panels(folder: Path) -> None:
    """The layout as a window leaves it in which they are shown."""
    application()
    folder.mkdir()
    rings, what = MovedRings(folder), planned(folder)
    source = LiveSource(rings.paths, ())
    window = LiveWindow(what, source, settings_file(), lambda reason: None, lambda: None)
    window.show_motion()
    window.keep()
    source.close()
    rings.close()


def _run(folder: Path) -> dict[str, Any]:
    _with_both_panels(folder / "layout")
    bench = CONFIGS / "benches/virtual_32ch.toml"
    run = Running(folder / "runs", f"trajectory.cycles={CYCLES}", "bench.pace=real", BAND, window=True, bench=bench)
    run.wait_for_samples()
    code, data, _ = run.end(timeout=300.0)
    return {
        "exit_code": code,
        "lost_samples": sum(stream["lost_samples"] for stream in data["streams"].values()),
        "lag_s": data["predictor"]["lag_s"],
        "rtf": data["predictor"]["rtf"],
        "display": data["display"],
    }
