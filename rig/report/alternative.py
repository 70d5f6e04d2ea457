"""The prediction once more, under another contact law, over the input that was recorded."""

from __future__ import annotations

import sys
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from model.errors import ModelError
from rig.errors import ConfigError
from rig.plan import Plan
from rig.prediction import stepper
from rig.report.signals import Signals
from rig.sensors import Transfer

Floats = NDArray[np.float64]
BLOCK = 8192


def predicted_under(law: str, plan: Plan, signals: Signals) -> dict[str, Floats]:
    """Return channel -> prediction as measured (N,), as the predictor would have made it with `mechanism.contact.law` = law.

    Raises ConfigError when the mechanism has no contact law, or none of that name.
    """
    mechanism = plan.experiment.mechanism
    contact = getattr(mechanism, "contact", None)
    if contact is None or not hasattr(contact, "law"):
        raise ConfigError(f"comparison.alternative_law = {law!r}: this mechanism has no contact law")
    module = sys.modules[type(mechanism).__module__]
    source = plan.experiment.predictor.source
    try:
        changed = replace(mechanism, contact=replace(contact, law=law))
        alternative = stepper(plan.experiment, signals.rate, changed)
    except (ValueError, LookupError, ModelError) as error:
        raise ConfigError(f"comparison.alternative_law = {law!r}: {error}") from None
    given = signals.command.value if source == "command" else signals.measured[source]
    predicted = _advance(alternative, np.nan_to_num(given), alternative.lookahead)
    inputs = {channel.name: channel for channel in plan.bench.channels}
    return {
        name: Transfer(inputs[name], signals.rate).apply(np.ascontiguousarray(predicted[:, i]))
        for i, (name, _) in enumerate(module.CHANNELS)
        if name in inputs and name != source
    }


def _advance(made: object, given: Floats, lookahead: int) -> Floats:
    """All output samples (N, channels) for the input samples (N,), in the predictor's own manner."""
    made.start(np.ascontiguousarray(given[:lookahead]))  # type: ignore[attr-defined]
    last = given[-1] if len(given) else 0.0
    rest = np.concatenate((given[lookahead:], np.full(lookahead, last)))
    blocks = [made.advance(np.ascontiguousarray(rest[i : i + BLOCK])) for i in range(0, len(rest), BLOCK)]  # type: ignore[attr-defined]
    return np.concatenate(blocks)
