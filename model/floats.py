"""An array of numbers in SI units, as all of the model and who asks it hand them on."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
