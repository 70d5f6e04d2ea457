"""The session before a test: the stages of a preparation on the real output and lines, one decision a block.

Under low pressure, with the output by hand (one value a block, on demand), so that nothing is filled ahead: what is refused is refused
within a block, and a computer that stands still leaves the loader standing still. After such a pause all that waits is read before
anything is decided. At which sample a value went out is told by how many samples waited around the call.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from drivers.daq.contract import Daq
from drivers.loaders.loader import AnalogLoader
from rig.config.plan import Plan
from rig.errors import BenchRefused
from rig.preparation.force_probe import ForceProbe
from rig.preparation.seating import Seating
from rig.preparation.settings import STAGES, Reading, Settings
from rig.preparation.stroke_probe import StrokeProbe
from rig.preparation.unloading import Return
from rig.streaming.ring import RingWriter

REST = 0.05  # s with the program off, before the first stage and after the last
CHANGE = 0.02  # s with the program off around a change of mode
AFTER = 0.1  # s recorded after a refusal
UNSURE = 1.0  # blocks that a value may take longer than others to go out, or it is not known when it did
SEATINGS = 3
LATE = 2.0  # times what a change of mode should take: this computer stood still in it
KEPT = 0.5  # of the preload, at least, that is left after a change of mode
NO_STAGE = -1.0
COLUMNS = (("stage", "1"), ("force_command", "N"), ("stroke_command", "m"), ("force", "N"), ("stroke", "m"))
"""Of the stream: stage by its number in STAGES, -1 where there is none; a command that nobody follows is NaN."""

Block = NDArray[np.float64]
Bools = NDArray[np.bool_]


class Stage(Protocol):
    """One stage: pure decisions. All may raise BenchRefused."""

    name: str
    mode: str

    def begin(self, reading: Reading) -> float:
        """First setpoint, from the last block before."""

    def next(self, reading: Reading) -> float | None:
        """Next setpoint; None: the stage is over."""

    def explain(self, reading: Reading) -> None:
        """Raise the name of what a guard has stopped, where the stage knows it."""

    def figures(self) -> str:
        """What was found, in words."""


@dataclass(frozen=True)
class Bench:
    """What a session works on; `force` and `stroke` are columns of a block, `gross` is what a tare took off the force, N; `alive` is called
    while the controller is waited for."""

    daq: Daq
    loader: AnalogLoader
    ring: RingWriter
    force: int
    stroke: int
    gross: float
    alive: Callable[[], None]


class Preparing:
    """From pressure up to the loader at rest in the mode of the test: `ready`, and `feedback` says where it stands."""

    def __init__(self, bench: Bench, settings: Settings, mode: str, note: Callable[[str], None]) -> None:
        self._bench, self._settings, self._mode, self._note = bench, settings, mode, note
        self._return = Return(settings)
        self._stages: list[Stage] = [StrokeProbe(settings), Seating(settings), ForceProbe(settings), self._return]
        self._stage: Stage | None = None
        self._number = NO_STAGE
        self._setpoint = math.nan
        self._n = 0
        self._sent: list[tuple[float, float]] = [(0.0, math.nan)]  # sample at which it went out, setpoint
        self._unsure = (0.0, 0.0)  # samples between which the last value went out
        self._quickest = math.inf  # samples in which one went out: what all take is a lateness, which the fit knows
        self._unseen: list[tuple[Block, Block, Block, Bools]] = []  # command, force, stroke, sure of blocks nothing was decided on
        self._pause = 0
        self._homed = self._ending = False
        self._changed = 0  # sample at which the program went off for another mode
        self._seatings = 1
        self._after: int | None = None
        self.largest = 0.0  # N
        self.done = self.ready = self.called_off = False
        self.behind = 0
        self.feedback = math.nan

    def begin(self) -> None:
        """Low pressure, stroke mode, output by hand, inputs running; the program is off."""
        loader = self._bench.loader
        loader.take_mode("stroke")
        loader.prepare(high=False, alive=self._bench.alive)
        self._bench.daq.hold_output(0.0)
        self._bench.daq.start_inputs()
        self._pause = self._settings.blocks(REST)

    def take(self, measured: Block) -> None:
        """One block, or several (k, channels). Raises BenchRefused; the caller trips the loader then."""
        force, stroke = measured[:, self._bench.force], measured[:, self._bench.stroke]
        command, sure = self._command(len(force))
        self._record(command, force, stroke)
        self.behind = 0
        if self._after is not None:
            self._after -= 1
            self.done = self._after <= 0
            return
        self._guard(self._reading(command, force, stroke, sure))
        self._unseen.append((command, force, stroke, sure))
        waiting = int(self._bench.daq.samples_waiting() / (self._settings.block * self._settings.rate))
        if waiting:
            self.behind = waiting + 1  # the one that comes meanwhile with them, or there would be one waiting each time
            return
        reading = self._reading(*(np.concatenate(parts) for parts in zip(*self._unseen, strict=True)))
        self._unseen.clear()
        self._decide(reading)

    def _reading(self, command: Block, force: Block, stroke: Block, sure: Bools) -> Reading:
        return Reading(self._setpoint, command, force, stroke, self._settings.tail, sure)

    def _decide(self, reading: Reading) -> None:
        if self._pause:
            self._pause -= 1
            if self._pause:
                return
            if not self._ending:
                self._take_over(reading)
                return
            self.ready = True
        if self.ready:
            self.feedback = float(np.mean(reading.force if self._bench.loader.mode == "force" else reading.stroke))
            if self.called_off:
                self.conclude()
            return
        assert self._stage is not None
        setpoint = self._stage.next(reading)
        if setpoint is None:
            self._note(f"{self._stage.name}: {self._stage.figures()}")
            self._proceed(reading)
        else:
            self._put(setpoint)

    def call_off(self) -> None:
        """Back to where the stroke was, then the end: nobody wants the test any more."""
        if self.called_off or self._ending or self._stage is self._return:
            self.called_off = True
            return
        self.called_off = True
        self._stages = [self._return] if self._homed else []
        self._switch()

    def refuse(self) -> None:
        """The loader has been tripped: what it does is recorded for a little while."""
        self._after = self._settings.blocks(AFTER)

    def _command(self, k: int) -> tuple[Block, Bools]:
        """What was out there during the next k samples (k,), NaN where nobody followed it; and whether that is sure, within a block."""
        n = np.arange(self._n, self._n + k)
        since = np.searchsorted([at for at, _ in self._sent], n, side="right") - 1
        self._n += k
        command = np.array([value for _, value in self._sent])[since]
        del self._sent[: since[-1]]
        begin, end = self._unsure
        unsure = (n >= begin) & (n < end) & (end - begin - self._quickest > UNSURE * self._settings.block * self._settings.rate)
        return command, ~unsure

    def _record(self, command: Block, force: Block, stroke: Block) -> None:
        nobody = np.full(len(command), math.nan)
        force_mode = self._bench.loader.mode == "force"
        commands = (command, nobody) if force_mode else (nobody, command)
        self._bench.ring.append(np.column_stack([np.full(len(command), self._number), *commands, force, stroke]))
        self.largest = max(self.largest, float(np.max(np.abs(force))))

    def _guard(self, reading: Reading) -> None:
        """Net and gross, every sample; a reading that is no number is no safe one."""
        most = self._settings.force_guard
        worst = float(np.max(np.maximum(np.abs(reading.force), np.abs(reading.force + self._bench.gross))))
        if worst <= most:
            return
        if self._stage is not None:
            self._stage.explain(reading)
        raise BenchRefused("force guard", f"force {worst / 1e3:.2f} kN exceeds {most / 1e3:g} kN during {self._name()}")

    def _name(self) -> str:
        return self._stage.name if self._stage is not None else "the rest before"

    def _proceed(self, reading: Reading) -> None:
        if self._stages and self._stages[0].mode == self._bench.loader.mode:
            self._next_stage()
            assert self._stage is not None
            self._put(self._stage.begin(reading))
        else:
            self._switch()

    def _switch(self) -> None:
        """Program off, mode of the next stage, or of the test, and a pause before the program takes over what is there then."""
        loader = self._bench.loader
        loader.disable()
        self._changed = self._n
        self._send(math.nan, self._bench.daq.samples_waiting())
        if self._stages:
            loader.take_mode(self._stages[0].mode)
            self._pause = self._settings.blocks(CHANGE)
            return
        self._ending, self._stage, self._number = True, None, NO_STAGE
        if not self.called_off:
            loader.take_mode(self._mode)
            loader.pressure(True)
        self._pause = self._settings.blocks(REST)

    def _slackened(self, reading: Reading) -> bool:
        """The controller has let the force go, as it does without a program, because this computer stood still."""
        if self._bench.loader.mode != "force" or self._seatings >= SEATINGS:
            return False
        late = (self._n - self._changed) / self._settings.rate > LATE * (CHANGE + 2.0 * self._settings.block)
        return late and self._settings.side * reading.force_now < KEPT * abs(self._settings.preload)

    def _seat_again(self) -> None:
        """In stroke mode, before the stage whose turn it would be."""
        self._note(f"{self._stages[0].name}: this computer stood still while the mode was changed, and the force has gone: seated again")
        self._seatings += 1
        self._stages.insert(0, Seating(self._settings))
        self._switch()

    def _take_over(self, reading: Reading) -> None:
        """Bumpless: the output shows the feedback before the program is on."""
        if self._slackened(reading):
            self._seat_again()
            return
        self._next_stage()
        assert self._stage is not None
        self._put(self._stage.begin(reading))
        if not self._homed:
            self._return.home, self._homed = self._setpoint, True
        self._bench.loader.enable()

    def _next_stage(self) -> None:
        self._stage = self._stages.pop(0)
        self._number = float(STAGES.index(self._stage.name))

    def _put(self, setpoint: float) -> None:
        volts = float(self._bench.loader.volts(np.array([setpoint]))[0])
        before = self._bench.daq.samples_waiting()
        self._bench.daq.set_output(volts)
        after = self._bench.daq.samples_waiting()
        self._unsure = (self._n + before, self._n + after) if setpoint != self._setpoint else (0.0, 0.0)
        self._quickest = min(self._quickest, after - before)
        self._send(setpoint, 0.5 * (before + after))

    def _send(self, setpoint: float, waiting: float = 0.0) -> None:
        self._setpoint = setpoint
        self._sent.append((self._n + waiting, setpoint))

    @property
    def sample(self) -> int:
        """Samples taken so far."""
        return self._n

    @property
    def duration(self) -> float:
        """s of it so far."""
        return self._n / self._settings.rate

    def conclude(self) -> None:
        """Give inputs and output back."""
        self._bench.daq.stop_inputs()
        self._bench.daq.release_output()
        self.done = True


def session(
    plan: Plan,
    daq: Daq,
    loader: AnalogLoader,
    ring: RingWriter,
    block: int,
    rate: float,
    note: Callable[[str], None],
    alive: Callable[[], None],
) -> Preparing:
    """The preparation of a run: blocks of `block` samples at `rate` (Hz); `note` takes what each stage found, in words."""
    described, names = plan.bench, [channel.name for channel in plan.bench.channels]
    assert described.preparation is not None
    force, stroke = (names.index(described.loader_channel(loop)) for loop in ("force", "stroke"))
    bench = Bench(daq, loader, ring, force, stroke, plan.bench.loader_zero("force"), alive)
    settings = Settings.from_shares(
        described.preparation, described.loader_full_scale("force"), described.loader_full_scale("stroke"), block, rate
    )
    return Preparing(bench, settings, plan.experiment.command.mode, note)
