"""Calculated channels: names that are free, expressions that can be taken, units that fit."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from rig.calculated.evaluation import constant
from rig.calculated.expression import Call, Node, Operation, WrongExpression, parse, written
from rig.config.bench import Bench
from rig.config.checks.names import unfit
from rig.config.experiment import MODE_UNITS, Calculated, Experiment
from rig.config.tree import Problem
from rig.config.units.dimensions import in_si, need
from rig.config.units.estimated import units_of
from rig.config.units.more_units import predicted
from rig.config.units.quantities import is_unit, not_si, registry


def units(experiment: Experiment, bench: Bench) -> dict[str, str]:
    """Name -> SI unit of all that an expression may use, calculated channels but for; what is read beside the samples is none of it."""
    measured = {channel.name: channel.unit for channel in bench.channels}
    keys = [one.key for one in experiment.identify.free] if experiment.estimate is not None else []
    estimated = units_of(keys, experiment.mechanism, measured) if keys else {}
    return {"command": MODE_UNITS[experiment.command.mode], **measured, **predicted(experiment.mechanism, bench), **estimated}


def problems(experiment: Experiment, bench: Bench) -> Iterator[Problem]:
    known = units(experiment, bench)
    taken = {**known, **{one.name: one.unit for one in bench.instruments}}
    for i, one in enumerate(experiment.calculated):
        at = ("calculated", i)
        if wrong := unfit(one.name) or (f"{one.name!r} is the name of another channel already" if one.name in taken else ""):
            yield Problem((*at, "name"), wrong)
            continue
        taken[one.name] = one.unit
        if not is_unit(one.unit):
            continue  # said where it was read
        if wrong := not_si(one.unit):
            yield Problem((*at, "unit"), f"channels are in SI units: {wrong}, got {one.unit!r}")
            continue
        try:
            node = in_si_checked(one, known)
            _need_lengths(node)
        except WrongExpression as error:
            yield Problem((*at, "expression"), str(error))
        known[one.name] = one.unit


def in_si_checked(one: Calculated, known: dict[str, str]) -> Node:
    """The expression with SI numbers. Raises WrongExpression."""
    node = parse(one.expression)
    in_si(node)  # units that there are
    unit = "dimensionless" if one.unit in ("", "1") else one.unit
    need(node, registry().parse_units(unit), known, f"{one.name}, unit {one.unit}")
    return in_si(node)


def _need_lengths(node: Node) -> None:
    """Raises WrongExpression for a window or a reference that is not above 0."""
    if isinstance(node, Call) and node.function in ("mean", "rms", "damage"):
        for part in node.parts[1:]:
            if not constant(part) > 0.0:
                raise WrongExpression(f"{node.function}: expected a number above 0, got {written(part)}")
    if isinstance(node, (Call, Operation)):
        for part in node.parts:
            _need_lengths(part)


def as_run(experiment: Experiment) -> Experiment:
    """The experiment with plain SI numbers in its expressions: the processes of a test have no parser of units."""
    if not experiment.calculated:
        return experiment
    made = tuple(replace(one, expression=written(in_si(parse(one.expression)))) for one in experiment.calculated)
    return replace(experiment, calculated=made)
