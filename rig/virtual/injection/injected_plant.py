"""A plant to which something happens while it works: before its moment, and where nothing is injected, each bit is the plant's own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from rig.config.injection import DAQ, EDGES, LINE, SIGNAL, Injection
from rig.streaming.injection_words import SOURCE, with_sample
from rig.virtual.injection import machine
from rig.virtual.injection.device import WrongClock
from rig.virtual.injection.pulses import SilentEdges
from rig.virtual.injection.signals import SpoiltLine, SpoiltSignal
from rig.virtual.rig_plant import RigPlant
from rig.virtual.wrapped_plant import WrappedPlant

Floats = NDArray[np.float64]
Outside = Callable[[Injection, bool], None]
"""Does what is no business of a plant: to a serial line, to the DAQ device; whether it begins, or is over."""


class InjectedPlant(WrappedPlant):
    """`machine`: the plant itself, without what is around it; outside: see `Outside`."""

    def __init__(self, plant: RigPlant, itself: RigPlant, seed: int) -> None:
        super().__init__(plant)
        self._itself, self._seed = itself, seed
        self.outside: Outside = lambda injection, begins: None
        self.sample_at: Callable[[float], int | None] = lambda time: None
        """Sample of the input task that belongs to a bench time; None while none runs."""
        self.sampled_since: Callable[[], float | None] = lambda: None
        """s of the bench's clock at which the input task began; None: not yet."""
        self._to_come: list[Injection] = []
        self._waiting: list[Injection] = []
        self._present: list[Injection] = []
        self._signals: dict[Injection, SpoiltSignal] = {}
        self._lines: dict[Injection, SpoiltLine] = {}
        self._edges: list[tuple[str, SilentEdges]] = []
        self._clock: WrongClock | None = None
        self._dark = False  # a device that is gone drives no line
        self._said: list[tuple[float, str, str]] = []
        self._time = 0.0

    def plan(self, injections: Sequence[Injection]) -> None:
        """They come so long after the device has begun to sample. Raises ValueError for a target that there is not."""
        for one in injections:
            self._need(one)
        self._to_come += injections

    def add(self, injections: Sequence[Injection]) -> None:
        """They come at their moments of the bench's clock; one whose moment has passed comes at once. Raises ValueError as `plan`."""
        for one in injections:
            self._need(one)
        self._waiting += injections
        self._edges += [(one.target, SilentEdges(one)) for one in injections if one.what in EDGES]

    @property
    def time(self) -> float:
        """s of the bench's clock up to which it has come."""
        return self._time

    def _need(self, one: Injection) -> None:
        own = (*self.analogue_outputs, *self.analogue_inputs, *self.digital_inputs, *self.digital_outputs)
        known = own if one.what in SIGNAL else self.edge_outputs if one.what in EDGES else None
        if known is not None and one.target not in known:
            raise ValueError(
                f"injections: {one.what}: expected one of {', '.join(known) or 'no signal: there is none'}; got {one.target!r}"
            )

    # -- Plant ---------------------------------------------------------------------------------------------------------------------

    def advance(self, times: Floats, volts: Floats, lines: NDArray[np.bool_]) -> Floats:
        """See `Plant`: cut where something begins or is over."""
        times = np.asarray(times, dtype=np.float64)
        if self._to_come and (since := self.sampled_since()) is not None:
            self.add([replace(one, begin=since + one.begin) for one in self._to_come])
            self._to_come.clear()
        if not (self._waiting or self._present) or not len(times):
            self._time = float(times[-1]) if len(times) else self._time
            return self._piece(times, volts, lines) if self._present else self._plant.advance(times, volts, lines)
        moments = {moment for one in (*self._waiting, *self._present) for moment in (one.begin, one.end)}
        cuts = sorted({int(np.searchsorted(times, moment)) for moment in moments} - {0, len(times)})
        out = []
        for first, last in zip([0, *cuts], [*cuts, len(times)], strict=True):
            self._turn(float(times[first]))
            out.append(self._piece(times[first:last], volts[first:last], lines))
            self._time = float(times[last - 1])
        return np.concatenate(out)

    def read_lines(self) -> NDArray[np.bool_]:
        """See `Plant`."""
        return self._spoilt_lines(self.digital_outputs, self._plant.read_lines())

    def take_edges(self) -> list[Floats]:
        """See `RigPlant`."""
        taken = self._plant.take_edges()
        if self._clock is not None:
            taken = [self._clock.shown(edges) for edges in taken]
        for target, silent in self._edges:
            place = self.edge_outputs.index(target)
            taken[place] = silent.pass_on(taken[place])
        return taken

    def take_events(self) -> list[tuple[float, str, str]]:
        """See `Plant`."""
        said, self._said = self._said, []
        return sorted([*self._plant.take_events(), *said], key=lambda event: event[0])

    # -- inside --------------------------------------------------------------------------------------------------------------------

    def _piece(self, times: Floats, volts: Floats, lines: NDArray[np.bool_]) -> Floats:
        volts = self._spoilt(self.analogue_inputs, times, volts)
        lines = np.zeros_like(lines) if self._dark else self._spoilt_lines(self.digital_inputs, lines)
        out = self._plant.advance(times if self._clock is None else self._clock.true(times), volts, lines)
        return self._spoilt(self.analogue_outputs, times, out)

    def _spoilt(self, names: Sequence[str], times: Floats, values: Floats) -> Floats:
        for one, signal in self._signals.items():
            if one.target in names:
                values = values.copy()
                column = names.index(one.target)
                values[:, column] = signal.pass_on(times, values[:, column])
        return values

    def _spoilt_lines(self, names: Sequence[str], levels: NDArray[np.bool_]) -> NDArray[np.bool_]:
        for one, line in self._lines.items():
            if one.target in names:
                levels = levels.copy()
                levels[names.index(one.target)] = line.level(bool(levels[names.index(one.target)]))
        return levels

    def _turn(self, now: float) -> None:
        """What has begun, or is over, at the sample `now`."""
        for one in [one for one in self._present if one.end <= now]:
            self._present.remove(one)
            self._signals.pop(one, None)
            self._lines.pop(one, None)
            self._tell(now, one, False)
        for one in [one for one in self._waiting if one.begin <= now]:
            self._waiting.remove(one)
            self._present.append(one)
            self._tell(now, one, True)

    def _tell(self, now: float, one: Injection, begins: bool) -> None:
        sample = self.sample_at(now)
        text = with_sample(one.words if begins else f"{one.words} is over", sample)
        try:
            self._do(one, begins)
        except ValueError as error:
            text = f"{one.words} could not be done: {error}"
        self._said.append((now, SOURCE, text))

    def _do(self, one: Injection, begins: bool) -> None:
        if one.what in SIGNAL and begins:
            if one.target in (*self.digital_inputs, *self.digital_outputs):
                self._lines[one] = SpoiltLine(one)
            else:
                self._signals[one] = SpoiltSignal(one, self._seed)
        elif one.what == "clock":
            self._clock = WrongClock(one) if begins else None
        elif one.what == "drive" or one.what in LINE or one.what in DAQ:
            self._dark = (begins and one.what == "gone") or self._dark
            self.outside(one, begins)
        elif begins and one.what not in EDGES:
            machine.change(self._itself, one)
