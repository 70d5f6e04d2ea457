"""Libraries of the extras `exchange` and `bluesky`: imported when a file of their format is read or written."""

from __future__ import annotations

import importlib
from types import ModuleType

EXTRA = "exchange"
PACKAGES = {"nptdms": "npTDMS", "event_model": "event-model"}
"""Module -> package, where they are called differently."""


class Missing(ValueError):
    """A library that is not installed; says which, and what installs it."""


def library(module: str, file: str, extra: str = EXTRA) -> ModuleType:
    """The module. file: what it is for, as `a TDMS file`. extra: of the distribution, that brings it. Raises Missing."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        if error.name and error.name.partition(".")[0] != module.partition(".")[0]:
            raise  # the library is there, and one that it needs is not
        package = PACKAGES.get(module.partition(".")[0], module.partition(".")[0])
        raise Missing(f"{file} needs the library {package}; pip install 'clearance-rig[{extra}]' brings it") from None
