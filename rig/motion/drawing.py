"""What is asked of a mechanism so that its motion can be drawn, and the motion: looked up by its kind."""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from rig.config import kinds
from rig.errors import ConfigError
from rig.motion.parts import Motion
from rig.motion.traced import Traced

ROOM = "rig.motion.kinds"
Coordinates = tuple[tuple[str, str], ...]
"""Name and unit of each."""


@dataclass(frozen=True)
class Drawing:
    """channels: of the prediction, by name; coordinates: states in front, which the model has beside them; None: channels say it all."""

    mechanism: object
    channels: tuple[str, ...]
    coordinates: Coordinates | None
    _move: Callable[[object, Traced], Motion]

    def motion(self, traced: Traced) -> Motion:
        """Pins, guides and bodies. Raises ConfigError for a description of which none is drawn."""
        return self._move(self.mechanism, traced)


def drawing(mechanism: object) -> Drawing:
    """How a mechanism is drawn. Raises ConfigError where nothing is drawn of it, with the reason.

    A file in `kinds` has `motion(mechanism, traced)`, CHANNELS, which it reads, and `coordinates(mechanism)` where it reads states.
    """
    kind = kinds.kind_of(mechanism)
    if not kind.isidentifier() or importlib.util.find_spec(f"{ROOM}.{kind}") is None:
        raise ConfigError(f"no motion is drawn of a mechanism of kind {kind}")
    module: Any = importlib.import_module(f"{ROOM}.{kind}")
    states: Callable[[object], Coordinates] | None = getattr(module, "coordinates", None)
    return Drawing(mechanism, module.CHANNELS, None if states is None else states(mechanism), module.motion)
