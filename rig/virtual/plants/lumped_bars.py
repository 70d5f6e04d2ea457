"""Long bars of the virtual 3-RRPaR rig that bend and stretch: how they are built, and the plant's parameters and state with them.

They are this plant's own: a beam that carries masses (`rig.virtual.plants.motor_rig.lumped_bar`), which no model uses.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from rig.virtual.plants.motor_rig import lumped_bar
from rig.virtual.plants.motor_rig import parallel_kernel as rigid
from rig.virtual.plants.motor_rig import parallel_lumped_kernel as kernel
from rig.virtual.plants.motor_rig.parts import Individual
from rig.virtual.plants.surfaces import CONTACT_COLUMNS, Surfaces

Floats = NDArray[np.float64]
RIGID, LUMPED = FORMS = ("rigid", "lumped")
RESOLVED = 1.5
"""Most that a step may see of the fastest motion of a bar: (h omega)^2/2 and h tau omega^2 together."""


@dataclass(frozen=True)
class Bars:
    """Of what the long bars are, as built; independent of what the experiment believes."""

    form: str = field(default=RIGID, metadata={"choices": FORMS, "doc": "rigid, or beams that carry lumped masses"})
    youngs_modulus: float = field(default=116e9, metadata={"unit": "Pa", "over": 0.0})
    damping: float = field(default=1e-5, metadata={"unit": "s", "at_least": 0.0, "doc": "time constant, of strain and its rate"})

    @property
    def flexible(self) -> bool:
        """Whether they give way at all."""
        return self.form != RIGID


def refuse(bars: Bars, step: float, length: float, width: float, density: float) -> None:
    """Raise ValueError for a step (s) that cannot follow the bars."""
    section = width**2
    p = lumped_bar.parameters(length, bars.youngs_modulus * section, bars.youngs_modulus * section**2 / 12.0, bars.damping)
    refuse_coarse("bars", step, bars.damping, lumped_bar.fastest(density * section * length, p))


def refuse_coarse(what: str, step: float, damping: float, omega: float) -> None:
    """Raise ValueError for a step (s) that cannot follow points that vibrate with omega (rad/s), damped by a time constant (s)."""
    if 0.5 * (step * omega) ** 2 + step * damping * omega**2 > RESOLVED:
        raise ValueError(
            f"{what}: a step of {step * 1e6:g} us cannot follow what vibrates with {omega:.3g} rad/s, damped by {damping:g} s; "
            "choose a smaller damping or step"
        )


def parameters(bars: Bars, width: float, surfaces: Surfaces, one: Individual, of: Floats, friction: tuple[float, float, float]) -> Floats:
    """p of the kernel from that of the rigid bars' kernel, `of`, whose masses and lengths are those of this specimen.

    friction: coefficient, and the sliding speeds below which there is none and above which it is whole.
    """
    length, leg = float(of[rigid.BAR]), 0.5 * float(of[rigid.LEG_MASS])
    # ABOUT = bar ((length^2 + width^2)/6 + length^2/2) + short length^2, and leg = bar + short.
    alone = (leg * length**2 - float(of[rigid.ABOUT])) / (length**2 / 2.0 - (length**2 + width**2) / 6.0)
    p = np.zeros(kernel.PARAMETERS)
    for to, place in (
        (kernel.ARM, rigid.ARM), (kernel.ARM_MOMENT, rigid.ARM_MOMENT), (kernel.PLATFORM, rigid.PLATFORM), (kernel.BUSH, rigid.BUSH),
        (kernel.GRAVITY, rigid.GRAVITY), (kernel.SPRING, rigid.SPRING), (kernel.SPRING_DAMPING, rigid.SPRING_DAMPING),
        (kernel.FEELS, rigid.FEELS),
    ):  # fmt: skip
        p[to] = of[place]
    for to, place, count in (
        (kernel.GAP, rigid.GAP, 3), (kernel.INERTIA, rigid.INERTIA, 3), (kernel.VISCOUS, rigid.VISCOUS, 3),
        (kernel.COULOMB, rigid.COULOMB, 3), (kernel.PIVOT, rigid.PIVOT, 9), (kernel.PIN, rigid.PIN, 9),
    ):  # fmt: skip
        p[to : to + count] = of[place : place + count]
    p[kernel.PAIR], p[kernel.SHORT] = 2.0 * alone, leg - alone
    restitution = surfaces.lossy(one.restitution())
    rubbed = (one.friction(friction[0]), *friction[1:])
    for n in range(rigid.LEGS):
        gap = float(p[kernel.GAP + n])
        stiffness = surfaces.hertz(float(p[kernel.BUSH]), gap) if gap > 0.0 else 1.0  # which a joint without clearance does not look at
        law, bar = kernel.LAW + CONTACT_COLUMNS * n, kernel.BARS + lumped_bar.BAR * n
        p[law : law + CONTACT_COLUMNS] = surfaces.columns(stiffness, surfaces.exponent, restitution, rubbed)
        modulus = one.mass(bars.youngs_modulus)
        axial, bending = 2.0 * modulus * width**2, 2.0 * modulus * width**4 / 12.0  # of both bars of a pair
        p[bar : bar + lumped_bar.BAR] = lumped_bar.parameters(length, axial, bending, bars.damping)
    return p


def placed(y: Floats, p: Floats, length: float) -> Floats:
    """The state of straight, unstrained bars where those of the rigid kernel's state y are."""
    state = np.zeros(kernel.STATES)
    state[kernel.ANGLE : kernel.ANGLE + 3] = y[rigid.ANGLE : rigid.ANGLE + 3]
    state[kernel.PLACE : kernel.PLACE + 3] = y[rigid.PLACE : rigid.PLACE + 3]
    for leg in range(rigid.LEGS):
        theta, beta, gamma = (float(y[at + leg]) for at in (rigid.ANGLE, rigid.BETA, rigid.GAMMA))
        tip = p[kernel.ARM] * np.array([np.cos(theta), np.sin(theta), 0.0])
        u = np.array([np.cos(gamma) * np.cos(beta), np.cos(gamma) * np.sin(beta), np.sin(gamma)])
        points = tip + length * np.outer(np.arange(1, 5) / 4.0, u)
        at = kernel.POINTS + kernel.EACH * leg
        state[at : at + kernel.EACH] = points.ravel()
    return state
