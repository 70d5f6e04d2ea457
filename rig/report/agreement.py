"""Agreement of the channels of one run: what is measured beside a prediction of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from rig.comparison import ChannelAgreement, Commanded, Compared, Settings, agreements
from rig.comparison.series import Series, Window
from rig.comparison.uncertainty.interval import Interval
from rig.config.checks.axes import AXES_MODES
from rig.config.experiment import MODE_UNITS
from rig.report.overlay.loss_angles import CHANNEL, LossAngles
from rig.report.signals import Signals

LOSS = "contact_loss"
"""The criterion."""
TURNING = tuple(MODE_UNITS[mode] for mode in AXES_MODES)
"""Units of a command that goes on and on."""


def agreed(found: Signals, predicted: Mapping[str, Series], settings: Settings, samples: int | None = None) -> dict[str, ChannelAgreement]:
    """Every channel that is measured and predicted; always the one that the command is for. samples: the first ones, default: all."""
    command = found.command
    nothing = np.broadcast_to(np.nan, len(command.value))

    def begun(x: Series) -> Series:
        return x if samples is None else Window(x, 0, samples)

    compared = {
        name: Compared(
            begun(found.measured[name]),
            begun(predicted.get(name, nothing)),
            command.amplitude if found.units.get(name) == command.unit and command.amplitude > 0.0 else None,
            found.units.get(name, ""),
        )
        for name in found.measured
        if name in predicted or name == found.feedback
    }
    turning = command.unit in TURNING
    shaft = begun(found.shaft) if turning and command.frequency and found.shaft is not None else None
    commanded = Commanded(begun(command.value), begun(command.cycle), begun(command.phase), command.frequency, turning, shaft)
    return agreements(compared, commanded, found.rate, settings)


def with_losses(compared: Mapping[str, ChannelAgreement], losses: LossAngles | None) -> dict[str, ChannelAgreement]:
    """How far apart contact is lost is said of the channel in which it is seen."""
    if losses is None or CHANNEL not in compared:
        return dict(compared)
    error = 0.0 if losses.nowhere else losses.mean_difference_deg
    notes = [note for note in (losses.one_sided, losses.nowhere) if note and losses.mean_difference_deg is None]
    with_it = compared[CHANNEL]
    doubt = losses.doubt_deg
    told = {LOSS: Interval(error, doubt)} if error is not None and doubt > 0.0 else {}
    return {
        **compared,
        CHANNEL: replace(
            with_it,
            contact_loss_error_deg=error,
            contact_loss_hidden=losses.hidden,
            intervals={**with_it.intervals, **told},
            warnings=(*with_it.warnings, *notes),
        ),
    }
