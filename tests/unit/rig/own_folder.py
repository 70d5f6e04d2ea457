"""A folder of the user's own kinds, and nothing of it known before or after."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from drivers.files import user_settings
from rig.config import kinds


@contextmanager
def own_room(package: str, tmp_path: Path) -> Iterator[Path]:
    """The folder of the role in a user's settings; files that are put there are kinds of the room `package` while the context lasts."""
    folder = tmp_path / "kinds" / kinds.role(package)
    folder.mkdir(parents=True)
    settings = tmp_path / "settings.toml"
    settings.write_text('kinds = ["kinds"]\n')
    path = importlib.import_module(package).__path__
    before, known = list(path), set(sys.modules)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(user_settings.VARIABLE, str(settings))
        forget()
        yield folder
    path[:] = before
    forget()
    for name in set(sys.modules) - known:
        if name.startswith(f"{package}.") and str(tmp_path) in str(getattr(sys.modules[name], "__file__", "")):
            del sys.modules[name]


def forget() -> None:
    """What was found is looked for anew."""
    for cached in (kinds.names, kinds.faults, kinds.config_class, kinds._room, kinds._entry_points):
        cached.cache_clear()
