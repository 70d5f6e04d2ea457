"""xarray, where it is installed."""

from __future__ import annotations

from types import ModuleType

from rig.errors import ConfigError


def need_xarray() -> ModuleType:
    """The module. Raises ConfigError that says what installs it."""
    try:
        import xarray
    except ModuleNotFoundError as error:
        if error.name != "xarray":
            raise  # it is there, and something that it needs is not
        raise ConfigError("arrays with names and units need the library xarray: pip install xarray") from None
    return xarray
