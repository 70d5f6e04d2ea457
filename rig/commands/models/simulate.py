"""`rig simulate EXPERIMENT --out FILE`: the model alone from its start state; on the steady trajectory where one drives it."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from pathlib import Path

from rig import config
from rig.command_line.names import file_path
from rig.command_line.result import Result
from rig.commands import add_setup_arguments
from rig.console.counted import counted
from rig.errors import ConfigError
from rig.prediction import tables
from rig.prediction.ensembles import Described
from rig.prediction.metrics import metrics
from rig.prediction.simulation import Simulated, simulate


def configure(parser: argparse.ArgumentParser) -> None:
    """Arguments of `rig simulate`."""
    add_setup_arguments(parser)
    parser.add_argument("--out", metavar="FILE", required=True, type=file_path, help="table to write: .csv or .h5")


def execute(args: argparse.Namespace) -> Result:
    """Simulate and write the table. Raises ConfigError for what cannot be run, NotConverged with time and reason."""
    tables.check_path(args.out)
    setup = config.load_experiment(args.experiment, args.overrides, args.bench)
    experiment = setup.experiment
    try:
        simulated = simulate(experiment)
    except ConfigError as error:
        raise ConfigError([_placed(args.experiment, problem) for problem in error.problems]) from error
    tables.write(args.out, simulated, setup.experiment_text)
    closed_loop = experiment.mechanism.servo_loop and experiment.command.mode == "force"
    found = metrics(simulated, experiment.comparison.discard_cycles, closed_loop, experiment.mechanism.EXCESS)
    warnings = [*setup.warnings, *simulated.remarks]
    if closed_loop:
        warnings.append("servo: the gap is crossed later than T/8 after a zero, so reversal_peak has no meaning; overshoot is within T/4")
    if simulated.command is not None and simulated.frequency is None:
        warnings.append("not periodic: no cycles are left out, and there is no reversal_peak or overshoot")
    elif all(value["max_abs"] is None for value in found.values()):
        first = counted(experiment.comparison.discard_cycles, "cycle")
        warnings.append(f"no metrics: nothing is left after the first {first} (comparison.discard_cycles)")
    data: dict[str, object] = {"file": str(args.out), "rtf": simulated.rtf, "metrics": found, "events": simulated.events}
    if simulated.equations:
        data["equations"] = simulated.equations
    if simulated.ensemble is not None:
        data["ensemble"] = simulated.ensemble.described(simulated.channels)
    return Result(data=data, text=_text(simulated, found, args.out), warnings=warnings)


def _placed(experiment: object, problem: str) -> str:
    """A path that cannot be followed is told with its file, as `rig kinematics` does."""
    return f"{experiment}: {problem}" if problem.startswith("trajectory: ") else problem


def _text(simulated: Simulated, found: Mapping[str, Mapping[str, float | None]], out: Path) -> str:
    keys = ("min", "max", "rms", "reversal_peak", "overshoot")
    lines = [f"{'channel':20} {'unit':6}" + "".join(f"{key:>15}" for key in keys)]
    for name, unit in simulated.channels:
        values = (found[name][key] for key in keys)
        lines.append(f"{name:20} {unit:6}" + "".join(f"{'-' if value is None else format(value, '.6g'):>15}" for value in values))
    if simulated.ensemble is not None:
        lines += ["", *_band(simulated.ensemble.described(simulated.channels), simulated.channels)]
    starts = sum(event["kind"] == "contact_start" for event in simulated.events)
    events = f"{counted(starts, 'contact')} began, {counted(len(simulated.events), 'event')} in all"
    lines.append(f"{events}; real-time factor {simulated.rtf:.3f} (one core); written to {out}")
    if simulated.equations:
        lines.append(f"equations: {simulated.equations}")
    return "\n".join(lines)


def _band(ensemble: Described, channels: tuple[tuple[str, str], ...]) -> list[str]:
    """What the members come to: the largest of each, over them."""
    share, members = f"{ensemble['coverage']:.0%}", ensemble["members"]
    lines = [f"{'largest of ' + str(members) + ' members':27}" + "".join(f"{key:>15}" for key in ("mean", f"{share} from", "to", "of all"))]
    for name, unit in channels:
        values = (ensemble["metrics"][name]["max_abs"][key] for key in ("mean", "low", "high", "max"))
        lines.append(f"{name:20} {unit:6}" + "".join(f"{value:>15.6g}" for value in values))
    return [*lines, f"all members: real-time factor {ensemble['rtf']:.3f} on {counted(ensemble['threads'], 'thread')}"]
