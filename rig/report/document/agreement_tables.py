"""How each channel agrees, how sure its sensor is of that, and every figure of the comparison."""

from __future__ import annotations

from collections.abc import Mapping

from drivers.files.plain_values import Json
from rig.report.document.content import Row, Section, Table
from rig.report.document.reported_run import ReportedRun
from rig.report.document.sensors import NONE
from rig.report.document.wording import Words
from rig.signals.engineering_units import fitting, number

COLUMNS = ("channel", "unit", "max_measured", "max_predicted", "uncertainty", "error", "nrms", "within_5_percent", "delay")
NESTED = ("intervals", "impacts", "changes", "ensemble")
LISTS = ("cycles", "band_cycles", "warnings")


def channels(run: ReportedRun, words: Words) -> Section:
    """One row a channel that is compared."""
    rows = [_row(name, a) for name, a in run.part("agreement").items() if isinstance(a, Mapping)]
    table = [Table("", [words.titled(f"channels.{name}") for name in COLUMNS], rows, left=2, note=_alone(run, words))] if rows else []
    return Section("channels", words.titled("section.channels"), tables=table, empty=words["channels.none"])


def figures_of_comparison(run: ReportedRun, words: Words) -> Section:
    """Every number that the comparison has, in SI, under the name that it has in the JSON."""
    found = {name: _flat(a) for name, a in run.part("agreement").items() if isinstance(a, Mapping)}
    names = [key for key in dict.fromkeys(key for a in found.values() for key in a if key not in LISTS) if _is_told(found, key)]
    rows = [Row([key, *(_plain(a.get(key)) for a in found.values())]) for key in names]
    table = [Table("", [words.titled("channels.figure"), *found], rows, note=words["channels.si"])] if rows else []
    return Section("figures", words.titled("section.figures"), tables=table, empty=words["channels.none"])


def _flat(a: Mapping[str, Json]) -> dict[str, Json]:
    """With a row of its own for the interval of each metric: value, and its bounds at 95 %."""
    intervals = a.get("intervals")
    told = {
        f"intervals.{name}": f"{_plain(one.get('value'))} ({_plain(one.get('low_95'))} to {_plain(one.get('high_95'))})"
        for name, one in (intervals.items() if isinstance(intervals, Mapping) else ())
        if isinstance(one, Mapping)
    }
    changes, impacts = a.get("changes"), a.get("impacts")
    changed = {
        f"changes.{name}": f"{_plain(one.get('before'))} to {_plain(one.get('after'))}, cycle {_plain(one.get('cycle'))}"
        for name, one in (changes.items() if isinstance(changes, Mapping) else ())
        if isinstance(one, Mapping)
    }
    band = a.get("ensemble")
    within = (
        {f"ensemble.{key}": value for key, value in band.items() if key not in ("cycles", "intervals")} if isinstance(band, Mapping) else {}
    )
    hit = {f"impacts.{key}": value for key, value in impacts.items() if key != "cycles"} if isinstance(impacts, Mapping) else {}
    return {**{key: value for key, value in a.items() if key not in NESTED}, **hit, **within, **changed, **told}


def _is_told(found: Mapping[str, Mapping[str, Json]], key: str) -> bool:
    return any(a.get(key) not in (None, "") for a in found.values())


def _row(name: str, a: Mapping[str, Json]) -> Row:
    largest = figure_of(a, "max_measured")
    unit, factor = fitting(str(a.get("unit", "")), largest)
    values = [number(figure_of(a, key), factor) for key in ("max_measured", "max_predicted")]
    shares = [
        _percent(figure_of(a, key), signed) for key, signed in (("max_error", True), ("nrms", False), ("share_within_5_percent", False))
    ]
    return Row([name, unit, *values, number(figure_of(a, "uncertainty_at_max"), factor, 3), *shares, _delay(a)])


def _delay(a: Mapping[str, Json]) -> str:
    late, sigma = figure_of(a, "delay_samples"), figure_of(a, "delay_sigma")
    return NONE if late is None else f"{late:+.2f} ± {number(sigma, 1.0, 2)}"


def figure_of(row: Mapping[str, Json], key: str) -> float | None:
    """A number of a table; None for what is none."""
    value = row.get(key)
    return float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else None


def _percent(share: float | None, signed: bool) -> str:
    return NONE if share is None else f"{round(100.0 * share, 2) + 0.0:{'+' if signed else ''}.2f}"


def _plain(value: Json) -> str:
    if isinstance(value, float):
        return f"{value:.6g}"
    return NONE if value is None else str(value)


def _alone(run: ReportedRun, words: Words) -> str:
    """What was measured, and is not compared, and the other way round."""
    told, said = run.part("not_compared"), [words["channels.note"]]
    measured = [str(one.get("channel")) for one in _list(told.get("measured")) if isinstance(one, Mapping)]
    for name, found in (("measured", measured), ("predicted", [str(one) for one in _list(told.get("predicted"))])):
        said += [f"{words[f'channels.only_{name}']}: {', '.join(found)}."] if found else []
    return " ".join(said)


def _list(value: Json) -> list[Json]:
    return value if isinstance(value, list) else []
