"""A loader that runs by itself behind the command output: what the bench worker asks of it, and how it is kept alive."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from drivers.daq.contract import Daq
from drivers.loaders.loader import AnalogLoader
from rig.config.plan import Plan
from rig.streaming.ring import RingWriter
from rig.workers.bench.actuation.interface import Actuation, Block, Session
from rig.workers.bench.preparation import Preparing, session
from rig.workers.bench.setpoints.setpoint import Setpoint

STATUS_EVERY = 0.02  # s between two looks at the controller's lines


class LoaderActuation(Actuation):
    """See `rig.workers.bench.actuation.interface.Actuation`."""

    columns: tuple[tuple[str, str], ...] = ()
    controlled: int | None = None
    ends_loaded = False

    def __init__(self, plan: Plan, daq: Daq, alive: Callable[[], None]) -> None:
        bench, mode = plan.bench, plan.experiment.command.mode
        zeros = {mode: bench.loader_zero(mode) for mode in ("force", "stroke")}
        self._plan = plan
        self._rate = 0.0
        config = bench.analog_loader
        assert config is not None
        self.loader: AnalogLoader = config.create(daq, mode, zeros)
        self.ends_loaded = mode == "stroke"  # force mode ends at zero force
        self._daq, self._alive = daq, alive
        self.controlled = [channel.name for channel in bench.channels].index(self.loader.feedback_channel)
        block = plan.experiment.acquisition.block
        self._blocks = 0
        self._status_blocks = max(1, round(STATUS_EVERY / block))
        self._unseen = self._status_blocks  # blocks since a look at them
        self._beat_blocks = max(1, round(config.heartbeat_period / block))

    def open(self, rate: float) -> list[str]:
        """See `Actuation`; it is reached by lines and volts of the DAQ device."""
        self._rate = rate
        return []

    def session(self, ring: RingWriter | None, block: int, note: Callable[[str], None]) -> Session | None:
        """See `Actuation`: the preparation, where the bench file has one."""
        return None if ring is None else session(self._plan, self._daq, self.loader, ring, block, self._rate, note, self._alive)

    def prepare(self, feedback: Mapping[str, float], session: Session | None) -> float:
        """See `Actuation`: pressure up, mode set, interlock closed; a preparation leaves it so."""
        if isinstance(session, Preparing):
            return session.feedback
        self.loader.prepare(alive=self._alive)
        return float(feedback[self.loader.feedback_channel])

    def enable(self) -> None:
        """See `Actuation`."""
        self.loader.enable()

    def stream(self, first: int, at: float, ahead: Block) -> None:
        """See `Actuation`; everything goes by the output."""

    def volts(self, block: Block) -> Block:
        """See `Actuation`; (k,)."""
        return self.loader.volts(block[:, 0])

    def rest(self, setpoint: Setpoint, measured: Block, duration: float) -> None:
        """See `Actuation`: zero force, or the present stroke."""
        setpoint.stop(self.loader.safe_setpoint(float(np.mean(measured[:, self.controlled]))), duration)

    def abort(self, present: float) -> float:
        """See `Actuation`."""
        return self.loader.setpoint(float(self._daq.abort_output()))

    def safe_value(self, held: float) -> float:
        """See `Actuation`: force goes to zero, stroke nowhere."""
        return self.loader.safe_setpoint(held)

    def put(self, value: float) -> None:
        """See `Actuation`."""
        self._daq.set_output(float(self.loader.volts(np.array([value]))[0]))

    def trip(self) -> None:
        """See `Actuation`."""
        self.loader.trip()

    def release(self) -> None:
        """See `Actuation`."""
        self.loader.release()

    def attend(self, more: bool = False) -> str | None:
        """See `Actuation`: heartbeat, and the controller's own lines."""
        n, self._blocks = self._blocks, self._blocks + 1
        if n % self._beat_blocks == 0:
            self.loader.beat()
        self._unseen += 1
        if more or self._unseen < self._status_blocks:
            return None
        self._unseen = 0
        fault = self.loader.fault()
        return f"loader: {fault}" if fault else None
