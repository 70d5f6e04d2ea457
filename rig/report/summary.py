"""Everything that is said about a run when it is over, from its record alone: at its end and any time afterwards, the same bits."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from functools import partial
from pathlib import Path
from typing import TypedDict, TypeVar

import numpy as np

from drivers.files.plain_values import Json
from drivers.files.plain_values import table as need_table
from model.mechanisms.mechanism import Mechanism
from rig.comparison import CONVENTION, ChannelAgreement, Settings, Verdict, verdict, withheld
from rig.comparison.filtering import passable
from rig.comparison.preparation import Counted
from rig.comparison.series import Series, pieces
from rig.comparison.whole_cycles import JudgedCycles
from rig.config.bench import Bench
from rig.config.experiment import Comparison, Experiment, Identify
from rig.config.pairing import unpaired
from rig.config.plan import Plan
from rig.errors import ConfigError
from rig.files import json_files
from rig.recorder import embedded
from rig.recorder.description import Event
from rig.recorder.folders import remedy
from rig.recorder.reading import RunData, read_run
from rig.report import axes, table
from rig.report.agreement import agreed, with_losses
from rig.report.alternative import predicted_under
from rig.report.attempt import attempted
from rig.report.bands.agreement import with_bands
from rig.report.bands.table import bands
from rig.report.causes import causes
from rig.report.encoder_counts import with_counts
from rig.report.endurance import endured
from rig.report.endurance.table import Endurance
from rig.report.impacts.agreement import with_impacts
from rig.report.overlay.content import OverlayData
from rig.report.overlay.injections import injected, with_injections
from rig.report.overlay.loss_angles import ANGLE, CONTACT, LossAngles, loss_angles
from rig.report.overlay.selection import contents
from rig.report.signals import Signals, signals
from rig.report.validation import rows, validations
from rig.sensors.uncertainty import at_max
from rig.streaming.interruptions import Told, time_held
from rig.trajectory import create

RECORD, PICTURE, SUMMARY = "run.h5", "overlay.png", "summary.json"
REPEATED = "repeated"
"""Column of the command: cycles that null pacing has run once more so far."""
BROKEN_OFF = ("failed", "tripped")


Pictures = dict[str, tuple[Path, Callable[[], None]]]
"""By name: where it goes, and what draws it there."""


class ComparedRun(TypedDict):
    """JSON values, as `rig run --json` has them; `text`: the table for the terminal."""

    agreement: Mapping[str, Json]
    not_compared: Json
    error_sign: str
    contact_loss: Json
    validation: Json
    cycles: dict[str, Json]
    verdict: dict[str, Json]
    endurance: Json
    files: dict[str, str]
    warnings: list[str]
    text: str


def compare_run(
    run_dir: Path,
    *,
    alternative: str | None = None,
    overrides: Sequence[str] = (),
    experiment_file: Path | None = None,
    picture: Path | None = None,
    ended: tuple[str, str] | None = None,
    clocks: Mapping[str, axes.Clock] | None = None,
) -> ComparedRun:
    """Compare measured with predicted of the run in `run_dir`, judge it, draw overlay.png there (or to `picture`), as `compared_run` says.

    A picture that cannot be drawn is a warning; raises OSError for one that cannot be written.
    """
    found, pictures = compared_run(
        run_dir, alternative=alternative, overrides=overrides, experiment_file=experiment_file, picture=picture, ended=ended, clocks=clocks
    )
    for name, (path, draw) in pictures.items():
        if failed := attempted(path, draw, OSError):
            del found["files"][name]
            found["warnings"] = [*found["warnings"], *failed]
    return found


def compared_run(
    run_dir: Path,
    *,
    alternative: str | None = None,
    overrides: Sequence[str] = (),
    experiment_file: Path | None = None,
    picture: Path | None = None,
    ended: tuple[str, str] | None = None,
    clocks: Mapping[str, axes.Clock] | None = None,
) -> tuple[ComparedRun, Pictures]:
    """Compare measured with predicted of the run in `run_dir`, judge it; and what draws overlay.png there (or to `picture`), and
    trend.png beside it where the test has many cycles.

    alternative: contact law that the verdict must be able to tell from the one used (default: `comparison.alternative_law`).
    overrides: `comparison.KEY=VALUE`; experiment_file: whose [comparison] takes the place of the record's.
    Returns `agreement`, `not_compared`, `error_sign`, `contact_loss`, `validation`, `cycles`, `verdict`, `endurance`,
    `files`, `warnings` (JSON values, as `rig run --json`) and `text`.
    ended: outcome of the run and its reason (default: as summary.json has it); one that failed or tripped does not pass.
    clocks: what each serial axis told of its clock and its following error (default: as summary.json has it).
    Raises ConfigError for a folder without a run, a law or a metric that does not exist.
    """
    plan = plan_of(run_dir, overrides, experiment_file)
    path = picture or run_dir / PICTURE
    one = _brought_together(run_dir, plan)
    result, cycles = _judged(one, alternative or plan.experiment.comparison.alternative_law, path.parent, ended or ending(run_dir))
    if anew := _said_anew(Plan.read(run_dir).experiment.comparison, plan.experiment.comparison):
        result = replace(result, reason=f"{result.reason}; with {anew}")
    clocks = _clocks(run_dir) if clocks is None else clocks
    validated = validations(plan, one.record, one.found, one.channels, result, one.settings)
    long_test = endured.endured(plan, one.record, one.found.feedback, _repeated(one.record))
    pictures = _pictures(path, plan, partial(_content, one, result), long_test)
    alone = unpaired(plan.experiment, plan.bench)
    notes = [*_merged(_notes(one, result, clocks)), *alone.doubts(), *embedded.doubts(one.record)]
    followed = axes.rows(plan, one.found, one.counts, clocks)
    endurance = long_test.text if long_test else ""
    return {
        "agreement": {name: a.to_json() for name, a in one.channels.items()},
        "not_compared": alone.to_json(),
        "error_sign": CONVENTION,
        "contact_loss": None if one.losses is None else one.losses.to_json(),
        "validation": [row.to_json() for row in validated],
        "cycles": asdict(cycles),
        "verdict": result.to_json(),
        "endurance": None if long_test is None else long_test.to_json(),
        "files": {name: str(where) for name, (where, _) in pictures.items()},
        "warnings": [*injected(one.record.events), *notes],
        "text": table.text(
            one.channels,
            result,
            one.found.feedback,
            one.losses,
            followed,
            alone.in_words(),
            endurance,
            rows(validated),
            bands(one.channels),
        ),
    }, pictures


@dataclass(frozen=True)
class _Compared:
    """A record beside its prediction. counts: samples from the first to the last that count; losses: of a four-bar with such a criterion;
    channels: their agreement."""

    plan: Plan
    record: RunData
    found: Signals
    settings: Settings
    counts: range
    losses: LossAngles | None
    channels: Mapping[str, ChannelAgreement]


def _said_anew(ran: Comparison, now: Comparison) -> str:
    """In words what of the comparison is not as the test ran with it; empty where all of it is."""
    changed = [one.name for one in fields(ran) if getattr(ran, one.name) != getattr(now, one.name)]
    return f"{' and '.join(f'comparison.{name}' for name in changed)} as set after the test" if changed else ""


def _brought_together(run_dir: Path, plan: Plan) -> _Compared:
    """Raises ConfigError for a record of which nothing can be compared."""
    comparison, record = plan.experiment.comparison, read_run(run_dir / RECORD)
    if not record.streams.get("measured"):
        raise ConfigError(f"{run_dir}: nothing was measured in this run; there is nothing to compare")
    found = signals(record, plan)
    _need_sense(run_dir, found, plan, record)
    settings = Settings(passable(comparison.lowpass, found.rate), comparison.discard_cycles, comparison.remove_delay, band=comparison.band)
    counts = Counted(found.command.cycle, settings.discard_cycles).extent
    losses = loss_angles(plan, record, counts, settings.remove_delay)
    figures = _Figures(plan, found, settings, losses)
    channels = figures.counted(found.predicted, plan.experiment.mechanism)
    channels = _with_uncertainties(plan.bench, channels)
    channels = with_bands(channels, plan, record, found, settings, Plan.read(run_dir).experiment.comparison.lowpass)
    return _Compared(plan, record, found, settings, counts, losses, channels)


@dataclass(frozen=True)
class _Figures:
    """What is told of a record beside predictions of it. losses: those of the recorded one, of a four-bar with such a criterion."""

    plan: Plan
    found: Signals
    settings: Settings
    losses: LossAngles | None

    @property
    def unsensed(self) -> tuple[str, ...]:
        """Channels of the model that are needed besides those that are measured."""
        return () if self.losses is None else (ANGLE, CONTACT)

    def of(self, predicted: Mapping[str, Series], samples: int | None = None) -> dict[str, ChannelAgreement]:
        """The agreement of channels; samples: of the first ones only, and without what is looked for in a whole record."""
        compared = agreed(self.found, predicted, self.settings, samples)
        if samples is not None:
            return compared
        losses = self.losses
        if losses is not None and predicted is not self.found.predicted:
            losses = losses.under(predicted[ANGLE], predicted[CONTACT], self.found.rate)
        return with_impacts(with_losses(compared, losses), self.plan, self.found, predicted)

    def counted(self, predicted: Mapping[str, Series], mechanism: Mechanism) -> dict[str, ChannelAgreement]:
        """The agreement with a prediction of `mechanism`, with what the counts of an encoder may have done to it."""
        # Not to where contact is lost: how sure that is goes by the measured side, and not by how cycles differ.
        again = replace(self, settings=replace(self.settings, delay=False), losses=None)
        return with_counts(self.of(predicted), predicted, self.plan, self.found, mechanism, again.of)


def _judged(one: _Compared, law: str | None, folder: Path, ended: tuple[str, str]) -> tuple[Verdict, JudgedCycles]:
    """By the criteria, how the test ended and what was injected into it; on which cycles. law: that it must be told from."""
    outcome, reason = ended
    result = _judge(one, law, folder)
    if outcome in BROKEN_OFF:
        result = withheld(result, f"the run {outcome}: {reason}")
    result = with_injections(result, one.record.events)
    cycles = one.found.command.cycle.judged(one.settings.discard_cycles, one.record.last_cycle, one.record.cut_cycle)
    how_far = "" if outcome == "done" else _of_how_much(one.plan, one.found, one.channels, one.settings, cycles, one.record.events)
    return replace(result, reason="; ".join(part for part in (result.reason, cycles.words, how_far) if part)), cycles


def _content(one: _Compared, result: Verdict) -> OverlayData:
    absent = [(first, end) for first, end, _ in one.record.absent]
    return contents(one.plan, one.found, one.channels, result, one.settings, one.losses, one.record.events, absent)


def _notes(one: _Compared, result: Verdict, clocks: Mapping[str, axes.Clock]) -> Iterator[str]:
    """What there is to say of the channels and axes, each with its name, and of the settings."""
    for name, a in one.channels.items():
        if name in one.found.predicted:
            yield from (f"{name}: {text}" for text in a.warnings)
    yield from causes(one.found, result, one.settings, one.plan)
    yield from axes.doubts(one.plan, one.record, one.found, one.counts, clocks)
    if one.settings.lowpass != (asked := one.plan.experiment.comparison.lowpass):
        yield f"comparison.lowpass: {asked:g} Hz is not below half the rate ({one.found.rate:g} Hz): nothing was filtered"


def _pictures(path: Path, plan: Plan, content: Callable[[], OverlayData], long_test: Endurance | None) -> Pictures:
    """Overlay at `path`, trend beside it; nothing is read for them before they are drawn."""

    def draw() -> None:
        from rig.report.overlay.page import overlay  # matplotlib only when there is something to draw

        overlay(path, content())

    drawings: Pictures = {"overlay": (path, draw)}
    if long_test is not None:
        trend = path.with_name(endured.PICTURE)
        drawings["trend"] = (trend, lambda: endured.draw(trend, plan, long_test.course))
    return drawings


def _of_how_much(
    plan: Plan, found: Signals, compared: Mapping[str, ChannelAgreement], settings: Settings, ran: JudgedCycles, events: Sequence[Event]
) -> str:
    """In words what part of a test that ended early the verdict is on; empty where it came as far as it was to."""
    trajectory = create(plan.experiment.trajectory)
    planned = trajectory.cycles - settings.discard_cycles  # those run again come on top
    cycles = ran.run if ran.words else len(compared[found.feedback].cycles)
    if cycles >= planned > 0:
        return ""
    took = _took(plan, len(found.command.value) / found.rate, trajectory.duration, events)
    if planned <= 0 or ran.words:
        return f"the test ended after {took}"
    return f"on {cycles} of {planned} counted cycles, as the test ended after {took}"


def _took(plan: Plan, recorded: float, asked: float, events: Sequence[Event]) -> str:
    """In words how long a test ran: what was held is no part of the trajectory, and each session of a test has a soft start of its own."""
    held = time_held((Told(event.time, event.kind, event.text) for event in events), recorded)
    whole = (
        f"{recorded - held:.3g} s in {plan.resumption.session} sessions" if plan.resumption else f"{recorded - held:.3g} s of {asked:.3g} s"
    )
    return f"{whole}, and {held:.3g} s held" if held > 0.0 else whole


def _need_sense(run_dir: Path, found: Signals, plan: Plan, record: RunData) -> None:
    """Raises ConfigError for a record that is not of its plan: a channel missing or in another unit, cycles that the test has not."""
    for channel in plan.bench.channels:
        if (unit := found.units.get(channel.name, channel.unit)) != channel.unit:
            raise ConfigError(f"{run_dir / RECORD}: measured/{channel.name} is in {unit!r}, by plan.json in {channel.unit!r}")
    if found.feedback not in found.measured:
        raise ConfigError(f"{run_dir / RECORD}: no channel {found.feedback!r} was measured; there are {', '.join(found.measured)}")
    counted = found.command.cycle
    most = max((float(np.fmax.reduce(counted[part], initial=-1.0)) for part in pieces(0, len(counted))), default=-1.0)
    cycles = create(plan.experiment.trajectory).cycles + _repeated(record)
    if most > cycles:
        raise ConfigError(f"{run_dir / RECORD}: command/cycle goes to {most:g}, the test has {cycles} cycles; the record is damaged")


def _repeated(record: RunData) -> int:
    """Cycles that null pacing has put in."""
    if REPEATED not in record.streams.get("command", {}):
        return 0
    column = record.column("command", REPEATED)
    return int(max((float(np.fmax.reduce(column[part], initial=0.0)) for part in pieces(0, len(column))), default=0.0))


def _with_uncertainties(bench: Bench, compared: Mapping[str, ChannelAgreement]) -> dict[str, ChannelAgreement]:
    """What the sensors' records say of the largest measured value; a prediction that is within that is not told to differ."""
    sensors = {channel.name: channel for channel in bench.channels}
    return {name: a.with_uncertainty(at_max(sensors[name], a.max_measured)) if name in sensors else a for name, a in compared.items()}


