"""The band beside a prediction: members of an ensemble on the same samples, behind the nominal and in threads of their own.

The nominal is published first and waits for nothing here. Members that cannot keep up are left behind, and when they are too far behind
they are given up: the record then has no band from there on, and an event says so.

Of what a channel of the bench shows there is a second band, as the comparison sees it: each member goes through the sensor and the
comparison's low-pass before the quantiles are taken. A low-pass of quantiles is not the quantile of what is low-passed: an impact that
comes at another time in each member is in no quantile at all, and yet behind the low-pass in all of them.
"""

from __future__ import annotations

import os
import queue
import sys
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TypedDict

import numpy as np
from numpy.typing import NDArray

from model.ensemble import Ensemble, band
from model.errors import ModelError
from rig.comparison.bands.columns import ends
from rig.comparison.filtering import passable
from rig.config.bench import InputChannel
from rig.config.experiment import Ensemble as Settings
from rig.config.experiment import Experiment
from rig.host import clock
from rig.prediction import ensembles, stepper
from rig.sensors.transfer import Sensed
from rig.signals.butterworth import Cascade, lowpass
from rig.signals.summary_statistics import Statistics
from rig.signals.tally import Tally
from rig.streaming import streams
from rig.streaming.ring import RingWriter

FAR_BEHIND = 0.5  # of what a ring holds
AT_ONCE = 0.5  # s of samples that may wait where the test waits too: at its end they are all that is left to do
LOW_PRIORITY = 10  # of the threads, below the nominal's
PATIENCE = 5.0  # s that the end of a test waits for the band

Samples = NDArray[np.float64]


class BandFigures(TypedDict):
    """Members, samples, their real-time factor, and how late the band was (s)."""

    members: int
    samples: int
    rtf: float | None
    late_s: Statistics


class AsCompared:
    """One member as the comparison sees it: through the sensors of the bench, and behind the low-pass (`corner`, Hz; None: none)."""

    def __init__(self, experiment: Experiment, inputs: Mapping[str, InputChannel], rate: float, corner: float | None) -> None:
        self._sensed = Sensed(experiment.mechanism, inputs, rate)
        self.channels = self._sensed.channels
        self._filters = [] if corner is None else [Cascade(lowpass(2, corner, rate)) for _ in self.channels]

    def apply(self, values: Samples) -> Samples:
        """The next (k, all of the mechanism's channels) samples -> (k, those that are sensed)."""
        shown = self._sensed.apply(values)
        return np.column_stack([one.apply(shown[:, k]) for k, one in enumerate(self._filters)]) if self._filters else shown


class Band:
    """One run's band; its ring has mean, low and high of every channel of the prediction, and low and high of what the bench compares."""

    def __init__(
        self,
        experiment: Experiment,
        settings: Settings,
        rate: float,
        path: Path,
        channels: tuple[tuple[str, str], ...],
        waits: bool,
        count: float = 0.0,
        inputs: Mapping[str, InputChannel] | None = None,
    ) -> None:
        """count: of the encoder that is followed, rad. inputs: channels of the bench, by their names.

        waits: the run has no clock of its own and goes on when the band does. Raises ModelError for members that cannot be made."""
        self._settings, self._waits, self._rate = settings, waits, rate
        self._ensemble: Ensemble = ensembles.members(
            experiment.mechanism, settings, lambda one: stepper.stepper(experiment, rate, one, count)
        )
        names = [f"{name}_{kind}" for kind in ("mean", "low", "high") for name, _ in channels]
        units = [unit for _ in range(3) for _, unit in channels]
        corner = passable(experiment.comparison.lowpass, rate)
        shown = Sensed(experiment.mechanism, inputs or {}, rate).channels
        self._compared = [AsCompared(experiment, inputs or {}, rate, corner) for _ in range(settings.members if shown else 0)]
        names += [ends(name)[side] for side in range(2) for name, _ in shown]
        units += [unit for _ in range(2) for _, unit in shown]
        capacity = streams.capacity(rate, experiment.acquisition.ring)
        self._ring = RingWriter.create(path, names, units, capacity, rate)
        self._most = min(FAR_BEHIND * capacity, AT_ONCE * rate) if waits else FAR_BEHIND * capacity
        self._behind = 0  # samples that wait
        self._blocks: queue.SimpleQueue[tuple[float, Samples] | None] = queue.SimpleQueue()
        self._moved = threading.Condition()
        self._late = Tally()
        self._spent = 0.0
        self.given_up = ""
        self._thread = threading.Thread(target=self._run, name="band", daemon=True)

    @property
    def idle(self) -> bool:
        """Nothing waits."""
        return self._behind == 0 or bool(self.given_up)

    def start(self, samples: Samples) -> None:
        """Put the members at their starts, given the first input samples."""
        ensembles.start(self._ensemble, self._settings, samples)
        self._thread.start()

    def add(self, samples: Samples) -> None:
        """The next input samples."""
        if self.given_up:
            return
        with self._moved:
            while self._waits and self._behind > self._most and not self.given_up:
                self._moved.wait()
            self._behind += len(samples)
        self._blocks.put((clock.now(), samples))
        if self._behind > self._most and not self._waits:
            self.given_up = f"the band of {self._settings.members} members cannot keep up and ends at sample {self._ring.head}"

    def close(self) -> BandFigures:
        """End the threads; returns members, their real-time factor and how late the band was (s)."""
        self._blocks.put(None)
        if self._thread.ident is not None:
            self._thread.join(PATIENCE)
        self._ensemble.close()
        samples = self._ring.head
        rtf = self._spent / (samples / self._rate) if samples else None
        self._ring.close()
        return {"members": self._settings.members, "samples": samples, "rtf": rtf, "late_s": self._late.statistics()}

    def _run(self) -> None:
        if sys.platform == "linux":
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), LOW_PRIORITY)  # of this thread, and of those that it starts
        while (block := self._blocks.get()) is not None and not self.given_up:
            came, samples = block
            try:
                begun = time.perf_counter()
                values = self._ensemble.advance(samples)
                self._ensemble.forget_events()
            except ModelError as error:
                self.given_up = f"the band ends at sample {self._ring.head}: {error}"
            else:
                self._ring.append(np.column_stack(self._bands(values)))
                self._spent += time.perf_counter() - begun
                self._late.add(clock.now() - came)
            with self._moved:
                self._behind -= len(samples)
                self._moved.notify()

    def _bands(self, values: Samples) -> list[Samples]:
        """(k, columns) each, of the members' next samples (members, k, channels)."""
        found = list[Samples](band(values, self._settings.coverage))
        if self._compared:
            seen = np.stack([one.apply(member) for one, member in zip(self._compared, values, strict=True)])
            found += band(seen, self._settings.coverage)[1:]
        return found


def make(
    experiment: Experiment,
    rate: float,
    path: Path,
    channels: tuple[tuple[str, str], ...],
    waits: bool,
    say: Callable[[str], None],
    count: float = 0.0,
    inputs: Mapping[str, InputChannel] | None = None,
) -> Band | None:
    """The band that the experiment asks for, if it does; members that cannot be made are said, and the prediction goes on without."""
    settings = experiment.predictor.ensemble
    if settings is None:
        return None
    try:
        return Band(experiment, settings, rate, path, channels, waits, count, inputs)
    except ModelError as error:
        say(f"no band: {error}")
        return None
