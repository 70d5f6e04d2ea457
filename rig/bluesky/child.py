"""`python -m rig.bluesky.child run ...`: the program `rig` that ends, as by Ctrl-C, when its standard input does.

Whoever started it holds the other end of that line. It is closed when they want the test to stop, and closes by itself when they die,
however they do: so no test goes on without the RunEngine that it belongs to.
"""

from __future__ import annotations

import _thread
import os
import runpy
import signal
import threading


def main() -> None:
    """Run the command line; ends with its exit code."""
    line = os.dup(0)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)  # the commands ask nobody anything
    os.close(nothing)
    threading.Thread(target=_stop_at_end, args=(line,), daemon=True).start()
    runpy.run_module("rig", run_name="__main__")


def _stop_at_end(line: int) -> None:
    while os.read(line, 1):
        pass
    if hasattr(signal, "pthread_kill"):
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)  # wakes it where it waits
    else:
        _thread.interrupt_main()


if __name__ == "__main__":
    main()
