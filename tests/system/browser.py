"""A headless Chromium that is asked and told by its DevTools: what a page says, asks for and complains of."""

from __future__ import annotations

import base64
import json
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from websockets.sync.client import ClientConnection, connect

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
START, ANSWER = 60.0, 60.0  # s, on a busy machine
FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--no-default-browser-check",
    "--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-extensions", "--mute-audio",
    "--remote-debugging-port=0", "--remote-allow-origins=*",
)  # fmt: skip


def executable() -> str:
    """Raises AssertionError where there is none: the page of a test is not tested without."""
    found = next((path for name in NAMES if (path := shutil.which(name))), None)
    assert found, "no Chromium: apt-get install chromium-headless-shell (make setup does it where this is root on a Debian system)"
    return found


class Page:
    """One page. What it logs, and which requests it makes, is kept in `complaints` and `requests`."""

    def __init__(self, line: ClientConnection) -> None:
        self._line, self._number = line, 0
        self.complaints: list[str] = []
        self.requests: list[str] = []
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.call(f"{domain}.enable")

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        """One command; its result."""
        self._number += 1
        self._line.send(json.dumps({"id": self._number, "method": method, "params": parameters}))
        deadline = time.monotonic() + ANSWER
        while True:
            message = json.loads(self._line.recv(timeout=max(0.1, deadline - time.monotonic())))
            if message.get("id") == self._number:
                assert "error" not in message, message
                return dict(message["result"])
            self._note(message.get("method", ""), message.get("params", {}))

    def _note(self, method: str, data: dict[str, Any]) -> None:
        if method == "Network.requestWillBeSent":
            self.requests.append(data["request"]["url"])
        elif method == "Runtime.exceptionThrown":
            self.complaints.append(json.dumps(data["exceptionDetails"]))
        elif method == "Log.entryAdded" and data["entry"]["level"] in ("error", "warning"):
            self.complaints.append(f"{data['entry']['text']} {data['entry'].get('url', '')}")
        elif method == "Runtime.consoleAPICalled" and data["type"] in ("error", "warning", "assert"):
            self.complaints.append(json.dumps(data["args"]))

    def open(self, url: str) -> None:
        self.call("Page.navigate", url=url)

    def ask(self, expression: str) -> Any:
        """The value of an expression of JavaScript in the page."""
        found = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in found, found
        return found["result"].get("value")

    def wait_for(self, expression: str, patience: float = ANSWER) -> Any:
        """Until it is true."""
        deadline = time.monotonic() + patience
        while not (found := self.ask(expression)):
            assert time.monotonic() < deadline, (
                f"{expression}: not within {patience:g} s; {self.ask('document.body && document.body.innerText')}"
            )
            time.sleep(0.05)
        return found

    def text(self, element: str) -> str:
        """Of the element with an id."""
        return str(self.ask(f"document.getElementById('{element}').textContent"))

    def size(self, width: int, height: int, phone: bool = False) -> None:
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=2 if phone else 1, mobile=phone)

    def scheme(self, name: str) -> None:
        """light or dark"""
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": name}])

    def picture(self, file: Path) -> None:
        """Of the whole page."""
        data = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=True)
        file.write_bytes(base64.b64decode(data["data"]))


@contextmanager
def browser(folder: Path, *flags: str) -> Iterator[Page]:
    """A page of a browser with a profile of its own; nothing of it is left."""
    profile = folder / "profile"
    process = subprocess.Popen(
        [executable(), *FLAGS, f"--user-data-dir={profile}", *flags, "about:blank"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        # A page that says much while nobody listens, on a machine that has no time for it, is no page that is gone.
        with connect(_address(profile, process), open_timeout=START, max_size=2**26, max_queue=None, ping_interval=None) as line:
            yield Page(line)
    finally:
        process.kill()
        process.wait(START)


def _address(profile: Path, process: subprocess.Popen[bytes]) -> str:
    """Of the first page's DevTools."""
    import urllib.request

    active, deadline = profile / "DevToolsActivePort", time.monotonic() + START
    while not (active.exists() and len(active.read_text().splitlines()) == 2):
        assert process.poll() is None, f"the browser has ended with exit {process.returncode}"
        assert time.monotonic() < deadline, "the browser has not come up"
        time.sleep(0.05)
    port = active.read_text().splitlines()[0]
    while True:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/json/list", timeout=START) as answer:
            pages = [one for one in json.load(answer) if one["type"] == "page"]
        if pages:
            return str(pages[0]["webSocketDebuggerUrl"])
        assert time.monotonic() < deadline, "the browser shows no page"
        time.sleep(0.05)
