"""From two files and the command line's overrides to a Setup; all that is wrong in one ConfigError."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from drivers.files.plain_values import Json
from rig.config import own_code, tares
from rig.config.attribution import attributed
from rig.config.bench import Bench
from rig.config.checks import axes, calculated, calibration, hybrid, model_input, pseudo_dynamic, rules
from rig.config.conversion import Conversion
from rig.config.experiment import MODE_UNITS, Experiment
from rig.config.named_files import NamedFiles, put_in, put_mechanism_in
from rig.config.schema import build
from rig.config.setup import Alone, Setup
from rig.config.source import Source
from rig.config.tree import Override, Problem, apply, parse_override, read, standing_at, table_overrides
from rig.config.units import more_units
from rig.config.units.quantities import is_unit
from rig.errors import ConfigError

T = TypeVar("T")
NOTIFY = "notify"
ONLY_THERE = (
    "programs that are told of a test are named in the bench file alone, as [[notify]]: it stays on the computer of the bench, and an "
    "experiment that somebody sends must not start any"
)


def load_setup(experiment_path: Path, overrides: Sequence[str], bench_path: Path | None) -> Setup:
    """See `rig.config.load`."""
    made = attributed(lambda given: _loaded(experiment_path, given, bench_path), overrides, experiment_path)
    return replace(made, overrides=tuple(overrides), bench_given=bench_path is not None)


def _loaded(experiment_path: Path, overrides: Sequence[str], bench_path: Path | None) -> Setup:
    of_bench, of_experiment = _parted(overrides)
    tree, text = _read_experiment(experiment_path)
    named = tree.pop("bench", None)
    experiment_source = _experiment_source(experiment_path, tree, text, of_experiment)
    if bench_path is None:
        return _checked(experiment_source, _named_bench(named, experiment_path, of_bench), named, [])
    bench_source = _bench_source(bench_path, of_bench)
    left_out = _left_out(named, experiment_path, bench_source)
    return _checked(experiment_source, bench_source, {"file": bench_path.resolve().as_posix()}, left_out)


def load_computed(experiment_path: Path, overrides: Sequence[str], bench_path: Path | None) -> Setup | Alone:
    """See `rig.config.load_experiment`."""
    tree, _ = _read_experiment(experiment_path)
    if bench_path is not None or "bench" in tree:
        return load_setup(experiment_path, overrides, bench_path)
    return attributed(lambda given: _computed(experiment_path, given), overrides, experiment_path)


def _computed(experiment_path: Path, overrides: Sequence[str]) -> Alone:
    tree, text = _read_experiment(experiment_path)
    of_bench, of_experiment = _parted(overrides)
    if of_bench:
        raise ConfigError([f"{override.said}: {experiment_path} names no bench" for override in of_bench])
    source = _experiment_source(experiment_path, tree, text, of_experiment)
    experiment, problems, remarks = _built(Experiment, source, Conversion(folder=experiment_path.parent))
    if experiment is not None:
        problems += [*model_input.channels(experiment)] or rules.of_computed(experiment)
    if messages := source.messages(problems):
        raise ConfigError(list(dict.fromkeys(messages)))
    assert experiment is not None
    return Alone(experiment, source.as_run(source.tree, own_code.remarks(experiment)), experiment_path, tuple(remarks))


def load_bench_alone(path: Path, overrides: Sequence[str], bench_path: Path | None) -> tuple[Bench, Path]:
    """See `rig.config.load_bench`; without its tares."""
    return attributed(lambda given: _bench_alone(path, given, bench_path), overrides, bench_path or path)


def _bench_alone(path: Path, overrides: Sequence[str], bench_path: Path | None) -> tuple[Bench, Path]:
    of_bench, foreign = _parted(overrides)
    if foreign:
        raise ConfigError([f"{override.said}: of a bench alone keys are overridden as bench.KEY=VALUE" for override in foreign])
    source = _bench_source(bench_path, of_bench) if bench_path is not None else _meant(path, of_bench)
    bench, problems, _ = _built(Bench, source, Conversion(folder=source.path.parent))
    if bench is not None:
        problems += rules.of_bench(bench)
    if messages := source.messages(problems):
        raise ConfigError(list(dict.fromkeys(messages)))
    assert bench is not None
    return bench, source.path


def _read_experiment(path: Path) -> tuple[dict[str, Json], str]:
    """See `read`. Raises ConfigError for a bench file."""
    tree, text = read(path, "experiment")
    if NOTIFY in tree:
        raise ConfigError(f"{path}: {NOTIFY}: {ONLY_THERE}")
    if "channels" in tree and "mechanism" not in tree:
        raise ConfigError(f"{path}: this is a bench file ([daq], [[channels]]), expected an experiment; it goes with one as --bench {path}")
    return tree, text


def _parted(overrides: Sequence[str]) -> tuple[list[Override], list[Override]]:
    """Those that go to the bench, without their `bench.`, and the others."""
    given = [parse_override(text) for text in overrides]
    if other := [override for override in given if override.keys == ("bench", "file")]:
        raise ConfigError([f"{override.said}: another bench is given as --bench {override.value}" for override in other])
    of_bench = [replace(o, keys=o.keys[1:]) for o in given if o.keys[0] == "bench" and len(o.keys) > 1]
    return of_bench, [o for o in given if o.keys[0] != "bench" or len(o.keys) == 1]


def _meant(path: Path, overrides: list[Override]) -> Source:
    """The bench that is meant by a file: itself, or the one that it names as an experiment. Raises ConfigError."""
    tree, _ = read(path, "experiment or bench")
    return _bench_source(path, overrides) if "channels" in tree else _named_bench(tree.get("bench"), path, overrides)


def _experiment_source(path: Path, tree: dict[str, Json], text: str, overrides: list[Override]) -> Source:
    named = put_mechanism_in(tree, path, overrides)
    return Source(path, tree, text, _over(named, overrides), named=named)


def _bench_source(path: Path, overrides: list[Override]) -> Source:
    if elsewhere := [override.said for override in overrides if override.keys[0] == NOTIFY]:
        raise ConfigError([f"{said}: {ONLY_THERE}" for said in elsewhere])
    tree, text = read(path, "bench")
    named = put_in(tree, path, overrides)
    return Source(path, tree, text, _over(named, overrides), "bench.", named)


def _over(named: NamedFiles, overrides: list[Override]) -> list[Override]:
    """What goes over the values of a tree whose named files are in it."""
    return [*named.laid_over, *(override for override in overrides if override not in named.chosen)]


def _named_bench(table: Json, experiment_path: Path, overrides: list[Override]) -> Source:
    """The bench file that an experiment names, relative to itself, with the values that the experiment lays over it."""
    if not isinstance(table, Mapping) or not isinstance(file := table.get("file"), str):
        computed = "" if table is not None else "; without a bench it can be simulated (rig simulate), not run"
        raise ConfigError(
            [f'{experiment_path}: bench: expected [bench] with file = "../benches/NAME.toml"; or give --bench FILE{computed}']
        )
    path = Path(os.path.normpath(experiment_path.parent / file))
    try:
        return _bench_source(path, [*_laid_over(table, experiment_path), *overrides])
    except ConfigError as error:
        raise ConfigError([f"{text} (named by bench.file of {experiment_path})" for text in error.problems]) from None


def _laid_over(table: Mapping[str, Json], experiment_path: Path) -> list[Override]:
    """What else stands in an experiment's [bench]: values for the bench that it names, by the keys of `--set bench.KEY`."""
    return table_overrides({key: value for key, value in table.items() if key != "file"}, f"{experiment_path}: bench")


