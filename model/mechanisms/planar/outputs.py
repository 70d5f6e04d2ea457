"""The channels that a planar mechanism has by its description: of bodies, points, joints and drives."""

from __future__ import annotations

import difflib
import math
from collections.abc import Sequence

from model.assembly import layout as at
from model.assembly.elements import Constraint, Elements, End, OwnState
from model.assembly.rods.rod import BEGIN, END
from model.assembly.system import Output, assembled
from model.errors import ModelError
from model.mechanisms.planar.config import Config


def elements(config: Config) -> list[Elements]:
    """What joints, drives and forces come down to, between bodies and frames of rods."""
    return [config.flexible.elements(part) for part in as_bodies(config)]


def as_bodies(config: Config) -> list[Elements]:
    """The same with the rods as bodies."""
    frame = config.frame
    return [item.elements(frame) for item in (*config.joints, *config.drives, *config.forces)]


def own_states(parts: Sequence[Elements]) -> list[OwnState]:
    """What motors have of their own, in the order in which it follows the bodies' states."""
    return [own for part in parts for actuator in part.actuators for own in actuator.own]


def _meant(config: Config, name: str, known: Sequence[str]) -> str:
    """What a name of no channel may have been: one that is like it, one of the part that it begins with, or of a part that there is."""
    if close := difflib.get_close_matches(name, known, 5):
        return f"did you mean {' or '.join(close)}?"
    groups = {"bodies": [body.name for body in config.as_bodies], "joints": [joint.name for joint in config.joints]}
    groups |= {"drives": [drive.name for drive in config.drives], "forces": [force.name for force in config.forces]}
    if any(name.startswith(f"{part}_") for parts in groups.values() for part in parts):
        return f"there are {', '.join(known)}"
    there = "; ".join(f"{kind} {', '.join(parts) or 'none'}" for kind, parts in groups.items())
    return f"a channel begins with the name of a body, joint, drive or force, and there are: {there}"


def outputs(config: Config) -> tuple[Output, ...]:
    """The channels that are asked for, or the usual ones. Raises ModelError for a name that there is not, with those there are."""
    usual, others = _available(config)
    known = {output.name: output for output in (*usual, *others)}
    for name in config.outputs:
        if name not in known:
            raise ModelError(f"outputs: there is no channel {name!r}; {_meant(config, name, list(known))}")
    wanted = tuple(known[name] for name in config.outputs) if config.outputs else tuple(usual)
    taken = {output.name for output in wanted}
    for sensor in config.accelerometers:
        if sensor.name in taken:
            raise ModelError(f"accelerometers: {sensor.name} is the name of a channel already; expected another")
    return (*wanted, *_accelerometers(config))


def up(name: str) -> str:
    """The channel that says what the direction of an accelerometer has upwards."""
    return f"{name}_up"


def _accelerometers(config: Config) -> list[Output]:
    found = []
    for sensor in config.accelerometers:
        end = config.flexible.end(config.frame.end(sensor.on))
        direction = (math.cos(sensor.direction), math.sin(sensor.direction))
        found.append(Output(sensor.name, "m/s^2", at.POINT_ALONG, end.body, end=end, direction=direction))
        found.append(Output(up(sensor.name), "1", at.POINT_UP, end.body, end=end, direction=direction))
    return found


def contacts(config: Config) -> tuple[str, ...]:
    """Names of the contacts, in the order of the guards."""
    return tuple(touch.said for part in elements(config) for touch in part.contacts)


def _available(config: Config) -> tuple[list[Output], list[Output]]:
    """(usual channels, those that are put out when they are asked for)."""
    usual: list[Output] = []
    others: list[Output] = []
    count = len(config.bodies)
    for number, body in enumerate(config.bodies):
        for axis, (name, unit) in enumerate((("x", "m"), ("y", "m"), ("angle", "rad"))):
            usual.append(Output(f"{body.name}_{name}", unit, at.STATE, 3 * number + axis))
            rate = f"v{name}" if axis < 2 else "angular_velocity"
            others.append(Output(f"{body.name}_{rate}", f"{unit}/s", at.STATE, 3 * (count + number) + axis))
            second = f"a{name}" if axis < 2 else "angular_acceleration"
            others.append(Output(f"{body.name}_{second}", f"{unit}/s^2", at.ACCELERATION_OF, number, axis))
        for point in body.points:
            others += _of_point(f"{body.name}_{point.name}", End(number, point.x - body.centre.x, point.y - body.centre.y))
    _rods(config, usual, others)
    _forces(config, usual, others)
    _springs(config, others)
    _motors(config, usual)
    return usual, others


def _of_point(name: str, end: End) -> list[Output]:
    """Place, velocity and acceleration."""
    codes = range(at.POINT_X, at.POINT_AY + 1)
    units = ("m", "m", "m/s", "m/s", "m/s^2", "m/s^2")
    axes = zip(codes, ("x", "y", "vx", "vy", "ax", "ay"), units, strict=True)
    return [Output(f"{name}_{axis}", unit, code, end.body, end=end) for code, axis, unit in axes]


