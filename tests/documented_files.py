"""The files that a page of the manual shows: what stands in its blocks of Python, by the heading above."""

from __future__ import annotations

import re
from pathlib import Path

DOCS = Path(__file__).parents[1] / "docs"
FILE = re.compile(r"^## (?P<heading>[^\n]*)\n(?:(?!^## ).)*?```python\n(?P<text>.*?)```", re.DOTALL | re.MULTILINE)


def shown(page: str) -> dict[str, str]:
    """Heading -> the first block of Python under it."""
    return {found["heading"]: found["text"] for found in FILE.finditer((DOCS / page).read_text(encoding="utf-8"))}