def _left_out(table: Json, experiment_path: Path, bench: Source) -> list[str]:
    """Another bench than the named one is run as it is; what the experiment would have changed in its own is said."""
    over = _laid_over(table, experiment_path) if isinstance(table, Mapping) else []
    other = [override for override in over if standing_at(bench.tree, override.keys) != override.value]
    return [f"{override.said}: left out, --bench {bench.path} is run as it is" for override in other]


def _checked(experiment_source: Source, bench_source: Source, bench_table: Json, left_out: list[str]) -> Setup:
    bench, bench_problems, remarks = _built(Bench, bench_source, Conversion(folder=bench_source.path.parent))
    mode = _mode(experiment_source)
    read = {one.name: one.unit for one in bench.instruments} if bench is not None else {}
    units = {"command": MODE_UNITS.get(mode, "N"), **_channel_units(bench_source.tree), **read}
    conversion = Conversion(mode, units, folder=experiment_source.path.parent)
    experiment, experiment_problems, more = _built(Experiment, experiment_source, conversion)
    table = experiment_source.tree.get("trajectory")
    kind = table.get("kind") if isinstance(table, Mapping) else None
    if bench is not None and (wrong := [*axes.of_mode(mode, bench), *pseudo_dynamic.of_mode(kind, mode), *hybrid.of_mode(kind, mode)][:1]):
        experiment, experiment_problems = None, wrong
    warnings = [*left_out, *remarks, *more]
    if "trajectory" not in experiment_source.tree:  # only what is computed, not run, may do without
        experiment_problems.append(Problem(("trajectory",), "missing; expected a table ([trajectory])"))
        experiment = None
    elif experiment is not None and (unfit := [*model_input.follows(experiment), *model_input.channels(experiment)]):
        experiment_problems += unfit
        experiment = None
    if bench is not None:
        bench_problems += rules.of_bench(bench)
    if experiment is not None and bench is not None:
        bench, old = tares.apply(bench, bench_source.path)
        warnings += [*old, *calibration.unknown(bench)]
        experiment_problems += rules.of_experiment(experiment, bench)
        bench_problems += rules.of_bench_under(experiment, bench)
    if messages := experiment_source.messages(experiment_problems) + bench_source.messages(bench_problems):
        raise ConfigError(_once(messages))
    assert experiment is not None and bench is not None
    warnings += rules.doubts(experiment, bench)
    code = own_code.remarks(experiment)
    experiment = calculated.as_run(experiment)
    experiment_text = experiment_source.as_run({**experiment_source.tree, "bench": bench_table}, code)
    taken = [f"tare of {c.name}: {c.sensor.tare:g} {c.unit} ({c.sensor.tared})" for c in bench.channels if c.sensor.tared]
    bench_text = bench_source.as_run(bench_source.tree, [*taken, *own_code.remarks(bench)])
    warnings += calibration.expired(bench)
    return Setup(experiment, bench, experiment_text, bench_text, experiment_source.path, bench_source.path, tuple(warnings))


