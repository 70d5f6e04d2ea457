"""`rig predict EXPERIMENT`: where a joint with clearance loses contact, by every criterion (zhang1995)."""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from model.mechanisms.four_bar import Config
from rig import config
from rig.command_line.names import file_path
from rig.command_line.result import Result
from rig.commands import add_setup_arguments
from rig.config.kinds import kind_of
from rig.errors import ConfigError
from rig.files import output_files

if TYPE_CHECKING:  # loading it takes a second
    from model.separation.criteria import CriticalPoints
    from model.separation.prediction import Prediction

SIMULTANEITY = 3.0  # deg, assumed: the zeros of aq and br never coincide exactly
SUFFIXES = (".png", ".pdf", ".svg")
NAMES = {
    "earles_wu": "Earles-Wu",
    "li_bai": "Li-Bai",
    "critical_points": "critical points aq, br",
    "massless_link": "massless link",
    "full_contact": "full contact",
}


def configure(parser: argparse.ArgumentParser) -> None:
    """Arguments of `rig predict`."""
    add_setup_arguments(parser)
    text = f"how near zeros of aq and br are simultaneous, degrees of the crank (default {SIMULTANEITY:g}, assumed)"
    parser.add_argument("--simultaneity", metavar="DEG", type=float, default=SIMULTANEITY, help=text)
    text = "factor for the clearance in Li-Bai's eq 2, which the paper does not define (default 1)"
    parser.add_argument("--epsilon", metavar="NUMBER", type=float, default=1.0, help=text)
    text = "how long massless link and full contact are followed from the start angle (default 2)"
    parser.add_argument("--revolutions", metavar="N", type=float, default=2.0, help=text)
    parser.add_argument("--plot", metavar="FILE", type=file_path, help="draw everything over the crank angle")


def execute(args: argparse.Namespace) -> Result:
    """The table, and the picture. Raises ConfigError for a mechanism without a prediction or arguments that cannot be used."""
    setup = config.load_experiment(args.experiment, args.overrides, args.bench)
    mechanism = setup.experiment.mechanism
    if not isinstance(mechanism, Config):
        raise ConfigError(f"{args.experiment}: contact loss is predicted for mechanism.kind 'four_bar', this is {kind_of(mechanism)!r}")
    _check(args)
    from model.errors import ModelError, NotConverged
    from model.separation.prediction import predict, remarks

    try:
        found = predict(mechanism, setup.experiment.integrator, math.radians(args.simultaneity), args.epsilon, args.revolutions)
    except NotConverged:
        raise
    except ModelError as error:
        raise ConfigError(str(error)) from error
    files = {} if args.plot is None else {"plot": str(_draw(args.plot, setup.experiment.title, found))}
    return Result(data={**_data(found), "files": files}, text=_text(found), warnings=[*setup.warnings, *remarks(found)])


def _check(args: argparse.Namespace) -> None:
    if not 0.0 < args.revolutions <= 1000.0:
        raise ConfigError(f"--revolutions: expected more than 0 and at most 1000, got {args.revolutions:g}")
    if not 0.0 <= args.simultaneity <= 180.0:
        raise ConfigError(f"--simultaneity: expected 0 to 180 deg, got {args.simultaneity:g}")
    if args.plot is not None:
        output_files.checked("--plot", args.plot, SUFFIXES)


def _draw(path: Path, title: str, found: Prediction) -> Path:
    from rig.report.separation import separation  # matplotlib takes a second

    with output_files.whole("--plot", path) as new:
        separation(new, title, found)
    return path


def _degrees(angles: Iterable[float]) -> list[float]:
    return [math.degrees(angle) % 360.0 for angle in angles]


def _data(found: Prediction) -> dict[str, object]:
    critical, mechanism = found.critical, found.config
    return {
        "zeros_aq_deg": _degrees(critical.aq),
        "zeros_br_deg": _degrees(critical.br),
        "nearest_pair_deg": None if critical.nearest is None else dict(zip(("aq", "br"), _degrees(critical.nearest), strict=True)),
        "simultaneity_tolerance_deg": round(math.degrees(critical.tolerance), 9),
        "earles_wu": [{"angle_deg": math.degrees(one.angle), "force_N": one.force, "value": one.earles_wu} for one in found.minima],
        "li_bai": [{"angle_deg": math.degrees(one.angle), "force_N": one.force, "value": one.li_bai} for one in found.minima],
        "li_bai_epsilon": found.epsilon,
        "predictions_deg": {name: _degrees(angles) for name, angles in found.angles.items()},
        "start_angle_deg": round(math.degrees(mechanism.start_angle), 9),
        "revolutions": found.revolutions,
        "validity": {"Rc_alpha1_max": found.validity.Rc_alpha1_max, "Rc_F1_over_F_max": found.validity.Rc_F1_over_F_max},
        "doubtful_deg": [[math.degrees(end) for end in stretch] for stretch in found.validity.doubtful],
        "gravity": mechanism.gravity,
        "clearance": mechanism.clearance,
        "speed": mechanism.speed,
    }


def _text(found: Prediction) -> str:
    mechanism = found.config
    head = (
        f"Contact loss between coupler and rocker: {mechanism.speed * 30.0 / math.pi:g} r/min, clearance {mechanism.clearance * 1e3:g} mm "
        f"(radial), gravity {mechanism.gravity:g} m/s^2"
    )
    return "\n\n".join([head, _minima(found), _zeros(found.critical), _verdicts(found)])


def _minima(found: Prediction) -> str:
    lines = [
        "Minima of the ideal force: contact is lost where the value is 1 or more",
        f"{'crank, deg':>11}{'force, N':>10}{'Earles-Wu':>12}{'Li-Bai':>12}",
    ]
    rows = (f"{math.degrees(one.angle):11.4f}{one.force:10.4f}{one.earles_wu:12.4g}{one.li_bai:12.4g}" for one in found.minima)
    return "\n".join([*lines, *rows, f"(Li-Bai with a clearance factor epsilon of {found.epsilon:g}, --epsilon)"])


def _zeros(critical: CriticalPoints) -> str:
    lines = [f"Zeros of {name}, deg: {_listed(angles)}" for name, angles in (("aq", critical.aq), ("br", critical.br))]
    if critical.nearest is not None:
        aq, br = _degrees(critical.nearest)
        within = abs((br - aq + 180.0) % 360.0 - 180.0)
        lines.append(f"nearest to each other: {aq:.4f} and {br:.4f}, {within:.4f} deg apart")
    return "\n".join([*lines, f"simultaneous means within {math.degrees(critical.tolerance):g} deg (--simultaneity)"])


def _verdicts(found: Prediction) -> str:
    followed = f"none in {found.revolutions:g} revolutions from {math.degrees(found.config.start_angle):g} deg"
    lines = ["Contact is lost at crank angles, deg, according to"]
    for name, angles in found.angles.items():
        run = name in ("massless_link", "full_contact")
        none = ("not run" if found.silent else followed) if run else "none"
        after = f" (first after {math.degrees(angles[0] - found.config.start_angle):.2f} deg of contact)" if run and angles else ""
        lines.append(f"  {NAMES[name]:24}{_listed(angles) if angles else none}{after}")
    return "\n".join(lines)


def _listed(angles: Iterable[float]) -> str:
    return ", ".join(f"{angle:.4f}" for angle in _degrees(angles)) or "none"
