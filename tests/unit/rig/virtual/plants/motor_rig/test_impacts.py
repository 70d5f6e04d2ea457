"""Contacts of the motor rigs' specimens: whatever the form, and at any speed, an impact in the rig's own step gives no energy."""

from __future__ import annotations

from types import ModuleType

import numpy as np

from rig.virtual.plants import four_bar_rig, parallel_rig, slider_bar_rig, slider_crank_rig
from rig.virtual.plants.motor_rig import four_bar_kernel, parallel_kernel, slider_bar_kernel, slider_crank_kernel
from rig.virtual.plants.surfaces import Point, Surfaces
from tests.each_row import each_row

CURVE = tuple(Point(depth, 4e9 * depth**1.3) for depth in np.linspace(5e-6, 2e-4, 12))
FORMS = {"power": {}, "bilinear": {"form": "bilinear"}, "recorded": {"form": "recorded", "curve": CURVE}}
SPEEDS = (1e-6, 5e-4, 1e-2, 0.2, 2.0)
TOLD = 5e-3
"""Share of the energy that a semi-implicit step may tell too much of inside a contact."""
STEPS = 6_000

Struck = tuple[ModuleType, np.ndarray, np.ndarray, float]


def four_bar(surfaces: dict[str, object], speed: float) -> Struck:
    """The rocker's end leaves the middle of its bearing."""
    config = four_bar_rig.Config(perturb=False, gravity=0.0, friction=0.0, contact=Surfaces(restitution=0.5, **surfaces))
    p = four_bar_rig.parameters(config, 1)
    p[[four_bar_kernel.VISCOUS, four_bar_kernel.PIN_VISCOUS]] = 0.0
    state = four_bar_kernel.resting(config.start_angle, four_bar_rig.parameters(config, 1) + _lying(four_bar_kernel))
    state[four_bar_kernel.TOUCH :] = 0.0
    state[four_bar_kernel.ROCKER_RATE] = speed / p[four_bar_kernel.L3]
    return four_bar_kernel, state, p, config.step


def _lying(kernel: ModuleType) -> np.ndarray:
    """Nothing but weight enough for `resting` to know which way the joint leans, by far less than its play."""
    extra = np.zeros(kernel.PARAMETERS)
    extra[kernel.GRAVITY] = 1e-9
    return extra


def slider_crank(surfaces: dict[str, object], speed: float) -> Struck:
    """The slider flies along its guide, and a little across and round."""
    config = slider_crank_rig.Config(perturb=False, friction=0.0, contact=Surfaces(restitution=0.5, **surfaces))
    p = slider_crank_rig.parameters(config, 1)
    p[slider_crank_kernel.VISCOUS] = 0.0
    state = slider_crank_kernel.centred(1.0, p)
    state[slider_crank_kernel.X_RATE], state[slider_crank_kernel.Y_RATE] = speed, 0.7 * speed
    state[slider_crank_kernel.PSI_RATE] = 10.0 * speed
    return slider_crank_kernel, state, p, config.step


def slider_bar(surfaces: dict[str, object], speed: float) -> Struck:
    """The slider flies across its guide and turns."""
    config = slider_bar_rig.Config(
        perturb=False,
        gravity=0.0,
        spring_stiffness=0.0,
        friction=0.0,
        static_friction=0.0,
        contact=Surfaces(exponent=1.0, restitution=0.5, **surfaces),
    )
    p = slider_bar_rig.parameters(config, 1)
    p[slider_bar_kernel.VISCOUS] = 0.0
    state = slider_bar_kernel.lying(0.5, 0.0, p)
    state[slider_bar_kernel.Y], state[slider_bar_kernel.Y_RATE], state[slider_bar_kernel.PSI_RATE] = 0.0, speed, 2.0 * speed
    return slider_bar_kernel, state, p, config.step


def parallel(surfaces: dict[str, object], speed: float) -> Struck:
    """The platform flies off, and its pins strike the bushes of two legs."""
    config = parallel_rig.Config(perturb=False, gravity=0.0, friction=0.0, joint_damping=0.0, contact=Surfaces(restitution=0.5, **surfaces))
    p = parallel_rig.parameters(config, 1)
    p[parallel_kernel.VISCOUS : parallel_kernel.VISCOUS + 3] = 0.0
    state = parallel_kernel.placed(np.array([-0.2, 0.08, -0.54]), np.array([-1.0, 1.0, 1.0]), p)
    state[parallel_kernel.VELOCITY : parallel_kernel.VELOCITY + 3] = speed * np.array([0.6, 0.0, 0.8])
    return parallel_kernel, state, p, config.step


def _swing(p: np.ndarray, h: float) -> float:
    """The same of a mechanism whose joints are springs: half of the step times the circular frequency of platform and leg on one."""
    light = 1.0 / p[parallel_kernel.PLATFORM] + p[parallel_kernel.BAR] ** 2 / p[parallel_kernel.ABOUT]
    return 0.5 * h * float(np.sqrt(p[parallel_kernel.SPRING] * light))


@each_row("speed", SPEEDS)
@each_row("form", FORMS)
@each_row("rig", [four_bar, slider_crank, slider_bar, parallel], ids=lambda rig: rig.__name__)
def test_no_impact_gives_energy(rig, form: str, speed: float) -> None:
    kernel, state, p, h = rig(FORMS[form], speed)
    told = TOLD if kernel is not parallel_kernel else _swing(p, h)
    axes = 3 if kernel is parallel_kernel else 1
    torques, volts, seen = np.zeros(2 * axes), np.zeros(1), np.zeros(kernel.SEEN)
    most = first = kernel.energy(state, p)
    assert first > 0.0
    for n in range(STEPS):
        kernel.motion(state, p, torques, volts, seen, h)
        if n % 10 == 0:
            most = max(most, kernel.energy(state, p))
    assert most <= (1.0 + told) * first
    assert speed < 0.1 or kernel.energy(state, p) < 0.9 * first, "nothing was struck"