def ending(run_dir: Path) -> tuple[str, str]:
    """Outcome and reason of a run that is over, as it said itself: of the test, whatever became of its comparison."""
    if not (run_dir / SUMMARY).exists():
        return "failed", f"it left no {SUMMARY}, as one that was killed"
    try:
        summary = need_table(json_files.read(run_dir / SUMMARY, "summary"))
        test = need_table(summary["test_ended"]) if "test_ended" in summary else summary
        return str(test["outcome"]), str(test["reason"])
    except (ValueError, LookupError, TypeError):
        return "failed", f"its {SUMMARY} is damaged"


def _clocks(run_dir: Path) -> Mapping[str, axes.Clock]:
    """Of the axes, as the run told them; nothing where it left no summary."""
    try:
        return axes.clocks(need_table(json_files.read(run_dir / SUMMARY, "summary"))["clocks"])
    except (ValueError, LookupError, TypeError):
        return {}


def plan_of(
    run_dir: Path, overrides: Sequence[str], experiment_file: Path | None = None, sections: Sequence[str] = ("comparison",)
) -> Plan:
    """The plan of the run, with what the command line says of `sections` of the experiment, the tables that may be said anew when it is
    over; experiment_file: whose tables replace the record's."""
    if not (run_dir / "plan.json").exists():
        raise ConfigError(f"{run_dir}: not the folder of a run (no plan.json in it)")
    if not (run_dir / RECORD).exists():
        raise ConfigError(f"{run_dir}: no {RECORD} in it; {remedy(run_dir)}")
    plan = Plan.read(run_dir)
    if not overrides and experiment_file is None:
        return plan
    from rig.config import load_experiment
    from rig.config.attribution import attributed

    stated = plan.experiment if experiment_file is None else load_experiment(experiment_file).experiment
    said = experiment_file or run_dir
    return attributed(lambda given: _stated_by(plan, stated, sections, given, said), overrides, said)


