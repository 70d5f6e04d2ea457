"""Each criterion after ASME V&V 20: what is known of the uncertainty of sensors, parameters and solver, carried to its figure."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np
import scipy.special

from rig.comparison import METRICS, ChannelAgreement, Settings, Verdict
from rig.comparison.bands.columns import ends
from rig.comparison.filtering import lowpass
from rig.comparison.preparation import Counted
from rig.comparison.series import Floats
from rig.comparison.validation import COVERAGE, SensorUncertainty, Validation, of_band, validation
from rig.config.plan import Plan
from rig.recorder.reading import RunData
from rig.report.signals import Signals
from rig.sensors.uncertainty import share_of_reading
from rig.signals.engineering_units import fitting, number

LONGEST = 1 << 21
"""Samples of a band that are looked at, the first that count."""
HEAD = ("validation (V&V 20)", "criterion", "E = S - D", "u_D random", "u_D sensor", "u_input", "u_num", "2 u_val", "", "area")


def validations(
    plan: Plan, record: RunData, found: Signals, compared: Mapping[str, ChannelAgreement], judged: Verdict, settings: Settings
) -> list[Validation]:
    """Of each criterion whose channel is compared, in their order."""
    sensors, bands = _sensors(plan), dict[str, tuple[Floats, Floats] | None]()
    result = []
    for line in judged.lines:
        if (a := compared.get(line.channel)) is None or METRICS[line.metric].at_least:  # a share that is reached is no difference
            continue
        if line.channel not in bands:
            bands[line.channel] = None if a.ensemble is None else _band(a.ensemble.coverage, record, found, line.channel, settings)
        band = bands[line.channel]
        of_model = None if band is None else of_band(line.metric, a, *band)
        numerical = plan.experiment.comparison.numerical_uncertainty
        sensor = sensors.get(line.channel, SensorUncertainty())
        result.append(validation(line.channel, line.metric, line.error, a, sensor, of_model, numerical))
    return result


def _sensors(plan: Plan) -> dict[str, SensorUncertainty]:
    """A line that is late by up to so much is late by any part of that with the same probability."""
    budget = plan.experiment.comparison.budget
    late = budget.late / math.sqrt(12.0) if budget is not None else None
    found = {}
    for channel in plan.bench.channels:
        share, zero = share_of_reading(channel.sensor), channel.sensor.zero_uncertainty or 0.0
        found[channel.name] = SensorUncertainty(None if share is None else share / COVERAGE, zero / COVERAGE, late)
    return found


def _band(coverage: float, record: RunData, found: Signals, name: str, settings: Settings) -> tuple[Floats, Floats]:
    """(standard deviation of the ensemble's members, prediction), (N,) each, where samples count, both as they are compared.

    The band has two quantiles; its members are taken as normal between them.
    """
    counts = Counted(found.command.cycle, settings.discard_cycles)
    part = slice(counts.extent.start, min(counts.extent.stop, counts.extent.start + LONGEST))
    low, high = (np.asarray(record.band_column(one)[part], dtype=np.float64) for one in ends(name))
    reach = float(scipy.special.ndtri(0.5 * (1.0 + coverage)))
    width = np.where(counts[part], (high - low) / (2.0 * reach), np.nan)
    return width, lowpass(np.asarray(found.predicted[name][part], dtype=np.float64), found.rate, settings.lowpass)


def rows(found: list[Validation]) -> list[tuple[str, ...]]:
    """A table for the terminal, its head first; empty where there is nothing to say."""
    return [HEAD, *(_row(one) for one in found)] if found else []


def _row(one: Validation) -> tuple[str, ...]:
    metric = METRICS[one.metric]
    signed = "" if metric.unsigned else "+"
    error = "-" if one.error is None else f"{one.error * metric.scale:{signed}.3g} {metric.unit}"
    parts = ("-" if u is None else f"{u * metric.scale:.2g}" for u in (one.random, one.sensor, one.input, one.numerical))
    whole = "-" if one.uncertainty is None else f"{COVERAGE * one.uncertainty * metric.scale:.2g}"
    said = "" if one.beyond is None else "beyond" if one.beyond else "within"
    unit, factor = fitting(one.area_unit, one.area)
    return (one.channel, metric.title, error, *parts, whole, said, "" if one.area is None else f"{number(one.area, factor, 3)} {unit}")
