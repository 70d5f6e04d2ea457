"""A running estimate of a specimen's numbers, cycle by cycle beside the test: what it needs in a file, and how it goes on.

Imports the rest of identification, and nothing of a run's processes. Imported by `rig identify`, and by the process that estimates.
"""

from __future__ import annotations

from rig.config.bench import Bench
from rig.config.experiment import Experiment


def need_fit(experiment: Experiment, bench: Bench) -> None:
    """Raises ConfigError where a test asks for an estimate whose file does not fit it."""
    if experiment.estimate is not None:
        from rig.identification.live.fitted import Fitted  # scipy's statistics take a second to load

        Fitted.of(experiment, bench)
