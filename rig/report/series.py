"""The table of a file of series: measured and predicted of each test, whether they grow, beside what the source prints."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from typing import TypedDict

from rig.config.series import Series, SeriesFile

LABEL, VERDICT, NUMBER = 12, 20, 11
SIDES = ("measured", "predicted")
ERRORS = ("nrms",)
"""Metrics that say themselves how far both are apart."""
NOTHING = 0.01  # of the channel's largest value: what a figure does not show has no relative error


class Figure(TypedDict):
    """A metric of one test, in the channel's unit. error: predicted less measured, of the measured; none where that is NOTHING. `nrms` is
    an error itself, and has nothing beside it."""

    measured: float | None
    predicted: float | None
    error: float | None


class TestResult(TypedDict):
    """One test; verdict: of its own criteria."""

    label: str
    run: str | None
    outcome: str
    verdict: str | None
    unit: str
    figures: dict[str, Figure]


class SeriesResult(TypedDict):
    """One series, by metric. largest_error: of its tests; grows: at every step; growth: from the first test to the last, of the first."""

    name: str
    where: str
    printed: str
    printed_error: float | None
    largest_error: dict[str, float | None]
    grows: dict[str, dict[str, bool]]
    growth: dict[str, dict[str, float | None]]
    tests: list[TestResult]


def test_result(made: SeriesFile, label: str, outcome: str, data: Mapping[str, object]) -> TestResult:
    """From what `rig run` tells of a test."""
    agreement, verdict, run = data.get("agreement"), data.get("verdict"), data.get("run")
    found = agreement.get(made.channel, {}) if isinstance(agreement, Mapping) else {}
    largest = _number(found.get("max_measured")) or 0.0
    return {
        "label": label,
        "run": run if isinstance(run, str) else None,
        "outcome": outcome,
        "verdict": verdict.get("result") if isinstance(verdict, Mapping) else None,
        "unit": str(found.get("unit", "")),
        "figures": {metric: _figure(found, metric, largest) for metric in made.metrics},
    }


def _figure(found: Mapping[str, object], metric: str, largest: float) -> Figure:
    if metric in ERRORS:
        return {"measured": None, "predicted": None, "error": _number(found.get(metric))}
    measured, predicted = (_number(found.get(f"{metric}_{side}")) for side in SIDES)
    if measured is None or predicted is None or abs(measured) <= NOTHING * abs(largest):
        return {"measured": measured, "predicted": predicted, "error": None}
    return {"measured": measured, "predicted": predicted, "error": (predicted - measured) / abs(measured)}


def _number(value: object) -> float | None:
    return float(value) if isinstance(value, (int, float)) else None


def series_result(made: SeriesFile, series: Series, tests: list[TestResult]) -> SeriesResult:
    """Of the tests that were made of it."""
    columns = {metric: [test["figures"][metric] for test in tests] for metric in made.metrics}
    values = {
        metric: {"measured": [one["measured"] for one in found], "predicted": [one["predicted"] for one in found]}
        for metric, found in columns.items()
    }
    return {
        "name": series.name,
        "where": series.where,
        "printed": series.printed,
        "printed_error": series.printed_error,
        "largest_error": {m: max((abs(f["error"]) for f in found if f["error"] is not None), default=None) for m, found in columns.items()},
        "grows": {metric: {side: _grows(values[metric][side]) for side in SIDES} for metric in made.metrics},
        "growth": {metric: {side: _growth(values[metric][side]) for side in SIDES} for metric in made.metrics},
        "tests": tests,
    }


def _grows(values: Sequence[float | None]) -> bool:
    steps = list(itertools.pairwise(values))
    return bool(steps) and all(a is not None and b is not None and b > a for a, b in steps)


def _growth(values: Sequence[float | None]) -> float | None:
    first, last = (values[0], values[-1]) if len(values) > 1 else (None, None)
    return last / first - 1.0 if first is not None and last is not None and first > NOTHING * abs(last) else None


def table(made: SeriesFile, results: Sequence[SeriesResult]) -> str:
    """All of a file."""
    return "\n".join([made.title, *(line.rstrip() for one in results for line in _lines(made, one))])


def _lines(made: SeriesFile, one: SeriesResult) -> Iterator[str]:
    left = f"{'':{LABEL + VERDICT}}"
    units = {test["unit"] for test in one["tests"]} - {""}
    yield ""
    yield f"{one['name']} ({one['where']}): {made.channel}, {', '.join(units) or 'nothing recorded'}"
    yield left + "".join(f"{metric.replace('_', ' '):>{3 * NUMBER}}" for metric in made.metrics)
    yield f"{'':{LABEL}}{'test':{VERDICT}}" + "".join(f"{word:>{NUMBER}}" for word in ("measured", "predicted", "error")) * len(
        made.metrics
    )
    for test in one["tests"]:
        ended = f"{test['outcome'].replace('_', ' ')}" if test["outcome"] not in ("done", "verdict_failed") else test["verdict"] or "-"
        yield f"{test['label']:{LABEL}}{ended.replace('_', ' '):{VERDICT}}" + "".join(_cells(test["figures"][m]) for m in made.metrics)
    yield f"{'grows at every step':{LABEL + VERDICT}}" + "".join(
        _pair([_yes(one["grows"][m][side]) for side in SIDES]) for m in made.metrics
    )
    yield f"{'first to last':{LABEL + VERDICT}}" + "".join(_pair([_share(one["growth"][m][side]) for side in SIDES]) for m in made.metrics)
    yield f"{'largest error':{LABEL + VERDICT}}" + "".join(f"{_share(one['largest_error'][m]):>{3 * NUMBER}}" for m in made.metrics)
    error = f"; model and test differ by at most {100 * one['printed_error']:g} %" if one["printed_error"] is not None else ""
    yield f"printed: {one['printed']}{error}"


def _cells(figure: Figure) -> str:
    numbers = [_in_digits(value) if value is not None else "-" for value in (figure["measured"], figure["predicted"])]
    return "".join(f"{text:>{NUMBER}}" for text in (*numbers, _share(figure["error"])))


def _in_digits(value: float) -> str:
    """Four, and all of those before the point."""
    return f"{value:.4g}" if abs(value) < 1e3 else f"{value:.0f}"


def _pair(texts: Sequence[str]) -> str:
    """Below measured and predicted."""
    return "".join(f"{text:>{NUMBER}}" for text in texts) + " " * NUMBER


def _yes(true: bool) -> str:
    return "yes" if true else "no"


def _share(value: float | None) -> str:
    return "-" if value is None else f"{100 * value:.2f} %"
