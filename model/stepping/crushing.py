"""A journal pressed into its bearing more than any contact law is good for."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from model.errors import NotConverged
from model.floats import Floats

CRUSHED = 0.05  # of the bearing's radius: Hertz' small contact is long past; it comes of soft contacts, or where a linkage cannot go


@dataclass(frozen=True)
class Joint:
    """`name`: as a message calls it; bearing_radius: m; column: of the penetration among a kernel's channels."""

    name: str
    bearing_radius: float
    column: int

    def said(self, depth: float) -> str:
        """Of a joint that is crushed by `depth` (m), why that is no motion to believe; nothing for one that is not."""
        if not depth > CRUSHED * self.bearing_radius:
            return ""
        return (
            f"the {self.name} is crushed, {depth * 1e3:.3g} mm, more than {CRUSHED:.0%} of the bearing's radius, "
            f"{self.bearing_radius * 1e3:g} mm, which no contact law is good for; the contact is too soft for these speeds and masses "
            "(mechanism.contact: youngs_modulus, stiffness, stiffness_scale)"
        )

    def check(self, depths: Floats, first: int, rate: float) -> None:
        """Raise NotConverged for the first of the penetrations (k,), m, that is too deep; sample `first` and on, at `rate` (Hz)."""
        if (depths > CRUSHED * self.bearing_radius).any():
            row = int(np.argmax(depths > CRUSHED * self.bearing_radius))
            raise NotConverged(f"stopped at {(first + row) / rate:.6g} s: {self.said(float(depths[row]))}")
