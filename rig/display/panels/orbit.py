"""Each pin in the clearance circle of its bush, each slider in the play of its guide: the last cycle of the model, and where it is now."""

from __future__ import annotations

import numpy as np
import pyqtgraph as pg

from rig.display.panels.board import Board, Shape
from rig.display.panels.curve import Curve, Dot
from rig.display.panels.motion_panel import NOT_YET, MotionPanel, last_cycle
from rig.display.sources.moving import Moving
from rig.display.sources.source import Source
from rig.display.sources.view_model import Subject
from rig.display.theme import Theme
from rig.motion.parts import Floats, Guide, Motion, Pin
from rig.motion.touches import touches

ROOM = 1.25
"""Half of what is shown of a joint, in clearances."""
APART = 2.0 * ROOM + 0.3
WORDS = 0.75
"""Below it, in clearances."""
SQUARE = np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0], [-1.0, -1.0]])

Joint = Pin | Guide


class _Drawn:
    """One joint in its place on the board."""

    def __init__(self, board: Board, joint: Joint, place: Floats) -> None:
        """place (2,): of its middle."""
        self._place = place
        self._round = isinstance(joint, Pin)
        self.rim, self.flight, self.contact = Shape(1.5), Curve(), Shape(2.0)
        self.now, self.measured = Dot(), Dot()
        for height, part in enumerate((self.rim, self.flight, self.contact)):
            board.put(part, height)
        for height, dot in ((4, self.now), (5, self.measured)):
            dot.setZValue(height)
            board.getPlotItem().getViewBox().addItem(dot, ignoreBounds=True)
        if self._round:
            self.rim.circle(float(place[0]), float(place[1]), 1.0)
        else:
            self.rim.draw(*(place + SQUARE).T)
        self.words: pg.TextItem = board.name("", place[0], place[1] - ROOM)

    def colour(self, theme: Theme) -> None:
        self.rim.colour(theme.muted, fill=theme.edge, share=0.35)
        self.flight.colour(theme.muted)
        self.contact.colour(theme.predicted)
        self.now.colour(theme.predicted, edge=theme.text)
        self.measured.ring(theme.measured)
        self.words.setColor(theme.text)

    def show(self, time: Floats, joint: Joint) -> None:
        """The way, and the newest place of it."""
        at, closed = _places(joint) + self._place, joint.closed
        touching = closed[:-1] & closed[1:]
        self.flight.join(at, ~touching)
        self.contact.join(at, touching)
        self.now.place(*at[-1].tolist())
        told = touches(time, closed, joint.depth)
        self.words.setText(f"{joint.name}, {1e3 * joint.clearance:.3g} mm\n{100.0 * told.share:.0f} % touching")

    def show_measured(self, joint: Joint) -> None:
        """Where it was measured last."""
        self.measured.place(*(_places(joint)[-1] + self._place).tolist())


class Orbit(MotionPanel):
    """All joints with clearance of the mechanism; a blue dot where the bench measures the place as well."""

    def __init__(self, what: Subject) -> None:
        super().__init__("Orbit in the clearance", what)
        self._joints: list[_Drawn] = []

    def draw(self, made: Moving, source: Source, now: int) -> None:
        motion = last_cycle(made, source, now)
        if motion is None or len(motion.time) < 2:
            self.say(NOT_YET)
            return
        joints = _joints(motion)
        self.say("" if joints else "no joint of this mechanism has clearance")
        if len(self._joints) != len(joints):
            self._lay_out(joints)
        for drawn, joint in zip(self._joints, joints, strict=True):
            drawn.show(motion.time, joint)
        if (measured := made.as_measured(source, now)) is not None:
            for drawn, joint in zip(self._joints, _joints(measured), strict=True):
                drawn.show_measured(joint)
        self.figures.setText(f"model, {motion.time[0]:.2f} … {motion.time[-1]:.2f} s")

    def coloured(self) -> None:
        for drawn in self._joints:
            drawn.colour(self._theme)

    def _lay_out(self, joints: list[Joint]) -> None:
        """Beside each other, two in a row."""
        self.board.wipe()
        columns = min(2, len(joints))
        places = [np.array([k % columns * APART, -(k // columns) * (APART + WORDS)]) for k in range(len(joints))]
        self._joints = [_Drawn(self.board, joint, place) for joint, place in zip(joints, places, strict=True)]
        self.coloured()
        if places:
            self.board.frame(np.min(places, axis=0) - [ROOM, ROOM + WORDS], np.max(places, axis=0) + ROOM)


def _joints(motion: Motion) -> list[Joint]:
    return [*motion.pins, *motion.guides]


def _places(joint: Joint) -> Floats:
    """(M, 2) in clearances: of a guide its front end over its rear end."""
    return (joint.offset if isinstance(joint, Pin) else joint.ends) / joint.clearance
