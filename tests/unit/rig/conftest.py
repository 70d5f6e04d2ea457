"""Files of records and drives are read in one process for all tests, where a program begins one for each file: half a second every time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import ParamSpec, TypeVar

import pytest

from rig.files import confined_reading
from rig.files.confined_reading import MEGABYTES, SECONDS, ReadingProcess
from rig.recorder import examination, parts_recovery, superseded

P = ParamSpec("P")
T = TypeVar("T")

USERS = (confined_reading, examination, parts_recovery, superseded)


class OneForAll:
    """In the place of the class ReadingProcess, and of what that makes: it ends with the first limit that a call passes, or before a next
    user where it has grown, and begins anew with that."""

    def __init__(self) -> None:
        self._process: ReadingProcess | None = None

    def __call__(self, seconds: float = SECONDS, megabytes: int = MEGABYTES) -> OneForAll:
        if self._process is not None and not (self._process.alive and self._process.largest < 0.5e6 * MEGABYTES):
            self.end()
        if self._process is None:
            self._process = ReadingProcess(megabytes=megabytes)
        self._process.seconds = seconds
        assert self._process.megabytes == megabytes
        return self

    def call(self, function: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        assert self._process is not None, "nobody has asked for it"
        return self._process.call(function, *args, **kwargs)

    def __enter__(self) -> OneForAll:
        return self

    def __exit__(self, *_: object) -> None:
        """It stays for the next user."""

    def end(self) -> None:
        if self._process is not None:
            self._process.__exit__()
        self._process = None


@pytest.fixture(scope="session")
def one_for_all() -> Iterator[OneForAll]:
    one = OneForAll()
    yield one
    one.end()


@pytest.fixture(autouse=True)
def read_in_one_process(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, one_for_all: OneForAll) -> None:
    """But for the tests of such processes, which use `processes_of_their_own`."""
    if "processes_of_their_own" not in request.fixturenames:
        for user in USERS:
            monkeypatch.setattr(user, "ReadingProcess", one_for_all)


@pytest.fixture
def processes_of_their_own() -> None:
    """Each file is read in a process of its own, as by the program."""
