"""Which code of the user's own a configuration runs: file, fingerprint and version of each kind that is no part of the program."""

from __future__ import annotations

import hashlib
import importlib.util
import inspect
from collections.abc import Iterator
from pathlib import Path

from rig.config.kinds import BESIDE, kind_of, role
from rig.config.shape import shapes

PROGRAM = tuple(Path(__file__).parents[2] / tree for tree in ("rig", "model", "drivers"))
OTHER = BESIDE["model.mechanisms"]
LAW = "law"
"""Key by which a mechanism chooses a contact law, which may be a file of the user's own."""
SAID = "code of "


def remarks(config: object) -> list[str]:
    """A line for each of them, in the order of the configuration, each once."""
    return list(dict.fromkeys(_remark(what, name, file) for what, name, file in _own(config)))


def in_text(text: str) -> dict[str, str]:
    """Of a text that such lines stand in as comments: which kind -> its file, fingerprint and version."""
    lines = (line.removeprefix(f"# {SAID}").partition(": ") for line in text.splitlines() if line.startswith(f"# {SAID}"))
    return {what: code for what, _, code in lines}


def _own(config: object) -> Iterator[tuple[str, str, Path]]:
    """(role, name, file) of what is the user's own in a configuration dataclass."""
    for name, shape in shapes(type(config)).items():
        value = getattr(config, name)
        if shape.form in ("kind", "table"):
            for item in value if isinstance(value, (tuple, list)) else (value,):
                if shape.form == "kind" and item is not None and (file := _file(type(item))):
                    yield role(shape.metadata["kinds"]), kind_of(item), file
                if hasattr(item, "__dataclass_fields__"):
                    yield from _own(item)
        elif name == LAW and isinstance(value, str) and value.isidentifier():
            found = importlib.util.find_spec(f"{OTHER}.{value}")
            if found is not None and found.origin is not None:
                yield role(OTHER), value, Path(found.origin)


def _file(cls: type) -> Path | None:
    """Where a class of the user's own is; None of the program's."""
    try:
        file = Path(inspect.getfile(cls))
    except (OSError, TypeError):
        return None
    return None if any(file.is_relative_to(tree) for tree in PROGRAM) else file


def _remark(what: str, name: str, file: Path) -> str:
    version = _version(file)
    return f"{SAID}{what} {name}: {file}, SHA-256 {_fingerprint(file)}{f', {version}' if version else ''}"


def _fingerprint(file: Path) -> str:
    """Of the file; of a package of all its files."""
    if file.name != "__init__.py":
        return hashlib.sha256(file.read_bytes()).hexdigest()
    total = hashlib.sha256()
    for path in sorted(file.parent.rglob("*.py")):
        total.update(path.relative_to(file.parent).as_posix().encode() + b"\0" + path.read_bytes())
    return total.hexdigest()


def _version(file: Path) -> str:
    """Name and version of the installed distribution that the file belongs to; empty for one that stands alone."""
    from importlib.metadata import distributions

    for found in distributions():
        if any(Path(str(found.locate_file(one))) == file for one in found.files or () if one.name == file.name):
            return f"{found.metadata['Name']} {found.version}"
    return ""
