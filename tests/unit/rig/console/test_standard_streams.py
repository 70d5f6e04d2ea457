"""Streams that are closed, have lost their reader, or cannot encode: a program goes on, with the exit code that it has otherwise."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.tiers import quick

ROOT = Path(__file__).parents[4]
PREPARED = "import sys\nfrom rig.console import standard_streams\nstandard_streams.prepare()\n"
SIGNS = "force ≤ 0.5 %, 3 µm, 5° ± 1 m/s², Prüfstand"


def ran(program: str, shell: str = "", **environment: str) -> subprocess.CompletedProcess[bytes]:
    """`program` behind prepared streams, in a shell with the redirections `shell`."""
    command = ["sh", "-c", f'exec "$0" -c "$1" {shell}', sys.executable, PREPARED + program]
    with_it = {**os.environ, "PYTHONPATH": str(ROOT), **environment}
    return subprocess.run(command, capture_output=True, env=with_it, timeout=60, stdin=subprocess.DEVNULL)


@pytest.mark.parametrize(
    ("encoding", "written"),
    [
        ("utf-8", "force ≤ 0.5 %, 3 µm, 5° ± 1 m/s², Prüfstand".encode()),
        ("cp1252", b"force <= 0.5 %, 3 um, 5deg +- 1 m/s^2, Pr\xfcfstand"),
        ("latin-1", b"force <= 0.5 %, 3 um, 5deg +- 1 m/s^2, Pr\xfcfstand"),
        ("cp437", b"force <= 0.5 %, 3 um, 5deg +- 1 m/s^2, Pr\x81fstand"),
        ("ascii:strict", rb"force <= 0.5 %, 3 um, 5deg +- 1 m/s^2, Pr\xfcfstand"),
    ],
)
def test_signs_that_a_code_page_lacks_are_spelt_out(encoding: str, written: bytes) -> None:
    done = ran(f"print({SIGNS!r}); print({SIGNS!r}, file=sys.stderr)", PYTHONIOENCODING=encoding)
    assert (done.returncode, done.stdout.strip(), done.stderr.strip()) == (0, written, written)


@pytest.mark.parametrize("encoding", ["utf-8", "cp1252"])
def test_a_byte_that_is_no_text_is_shown_by_its_number(encoding: str) -> None:
    done = ran(r"print('Pr\udcfcf \ud83d')", PYTHONIOENCODING=encoding)
    assert (done.returncode, done.stdout.strip(), done.stderr) == (0, rb"Pr\xfcf \ud83d", b"")


CLOSED = (">&-", "2>&-", ">&- 2>&-", "<&- >&- 2>&-", "</dev/null 1</dev/null", "2>/dev/full")


@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("closed", quick(CLOSED, [">&- 2>&-", "2>/dev/full"]))
def test_without_a_stream_the_program_ends_as_it_would(closed: str, unbuffered: str, tmp_path: Path) -> None:
    """What is opened next does not get the number of a closed stream, and the messages into it."""
    file = tmp_path / "results"
    program = f"""
with open({str(file)!r}, "w") as kept:
    print("told")
    print("warned", file=sys.stderr, flush=True)
    print("typed", repr(sys.stdin.readline()), file=kept)
sys.exit(7)"""
    done = ran(program, closed, PYTHONUNBUFFERED=unbuffered)
    assert done.returncode == 7
    assert b"Traceback" not in done.stderr
    assert file.read_text(encoding="utf-8") == "typed ''\n"


@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("stream", ["stdout", "stderr"])
def test_a_reader_that_leaves_ends_nothing(stream: str, unbuffered: str) -> None:
    """As `| head` does: everything that is written behind it goes nowhere, and the exit code stays."""
    program = PREPARED + f"sys.stdin.read()\nfor _ in range(3):\n    print('x' * 100000, file=sys.{stream}, flush=True)\nsys.exit(7)"
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": unbuffered}
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    with subprocess.Popen([sys.executable, "-c", program], env=environment, **pipes) as process:  # type: ignore[call-overload]
        getattr(process, stream).close()
        process.stdin.close()
        assert process.wait(60) == 7
        other = process.stderr if stream == "stdout" else process.stdout
        assert other.read() == b""


def test_a_result_that_the_disk_does_not_hold_is_an_error_once() -> None:
    program = """
try:
    print("result", flush=True)
except OSError as error:
    sys.exit(f"errno {error.errno}")"""
    done = ran(program, ">/dev/full")
    assert (done.returncode, done.stderr.strip()) == (1, b"errno 28")


def test_without_streams_at_all_as_a_program_of_windows_without_a_console() -> None:
    """`pythonw` gives None for each."""
    program = "import sys\nsys.stdin = sys.stdout = sys.stderr = None\nfrom rig.console import standard_streams as ours\nours.prepare()\n"
    program += "print('≤'); print('≤', file=sys.stderr); sys.exit(7 if sys.stdin.readline() == '' else 8)"
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (7, b"", b"")


def test_nonsense_that_is_typed_is_text() -> None:
    """Bytes that are no UTF-8, as a terminal with another encoding sends them."""
    program = PREPARED + "print(ascii(sys.stdin.readline()))"
    environment = {**os.environ, "PYTHONIOENCODING": "utf-8"}
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, input=b"f\xfcnf\n", env=environment, capture_output=True, timeout=60)
    assert (done.returncode, done.stdout.strip()) == (0, rb"'f\ufffdnf\n'")
