"""Access control: every request passes here first.

The token comes once in the address. From then on a cookie with another secret opens the page, so that the
token stays out of links and histories. The cookie belongs to a folder of this server alone, since browsers
send cookies of a host to all its ports, on which others may listen. Requests of other sites' pages, and under
names that are not this server's (a name that was made to point here, DNS rebinding), are refused.
"""

import hashlib
import ipaddress
import secrets
import socket
from collections.abc import Iterable
from dataclasses import dataclass, field
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qs, urlencode

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

LONGEST_QUERY = 2048  # bytes
_LOCAL = frozenset({"localhost", "127.0.0.1", "::1"})

# The page and all it needs come from this server; nothing may put it into a frame.
_HEADERS = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; "
    "connect-src 'self'; img-src 'self' blob: data:; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}


@dataclass(frozen=True)
class Door:
    """The token, and the names under which this server may be called. `addresses`: by any IP address too."""

    token: str = field(default_factory=lambda: secrets.token_urlsafe(24))
    key: str = field(default_factory=lambda: secrets.token_urlsafe(24))  # of the cookie
    names: frozenset[str] = _LOCAL
    addresses: bool = False

    @classmethod
    def at(cls, host: str) -> "Door":
        """Of a server that listens at an address."""
        if host in _LOCAL:
            return cls()
        names = {host.lower(), socket.gethostname().lower(), socket.getfqdn().lower()}
        return cls(names=_LOCAL | names, addresses=True)

    @property
    def cookie(self) -> str:
        """Its name: servers on other ports of this host have cookies of their own."""
        return "squall_" + hashlib.sha256(self.token.encode()).hexdigest()[:10]

    @property
    def folder(self) -> str:
        """The path of the page: "/w-1f2e3d4c5b/"."""
        return f"/w-{self.cookie.removeprefix('squall_')}/"

    def admits(self, token: str) -> bool:
        return secrets.compare_digest(token.encode(), self.token.encode())

    def knows(self, key: str) -> bool:
        """Whether a cookie is one that this server has given."""
        return secrets.compare_digest(key.encode(), self.key.encode())

    def answers_to(self, host: str) -> bool:
        """Whether a Host of a request is a name of this server; the port may be a tunnel's."""
        name = _name(host)
        if name in self.names:
            return True
        try:
            ipaddress.ip_address(name)
        except ValueError:
            return False
        return self.addresses


def _name(host: str) -> str:
    """Without the port: "[::1]:8080" is "::1"."""
    if host.startswith("["):
        return host[1:].partition("]")[0].lower()
    return host.partition(":")[0].lower()


class Guard:
    """Refuses what may not be asked, and says on every answer what browsers may do with it."""

    def __init__(self, app: ASGIApp, door: Door) -> None:
        self._app, self._door = app, door

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":
            return  # no WebSockets: nothing here speaks them

        async def telling(message: Message) -> None:
            if message["type"] == "http.response.start":
                known = {name.lower() for name, _ in message["headers"]}
                more = [(k.encode(), v.encode()) for k, v in _HEADERS.items() if k.encode() not in known]
                message["headers"] = [*message["headers"], *more]
            await send(message)

        answer = self._refusal(scope) or self._entrance(scope)
        await (answer or self._app)(scope if answer else self._within(scope), receive, telling)

    def _within(self, scope: Scope) -> Scope:
        """As the application sees it, which knows nothing of the folder."""
        path = scope["path"].removeprefix(self._door.folder.rstrip("/"))
        return {**scope, "path": path, "raw_path": path.encode()}

    def _refusal(self, scope: Scope) -> Response | None:
        headers = Headers(scope=scope)
        if scope["method"] not in ("GET", "HEAD"):
            return _text("This server accepts only GET and HEAD.", 405)
        if headers.get("content-length", "0") != "0" or "transfer-encoding" in headers:
            return _text("Requests must have no body.", 413)
        if len(scope["query_string"]) > LONGEST_QUERY:
            return _text("The address is too long.", 414)
        if not self._door.answers_to(headers.get("host", "")):
            return _text("This server does not answer to that host name.", 421)
        if _from_elsewhere(headers):
            return _text("Requests from other sites are refused.", 403)
        return None

    def _entrance(self, scope: Scope) -> Response | None:
        """The way in with a token in the address; a refusal without one; None: inside already."""
        asked = parse_qs(scope["query_string"].decode("latin-1"))
        for token in asked.pop("token", []):
            if not self._door.admits(token):
                break
            rest = urlencode(asked, doseq=True)
            # Not the path as it was sent: "//elsewhere" would lead there.
            inside = RedirectResponse(self._door.folder + (f"?{rest}" if rest else ""), 303)
            inside.set_cookie(
                self._door.cookie, self._door.key, httponly=True, samesite="lax", path=self._door.folder
            )
            inside.headers["cache-control"] = "no-store"
            return inside
        within = scope["path"].startswith(self._door.folder)
        if within and any(self._door.knows(key) for key in _cookies(Headers(scope=scope), self._door.cookie)):
            return None
        return _text(
            "Open the address that `squall watch` printed: this one has no token, or a wrong one.",
            401,
        )


def _from_elsewhere(headers: Headers) -> bool:
    """Whether a page of another site asks. Following a link from there is no harm."""
    origin = headers.get("origin")
    if origin is not None and origin.partition("://")[2].lower() != headers.get("host", "").lower():
        return True
    if headers.get("sec-fetch-site") not in ("cross-site", "same-site"):
        return False
    return headers.get("sec-fetch-mode") != "navigate" or headers.get("sec-fetch-dest") != "document"


def _cookies(headers: Headers, name: str) -> Iterable[str]:
    for text in headers.getlist("cookie"):
        try:
            found = SimpleCookie(text).get(name)
        except CookieError:
            continue
        if found is not None:
            yield found.value


def _text(text: str, status: int) -> Response:
    return PlainTextResponse(text + "\n", status, {"cache-control": "no-store"})
