"""Letters that every code page has, for those that one lacks: `≤` becomes `<=`, `µ` becomes `u`."""

from __future__ import annotations

import re

WORDS = {
    "≤": "<=", "≥": ">=", "±": "+-", "×": "x", "·": "*", "−": "-", "–": "-", "…": "...",
    "µ": "u", "μ": "u", "°": "deg", "²": "^2", "³": "^3", "Ω": "Ohm", "α": "alpha", "√": "sqrt",
    "←": "<-", "→": "->", "↑": "up", "↓": "down", "─": "-", "━": "=", "├": "|", "└": "|",
}  # fmt: skip
PLAIN = str.maketrans(WORDS)
"""For `str.translate`."""
_CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
"""What moves the cursor, changes colours or order, or rings: all but the end of a line and the tabulator."""
_SURROGATE = re.compile("[\ud800-\udfff]")


def in_plain_letters(error: UnicodeError) -> tuple[str, int]:
    """Error handler of `codecs`: what stands for the characters that cannot be encoded, and where to go on.

    Without a word for them here they are shown by number. Raises what is no error of encoding.
    """
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(WORDS.get(one) or _number(one) for one in error.object[error.start : error.end]), error.end


def in_unicode(text: str) -> str:
    """`text`, with bytes of a name that are no text in any encoding shown by their number, as `Pr\\xfcf`: valid in UTF-8 and in JSON."""
    return _SURROGATE.sub(lambda found: _number(found[0]), text)


def in_visible_letters(text: str) -> str:
    """`text` as it can be shown on any terminal: what a file, a name or an instrument brings along of control characters is spelt out."""
    return _CONTROLS.sub(lambda found: ascii(found[0])[1:-1], text)


def is_unicode(text: str) -> bool:
    """Whether every character is one; in a name that the system gave, a byte that is no text stands as half a pair."""
    return _SURROGATE.search(text) is None


def _number(one: str) -> str:
    try:
        return one.encode("ascii", "surrogateescape").decode("ascii", "backslashreplace")
    except UnicodeEncodeError:
        return one.encode("ascii", "backslashreplace").decode("ascii")
