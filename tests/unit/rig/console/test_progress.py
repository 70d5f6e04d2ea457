"""The line of progress on a terminal that is read, that has been stopped, that is gone."""

from __future__ import annotations

import os

from rig.console.progress import Progress


def test_the_newest_line_stands_there_and_ends() -> None:
    read, write = os.pipe()
    progress = Progress(write)
    progress.show("running 1.0 s")
    assert os.read(read, 100) == b"\rrunning 1.0 s"
    progress.show("stopped 2.0 s")
    progress.close()
    assert os.read(read, 100) == b"\rstopped 2.0 s\n"
    os.close(read)
    os.close(write)


def test_a_terminal_that_takes_nothing_holds_nobody_up() -> None:
    read, write = os.pipe()
    os.set_blocking(write, False)
    while True:
        try:
            os.write(write, b"." * 4096)
        except BlockingIOError:
            break
    os.set_blocking(write, True)
    progress = Progress(write)
    for n in range(10_000):
        progress.show(f"running {n} s")  # a write would stand here for ever
    progress.close()  # waits for half a second
    assert progress._thread.is_alive(), "it does stand"
    os.set_blocking(read, False)
    there = b""
    while progress._thread.is_alive() or not there.endswith(b"\n"):
        try:
            there += os.read(read, 65536)
        except BlockingIOError:
            progress._thread.join(0.01)
    assert there.endswith(b"running 9999 s\n"), "of all those only the newest"
    assert there.count(b"running") <= 2
    os.close(read)
    os.close(write)


def test_a_terminal_that_is_gone_is_no_matter() -> None:
    read, write = os.pipe()
    os.close(read)
    progress = Progress(write)
    progress.show("running")
    progress.close()
    assert not progress._thread.is_alive()
    os.close(write)
