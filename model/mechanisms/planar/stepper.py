"""From a planar mechanism's description to a Stepper: assembly, start, redundant constraints, channels."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from model.assembly import layout as at
from model.assembly.constraints import constrain_all
from model.assembly.description import Body
from model.assembly.elements import Constraint, Elements, Rub
from model.assembly.given import far_places, given_velocities, unheld
from model.assembly.joints import clearance_revolute
from model.assembly.meshing import meshed
from model.assembly.placing import placed
from model.assembly.poses import pose
from model.assembly.rank import Independence, independent
from model.assembly.rubbing import begin
from model.assembly.stability import stable_step
from model.assembly.start import Scaled, checked, positions, velocities
from model.assembly.system import NO_INPUT, System, assembled, with_outputs
from model.assembly.touching import approach, clearance
from model.compiled.signatures import ContactLaw
from model.contact import laws
from model.errors import ModelError, NotConverged
from model.floats import Floats
from model.integrators import rk4
from model.integrators.memory import Y
from model.integrators.method import Integrator, explicit
from model.integrators.tableau import Tableau
from model.mechanisms.planar import kernel
from model.mechanisms.planar.config import Config
from model.mechanisms.planar.lead import Lead
from model.mechanisms.planar.led import Rest, parameters
from model.mechanisms.planar.outputs import as_bodies, contacts, elements, outputs, own_states
from model.mechanisms.planar.singular_poses import noted, remark
from model.stepping import inputs
from model.stepping.crushing import CRUSHED
from model.stepping.explicit import Kernels, Motion, Stepper

SMALL = 1e-3  # of the mechanism's size: a small but usual position
SPEED, TURN_SPEED = 1e-2, 1.0  # m/s, rad/s: small but usual
PART = 0.1  # of the least clearance: a small but usual position in a joint
NEARLY = 1e-2  # how near to dependent the rows are where a run into a dead point stops
QUICKER = 5.0  # what is violated is taken back so much faster than the mechanism turns at the start
SLOWEST = 1.0  # 1/s: or than that, if it does not move
FALLING = 20.0  # and so much faster than its links would swing, as it may begin where it is slowest
SLOW = 1e-9  # of a small speed: what counts as none at the start, where dry friction may hold
MOST_STEPS = 1e8  # for a second
TORN = 1e-5  # of the mechanism's size: what constraints may be violated by
DEAD_POINT = "a dead point, where the constraints no longer say how the linkage moves"
ANGLE = 1.0  # rad; and a million of it is the most that a body may turn


@dataclass(frozen=True)
class Redundancy:
    """Constraint rows (drives among them), how many are independent, and those that others imply, by name."""

    rows: int
    rank: int
    redundant: tuple[str, ...]


@dataclass(frozen=True)
class Start:
    """The system with what its contacts do, the state (q, v, motors' own, rods' own) at t = 0, which rows are independent there.

    closed: the constraints without clearance, the rods as bodies; placed: (3 (bodies + rods),), these as bodies too.
    """

    system: System
    closed: tuple[Constraint, ...]
    placed: Floats
    state: Floats
    independence: Independence
    size: float
    remarks: tuple[str, ...]


def remarks(found: Redundancy, moved: tuple[str, ...]) -> tuple[str, ...]:
    """What whoever described the linkage should know about it."""
    if not found.redundant:
        return moved
    names = ", ".join(found.redundant)
    return (
        *moved,
        f"{found.rows} constraint rows, {found.rank} of them independent: {names} follow from the others; "
        "the motion and the drives' torques are unique, the joints' forces are not",
    )


class PlanarStepper(Stepper):
    """A Stepper that knows its channels and what is redundant, and names the dead point at which a run has stopped."""

    redundancy: Redundancy
    system: System
    size: float
    contacts: tuple[str, ...]
    rubbing: tuple[str, ...]
    """Joints with dry friction."""
    told: tuple[str, ...]
    """What is to be said of it before it moves."""
    law: ContactLaw
    parameters: Floats
    """p of the tables."""
    equations: str = "by tables"
    """Which ones move it, and why not generated ones."""

    @property
    def rest(self) -> Callable[[Floats], tuple[Floats, Floats]]:
        """inputs -> (y, s) at the start."""
        return self._rest

    @property
    def usual(self) -> Floats:
        """Small but usual size of each state: a part of the least clearance; where there is none, of the mechanism's size."""
        p = self.system.p
        gaps = [clearance(p, int(p[at.AT_CONTACTS]) + at.C_COLUMNS * number) for number in range(len(self.contacts))]
        length = PART * min(gaps) if gaps else PART * SMALL * self.size
        usual = np.array([[length, length, length / self.size], [SPEED, SPEED, SPEED / self.size]])
        of_rods = self.system.rods.scale(length, SPEED)
        motors = self._motion.scale[self._moving : len(self._motion.scale) - len(of_rods)]
        return np.concatenate([np.repeat(usual, self.system.bodies, axis=0).ravel(), motors, of_rods])

    @property
    def _moving(self) -> int:
        """How many states are places and speeds of bodies; what motors and rods have of their own follows."""
        return 2 * at.TRIPLE * self.system.bodies

    def start(self, samples: Floats, state: Floats | None = None) -> None:
        """As Stepper.start; a `state` is brought onto the constraints, by the way for which it changes least.

        Raises ModelError where joints and drives leave nothing of the start free, or for a journal or slider outside its clearance.
        """
        super().start(samples, None if state is None else self._allowed(np.asarray(state, dtype=np.float64)))
        self.remarks = self.told

    def _noted(self) -> tuple[int, float]:
        """(how often it has come to a singular pose, when last)."""
        return noted(self._motion.parameters, self._s)

    def _tell_singular_poses(self) -> None:
        often, last = self._noted()
        if often and not self.rubbing:
            self.remarks = (*self.told, remark(often, last))

    def _advance(self, samples: Floats, watched: bool) -> tuple[Floats, Floats, Floats]:
        found = super()._advance(samples, watched)
        self._tell_singular_poses()
        p, s = self.parameters, self._of_tables()
        pose(self.state, p, s)
        constrain_all(self.time, p, s, self._window)
        kept = len(self.system.row_names)
        gaps, held = (np.abs(s[int(p[place]) :][:kept]) for place in (at.S_GAP, at.S_ACTIVE))
        if np.max(gaps * held, initial=0.0) > TORN * self.size:
            raise NotConverged(f"stopped at {self.time:.6g} s: {DEAD_POINT}")
        return found

    def _allowed(self, state: Floats) -> Floats:
        if self.redundancy.rank == self.system.coordinates:
            raise ModelError(
                "start: joints and drives leave nothing of the start free; give a joint clearance, or spread parameters instead"
            )
        z, rates = self.system.parted(state)
        z = positions(self.system, z, self.size)
        found = self.system.renewed(state, z, velocities(self.system, z, rates, self.system.masses))
        p, s = self.system.p, self.system.s.copy()
        pose(found, p, s)
        for number, name in enumerate(self.contacts):
            k = int(p[at.AT_CONTACTS]) + at.C_COLUMNS * number
            depth, gap = approach(p, s, k)[0], clearance(p, k)
            if depth > PART * gap:
                raise ModelError(
                    f"start: joint {name} would begin {depth * 1e3:.3g} mm beyond its clearance, {gap * 1e3:.3g} mm; "
                    "choose a smaller spread of the state"
                )
        return found

    def _raise(self, status: int) -> None:
        try:
            super()._raise(status)
        except NotConverged as error:
            reached = self._reached()
            if said := self._crushed(reached):
                raise NotConverged(f"{error}: {said}") from None
            jacobian = self.system.violated(self.time, *self.system.parted(reached))[2]
            scaled = Scaled(self.system, self.size)
            rows = independent(jacobian * scaled.lengths / scaled.row_lengths[:, None], dependent=NEARLY)
            if rows.rank == self.redundancy.rank:
                if self.rubbing:
                    raise NotConverged(f"{error}: with dry friction in {', '.join(self.rubbing)}, where it may jam") from None
                raise
            raise NotConverged(f"{error}: {DEAD_POINT}") from None

    def _of_tables(self) -> Floats:
        """s of the tables, to be worked with."""
        return np.array(self._s)

    def _reached(self) -> Floats:
        """State at the end of the last step that held."""
        return np.array(self._memory.states[Y])

    def _crushed(self, state: Floats) -> str:
        """The joint with clearance that is pressed together more than any contact law is good for, if there is one."""
        p, s = self.system.p, self.system.s.copy()
        pose(state, p, s)
        for number, name in enumerate(self.contacts):
            k = int(p[at.AT_CONTACTS]) + at.C_COLUMNS * number
            depth, limit = approach(p, s, k)[0], CRUSHED * p[k + at.C_SIZE]
            if p[k + at.C_KIND] == at.PIN and depth > 0.5 * limit:
                return f"joint {name} is crushed, {depth * 1e3:.3g} mm; the linkage cannot go where it is driven"
        return ""


