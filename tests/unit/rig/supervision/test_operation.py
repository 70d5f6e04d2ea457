"""Another terminal asks a running test: over a port, with a key that its owner alone can read."""

from __future__ import annotations

import json
import os
import socket
import stat
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rig.errors import ConfigError, RigError
from rig.host.user import user_name
from rig.supervision import operation_client
from rig.supervision.operation_client import NotRunning, Refused, ask
from rig.supervision.operation_server import FILE, OperationServer


@pytest.fixture
def server(tmp_path: Path) -> Iterator[OperationServer]:
    made = OperationServer(tmp_path)
    yield made
    made.close()


def answering(server: OperationServer, **answer: Any) -> list[Any]:
    """Answers the next request; returns the list that it is then in."""
    asked: list[Any] = []

    def wait() -> None:
        while not (found := server.take()):
            time.sleep(0.005)
        asked.extend(found)
        found[0].reply(**answer)

    threading.Thread(target=wait, daemon=True).start()
    return asked


def test_a_request_and_its_answer(server: OperationServer, tmp_path: Path) -> None:
    asked = answering(server, done="hold")
    assert ask(tmp_path, "hold", operator="me", reason="why", key="x") == {"done": "hold"}
    assert asked[0].verb == "hold" and asked[0].data == {"operator": "me", "reason": "why", "key": "x"}


def test_a_refusal_is_told_in_its_words(server: OperationServer, tmp_path: Path) -> None:
    answering(server, refused="the test is stopping")
    with pytest.raises(Refused, match="hold refused: the test is stopping"):
        ask(tmp_path, "hold")


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such modes; the folder's own rights stand there")
def test_the_key_is_for_its_owner_alone(server: OperationServer, tmp_path: Path) -> None:
    assert stat.S_IMODE((tmp_path / FILE).stat().st_mode) == 0o600


def test_without_the_key_nothing_reaches_the_test(server: OperationServer, tmp_path: Path) -> None:
    where = json.loads((tmp_path / FILE).read_text())
    (tmp_path / FILE).write_text(json.dumps({**where, "secret": "0" * 32}))
    with pytest.raises(Refused, match="the key is not that of this test"):
        ask(tmp_path, "stop")
    assert server.take() == []


@pytest.mark.parametrize("line", [b"", b"\n", b"{}\n", b"[1]\n", b"\xff\xfe\n", b'{"secret": 1}\n', b'"stop"\n', b"null\n"])
def test_what_is_no_request_reaches_nothing_and_harms_nothing(server: OperationServer, tmp_path: Path, line: bytes) -> None:
    where = json.loads((tmp_path / FILE).read_text())
    with socket.create_connection((where["host"], where["port"]), 5.0) as one:
        one.sendall(line)
        one.shutdown(socket.SHUT_WR)
        assert b"refused" in one.makefile("rb").readline()
    assert server.take() == []
    answering(server, status={})
    assert ask(tmp_path, "status") == {"status": {}}


def test_one_that_says_nothing_holds_up_nobody(server: OperationServer, tmp_path: Path) -> None:
    where = json.loads((tmp_path / FILE).read_text())
    with socket.create_connection((where["host"], where["port"]), 5.0):
        answering(server, status={})
        begun = time.monotonic()
        ask(tmp_path, "status")
        assert time.monotonic() - begun < 4.0


def test_a_verb_that_there_is_not(server: OperationServer, tmp_path: Path) -> None:
    with pytest.raises(Refused, match="expected hold, resume"):
        ask(tmp_path, "open")


def test_a_test_that_ends_answers_whoever_still_waits(tmp_path: Path) -> None:
    server = OperationServer(tmp_path)
    said: list[str] = []

    def waits() -> None:
        try:
            ask(tmp_path, "hold")
        except (RigError, ConfigError) as error:
            said.append(str(error))

    thread = threading.Thread(target=waits)
    thread.start()
    time.sleep(0.3)
    server.close()
    thread.join(10.0)
    assert said and "ended" in said[0]
    assert not (tmp_path / FILE).exists()


def test_where_nothing_runs(tmp_path: Path) -> None:
    with pytest.raises(NotRunning, match="no test runs there"):
        ask(tmp_path, "hold")
    with pytest.raises(ConfigError, match="no such run"):
        ask(tmp_path / "none" / "there", "hold")


def test_where_the_test_was_killed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    (tmp_path / FILE).write_text(json.dumps({"host": "127.0.0.1", "port": port, "secret": "x", "pid": 1}))
    monkeypatch.setattr(operation_client, "CONNECT", 2.0)
    with pytest.raises(NotRunning, match="ended from outside"):
        ask(tmp_path, "hold")


def test_a_user_without_a_name_can_operate_a_test(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a container whose user is a bare number."""

    def nameless() -> str:
        raise KeyError("getpwuid(): uid not found: 4711")

    monkeypatch.setattr("getpass.getuser", nameless)
    assert user_name() == "unknown"
