"""The linkage at 7 Hz while the play of its upper joint grows: what a limit on the drift of the stroke makes of it."""

from __future__ import annotations

from pathlib import Path

from bench_run import LINKAGE, ROOT, UNPREPARED, Answer, rig

FREQUENCY = 7.0  # Hz
PLAY = 5e-6
"""m by which the play grows over the cycles of a test."""
LIMIT = """
[[limits]]
channel = "stroke"
per_cycle = "amplitude"
drift = "0.6 um"
settle = 2
learn = {learn}
action = "stop"
"""
OF_PLAY = """
[[calculated]]
name = "play"
expression = "play(stroke, transmitted_force)"
unit = "m"

[[limits]]
channel = "play"
per_cycle = "mean"
drift = "1.2 um"
settle = 2
learn = {learn}
action = "stop"
"""
"""The play itself, which goes twice as far as the amplitude."""


def cycled(folder: Path, cycles: int, learn: int, growth: float = PLAY, limit: str = LIMIT) -> tuple[Answer, float]:
    """(result of a test of so many cycles, over which the play grows by `growth` (m); number of its last cycle)."""
    text = LINKAGE.read_text(encoding="utf-8").replace("../benches", (ROOT / "configs/benches").as_posix())
    path = folder / "growing.toml"
    path.write_text(text.replace("[simulate]", limit.format(learn=learn) + "\n[simulate]", 1), encoding="utf-8")
    sets = (
        "bench.pace=lockstep", UNPREPARED, "acquisition.rate=2 kHz", "command.ahead=50 ms", "trajectory.frequency=7 Hz",
        f"trajectory.cycles={cycles}", f"bench.plant.faults.loosening={growth * FREQUENCY / cycles:.9g} m/s", "comparison.discard_cycles=0",
    )  # fmt: skip
    words = [word for one in sets for word in ("--set", one)]
    _, data = rig("run", str(path), "--headless", "--no-picture", "--out", str(folder / "runs"), *words, timeout=1200.0)
    ended = next((event["time_s"] for event in data["events"] if event["kind"] == "limit"), None)
    first = next(event["time_s"] for event in data["events"] if event["kind"] == "state" and event["text"] == "running")
    return data, float("nan") if ended is None else (float(ended) - float(first) - 0.5) * FREQUENCY
