"""With which configuration: every value that its files state, what it would be without, and what was laid over the files."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rig.report.document.content import CHANGED, Row, Section, Table
from rig.report.document.leaves import UNKNOWN, Stated, stated, written
from rig.report.document.reported_run import ReportedRun
from rig.report.document.sensors import NONE
from rig.report.document.wording import Words
from rig.signals.engineering_units import shown

DOCUMENT = "document."
ELSEWHERE = (DOCUMENT, "channels[", "comparison.criteria[")
"""What stands in other sections of the report."""
ACROSS = 6
"""Keys of an item that stand beside each other on a page; more stand below each other."""
_ITEM = re.compile(r"(.*)\[(\d+)\]\.(.*)")
"""Key of a value in a list of tables: the list, the item's number, the key in it."""


def configuration(run: ReportedRun, words: Words) -> list[Section]:
    """Of the experiment, and of the bench."""
    plan = run.plan
    found = {"experiment": stated(plan.experiment_text, plan.experiment), "bench": stated(plan.bench_text, plan.bench)}
    over = overrides(run)
    sections = []
    for name, lines in found.items():
        shown_lines = [one for one in lines if _is_shown(one)]
        rows = [
            _row(one, f"{'bench.' if name == 'bench' else ''}{one.key}" in over, words) for one in shown_lines if not _ITEM.match(one.key)
        ]
        heads = [words.titled(f"configuration.{head}") for head in ("key", "value", "default")]
        tables = [Table("", heads, rows, left=3, note=words["configuration.note"]), *_lists(shown_lines)] if rows else []
        sections.append(Section(name, words.titled(f"section.{name}"), tables=tables, empty=words["configuration.unreadable"]))
    return sections


def _lists(lines: Sequence[Stated]) -> list[Table]:
    """A table for each list of tables: a row for each of its items, or a column, where an item has many keys."""
    found: dict[str, dict[str, dict[str, str]]] = {}
    for one in lines:
        if (parts := _ITEM.match(one.key)) is not None:
            found.setdefault(parts[1], {}).setdefault(parts[2], {})[parts[3]] = one.text
    tables = []
    for name, items in found.items():
        keys = list(dict.fromkeys(key for item in items.values() for key in item))
        if len(keys) > ACROSS:
            rows = [Row([key, *(item.get(key, "") for item in items.values())]) for key in keys]
            tables.append(Table(name, ["n", *items], rows, left=1 + len(items)))
            continue
        rows = [Row([number, *(item.get(key, "") for key in keys)]) for number, item in items.items()]
        tables.append(Table(name, ["n", *keys], rows, left=1 + len(keys)))
    return tables


def overrides(run: ReportedRun) -> dict[str, str]:
    """Keys that the command line laid over the files, and their values as they were given."""
    given = run.plan.sources.get("overrides")
    pairs = [str(one).partition("=") for one in given] if isinstance(given, list) else []
    return {key.strip(): value.strip() for key, _, value in pairs if not key.startswith(DOCUMENT)}


def _is_shown(one: Stated) -> bool:
    return not one.key.startswith(ELSEWHERE)


def _row(one: Stated, laid_over: bool, words: Words) -> Row:
    differs = CHANGED if one.differs or laid_over else ""
    value = f"{one.text} ({words['configuration.laid_over']})" if laid_over else one.text
    return Row([one.key, value, _default(one)], differs)


def _default(one: Stated) -> str:
    if one.default is UNKNOWN or one.default is None:
        return NONE
    if isinstance(one.default, float) and "[" not in one.unit:
        unit, factor = shown("" if one.unit == "1" else one.unit)
        return f"{one.default * factor:.6g} {unit}".strip()
    return written([*one.default] if isinstance(one.default, tuple) else one.default)  # type: ignore[arg-type]
