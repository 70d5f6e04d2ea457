"""The contact losses of a record as a map has them, and why there may be none."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rig.comparison.flights.agreement import Flights
from rig.comparison.preparation import Counted
from rig.config.plan import Plan
from rig.errors import ConfigError
from rig.recorder.reading import RunData
from rig.report.overlay.loss_angles import ANGLE, CONTACT, LossAngles, loss_angles
from rig.report.signals import Floats, signals

SHORTEST = np.radians(0.05)
"""rad: bounces that are shorter are not seen on a map."""


@dataclass(frozen=True)
class LossMap:
    """losses: of test and model, with what `rig predict` says. bounces: every stretch without contact of the running model."""

    losses: LossAngles
    bounces: Flights


def loss_map(plan: Plan, record: RunData) -> LossMap:
    """Of what counts of a test. Raises ConfigError where a record cannot tell where contact is lost."""
    counts = Counted(signals(record, plan).command.cycle, plan.experiment.comparison.discard_cycles).extent
    found = loss_angles(plan, record, counts, plan.experiment.comparison.remove_delay)
    if found is None:
        raise ConfigError(
            "--losses: expected a four_bar with clearance, an acceleration and an encoder crank_angle, and counted turns; this test lacks "
            "some of that. rig view --orbit shows where the model loses contact, --impacts where test and model hit"
        )
    return LossMap(found, _bounces(record, found))


def _bounces(record: RunData, found: LossAngles) -> Flights:
    if not {CONTACT, ANGLE} <= set(record.streams.get("predicted", ())):
        return Flights(np.empty(0), np.empty(0))
    angle, contact = (np.asarray(record.column("predicted", name)[found.looked_at], dtype=np.float64) for name in (ANGLE, CONTACT))
    return stretches(angle, contact)


def stretches(angle: Floats, contact: Floats) -> Flights:
    """Where contact (n,), 1 or 0, is 0, at angles (n,) rad; without those that are too short to be seen."""
    known = np.isfinite(angle) & np.isfinite(contact)
    angle, apart = angle[known], contact[known] < 0.5
    edges = np.flatnonzero(np.diff(np.concatenate(([0], apart.astype(np.int8), [0]))))
    begin, end = angle[edges[::2]], angle[np.minimum(edges[1::2], len(angle) - 1)] if len(angle) else np.empty(0)
    seen = np.abs(end - begin) >= SHORTEST
    return Flights(np.minimum(begin, end)[seen], np.maximum(begin, end)[seen])
