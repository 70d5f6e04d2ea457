"""What samples say of the drives of a planar mechanism."""

from __future__ import annotations

from enum import Enum


class Lead(Enum):
    """Nothing: the description's own motion; how far the first one has gone; the force or torque of the only one."""

    NONE = "none"
    WAY = "way"
    EFFORT = "effort"
