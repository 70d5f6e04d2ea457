"""The 8(5,3) pair of Dormand and Prince with its seventh-order continuous extension (Hairer, Norsett, Wanner: DOP853), adaptive.

That extension takes three more stages. Where the fifth-order estimate of the step's error is about the tolerance, which at 1e-4 to 1e-7
it nearly always is, one of sixth order from the stages of the step itself does as well: of the motion between the ends of long steps it is
even the better one.

Contact start and end are located on the extension and the step is taken again up to there, so that an impact does not cost the order: it
stays 8 where the law is smooth (n = 1, 2); delta^1.5 has no second derivative at first touch, which leaves about h^2.5 in the force, and
the adaptive step takes care of it.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cache
from typing import ClassVar

import numpy as np

from model.integrators.method import Explicit, Integrator
from model.integrators.order_conditions import free_extension
from model.integrators.tableau import Tableau


@dataclass(frozen=True)
class Config(Integrator):
    """Adaptive steps.

    tolerance: local error of a step, relative to each quantity and to its usual size (the mechanism's `SCALE`).
    longest_step: how far a step may reach; the model needs its input that much ahead of its output.
    """

    KIND: ClassVar[str] = "dop853"

    tolerance: float = field(default=1e-9, metadata={"unit": "1", "over": 0.0, "at_most": 1e-2})
    longest_step: float = field(default=2.5e-4, metadata={"unit": "s", "over": 0.0, "at_most": 1e-2})

    def __post_init__(self) -> None:
        if self.tolerance < 1e-13:
            raise ValueError(f"tolerance: below what double precision can keep; expected at least 1e-13, got {self.tolerance:g}")

    def not_finer(self, tolerance: float) -> Config:
        """See `Integrator`."""
        return replace(self, tolerance=max(self.tolerance, tolerance))

    def finer(self, step: float, tolerance: float, least: float) -> Config:
        """See `Integrator`."""
        return replace(self, tolerance=max(least, tolerance * self.tolerance))

    def explicit(self) -> Explicit:
        """See `Integrator`."""
        return Explicit(tableau(), self.tolerance, self.longest_step, fixed=False)


@cache
def tableau() -> Tableau:
    """The coefficients, which scipy keeps on its own class of this method."""
    from scipy.integrate import DOP853  # takes a third of a second, which who only reads a configuration need not wait for

    stages = len(DOP853.C) + 1 + len(DOP853.C_EXTRA)
    main = len(DOP853.C) + 1
    a = np.zeros((stages, stages))
    a[: main - 1, : main - 1] = DOP853.A
    a[main - 1, : main - 1] = DOP853.B
    a[main:] = DOP853.A_EXTRA
    c = np.concatenate([DOP853.C, [1.0], DOP853.C_EXTRA])
    free = free_extension(a[:main, :main], order=6, terms=3)
    return Tableau(order=8, main=main, a=a, c=c, errors=np.array([DOP853.E5, DOP853.E3]), extension=np.array(DOP853.D), free=free)
