"""`rig kinematics EXPERIMENT`: can the mechanism follow its path, how well conditioned is it there, which constraints are redundant."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from model.mechanisms.parallel_3rrpar.config import Config
from rig import config
from rig.command_line.names import file_path
from rig.command_line.result import EXIT_CODES, Result
from rig.commands import add_setup_arguments
from rig.config.experiment import Experiment
from rig.config.kinds import chosen_by, kind_of
from rig.config.shape import shapes
from rig.errors import ConfigError
from rig.files import output_files
from rig.trajectory.drives import path_of

if TYPE_CHECKING:
    from model.mechanisms.parallel_3rrpar.ideal import Loads
    from model.mechanisms.parallel_3rrpar.reachability import Survey

Floats = NDArray[np.float64]

SUFFIXES = (".png", ".pdf", ".svg")
RANK_PLACES = 8  # along the path, at which the rank is looked at


def configure(parser: argparse.ArgumentParser) -> None:
    """Arguments of `rig kinematics`."""
    add_setup_arguments(parser)
    parser.add_argument("--out", metavar="FILE", type=file_path, help="draw mechanism, workspace and motion: .png, .pdf or .svg")


@dataclass(frozen=True)
class Found:
    """Of a mechanism on one turn of its path: model.mechanisms.parallel_3rrpar.reachability's survey and what else is told."""

    mechanism: Config
    survey: Survey
    margin: Floats  # (3,) m: of each leg, from stretched or folded right out, nan if it does not reach anywhere
    loads: Loads  # ideal, where it reaches
    rows: int | None
    rank: int | None
    faults: list[str]

    @property
    def elbows(self) -> list[str]:
        """Of each leg, on which side of its line from pivot to platform joint: +x, -x, or both in turn."""
        from model.mechanisms.parallel_3rrpar.kinematics import elbow_sides

        sides = elbow_sides(self.mechanism, self.survey.point)
        return ["+x" if np.all(side > 0.0) else "-x" if np.all(side < 0.0) else "+x and -x" for side in sides.T]

    @property
    def data(self) -> dict[str, object]:
        """JSON fields."""
        s, there = self.survey, bool(self.survey.reached.any())
        return {
            "reachable": bool(s.reached.all()),
            "times_s": s.times,
            "theta_rad": s.theta,
            "condition_max": float(np.nanmax(s.condition)) if there else None,
            "condition_bars_max": float(np.nanmax(s.parallel)) if there else None,
            "transmission_min": float(np.nanmin(s.transmission)) if there else None,
            "joint_speed_max": float(np.nanmax(np.abs(s.theta_rate))) if there else None,
            "loop_closure_max_m": float(np.nanmax(s.closure)) if there else None,
            "reach_margin_m": self.margin,
            "elbows": self.elbows,
            "rows": self.rows,
            "rank": self.rank,
            "redundant": None if self.rows is None or self.rank is None else self.rows - self.rank,
        }


def execute(args: argparse.Namespace) -> Result:
    """The table, and the picture. Raises ConfigError for a mechanism that follows no path or a picture that cannot be written."""
    setup = config.load_experiment(args.experiment, args.overrides, args.bench)
    experiment = setup.experiment
    field = shapes(Experiment)["trajectory"].metadata
    if experiment.trajectory is None or chosen_by(field, experiment.trajectory) != "path":
        raise ConfigError(f"{args.experiment}: {kind_of(experiment.mechanism)} follows no path ([trajectory] path = ...)")
    if args.out is not None:
        output_files.checked("--out", args.out, SUFFIXES)
    found = _find(experiment)
    data = dict(found.data)
    if args.out is not None:
        data["files"] = {"plot": str(_draw(args.out, experiment.title, found))}
    if not found.faults:
        return Result(data=data, text=_text(found, data), warnings=[*setup.warnings, *_elsewhere(found)])
    text = "\n".join(f"{args.experiment}: trajectory: {fault}" for fault in found.faults)
    data |= {"error": text, "problems": found.faults}
    return Result("bad_input", EXIT_CODES["bad_input"], data, text, list(setup.warnings))


