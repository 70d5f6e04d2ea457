"""The linkage's own contacts: no impact, at whatever speed, gives energy; what is pulled slowly is not torn by the step."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from rig.virtual.plants.contact import stored
from rig.virtual.plants.linkage_frame import Config
from rig.virtual.plants.servo_frame import kernel
from rig.virtual.plants.servo_frame.frame import past
from rig.virtual.plants.servo_frame.parameters import draw
from rig.virtual.plants.servo_frame.settings import Faults, Hydraulics, Panel
from rig.virtual.plants.surfaces import Point, Surfaces
from tests.each_row import each_row

CURVE = tuple(Point(depth, 4e9 * depth**1.3) for depth in np.linspace(5e-6, 2e-4, 12))
FORMS = {"power": Surfaces(restitution=0.7), "bilinear": Surfaces("bilinear", 0.7), "recorded": Surfaces("recorded", 0.7, curve=CURVE)}
SPEEDS = (1e-6, 1e-4, 5e-4, 2e-3, 1e-2, 0.05, 0.2, 2.0)
ROUNDING = 1e-3
"""Share of its energy by which a semi-implicit step of 1 us may tell too much of it inside a contact."""


def loose(contact: Surfaces, speed: float) -> tuple[np.ndarray, np.ndarray]:
    """State and parameters of links that nothing holds, the middle one on its way to the upper."""
    p = draw(Config(perturb=False, contact=contact), 0)
    p["k_f"] = p["c_f"] = p["c_p"] = 0.0
    state = np.zeros(1, kernel.STATE)
    state["v2"] = -speed
    return state, p


def energy(s: np.void, p: np.void) -> float:
    moving = 0.5 * sum(float(p[f"m{n}"]) * float(s[f"v{n}"]) ** 2 for n in (1, 2, 3))
    for side, offset in (("a", s["x2"] - s["x1"]), ("b", s["x3"] - s["x2"])):
        moving += stored(abs(float(offset)) - float(p[f"play_{side}"]), np.array(p[f"contact_{side}"]), np.array(s[f"touch_{side}"]))
    return moving


@each_row("speed", SPEEDS)
@each_row("form", FORMS)
def test_no_impact_gives_energy(form: str, speed: float) -> None:
    """To and fro between both outer links; what is kept after each impact is what the restitution says, or less."""
    state, p = loose(FORMS[form], speed)
    s, one = state[0], p[0]
    first = energy(s, one)
    apart, gaps = True, []
    s["x2"] = -float(one["play_a"]) * (1.0 - 1e-12)  # about to touch
    for _ in range(20_000):
        kernel.move(s, one)
        assert energy(s, one) <= (1.0 + ROUNDING) * first
        touching = abs(s["x2"] - s["x1"]) > one["play_a"]
        if not touching and not apart:
            gaps.append(abs(float(s["v2"] - s["v1"])))
            break
        apart = not touching
    kept = 0.7 if form != "power" or speed >= FORMS[form].approach_floor else 1.0  # below its floor a power law loses less
    assert not gaps or gaps[0] <= 1.02 * kept * speed
    assert gaps or speed < 1e-3, "an impact that ends within 20 ms, but for the slowest"


@pytest.mark.parametrize("speed", [0.2e-3, 0.5e-3, 2e-3])
def test_a_slow_pull_does_not_break_a_specimen_below_its_strength(speed: float) -> None:
    """Its damping is 1e7 N s/m and more, which a step of the speeds that there are cannot take. The force is that of finer steps."""

    def pulled(step: float) -> tuple[np.ndarray, int]:
        config = Config(
            perturb=False, step=step, faults=Faults(specimen_breaks_at=200e3), hydraulics=Hydraulics(supply_force=500e3),
            panel=Panel(force_limit=300e3, force_full_scale=400e3),
        )  # fmt: skip
        p, state, rows = draw(config, 0), np.zeros(1, kernel.STATE), 400
        state["pressure"] = state["speed"] = state["stroke_mode"] = 1.0
        state["loop"], state["deadline"] = kernel.FOLLOWING, kernel.NEVER
        # It starts where the upper joint is about to touch, and ends near 100 kN.
        state["x2"], state["x3"] = 0.2e-3, 0.4e-3
        times = np.linspace(0.0, 0.75e-3 / speed, rows + 1)[1:]
        out = np.empty((rows, len(kernel.OUTPUTS)))
        kernel.advance(times, (0.4e-3 + speed * times) * float(p["stroke_volts"][0]), out, state, p, past(config))
        return out[:, 0] / float(p["force_volts"][0]), int(state["broken"][0])

    force, broken = pulled(1e-6)
    assert not broken and force.max() > 50e3
    assert np.abs(np.diff(force, 2)).max() < 0.02 * force.max()
    np.testing.assert_allclose(force, pulled(5e-7)[0], atol=5e-3 * force.max())


def test_a_specimen_still_breaks_at_its_strength() -> None:
    state, p = loose(FORMS["power"], 2.0)
    p["break_force"] = 1e3
    state["x2"] = -float(p["play_a"][0])
    for _ in range(200):
        kernel.move(state[0], p[0])
    assert state["broken"][0] == 1


def test_a_link_between_two_joints_that_press_is_damped_by_both_at_once() -> None:
    """The middle link pressed from both sides at a damping beyond any step: it comes to rest, and does not swing."""
    p = draw(replace(Config(perturb=False), clearance=0.0), 0)
    p["c_0"], p["k_f"], p["c_f"], p["c_p"] = 1e12, 0.0, 0.0, 0.0
    state = np.zeros(1, kernel.STATE)
    state["v2"] = 1.0
    speeds = []
    for _ in range(20):
        kernel.move(state[0], p[0])
        speeds.append(float(state["v2"][0]))
    together = 3.0 / 123.0  # momentum over all masses
    np.testing.assert_allclose(speeds, together, rtol=2e-2)
