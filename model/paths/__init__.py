"""Cartesian paths that a point of a mechanism follows, as functions of time.

A path's file holds a frozen `Config` and `create(config) -> Course`. [trajectory] path = "NAME" chooses it.
"""

from __future__ import annotations

import sys
from typing import Any

from model.paths.course import Course


def create(config: Any) -> Course:
    """The path of any kind's `Config`: that kind's own factory, found beside it."""
    made: Course = sys.modules[type(config).__module__].create(config)
    return made
