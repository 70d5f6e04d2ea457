"""A data set that others measured and published: its description, and whether a file that somebody has fetched is what it describes.

The program ships descriptions alone, in configs/datasets/NAME/dataset.toml:

```toml
title = "..."                # what was measured
authors = "..."
published = "..."            # where it is described; to be cited
address = "https://..."      # where the file is to be had
licence = "CC BY 4.0"        # as its authors state it
about = "..."                # what the numbers are
fits = "..."                 # why a model of this program can express it, and where it cannot
parameters = "..."           # where the model's parameters come from
others = "..."               # what others reached with it; may be left out
experiment = "experiment.toml"  # the model, the bench that names its channels, and what is compared with which tolerance
map = "map.toml"             # how columns become channels: of `rig import`

[[files]]                    # each a recording by itself
name = "..."
bytes = 1234
sha256 = "..."
```
"""

from __future__ import annotations

import difflib
import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from drivers.files import toml_trees
from drivers.files.plain_values import Json
from drivers.files.text_files import Unusable
from rig.errors import ConfigError
from rig.examples import tree

DATASETS = "datasets"
FILE = "dataset.toml"
TEXTS = ("title", "authors", "published", "address", "licence", "about", "fits", "parameters")
OPTIONAL = ("others",)
PATHS = ("experiment", "map")
OF_FILE = ("name", "bytes", "sha256")
PIECE = 1 << 20
HASH = re.compile("[0-9a-f]{64}")


@dataclass(frozen=True)
class DataFile:
    """One file of a data set, as it was published."""

    name: str
    bytes: int
    sha256: str


@dataclass(frozen=True)
class Dataset:
    """name: of its folder. texts: TEXTS and OPTIONAL, by key. experiment, map: files beside the description."""

    name: str
    texts: Mapping[str, str]
    experiment: Path
    map: Path
    files: tuple[DataFile, ...]


def names() -> list[str]:
    """The data sets that the program describes."""
    return sorted(path.parent.name for path in (tree.folder() / DATASETS).glob(f"*/{FILE}"))


def described(given: str) -> Dataset:
    """A data set by its name, or by its description or the folder of that. Raises ConfigError."""
    if given in names():
        return read(tree.folder() / DATASETS / given / FILE)
    path = Path(given)
    path = path / FILE if path.is_dir() else path
    if not path.is_file():
        near = difflib.get_close_matches(given, names(), 1)
        raise ConfigError(
            f"judge: no data set {given!r}{f'; {near[0]} is meant?' if near else ''}; described are {', '.join(names())}, "
            f"or give a folder with a {FILE} of your own"
        )
    return read(path)


def read(path: Path) -> Dataset:
    """A description. Raises ConfigError with every key that is wrong."""
    try:
        found, _ = toml_trees.read(path, "data set")
    except Unusable as error:
        raise ConfigError(str(error)) from None
    known = (*TEXTS, *OPTIONAL, *PATHS, "files")
    wrong = [f"{path}: {key}: no such key; there are {', '.join(known)}" for key in found if key not in known]
    texts = {key: _text(path, found, key, wrong) for key in (*TEXTS, *PATHS)}
    texts |= {key: _text(path, found, key, wrong) for key in OPTIONAL if key in found}
    beside = {key: path.parent / texts.pop(key) for key in PATHS}
    wrong += [f"{path}: {key}: no file {place}" for key, place in beside.items() if found.get(key) and not place.is_file()]
    files = _files(path, found.get("files"), wrong)
    if wrong:
        raise ConfigError(wrong)
    return Dataset(path.resolve().parent.name, texts, beside["experiment"], beside["map"], files)


def recognized(dataset: Dataset, path: Path) -> DataFile:
    """Which of the data set's files this is. Raises ConfigError for none, for one that is not there, and for one that was changed."""
    wanted = ", ".join(one.name for one in dataset.files)
    if not path.is_file():
        raise ConfigError(f"--file {path}: no such file; {wanted} of {dataset.name} is to be had at {dataset.texts['address']}")
    try:
        size, digest = path.stat().st_size, _digest(path)
    except OSError as error:
        raise ConfigError(f"--file {path}: cannot be read ({error.strerror})") from None
    same = [one for one in dataset.files if one.sha256 == digest]
    if not same:
        told = "; ".join(f"{one.name}: {one.bytes} bytes, SHA-256 {one.sha256}" for one in dataset.files)
        raise ConfigError(
            f"--file {path}: {size} bytes, SHA-256 {digest}, is no file of {dataset.name}; expected {told}. It was changed, or is another "
            f"version; fetch it again from {dataset.texts['address']}"
        )
    return same[0]


def _digest(path: Path) -> str:
    made = hashlib.sha256()
    with path.open("rb") as file:
        while piece := file.read(PIECE):
            made.update(piece)
    return made.hexdigest()


def _text(path: Path, found: Mapping[str, Json], key: str, wrong: list[str]) -> str:
    value = found.get(key)
    if isinstance(value, str) and value.strip():
        return value
    wrong.append(f"{path}: {key}: {'missing' if value is None else f'got {value!r}'}; expected a text")
    return ""


def _files(path: Path, given: Json, wrong: list[str]) -> tuple[DataFile, ...]:
    if not isinstance(given, list) or not given:
        wrong.append(f"{path}: files: expected a table for each file, as [[files]]")
        return ()
    made = []
    for number, one in enumerate(given):
        where = f"{path}: files[{number}]"
        if not isinstance(one, dict):
            wrong.append(f"{where}: expected a table, got {one!r}")
            continue
        wrong += [f"{where}.{key}: no such key; there are {', '.join(OF_FILE)}" for key in one if key not in OF_FILE]
        name, size, digest = (one.get(key) for key in OF_FILE)
        if not isinstance(name, str) or not name:
            wrong.append(f"{where}.name: expected the file's name as it was published, got {name!r}")
        elif not isinstance(size, int) or isinstance(size, bool) or size < 1:
            wrong.append(f"{where}.bytes: expected its length in bytes, got {size!r}")
        elif not isinstance(digest, str) or not HASH.fullmatch(digest):
            wrong.append(f"{where}.sha256: expected 64 digits 0-9 a-f, got {digest!r}")
        else:
            made.append(DataFile(name, size, digest))
    return tuple(made)
