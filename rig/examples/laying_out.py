"""An example as a folder of the user's own: its files as they are, and a README. Nothing that is there is written over."""

from __future__ import annotations

import contextlib
from pathlib import Path

from rig.errors import ConfigError
from rig.examples import tree
from rig.examples.readme import README, text
from rig.files import output_files

SHOWN = 3  # names of files that are in the way


def lay_out(name: str, folder: Path) -> list[Path]:
    """Write the files of an example and a README into a folder, which is made if need be; returns them, from the folder.

    The texts are those of the examples, byte for byte: the files find each other as they did there. Raises ConfigError for an example
    that there is not, where a file of one of these names is there already, and for a folder that cannot be written.
    """
    files = tree.files_of(name)
    output_files.place("FOLDER", folder)
    wanted = {**{file: (tree.folder() / file).read_bytes() for file in files}, Path(README): text(name, files).encode()}
    if there := [str(file) for file in wanted if (folder / file).exists() or (folder / file).is_symlink()]:
        more = f" and {len(there) - SHOWN} more" if len(there) > SHOWN else ""
        has = f"{', '.join(there[:SHOWN])}{more}"
        raise ConfigError(f"{output_files.shortened(folder)}: has {has} already, and nothing is written over; give a new folder")
    _write(folder, wanted)
    return sorted(wanted)


def _write(folder: Path, wanted: dict[Path, bytes]) -> None:
    """All of them, or none: what was made goes where one cannot be written. Raises ConfigError."""
    made: list[Path] = []
    try:
        for file, content in wanted.items():
            made += _folders(folder / file.parent)
            with (folder / file).open("xb") as out:  # never over one that somebody else has made meanwhile
                made.append(folder / file)
                out.write(content)
    except OSError as error:
        for path in reversed(made):
            with contextlib.suppress(OSError):
                path.rmdir() if path.is_dir() else path.unlink()
        raise ConfigError(f"{output_files.shortened(folder)}: cannot be written: {error.strerror or error}") from error


def _folders(folder: Path) -> list[Path]:
    """Make a folder and those above it; returns the ones that were not there."""
    missing = [one for one in (folder, *folder.parents) if not one.exists()]
    folder.mkdir(parents=True, exist_ok=True)
    return missing[::-1]
