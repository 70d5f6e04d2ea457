"""What is known of an iterated drive, pass by pass, and how it is told."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from rig.command_line.result import EXIT_CODES, Result, envelope
from rig.commands import version
from rig.config import Setup
from rig.config.experiment import MODE_UNITS
from rig.control.drive_file import Config
from rig.control.iteration import Band
from rig.control.passes import Lines, Row, Target
from rig.control.response import Response
from rig.errors import RigError
from rig.host.interruption import code_of
from rig.report.drive_page import DrivePage

Floats = NDArray[np.float64]
DRIVE = "drive.npy"


class EndedEarly(RigError):
    """A pass did not come to its end; carries its result."""

    def __init__(self, result: Result) -> None:
        super().__init__(str(result.data.get("reason", "")))
        self.result = result


@dataclass
class DriveIterationReport:
    """What is known so far."""

    config: Config
    channel: str
    target: Target | None = None
    response: Response | None = None
    identified_in: str = ""
    expected: float | None = None
    rows: list[Row] = field(default_factory=list)
    lines: list[Lines] = field(default_factory=list)
    first: Floats | None = None
    best: Floats | None = None  # measured of the best pass
    verdict: str = "not_reached"
    reason: str = ""
    last: Result | None = None
    warnings: list[str] = field(default_factory=list)

    @property
    def band(self) -> Band:
        """In which the drive is iterated."""
        return Band(self.config.lowest_frequency, self.config.highest_frequency)

    @property
    def best_row(self) -> Row | None:
        """The pass with the smallest error in the band."""
        return min(self.rows, key=lambda row: row.errors.in_band, default=None)


def make_result(setup: Setup, run_dir: Path, story: DriveIterationReport, ended: str, reason: str) -> Result:
    """The result of the whole; writes summary.json, iteration.h5 and iteration.png."""
    files: dict[str, Path] = {"run": run_dir, "summary": run_dir / "summary.json"}
    if story.rows:
        from rig.report import drive_file as report  # matplotlib only when there is something to show

        files |= {**report.write(run_dir, _page(setup, run_dir, story)), "drive": run_dir / DRIVE}
    last = story.last.data if story.last else {}
    judged = {"reached": "pass", "ended_early": "none"}.get(story.verdict, "fail")
    data = {
        **last, "run": run_dir.name, "reason": reason, "control": _control(story, reason),
        "verdict": {"result": judged, "reason": reason, "lines": []},
        "runs": sorted(path.name for path in run_dir.iterdir() if path.is_dir()), "files": files,
    }  # fmt: skip
    warnings = list(dict.fromkeys([*story.warnings, *(story.last.warnings if story.last else [])]))
    result = Result(ended, _exit_code(story, ended, reason), data, _text(run_dir, story, ended, reason), warnings)
    summary = json.loads(envelope("run", version(), result))
    (run_dir / "summary.json").write_text(json.dumps(summary, indent=1) + "\n", encoding="utf-8")
    return result


def _exit_code(story: DriveIterationReport, ended: str, reason: str) -> int:
    """Stopped before anything is known, it ends as its only test does; where there was none, as a command that was broken off."""
    if ended != "stopped" or story.response is not None:
        return EXIT_CODES[ended]
    return story.last.exit_code if story.last else code_of(reason)


def _page(setup: Setup, run_dir: Path, story: DriveIterationReport) -> DrivePage:
    assert story.target is not None and story.response is not None and story.best_row is not None
    assert story.first is not None and story.best is not None
    config = story.config
    band = f"gain {config.gain:g}, band {config.lowest_frequency:g} to {config.highest_frequency:g} Hz"
    return DrivePage(
        title=f"{run_dir.name}   {setup.experiment.title}",
        subtitle=f"{setup.bench.title}   |   {band}   |   {story.reason}",
        unit=MODE_UNITS[setup.experiment.command.mode],
        target=story.target,
        first=story.first,
        best=story.best,
        best_pass=story.best_row.iteration,
        rows=story.rows,
        lines=story.lines,
        response=story.response,
        tolerance=config.tolerance,
    )


def _control(story: DriveIterationReport, reason: str) -> dict[str, object]:
    config, best = story.config, story.best_row
    return {
        "kind": "drive_file", "channel": story.channel, "gain": config.gain, "band_hz": [config.lowest_frequency, config.highest_frequency],
        "tolerance": config.tolerance, "tolerance_of": config.tolerance_of, "verdict": story.verdict, "reason": reason,
        "identification": _identification(story), "iterations": [row.to_json() for row in story.rows],
        "best": best.to_json() if best else None, "floor": best.errors.outside if best else None,
    }  # fmt: skip


def _identification(story: DriveIterationReport) -> dict[str, object] | None:
    response = story.response
    if response is None:
        return None
    inside = story.band.holds(response.frequency)
    return {
        **asdict(story.config.identification),
        "run": story.identified_in,
        "averages": response.averages,
        "contraction_expected": story.expected,
        "coherence_min": float(response.coherence[inside].min()),
        "deviation_max": float(response.deviation[inside].max()),
        "frequency_hz": response.frequency,
        "response_gain": np.abs(response.value),
        "response_phase_deg": np.degrees(np.angle(response.value)),
        "coherence": response.coherence,
    }


def _text(run_dir: Path, story: DriveIterationReport, ended: str, reason: str) -> str:
    heads = ("pass", "error full band", "in band", "outside band", "contraction predicted", "measured", "peak command")
    rows = [
        (
            str(row.iteration), f"{row.errors.full:.2%}", f"{row.errors.in_band:.2%}", f"{row.errors.outside:.2%}", _number(row.predicted),
            _number(row.measured), f"{row.peak_command:.6g}",
        )
        for row in story.rows
    ]  # fmt: skip
    widths = [max(len(line[i]) for line in (heads, *rows)) for i in range(len(heads))]
    table = ["  ".join(cell.rjust(width) for cell, width in zip(line, widths, strict=True)) for line in (heads, *rows)]
    shown = [table[0], "-" * len(table[0]), *table[1:], ""] if rows else []
    note = ["errors are shares of the rms of what was asked, about its mean"] if rows else []
    return "\n".join([*shown, *note, f"{run_dir.name}: {ended}: {reason}", f"folder: {run_dir}"])


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"
