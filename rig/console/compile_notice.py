"""A command that compiles for more than a moment says so once on standard error: a minute without a word looks as if it hung.

numba tells when it compiles, and only then: what it finds in its cache is no event. It is not loaded for this, but waited for.
"""

from __future__ import annotations

import contextlib
import importlib.util
import os
import sys
import threading
from collections.abc import Callable, Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType

MOMENT = 1.0  # s


def watch() -> None:
    """From now on, in this process."""
    if "numba" in sys.modules:
        _listen()
    else:
        sys.meta_path.insert(0, _First())


class Notice:
    """What is told of the compiler, and `say`s it, once."""

    def __init__(self, say: Callable[[], None], moment: float = MOMENT) -> None:
        self._say, self._moment = say, moment
        self._depth, self._told = 0, False
        self._timer: threading.Timer | None = None

    def begins(self) -> None:
        """One function; it may have others compiled."""
        self._depth += 1
        if self._timer is None and not self._told:
            self._timer = threading.Timer(self._moment, self._look)
            self._timer.daemon = True  # a command that is through earlier waits for nothing
            self._timer.start()

    def ends(self) -> None:
        self._depth -= 1

    def _look(self) -> None:
        self._timer = None
        if self._depth and not self._told:
            self._told = True
            self._say()


class _First(MetaPathFinder):
    """Sees numba being imported for the first time."""

    def find_spec(self, name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        if name != "numba":
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec(name)
        if spec is not None and spec.loader is not None:
            _then_listen(spec.loader)
        return spec


def _then_listen(loader: Loader) -> None:
    """When it has run the module."""
    run = loader.exec_module

    def run_and_listen(module: ModuleType) -> None:
        run(module)
        _listen()

    vars(loader)["exec_module"] = run_and_listen


def _listen() -> None:
    from numba.core import event

    notice = Notice(_say)

    class Listener(event.Listener):  # type: ignore[misc]  # numba has no types
        def on_start(self, told: object) -> None:
            notice.begins()

        def on_end(self, told: object) -> None:
            notice.ends()

    event.register("numba:compile", Listener())  # type: ignore[no-untyped-call]


def _say() -> None:
    folder = os.environ.get("NUMBA_CACHE_DIR", "")
    with contextlib.suppress(OSError, ValueError):  # nobody listens any more
        kept = f"it is kept for the next time, where it can be, in {folder}"
        print(f"compiling, which takes a minute or two; {kept}", file=sys.stderr, flush=True)
