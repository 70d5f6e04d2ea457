"""The table of docs/virtual_rigs.md on disturbances of the loaded linkage, from the results of the last campaign: `python
tests/campaign/disturbance_page.py` prints it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from campaign_results import Results

HEAD = (
    "| fault | beyond the tolerance: fails, cannot be judged, passes | below a tenth of it: passes, cannot be judged, fails "
    "| most often named |",
    "|---|---|---|---|",
)
BOLD = {"wrong": "pass", "harmless": "fail"}
"""What is to happen to none of a level."""
ORDER = {"wrong": ("fail", "cannot_be_judged", "pass"), "harmless": ("pass", "cannot_be_judged", "fail")}


def page(results: Results) -> Iterator[str]:
    """Its lines."""
    yield from HEAD
    found = {tuple(case.split("/")[1:4]): one for case, one in results.under("disturbance/").items()}
    for fault in dict.fromkeys(fault for fault, level, _ in found if level == "wrong"):
        levels = {level: [one for (name, at, _), one in found.items() if (name, at) == (fault, level)] for level in ORDER}
        yield f"| {fault} | {_counted(levels, 'wrong')} | {_counted(levels, 'harmless')} | {_named(levels['wrong'])} |"


def _counted(levels: dict[str, list[dict[str, Any]]], level: str) -> str:
    verdicts = Counter(one["verdict"] for one in levels[level])
    return ", ".join(f"**{verdicts[one]}**" if one == BOLD[level] else str(verdicts[one]) for one in ORDER[level])


def _named(found: Sequence[dict[str, Any]]) -> str:
    cause, count = Counter(one["cause"] for one in found).most_common(1)[0]
    return f"{cause}: {count} of {len(found)}"


if __name__ == "__main__":
    print("\n".join(page(Results())))
