"""A planar mechanism by equations that are generated for it (model.equations), where there are such; else as the tables have it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from model.assembly import layout as at
from model.contact import laws
from model.contact.force import force
from model.equations import absolute
from model.equations.loading import loaded
from model.equations.plan import WHEN, Plan, planned
from model.equations.source import written
from model.equations.tree import TURNS, Uncovered
from model.errors import ModelError
from model.floats import Floats
from model.integrators import by_pointer
from model.integrators.kernels import Direct
from model.integrators.method import Explicit, Integrator, explicit
from model.mechanisms.planar import stepper as tables
from model.mechanisms.planar.config import Config
from model.mechanisms.planar.lead import Lead
from model.mechanisms.planar.outputs import elements, outputs
from model.mechanisms.planar.stepper import SMALL, SPEED, TURN_SPEED, PlanarStepper
from model.stepping import inputs
from model.stepping.explicit import Motion, Stepper

ANGLE = 1e-3  # rad: small but usual for the angle of a body, from which the places of its points follow
FARTHEST = 1e6  # rad and sizes of the mechanism: the most that a coordinate may come to; usual sizes: the most of a rate


class GeneratedStepper(PlanarStepper):
    """A PlanarStepper that moves by the coordinates of a tree. To whoever asks its state is that of the bodies."""

    plan: Plan

    @property
    def state(self) -> Floats:
        """See Stepper."""
        return self._of_bodies(super().state)

    def _reached(self) -> Floats:
        return self._of_bodies(super()._reached())

    def _of_bodies(self, y: Floats) -> Floats:
        course = inputs.course(self._window, self.time) if self.plan.led else (self.time, 1.0, 0.0)
        return absolute.bodies(self.plan.tree, y, course)

    def _allowed(self, state: Floats) -> Floats:
        return absolute.coordinates(self.plan.tree, super()._allowed(state))

    def _of_tables(self) -> Floats:
        return self.system.s.copy()

    def _noted(self) -> tuple[int, float]:
        if not self.plan.tree.closing:
            return 0, 0.0
        return int(self._s[self.plan.passing]), float(self._s[self.plan.passing + WHEN])

    def _advance(self, samples: Floats, watched: bool) -> tuple[Floats, Floats, Floats]:
        if self.plan.tree.closing:
            return super()._advance(samples, watched)
        return Stepper._advance(self, samples, watched)  # there are no constraints that could have been left


def stepper(config: Config, integrator: Integrator, rate: float, lead: Lead = Lead.NONE) -> PlanarStepper:
    """See `model.mechanisms.planar`; lead: what samples say of the drives."""
    made = tables.stepper(config, integrator, rate, lead)
    if config.equations == "tables":
        return made
    try:
        plan = plan_of(config, made, lead)
    except Uncovered as reason:
        made.equations = f'by tables: {reason}; that is as exact and slower, and mechanism.equations = "tables" asks for it'
        return made
    return _generated(plan, made, explicit(integrator, "a planar mechanism", "dop853 or rk4"))


def plan_of(config: Config, made: PlanarStepper, lead: Lead = Lead.NONE) -> Plan:
    """What equations are generated from. Raises Uncovered."""
    if config.rods:
        raise Uncovered("rods that give way")
    config, led = config.pushed if lead is Lead.EFFORT else config, lead is Lead.WAY
    if made.rubbing:
        raise Uncovered(f"dry friction that sticks in {', '.join(made.rubbing)}")
    law = _own_law(config, made)
    rows = made.system.constraints
    if led:
        ratios = {drive.row.said: drive.ratio for drive in config.led}
        rows = tuple(replace(row, rate=ratios.get(row.said, 0.0)) if row.drives else row for row in rows)
    redundant = made.redundancy.rows - made.redundancy.rank
    names = (f"{what} {part.name}" for what in ("joint", "drive", "force") for part in getattr(config, f"{what}s"))
    parts = dict(zip(names, elements(config), strict=True))
    return planned(
        config.bodies, parts, rows, config.weight, outputs(config), led, float(made.parameters[at.STABILISATION]), redundant, law
    )


def _own_law(config: Config, made: PlanarStepper) -> str:
    """Name of the contact law, where its force is not that of the family. Raises Uncovered where it cannot be built into source."""
    if made.law is force:
        return ""
    law = laws.find(config.contact.law)
    if law.force is not made.law:
        raise Uncovered("a contact law that has no name")
    try:
        _ = law.fingerprint
    except ModelError as error:
        raise Uncovered(str(error)) from error
    return config.contact.law


def _generated(plan: Plan, made: PlanarStepper, method: Explicit) -> PlanarStepper:
    source = written(plan)
    module = loaded(source.text)
    kernels = Direct(module.rhs, module.guards, module.switch, module.channels, made.law)
    published, turns = len(plan.outputs), np.array([one.kind == TURNS for one in plan.tree.coordinates], dtype=np.bool_)
    scale = np.concatenate([np.where(turns, ANGLE, SMALL * made.size), np.where(turns, TURN_SPEED, SPEED)])
    most = FARTHEST * np.concatenate([np.where(turns, 1.0, made.size), scale[len(turns) :]])
    motion = Motion(
        kernels, source.parameters, scale, len(plan.contacts) + 1, published, published, 0.0, by_pointer.advance, by_pointer.begin,
        by_pointer.repeat, most,
    )  # fmt: skip
    new = GeneratedStepper(motion, *method.steps, made.rate, _begun(plan, made.rest))
    for name in ("system", "size", "contacts", "rubbing", "redundancy", "told", "remarks", "law", "parameters"):
        setattr(new, name, getattr(made, name))
    new.plan, new.equations = plan, "generated"
    return new


def _begun(plan: Plan, rest: Callable[[Floats], tuple[Floats, Floats]]) -> Callable[[Floats], tuple[Floats, Floats]]:
    def begun(samples: Floats) -> tuple[Floats, Floats]:
        state, of_tables = rest(samples)
        s = np.zeros(plan.discrete)
        s[: plan.room] = of_tables[: plan.room]
        return absolute.coordinates(plan.tree, state), s

    return begun
