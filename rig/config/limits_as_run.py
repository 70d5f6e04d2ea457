"""The limits of a test that is over, from the text of its experiment as it ran: of a record that lies alone, without its run's folder."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from drivers.files import toml_trees
from rig.config.conversion import Conversion
from rig.config.experiment import Limit
from rig.config.schema import build
from rig.errors import ConfigError


@dataclass(frozen=True)
class _Limited:
    limits: tuple[Limit, ...] = ()


def limits_as_run(text: str, units: Mapping[str, str]) -> tuple[Limit, ...]:
    """Those of the channels that `units` (SI) knows, `command` among them. Raises ConfigError for a text that no test ran with."""
    try:
        tree = toml_trees.parse(text)
    except (toml_trees.NotToml, toml_trees.OutOfBounds) as error:
        raise ConfigError(f"the experiment in the record: {error}") from None
    given = tree.get("limits", [])
    known = [one for one in given if isinstance(one, Mapping) and one.get("channel") in units] if isinstance(given, list) else []
    conversion = Conversion(channels=units)
    made = build(_Limited, {"limits": known}, conversion)
    if made is None or conversion.problems:
        raise ConfigError([f"the experiment in the record: limits: {problem.text}" for problem in conversion.problems])
    return tuple(made.limits)