def assemble(config: Config) -> Start:
    """The mechanism at its start, where rods are as bodies are. Raises InconsistentStart and ModelError as `model.mechanisms.planar`."""
    bodies, rods, rigid = config.as_bodies, config.flexible, as_bodies(config)
    parts = elements(config)
    constraints = [c for part in rigid for c in part.constraints]
    touching = [c for part in rigid for c in part.closed]
    size = _size(bodies, constraints)
    guess = placed(bodies, [*constraints, *touching])[:-1].ravel()
    constraints, apart = meshed(bodies, constraints, touching, guess, size)
    without_clearance = (*constraints, *touching)
    closed = assembled(bodies, without_clearance)
    q = positions(closed, guess, size)
    z = rods.straight(q)
    checked(assembled(config.bodies, [rods.constraint(c) for c in without_clearance], rods=rods), z, size)
    v = given_velocities(closed, q, bodies, size)
    constraints = [rods.constraint(c) for c in constraints]
    own = assembled(config.bodies, constraints, rods=rods)
    found = checked(own, z, size)
    system = assembled(
        config.bodies,
        constraints,
        [touch for part in parts for touch in part.contacts],
        [spring for part in parts for spring in part.springs],
        [load for part in parts for load in part.loads],
        config.weight,
        found.rank < found.rows,
        _rubs(config, parts, own, z, found.rank),
        [actuator for part in parts for actuator in part.actuators],
        rods,
    )
    system.s[int(system.p[at.S_ACTIVE]) :][: found.rows] = found.chosen
    put_out = with_outputs(system, outputs(config))
    told = (*far_places(q, bodies, size), *apart, *unheld(config.bodies, (*config.joints, *config.drives, *config.forces)))
    begins = np.array([one.start for one in own_states(parts)])
    state = system.joined(z, rods.turning(z, v), begins, rods.angles(q))
    return Start(put_out, without_clearance, q, state, found, size, told)


