"""The published laws by their numbers: damping worked out by hand from the printed formulas, restitution and depth by another integrator.

hu2016 and the sources that it compares (Hunt and Crossley 1975, Herbert and McWhannell 1977, Lee and Wang 1983, Lankarani and Nikravesh
1990, Gonthier 2004, Qin and Lu 2006, Flores 2011): F = K delta^n (1 + a delta'/v0).
"""

from __future__ import annotations

import json

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from model.contact.force import force
from model.contact.impact import Impact
from model.contact.laws import LAWS, damping
from rig.commands import main
from tests.each_row import each_row

PUBLISHED = {  # law: a at e = 0.5, 0.7, 0.9
    "hertz": (0.0, 0.0, 0.0),
    "hunt_crossley": (0.75, 0.45, 0.15),
    "herbert_mcwhannell": (1.0, 0.5696202532, 0.1648351648),
    "lee_wang": (0.375, 0.225, 0.075),
    "lankarani_nikravesh": (0.5625, 0.3825, 0.1425),
    "gonthier": (1.5, 0.7285714286, 0.2111111111),
    "zhiying_qishao": (1.5290335285, 0.6969604412, 0.1740498931),  # 0.5625 exp(1), 0.3825 exp(0.6), 0.1425 exp(0.2)
    "flores": (1.6, 0.6857142857, 0.1777777778),
    "hu_guo": (1.5, 0.6428571429, 0.1666666667),
}
SPHERE = {"stiffness": 1.07e10, "exponent": 1.5, "mass": 0.033}
PAPER = ((2.0e9, 0.8), (2.0e10, 0.1))
"""hu2016 section 1.2: c in N s/m^2.5, v0 in m/s."""


def impact(a: float, speed: float, stiffness: float = 1.07e10, exponent: float = 1.5, mass: float = 0.033) -> tuple[float, float]:
    """(largest penetration, m; rebound speed / approach speed) by scipy's DOP853, nothing of the program but its arguments."""
    depth = (mass * speed**2 / stiffness) ** (1.0 / (exponent + 1.0))

    def motion(t: float, y: np.ndarray) -> list[float]:  # scaled with depth and speed
        x = max(y[0], 0.0)
        return [y[1], -(x**exponent) * (1.0 + a * y[1])]

    def parted(t: float, y: np.ndarray) -> float:
        return float(y[0]) if t > 1e-3 else 1.0

    def deepest(t: float, y: np.ndarray) -> float:
        return float(y[1])

    parted.terminal, deepest.direction = True, -1.0  # type: ignore[attr-defined]
    found = solve_ivp(motion, (0.0, 100.0), [0.0, 1.0], "DOP853", events=(parted, deepest), rtol=1e-11, atol=1e-13)
    assert found.y_events is not None
    return depth * float(found.y_events[1][0][0]), -float(found.y_events[0][0][1])


@each_row("law", PUBLISHED)
def test_damping_is_the_published_one(law: str) -> None:
    assert [damping(law, e) for e in (0.5, 0.7, 0.9)] == pytest.approx(PUBLISHED[law], rel=1e-9, abs=1e-12)


def test_every_law_but_our_own_has_its_numbers() -> None:
    assert set(LAWS) - set(PUBLISHED) == {"exact"}


@pytest.mark.parametrize("law", ["lee_wang", "zhiying_qishao", "hunt_crossley", "gonthier"])
def test_restitution_is_that_of_the_published_equation_integrated(law: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["laws", "--json", "--restitution", "0.5,0.7,0.9"]) == 0
    told = json.loads(capsys.readouterr().out)["laws"][law]
    integrated = [impact(a, 0.8)[1] for a in PUBLISHED[law]]
    assert told["e_out_closed"] == pytest.approx(integrated, abs=1e-8)
    assert told["e_out_integrated"] == pytest.approx(integrated, abs=1e-8)


def test_the_example_impacts_are_as_deep_as_their_equation_says(capsys: pytest.CaptureFixture[str]) -> None:
    """With its damping, which takes 4 to 5 % off the depth; hu2016 eq 26 with beta = 5/2 is within 0.2 % of it."""
    assert main(["laws", "--json", "--restitution", "0.7"]) == 0
    examples = json.loads(capsys.readouterr().out)["examples"]
    for told, (c, v0) in zip(examples, PAPER, strict=True):
        a = c * v0 / 1.07e10
        depth, out = impact(a, v0)
        assert told["delta_max_m"] == pytest.approx(depth, rel=1e-8)
        assert told["e_out"] == pytest.approx(out, abs=1e-8)
        assert told["energy_lost_share"] == pytest.approx(1.0 - out**2, abs=1e-8)
        printed = (15.0 * 0.033 * v0**2 / (4.0 * (2.0 * c * v0 + 3.0 * 1.07e10))) ** 0.4
        assert told["delta_max_m"] == pytest.approx(printed, rel=2e-3)
        elastic = impact(0.0, v0)[0]
        assert told["delta_max_m"] < 0.98 * elastic


@pytest.mark.parametrize(("a", "exponent", "mass"), [(0.0, 1.5, 0.033), (0.3, 1.0, 2.0), (1.5, 1.5, 0.4), (4.0, 2.0, 0.1)])
def test_depth_follows_damping_exponent_and_mass(a: float, exponent: float, mass: float) -> None:
    made = Impact(stiffness=1.07e10, exponent=exponent, mass=mass, speed=0.3, damping=a)
    depth, out = impact(a, 0.3, exponent=exponent, mass=mass)
    assert made.largest_penetration == pytest.approx(depth, rel=1e-8)
    assert made.energy_lost_share == pytest.approx(1.0 - out**2, abs=1e-8)


def test_the_force_is_the_printed_one() -> None:
    """N, worked out by hand: 1e10 x 1e-9 x (1 + 0.5 x 0.2/0.4); beyond, other exponents."""
    assert force(1e-6, 0.2, np.array([1e10, 1.5, 0.5, 0.4])) == pytest.approx(10.0 * 1.25, rel=1e-12)
    assert force(1e-6, -0.2, np.array([1e10, 1.5, 0.5, 0.4])) == pytest.approx(10.0 * 0.75, rel=1e-12)
    assert force(1e-4, 0.2, np.array([1e8, 2.0, 0.5, 0.4])) == pytest.approx(1.25, rel=1e-12)
    assert force(1e-4, 0.2, np.array([1e8, 1.0, 0.5, 0.4])) == pytest.approx(1.25e4, rel=1e-12)


@pytest.mark.parametrize(("exponent", "newton"), [(1.0, 1e4), (1.5, 1e3), (2.0, 1e2), (2.5, 10.0), (3.0, 1.0)])
def test_the_force_follows_its_exponent(exponent: float, newton: float) -> None:
    """1e6 N/m^n at 0.01 m, compressing at a rate that adds a quarter; nothing where there is no penetration."""
    law = np.array([1e6, exponent, 0.5, 0.4])
    assert force(0.01, 0.2, law) == pytest.approx(1.25 * newton, rel=1e-12)
    assert force(0.01, -1.0, law) == 0.0, "1 - 0.5 x 1/0.4 would pull"
    assert force(0.0, 0.2, law) == force(-0.01, 0.2, law) == 0.0


@each_row("wanted", [0.2, 0.6, 0.93, 0.95, 0.96, 0.967, 0.9672, 0.9675, 0.98, 0.995])
def test_the_exact_law_rebounds_as_it_was_asked_to(wanted: float) -> None:
    """Also where series take over from the closed form, at dampings of about 0.05."""
    assert impact(damping("exact", wanted), 0.8)[1] == pytest.approx(wanted, abs=1e-8)
