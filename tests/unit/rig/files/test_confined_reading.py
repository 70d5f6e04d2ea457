"""A function in a process of its own: its result, its errors, and an end by each of the limits."""

from __future__ import annotations

import ctypes
import os
import pickle
import time
from collections.abc import Iterator
from typing import Any, NoReturn

import numpy as np
import psutil
import pytest

from rig.files.confined_reading import ReadingProcess, Unreadable, confined

pytestmark = pytest.mark.usefixtures("processes_of_their_own")


def halved(values: np.ndarray) -> np.ndarray:
    print("printed by a library")
    return values / 2.0


def refused(kind: type[Exception], text: str) -> NoReturn:
    raise kind(text)


def fill(megabytes: int) -> int:
    return len(bytearray(b"x") * (megabytes * 1_000_000))


def fill_in_steps() -> NoReturn:
    kept = []
    while True:
        kept.append(np.ones(1_000_000))


def crash() -> None:
    ctypes.string_at(8)


def end(code: int) -> NoReturn:
    os._exit(code)


def where() -> int:
    return os.getpid()


@pytest.fixture(scope="module")
def process() -> Iterator[ReadingProcess]:
    with ReadingProcess() as one:
        yield one


def test_results_come_back_and_the_same_process_answers_again(process: ReadingProcess) -> None:
    values = np.random.default_rng(1).normal(size=200_000)
    assert np.array_equal(process.call(halved, values), values / 2.0)
    assert process.call(where) == process.call(where) != os.getpid()


@pytest.mark.parametrize(
    ("kind", "raised", "said"),
    [
        (ValueError, ValueError, "no such column"),
        (UnicodeError, ValueError, "no such column"),
        (FileNotFoundError, OSError, "no such column"),
        (KeyError, Unreadable, r"cannot be read \(KeyError: 'no such\\n column'\)"),
        (RuntimeError, Unreadable, r"cannot be read \(RuntimeError: no such column\)"),
    ],
)
def test_errors_come_back_in_one_line(kind: Any, raised: Any, said: str, process: ReadingProcess) -> None:
    with pytest.raises(raised, match=said) as error:
        process.call(refused, kind, "no such\n column")
    assert "\n" not in str(error.value)
    assert process.alive


def test_what_cannot_be_sent_is_an_error_of_the_caller(process: ReadingProcess) -> None:
    with pytest.raises((AttributeError, pickle.PicklingError)):
        process.call(lambda: None)
    assert process.call(where) != os.getpid()


def test_memory_beyond_the_limit_is_refused() -> None:
    with ReadingProcess(megabytes=150) as process:
        assert process.call(fill, 20) == 20_000_000
        with pytest.raises(Unreadable, match="more memory to read"):
            process.call(fill, 400)
        with pytest.raises(Unreadable, match="more memory to read"):
            process.call(fill_in_steps)


@pytest.mark.parametrize(("call", "said"), [((crash,), r"came to grief \(.*1"), ((end, 7), r"came to grief \(exit 7\)")])
def test_a_process_that_dies_is_told(call: Any, said: str) -> None:
    with ReadingProcess() as process:
        with pytest.raises(Unreadable, match=said):
            process.call(*call)
        assert not process.alive


def turn_for_ever() -> NoReturn:
    while True:
        pass


def test_processor_time_beyond_the_limit_ends_it_and_leaves_nothing_behind() -> None:
    before = set(psutil.Process().children())
    with ReadingProcess(seconds=0.2) as process:
        with pytest.raises(Unreadable, match=r"more than 0\.2 s of processor time"):
            process.call(turn_for_ever)
        assert not process.alive
    assert confined(where) != os.getpid()
    assert set(psutil.Process().children()) <= before


def test_a_process_that_is_kept_waiting_has_the_time_that_it_needs() -> None:
    """As one is by a busy machine: the clock goes on, its processor time does not."""
    with ReadingProcess(seconds=0.2) as process:
        assert process.call(time.sleep, 1.0) is None


def test_a_process_that_stands_still_is_ended() -> None:
    with ReadingProcess() as process:
        assert process.call(where) != os.getpid()
        process.still = 0.2
        with pytest.raises(Unreadable, match=r"nothing more of it has been read for 0\.2 s"):
            process.call(time.sleep, 600.0)
        assert not process.alive