def _rubs(config: Config, parts: Sequence[Elements], own: System, z: Floats, rank: int) -> list[Rub]:
    """The rubs of the joints; those to which the constraints, drives among them, leave nothing to stick are told so."""
    found = []
    for rub in (rub for part in parts for rub in part.rubs):
        if not isinstance(rub.pressed, Constraint):
            found.append(rub)
            continue
        size = _size(config.as_bodies, own.constraints)
        scaled = Scaled(assembled(config.bodies, [*own.constraints, rub.stuck], rods=own.rods), size)
        free = independent(scaled.violated(z / scaled.lengths)[1]).rank > rank
        found.append(rub if free else replace(rub, whole=config.friction_whole_above / rub.arm))
    return found


def stepper(config: Config, integrator: Integrator, rate: float, lead: Lead = Lead.NONE) -> PlanarStepper:
    """See `model.mechanisms.planar`; lead: what samples say of the drives."""
    method = explicit(integrator, "a planar mechanism", "dop853 or rk4")
    start = assemble(config)
    if lead is Lead.EFFORT:  # nothing holds the drive, so it begins where its description has it
        begins, config = start.state[: at.TRIPLE * len(config.bodies)], config.pushed
        start = assemble(config)
        start = replace(start, state=np.concatenate([begins, np.zeros_like(begins), start.state[2 * len(begins) :]]))
    if method.fixed:
        _refuse_unstable(config, start, method.tableau, method.longest)
    elif damped := [rod.name for rod in config.rods if rod.damping > 0.0]:
        _refuse_hopeless(config, start, method.tableau, damped)
    law = _law(config)
    if start.system.p[at.RUBS] and not laws.of_family(config.contact.law):
        raise ModelError(
            f"contact.law: friction that sticks goes with laws of the family K delta^n (1 + a delta'/v0); got {config.contact.law}"
        )
    _watch(config, start, method.longest, law)
    published = outputs(config)
    bodies = len(config.bodies)
    own = [one.usual for one in own_states(elements(config))]
    scale = np.array([SMALL * start.size, SMALL * start.size, ANGLE] * bodies + [SPEED, SPEED, TURN_SPEED] * bodies + own)
    scale = np.concatenate([scale, config.flexible.scale(SMALL * start.size, SPEED)])
    rest = None if lead is Lead.NONE else _rest(config, start, law, method.longest, lead)
    motion = Motion(
        kernels=Kernels(kernel.rhs, kernel.guards, kernel.switch, kernel.channels, law),
        parameters=start.system.p if rest is None else rest.parameters,
        scale=scale,
        guards=int(start.system.p[at.CONTACTS]) + 1 + int(start.system.p[at.RUBS]),
        channels=len(published),
        published=len(published),
        reach=0.0,
    )

    def begun(samples: Floats) -> tuple[Floats, Floats]:
        y, s = (start.state.copy(), start.system.s.copy()) if rest is None else rest.state(samples, rate)
        pose(y, motion.parameters, s)
        constrain_all(0.0, motion.parameters, s, inputs.begun(rate, samples))
        begin(motion.parameters, s, SLOW * SPEED)
        return y, s

    made = PlanarStepper(motion, *method.steps, rate, begun)
    made.system, made.size, made.law, made.parameters = start.system, start.size, law, motion.parameters
    made.contacts = contacts(config)
    made.rubbing = tuple(item.name for item in config.joints if item.elements(config.frame).rubs)
    left_out = [name for name, chosen in zip(start.system.row_names, start.independence.chosen, strict=True) if not chosen]
    made.redundancy = Redundancy(start.independence.rows, start.independence.rank, tuple(left_out))
    made.told = made.remarks = remarks(made.redundancy, start.remarks)
    return made


