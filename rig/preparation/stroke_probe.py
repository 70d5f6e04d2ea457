"""First stage: the stroke is moved a little to and fro in stroke mode. It finds sign, span, a stuck valve and exchanged monitors,
before there is any force."""

from __future__ import annotations

import numpy as np

from rig.errors import BenchRefused
from rig.preparation.following import Following, following
from rig.preparation.settings import Reading, Settings, towards

HOLD = 0.04  # s at rest before the motion
AGAIN = 0.4  # s at rest before it is repeated
TRIES = 3
LATE = 2.5  # blocks in one reading: this computer stood still, and the motion had gaps
FADE = 0.08  # s at rest after it
RUNAWAY = 3.0  # of the probe: a stroke further away than this is not following
STUCK = 0.1  # share of what was asked
ALIKE = 0.25  # largest error of a gain that is still taken for "this channel follows the command"
MISFIT = 0.1  # of a motion that follows
CODES = 32768  # of a 16-bit output up to full scale
LOADED = 0.3  # error of a gain that is tolerated where the specimen resists: leakage bends it, and the force probe comes
SPREAD = 0.25  # share of one code that is left of its error over a motion of many


class StrokeProbe:
    """To one side, to the other, back. Where a specimen without play resists, it turns earlier."""

    name, mode = "stroke probe", "stroke"

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._tries = self._wait = 0
        self._resisted = False
        self._restart(HOLD)
        self.gain = float("nan")

    def begin(self, reading: Reading) -> float:
        """The first setpoint. Raises BenchRefused where a wrong span or sign would make a jump, or where there is force already."""
        s, self._stroke, self._force = self._settings, float(np.mean(reading.stroke)), float(np.mean(reading.force))
        if abs(self._stroke) > s.zero_within:
            raise BenchRefused(
                "stroke not zeroed",
                f"stroke reads {self._stroke * 1e3:.3f} mm at rest, allowed {s.zero_within * 1e3:g} mm: with a wrong span or sign the "
                "program would begin with a jump; zero the stroke at the controller",
            )
        if abs(self._force) > s.touch:
            raise BenchRefused(
                "force at rest",
                f"force reads {self._force / 1e3:.3f} kN at rest, allowed {s.touch / 1e3:g} kN; unload the specimen or tare the force",
            )
        return self._stroke

    def next(self, reading: Reading) -> float | None:
        """The next setpoint; None when the stage is over. Raises BenchRefused with the name of what was found."""
        s, command = self._settings, reading.setpoint - self._stroke
        moved = reading.stroke_now - self._stroke
        self._note(reading)
        if abs(moved) > RUNAWAY * s.stroke_probe:
            self._judge()
            raise BenchRefused("runaway", f"the stroke went {moved * 1e3:.3f} mm when {command * 1e3:.3f} mm were asked")
        if self._wait > 0:
            self._wait -= 1
            return reading.setpoint
        if not self._legs:
            return self._finish(reading)
        if abs(reading.force_now - self._force) > s.touch and len(self._legs) > 1 and command * self._legs[0] > 0.0:
            self._legs[0], self._resisted = command, True  # a specimen without play: no further
        command = towards(command, self._legs[0], s.speed * s.block)
        if command == self._legs[0]:
            self._legs.pop(0)
            self._wait = 0 if self._legs else s.blocks(FADE)
        return self._stroke + command

    def explain(self, reading: Reading) -> None:
        """Raise BenchRefused if what has been seen so far has a name: a guard ended the stage."""
        self._note(reading)
        if np.ptp([row[1] for row in self._rows]) > 0.0:
            self._judge()

    def figures(self) -> str:
        """In words."""
        roughly = " (roughly: the specimen resists)" if self._resisted else ""
        return f"stroke follows with a gain of {self.gain:.4f}{roughly}"

    def _note(self, reading: Reading) -> None:
        self._rows.append(
            (
                len(reading.command) / self._settings.rate,
                float(np.mean(np.nan_to_num(reading.command, nan=self._stroke))) - self._stroke,  # before the program followed it
                float(np.mean(reading.stroke)) - self._stroke,
                reading.stroke_now - self._stroke,
                float(np.mean(reading.force)) - self._force,
                reading.force_now - self._force,
            )
        )

    def _restart(self, rest: float) -> None:
        s = self._settings
        self._tries += 1
        self._rows: list[tuple[float, ...]] = []  # duration, command, stroke mean and end, force mean and end
        self._legs = [s.stroke_probe, -s.stroke_probe, 0.0]
        self._wait = s.blocks(rest)

    def _finish(self, reading: Reading) -> float | None:
        """Judge; a motion with gaps that seems wrong says little about the bench, and is repeated."""
        try:
            self._judge()
        except BenchRefused:
            if max(row[0] for row in self._rows) <= LATE * self._settings.block or self._tries >= TRIES:
                raise
            self._restart(AGAIN)
            return reading.setpoint
        return None

    def _judge(self) -> None:
        s = self._settings
        step, command, mean, end, force_mean, force_end = np.array(self._rows).T
        asked, moved = float(np.max(np.abs(command))), float(np.max(np.abs(end)))
        as_stroke = s.stroke_full_scale / s.force_full_scale
        if asked == 0.0:
            return
        stroke = following(command, mean, end, step)
        force = following(command, force_mean * as_stroke, force_end * as_stroke, step)
        self.gain = stroke.gain
        tolerance = LOADED if self._resisted else s.tolerance + SPREAD * s.stroke_full_scale / CODES / asked
        if abs(stroke.gain - 1.0) <= tolerance and stroke.misfit <= MISFIT:
            return
        if _alike(force) and not _alike(stroke):
            raise BenchRefused(
                "swapped channels",
                f"the force monitor follows a stroke command (gain {force.gain:.2f} in volts), the stroke monitor does not; "
                "exchange the two monitors",
            )
        if moved < STUCK * asked:
            raise BenchRefused(
                "valve stuck",
                f"the stroke moved {moved * 1e6:.1f} um when {asked * 1e6:.1f} um were asked: valve stuck, or span at 0, or no pressure",
            )
        if stroke.gain < 0.0 and stroke.misfit <= MISFIT:
            raise BenchRefused("sign", f"the stroke goes the other way (gain {stroke.gain:.3f}): command or stroke monitor is inverted")
        if stroke.misfit <= MISFIT:
            raise BenchRefused(
                "span",
                f"the stroke follows with a gain of {stroke.gain:.4f}, expected 1 within {100 * tolerance:.1f} %: set the span of the "
                f"external command to 100 % (it looks like {100 * stroke.gain:.0f} %), and check full scale and sensitivity",
            )
        raise BenchRefused(
            "does not follow",
            f"the stroke moved {moved * 1e6:.1f} um for {asked * 1e6:.1f} um, not as a position loop does (misfit {stroke.misfit:.2f})",
        )


def _alike(found: Following) -> bool:
    return abs(abs(found.gain) - 1.0) <= ALIKE and found.misfit <= MISFIT
