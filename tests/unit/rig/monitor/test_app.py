"""The page's server, asked as a browser and as somebody who means no good would."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from starlette.testclient import TestClient

from rig.commands.running.monitor import _as_json
from rig.monitor.access import COOKIE, Access, Address
from rig.monitor.app import HEADERS, application
from rig.report.summary import PICTURE

TOKEN = "0123456789abcdef" * 4
STATUS = {"run": "0001-test", "state": "running", "channels": {"force": {"unit": "N", "value": float("nan"), "low": None, "high": 1.0}}}
LOCAL = "http://localhost:8080"


class Watched:
    """An observation without a test."""

    status = STATUS

    def __init__(self, folder: Path) -> None:
        self.picture_file = folder / PICTURE
        self.asked: list[str] = []

    def view(self, channel: str) -> dict[str, Any]:
        self.asked.append(channel)
        return {"status": {}, "channel": channel}


def client(folder: Path, access: Access, address: Address, base: str = LOCAL) -> Any:
    said: list[str] = []
    observation: Any = Watched(folder)
    app = application(observation, access, address, _as_json, lambda: said.append(access.link))
    made = TestClient(app, base_url=base, follow_redirects=False, raise_server_exceptions=True)
    return SimpleNamespace(get=made.get, request=made.request, head=made.head, said=said, observation=observation, cookies=made.cookies)


@pytest.fixture
def local(tmp_path: Path) -> Any:
    return client(tmp_path, Access(None), Address())


def test_what_is_read(local: Any, tmp_path: Path) -> None:
    page = local.get("/")
    assert page.status_code == 200 and "aria-live" in page.text and "lang=" in page.text
    for name in ("page.css", "page.js", "icon.svg"):
        assert local.get(f"/{name}").status_code == 200
    status = local.get("/status.json").json()
    assert status["command"] == "status" and status["schema"] == 1 and status["exit_code"] == 0 and status["state"] == "running"
    assert status["channels"]["force"]["value"] is None  # JSON knows no NaN
    assert local.get("/view.json", params={"channel": "x" * 5000}).json()["channel"] == "x" * 200
    assert local.get("/overlay.png").status_code == 404
    (tmp_path / PICTURE).write_bytes(b"png")
    assert local.get("/overlay.png").content == b"png" and local.head("/").status_code == 200


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT", "PROPFIND"])
@pytest.mark.parametrize("path", ["/", "/status.json", "/none"])
def test_everything_but_reading_is_refused(local: Any, method: str, path: str) -> None:
    answer = local.request(method, path)
    assert answer.status_code == 405 and answer.headers["allow"] == "GET, HEAD" and not local.observation.asked


@pytest.mark.parametrize("path", ["/", "/page.js", "/status.json", "/view.json", "/overlay.png", "/none", "/../pyproject.toml", "/enter"])
def test_every_answer_has_its_headers_and_nothing_from_elsewhere(local: Any, path: str) -> None:
    answer = local.get(path)
    assert {name: answer.headers.get(name) for name in HEADERS} == HEADERS
    policy = answer.headers["content-security-policy"]
    assert policy.startswith("default-src 'none'") and "unsafe" not in policy and "http" not in policy and "*" not in policy


def test_the_page_has_nothing_inline_and_asks_nobody_else() -> None:
    assets = Path(__file__).parents[4] / "rig/monitor/assets"
    page = (assets / "page.html").read_text()
    assert " style=" not in page and "<style" not in page and "onclick" not in page and "<script>" not in page
    for file in assets.iterdir():
        text = file.read_text().replace("http://www.w3.org/2000/svg", "")
        assert "http://" not in text and "https://" not in text and "//cdn" not in text, file
        assert "innerHTML" not in text and "eval(" not in text, file


@pytest.mark.parametrize("host", ["evil.example", "evil.example:8080", "localhost.evil.example", "10.0.0.7", "", "127.0.0.1.evil.example"])
def test_on_this_computer_s_address_a_foreign_name_leads_nowhere(tmp_path: Path, host: str) -> None:
    assert client(tmp_path, Access(None), Address()).get("/", headers={"host": host}).status_code == 421


@pytest.mark.parametrize("host", ["localhost", "localhost:8080", "127.0.0.1:1", "[::1]:8080", "[::1]"])
def test_its_own_names_do(tmp_path: Path, host: str) -> None:
    assert client(tmp_path, Access(None), Address()).get("/", headers={"host": host}).status_code == 200


PATHS = ("/", "/page.js", "/page.css", "/icon.svg", "/status.json", "/view.json", "/overlay.png", "/none")


@pytest.fixture
def afar(tmp_path: Path) -> Any:
    certificate = Path("c.pem")
    return client(tmp_path, Access(TOKEN), Address("0.0.0.0", 8080, certificate, certificate), "https://bench.example.org:8080")


@pytest.mark.parametrize("path", PATHS)
def test_from_another_address_there_is_nothing_without_a_token(afar: Any, path: str) -> None:
    for headers in ({}, {"authorization": "Bearer x"}, {"cookie": f"{COOKIE}=x"}, {"authorization": TOKEN}):
        answer = afar.get(path, headers=headers)
        assert answer.status_code == 401 and "running" not in answer.text and "0001-test" not in answer.text
    assert afar.request("POST", path).status_code == 405
    assert not afar.observation.asked
    assert afar.get(path, headers={"authorization": f"Bearer {TOKEN}"}).status_code in (200, 404)


def test_a_link_sets_a_cookie_once_and_a_new_one_is_said(afar: Any) -> None:
    assert afar.get("/enter?once=wrong").status_code == 401 and not afar.said
    access = Access(TOKEN)
    made = client(Path("/nonexistent"), access, Address("0.0.0.0", 1, Path("c"), Path("k")), "https://bench:1")
    first = access.link
    answer = made.get(first)
    assert answer.status_code == 303 and answer.headers["location"] == "/" and len(made.said) == 1
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie and "secure" in cookie and "samesite=lax" in cookie and TOKEN not in cookie
    assert made.get("/status.json").status_code == 200  # by the cookie
    assert made.get(first).status_code == 401 and made.said[0] != first
    assert made.head(made.said[0]).status_code == 401  # whoever only looks whether a link is there uses none up


def test_a_status_is_one_object_whatever_it_holds() -> None:
    assert json.loads(_as_json({"x": float("inf")}))["x"] is None
