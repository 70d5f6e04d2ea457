"""First stage: the stroke is moved a little to and fro in stroke mode. It finds sign, span, a stuck valve and exchanged monitors,
before there is any force.

A motion is judged by its deviations from the rest before it, so it begins when the stroke stands still: an output is never quite what it
is told, and an overshoot fades slowly. Half a micrometre that still fades is four percent of a gain.
"""

from __future__ import annotations

import numpy as np

from rig.errors import BenchRefused
from rig.preparation.following import Following, following
from rig.preparation.settings import Reading, Settings, towards

WINDOW = 0.08  # s of the rest that are the zero of a motion: four periods of 50 Hz
HOLD = 2.0 * WINDOW  # s at rest before the motion, at the least
AGAIN = 0.4  # s before it is repeated, at the least
LONGEST = 2.0  # s after which it begins all the same: some strokes hunt for ever
STILL = 5e-5  # share of the probe that the mean of a window may differ by from the one before
TRIES = 5
AGREEING = 3  # motions with gaps, one after the other, that find the same
GAPS = 0.05  # error of a gain that gaps in the motion may make, and of a large one as a share
LATE = 2.5  # blocks in one reading: this computer stood still, and the motion had gaps
FADE = 0.08  # s at rest after it
RUNAWAY = 3.0  # of the probe: a stroke further away than this is not following
STUCK = 0.1  # share of what was asked
ALIKE = 0.25  # largest error of a gain that is still taken for "this channel follows the command"
MISFIT = 0.1  # of a motion that follows
CODES = 32768  # of a 16-bit output up to full scale
LOADED = 0.3  # error of a gain that is tolerated where the specimen resists: leakage bends it, and the force probe comes
STROKE = 3  # column of a row
SPREAD = 0.25  # share of one code that is left of its error over a motion of many


class StrokeProbe:
    """To one side, to the other, back. Where a specimen without play resists, it turns earlier."""

    name, mode = "stroke probe", "stroke"

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._tries = self._wait = 0
        self._resisted = False
        self._found: list[tuple[str, float]] = []  # name and gain of the motions before
        self._rows: list[tuple[float, ...]] = []  # duration, command and its end, stroke mean and end, force mean and end, sure
        self._longest = 0.0  # s in one reading
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
            way = ", against the command: command, stroke monitor or the loop's own feedback is inverted" if moved * command < 0.0 else ""
            raise BenchRefused("runaway", f"the stroke went {moved * 1e3:.3f} mm when {command * 1e3:.3f} mm were asked{way}")
        if not self._moving and not self._set_out():
            return reading.setpoint
        if self._wait > 0:
            self._wait -= 1
            return reading.setpoint
        if not self._legs:
            return self._finish(reading)
        if abs(reading.force_now - self._force) > s.touch and command * self._legs[0] > 0.0:  # on the way out, not on the way back
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
        """A row for each block, however many came at once: within a longer one the motion would not be seen."""
        self._longest = max(self._longest, len(reading.force) / self._settings.rate)
        for piece in reading.pieces(round(self._settings.block * self._settings.rate)):
            command = np.nan_to_num(piece.command, nan=self._stroke)  # before the program followed it
            self._rows.append(
                (
                    len(piece.command) / self._settings.rate,
                    float(np.mean(command)) - self._stroke,
                    float(np.mean(command[-piece.tail :])) - self._stroke,
                    float(np.mean(piece.stroke)) - self._stroke,
                    piece.stroke_now - self._stroke,
                    float(np.mean(piece.force)) - self._force,
                    piece.force_now - self._force,
                    float(np.all(piece.sure)),
                )
            )

    def _restart(self, rest: float) -> None:
        s = self._settings
        self._tries += 1
        self._rows, self._moving, self._least = [], False, s.blocks(rest)
        self._legs = [s.stroke_probe, -s.stroke_probe, 0.0]

    def _set_out(self) -> bool:
        """Whether the motion begins: at rest, or after a long wait for it; of what was before it a window is kept."""
        n, rested = self._settings.blocks(WINDOW), [row[STROKE] for row in self._rows]
        drift = abs(sum(rested[-n:]) - sum(rested[-2 * n : -n])) / n
        if len(rested) < self._least or (drift > STILL * self._settings.stroke_probe and len(rested) < self._settings.blocks(LONGEST)):
            return False
        self._rows, self._longest, self._moving = self._rows[-n:], 0.0, True
        return True

    def _finish(self, reading: Reading) -> float | None:
        """Judge; a motion with gaps that seems wrong says little about the bench, and is repeated.

        What is found again and again is the bench's all the same; what differs from one motion to the next is told, but not as its fault.
        """
        try:
            self._judge()
        except BenchRefused as found:
            self._found.append((found.name, self.gain))
            if self._clean() or self._agree():
                raise
            if self._tries >= TRIES:
                raise BenchRefused(
                    "interrupted",
                    f"this computer stood still in each of {TRIES} motions to and fro, for {self._longest * 1e3:.0f} ms in the last, which "
                    f"tells nothing sure of the bench (it looks like {found.name}: {found.text}): end other programs, and start again",
                ) from found
            self._restart(AGAIN)
            return reading.setpoint
        return None

    def _clean(self) -> bool:
        """The computer never stood still, and every value went out when it was meant to."""
        return self._longest <= LATE * self._settings.block and all(row[-1] for row in self._rows)

    def _agree(self) -> bool:
        """The last motions found the same, and by more than the gaps can make of a bench that is in order."""
        names, gains = zip(*self._found[-AGREEING:], strict=True)
        most = GAPS * max(1.0, *map(abs, gains))
        return len(gains) == AGREEING and len(set(names)) == 1 and np.ptp(gains) <= most and min(abs(g - 1.0) for g in gains) > most

    def _judge(self) -> None:
        s = self._settings
        step, command, last, mean, end, force_mean, force_end, sure = np.array(self._rows).T
        rest = slice(s.blocks(WINDOW))
        at, loaded = float(np.mean(mean[rest])), float(np.mean(force_mean[rest]))
        mean, end, force_mean, force_end = mean - at, end - at, force_mean - loaded, force_end - loaded
        asked, moved = float(np.max(np.abs(command))), float(np.max(np.abs(end)))
        as_stroke = s.stroke_full_scale / s.force_full_scale
        if asked == 0.0:
            return
        stroke = following(command, mean, end, step, sure > 0.0, last)
        force = following(command, force_mean * as_stroke, force_end * as_stroke, step, sure > 0.0, last)
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
        way = "against the command" if float(command @ end) < 0.0 else "with the command"
        raise BenchRefused(
            "does not follow",
            f"the stroke moved {moved * 1e6:.1f} um for {asked * 1e6:.1f} um, {way} on the whole, and not as a position loop does (misfit "
            f"{stroke.misfit:.2f})",
        )


def _alike(found: Following) -> bool:
    return abs(abs(found.gain) - 1.0) <= ALIKE and found.misfit <= MISFIT
