"""The predictor: the mechanism on the same samples as the bench, in step with it, never skipping one."""

from __future__ import annotations

import time
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import cast

import numpy as np
from numpy.typing import NDArray

from model.errors import ModelError
from rig.config.plan import Plan
from rig.errors import OverrunError
from rig.host import clock
from rig.prediction.stepper import advance, counted, rehearse, stepper
from rig.sensors.transfer import Sensed
from rig.streaming import streams
from rig.streaming.ring import RingReader, RingWriter
from rig.workers.awaited_rings import opened
from rig.workers.links import ABANDONED, ORPHANED, Links
from rig.workers.messages import Command, Figures, Report
from rig.workers.predictor import band, moved
from rig.workers.predictor.lag import Lag

IDLE = 0.002  # s between two looks for new samples


class Predictor:
    """Reads its input stream, publishes the prediction raw and as its sensors would have shown it."""

    def __init__(self, plan: Plan, links: Links) -> None:
        self._plan, self._links = plan, links
        self.done = False
        self._finishing = False
        self._late = False
        self._ended_at: float | None = None
        self._lag_now = 0.0
        self._late_samples = 0
        self._cpu = 0.0
        self._band: band.Band | None = None
        self._moved: moved.Moved | None = None
        self._band_told = self._told = False

    def setup(self) -> None:
        """Wait for the bench's rings, compile nothing, make the predicted rings."""
        experiment = self._plan.experiment
        self._channels: tuple[tuple[str, str], ...] = experiment.mechanism.channels
        source = experiment.predictor.source
        rehearse(experiment)  # while the bench opens its instruments: compiled code is loaded before it is needed
        paths = self._plan.streams
        self._measured = self._open(paths["measured"])
        rate = self._measured.rate
        self._input = self._open(paths["command"]) if source == "command" else self._open(paths["measured"])
        followed = self._plan.bench.showing(source)
        self._column = 0 if followed is None or source == "command" else self._input.names.index(followed.name)
        count = counted(experiment, self._plan.bench)
        self._stepper = stepper(experiment, rate, count=count)
        inputs = {channel.name: channel for channel in self._plan.bench.channels}
        self._sensed = Sensed(experiment.mechanism, inputs, rate)
        capacity = streams.capacity(rate, experiment.acquisition.ring)
        self._raw, self._as_measured = (
            RingWriter.create(paths[stream], [name for name, _ in channels], [unit for _, unit in channels], capacity, rate)
            for stream, channels in (("predicted", self._channels), ("predicted_as_measured", self._sensed.channels))
        )
        self._block = max(1, round(experiment.acquisition.block * rate))
        self._lookahead = self._stepper.lookahead
        self._primed = False
        self._rate = rate
        self._make_ready(source)
        self._lag = Lag(rate)
        waits = self._plan.bench.pace == "lockstep"
        say = partial(self._links.event, 0, "band")
        self._band = band.make(experiment, rate, paths["predicted_band"], self._channels, waits, say, count, inputs)

    def step(self) -> float:
        """The next block of input, when there is one."""
        if not self._primed:
            return self._prime()
        # Block by block as the bench has them, whenever this one looks: an integrator ends a step where a block ends, and what is chaotic
        # must not depend on when a computer had time.
        count = self._block - self._input.next % self._block
        ended = self._input.ended or self._finishing
        if not ended and self._input.head - self._input.next < count:
            return IDLE
        first, block = self._input.read(count)
        if self._input.lost:
            raise OverrunError(f"predictor: {self._input.lost_samples} input samples overtaken at {self._input.lost[0][0]}; it cannot skip")
        if len(block):
            self._predict(block[:, self._column])
            self._links.progress(first)
            return 0.0
        if self._input.ended or self._finishing:
            if self._input.head <= self._input.next:
                self._drain()
                self.done = self._band is None or self._band.idle
                return 0.0 if self.done else IDLE
            return 0.0
        return IDLE

    def report(self) -> Report:
        """Newest lag and how far the prediction is."""
        return {"lag_s": self._lag_now, "sample": self._raw.head}

    def command(self, verb: str, data: Command) -> None:
        """finish (drain, then end); orphaned, abandoned: the same."""
        if verb in ("finish", ORPHANED, ABANDONED):
            self._finishing = True

    def close(self) -> Figures:
        """Close the rings; returns lag and real-time factor."""
        for ring in ("_raw", "_as_measured", "_measured", "_input"):
            if hasattr(self, ring):
                getattr(self, ring).close()
        if self._moved is not None:
            self._moved.close()
        if not hasattr(self, "_lag"):
            return {}
        samples = self._samples if self._primed else 0
        rtf = self._cpu / (samples / self._rate) if samples else None
        late, lag = self._late_samples / self._rate, self._lag.figures()
        figures: Figures = {"lag_s": lag["lag_s"], "lag_windows_s": lag["lag_windows_s"], "late_s": late, "rtf": rtf}
        figures["samples"] = samples
        if self._band is not None:
            figures["band"] = self._band.close()
        return figures

    @property
    def _samples(self) -> int:
        return self._raw.head

    def _open(self, path: Path) -> RingReader:
        return opened(path, self._links, "predictor")

    def _make_ready(self, source: str) -> None:
        """Start on a command of 0, where it stands until the bench has begun: a linkage with bars that give way takes some hundredths of a
        second to find its rest, which the first samples of a test would wait for. Other samples start it anew, and tell what is wrong."""
        self._ready: NDArray[np.float64] | None = None
        if source == "command" and self._lookahead:
            still = np.zeros(self._lookahead)
            with suppress(ModelError):
                self._stepper.start(still)
                self._ready = still

    def _prime(self) -> float:
        """The first samples that the interpolation needs beyond the one it is at."""
        if self._input.head - self._input.next < self._lookahead:
            self._links.progress(self._input.head)  # whoever waits for this process waits for samples that are yet to come
            if self._input.ended or self._finishing:
                self.done = True
            return IDLE
        _, block = self._input.read(self._lookahead) if self._lookahead else (0, np.empty((0, len(self._input.names))))
        samples = np.ascontiguousarray(block[:, self._column])
        if self._ready is None or not np.array_equal(samples, self._ready):
            self._stepper.start(samples)
        self._last = float(block[-1, self._column]) if len(block) else 0.0
        self._known = self._stepper.remarks
        path = self._plan.streams["motion"]
        self._moved = moved.make(self._plan.experiment, self._stepper, self._rate, path, self._plan.first_sample)
        if self._band is not None:
            self._band.start(np.ascontiguousarray(block[:, self._column]))
        self._primed = True
        return 0.0

    def _predict(self, inputs: NDArray[np.float64]) -> None:
        begun = time.thread_time()
        predicted = self._advance(np.ascontiguousarray(inputs))
        self._cpu += time.thread_time() - begun
        self._last = float(inputs[-1])
        first = self._raw.head
        self._raw.append(predicted)
        self._tell(first)
        self._as_measured.append(self._sensed.apply(predicted))
        if self._moved is not None:
            self._moved.publish()
        known = self._measured.published_at(first) if self._ended_at is None else self._ended_at
        self._note_lag(first, max(0.0, clock.now() - known) if known == known else 0.0, len(predicted))
        if self._band is not None:
            self._follow(self._band, inputs, first)

    def _advance(self, inputs: NDArray[np.float64]) -> NDArray[np.float64]:
        if self._moved is None:
            return advance(self._stepper, inputs)
        return self._moved.advance(cast(moved.Stated, self._stepper), inputs)

    def _follow(self, members: band.Band, inputs: NDArray[np.float64], first: int) -> None:
        """Give the band the same samples; said once if it ends."""
        members.add(np.ascontiguousarray(inputs))
        if members.given_up and not self._band_told:
            self._band_told = True
            self._links.event(first, "band", members.given_up, time_s=first / self._rate)

    def _tell(self, first: int) -> None:
        """What the model has met on its way, such as a singular pose: the first time, and how it has ended."""
        new = [said for said in self._stepper.remarks if said not in self._known]
        if new and (self._ended_at is not None or not self._told):
            self._told, self._known = True, self._stepper.remarks
            self._links.event(first, "model", new[-1], time_s=first / self._rate)

    def _drain(self) -> None:
        """The last samples: the input stands still at its last value, which is known once it has ended: their lag begins there."""
        if self._primed and self._lookahead and self._ended_at is None:
            self._ended_at = clock.now()
            self._predict(np.full(self._lookahead, self._last))

    def _note_lag(self, first: int, lag: float, samples: int) -> None:
        self._lag.add(first, lag, samples)
        self._lag_now = lag
        # In lockstep the device waits for this process: how long it took is told as a figure, and nothing may depend on it.
        waited_for = self._ended_at is not None or self._plan.bench.pace == "lockstep"
        late = lag > self._plan.experiment.predictor.max_lag and not waited_for
        if late:
            self._late_samples += samples
        if late and not self._late:
            text = f"prediction {lag * 1e3:.0f} ms late, allowed {self._plan.experiment.predictor.max_lag * 1e3:.0f} ms"
            self._links.event(first, "lag", text, time_s=first / self._rate)
            if self._plan.experiment.predictor.on_lag == "stop":
                self._links.request("stop", reason=text, outcome="tripped")
        self._late = late


def create(plan: Plan, links: Links) -> Predictor:
    """The predictor worker."""
    return Predictor(plan, links)
