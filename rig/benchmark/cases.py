"""The cases, one row each. A new one: an experiment in configs/experiments, and a row here."""

from __future__ import annotations

from rig.benchmark.case import Case, Metric

CASES = (
    Case("linkage", "linkage", 1.0, (Metric("transmitted_force", "N", 1.0),), rate=50e3),
    Case("ensemble_16", "", 0.0, members=16, rate=50e3, together=(("linkage", (), 0.5),)),
)
