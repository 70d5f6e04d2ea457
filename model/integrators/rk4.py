"""The classical Runge-Kutta method with a fixed step.

Contact is noticed, and its approach speed read, at the end of the step in which it began or ended: fourth order while the state of
contact stays, first order through impacts. That makes it the second opinion on located contact, not the method for accuracy.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from model.integrators.tableau import Tableau


@dataclass(frozen=True)
class Config:
    """Fixed steps."""

    step: float = field(default=1e-6, metadata={"unit": "s", "over": 0.0, "at_most": 1e-3})


TABLEAU = Tableau(
    order=4,
    main=5,
    a=np.array(
        [
            [0.0, 0.0, 0.0, 0.0, 0.0],
            [0.5, 0.0, 0.0, 0.0, 0.0],
            [0.0, 0.5, 0.0, 0.0, 0.0],
            [0.0, 0.0, 1.0, 0.0, 0.0],
            [1 / 6, 1 / 3, 1 / 3, 1 / 6, 0.0],
        ]
    ),
    c=np.array([0.0, 0.5, 0.5, 1.0, 1.0]),
)
