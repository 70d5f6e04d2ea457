"""`rig identify RUN --tap CHANNEL` on a tap that another system recorded."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rig.commands import main

RATE, TAPPED = 2000.0, 0.25
FREQUENCY, DAMPING = 41.3, 0.011


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tap")
    t = np.arange(3600) / RATE
    since = np.maximum(t - TAPPED, 0.0)
    omega = 2.0 * np.pi * FREQUENCY
    x = 12.0 * (t >= TAPPED) * np.exp(-DAMPING / np.sqrt(1.0 - DAMPING**2) * omega * since) * np.cos(omega * since)
    x += 0.3 + 0.02 * np.random.default_rng(1).standard_normal(len(t))
    rows = "\n".join(f"{at:.6f},{value:.6f}" for at, value in zip(t, x, strict=True))
    (folder / "tap.csv").write_text(f"time (s),a (m/s^2)\n{rows}\n")
    assert main(["import", str(folder / "tap.csv"), "--out", str(folder / "run")]) == 0
    return folder / "run"


def said(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, dict[str, Any]]:
    capsys.readouterr()
    code = main([*words, "--json"])
    return code, json.loads(capsys.readouterr().out)


def test_frequency_and_damping_are_within_their_intervals(run: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    code, data = said(capsys, "identify", str(run), "--tap", "a", "--picture", str(tmp_path / "tap.png"))
    (mode,) = data["tap"]["modes"]
    assert code == 0 and data["tap"]["from_s"] == pytest.approx(TAPPED, abs=2.0 / RATE)
    assert mode["frequency_interval_hz"][0] <= FREQUENCY <= mode["frequency_interval_hz"][1]
    assert mode["damping_interval"][0] <= DAMPING <= mode["damping_interval"][1]
    assert mode["amplitude"] == pytest.approx(12.0, rel=0.01) and data["tap"]["left_rms"] == pytest.approx(0.02, rel=0.1)
    assert not data["tap"]["changes"] and not data["tap"]["lacks_a_mode"]
    assert (tmp_path / "tap.png").read_bytes().startswith(b"\x89PNG")


def test_a_window_is_taken_as_it_was_asked_for(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, data = said(capsys, "identify", str(run), "--tap", "a", "--from", "0.5", "--to", "0.75")
    assert (data["tap"]["from_s"], data["tap"]["to_s"]) == pytest.approx((0.5, 0.75))


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("--tap", "b"), "no channel 'b' in stream 'measured'; there are measured: a"),
        (("--tap", "a", "--from", "7"), "expected a window within 0 to 1.7995 s, got 7 to 1.7995 s"),
        (("--tap", "a", "--from", "0", "--to", "0.2"), "a from 0 to 0.2 s: nothing rings above the noise"),
        (("--tap", "a", "--modes", "0"), "expected 1 to 8 modes, got 0"),
        (("--tap", "a", "--live", "x.h5"), "--live: nothing is fitted to a model with --tap"),
        (("--modes", "2"), "--modes: it is of --tap CHANNEL, which is not given"),
    ],
)
def test_what_cannot_be_is_refused_in_one_line(
    run: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, ...], expected: str
) -> None:
    code, data = said(capsys, "identify", str(run), *words)
    assert code == 2 and expected in data["error"] and "\n" not in data["error"]