def _stated_by(plan: Plan, stated: Experiment, sections: Sequence[str], overrides: Sequence[str], said: Path) -> Plan:
    """The plan with those sections. said: where their own values stand. Raises ConfigError."""
    from rig.config.checks.comparison import band, criteria
    from rig.config.source import Source
    from rig.config.tree import parse_override

    if foreign := [text for text in overrides if parse_override(text).keys[0] not in sections]:
        keys = " or ".join(f"{section}.KEY=VALUE" for section in sections)
        raise ConfigError([f"{parse_override(text).said}: a run that is over takes {keys} only" for text in foreign])
    tables: dict[str, Comparison | Identify] = {}
    for section in sections:
        own = [text for text in overrides if parse_override(text).keys[0] == section]
        table = getattr(stated, section)
        tables[section] = _overridden(section, table, own, said) if own else table
    experiment = replace(plan.experiment, **tables)  # type: ignore[arg-type]  # each by its own name
    channels = {channel.name: channel for channel in plan.bench.channels}
    if wrong := Source(said, {}, "", ()).messages([*band(experiment), *criteria(experiment, channels)]):
        raise ConfigError(wrong)
    return replace(plan, experiment=experiment)


Table = TypeVar("Table", bound=Comparison | Identify)


def _overridden(section: str, table: Table, overrides: Sequence[str], said: Path) -> Table:
    from rig.config.conversion import Conversion  # pint and pydantic only when they are needed
    from rig.config.schema import build
    from rig.config.source import Source
    from rig.config.transport import to_json
    from rig.config.tree import Problem, apply, parse_override

    given = [parse_override(text) for text in overrides]
    cls = type(table)
    tree: dict[str, Json] = {key: value for key, value in to_json(table).items() if value is not None}
    went, misplaced, _ = apply(cls, tree, [replace(o, keys=o.keys[1:]) for o in given if len(o.keys) > 1])
    conversion = Conversion()
    built: Table | None = build(cls, tree, conversion)
    put = {(section, *path): override for path, override in went.items()}
    source = Source(said, tree, "", (), put=put, misplaced=misplaced)
    wrong = source.messages([Problem((section, *problem.path), problem.text) for problem in conversion.problems])
    if wrong or built is None:
        raise ConfigError(wrong or f"{said}: {section}: cannot be used")
    return built


def _judge(one: _Compared, law: str | None, folder: Path) -> Verdict:
    """The verdict; with another law than the one used, also whether it could be told from that one."""
    plan, criteria, mechanism = one.plan, one.plan.experiment.comparison.criteria, one.plan.experiment.mechanism
    other = None
    if law is not None and law != (mechanism.contact_law or None):
        figures = _Figures(plan, one.found, one.settings, one.losses)
        again = predicted_under(law, plan, one.found, folder, figures.unsensed)
        other = figures.counted(again, mechanism.with_contact_law(law))
    try:
        return verdict(one.channels, criteria, other, str(law), plan.experiment.comparison.risk)
    except ValueError as error:
        raise ConfigError(f"comparison.criteria: {error}") from None


def _merged(notes: Iterable[str]) -> list[str]:
    """Notes that several channels share are said once."""
    channels: dict[str, list[str]] = {}
    for note in notes:
        name, _, text = note.partition(": ")
        channels.setdefault(text, []).append(name)
    return [f"{', '.join(names)}: {text}" for text, names in channels.items()]
