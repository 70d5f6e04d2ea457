"""Text files that people write, read within bounds: a regular file, no larger than such files are, in UTF-8.

What stands under a name may be anything: a pipe that never ends, a device, a folder, a gigabyte of zeros, a text in another encoding.
"""

from __future__ import annotations

import codecs
import os
import stat
from pathlib import Path

MOST = 2**20
"""Bytes of a file that a person writes; the largest bench of the project has a hundredth of it."""
LONGEST = 2000
"""Characters of a line that says what is wrong."""
WIDE = ((codecs.BOM_UTF32_LE, "UTF-32"), (codecs.BOM_UTF32_BE, "UTF-32"), (codecs.BOM_UTF16_LE, "UTF-16"), (codecs.BOM_UTF16_BE, "UTF-16"))
KINDS = {
    stat.S_IFDIR: "a folder", stat.S_IFIFO: "a pipe", stat.S_IFCHR: "a device", stat.S_IFBLK: "a device", stat.S_IFSOCK: "a socket",
}  # fmt: skip


class Unusable(ValueError):
    """What is wrong with a file, in one line that begins with its name."""


def read_bytes(path: Path, what: str, most: int = MOST) -> bytes:
    """All of a file. `what` says which one was expected, as "bench". Raises Unusable."""
    try:
        need_file(path, what)
        with path.open("rb") as file:
            found = file.read(most + 1)
    except FileNotFoundError:
        slashes = "; write / between folders, which Windows takes as well" if "\\" in str(path) and os.sep == "/" else ""
        raise Unusable(f"{path}: no such {what} file{slashes}") from None
    except PermissionError:
        raise Unusable(f"{path}: this {what} file cannot be read (permission denied)") from None
    except (OSError, ValueError) as error:  # ValueError: a name that no file can have
        if isinstance(error, Unusable):
            raise
        raise Unusable(f"{path}: this {what} file cannot be read ({getattr(error, 'strerror', None) or error})") from None
    if len(found) > most:
        size = max(path.stat().st_size, len(found))
        raise Unusable(f"{path}: {size} bytes, expected {article(what)} {what} file of at most {most}; is it the file that was meant?")
    return found


def read_text(path: Path, what: str, most: int = MOST) -> str:
    """The text of a file in UTF-8, with or without a byte order mark; every end of line is "\\n". Raises Unusable."""
    found = read_bytes(path, what, most)
    for mark, encoding in WIDE:
        if found.startswith(mark):
            raise Unusable(f"{path}: not a text file in UTF-8: it is in {encoding}, expected UTF-8; save it again in that encoding")
    try:
        text = found.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = found.count(b"\n", 0, error.start) + 1
        at = f"byte {error.start}, 0x{found[error.start]:02X} in line {line}"
        raise Unusable(f"{path}: not a text file in UTF-8 ({at}); save it again in that encoding") from None
    return text.replace("\r\n", "\n").replace("\r", "\n")


def article(what: str) -> str:
    """Of a word as it is spoken: a bench, an experiment."""
    return "an" if what[:1].lower() in "aeio" else "a"


def need_file(path: Path, what: str) -> None:
    """Raises Unusable for what is no file, OSError for what is not there.

    Before it is opened: to open a pipe or a device may take for ever, or do something.
    """
    kind = stat.S_IFMT(path.stat().st_mode)
    if kind != stat.S_IFREG:
        raise Unusable(f"{path}: this is {KINDS.get(kind, 'no regular file')}, expected the {what} file")


def in_one_line(text: str) -> str:
    """A text as it can be printed, with its beginning and its end where it quotes something very long."""
    text = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)
    return text if len(text) <= LONGEST else f"{text[: LONGEST // 2]} ... {text[-LONGEST // 4 :]}"
