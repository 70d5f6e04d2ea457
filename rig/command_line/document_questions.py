"""What a report says of a test beside its figures, asked at its start where the experiment wants that and somebody is there to answer."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable

from rig.config.experiment import Document

ASKED = {
    "customer": "for whom (customer)",
    "order": "order number",
    "specimen": "on what (specimen, with its number)",
    "operator": "by whom (operator)",
    "notes": "notes",
}


def answers(document: Document, read: Callable[[], str] | None = None) -> list[str]:
    """Overrides `document.KEY="..."` for what is not known yet and was answered; none where `ask` is not set or there is no terminal.

    read: gives the next line; default: of standard input. Nothing said, or the end of the input, leaves a key empty.
    """
    if not document.ask or (read is None and not sys.stdin.isatty()):
        return []
    found = []
    for key, words in ASKED.items():
        if getattr(document, key):
            continue
        print(f"{words}, Enter for none: ", end="", file=sys.stderr, flush=True)
        if said := _printable((read or sys.stdin.readline)()):
            found.append(f"document.{key}={json.dumps(said, ensure_ascii=False)}")
    return found


def _printable(line: str) -> str:
    """Without what no text has: a key that was hit beside the right one, half a letter of another encoding."""
    return "".join(c for c in line if c.isprintable()).strip()
