"""The mechanism in motion with its clearances magnified, as GIF or MP4: slow motion of a part of a recorded test. Drawn by Agg."""

from __future__ import annotations

from pathlib import Path

import matplotlib
import matplotlib.animation as writing
import numpy as np

from rig.errors import ConfigError
from rig.motion.magnified import Magnified
from rig.report.drawing import Figure, FigureCanvasAgg, literal
from rig.report.lines import cut
from rig.report.motion.found import Found
from rig.report.motion.moving import Bodies, Joints, Orbits
from rig.report.palette import INK, MUTED

FRAMES, PACE = 120, 20
"""Pictures, and how many of them a second."""
SIZE = (9.6, 5.4)
DPI = 100
HEAD = 0.86
"""Share of the height below the title."""
ASIDE = 0.26
"""Share of the width for the clearance circles."""
TITLE = 92


def writer(file: Path) -> writing.AbstractMovieWriter:
    """What writes a file of this name. Raises ConfigError where the program for it is missing."""
    if file.suffix == ".gif":
        return writing.PillowWriter(fps=PACE)
    if not writing.FFMpegWriter.isAvailable():
        matplotlib.rcParams["animation.ffmpeg_path"] = _brought(file)
    return writing.FFMpegWriter(fps=PACE, codec="libx264", extra_args=["-pix_fmt", "yuv420p"])


def _brought(file: Path) -> str:
    """Where the ffmpeg of the extra `video` is. Raises ConfigError where it is not."""
    try:
        from imageio_ffmpeg import get_ffmpeg_exe

        return str(get_ffmpeg_exe())
    except (ImportError, RuntimeError):
        brings = "apt-get install ffmpeg, or pip install 'clearance-rig[video]', brings it"
        raise ConfigError(
            f"--animation {file}: MP4 is written by ffmpeg, which is not installed; {brings}; or give a name that ends in .gif"
        ) from None


def animate(path: Path, found: Found, made: writing.AbstractMovieWriter, magnify: float | None = None) -> dict[str, float | int]:
    """Write the animation to `path`; returns how much clearances are magnified, how many pictures, how much slower than the test."""
    motion = found.motion
    shown = Magnified.of(motion, magnify)
    figure = Figure(figsize=SIZE, dpi=DPI, facecolor="white")
    FigureCanvasAgg(figure)
    title = f"{found.plan.run}   {found.plan.experiment.title}"
    figure.text(0.02, 0.955, literal(cut(title, TITLE)), fontsize=12, fontweight="bold", color=INK, va="center")
    lasting = float(motion.time[-1] - motion.time[0])
    slower = FRAMES / PACE / lasting if lasting > 0.0 else 1.0
    said = f"clearances {shown.factor:g} times as large" if shown.factor > 1.0 else "clearances as they are"
    pace = f"{slower:.3g} times slower" if slower >= 1.0 else f"{1.0 / slower:.3g} times faster"
    figure.text(0.02, 0.905, f"{said}, {pace} than the test; orange: contact", fontsize=9.5, color=MUTED, va="center")
    clock = figure.text(0.98, 0.905, "", fontsize=9.5, color=INK, va="center", ha="right", family="monospace")
    wide = 1.0 - ASIDE if motion.pins else 1.0
    axes = figure.add_axes((0.01, 0.02, wide - 0.02, HEAD - 0.02))
    parts: list[Bodies | Joints | Orbits] = [Bodies(axes, shown), Joints(axes, shown)]
    if motion.pins:
        parts.append(Orbits(figure, motion, (wide, 1.0 - 0.02, 0.05, HEAD - 0.05)))
    places = np.searchsorted(motion.time, np.linspace(motion.time[0], motion.time[-1], FRAMES)).clip(max=len(motion.time) - 1)
    with made.saving(figure, str(path), DPI):
        for place in places.tolist():
            for part in parts:
                part.show(place)
            clock.set_text(f"{motion.time[place]:9.4f} s")
            made.grab_frame()
    return {"magnified": shown.factor, "frames": FRAMES, "slower": slower}
