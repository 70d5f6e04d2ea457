"""Mechanisms that the project has equations for, described as bodies and joints; and the six-bar of configs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from model.assembly.description import Accelerometer, Body, Contact, Place, Point
from model.assembly.drives import angle
from model.assembly.joints import clearance_prismatic, clearance_revolute, prismatic, revolute
from model.mechanisms import slider_crank as by_hand
from model.mechanisms.planar import Config
from rig.config import load_experiment

PROJECT = Path(__file__).parents[5]


def slider_crank(like: by_hand.Config, outputs: tuple[str, ...] = (), felt: bool = False) -> Config:
    """The same mechanism, described; felt: with an accelerometer on the slider."""
    crank, rod, slider = like.crank, like.rod, like.slider
    bodies = (
        Body("crank", crank.mass, crank.inertia, Place(0.5 * crank.length), (Point("A", crank.length),)),
        Body("rod", rod.mass, rod.inertia, Place(rod.centre), (Point("B", rod.length),)),
        Body("slider", slider.mass, slider.inertia),
    )
    bearing = like.journal_radius + like.clearance
    pins = {
        "rod_slider": (
            revolute.Config("A", ("crank.A", "rod.origin")),
            clearance_revolute.Config("pin", ("rod.B", "slider.centre"), bearing),
        ),
        "crank_rod": (
            clearance_revolute.Config("pin", ("rod.origin", "crank.A"), bearing),
            revolute.Config("B", ("rod.B", "slider.centre")),
        ),
    }
    guide: Any = prismatic.Config("guide", ("ground.origin", "slider.centre"))
    if like.guide_clearance > 0.0:
        guide = clearance_prismatic.Config(
            "guide", ("ground.origin", "slider.centre"), slider.length, slider.height, clearance=like.guide_clearance,
            half_perimeter=like.guide_half_perimeter, damping=like.guide_damping,
        )  # fmt: skip
    return Config(
        bodies=bodies,
        joints=(revolute.Config("shaft", ("ground.origin", "crank.origin")), *pins[like.clearance_joint], guide),
        drives=(angle.Config("motor", "crank", like.speed),),
        gravity=like.gravity,
        clearance=like.clearance,
        contact=Contact(law=like.contact.law, restitution=like.contact.restitution),
        friction=like.friction,
        friction_none_below=like.friction_none_below,
        friction_whole_above=like.friction_whole_above,
        outputs=outputs,
        accelerometers=(Accelerometer("slider_acceleration", "slider.centre"),) if felt else (),
    )


def six_bar() -> Config:
    """That of configs/experiments/six_bar.toml."""
    mechanism = load_experiment(PROJECT / "configs/experiments/six_bar.toml").experiment.mechanism
    assert isinstance(mechanism, Config)
    return mechanism
