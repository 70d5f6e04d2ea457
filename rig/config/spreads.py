"""How far the members of an ensemble lie from the nominal: what a file says, in the units of the mechanism's own numbers."""

from __future__ import annotations

from collections.abc import Iterator

from model.ensemble import Spread, drawn, number
from model.errors import ModelError
from model.mechanisms.mechanism import Mechanism
from rig.config.experiment import Ensemble, Experiment
from rig.config.experiment import Spread as Given
from rig.config.quantities import QuantityError, to_si
from rig.config.shape import shapes
from rig.config.tree import Problem


def problems(experiment: Experiment) -> Iterator[Problem]:
    """What is wrong with the ensembles of an experiment."""
    for section in ("simulate", "predictor"):
        ensemble: Ensemble | None = getattr(experiment, section).ensemble
        if ensemble is None:
            continue
        found: list[tuple[tuple[str | int, ...], str]] = [
            (("spread", i), text) for i, given in enumerate(ensemble.spread) if (text := _fault(experiment.mechanism, given))
        ]
        if not ensemble.spread and ensemble.state == 0.0:
            found = [((), "the members do not differ; expected [[spread]] with key and relative or absolute, or state > 0")]
        if not found:
            found = [((), text) for text in _out_of_bounds(experiment.mechanism, ensemble)]
        for path, text in found:
            yield Problem((section, "ensemble", *path), text)


def in_si(mechanism: Mechanism, ensemble: Ensemble) -> list[Spread]:
    """Raises ModelError or QuantityError for what `problems` finds."""
    return [_in_si(mechanism, given) for given in ensemble.spread]


def _in_si(mechanism: Mechanism, given: Given) -> Spread:
    number(mechanism, given.key)
    absolute = to_si(given.absolute, _unit(mechanism, given.key)) if given.absolute else 0.0
    return Spread(given.key, given.relative, absolute)


def _fault(mechanism: Mechanism, given: Given) -> str:
    try:
        spread = _in_si(mechanism, given)
    except (ModelError, QuantityError) as error:
        return str(error).removeprefix("ensemble: ")
    if spread.absolute < 0.0 or spread.relative * abs(number(mechanism, given.key)) + spread.absolute == 0.0:
        return f"{given.key} does not differ among the members; expected relative or absolute above 0"
    return ""


def _out_of_bounds(mechanism: Mechanism, ensemble: Ensemble) -> list[str]:
    try:
        drawn(mechanism, in_si(mechanism, ensemble), ensemble.members, ensemble.seed)
    except ModelError as error:
        return [str(error).removeprefix("ensemble: ")]
    return []


def _unit(config: object, key: str) -> str:
    """SI unit of a number of the mechanism."""
    name, _, rest = key.partition(".")
    return _unit(getattr(config, name), rest) if rest else str(shapes(type(config))[name].metadata.get("unit", "1"))
