"""A test of a rig as bluesky takes it: staged, kicked off, completed, collected; paused by a hold, aborted by a ramped stop."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from drivers.files.plain_values import Json
from rig.bluesky.cycles import cycle_events, cycle_keys
from rig.bluesky.process import NotDone, RunningTest
from rig.bluesky.samples import Samples
from rig.bluesky.status import Status
from rig.config import load
from rig.errors import ConfigError
from rig.supervision.operation_client import NotRunning

OPERATOR = "bluesky"
LOOK_EVERY = 0.05  # s
COMING_TO_A_STAND = ("running", "holding", "resuming")


class RigTest:
    """One experiment on one bench. Fulfils Flyable, Stageable, Pausable, Stoppable and EventCollectable of `bluesky.protocols`.

    Collected, it has an event for each cycle, in the stream NAME_cycles. `samples` has all channels of the record; it is collected once
    the test has ended. overrides: as `--set` takes them. out: folder of the runs. arm: confirms a bench that asks for it; whoever gives it
    stands for the bench being clear. picture: draw overlay.png.
    """

    parent = None

    def __init__(
        self,
        experiment: str | Path,
        name: str = "rig",
        overrides: Sequence[str] = (),
        bench: str | Path | None = None,
        out: str | Path = "runs",
        arm: bool = False,
        picture: bool = True,
    ) -> None:
        self.name = name
        self.samples = Samples(self)
        self._experiment, self._overrides, self._bench, self._out = Path(experiment), tuple(overrides), bench, Path(out)
        self._more = (*(["--arm"] if arm else []), *([] if picture else ["--no-picture"]))
        self._staged, self._collected = False, False
        self._test: RunningTest | None = None

    def stage(self) -> list[object]:
        """Check the experiment and its bench; nothing moves. Raises ConfigError with all that is wrong, and where a test of this is under
        way."""
        if self._test is not None and not self._test.over.done:
            raise ConfigError(f"{self.name}: its test is under way; wait until it has ended")
        load(self._experiment, self._overrides, self._bench)
        self._staged, self._test = True, None
        return [self]

    def unstage(self) -> Status:
        """Stop the test where it is under way, by a ramp; done when nothing moves any more."""
        self._staged = False
        return self._stopped()

    def kickoff(self) -> Status:
        """Start the test; done when the command follows its trajectory.

        Again before it was collected, as where a plan is taken up again, it is the same test. Raises ConfigError where it is not staged:
        what is staged is unstaged when a plan is aborted, and that is what stops the test.
        """
        if not self._staged:
            raise ConfigError(f"{self.name}: stage it first (bluesky.preprocessors.stage_wrapper): an aborted plan stops what is staged")
        if self._test is None or self._collected:
            sets = [word for override in self._overrides for word in ("--set", override)]
            bench = ["--bench", str(self._bench)] if self._bench else []
            words = [str(self._experiment), "--headless", "--json", "--out", str(self._out.resolve()), *bench, *sets, *self._more]
            self._test, self._collected = RunningTest(words), False
        return self._test.started

    def complete(self) -> Status:
        """Done when the test has come to its end and its record is whole. Its error is NotDone where it was stopped, tripped or failed; a
        verdict against the specimen is none. Raises NotDone where none was kicked off."""
        return self._its_test().ended

    def describe_collect(self) -> Mapping[str, Mapping[str, Mapping[str, Json]]]:
        """Keys of the events of cycles; known once the test has ended. Raises NotDone before."""
        return {f"{self.name}_cycles": keys} if (keys := cycle_keys(self.name, self.result)) else {}

    def collect(self) -> Iterator[Mapping[str, Any]]:
        """An event for each cycle that is judged: peaks, error, rms of the difference, gain. Raises NotDone before the test has ended."""
        result, self._collected = self.result, True
        yield from cycle_events(self.name, result, time.time())

    async def pause(self) -> None:
        """Hold the test where it runs; back when its command stands. Raises Refused for one that cannot be held now: the plan is aborted
        then, and the test stopped."""
        test = self._test
        if test is None or test.over.done:
            return
        test.ask("hold", operator=OPERATOR, reason="the RunEngine was paused")
        while test.state in COMING_TO_A_STAND:
            await asyncio.sleep(LOOK_EVERY)

    async def resume(self) -> None:
        """Let it go on. Raises Refused where the test does not."""
        try:
            if self._test is not None and self._test.state != "running":
                self._test.ask("resume", operator=OPERATOR, reason="the RunEngine goes on")
        except NotRunning:  # it has ended meanwhile, which `complete` tells
            return

    def stop(self, success: bool = True) -> None:
        """A ramped stop; returns at once."""
        self._stopped()

    @property
    def folder(self) -> Path:
        """Of the run. Raises NotDone before it has one."""
        folder = self._its_test().folder
        if folder is None:
            raise NotDone(f"{self.name}: there is no record of it")
        return folder

    @property
    def result(self) -> Mapping[str, Json]:
        """What `rig run --json` tells of the test. Raises NotDone before it has ended."""
        test = self._its_test()
        if not test.over.done:
            raise NotDone(f"{self.name}: its test has not ended yet")
        return test.result

    def _its_test(self) -> RunningTest:
        if self._test is None:
            raise NotDone(f"{self.name}: no test was kicked off")
        return self._test

    def _stopped(self) -> Status:
        if self._test is not None:
            self._test.stop()
            return self._test.over
        nothing = Status()
        nothing.finish()
        return nothing