def _rods(config: Config, usual: list[Output], others: list[Output]) -> None:
    """Of a rod the angle of its begin, where its end is and how that is turned; of all points what bodies have, and how they turn."""
    for rod in config.rods:
        usual.append(_turned(rod.name, config, f"{rod.name}.{BEGIN}"))
        for point in rod.met:
            end = config.flexible.end(config.frame.end(f"{rod.name}.{point.name}"))
            name = f"{rod.name}_{point.name}"
            x, y, *rates = _of_point(name, end)
            angle = _turned(name, config, f"{rod.name}.{point.name}")
            (usual if point.name == END else others).extend((x, y, angle))
            others.extend(rates)
            others.append(Output(f"{name}_angular_velocity", "rad/s", at.IN_POSE, end.body, at.OMEGA))
            others.append(Output(f"{name}_angular_acceleration", "rad/s^2", at.ACCELERATION_OF, end.body, 2))


def _turned(name: str, config: Config, point: str) -> Output:
    return Output(f"{name}_angle", "rad", at.IN_POSE, config.flexible.end(config.frame.end(point)).body, at.ANGLE_OF)


def _springs(config: Config, others: list[Output]) -> None:
    """What springs pull with, by their kinds: of one that has several its way as well."""
    number = sum(len(item.elements(config.frame).springs) for item in (*config.joints, *config.drives))
    for force in config.forces:
        springs = force.elements(config.frame).springs
        ways = ("_along", "_across", "_turning") if len(springs) > 1 else ("",) * len(springs)
        for spring, way in zip(springs, ways, strict=True):
            if not spring.by_rate:  # a motor's torque is told as that of a motor
                what, unit = ("torque", "N*m") if spring.way == at.TURNED else ("force", "N")
                others.append(Output(f"{force.name}{way or f'_{what}'}", unit, at.PULL, number))
            number += 1


def _motors(config: Config, usual: list[Output]) -> None:
    """Torques of motors, and what they have of their own."""
    number, state = 0, 2 * at.TRIPLE * len(config.bodies)
    for force in config.forces:
        for actuator in force.elements(config.frame).actuators:
            usual.append(Output(f"{force.name}_torque", "N*m", at.ACTUATOR_TORQUE, number))
            number += 1
            for own in actuator.own:
                usual.append(Output(f"{force.name}_{own.name}", own.unit, at.STATE, state))
                state += 1


def _forces(config: Config, usual: list[Output], others: list[Output]) -> None:
    """Forces of joints and drives, penetrations."""
    order = assembled(config.bodies, [c for part in elements(config) for c in part.constraints], rods=config.flexible).constraints
    rows = {id(c): sum(before.rows for before in order[:k]) for k, c in enumerate(order)}
    rows_in_all, rubs = sum(c.rows for c in order), 0
    contact = pushed = 0
    for item in (*config.joints, *config.drives):
        part = config.flexible.elements(item.elements(config.frame))
        for spring in part.springs:  # of a drive that is led by what it takes
            what, unit = ("torque", "N*m") if spring.way == at.TURNED else ("force", "N")
            usual.append(Output(f"{item.name}_{what}", unit, at.PUSH, pushed))
            pushed += 1
        for c in part.constraints:
            row = next(rows[id(other)] for other in order if other == c)
            _of_constraint(item.name, c, row, usual, others)
        count = len(part.contacts)
        if count or hasattr(item, "clearance"):  # the joint without its clearance has the same columns
            usual.append(Output(f"{item.name}_penetration", "m", at.CONTACT_DEPTH, contact, count))
        if count > 1:
            usual.append(Output(f"{item.name}_force", "N", at.CONTACT_SUM, contact, count))
        elif count == 1:
            usual.append(Output(f"{item.name}_force", "N", at.CONTACT_SIZE, contact, count))
            others.append(Output(f"{item.name}_force_x", "N", at.CONTACT_X, contact, count))
            others.append(Output(f"{item.name}_force_y", "N", at.CONTACT_Y, contact, count))
        contact += count
        for rub in part.rubs:
            unit = "N*m" if rub.stuck.kind == at.ANGLE else "N"
            name = item.name if len(part.rubs) == 1 else rub.stuck.said.removesuffix(" friction").replace(" ", "_")
            usual.append(Output(f"{name}_friction", unit, at.MULTIPLIER, rows_in_all + rubs))
            rubs += 1


def _of_constraint(name: str, c: Constraint, row: int, usual: list[Output], others: list[Output]) -> None:
    if c.kind == at.COINCIDENT:
        usual.append(Output(f"{name}_force", "N", at.MULTIPLIER_SIZE, row))
        others.append(Output(f"{name}_force_x", "N", at.MULTIPLIER, row))
        others.append(Output(f"{name}_force_y", "N", at.MULTIPLIER, row + 1))
    elif c.kind != at.ANGLE:
        usual.append(Output(f"{name}_force", "N", at.MULTIPLIER, row))
    else:
        (usual if c.drives else others).append(Output(f"{name}_{'torque' if c.drives else 'moment'}", "N*m", at.MULTIPLIER, row))
