"""Where the examples are, and which files belong to one of them."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterator
from difflib import get_close_matches
from pathlib import Path

from drivers.files.plain_values import Json
from rig.errors import ConfigError

INSTALLED = Path(__file__).parent / "configs"
CHECKOUT = Path(__file__).parents[2] / "configs"
EXPERIMENTS = "experiments"
ON_RIG = "_rig"
"""Ends the name of an experiment that runs what another one only computes."""


def folder() -> Path:
    """`configs` of the wheel or of the checkout. Raises ConfigError where the program came without it."""
    found = next((place for place in (INSTALLED, CHECKOUT) if (place / EXPERIMENTS).is_dir()), None)
    if found is None:
        raise ConfigError(f"examples: expected them in {INSTALLED}; this copy of the program has none: install it from its wheel")
    return found


def names() -> list[str]:
    """The experiments, by name."""
    return sorted(path.stem for path in (folder() / EXPERIMENTS).glob("*.toml"))


def experiment(name: str) -> Path:
    """File of an experiment. Raises ConfigError for one that there is not."""
    path = folder() / EXPERIMENTS / f"{name}.toml"
    if name not in names():
        near = get_close_matches(name, names(), 3)
        raise ConfigError(f"no example {name!r}; {'did you mean ' + ' or '.join(near) + '?' if near else 'rig new --list names all'}")
    return path


def with_bench(name: str) -> bool:
    """Whether it names a bench to be run on."""
    return "bench" in read(experiment(name))


def on_rig(name: str) -> str | None:
    """The example that runs it: itself, or where it is only computed the one that is called `_rig` behind its name, if there is one."""
    return next((one for one in (name, f"{name}{ON_RIG}") if one in names() and with_bench(one)), None)


def files_of(name: str) -> list[Path]:
    """All files of an example, from the folder of examples: the experiment, its rig's, what they name, and what that names.

    Raises ConfigError for an example that there is not.
    """
    found = [experiment(name)]
    if (rig := on_rig(name)) is not None and rig != name:
        found.append(experiment(rig))
    for path in found:  # it grows meanwhile
        if path.suffix == ".toml":
            found += [one for one in _named(path) if one not in found]
    return sorted(path.relative_to(folder()) for path in found)


def read(path: Path) -> dict[str, Json]:
    """A file's values."""
    return tomllib.loads(path.read_text(encoding="utf-8"))


def title(path: Path) -> str:
    """What a file calls itself; empty where it does not."""
    return str(read(path).get("title", ""))


def _named(path: Path) -> Iterator[Path]:
    """Files of the examples that a file names, each once."""
    for text in dict.fromkeys(_texts(read(path))):
        if "." not in text or "\n" in text:
            continue
        named = Path(os.path.normpath(path.parent / text))
        if named.is_relative_to(folder()) and named.is_file():
            yield named


def _texts(value: Json) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, (dict, list)):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _texts(item)
