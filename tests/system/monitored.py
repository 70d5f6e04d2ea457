"""A page of a run, served by `rig monitor` as its user starts it, and how often it has something new."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bench_run import RIG, ROOT
from browser import Page

UPDATES = "Number(document.documentElement.dataset.updates || 0)"
WINDOW, WINDOWS = 4.0, 6  # s, and how many of them: a page that is too slow is so in each
AT_LEAST = 1.0  # s between two updates, at most


@contextmanager
def served(run: Path, *arguments: str) -> Iterator[str]:
    """Address of the page."""
    process = subprocess.Popen([*RIG, "monitor", str(run), *arguments], stdout=subprocess.PIPE, text=True, cwd=ROOT)
    try:
        assert process.stdout is not None
        said = process.stdout.readline().split()
        assert said[:1] == ["listening"], said
        yield said[1]
    finally:
        process.terminate()
        try:
            process.wait(10.0)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait(10.0)


def longest_pauses(page: Page) -> list[float]:
    """s between two updates of the page, the longest of each window; ends with the first in which none was longer than AT_LEAST."""
    found: list[float] = []
    for _ in range(WINDOWS):
        begun = last = time.monotonic()
        count, longest = page.ask(UPDATES), 0.0
        while (now := time.monotonic()) < begun + WINDOW:
            if (new := page.ask(UPDATES)) != count:
                longest, last, count = max(longest, now - last), now, new
            time.sleep(0.02)
        found.append(max(longest, now - last))
        if found[-1] <= AT_LEAST:
            break
    return found
