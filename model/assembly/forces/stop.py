"""A stop: it pushes two points apart where they come too near, and never pulls."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from model.assembly.forces import rope


@dataclass(frozen=True)
class Config(rope.Config):
    """Elastic within its length, with a damper that acts as long; free beyond it."""

    SIDE: ClassVar[int] = -1