def _built(cls: type[T], source: Source, conversion: Conversion) -> tuple[T | None, list[Problem], list[str]]:
    source.put, source.misplaced, remarks = apply(cls, source.tree, source.overrides)
    if isinstance(conversion.mode, str) and cls is Experiment:
        conversion.mode = _mode(source)
        conversion.channels = {**conversion.channels, **more_units.of_tree(source.tree, conversion.channels, conversion.folder)}
    made = build(cls, source.tree, conversion)
    return made, conversion.problems, [*remarks, *conversion.remarks]


def _mode(source: Source) -> str:
    """Mode of the loader, needed to know what a setpoint's unit is; a wrong one is reported later."""
    override = next((o.value for o in source.overrides if o.keys == ("command", "mode")), None)
    command = source.tree.get("command")
    return str(override or (command.get("mode", "force") if isinstance(command, Mapping) else "force"))


def _channel_units(tree: Mapping[str, Json]) -> dict[str, str]:
    """Unit of every channel of a bench that may still be wrong elsewhere."""
    channels = tree.get("channels")
    tables = [item for item in channels if isinstance(item, Mapping)] if isinstance(channels, list) else []
    units = {str(item["name"]): item["unit"] for item in tables if "name" in item and "unit" in item}
    return {name: unit for name, unit in units.items() if isinstance(unit, str) and is_unit(unit)}


def _once(messages: Sequence[str]) -> list[str]:
    """Each once: what is wrong with a drawing that model and bench share is wrong with both, with other names to choose from behind it."""
    return list({message.partition("; there are ")[0]: message for message in reversed(messages)}.values())[::-1]
