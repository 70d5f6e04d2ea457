"""Where a running test takes what an operator asks for from another terminal: a port of this computer, and a key that only the user who
runs the test can read.

The folder of the run holds `operation.json`, port and key, readable by its owner alone. One line of JSON comes in, one goes back.
"""

from __future__ import annotations

import contextlib
import hmac
import json
import os
import queue
import secrets
import socketserver
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from drivers.files.plain_values import Json

FILE = "operation.json"
HOST = "127.0.0.1"
LINE = 1 << 16  # bytes of one request
LOOK = 0.05  # s between two looks whether the test has ended
HEAR, ANSWER = 5.0, 10.0  # s for a request to come in, and for the test to answer it
VERBS = ("hold", "resume", "stop", "set", "status", "inject")


@dataclass
class Request:
    """What was asked; `reply` answers it, once."""

    verb: str
    data: Mapping[str, Json]
    _answer: dict[str, object] = field(default_factory=dict)
    _done: threading.Event = field(default_factory=threading.Event)

    def reply(self, **answer: object) -> None:
        """Let whoever waits for it have the answer."""
        if not self._done.is_set():
            self._answer = answer
            self._done.set()

    def refuse(self, why: str) -> None:
        """Answer that it is not done, and why."""
        self.reply(refused=why)

    def wait(self) -> dict[str, object]:
        """The answer."""
        self._done.wait(ANSWER)
        return self._answer or {"refused": f"the test has not answered within {ANSWER:g} s"}


class OperationServer:
    """Requests are taken by `take`, in the thread that runs the test."""

    def __init__(self, run_dir: Path) -> None:
        """Raises OSError where the folder takes no file."""
        self._requests: queue.SimpleQueue[Request] = queue.SimpleQueue()
        self._file, key = run_dir / FILE, secrets.token_hex(16)
        with os.fdopen(os.open(self._file, os.O_CREAT | os.O_WRONLY | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:
            self._server = _Server((HOST, 0), key, self._requests)
            json.dump({"host": HOST, "port": self._server.server_address[1], "secret": key, "pid": os.getpid()}, file)
        threading.Thread(target=self._server.serve_forever, args=(LOOK,), name="operation", daemon=True).start()

    def take(self) -> list[Request]:
        """What has been asked since the last call."""
        found = []
        with contextlib.suppress(queue.Empty):
            while True:
                found.append(self._requests.get_nowait())
        return found

    def close(self) -> None:
        """Nobody can ask any more."""
        for request in self.take():
            request.refuse("the test has ended")
        self._server.shutdown()
        self._server.server_close()
        self._file.unlink(missing_ok=True)


class _Server(socketserver.ThreadingTCPServer):
    daemon_threads = True
    allow_reuse_address = True

    def __init__(self, address: tuple[str, int], key: str, requests: queue.SimpleQueue[Request]) -> None:
        self.key, self.requests = key, requests
        super().__init__(address, _Handler)


class _Handler(socketserver.StreamRequestHandler):
    timeout = HEAR
    server: _Server

    def handle(self) -> None:
        with contextlib.suppress(OSError):  # whoever asked has gone, or says nothing
            answer = self._answer(self.rfile.readline(LINE))
            self.wfile.write(json.dumps(answer).encode() + b"\n")

    def _answer(self, line: bytes) -> dict[str, object]:
        try:
            asked = json.loads(line)
            key, verb = str(asked.pop("secret")), str(asked.pop("verb"))
        except (ValueError, LookupError, AttributeError, TypeError):
            return {"refused": "this is no request"}
        if not hmac.compare_digest(key.encode(), self.server.key.encode()):
            return {"refused": "the key is not that of this test"}
        if verb not in VERBS:
            return {"refused": f"{verb}: expected {', '.join(VERBS)}"}
        request = Request(verb, asked)
        self.server.requests.put(request)
        return request.wait()
