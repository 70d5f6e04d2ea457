"""The waveform generator of an Instron-class controller, and the event of its quarter-cycle counter that ends a waveform.

What the event does is a setting of the controller (`C213`), which a panel or another program may have left at "nothing". So it is set and
read back with the count before each waveform, in the order of a laboratory's public sequence: event off, count, what it does to the
waveform and to the log, event armed, start. Whether the count then ends the waveform is seen, too. See `drivers.protocols.instron_ascii`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from drivers import host_clock
from drivers.errors import NoReply, Refused
from drivers.loaders.instron_commands import Commands
from drivers.loaders.instron_reading import AGAIN, Readings
from drivers.protocols import instron_ascii as ascii_

MOST = 2**31 - 1
"""Quarter cycles that a counter may tell."""


@dataclass(frozen=True)
class Waveform:
    """A waveform that runs, as it was asked for."""

    frequency: float
    cycles: int


class Generator:
    """`chunk`: s that a waveform may run for after the last word; `action`: of the event (`drivers.protocols.instron_ascii.ENDS`)."""

    def __init__(self, commands: Commands, readings: Readings, chunk: float, action: int) -> None:
        self.where = commands.where
        self.waveform: Waveform | None = None
        self._commands, self._readings, self._chunk, self._action = commands, readings, chunk, action
        self._limit = 0  # quarter cycles that it may run for
        self.counted = 0  # quarter cycles that were done at the last look
        self._counted_at = math.inf  # host_clock.now() at which all of them were seen to be done

    @property
    def stops_within(self) -> float:
        """Time (s) after the last word in which a waveform ends by itself."""
        return self._chunk_quarters / (4.0 * self.waveform.frequency) if self.waveform else self._chunk

    def state(self) -> int:
        """One of the states of `drivers.protocols.instron_ascii`."""
        return self._readings.count("Q200", ascii_.DWELLING)

    def done(self) -> int:
        """Quarter cycles that are done."""
        return self._readings.count("Q210", MOST)

    def forget(self) -> None:
        """Nothing runs any more."""
        self.waveform = None

    def start(self, waveform: Waveform, shape: str, share: float, channel: int, waits: bool) -> None:
        """Off with the first chunk; `share`: amplitude, of full scale; `waits`: for the run/hold input. Raises Refused, NoReply."""
        if (state := self.state()) not in ascii_.AT_REST:
            raise Refused(f"{self.where}: before the waveform its generator is {ascii_.STATES[state]}; stop it at the panel")
        self.waveform, self.counted, self._counted_at = waveform, 0, math.inf
        self._limit = min(4 * waveform.cycles, self._chunk_quarters)
        wave = {"201": f"{ascii_.SHAPES[shape]}", "202": f"{waveform.frequency:.6f}", "203": f"{share:.8f}"}
        self._commands.keep(*((f"{name},{channel}", value) for name, value in wave.items()), ("212", f"{ascii_.OFF}"))
        self._commands.keep(
            ("209", f"{self._limit}"), ("213", f"{self._action}"), ("214", f"{ascii_.LOG_NOTHING}"), ("212", f"{ascii_.ARM}")
        )
        self._commands.write(f"C200,{ascii_.WAVE_START}")
        wanted = (ascii_.HOLDING, ascii_.RUNNING) if waits else (ascii_.RUNNING,)
        if not self._commands.follows(lambda: self.state() in wanted):
            told = f"{self._commands.settle:g} s after it was told, the waveform did not start"
            raise NoReply(f"{self.where}: {told}; its generator is {ascii_.STATES[self.state()]}; look at the panel")

    def extend(self) -> int:
        """See `Instron.extend`."""
        if self.waveform is None:
            raise Refused(f"{self.where}: there is no waveform to go on with; start one")
        whole, before = 4 * self.waveform.cycles, self._limit
        if (limit := min(whole, self._within(before) // 4 * 4 + self._chunk_quarters)) > before:
            self._commands.keep(("209", f"{limit}"))
            self._limit = limit
        state = self.state()
        done = self._within(self._limit)  # after the state: it may have ended just now
        rests = state in ascii_.AT_REST or (state == ascii_.HOLDING and done >= before)  # held by the event, not by its input
        if rests and done < whole:
            self._ended_early(state, done)
        if state not in (ascii_.RUNNING, ascii_.HOLDING, ascii_.FINISHING, *ascii_.AT_REST):
            raise Refused(f"{self.where}: while a waveform runs its generator is {ascii_.STATES[state]}; look at the panel")
        if not rests:
            self._still_in_time(whole, done)
            return max(1, math.ceil((whole - done) / 4))
        if state == ascii_.HOLDING:  # for good: nothing at the panel or the run/hold input lets it go on
            self._commands.write(f"C200,{ascii_.WAVE_ABORT}")
        return 0

    # -- inside --------------------------------------------------------------------------------------------------------------------

    @property
    def _chunk_quarters(self) -> int:
        """Quarter cycles in a chunk: whole cycles, so that it ends where it began; parts of one where a cycle is longer than a chunk."""
        quarters = math.floor(4.0 * self.waveform.frequency * self._chunk) if self.waveform else 1
        return quarters // 4 * 4 or max(1, quarters)

    def _within(self, limit: int) -> int:
        """Quarter cycles that are done. Raises Refused where they stay beyond `limit`: the event has ended nothing."""
        for _ in range(AGAIN):  # a spoilt answer may be any number
            if (done := self.done()) <= limit:
                self.counted = done
                return done
        raise Refused(f"{self.where}: {self._goes_on(done, limit)}")

    def _still_in_time(self, whole: int, done: int) -> None:
        """Raises Refused where all has been counted, and it has not come to rest for too long."""
        if done < whole:
            return
        self._counted_at = min(self._counted_at, host_clock.now())
        if host_clock.now() - self._counted_at > self._commands.settle:
            raise Refused(f"{self.where}: {self._goes_on(done, whole)} for {self._commands.settle:g} s")

    def _goes_on(self, done: int, limit: int) -> str:
        assert self.waveform is not None
        told = f"the waveform goes on after {done / 4:g} cycles, though its controller was to end it after {limit / 4:g}"
        return f"{told} (C209,{limit}; C213,{self._action}): it does not obey its count, look at its event settings"

    def _ended_early(self, state: int, done: int) -> None:
        assert self.waveform is not None
        known = {ascii_.ABORTED: "aborted", ascii_.DISABLED: "its generator was disabled"}
        why = known.get(state, "not extended in time; extend it sooner")
        raise Refused(f"{self.where}: the waveform ended after {done / 4:g} of {self.waveform.cycles} cycles: {why}")
