"""The channels of a planar mechanism as expressions, by the codes of model.assembly.layout."""

from __future__ import annotations

from collections.abc import Sequence

from model.assembly import layout as at
from model.assembly.system import Output
from model.equations.acting import Acting, Joint, Pair
from model.equations.expressions import Expression
from model.equations.plan import Plan
from model.equations.plane import Vector
from model.equations.reactions import Reactions


class Publishing:
    """What each output is, where accelerations and what acts in the joints are known."""

    def __init__(
        self,
        plan: Plan,
        acting: Acting,
        accelerations: Sequence[Expression],
        pressed: Sequence[tuple[Joint, Pair, Expression]],
        reactions: Reactions,
    ) -> None:
        self.plan, self.acting, self.accelerations = plan, acting, accelerations
        self.kinematics, self.algebra = acting.kinematics, acting.algebra
        self.pressed, self.reactions = pressed, reactions
        self._rows = [(joint, axis) for joint in plan.constraints for axis in range(joint.rows)]

    def value(self, output: Output) -> Expression:
        """Of this channel."""
        if output.code == at.STATE:
            rates, place = divmod(output.index, at.TRIPLE * len(self.plan.bodies))
            return self._of_body(*divmod(place, at.TRIPLE), rates)
        if output.code == at.ACCELERATION_OF:
            return self._of_body(output.index, output.axis, 2)
        if output.end is not None:
            return self._of_point(output)
        if output.code == at.MULTIPLIER:
            return self.reactions.row(*self._rows[output.index])
        if output.code == at.MULTIPLIER_SIZE:
            x, y = (self.reactions.row(*self._rows[output.index + k]) for k in (0, 1))
            return (x * x + y * y).root()
        if output.code in (at.PULL, at.PUSH):
            pull = self.acting.pulls[output.index]
            return pull if output.code == at.PULL else -pull
        return self._of_joint(output)

    def _of_body(self, body: int, axis: int, derivative: int) -> Expression:
        group, angle, arms = self.kinematics.tree.bodies[body]
        if axis == 2:
            if derivative == 2:
                return self.kinematics.spinning(group, self.accelerations)
            return self.kinematics.turning(group) if derivative else self.kinematics.angle(group) + self.algebra.number(angle)
        vector = self._moving(arms, derivative)
        return vector.y if axis else vector.x

    def _moving(self, arms: dict[tuple[int, int | None], complex], derivative: int) -> Vector:
        if derivative == 2:
            return self.kinematics.acceleration(arms, self.accelerations)
        return self.kinematics.speed(arms) if derivative else self.kinematics.place(arms)

    def _of_point(self, output: Output) -> Expression:
        end, tree = output.end, self.kinematics.tree
        assert end is not None
        direction = self.kinematics.carried((tree.bodies[end.body][0], None), tree.world(end.body, complex(*output.direction)))
        if output.code == at.POINT_UP:
            return direction.dot(Vector(*(self.algebra.number(part) for part in up(self.plan.weight))))
        derivative = {at.POINT_X: 0, at.POINT_Y: 0, at.POINT_VX: 1, at.POINT_VY: 1}.get(output.code, 2)
        vector = self._moving(tree.point(end), derivative)
        if output.code == at.POINT_ALONG:
            return direction.dot(vector)
        return vector.y if output.code in (at.POINT_Y, at.POINT_VY, at.POINT_AY) else vector.x

    def _of_joint(self, output: Output) -> Expression:
        """Of a joint with clearance; without contacts (clearance 0) there is nothing to tell."""
        if output.axis == 0:
            return self.algebra.zero
        joint, pair, total = next(found for found in self.pressed if found[0].first == output.index)
        if output.code == at.CONTACT_DEPTH:
            return self._depth(joint)
        if output.code == at.CONTACT_SUM:
            return total
        if output.code == at.CONTACT_SIZE:
            return pair.force.dot(pair.force).root()
        return pair.force.x if output.code == at.CONTACT_X else pair.force.y

    def _depth(self, joint: Joint) -> Expression:
        writer, name = self.acting.writer, self.acting.writer.fresh()
        if joint.pin:
            way, _ = self.acting.approach(joint.touches[0])
            radius_i, radius_j = self.acting.radii(joint.touches[0])
            gap = writer.text(way.dot(way).root() - self.algebra.number(radius_i - radius_j))
            writer.line(f"{name} = max(0.0, {gap})")
            return self.algebra.name(name)
        guide = self.acting.guide(joint.touches[0])
        calls = [self.acting.corner(touch, guide) for touch in joint.touches]
        writer.line(f"{name} = max(0.0, {', '.join(f'{call}[0]' for call in calls)})")
        return self.algebra.name(name)


def up(weight: tuple[float, float]) -> tuple[float, float]:
    """The direction against the weight; without one along y."""
    size = (weight[0] ** 2 + weight[1] ** 2) ** 0.5
    return (-weight[0] / size, -weight[1] / size) if size > 0.0 else (0.0, 1.0)