def _rest(config: Config, start: Start, law: ContactLaw, step: float, lead: Lead) -> Rest:
    longest = stable_step(start.system, start.state, elements(config), config.bodies, rk4.TABLEAU)
    pushed = lead is Lead.EFFORT
    q = start.state[: at.TRIPLE * len(config.bodies)] if pushed else start.placed
    p = start.system.p if pushed else parameters(start.system, config.led, step)
    near = tuple(c for part in as_bodies(config) for c in part.near)
    return Rest(config.as_bodies, start.closed, near, config.led, start.system, q, start.size, longest, law, p, pushed)


def _law(config: Config) -> ContactLaw:
    """The one force of all joints with clearance. Raises ModelError where they have laws of different forms."""
    own = [joint.contact for joint in config.joints if isinstance(joint, clearance_revolute.Config) and joint.contact is not None]
    forces = {contact.force: contact.law for contact in (config.contact, *own)}
    if len(forces) > 1:
        raise ModelError(f"contact laws {', '.join(forces.values())}: their forces have different forms; one mechanism takes one form")
    return next(iter(forces))


def _watch(config: Config, start: Start, longest: float, law: ContactLaw) -> None:
    """Note what the start says: how independent the independent set is, and how fast the mechanism is, for the stabilisation.

    That must not go with the step: the stages of a step leave the constraints by its square, and taken back at its own pace that would
    make any method first order.
    """
    p, s = start.system.p, start.system.s
    rates = np.zeros_like(start.state)
    kernel.rhs(0.0, start.state, rates, p, s, NO_INPUT, law)
    s[int(p[at.S_PIVOT])] = kernel.accelerate(0.0, start.state, p, s, NO_INPUT, 0.0, law)
    lengths = start.system.lengths(start.size)
    speeds, accelerations = (np.abs(part) / lengths for part in start.system.parted(rates))
    fastest = max(float(np.max(speeds)), float(np.sqrt(np.max(accelerations))), SLOWEST)
    p[at.STABILISATION] = min(max(QUICKER * fastest, FALLING * _swinging(start, config)), 1.0 / longest)


def _swinging(start: Start, config: Config) -> float:
    """Circular frequency at which gravity swings links as long as these, 1/s."""
    ends = [end for c in start.closed for end in (c.i, c.j) if end.body < len(config.as_bodies)]
    arms = [arm for end in ends if (arm := float(np.hypot(end.x, end.y))) > 0.0]
    return float(np.sqrt(abs(config.gravity) / np.mean(arms))) if arms else 0.0


def _size(bodies: Sequence[Body], constraints: Sequence[Constraint]) -> float:
    """A length that is typical of the mechanism, m: the farthest that a joint is from a mass centre or from the ground's origin."""
    ends = [end for c in constraints for end in (c.i, c.j)]
    points = [(body.x or 0.0, body.y or 0.0) for body in bodies]
    return float(max([np.hypot(end.x, end.y) for end in ends] + [np.hypot(*point) for point in points], default=0.0)) or 1.0


def _refuse_unstable(config: Config, start: Start, tableau: Tableau, step: float) -> None:
    limit = stable_step(start.system, start.state, elements(config), config.bodies, tableau)
    if step > limit:
        raise ModelError(
            f"integrator.step {step:.3g} s is above the stability limit of this method, {limit:.3g} s, with the joints' contacts closed; "
            "choose a smaller step, or dop853"
        )


def _refuse_hopeless(config: Config, start: Start, tableau: Tableau, damped: Sequence[str]) -> None:
    """Raise ModelError where rods' damping alone keeps an adaptive explicit method at steps with which it would not arrive."""
    limit = stable_step(start.system, start.state, elements(config), config.bodies, tableau)
    if limit * MOST_STEPS < 1.0:
        raise ModelError(
            f"mechanism.rods: damping of {', '.join(damped)} is so stiff that explicit steps have to stay below {limit:.2g} s, "
            f"{1.0 / limit:.2g} steps for a second; choose less damping, or fewer elements"
        )
