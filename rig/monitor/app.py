"""The web application: five things to read, and nothing else. Whatever is asked for in another way is refused before it is looked at."""

from __future__ import annotations

import ipaddress
import json
from collections.abc import Callable, Mapping
from importlib.resources import files
from pathlib import Path

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request, cookie_parser
from starlette.responses import FileResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from rig.monitor.access import COOKIE, Access, Address
from rig.monitor.observation import Observation

READING = ("GET", "HEAD")
ASSETS = {"page.css": "text/css", "page.js": "text/javascript", "limits.js": "text/javascript", "icon.svg": "image/svg+xml"}
HEADERS = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
    "cache-control": "no-store",
}
LONGEST_NAME = 200  # characters of a channel's name
AsJson = Callable[[Mapping[str, object]], str]


class Guard:
    """In front of the application: only reading, only who may, and every answer with its headers."""

    def __init__(self, app: ASGIApp, access: Access, address: Address, let_in: Callable[[], None]) -> None:
        """let_in: called when a link has been used up, as there is a new one."""
        self._app, self._access, self._address, self._let_in = app, access, address, let_in

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":
            await send({"type": "websocket.close", "code": 1008})
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(HEADERS)
            await send(message)

        refused = self._refused(scope)
        await (self._app if refused is None else refused)(scope, receive, send_with_headers)

    def _refused(self, scope: Scope) -> Response | None:
        headers = Headers(scope=scope)
        if scope["method"] not in READING:
            return PlainTextResponse("this page only reads; expected GET\n", 405, {"allow": ", ".join(READING)})
        if self._address.local and not _is_local(headers.get("host", "")):  # a name of somebody else's that leads here
            return PlainTextResponse("this page is for this computer; open it as localhost\n", 421)
        if scope["path"] == "/enter":
            return self._enter(scope)
        if not self._access.allows(headers.get("authorization"), cookie_parser(headers.get("cookie", "")).get(COOKIE)):
            text = "a token is needed: Authorization: Bearer TOKEN, or the link that rig monitor has printed\n"
            return PlainTextResponse(text, 401, {"www-authenticate": "Bearer"})
        return None

    def _enter(self, scope: Scope) -> Response:
        if scope["method"] != "GET" or not self._access.enter(Request(scope).query_params.get("once", "")):
            return PlainTextResponse("this link does not hold, or not any more; rig monitor has printed a newer one\n", 401)
        self._let_in()
        response = RedirectResponse("/", 303)
        secure = self._address.certificate is not None
        # Not "strict": a browser that comes from a link in a mail would not send it to the page that it is led to.
        response.set_cookie(COOKIE, self._access.session, secure=secure, httponly=True, samesite="lax")
        return response


def application(observation: Observation, access: Access, address: Address, as_json: AsJson, let_in: Callable[[], None]) -> ASGIApp:
    """The page of one run. as_json: of the fields of a status."""
    assets = {name: (files("rig.monitor") / "assets" / name).read_bytes() for name in (*ASSETS, "page.html")}

    async def page(request: Request) -> Response:
        return Response(assets["page.html"], media_type="text/html")

    def asset(name: str) -> Route:
        async def answer(request: Request) -> Response:
            return Response(assets[name], media_type=ASSETS[name])

        return Route(f"/{name}", answer)

    async def status(request: Request) -> Response:
        return Response(as_json(observation.status), media_type="application/json")

    async def view(request: Request) -> Response:
        channel = request.query_params.get("channel", "")[:LONGEST_NAME]
        found = await run_in_threadpool(observation.view, channel)
        return Response(json.dumps(found, allow_nan=False), media_type="application/json")

    async def picture(request: Request) -> Response:
        path: Path = observation.picture_file
        return FileResponse(path) if path.is_file() else PlainTextResponse("there is no picture yet\n", 404)

    routes = [
        Route("/", page),
        *map(asset, ASSETS),
        Route("/status.json", status),
        Route("/view.json", view),
        Route("/overlay.png", picture),
    ]
    return Guard(Starlette(routes=routes), access, address, let_in)


def _is_local(host: str) -> bool:
    """Whether the name by which somebody came here is one of this computer's own."""
    name = host.rpartition(":")[0] if host.rpartition(":")[2].isdigit() and not host.endswith("]") else host
    name = name.strip("[]")
    if name == "localhost":
        return True
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False
