"""Programs that hang, flood, fail, are missing, or leave children: none keeps anybody waiting beyond its bound, nothing of it is left."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import psutil
import pytest

from rig.notification import program

PYTHON = [sys.executable, "-S", "-c"]
IGNORES = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('here', flush=True); time.sleep(600)"


def script(text: str, *arguments: str) -> list[str]:
    return [*PYTHON, text, *arguments]


def running_with(mark: str) -> list[psutil.Process]:
    return [one for one in psutil.process_iter(["cmdline", "status"]) if mark in (one.info["cmdline"] or [])]


def test_one_that_does_as_it_should_gets_its_input_and_its_variables_and_what_it_prints_is_told() -> None:
    text = "import os, sys; print(os.environ['RIG_NOTICE'], sys.stdin.read()); print('also \\x1b[31mred', file=sys.stderr)"
    ending = program.run(script(text), b"told", {"RIG_NOTICE": "trip"}, 20.0)
    assert ending.ok and ending.words.startswith("exit 0, ")
    assert ending.words.endswith(": trip told also ?[31mred") or ending.words.endswith(": also ?[31mred trip told")


def test_one_that_fails_is_told_with_its_exit_code() -> None:
    ending = program.run(script("import sys; sys.exit('no such address')"), b"", {}, 20.0)
    assert not ending.ok and ending.words.startswith("exit 1, ") and ending.words.endswith(": no such address")


def test_one_that_is_missing_is_named_and_so_is_one_that_cannot_be_executed(tmp_path: Path) -> None:
    plain = tmp_path / "plain"
    plain.write_text("")
    assert program.run(["nobody-has-this"], b"", {}, 1.0).words == "not started: nobody-has-this: not found on the PATH"
    assert program.unusable([str(tmp_path / "gone")]).endswith("there is no such file")
    assert program.unusable([str(plain)]).endswith("is not executable")
    assert program.unusable([sys.executable]) == ""


def test_one_that_hangs_is_ended_although_it_takes_no_request_to_end() -> None:
    begun = time.monotonic()
    ending = program.run(script(IGNORES, "mark-hangs"), b"", {}, 0.5)
    assert not ending.ok and "longer than its time limit of 0.5 s" in ending.words and ending.words.endswith(": here")
    assert 0.5 + program.GRACE <= time.monotonic() - begun < 0.5 + program.LONGEST_BEYOND
    assert running_with("mark-hangs") == []


def test_one_that_takes_the_request_to_end_is_not_ended_harder() -> None:
    ending = program.run(["/bin/sleep", "600"], b"", {}, 0.2)
    assert not ending.ok and ending.seconds < 0.2 + program.GRACE


def test_children_that_outlive_it_are_ended_with_it() -> None:
    child = f"import subprocess, sys; subprocess.Popen([*{PYTHON!r}, {IGNORES!r}, 'mark-child']); print('done')"
    ending = program.run(script(child), b"", {}, 20.0)
    assert ending.ok and "done" in ending.words  # it ended well, and in time
    deadline = time.monotonic() + 5.0
    while running_with("mark-child") and time.monotonic() < deadline:  # whoever takes the end of orphans has its time
        time.sleep(0.02)
    assert running_with("mark-child") == []


def test_a_child_that_has_left_its_group_and_holds_its_output_keeps_nobody_waiting() -> None:
    sleeper = [*PYTHON, "import time; time.sleep(600)", "mark-left"]
    text = f"import subprocess; print('gone on', flush=True); subprocess.Popen({sleeper!r}, start_new_session=True)"
    try:
        ending = program.run(script(text), b"", {}, 20.0)
        assert ending.ok and "gone on" in ending.words and ending.seconds < 10.0
    finally:
        for left in running_with("mark-left"):
            left.kill()


def test_one_that_floods_is_ended_and_little_of_it_is_kept() -> None:
    ending = program.run(script("while True: print('x' * 10000)"), b"", {}, 60.0)
    assert not ending.ok and len(ending.words) < 2 * program.KEPT
    assert ending.words.startswith("ended, as it printed more than 1 MiB")
    assert ending.seconds < 30.0


def test_one_that_reads_nothing_of_a_long_input_keeps_nobody_waiting() -> None:
    assert program.run(script("pass"), b"x" * 2**21, {}, 20.0).ok


def test_no_shell_is_between() -> None:
    ending = program.run(script("import sys; print(sys.argv[1:])", "$HOME; `id` > here"), b"", {}, 20.0)
    assert ending.words.endswith("['$HOME; `id` > here']")


@pytest.mark.parametrize("word", ["a\0b"])
def test_what_no_program_can_be_given_is_said(word: str) -> None:
    assert program.run([sys.executable, "-c", "pass", word], b"", {}, 5.0).words.startswith("not started: embedded null byte")
