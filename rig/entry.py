"""Where the command `rig` begins: hardly anything is imported here, so that the earliest Ctrl-C finds somebody who takes it.

Before this, while Python itself starts (20 ms, 50 where the package is installed editable), a Ctrl-C still ends in Python's own words.
"""

import gc
import os
import sys


def main() -> int:
    """Run the command line; returns the exit code. Interrupted while the command is still being loaded, it has been stopped."""
    # Linear algebra in the thread that asks for it, here and in every process of a run; a user's own number counts: docs/decisions/0053.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    # Most of what a command makes is what it loads, which stays: looked through every 700 objects, that takes a fifth longer.
    gc.set_threshold(10_000)
    try:
        from rig.console import closing, compile_notice, standard_streams
        from rig.host import bounded_end, home, interruption

        standard_streams.prepare()
        home.ensure()
        compile_notice.watch()
        if bounded_end.computes(sys.argv[1:]):
            return _computed()
        with closing.waited_for(), interruption.as_keyboard():
            from rig.commands import main as run

            return run(sys.argv[1:])
    except KeyboardInterrupt as error:
        import signal

        signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever presses it twice has said it once
        from rig.commands import stopped

        return stopped(sys.argv[1:], error)


def _computed() -> int:
    """A command that only computes. Broken off, it has ended when this returns: threads that still compile are not waited for."""
    from rig.console import closing
    from rig.host import bounded_end, interruption

    with closing.waited_for(), interruption.as_keyboard(), bounded_end.bounded(_say_stopped):
        try:
            from rig.commands import main as run

            code = run(sys.argv[1:])
        except KeyboardInterrupt as error:  # before that could take it, or again while it said so
            import signal

            signal.signal(signal.SIGINT, signal.SIG_IGN)
            code = interruption.exit_code(error)
            _say_stopped(code - interruption.SIGNALLED)
        if code > interruption.SIGNALLED:
            bounded_end.end(code)
        return code


def _say_stopped(number: int) -> None:
    """Unless it has been said."""
    from rig import commands
    from rig.host import interruption

    if not commands.told:
        commands.stopped(sys.argv[1:], interruption.AskedToEnd(number))
