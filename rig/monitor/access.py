"""Who may look, and at what address: this computer's own without more ado, another one with a token and over TLS only."""

from __future__ import annotations

import hmac
import ipaddress
import secrets
import ssl
import stat
import sys
from dataclasses import dataclass, field
from pathlib import Path

from rig.errors import ConfigError

LEAST = 32  # characters of a token
COOKIE = "rig_monitor"
LOCAL = "127.0.0.1"
MAKE = "make one with: (umask 077; openssl rand -hex 32 > FILE)"


@dataclass(frozen=True)
class Address:
    """Where the page is served; certificate and key: files of TLS."""

    host: str = LOCAL
    port: int = 0
    certificate: Path | None = None
    key: Path | None = None

    @property
    def local(self) -> bool:
        """Whether only this computer reaches it."""
        return self.host == "localhost" or (_is_address(self.host) and ipaddress.ip_address(self.host).is_loopback)

    @property
    def scheme(self) -> str:
        return "http" if self.certificate is None else "https"

    def url(self, port: int) -> str:
        """Of the page."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{self.scheme}://{host}:{port}"


def need_allowed(address: Address, token: str | None) -> None:
    """Raises ConfigError, in one message, for an address that may not be served so."""
    if (address.certificate is None) != (address.key is None):
        raise ConfigError("--certificate and --key go together: the certificate of TLS, and its private key, as two files (PEM)")
    missing = [
        *(["--token-file FILE"] if token is None else []),
        *(["--certificate FILE --key FILE"] if address.certificate is None else []),
    ]
    if not address.local and missing:
        raise ConfigError(
            f"--host {address.host}: others can reach this address, so it is served with a token and over TLS only; missing: "
            f"{' and '.join(missing)}. Without --host only this computer sees the page, and an SSH tunnel brings it to another one"
        )
    if address.certificate is not None:
        try:
            ssl.create_default_context(ssl.Purpose.CLIENT_AUTH).load_cert_chain(address.certificate, address.key)
        except (OSError, ssl.SSLError) as error:
            raise ConfigError(f"--certificate {address.certificate}, --key {address.key}: no TLS with these: {error}") from error


def read_token(file: Path) -> str:
    """The token that stands in a file. Raises ConfigError for one that others can read, or that is too short to be none that is guessed."""
    try:
        mode, token = file.stat().st_mode, file.read_text(encoding="ascii").strip()
    except (OSError, ValueError) as error:
        raise ConfigError(f"--token-file {file}: {getattr(error, 'strerror', None) or 'it is no plain text'}; {MAKE}") from error
    if sys.platform != "win32" and mode & (stat.S_IRWXG | stat.S_IRWXO):
        raise ConfigError(f"--token-file {file}: others can read it; chmod 600 {file}")
    if len(token) < LEAST or not token.isprintable() or " " in token:
        raise ConfigError(f"--token-file {file}: expected one word of at least {LEAST} characters, got {len(token)}; {MAKE}")
    return token


@dataclass
class Access:
    """Without a token everybody who reaches the address may look."""

    token: str | None = None
    _session: str = field(default_factory=lambda: secrets.token_urlsafe(32))
    _once: str = field(default_factory=lambda: secrets.token_urlsafe(32))

    @property
    def link(self) -> str:
        """Path that lets one browser in, once."""
        return f"/enter?once={self._once}"

    @property
    def session(self) -> str:
        """What the cookie of a browser that was let in holds."""
        return self._session

    def allows(self, header: str | None, cookie: str | None) -> bool:
        """By `Authorization: Bearer TOKEN`, or by the cookie. In constant time."""
        if self.token is None:
            return True
        scheme, _, given = (header or "").partition(" ")
        by_header = _same(given.strip(), self.token) and scheme.lower() == "bearer"
        return by_header or _same(cookie or "", self._session)

    def enter(self, given: str) -> bool:
        """Whether a link is the one that holds; it does not hold again, and there is a new one."""
        if self.token is None or not _same(given, self._once):
            return False
        self._once = secrets.token_urlsafe(32)
        return True


def _same(given: str, expected: str) -> bool:
    return hmac.compare_digest(given.encode("utf-8", "replace"), expected.encode())


def _is_address(text: str) -> bool:
    try:
        ipaddress.ip_address(text)
    except ValueError:
        return False
    return True
