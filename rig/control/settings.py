"""What the `[control]` of an experiment has to be: the `Config` of each outer loop derives from this."""

from __future__ import annotations


class ControlSettings:
    """Of any outer loop; how it works is the business of the worker that runs it (`rig.control.amplitude`) or of `rig drive-file`."""
