"""The libraries of the extra `campaign`: looked for before anything is computed."""

from __future__ import annotations

from importlib.util import find_spec

from rig.errors import ConfigError

NEEDED = ("dask", "distributed", "zarr", "xarray", "SALib", "cryptography")


def need_libraries() -> None:
    """Raise ConfigError that says what installs those which are missing."""
    if missing := [name for name in NEEDED if find_spec(name) is None]:
        raise ConfigError(f"rig sweep needs {', '.join(missing)}: pip install 'clearance-rig[campaign]'")
