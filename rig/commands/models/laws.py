"""`rig laws`: the contact laws and the restitution that they really give, in closed form and integrated."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from typing import TypedDict

import numpy as np

from model.contact.impact import Impact, integrated_restitution, profile_exponent
from model.contact.laws import LAWS, damping
from model.contact.restitution import restitution
from rig.command_line.result import Result
from rig.errors import ConfigError

RESTITUTION = tuple(round(0.05 * k, 2) for k in range(1, 21))
RANGE = tuple(round(0.01 * k, 2) for k in range(1, 101))  # over which the largest error of a law is sought
EXACT = 1e-10  # errors below are rounding
# The two example impacts of hu2016 section 1.2: K in N/m^1.5, m in kg (one whole sphere), c in N s/m^2.5, v0 in m/s.
SPHERE = {"stiffness": 1.07e10, "exponent": 1.5, "mass": 0.033}
EXAMPLES = ((2.0e9, 0.8), (2.0e10, 0.1))


def configure(parser: argparse.ArgumentParser) -> None:
    """Arguments of `rig laws`."""
    parser.add_argument("--restitution", metavar="E,E,...", help="wanted restitutions, each in (0, 1]; default 0.05 to 1.00")


def execute(args: argparse.Namespace) -> Result:
    """The table. Raises ConfigError for a restitution outside (0, 1]."""
    wanted = RESTITUTION if args.restitution is None else _wanted(args.restitution)
    laws = {name: _law(name, wanted) for name in LAWS}
    examples = [_example(Impact(speed=v0, damping=c * v0 / SPHERE["stiffness"], **SPHERE)) for c, v0 in EXAMPLES]
    data = {"restitution": list(wanted), "laws": laws, "examples": examples}
    return Result(data=data, text="\n\n".join([_table(wanted, laws), _examples(examples), _verdict(laws)]))


def _wanted(text: str) -> tuple[float, ...]:
    try:
        wanted = tuple(float(part) for part in text.split(","))
    except ValueError:
        raise ConfigError(f"--restitution: expected numbers separated by commas, got {text!r}") from None
    wrong = [value for value in wanted if not 0.0 < value <= 1.0]
    if wrong:
        raise ConfigError(f"--restitution: expected more than 0 and at most 1, got {', '.join(f'{value:g}' for value in wrong)}")
    return wanted


class Law(TypedDict):
    """What comes out for each restitution that was wanted, and where over the whole range it is furthest off."""

    a: list[float]
    e_out_closed: list[float]
    e_out_integrated: list[float]
    max_error: float
    at_restitution: float


def _law(name: str, wanted: tuple[float, ...]) -> Law:
    """One law: a, what comes out, and where over the whole range it is furthest from what was wanted."""
    a = [damping(name, e) for e in wanted]
    errors = [abs(restitution(damping(name, e)) - e) for e in RANGE]
    worst = int(np.argmax(errors))
    return {
        "a": a,
        "e_out_closed": [restitution(value) for value in a],
        "e_out_integrated": [integrated_restitution(Impact(speed=1.0, damping=value, **SPHERE)) for value in a],
        "max_error": errors[worst],
        "at_restitution": RANGE[worst],
    }


def _example(impact: Impact) -> dict[str, float]:
    return {
        "a": impact.damping,
        "e_out": impact.restitution,
        "beta": profile_exponent(impact),
        "delta_max_m": impact.largest_penetration,
        "energy_lost_share": impact.energy_lost_share,
    }


def _table(wanted: tuple[float, ...], laws: Mapping[str, Law]) -> str:
    width = max(map(len, laws))
    lines = ["Restitution that comes out, for the one that was wanted", " ".join([f"{'law':{width}}", *(f"{e:6.2f}" for e in wanted)])]
    lines += [" ".join([f"{name:{width}}", *(f"{e:6.4f}" for e in law["e_out_closed"])]) for name, law in laws.items()]
    apart = max(abs(c - i) for law in laws.values() for c, i in zip(law["e_out_closed"], law["e_out_integrated"], strict=True))
    return "\n".join([*lines, f"closed form and integrated impact differ by at most {apart:.1e}"])


def _examples(examples: list[dict[str, float]]) -> str:
    lines = ["Example impacts of hu2016 (steel spheres; the nominal e = 0.9 is not what they give)"]
    for example, (_, v0) in zip(examples, EXAMPLES, strict=True):
        lines.append(
            f"v0 {v0:g} m/s: a {example['a']:.6f}, e_out {example['e_out']:.5f}, beta {example['beta']:.4f}, "
            f"delta_max {example['delta_max_m'] * 1e6:.3f} um, energy lost {example['energy_lost_share']:.1%}"
        )
    return "\n".join(lines)


def _verdict(laws: Mapping[str, Law]) -> str:
    """The laws in the order of their largest error."""
    ranked = sorted(laws.items(), key=lambda item: item[1]["max_error"])
    lines = [f"Largest |e_out - e_wanted| over {RANGE[0]:g} to {RANGE[-1]:g}"]
    for name, law in ranked:
        at = f"{law['max_error']:.4f} at e = {law['at_restitution']:.2f}"
        lines.append(f"{name:20} {at if law['max_error'] >= EXACT else '0 (the closed form, inverted)'}")
    best = [name for name, law in ranked if law["max_error"] >= EXACT]
    lines.append(f"Of the published laws {best[0]} is nearest, {best[1]} next; only `exact` gives the restitution that was asked for.")
    return "\n".join(lines)