def _find(experiment: Experiment) -> Found:
    from model.mechanisms.parallel_3rrpar import bodies, ideal, kinematics
    from model.mechanisms.parallel_3rrpar import reachability as following

    mechanism, path = experiment.mechanism_as(Config), path_of(experiment.trajectory)
    assert path is not None, "it has been refused"
    steady = path.steady()
    survey = following.survey(mechanism, steady, following.one_turn(path))
    spans = kinematics.reach(mechanism, survey.point)
    margin = np.min(np.minimum(spans.needed - spans.least, spans.most - spans.needed), axis=0)
    loads = ideal.loads(mechanism, *(values[survey.reached] for values in steady.evaluate(survey.times)))
    system = bodies.system(mechanism, steady, clearance=True)
    times = survey.times[survey.reached]
    looked = times[np.linspace(0, len(times) - 1, min(RANK_PLACES, len(times))).astype(int)] if len(times) else times
    independence = [system.independence(bodies.state(mechanism, steady, float(time))) for time in looked]
    rows = independence[0].rows if independence else None
    rank = min((one.rank for one in independence), default=None)
    return Found(mechanism, survey, margin, loads, rows, rank, following.find_faults(mechanism, path))


def _elsewhere(found: Found) -> list[str]:
    """Of elbows that are not where the documentation, or variant.elbow2, has them."""
    named = ("+x", found.mechanism.variant.elbow2, "-x")
    where = "the platform is not below motors 1 and 3 and before motor 2, at -Y, all along"
    return [
        f"elbow {leg} is on {side} of the line from its motor to the platform, not on {wanted} all along: {where}"
        for leg, (side, wanted) in enumerate(zip(found.elbows, named, strict=True), start=1)
        if side != wanted
    ]


def _draw(path: Path, title: str, found: Found) -> Path:
    from rig.report.kinematics import kinematics  # matplotlib takes a second

    with output_files.whole("--out", path) as new:
        kinematics(new, title, found.mechanism, found.survey)
    return path


def _text(found: Found, data: Mapping[str, object]) -> str:
    s, mechanism = found.survey, found.mechanism
    ends = [f"{low * 1e3:.1f} to {high * 1e3:.1f}" for low, high in zip(s.point.min(axis=0), s.point.max(axis=0), strict=True)]
    variant = mechanism.variant
    lines = [
        f"Path of {variant.point}, one turn in {s.times[-1]:.6g} s: X {ends[0]}, Y {ends[1]}, Z {ends[2]} mm",
        f"variant: motor 2 at x = {variant.a2x * 1e3:g} mm, elbow 2 on {variant.elbow2}",
        "",
        f"{'':36}{'leg 1':>20}{'leg 2':>20}{'leg 3':>20}",
        _ranges("arm, deg", np.degrees(s.theta)),
        _ranges("arm's speed, rad/s", s.theta_rate),
        _ranges("arm's acceleration, rad/s^2", s.theta_acceleration),
        _ranges("from stretched or folded, deg", np.degrees(np.arcsin(np.clip(s.transmission, 0.0, 1.0)))),
        f"{'reach to spare, at least, mm':36}" + "".join(f"{value * 1e3:20.1f}" for value in found.margin),
        _ranges("drive torque, ideal joints, N m", found.loads.torque),
        f"{'radial force at R, ideal joints, N':36}" + _range(found.loads.radial[:, 0]) + f"{'-':>20}" + _range(found.loads.radial[:, 1]),
        "",
        f"reachable: yes, one way of assembly all along (det A < 0); elbows 1, 2, 3 on {', '.join(found.elbows)} of their legs",
        f"condition number: {data['condition_max']:.4g} at most (of the bars alone {data['condition_bars_max']:.4g}; "
        f"limit {mechanism.condition_limit:g})",
        f"arms: {data['joint_speed_max']:.4g} rad/s at most (limit {mechanism.joint_speed_limit:g})",
        f"loop closure: {data['loop_closure_max_m']:.1e} m at most",
        f"constraints: {data['rows']} rows, rank {data['rank']}, {data['redundant']} redundant; {_freedoms(found.rank, mechanism)}",
    ]
    return "\n".join(lines)


def _freedoms(rank: int | None, mechanism: Config) -> str:
    from model.mechanisms.parallel_3rrpar.bodies import bodies

    left = 6 * len(bodies(mechanism)) - (rank or 0)
    r1, r3 = (f"{clearance * 1e3:g} mm" for clearance in mechanism.clearances)
    joints = f"R1 and R3 with {r1} clearance" if r1 == r3 else f"R1 with {r1} clearance, R3 with {r3}"
    if mechanism.ideal:
        joints = "ideal joints"
    return f"{joints}, drives given: {left or 'no'} freedoms left"


def _ranges(name: str, values: Floats) -> str:
    return f"{name:36}" + "".join(_range(values[:, leg]) for leg in range(3))


def _range(values: Floats) -> str:
    return f"{f'{values.min():.2f} to {values.max():.2f}':>20}"
