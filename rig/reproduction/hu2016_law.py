"""hu2016, section 1: the speed profile of an impact and its fits, the restitution and the energy that the laws give."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq

from model.contact.impact import Impact, integrated_restitution, profile_exponent
from model.contact.laws import LAWS, damping
from model.contact.restitution import phi, restitution, speed_profile
from model.mechanisms.linkage.config import Config
from rig.reproduction.study import Computed, Statement, Study

Floats = NDArray[np.float64]

OWN = "hu_guo"  # the law that the paper proposes
BEFORE = "flores"  # the one that it sets out from
SHARES = np.linspace(0.0, 1.0, 1001)  # of the deepest penetration
GRID = np.round(np.arange(0.01, 1.005, 0.01), 2)  # restitutions over which a law is judged
USEFUL = 0.05  # |e_out - e_in| up to which a law counts as applicable


def _example(damping_constant: float, speed: float) -> Impact:
    """An impact of the paper's two spheres (section 1.2; 0.033 kg is one whole sphere)."""
    stiffness = 1.07e10
    return Impact(stiffness=stiffness, exponent=1.5, mass=0.033, speed=speed, damping=damping_constant * speed / stiffness)


EXAMPLES = {"fast": _example(2.0e9, 0.8), "slow": _example(2.0e10, 0.1)}


def _exponent(name: str) -> Statement:
    def statement(_study: Study) -> Computed:
        impact = EXAMPLES[name]
        return Computed(profile_exponent(impact), {"speed": impact.speed, "a": impact.damping, "samples": "uniform in penetration"})

    return statement


def _round_exponent(_study: Study) -> Computed:
    """Largest distance of the curve with beta = 5/2 from the solution, of v0."""
    rounded = np.sqrt(1.0 - SHARES**2.5)
    apart = [np.max(np.abs(rounded - speed_profile(impact.damping, impact.exponent, SHARES))) for impact in EXAMPLES.values()]
    return Computed(float(max(apart)), {"beta": 2.5})


def _errors(law: str) -> Floats:
    return np.array([abs(restitution(damping(law, float(e))) - e) for e in GRID])


FUNCTIONS = {
    "flores": np.sqrt(1.0 - SHARES**2),
    "linear": 1.0 - SHARES,
    "step": np.ones_like(SHARES),
}
"""Speed over penetration, of v0: the functions that figure 4 sets beside the solution (eqs 8 to 10)."""


def _profile(impact: Impact, shares: Floats = SHARES) -> Floats:
    """Speed while the bodies are pressed together, of v0."""
    profile: Floats = speed_profile(impact.damping, impact.exponent, shares)
    return profile


def _nearest_function(_study: Study) -> Computed:
    """Which function is nearest to the solutions, by the rms distance over the penetration; the worse of the two examples."""
    apart = {
        name: max(float(np.sqrt(np.mean((curve - _profile(impact)) ** 2))) for impact in EXAMPLES.values())
        for name, curve in FUNCTIONS.items()
    }
    remark = "rms distance of v0: " + ", ".join(f"{name} {value:.3f}" for name, value in apart.items())
    return Computed(min(apart, key=apart.__getitem__), {"over": "penetration, uniform"}, remark)


def _examples_alike(_study: Study) -> Computed:
    """Largest distance of the two examples' profiles, of v0."""
    fast, slow = (_profile(impact) for impact in EXAMPLES.values())
    return Computed(float(np.max(np.abs(fast - slow))), {"speed": [impact.speed for impact in EXAMPLES.values()]})


def _recovery(impact: Impact, shares: Floats) -> Floats:
    """Speed while the bodies part, of the speed at which they leave each other: phi(-a w) = phi(a) (1 - share^(n+1))."""
    a, e = impact.damping, impact.restitution

    def speed(share: float) -> float:
        level = phi(a) * (1.0 - share ** (impact.exponent + 1.0))
        return float(brentq(lambda w: phi(-a * w) - level, 0.0, e * (1.0 + 1e-12), xtol=1e-14)) if share < 1.0 else 0.0

    return np.array([speed(float(share)) for share in shares]) / e


def _phases_alike(_study: Study) -> Computed:
    """Largest distance of compression and recovery, each of its own speed; the worse of the two examples."""
    shares = SHARES[::10]
    apart = [np.max(np.abs(_profile(impact, shares) - _recovery(impact, shares))) for impact in EXAMPLES.values()]
    return Computed(float(max(apart)), {"speed": [impact.speed for impact in EXAMPLES.values()]})


def _energy_errors(law: str) -> Floats:
    """How far the share of energy that an impact takes is from the wanted 1 - e^2, over GRID."""
    return np.array([abs(restitution(damping(law, float(e))) ** 2 - e**2) for e in GRID])


def _rank(_study: Study) -> Computed:
    """Place of the paper's law among the published ones, by the largest error of the energy that an impact takes."""
    published = [law for law in LAWS if law not in ("exact", "hertz")]
    energy, speed = ({law: float(of(law).max()) for law in published} for of in (_energy_errors, _errors))
    ranked = sorted(energy, key=energy.__getitem__)
    integrated = abs(integrated_restitution(Impact(1e10, 1.5, 1.0, 1.0, damping(OWN, 0.2))) - restitution(damping(OWN, 0.2)))
    best = ", ".join(f"{law} {energy[law]:.4f}" for law in ranked[:3])
    by_speed = sorted(speed, key=speed.__getitem__).index(OWN) + 1
    remark = f"largest error of the share of energy: {best}; by |e_out - e_in| place {by_speed}"
    remark += f"; closed form and integrated impact differ by {integrated:.1e}"
    return Computed(ranked.index(OWN) + 1, {"over": [float(GRID[0]), float(GRID[-1])]}, remark)


def _improved(_study: Study) -> Computed:
    """Largest error of the share of energy, of the law that the paper sets out from and of its own."""
    return Computed([float(_energy_errors(law).max()) for law in (BEFORE, OWN)], {"laws": [BEFORE, OWN]})


def _range(law: str) -> Statement:
    """Largest |e_out - e_in| of a law."""

    def statement(_study: Study) -> Computed:
        errors = _errors(law)
        return Computed(float(errors.max()), {"law": law, "at_restitution": float(GRID[errors.argmax()])})

    return statement


def _useful_from(law: str) -> Statement:
    """Restitution from which on the law keeps within USEFUL."""

    def statement(_study: Study) -> Computed:
        wrong = np.flatnonzero(_errors(law) > USEFUL)
        return Computed(float(GRID[wrong[-1] + 1]) if len(wrong) else float(GRID[0]), {"law": law, "largest_error": USEFUL})

    return statement


def _loss(study: Study) -> Computed:
    """Share of the impact's energy that the law really takes, for the linkage's restitution, against 1 - e^2."""
    e = study.experiment("linkage").mechanism_as(Config).contact.restitution
    lost = 1.0 - restitution(damping(OWN, e)) ** 2
    return Computed(float(lost - (1.0 - e**2)), {"law": OWN, "restitution": e})


STATEMENTS: dict[str, Statement] = {
    "nearest_function": _nearest_function,
    "examples_alike": _examples_alike,
    "phases_alike": _phases_alike,
    "beta_fast": _exponent("fast"),
    "beta_slow": _exponent("slow"),
    "beta_rounded": _round_exponent,
    "restitution_near": _range(OWN),
    "restitution_best": _rank,
    "improved": _improved,
    "energy_loss": _loss,
    "flores_range": _range(BEFORE),
    "lankarani_nikravesh_from": _useful_from("lankarani_nikravesh"),
    "hunt_crossley_from": _useful_from("hunt_crossley"),
}
