"""The source of one mechanism's equations: what the solver calls of it (model.compiled.direct), straight down."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from model.contact.laws import find
from model.equations.acting import Acting, Joint, Pair, Single, joints
from model.equations.closing import Closing
from model.equations.expressions import Algebra, Expression
from model.equations.loops import Factored, pulled
from model.equations.motion import Course, Equations, Kinematics
from model.equations.plan import Plan
from model.equations.publishing import Publishing
from model.equations.reactions import Reactions
from model.equations.writer import Parameters, Writer
from model.floats import Floats

HEAD = '''"""Equations of motion of one mechanism, generated from its description; the numbers are in p."""

import math

from model.assembly.loads import SHORTEST, on_curve, tension
from model.assembly.solving import SINGULAR
from model.compiled.direct import CHANNELS, GUARDS, RHS, SWITCH, view
from model.compiled.signatures import compiled
from model.compiled.sincos import sincos
from model.equations.soft import solve_shared, solve_softly
from model.friction import velocity_window
from model.joints import contact, revolute, translational
from model.stepping import inputs
{law}'''
LAW = "{law}"
FUNCTIONS = {
    "rhs": "def rhs(t, y, dy, p, s, u, size):",
    "guards": "def guards(t, y, g, g_rate, p, s, u, size):",
    "switch": "def switch(k, t, y, p, s, u, size):",
    "channels": "def channels(t, y, values, p, s, u, size):",
}


@dataclass(frozen=True)
class Source:
    """Text of a module, and p for it: (parameters,)."""

    text: str
    parameters: Floats


def written(plan: Plan) -> Source:
    """The source for a plan, the same for all that differ in their numbers only."""
    algebra, parameters = Algebra(), Parameters()
    makers = {"rhs": _rhs, "guards": _guards, "switch": _switch, "channels": _channels}
    bodies = {}
    for name, make in makers.items():
        function = _Function(plan, Writer(algebra, parameters))
        make(function)
        bodies[name] = function.writer.lines
    size = len(parameters.values)
    text = HEAD.replace(LAW, _force(plan.law))
    for name, lines in bodies.items():
        views = _views(plan, name, size)
        text += "\n".join(["\n", f"@compiled({name.upper()}.signature, built_in=True)", FUNCTIONS[name], *views, *lines, ""])
    return Source(text, np.array(parameters.values))


def _force(name: str) -> str:
    """How the source comes by the contacts' force. It is built in, so what is compiled goes by the law's own file too."""
    if not name:
        return "from model.contact.force import force\n"
    return f"from model.contact.laws import find\n\nforce = find({name!r}).force  # {find(name).fingerprint}\n"


def _views(plan: Plan, name: str, size: int) -> list[str]:
    states = 2 * len(plan.tree.coordinates)
    lines = [f"    y, p, s = view(y, {states}), view(p, {size}), view(s, {plan.discrete})"]
    if plan.led or plan.pushed:
        lines.append("    u = view(u, size)")
    own = {
        "rhs": f"    dy = view(dy, {states})",
        "guards": f"    g, g_rate = view(g, {len(plan.contacts) + 1}), view(g_rate, {len(plan.contacts) + 1})",
        "channels": f"    values = view(values, {len(plan.outputs)})",
    }
    return lines + ([own[name]] if name in own else [])


class _Function:
    """Kinematics at the head of one function, and what acts."""

    def __init__(self, plan: Plan, writer: Writer) -> None:
        self.plan, self.writer, algebra = plan, writer, writer.algebra
        count = len(plan.tree.coordinates)
        for k in range(count):
            writer.line(f"q{k}, v{k} = y[{k}], y[{count + k}]")
        course = Course(algebra.name("t"), algebra.one, algebra.zero)
        if plan.led:
            writer.line("x, x_rate, x_second = inputs.course(u, t)")
            course = Course(algebra.name("x"), algebra.name("x_rate"), algebra.name("x_second"))
        if plan.pushed:
            writer.line("given = inputs.sample(u, t)")
        self.kinematics = Kinematics(algebra, plan.tree, course)
        self.acting = Acting(writer, self.kinematics)

    def directions(self) -> None:
        """Every sine and cosine before anything branches."""
        for group in range(len(self.plan.tree.groups)):
            for part in (self.kinematics.direction(group).x, self.kinematics.direction(group).y):
                self.writer.text(part)

    def moved(self, stabilisation: float) -> Moved:
        """How it moves; stabilisation: 1/s, of closed loops."""
        plan, writer = self.plan, self.writer
        self.directions()
        equations = Equations(self.kinematics, plan.masses, plan.weight)
        pressed = [(joint, *self.acting.joint(joint)) for joint in joints(plan.contacts)]
        others: list[Pair | Single] = [*map(self.acting.load, plan.loads), *map(self.acting.spring, plan.springs)]
        acting = [*others, *(pair for _, pair, _ in pressed)]
        for one in acting:
            if isinstance(one, Single):
                equations.push(plan.tree.point(one.on), one.force)
                equations.turn(one.on.body, one.moment)
            else:
                equations.push(plan.tree.apart(one.i, one.j), one.force)
                equations.turn(one.i.body, one.moment_i)
                equations.turn(one.j.body, one.moment_j)
        masses = Factored(equations.matrix)
        right = masses.forward(equations.forces)
        closing: dict[int, list[Expression]] = {}
        if plan.tree.closing:
            right, closing = Closing(plan, writer, self.kinematics, stabilisation).closed(masses, right)
            acting += [pulled(self.kinematics, joint, closing[id(joint)]) for joint in plan.tree.closing]
        return Moved([writer.kept(value) for value in masses.back(right)], pressed, acting, closing)


@dataclass(frozen=True)
class Moved:
    """Accelerations of the coordinates; joints with clearance, what acts in them and what they press with; all that acts; the forces of
    the joints that close loops, by their id."""

    accelerations: list[Expression]
    pressed: list[tuple[Joint, Pair, Expression]]
    acting: list[Pair | Single]
    closing: dict[int, list[Expression]]


def _rhs(function: _Function) -> None:
    found = function.moved(function.plan.stabilisation).accelerations
    for k, value in enumerate(found):
        function.writer.line(f"dy[{k}], dy[{len(found) + k}] = v{k}, {function.writer.text(value)}")
    function.writer.line("return 0")


def _guards(function: _Function) -> None:
    writer, acting = function.writer, function.acting
    for joint in joints(function.plan.contacts):
        if joint.pin:
            way, rate = acting.approach(joint.touches[0])
            radius_i, radius_j = acting.radii(joint.touches[0])
            gap, half = writer.algebra.number(radius_i - radius_j), writer.algebra.literal(0.5)
            per = writer.algebra.one / gap
            asked = f"{writer.text((way.dot(way) - gap * gap) * (half * per))}, {writer.text(way.dot(rate) * per)}"
            writer.line(f"g[{joint.first}], g_rate[{joint.first}] = contact.guard(s, {joint.first}, {asked})")
            continue
        guide = acting.guide(joint.touches[0])
        for number, touch in enumerate(joint.touches, joint.first):
            writer.line(f"depth, rate, sliding, rx, ry = {acting.corner(touch, guide)}")
            writer.line(f"g[{number}], g_rate[{number}] = contact.guard(s, {number}, depth, rate)")
    last = len(function.plan.contacts)
    writer.line(f"g[{last}], g_rate[{last}] = -1.0, 0.0  # the tables' guard of redundant rows, of which there are none")
    writer.line("return 0")


def _switch(function: _Function) -> None:
    writer, acting = function.writer, function.acting
    for joint in joints(function.plan.contacts):
        for number, touch in enumerate(joint.touches, joint.first):
            with writer.block(f"if k == {number}:"):
                floor = writer.text(writer.algebra.number(touch.floor))
                if joint.pin:
                    way, rate = acting.approach(touch)
                    closing = writer.text(way.dot(rate) / way.dot(way).root())
                else:
                    closing = f"{acting.corner(touch, acting.guide(touch))}[1]"
                writer.line(f"return contact.switch(s, {number}, {closing}, {floor})")
    writer.line("return math.nan")


def _channels(function: _Function) -> None:
    plan = function.plan
    found = function.moved(0.0)
    reactions = Reactions(function.kinematics, plan.masses, plan.weight, found.acting, found.accelerations, found.closing)
    publishing = Publishing(plan, function.acting, found.accelerations, found.pressed, reactions)
    for place, output in enumerate(plan.outputs):
        function.writer.line(f"values[{place}] = {function.writer.text(publishing.value(output))}")
    function.writer.line("return 0")
