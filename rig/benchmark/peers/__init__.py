"""Other programs on the same cases.

A module here has `runners(experiment, duration, sample, quick) -> [Runner]`, which raises PeerMissing, and, where its model is not quite
ours, `converged(experiment, duration, sample) -> (Runner, Runner)`: its own converged run, and a coarser one that shows that it is.

Imports the model and prediction; each other program where it is installed.
Imported by benchmark, by name.
"""

from __future__ import annotations


class PeerMissing(Exception):
    """The other program is not installed; says how it is."""
