"""Pure computation: contact laws, joints, mechanisms, integrators (numpy, scipy, numba; SI units throughout).

Importing the package sets numba's cache folder, so it comes before numba everywhere.
"""

from __future__ import annotations

from model.compiled import use_cache_folder

use_cache_folder()


def warmup() -> None:
    """Compile everything for every combination of law, source and integrator, or load it from the cache."""
    from model.compiled import remove_unused
    from model.warmed import warm

    warm()
    remove_unused()
