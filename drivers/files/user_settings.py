"""The user's own settings: one TOML file beside everything else that the user's programs keep.

`~/.config/clearance-rig/settings.toml` (`XDG_CONFIG_HOME` and, on Windows, `APPDATA` are followed), or the file that the environment
variable CLEARANCE_RIG_SETTINGS names. Its one key so far:

    kinds = ["/home/me/rig-kinds"]    # folders with ROLE/KIND.py: an instrument, a mechanism, a product of NI's to be simulated ...
"""

from __future__ import annotations

import os
import sys
import tomllib
from pathlib import Path

from drivers.files.text_files import Unusable

VARIABLE = "CLEARANCE_RIG_SETTINGS"


def path() -> Path:
    """Where the settings are, whether there are any or not."""
    if named := os.environ.get(VARIABLE):
        return Path(named)
    if sys.platform == "win32" and (folder := os.environ.get("APPDATA")):
        return Path(folder) / "clearance-rig" / "settings.toml"
    return Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config") / "clearance-rig" / "settings.toml"


def _is_there(file: Path) -> bool:
    """Of a home that the user may not enter, as a service's, nothing is theirs."""
    try:
        return file.is_file()
    except PermissionError:
        return False


def folders() -> tuple[Path, ...]:
    """Folders of the user's own kinds. Raises Unusable for settings that cannot be read, and folders that are not there."""
    file = path()
    if not _is_there(file):
        if os.environ.get(VARIABLE):
            raise Unusable(f"{file}: no such settings file; it is named by the environment variable {VARIABLE}")
        return ()
    try:
        settings = tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise Unusable(f"{file}: these settings cannot be read: {error}") from error
    if unknown := [key for key in settings if key != "kinds"]:
        raise Unusable(f"{file}: {unknown[0]}: unknown key; there is kinds")
    named = settings.get("kinds", [])
    if not isinstance(named, list) or not all(isinstance(one, str) for one in named):
        raise Unusable(f'{file}: kinds: expected a list of folders, as ["/home/me/rig-kinds"]; got {named!r}')
    found = tuple((file.parent / Path(one).expanduser()).absolute() for one in named)
    for folder in found:
        if not folder.is_dir():
            raise Unusable(f"{file}: kinds: {folder} is no folder")
    return found
