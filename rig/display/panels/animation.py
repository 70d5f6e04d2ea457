"""The mechanism in motion with its clearances magnified: the last cycle slowed down, or the moment that is looked at."""

from __future__ import annotations

import numpy as np

from rig.display.panels.board import Board, Shape
from rig.display.panels.loop import cycle_length
from rig.display.panels.motion_panel import NOT_YET, MotionPanel
from rig.display.sources.moving import Moving
from rig.display.sources.source import Floats, Source
from rig.display.sources.view_model import Subject
from rig.display.theme import Theme
from rig.host import clock
from rig.motion.magnified import Magnified, bounds
from rig.motion.parts import Motion

SLOW = 6.0
"""s in which a shorter cycle is shown."""
MARGIN = 0.08
"""Round about, share of the size."""
ARC = np.radians(50.0)
"""Of the rim that is marked where pin and bush touch."""
HUES = ("measured", "accent", "difference", "near", "command")
"""Of the bodies, one after the other."""


class Scene:
    """A motion as it is drawn: all places of it, and the shapes on the board."""

    def __init__(self, board: Board, motion: Motion, factor: float | None) -> None:
        """factor: by which clearances are magnified, as before; None: one that fits."""
        self.shown = Magnified.of(motion, factor)
        self._places = [self.shown.places(body) for body in motion.bodies]
        self._faces = [self.shown.faces(body) for body in motion.bodies if body.guide is not None]
        self._still = [Shape(2.0) for _ in motion.still]
        self._bodies = [Shape(2.0 if body.loop else 4.0) for body in motion.bodies]
        self._walls = [Shape(2.0) for _ in range(2 * len(self._faces))]
        self._joints = [(Shape(1.5), Shape(1.0), Shape(5.0)) for _ in motion.pins]
        for height, shapes in enumerate((self._still, self._walls, self._bodies)):
            for shape in shapes:
                board.put(shape, height)
        for joint in self._joints:
            for height, shape in enumerate(joint):
                board.put(shape, 3 + height)
        self._lay_still()

    def colour(self, theme: Theme) -> None:
        for shape in (*self._still, *self._walls):
            shape.colour(theme.muted)
        for k, (shape, body) in enumerate(zip(self._bodies, self.shown.motion.bodies, strict=True)):
            hue = theme.colour(HUES[k % len(HUES)])
            shape.colour(hue, fill=hue if body.loop else "", share=0.3)
        for bush, pin, rim in self._joints:
            bush.colour(theme.text, fill=theme.plot)
            pin.colour(theme.text, fill=theme.command)
            rim.colour(theme.predicted)

    def show(self, moment: int) -> None:
        """As they are at that moment."""
        for shape, places, body in zip(self._bodies, self._places, self.shown.motion.bodies, strict=True):
            at = places[moment]
            shape.draw(*(np.vstack((at, at[:1])) if body.loop else at).T)
        walls = [wall for faces in self._faces for wall in faces[moment]]
        for shape, ends in zip(self._walls, walls, strict=True):
            shape.draw(*ends.T)
        radius, factor = self.shown.radius, self.shown.factor
        for pin, (bush, journal, rim) in zip(self.shown.motion.pins, self._joints, strict=True):
            x, y = pin.bush[moment].tolist()
            dx, dy = (factor * pin.offset[moment]).tolist()
            bush.circle(x, y, radius)
            journal.circle(x + dx, y + dy, radius - factor * pin.clearance)
            if pin.distance[moment] > pin.clearance:
                rim.arc(x, y, 1.08 * radius, float(np.arctan2(dy, dx)), ARC)
            else:
                rim.clear()

    @property
    def corners(self) -> tuple[Floats, Floats]:
        """Lowest and highest place of all, with room about it."""
        low, high = bounds(self.shown.motion)
        margin = MARGIN * float(np.max(high - low)) + self.shown.radius
        return low - margin, high + margin

    def _lay_still(self) -> None:
        size = 0.3 * self.shown.radius
        for shape, line in zip(self._still, self.shown.motion.still, strict=True):
            if len(line) == 1:  # a bearing
                x, y = line[0].tolist()
                shape.draw(np.array([x, x - size, x + size, x]), np.array([y, y - 2.0 * size, y - 2.0 * size, y]))
            else:
                shape.draw(*line.T)


class Animation(MotionPanel):
    """While a test runs: its last cycle, slowed down where it is short. Of a picture that is held, and of a record: that moment."""

    def __init__(self, what: Subject, follows: bool) -> None:
        """follows: what is drawn is the moment that is looked at, and not a cycle again and again."""
        super().__init__("Mechanism", what)
        self.follows = follows
        self._scene: Scene | None = None
        self._begun, self._cycle = 0.0, 1.0  # moment of the clock, and s, of what is shown
        self._low, self._high = np.full(2, np.inf), np.full(2, -np.inf)  # of all that was shown: it does not jump

    def draw(self, made: Moving, source: Source, now: int) -> None:
        if not self.follows:
            self._play(made, source, now)
            return
        scene, time = self._scene, (now - 1) / source.rate
        if scene is None or not _inside(scene, time):
            count = cycle_length(source, now)
            scene = self._renew(made.motion(source, now - count, now + count))
        if scene is not None:
            self._show(scene, int(np.searchsorted(scene.shown.motion.time, time, side="right")) - 1, "")

    def _play(self, made: Moving, source: Source, now: int) -> None:
        """The last cycle, and when it is over the last one then."""
        passed, scene = clock.now() - self._begun, self._scene
        slower = max(1.0, SLOW / self._cycle)
        if scene is None or passed >= slower * np.ptp(scene.shown.motion.time):
            self._begun, passed = clock.now(), 0.0
            count = cycle_length(source, now)
            self._cycle = count / source.rate
            scene = self._renew(made.motion(source, now - count, now))
        if scene is not None:
            time = scene.shown.motion.time
            pace = f"{slower:.3g} × slower" if slower > 1.0 else ""
            self._show(scene, int(np.searchsorted(time, time[0] + passed / slower).clip(max=len(time) - 1)), pace)

    def _renew(self, motion: Motion | None) -> Scene | None:
        if motion is None or len(motion.time) < 2:
            if self._scene is None:
                self.say(NOT_YET)
            return self._scene
        self.say("")
        self.board.wipe()
        self._scene = Scene(self.board, motion, None if self._scene is None else self._scene.shown.factor)
        self._scene.colour(self._theme)
        low, high = self._scene.corners
        self._low, self._high = np.minimum(self._low, low), np.maximum(self._high, high)
        self.board.frame(self._low, self._high)
        return self._scene

    def coloured(self) -> None:
        if self._scene is not None:
            self._scene.colour(self._theme)

    def _show(self, scene: Scene, moment: int, pace: str) -> None:
        scene.show(max(0, moment))
        factor, time = scene.shown.factor, f"{scene.shown.motion.time[max(0, moment)]:.3f} s"
        large = f"clearances × {factor:g}" if factor > 1.0 else "clearances as they are"
        self.figures.setText("   ".join(part for part in (large, pace or time)))


def _inside(scene: Scene, time: float) -> bool:
    """Whether it has this moment, s; the moments of a motion stand some milliseconds apart."""
    return bool(scene.shown.motion.time[0] <= time <= scene.shown.motion.time[-1] + 0.005)
