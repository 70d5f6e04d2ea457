"""Files and folders that a command is asked to write: looked at before anything is computed, and there when they are whole, or not."""

from __future__ import annotations

import contextlib
import os
import stat
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from rig.errors import ConfigError

SHOWN = 60  # characters of a name that stand in the name of what is not whole yet


def checked(flag: str, path: Path, suffixes: Sequence[str]) -> Path:
    """`path`, which can become a file whose name ends in one of `suffixes`. Raises ConfigError, naming the argument `flag`."""
    if path.suffix.lower() not in suffixes:
        raise ConfigError(f"{flag} {shortened(path)}: expected a name that ends in {' or '.join(suffixes)}")
    file(flag, path)
    need_writable(f"{flag} {shortened(path)}", path.parent)  # where it is written beside it, see `whole`
    return path


def file(flag: str, path: Path) -> Path:
    """`path`, which is a file that can be written or can become one. Raises ConfigError, naming the argument `flag`."""
    said = f"{flag} {shortened(path)}"
    if (mode := _mode(said, path)) is not None:
        if stat.S_ISDIR(mode):
            raise ConfigError(f"{said}: is a folder")
        if not stat.S_ISREG(mode):
            raise ConfigError(f"{said}: is no file but a device, a pipe or the like")
    if (above := _mode(said, path.parent)) is None:
        raise ConfigError(f"{said}: there is no folder {shortened(path.parent)}")
    if not stat.S_ISDIR(above):
        raise ConfigError(f"{said}: {shortened(path.parent)} is no folder")
    if not os.access(path if mode is not None else path.parent, os.W_OK):
        raise ConfigError(f"{said}: may not be written")
    return path


def place(flag: str, path: Path) -> Path:
    """`path`, where a folder is or could be made; none is made yet. Raises ConfigError."""
    said = f"{flag} {shortened(path)}: no folder can be made there"
    for above in (path, *path.absolute().parents):
        if (mode := _mode(said, above)) is None:
            continue
        if not stat.S_ISDIR(mode):
            raise ConfigError(f"{said}: {shortened(above)} is no folder")
        if not os.access(above, os.W_OK):
            raise ConfigError(f"{said}: {shortened(above)} may not be written")
        need_writable(said, above)
        break
    return path


def folder(flag: str, path: Path) -> Path:
    """`path` as a folder, made if need be. Raises ConfigError."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ConfigError(f"{flag} {shortened(path)}: no folder can be made there: {error.strerror}") from error
    if not os.access(path, os.W_OK):
        raise ConfigError(f"{flag} {shortened(path)}: may not be written")
    need_writable(f"{flag} {shortened(path)}", path)
    return path


@contextlib.contextmanager
def whole(flag: str, path: Path) -> Iterator[Path]:
    """A name beside `path`, with its ending, to write to. It becomes `path` at the end; where the writing fails or is broken off it goes.

    Raises ConfigError for a place that does not take it: it is full, or has gone meanwhile.
    """
    temporary = path.with_name(f".{path.stem[:SHOWN]}.part{path.suffix}")
    try:
        yield temporary
        temporary.replace(path)
    except OSError as error:
        raise ConfigError(f"{flag} {shortened(path)}: cannot be written: {error.strerror or error}") from error
    finally:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)


def shortened(path: Path) -> str:
    """A name as it can be read: of a very long one both ends."""
    text = str(path)
    return text if len(text) <= 4 * SHOWN else f"{text[: 2 * SHOWN]}...{text[-SHOWN:]}"


def need_writable(said: str, folder: Path) -> None:
    """Raises ConfigError for a folder that takes no new file, whatever its permissions say: /proc, a share that is gone."""
    try:
        with tempfile.TemporaryFile(dir=folder):
            return
    except OSError as error:
        raise ConfigError(f"{said}: nothing can be written in {shortened(folder)} ({error.strerror}); give another place") from error


def _mode(said: str, path: Path) -> int | None:
    """What `path` is (`stat`); None where there is nothing. Raises ConfigError for a name that nothing can have."""
    try:
        return path.stat().st_mode
    except FileNotFoundError:
        return None
    except NotADirectoryError:
        raise ConfigError(f"{said}: a part of this path is a file, not a folder") from None
    except (OSError, ValueError) as error:
        raise ConfigError(f"{said}: {getattr(error, 'strerror', None) or error}") from None


def names_to_the_disk(folder: Path) -> None:
    """What was renamed or removed in a folder is so after a power cut, too. Not every system opens folders. Raises OSError."""
    if os.name != "posix":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
