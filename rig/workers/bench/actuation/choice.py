"""Which actuation a bench has."""

from __future__ import annotations

from collections.abc import Callable

from drivers.daq.contract import Daq
from rig.config.plan import Plan
from rig.workers.bench.actuation.axes import AxesActuation
from rig.workers.bench.actuation.interface import Actuation
from rig.workers.bench.actuation.loader import LoaderActuation
from rig.workers.bench.actuation.waveform_loader import WaveformActuation


def create(plan: Plan, daq: Daq, alive: Callable[[], None]) -> Actuation:
    """The actuation of a plan's bench; `alive` is called while something is waited for, and may raise CalledOff."""
    if plan.bench.axes:
        return AxesActuation(plan, daq, alive)
    return WaveformActuation(plan, daq) if plan.bench.serial_loader is not None else LoaderActuation(plan, daq, alive)
