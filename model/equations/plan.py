"""What equations are generated from: a description come down to elements, if all of these are such as are known here.

Elements that are not known (kinds, or keys that these have got since) are left to the tables of model.assembly, by construction: each kind
and each key has to be named here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import MISSING, dataclass, fields

from model.assembly import layout as at
from model.assembly.description import Body
from model.assembly.elements import Constraint, Elements, Load, Spring, Touch
from model.assembly.system import Output
from model.contact import force as law
from model.equations import soft
from model.equations.tree import Tree, Uncovered, planted

KNOWN: dict[type, tuple[str, ...]] = {
    Elements: ("constraints", "closed", "near", "contacts", "springs", "loads"),
    Constraint: ("kind", "i", "j", "said", "e", "value", "rate", "drives"),
    Touch: ("i", "j", "said", "kind", "law", "floor", "columns"),
    Spring: ("i", "j", "stiffness", "damping", "length", "way", "e", "preload", "side", "curve", "by_rate", "given"),
    Load: ("on", "force", "torque", "curve"),
}
CODES = (
    at.STATE, at.ACCELERATION_OF, at.POINT_X, at.POINT_Y, at.POINT_VX, at.POINT_VY, at.POINT_AX, at.POINT_AY, at.POINT_ALONG, at.POINT_UP,
    at.MULTIPLIER, at.MULTIPLIER_SIZE, at.CONTACT_SIZE, at.CONTACT_X, at.CONTACT_Y, at.CONTACT_DEPTH, at.CONTACT_SUM, at.PULL,
    at.PUSH,
)  # fmt: skip
WHEN = 1
"""Behind how often a singular pose was come to: when last."""
SAME = 1e-12
"""Share of the way to a point by which sums of arms that lead to it differ as they are rounded."""
IN_WORDS = {
    "functions": "a course or shape that is a function",
    "factor": "a force that is a function of time",
    "way": "a force that is a function of the way",
    "along": "a way of its own",
    "turns": "a force that turns with its body",
    "actuators": "a motor by its own equations",
    "rubs": "dry friction",
    "sticks": "dry friction that sticks",
    "as_it_stands": "wheels that roll with each other",
}
"""Keys of elements as a message calls what they say."""
NONE_FOR = "for which no equations are generated"
MOST, MOST_ROWS = 12, 8
"""Coordinates, and rows that close loops: source grows with their third power."""


@dataclass(frozen=True)
class Plan:
    """A mechanism of which all is known. constraints: as the tables have them, in the order of their rows; led: x is what samples give."""

    bodies: tuple[Body, ...]
    tree: Tree
    constraints: tuple[Constraint, ...]
    contacts: tuple[Touch, ...]
    springs: tuple[Spring, ...]
    loads: tuple[Load, ...]
    weight: tuple[float, float]
    outputs: tuple[Output, ...]
    led: bool
    stabilisation: float
    """1/s, how fast what is violated in closed loops is taken back."""
    redundant: int = 0
    """How many of the rows that close loops follow from others."""
    law: str = ""
    """Of all contacts, where its force is not that of the family."""

    @property
    def pushed(self) -> bool:
        """Whether samples say what one of the springs pushes."""
        return any(spring.given for spring in self.springs)

    @property
    def masses(self) -> list[tuple[float, float]]:
        """Mass and inertia of each body."""
        return [(body.mass, body.inertia) for body in self.bodies]

    @property
    def discrete(self) -> int:
        """Places of s: the contacts', room to work in, and what is noted of singular poses."""
        return max(1, self.passing + (WHEN + 1 if self.tree.closing else 0))

    @property
    def passing(self) -> int:
        """Where it is noted how often a singular pose was come to, and when last."""
        return self.room + soft.room(self.closing_rows)

    @property
    def room(self) -> int:
        """Where the room begins."""
        return law.PARAMETERS * len(self.contacts)

    @property
    def closing_rows(self) -> int:
        """Of the joints that close loops."""
        return sum(joint.rows for joint in self.tree.closing)


def planned(
    bodies: Sequence[Body],
    parts: Mapping[str, Elements],
    constraints: Sequence[Constraint],
    weight: tuple[float, float],
    outputs: Sequence[Output],
    led: bool,
    stabilisation: float,
    redundant: int = 0,
    law: str = "",
) -> Plan:
    """The plan. parts: by what messages call them; constraints: of all of them, their rates by the course where samples lead.

    Raises Uncovered with what is in the way.
    """
    for name, part in parts.items():
        _need_known(name, part)
        for kind in (part.constraints, part.contacts, part.springs, part.loads):
            for one in kind:
                _need_known(name, one)
        if any(touch.kind >= at.LEFT_WALL for touch in part.contacts):
            raise Uncovered(f"{name} has a pin at a wall of its slot, {NONE_FOR}")
    for output in outputs:
        if output.code not in CODES:
            raise Uncovered(f"channel {output.name} is published, {NONE_FOR}")
    tree = planted(len(bodies), constraints)
    if len(tree.coordinates) > MOST:
        raise Uncovered(f"{len(tree.coordinates)} coordinates are more than {MOST}")
    for joint in tree.closing:
        if _holds_already(tree, joint):
            raise Uncovered(f"{joint.said} holds together what other joints hold together at the same place")
    each = parts.values()
    plan = Plan(
        tuple(bodies), tree, tuple(constraints), tuple(touch for part in each for touch in part.contacts),
        tuple(spring for part in each for spring in part.springs), tuple(load for part in each for load in part.loads), weight,
        tuple(outputs), led, stabilisation, redundant, law,
    )  # fmt: skip
    if plan.closing_rows > MOST_ROWS:
        raise Uncovered(f"{plan.closing_rows} rows that close loops are more than {MOST_ROWS}")
    return plan


def _holds_already(tree: Tree, joint: Constraint) -> bool:
    """Whether the two points of a joint are the same one wherever the coordinates lead: it would be a row of nothing."""
    apart = tree.apart(joint.i, joint.j)
    size = max((abs(arm) for end in (joint.i, joint.j) for arm in tree.point(end).values()), default=0.0)
    return joint.kind == at.COINCIDENT and all(abs(arm) <= SAME * size for arm in apart.values())


def _need_known(part: str, one: object) -> None:
    """Raise Uncovered for an element of another kind, or with a key that says something and is not known."""
    known = KNOWN.get(type(one))
    if known is None:
        raise Uncovered(f"{part} has an element of another kind ({type(one).__name__}), {NONE_FOR}")
    for key in fields(one):  # type: ignore[arg-type]
        usual = key.default_factory() if key.default_factory is not MISSING else key.default
        if key.name not in known and getattr(one, key.name) != usual:
            raise Uncovered(f"{part} has {IN_WORDS.get(key.name, key.name.replace('_', ' '))}, {NONE_FOR}")
