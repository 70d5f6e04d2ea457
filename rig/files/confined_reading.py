"""A file is read in a process of its own, with limits: whatever a C library does with a hostile file, it does not do it here.

    column = confined(read_column, path, "force")

`read_column` is a function at the top level of a module; its arguments and its result are pickled. The process starts Python anew, so it
costs about half a second; `ReadingProcess` is one that answers several calls, for whoever reads many files in a row.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from typing import IO, Any, BinaryIO, ParamSpec, TypeVar

import psutil

from drivers.interpreter import python
from rig.host import clock

Reply = tuple[type[Exception] | None, Any]
"""What to raise, and with which words; or None, and what the function returned."""
P = ParamSpec("P")
T = TypeVar("T")

SECONDS = 6.0  # of processor time, for one call
MEGABYTES = 400  # for one process, its interpreter and libraries included
START = 30.0  # s of processor time until it can be called: Python and the function's module
STILL = 60.0  # s in which it gets no further at all; one that a busy machine keeps waiting gets further
LOOK = 0.02  # s between two looks at its memory


class Unreadable(ValueError):
    """The call ended by a limit, by the death of its process, or by an error that its function does not know. One line."""


def confined(function: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
    """What the function returns, called in a process of its own.

    Raises ValueError (OSError) with the text of a ValueError (OSError) that the function raises, and Unreadable for all else.
    """
    with ReadingProcess() as process:
        return process.call(function, *args, **kwargs)


class ReadingProcess:
    """A process that calls functions, within `seconds` of processor time each and `megabytes` in all. It ends with the first limit that
    it passes, or when it stands still for `still` s of the clock."""

    def __init__(self, seconds: float = SECONDS, megabytes: int = MEGABYTES, still: float = STILL) -> None:
        self.seconds, self.megabytes, self.still = seconds, megabytes, still
        self._process = subprocess.Popen(
            python("-c", f"import sys; sys.path[:] = {sys.path!r}; from rig.files.confined_reading import serve; serve({seconds})"),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"},  # threads take address space
        )
        self._started = False
        self.largest = 0
        """Bytes of memory that it has been seen to have."""

    @property
    def alive(self) -> bool:
        """Whether it can be called (again)."""
        return self._process.poll() is None

    def call(self, function: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """See `confined`."""
        if not self._started:
            self._exchange((_begin, (function, self.megabytes), {}), START)
            self._started = True
        kind, said = self._exchange((function, args, kwargs), self.seconds)
        if kind is None:
            result: T = said
            return result
        raise kind(said)

    def __enter__(self) -> ReadingProcess:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.wait()
        for pipe in self._pipes:
            with contextlib.suppress(OSError):  # what was not sent is lost with it
                pipe.close()

    @property
    def _pipes(self) -> tuple[IO[bytes], IO[bytes]]:
        """To it, and from it."""
        to, back = self._process.stdin, self._process.stdout
        assert to is not None and back is not None, "it was started with both"
        return to, back

    def _exchange(self, request: object, seconds: float) -> Reply:
        """(kind, said), within the limits. Raises Unreadable."""
        reply: list[Reply] = []
        thread = threading.Thread(target=self._ask, args=(pickle.dumps(request), reply), daemon=True)
        thread.start()
        begun, got, last, passed = self._processor(), 0.0, clock.now(), ""
        while thread.is_alive() and not passed:
            thread.join(LOOK)
            self.largest = max(self.largest, memory := self._memory())
            if (taken := self._processor() - begun) > got:
                got, last = taken, clock.now()
            if memory > self.megabytes * 1e6:
                passed = f"it takes more memory to read than the {self.megabytes} MB that it may have"
            elif taken > seconds:
                passed = f"it takes more than {seconds:g} s of processor time to read"
            elif clock.now() - last > self.still:
                passed = f"nothing more of it has been read for {self.still:g} s"
        if thread.is_alive() and passed:
            self._process.kill()
            self._process.wait()
            thread.join()
            raise Unreadable(passed)
        if not reply:
            raise Unreadable(f"the library that reads it came to grief ({self._how_it_ended()})")
        return reply[0]

    def _ask(self, request: bytes, reply: list[Reply]) -> None:
        to, back = self._pipes
        with contextlib.suppress(OSError, EOFError, ValueError, pickle.UnpicklingError):  # it is gone: no reply
            to.write(request)
            to.flush()
            reply.append(pickle.load(back))

    def _how_it_ended(self) -> str:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(START)
        self._process.kill()  # one that says nothing more
        code = self._process.wait()
        return f"signal {-code}" if code < 0 else f"exit {code}"

    def _processor(self) -> float:
        """s of processor time that it has taken."""
        with contextlib.suppress(psutil.Error):
            taken = psutil.Process(self._process.pid).cpu_times()
            return float(taken.user + taken.system)
        return 0.0

    def _memory(self) -> int:
        with contextlib.suppress(psutil.Error):
            return int(psutil.Process(self._process.pid).memory_info().rss)
        return 0


def serve(seconds: float) -> None:
    """In the process: answer calls until its input ends. What libraries print goes nowhere."""
    requests, replies = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    with contextlib.suppress(EOFError):
        while True:
            function, args, kwargs = pickle.load(requests)
            _end_by_itself(seconds)
            _answer(function, args, kwargs, replies)


def _answer(function: Callable[..., object], args: tuple[object, ...], kwargs: dict[str, object], replies: BinaryIO) -> None:
    try:
        reply: Reply = None, function(*args, **kwargs)
    except MemoryError:
        reply = Unreadable, "it takes more memory to read than it may have"
    except (ValueError, OSError) as error:
        reply = ValueError if isinstance(error, ValueError) else OSError, _one_line(error)
    except Exception as error:  # libraries raise whatever they like about a hostile file; who asked is told which it was
        reply = Unreadable, f"it cannot be read ({type(error).__name__}: {_one_line(error)})"
    pickle.dump(reply, replies, protocol=pickle.HIGHEST_PROTOCOL)
    replies.flush()


def _begin(function: object, megabytes: int) -> None:
    """To be handed the function is to import its module, whose libraries take address space before there is a limit on it."""
    if sys.platform == "win32":
        return
    import resource

    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with contextlib.suppress(ValueError, OSError):  # macOS does not limit it; there, memory is only looked at from outside
        taken = psutil.Process().memory_info()
        space = taken.vms - taken.rss + megabytes * 1_000_000
        resource.setrlimit(resource.RLIMIT_AS, (space, space))


def _end_by_itself(seconds: float) -> None:
    """A limit on processor time, for a process whose parent has been killed meanwhile."""
    if sys.platform == "win32":
        return
    import resource

    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    with contextlib.suppress(ValueError, OSError):  # the user's own limit is lower
        resource.setrlimit(resource.RLIMIT_CPU, (int(time.process_time() + max(seconds, START)) + 1, hard))


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split()) or type(error).__name__
