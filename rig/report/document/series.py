"""Several tests side by side: what their configurations differ in, and what came of it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from drivers.files.plain_values import Json
from rig.comparison import METRICS
from rig.config.shape import shapes
from rig.config.transport import to_json
from rig.report.document import losses
from rig.report.document.content import Curve, Figure, Floats, Row, Section, Table
from rig.report.document.criteria import Line, figure, judgement, lines_of, metric_words, result_of, unit_of
from rig.report.document.figures import one_cycle
from rig.report.document.leaves import stated, values, written
from rig.report.document.reported_run import ReportedRun
from rig.report.document.sensors import NONE
from rig.report.document.wording import Words
from rig.signals.engineering_units import shown

BESIDE = ("document.", "title", "bench.title", "bench.address", "bench.notify")
PORT = ".port"
"""Keys that no test differs in by what it does: names, and where its instruments are reached."""
ACROSS = 6
"""Tests that stand side by side on a page; more of them follow below."""
_PART = re.compile(r"\[(\d+)\]$")


@dataclass(frozen=True)
class Axis:
    """What the tests are put in order by: places (k,), and names where these are no numbers."""

    title: str
    places: Floats
    names: Sequence[str]
    numeric: bool


def differences(runs: Sequence[ReportedRun]) -> dict[str, list[str]]:
    """Key -> its value in each of the tests, as written in its file, of those that differ. Keys of the bench begin with `bench.`."""
    trees = [dict(_leaves(run)) for run in runs]
    keys = dict.fromkeys(key for tree in trees for key in tree)
    told = [key for key in keys if not key.startswith(BESIDE) and not key.endswith(PORT)]
    unlike = [key for key in told if any(tree.get(key) != trees[0].get(key) for tree in trees)]
    texts = [_texts(run) for run in runs]
    return {key: [text.get(key) or written(tree.get(key)) for text, tree in zip(texts, trees, strict=True)] for key in unlike}


def series(runs: Sequence[ReportedRun], words: Words) -> list[Section]:
    """Tables and figures of all of them; nothing of a single one."""
    if len(runs) < 2:
        return []
    unlike = differences(runs)
    axis = axis_of(runs, unlike)
    tables = [_table(runs[first : first + ACROSS], first, unlike, words) for first in range(0, len(runs), ACROSS)]
    lost = losses.over(runs, axis.places, axis.title, () if axis.numeric else axis.names, words)
    drawn = [one for one in (_errors(runs, axis, words), lost, _cycles(runs, axis, words)) if one is not None]
    said = [] if unlike else [words["series.alike"]]
    first = Section("series", words.titled("section.series"), paragraphs=said, tables=tables)
    return [first, Section("series-curves", words.titled("section.curves"), figures=drawn)] if drawn else [first]


def axis_of(runs: Sequence[ReportedRun], unlike: Mapping[str, Sequence[str]]) -> Axis:
    """The first key that is a number and another one in each test; else the tests by their names."""
    for key in unlike:
        numbers = [_number(run, key) for run in runs]
        known = [one for one in numbers if one is not None]
        if len(known) == len({*known}) == len(runs):
            unit, factor = shown(_unit(runs[0], key))
            title = f"{key}, {unit}" if unit not in ("", "1") else key
            return Axis(title, np.array(known) * factor, [f"{key} = {text}" for text in unlike[key]], True)
    names = [run.plan.run for run in runs]
    return Axis("", np.arange(len(runs), dtype=np.float64), names, False)


def _leaves(run: ReportedRun) -> Iterator[tuple[str, Json]]:
    yield from values(to_json(run.plan.experiment))
    for key, value in values(to_json(run.plan.bench)):
        yield f"bench.{key}", value


def _texts(run: ReportedRun) -> dict[str, str]:
    plan = run.plan
    own = {one.key: one.text for one in stated(plan.experiment_text, plan.experiment)}
    return own | {f"bench.{one.key}": one.text for one in stated(plan.bench_text, plan.bench)}


def _config(run: ReportedRun, key: str) -> tuple[object, str]:
    """The table in which a key stands, and its last part."""
    config: object = run.plan.experiment
    *above, last = key.split(".")
    if above[:1] == ["bench"]:
        config, above = run.plan.bench, above[1:]
    for part in above:
        found = _PART.search(part)
        config = getattr(config, _PART.sub("", part), None)
        if found and isinstance(config, tuple):
            config = config[int(found[1])] if int(found[1]) < len(config) else None
    return config, last


def _number(run: ReportedRun, key: str) -> float | None:
    config, last = _config(run, key)
    value = getattr(config, last, None)
    return float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else None


def _unit(run: ReportedRun, key: str) -> str:
    config, last = _config(run, key)
    try:
        unit = str(shapes(type(config))[last].metadata.get("unit", "1"))
    except (AssertionError, TypeError, KeyError):
        return ""
    return "" if "[" in unit or unit == "1" else unit


def _table(runs: Sequence[ReportedRun], first: int, unlike: Mapping[str, Sequence[str]], words: Words) -> Table:
    heads = [words.titled("series.what"), *(run.plan.run for run in runs)]
    rows = [Row([key, *texts[first : first + len(runs)]], "changed") for key, texts in unlike.items()]
    rows.append(Row([words.titled("series.verdict"), *(judgement(run, words).words for run in runs)]))
    by_run = [{_name(line): line for line in lines_of(run)} for run in runs]
    for name, line in {name: line for lines in by_run for name, line in lines.items()}.items():
        bound = figure(line, "tolerance")
        head = f"{line.get('channel')}: {metric_words(line, words)}" + ("" if bound is None else f" ({bound:.4g} {unit_of(line)})")
        rows.append(Row([head, *(_error(lines.get(name), words) for lines in by_run)]))
    agree = losses.agreement_row(runs, words)
    rows += [] if agree is None else [Row(agree)]
    return Table("", heads, rows, note=words["series.note"])


def _name(line: Line) -> str:
    return f"{line.get('channel')} {line.get('metric')}"


def _error(line: Line | None, words: Words) -> str:
    if line is None:
        return NONE
    value = figure(line, "error")
    told = NONE if value is None else f"{value:.3g} {unit_of(line)}"
    return f"{told}, {words[f'result.{result_of(line)}']}"


def _errors(runs: Sequence[ReportedRun], axis: Axis, words: Words) -> Figure | None:
    """Every criterion's error as a share of what it may be, over what the tests differ in."""
    by_run = [{_name(line): line for line in lines_of(run)} for run in runs]
    found = {name: line for lines in by_run for name, line in lines.items()}
    several = len({line.get("channel") for line in found.values()}) > 1
    order = np.argsort(axis.places)
    drawn = []
    for name, line in found.items():
        shares = np.array([_share(lines.get(name)) for lines in by_run])
        if np.isfinite(shares).any():
            called = f"{line.get('channel')}: {metric_words(line, words)}" if several else metric_words(line, words)
            drawn.append(Curve(called, axis.places[order], shares[order], "series"))
    if not drawn:
        return None
    title, most = words["series.errors"], max(float(np.nanmax(curve.y)) for curve in drawn)
    text = words["figure.text"].format(title=title, curves=f"≤ {most:.3g}")
    return Figure("series-errors", title, text, axis.title, words["series.share"], drawn, () if axis.numeric else axis.names)


def _share(line: Line | None) -> float:
    """Of its tolerance; NaN where it is not known."""
    error, bound = (None, None) if line is None else (figure(line, "error"), figure(line, "tolerance"))
    if line is None or error is None or bound is None:
        return np.nan
    metric = METRICS.get(str(line.get("metric")))
    if metric is not None and metric.at_least:
        error, bound = metric.scale - error, metric.scale - bound
    return abs(error) / bound if bound else np.nan


def _cycles(runs: Sequence[ReportedRun], axis: Axis, words: Words) -> Figure | None:
    """What was measured in one cycle of each, over each other."""
    drawn, unit = [], ""
    for run, name in zip(runs, axis.names, strict=True):
        if (found := one_cycle(run)) is not None:
            along, y, unit = found
            drawn.append(Curve(name, along, y, "series-line"))
    if len(drawn) < 2 or len({run.signals.feedback for run in runs}) > 1:
        return None
    title = words["series.cycles"].format(channel=runs[0].signals.feedback)
    text = words["figure.text"].format(title=title, curves=", ".join(curve.name for curve in drawn))
    return Figure("series-cycles", title, text, words["series.share_of_cycle"], unit, drawn)
