"""The name that a block of a program goes by."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Named:
    """What the `Config` of every kind begins with."""

    name: str = field(default="", kw_only=True, metadata={"doc": "of this block in a program: stands in the record and in `--set`"})
