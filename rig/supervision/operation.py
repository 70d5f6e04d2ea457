"""What an operator asks of a running test, on its way to the bench worker and back: checked, numbered, answered."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping

from drivers.files.plain_values import Json
from rig.config.checks.changes import Accepted, Changes, accepted
from rig.config.plan import Plan
from rig.errors import ConfigError
from rig.streaming.new_baselines import learned_by
from rig.supervision.learned_limits import LearnedLimits
from rig.supervision.live_status import LiveStatus
from rig.supervision.operation_server import OperationServer, Request
from rig.trajectory.naming import TrajectorySettings
from rig.workers.messages import Message


class Operation:
    """`status` says where the test is; tell: as `ProcessGroup.tell`."""

    def __init__(self, plan: Plan, tell: Callable[..., None]) -> None:
        self._plan, self._tell = plan, tell
        self.status = LiveStatus(plan)
        self._server: OperationServer | None = None
        self._numbers = itertools.count(1)
        self._waiting: dict[int, tuple[Request, Accepted | None, list[int]]] = {}
        trajectory, paced = plan.experiment.trajectory, plan.experiment.pacing.on
        self._changes = Changes.of(trajectory, plan.resumption, paced) if isinstance(trajectory, TrajectorySettings) else None

    def open(self) -> None:
        """From now on it can be asked. Raises OSError where the folder of the run takes no file."""
        self._server = OperationServer(self._plan.run_dir)

    def take(self) -> list[Request]:
        """What has been asked since the last call."""
        return [] if self._server is None else self._server.take()

    def forward(self, request: Request, running: str = "") -> None:
        """To the bench worker, whose answer comes to `answered`. running: the block of a program that runs, as the worker reports it."""
        data: dict[str, object] = {"reason": operator_words(request.verb, request.data)}
        change = None
        try:
            anew = new_baseline(self.status.limits.limits, request.verb, request.data)
            if request.verb == "set":
                change, data = self._change(request.data, running)
        except ConfigError as error:
            request.refuse(str(error))
            return
        if anew:
            data |= {"anew": anew, "reason": learned_by(str(data["reason"]), [*map(self.status.limits.limits.called, anew)])}
        number = next(self._numbers)
        self._waiting[number] = (request, change, anew)
        self._tell("bench", request.verb, asked=number, at_once=bool(request.data.get("now")), **data)

    def answered(self, message: Message) -> None:
        """The bench worker has taken, or refused, a request."""
        number = message["asked"]
        if number is None or number not in self._waiting:
            return
        request, change, anew = self._waiting.pop(number)
        limits = self.status.limits.limits
        learns = [limits.called(one) for one in anew]
        if why := message["text"]:
            request.refuse(why)
        elif change is None:
            request.reply(done=request.verb, learns_anew=learns)
        else:
            self._changes = change.changes
            words = f"{change.words} changes from {change.was} to {change.asked}"
            request.reply(
                done=request.verb, key=change.words, value=change.value, words=words, learns_anew=learns, warning=limits.warning(anew),
            )  # fmt: skip

    def close(self) -> None:
        """Nobody can ask any more."""
        for request, *_ in self._waiting.values():
            request.refuse("the test has ended")
        self._waiting.clear()
        if self._server is not None:
            self._server.close()
        self.status.close()

    def _change(self, asked: Mapping[str, Json], running: str) -> tuple[Accepted, dict[str, object]]:
        if self._changes is None:
            raise ConfigError("this test follows no trajectory that could be changed")
        key, text = str(asked.get("key")), str(asked.get("value"))
        change = accepted(self._plan.experiment, self._plan.bench, self._changes, key, text, running)
        said = f"set {change.words} = {change.asked} (before: {change.was})"
        return change, {"key": change.key, "new": change.value, "reason": operator_words(said, asked)}


def new_baseline(limits: LearnedLimits, verb: str, asked: Mapping[str, Json]) -> list[int]:
    """Numbers of the limits that are to learn anew. Raises ConfigError for names that are none, and where nobody says why."""
    names = asked.get("new_baseline")
    if not isinstance(names, list) or verb not in ("resume", "set"):
        return []
    if not str(asked.get("reason") or "").strip():
        raise ConfigError('a new baseline needs a reason for the record: --reason "looked at both pins, nothing loose"')
    return limits.chosen([str(name) for name in names])


def operator_words(what: str, asked: Mapping[str, Json]) -> str:
    """For the record: what, by whom, and why."""
    by = f"{what} by {asked.get('operator') or 'somebody'} in another terminal"
    why = str(asked.get("reason") or "")
    return f"{by}: {why}" if why else by
