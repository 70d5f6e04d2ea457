"""A mechanism of the user's own: its equations in one file of a folder outside the program, and an experiment that names it.

A mass flies at a wall. What comes back follows from the law alone: the restitution that was asked for.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from rig.config import load_experiment
from rig.prediction.simulation import simulate
from tests.unit.rig.own_folder import own_room

FLYING_MASS = '''
from dataclasses import dataclass, field

import numpy as np

from model.compiled.signatures import CHANNELS, GUARDS, RHS, SWITCH, compiled
from model.contact import laws
from model.contact.force import parameters
from model.integrators.method import explicit
from model.joints import contact
from model.mechanisms.mechanism import Mechanism
from model.stepping.explicit import Kernels, Motion, Stepper


@compiled(RHS.signature)
def rhs(t, y, dy, p, s, u, law):
    """y: place (m), speed (m/s). p: mass (kg), place of the wall (m). s: one contact."""
    dy[0] = y[1]
    dy[1] = -law(y[0] - p[1], y[1], s[:4]) / p[0] if contact.touching(s, 0) else 0.0
    return 0


@compiled(GUARDS.signature)
def guards(t, y, g, g_rate, p, s, u):
    g[0], g_rate[0] = contact.guard(s, 0, y[0] - p[1], y[1])
    return 0


@compiled(SWITCH.signature)
def switch(k, t, y, p, s, u):
    return contact.switch(s, 0, y[1], 1e-3)


@compiled(CHANNELS.signature)
def channels(t, y, values, p, s, u, law):
    values[0], values[1] = y[0], y[1]
    values[2] = law(y[0] - p[1], y[1], s[:4]) if contact.touching(s, 0) else 0.0
    return 0


@dataclass(frozen=True)
class Config(Mechanism):
    """A mass that flies at a wall."""

    CHANNELS = (("place", "m"), ("speed", "m/s"), ("force", "N"))
    EXTREMES = ("force",)
    CONTACT_NAMES = ("wall",)

    mass: float = field(default=1.0, metadata={"unit": "kg", "over": 0.0})
    speed: float = field(default=1.0, metadata={"unit": "m/s", "over": 0.0})
    gap: float = field(default=1e-3, metadata={"unit": "m", "at_least": 0.0})
    restitution: float = field(default=0.7, metadata={"over": 0.0, "at_most": 1.0})
    exponent: float = 1.5
    stiffness: float = 1e9
    law: str = "exact"

    @property
    def play(self):
        return self.gap

    def own_duration(self):
        return 10.0 * self.gap / self.speed

    def create(self, integrator, rate, source="", path=None, lasting=0.0):
        contact = parameters(self.stiffness, self.exponent, laws.damping(self.law, self.restitution))
        kernels = Kernels(rhs, guards, switch, channels, laws.find(self.law).force)
        motion = Motion(kernels, np.array([self.mass, self.gap]), np.array([self.gap, self.speed]), 1, 3, 3, 0.0)
        steps = explicit(integrator, "flying_mass", "dop853").steps
        return Stepper(motion, *steps, rate, lambda samples: (np.array([0.0, self.speed]), contact.copy()))
'''
EXPERIMENT = """
title = "A mass that flies at a wall"

[mechanism]
kind = "flying_mass"
mass = "2 kg"
gap = "2 mm"
speed = "0.5 m/s"
restitution = 0.6

[integrator]
kind = "dop853"
tolerance = 1e-10
longest_step = "0.1 ms"

[simulate]
output_rate = "10 kHz"
"""


def test_it_is_simulated_by_its_name(tmp_path: Path) -> None:
    with own_room("model.mechanisms", tmp_path) as room:
        (room / "flying_mass.py").write_text(FLYING_MASS)
        (tmp_path / "experiment.toml").write_text(EXPERIMENT)
        found = simulate(load_experiment(tmp_path / "experiment.toml", []).experiment)
        place, speed, _ = found.values.T
        assert [name for name, _ in found.channels] == ["place", "speed", "force"]
        assert speed[0] == 0.5 and np.isclose(place[20], 0.5 * 20 / 10e3, rtol=1e-12)
        assert speed[-1] == pytest.approx(-0.6 * 0.5, rel=1e-6), "the restitution that was asked for"
        assert [(event["kind"], event["where"]) for event in found.events] == [("contact_start", "wall"), ("contact_end", "wall")]
        assert found.events[0]["time_s"] == pytest.approx(4e-3, rel=1e-9) and found.events[0]["approach_speed"] == pytest.approx(0.5)
        other = simulate(load_experiment(tmp_path / "experiment.toml", ["mechanism.law='hertz'"]).experiment)
        assert other.values[-1, 1] == pytest.approx(-0.5, rel=1e-6), "without damping nothing is lost"
