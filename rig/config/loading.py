"""From two files and the command line's overrides to a Setup; all that is wrong in one ConfigError."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rig.config import calibration, checks, tares
from rig.config.bench import Bench
from rig.config.conversion import MODE_UNITS, Conversion
from rig.config.experiment import Experiment
from rig.config.schema import build
from rig.config.sensor_files import SensorFiles, put_in
from rig.config.setup import Setup
from rig.config.tree import Override, Path_, Problem, apply, dotted, parse_override, read
from rig.errors import ConfigError


@dataclass
class _Source:
    """One file on its way."""

    path: Path
    tree: dict[str, Any]
    text: str
    overrides: list[Override]
    went: dict[Path_, Override]
    prefix: str = ""
    sensors: SensorFiles = field(default_factory=SensorFiles)

    def message(self, problem: Problem) -> str:
        """`file: key: what is wrong`; the command line instead of the file where that is where the value comes from."""
        for at, override in self.went.items():
            made_by_it = bool(problem.path) and at[: len(problem.path)] == problem.path and problem.text.startswith("unknown key")
            if problem.path[: len(at)] == at or made_by_it:
                key = "" if problem.path == at else f"{self.prefix}{dotted(problem.path)}: "
                return f"--set {self.prefix}{override.text}: {key}{problem.text}"
        if not problem.path:
            return problem.text if problem.text.startswith("--set") else f"{self.path}: {problem.text}"
        if (owner := self.sensors.owner(problem.path)) is not None:
            return f"{owner[0]}: {dotted(owner[1]) or dotted(problem.path)}: {problem.text}"
        return f"{self.path}: {dotted(problem.path)}: {problem.text}"

    def as_run(self) -> str:
        """The text with the sensors' files and its overrides as comments."""
        text = f"{self.text.rstrip()}\n{self.sensors.as_comments()}" if self.sensors.texts else self.text
        if not self.overrides:
            return text
        lines = "".join(f"#   {self.prefix}{override.text}\n" for override in self.overrides)
        return f"{text.rstrip()}\n\n# Overridden on the command line:\n{lines}"


def load_setup(experiment_path: Path, overrides: Sequence[str], bench_path: Path | None) -> Setup:
    """See `rig.config.load`."""
    given = [parse_override(text) for text in overrides]
    of_bench = [Override(o.text.removeprefix("bench."), o.keys[1:], o.value) for o in given if o.keys[0] == "bench" and len(o.keys) > 1]
    of_experiment = [o for o in given if o.keys[0] != "bench" or len(o.keys) == 1]
    tree, text = read(experiment_path, "experiment")
    named, problems = _named_bench(tree.pop("bench", None), experiment_path)
    experiment_source = _Source(experiment_path, tree, text, of_experiment, {})
    bench_file = bench_path or named
    if bench_file is None:
        raise ConfigError(problems)
    try:
        bench_source = _bench_source(bench_file, of_bench)
    except ConfigError as error:
        named_in = "" if bench_path else f" (named by bench.file of {experiment_path})"
        raise ConfigError(f"{error}{named_in}") from None
    return _checked(experiment_source, bench_source)


def load_bench_file(path: Path, overrides: Sequence[str]) -> Bench:
    """See `rig.config.load_bench`; without its tares."""
    given = [parse_override(text) for text in overrides]
    if foreign := [o.text for o in given if o.keys[0] != "bench" or len(o.keys) == 1]:
        raise ConfigError([f"--set {text}: of a bench alone keys are overridden as bench.KEY=VALUE" for text in foreign])
    source = _bench_source(path, [Override(o.text.removeprefix("bench."), o.keys[1:], o.value) for o in given])
    bench, problems, _ = _built(Bench, source, Conversion())
    if bench is not None:
        problems += checks.of_bench(bench)
    if problems:
        raise ConfigError(list(dict.fromkeys(source.message(p) for p in problems)))
    return bench  # type: ignore[no-any-return]


def named_bench(path: Path) -> Path:
    """The bench file that is meant by a file: itself, or the one that it names as an experiment. Raises ConfigError."""
    tree, _ = read(path, "experiment or bench")
    if "channels" in tree:
        return path
    named, problems = _named_bench(tree.get("bench"), path)
    if named is None:
        raise ConfigError(problems)
    return named


def _bench_source(path: Path, overrides: list[Override]) -> _Source:
    tree, text = read(path, "bench")
    return _Source(path, tree, text, overrides, {}, "bench.", put_in(tree, path))


def _named_bench(table: Any, experiment_path: Path) -> tuple[Path | None, list[str]]:
    """The bench file that the experiment names, relative to itself."""
    if not isinstance(table, Mapping) or set(table) != {"file"} or not isinstance(table["file"], str):
        expected = '[bench] with file = "../benches/NAME.toml" and nothing else'
        return None, [f"{experiment_path}: bench: expected {expected}; or give --bench FILE"]
    return Path(os.path.normpath(experiment_path.parent / table["file"])), []


def _checked(experiment_source: _Source, bench_source: _Source) -> Setup:
    bench, bench_problems, remarks = _built(Bench, bench_source, Conversion())
    mode = _mode(experiment_source)
    units = {"command": MODE_UNITS.get(mode, "N"), **_channel_units(bench_source.tree)}
    experiment, experiment_problems, more = _built(Experiment, experiment_source, Conversion(mode, units))
    warnings = [*remarks, *more]
    if bench is not None:
        bench_problems += checks.of_bench(bench)
    if experiment is not None and bench is not None:
        bench, old = tares.apply(bench, bench_source.path)
        warnings += [*old, *calibration.unknown(bench)]
        experiment_problems += checks.of_experiment(experiment, bench)
    messages = [experiment_source.message(p) for p in experiment_problems] + [bench_source.message(p) for p in bench_problems]
    if messages:
        raise ConfigError(list(dict.fromkeys(messages)))
    assert experiment is not None and bench is not None
    texts = (experiment_source.as_run(), bench_source.as_run())
    return Setup(experiment, bench, *texts, experiment_source.path, bench_source.path, (*warnings, *calibration.expired(bench)))


def _built(cls: type, source: _Source, conversion: Conversion) -> tuple[Any, list[Problem], list[str]]:
    source.went, problems, remarks = apply(cls, source.tree, source.overrides)
    problems = [Problem(p.path, p.text.replace("--set ", f"--set {source.prefix}")) for p in problems]
    if isinstance(conversion.mode, str) and cls is Experiment:
        conversion.mode = _mode(source)
    made = build(cls, source.tree, conversion)
    return made, [*problems, *conversion.problems], remarks


def _mode(source: _Source) -> str:
    """Mode of the loader, needed to know what a setpoint's unit is; a wrong one is reported later."""
    override = next((o.value for o in source.overrides if o.keys == ("command", "mode")), None)
    command = source.tree.get("command")
    return str(override or (command.get("mode", "force") if isinstance(command, Mapping) else "force"))


def _channel_units(tree: Mapping[str, Any]) -> dict[str, str]:
    """Unit of every channel of a bench that may still be wrong elsewhere."""
    channels = tree.get("channels")
    tables = [item for item in channels if isinstance(item, Mapping)] if isinstance(channels, list) else []
    return {str(item["name"]): str(item["unit"]) for item in tables if "name" in item and "unit" in item}
