"""Pure computation: contact laws, joints, mechanisms, integrators (numpy, scipy, numba; SI units throughout).

Imports neither rig nor drivers. Importing it sets numba's cache folder, so it comes before numba everywhere.
Imported by the rig; its floors are those of the contract "floors of the model" in pyproject.toml.
"""

from __future__ import annotations

from model.compiled.cache import use_cache_folder

use_cache_folder()


def warmup() -> None:
    """Compile everything for every combination of law, source and integrator, or load it from the cache."""
    from model.compiled.cache import remove_unused
    from model.warmup import warm

    warm()
    remove_unused()
