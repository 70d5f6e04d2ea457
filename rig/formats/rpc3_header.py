"""The header of an RPC III file: records of 128 bytes, a key of 32 and its text of 96, in blocks of 512.

FORMAT, NUM_HEADER_BLOCKS and NUM_PARAMS come first, in this order. Then in any order CHANNELS, DELTA_T, PTS_PER_FRAME, PTS_PER_GROUP,
FRAMES and, for channel i, DESC.CHAN_i, UNITS.CHAN_i, SCALE.CHAN_i and others. Behind the header stand groups: of each PTS_PER_GROUP
numbers of channel 1, then of channel 2 and so on. DATA_TYPE tells SHORT_INTEGER (which is meant without one; SCALE gives the unit) and
FLOATING_POINT.

Source: MTS Systems, RPC III file formats; as read by FEDEM (openfedem, FiRPC3File) and rpc3-file.
"""

from __future__ import annotations

from collections.abc import Mapping

KEY, VALUE, BLOCK = 32, 96, 512
RECORD = KEY + VALUE
FIRST = ("FORMAT", "NUM_HEADER_BLOCKS", "NUM_PARAMS")
MOST_BLOCKS = 1024
"""The documents say 256; programs write more."""
MOST = 4 * MOST_BLOCKS
"""Parameters."""


def packed(parameters: Mapping[str, object]) -> bytes:
    """The header of parameters beside the first three. Raises ValueError for more than it can have, and for a key that is too long."""
    count = len(FIRST) + len(parameters)
    blocks = -(-count * RECORD // BLOCK)
    if count > MOST:
        raise ValueError(f"{count} parameters, an RPC III file has at most {MOST}; choose fewer channels")
    first = dict(zip(FIRST, ("BINARY_IEEE_LITTLE_END", blocks, count), strict=True))
    return b"".join(_record(key, value) for key, value in {**first, **parameters}.items()).ljust(blocks * BLOCK, b"\0")


def _record(key: str, value: object) -> bytes:
    name, text = (str(one).encode("latin-1", errors="replace") for one in (key, value))
    if len(name) > KEY:
        raise ValueError(f"{key}: a key of an RPC III file has at most {KEY} characters")
    return name.ljust(KEY, b"\0") + text[:VALUE].ljust(VALUE, b"\0")


def unpacked(data: bytes) -> dict[str, str]:
    """Parameters of a header, given the begin of a file. Raises ValueError for what is none."""
    found: dict[str, str] = {}
    for at in range(0, len(data) - RECORD + 1, RECORD):
        key, text = (_text(data[a:b]) for a, b in ((at, at + KEY), (at + KEY, at + RECORD)))
        if at < len(FIRST) * RECORD and key != FIRST[at // RECORD]:
            raise ValueError(f"not an RPC III file: its record {at // RECORD + 1} is {key[:20]!r}, expected {FIRST[at // RECORD]}")
        if key:
            found[key] = text
        if len(found) >= 3 and len(found) >= whole(found, "NUM_PARAMS"):
            break
    if len(found) < 3:
        raise ValueError("not an RPC III file: it ends within its header")
    return found


def whole(parameters: Mapping[str, str], key: str, default: int | None = None) -> int:
    """A whole number above or equal to 0. Raises ValueError."""
    text = parameters.get(key, "" if default is None else str(default))
    try:
        number = float(text)
    except ValueError:
        number = -1.0
    if not (number >= 0.0 and number == int(number)):
        raise ValueError(f"its header says {key} = {text[:40]!r}, expected a whole number")
    return int(number)


def real(parameters: Mapping[str, str], key: str, default: float | None = None) -> float:
    """A number. Raises ValueError."""
    text = parameters.get(key, "" if default is None else str(default))
    try:
        return float(text)
    except ValueError:
        raise ValueError(f"its header says {key} = {text[:40]!r}, expected a number") from None


def _text(data: bytes) -> str:
    return data.decode("latin-1").strip("\0 ")
