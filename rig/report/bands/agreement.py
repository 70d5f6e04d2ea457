"""Coverage and width of the recorded band of an ensemble, for each channel that is compared."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from rig.comparison import ChannelAgreement, Settings
from rig.comparison.bands.agreement import BandAgreement, Stated, band_agreement
from rig.comparison.bands.columns import ends
from rig.comparison.filtering import passable
from rig.comparison.preparation import Counted, prepare, whole
from rig.comparison.series import Flags
from rig.config.plan import Plan
from rig.recorder.reading import RunData
from rig.report.signals import Signals

LONGEST = 1 << 21
"""Samples of a record that are looked at: the first that count."""


def with_bands(
    compared: Mapping[str, ChannelAgreement], plan: Plan, record: RunData, found: Signals, settings: Settings, ran: float | None
) -> dict[str, ChannelAgreement]:
    """Channels whose band was recorded are told how far it keeps what it says; others are left as they are.

    ran: corner of the low-pass (Hz) with which the test ran, behind which the band was recorded: behind another one nothing is told.
    """
    ensemble, result = plan.experiment.predictor.ensemble, dict(compared)
    recorded = [name for name in compared if name in found.predicted and set(ends(name)) <= set(record.band)]
    counts = Counted(found.command.cycle, settings.discard_cycles)
    if ensemble is None or not counts.extent:
        return result
    stated = Stated(ensemble.members, ensemble.coverage)
    for name in recorded:
        if passable(ran, record.rate) != settings.lowpass:
            note = (
                f"band: recorded behind a low-pass of {_hertz(ran)}, compared behind {_hertz(settings.lowpass)}: its coverage is not told"
            )
            result[name] = replace(result[name], warnings=(*result[name].warnings, note))
            continue
        part = slice(counts.extent.start, min(counts.extent.stop, counts.extent.start + LONGEST))
        if (one := _agreement(plan, record, found, settings, name, part, counts[part], stated, result[name].amplitude)) is not None:
            result[name] = replace(result[name], ensemble=one)
    return result


def _agreement(
    plan: Plan, record: RunData, found: Signals, settings: Settings, name: str, part: slice, counted: Flags, stated: Stated,
    amplitude: float | None,
) -> BandAgreement | None:  # fmt: skip
    ready = prepare(found.measured[name], found.predicted[name], found.rate, settings)
    low, high = (np.asarray(record.band_column(end)[part], dtype=np.float64) for end in ends(name))
    return band_agreement(
        ready.measured[part],
        low,
        high,
        whole(np.asarray(found.command.cycle[part], dtype=np.float64)),
        np.asarray(ready.known[part] & counted, dtype=np.bool_),
        stated,
        amplitude=amplitude,
        apart=1.0 if settings.lowpass is None else max(1.0, 0.5 * found.rate / settings.lowpass),
        risk=plan.experiment.comparison.risk,
    )


def _hertz(corner: float | None) -> str:
    return "none" if corner is None else f"{corner:g} Hz"
