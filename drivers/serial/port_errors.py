"""Why a port could not be opened, or went away, in words with what to do: not there, not allowed, in use, nobody listens, unplugged."""

from __future__ import annotations

import errno
import sys

GONE = "plug it in again and connect anew"
_NUMBERS = {
    errno.ENOENT: "absent", errno.ENODEV: "absent", errno.ENXIO: "absent", errno.EACCES: "forbidden", errno.EPERM: "forbidden",
    errno.EBUSY: "busy", errno.EAGAIN: "busy",
}  # fmt: skip
_TEXTS = {
    "exclusively lock": "busy", "filenotfounderror": "absent", "no such file": "absent", "permissionerror": "forbidden",
    "access is denied": "forbidden", "refused": "refused",
    "timed out": "unreachable", "unreachable": "unreachable", "no route": "unreachable",
    "name or service": "unknown", "getaddrinfo": "unknown", "name resolution": "unknown", "nodename nor servname": "unknown",
}  # fmt: skip
_REMEDIES = {
    "absent": "there is no such port: is it plugged in and switched on? `rig devices` lists the ports that there are",
    "forbidden": "this user may not open it: make the user a member of the group that owns it (ls -l; often dialout or uucp), log in anew",
    "busy": "another program has it open: close that one (fuser -v PORT names it)",
    "refused": "nobody listens at that address and port: is it plugged in and switched on, and is the port number its own?",
    "unreachable": "nothing answers at that address: is it plugged in and switched on, and on this network?",
    "unknown": "no machine has that name: look at its spelling, or give its number",
    "": "is it plugged in and switched on, and is no other program on it?",
}
WINDOWS_BUSY = "another program has it open, as a terminal or the maker's own: close that one"
"""What a refused access means on Windows, where every user may open a serial port."""


def unopened(error: BaseException, windows: bool = sys.platform == "win32") -> str:
    """The error of an opening in words, and the remedy."""
    kind = _kind(error)
    remedy = WINDOWS_BUSY if windows and kind == "forbidden" else _REMEDIES[kind]
    return f"{in_words(error)}; {remedy}"


def gone(error: BaseException) -> str:
    """The error of a port that was open, in words, and the remedy."""
    text = in_words(error)
    if "returned no data" in text:  # so pyserial says it of an adapter that is pulled, and of two programs that read one port
        return f"its port has gone: the adapter was pulled, or another program reads from it, too; {GONE}"
    return f"{text}; {GONE}"


def in_words(error: BaseException) -> str:
    """The first line of an error, or its kind."""
    return (str(error).strip() or type(error).__name__).splitlines()[0]


def _kind(error: BaseException) -> str:
    text = str(error).lower()
    told = next((kind for words, kind in _TEXTS.items() if words in text), "")
    return told or _NUMBERS.get(getattr(error, "errno", None) or 0, "")
