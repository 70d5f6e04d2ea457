"""Who may look at the page: at another address nobody without token and TLS, by whatever name and in whatever way they come."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from rig.errors import ConfigError
from rig.monitor.access import Access, Address, need_allowed, read_token

TOKEN = "0123456789abcdef" * 4


@pytest.fixture(scope="module")
def tls(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A certificate of our own, and its key."""
    folder = tmp_path_factory.mktemp("tls")
    certificate, key = folder / "certificate.pem", folder / "key.pem"
    made = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"]
    subprocess.run([*made, "-subj", "/CN=bench", "-keyout", key, "-out", certificate], check=True, capture_output=True)
    return certificate, key


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "::1", "127.9.9.9"])
def test_this_computer_s_own_addresses_need_nothing(host: str) -> None:
    need_allowed(Address(host), None)


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.7", "bench.example.org", ""])
def test_another_address_needs_token_and_tls_and_says_what_is_missing(host: str, tls: tuple[Path, Path]) -> None:
    certificate, key = tls
    with pytest.raises(ConfigError, match=r"missing: --token-file FILE and --certificate FILE --key FILE\. Without --host"):
        need_allowed(Address(host), None)
    with pytest.raises(ConfigError, match="missing: --certificate FILE --key FILE"):
        need_allowed(Address(host), TOKEN)
    with pytest.raises(ConfigError, match=r"missing: --token-file FILE\."):
        need_allowed(Address(host, 0, certificate, key), None)
    need_allowed(Address(host, 0, certificate, key), TOKEN)


def test_files_that_are_no_tls_are_refused(tls: tuple[Path, Path], tmp_path: Path) -> None:
    certificate, key = tls
    with pytest.raises(ConfigError, match="go together"):
        need_allowed(Address("127.0.0.1", 0, certificate), None)
    with pytest.raises(ConfigError, match="no TLS with these"):
        need_allowed(Address("127.0.0.1", 0, key, certificate), None)
    with pytest.raises(ConfigError, match="no TLS with these"):
        need_allowed(Address("127.0.0.1", 0, tmp_path / "none", key), None)


def test_a_token_is_its_owner_s_alone_and_long_enough(tmp_path: Path) -> None:
    file = tmp_path / "token"
    with pytest.raises(ConfigError, match="openssl rand"):
        read_token(file)
    file.write_text(TOKEN + "\n")
    file.chmod(0o640)
    with pytest.raises(ConfigError, match="others can read it; chmod 600"):
        read_token(file)
    file.chmod(0o600)
    assert read_token(file) == TOKEN
    file.write_text("short")
    with pytest.raises(ConfigError, match="at least 32 characters, got 5"):
        read_token(file)


def test_a_header_or_the_cookie_of_a_link_lets_in_and_nothing_else() -> None:
    access = Access(TOKEN)
    assert access.allows(f"Bearer {TOKEN}", None) and access.allows(f"bearer {TOKEN}", None) and access.allows(None, access.session)
    for header in (None, "", TOKEN, f"Basic {TOKEN}", "Bearer ", "Bearer x", f"Bearer {TOKEN}x", "Bearer ü"):
        assert not access.allows(header, None)
    assert not access.allows(None, TOKEN) and not access.allows(None, "")
    assert Access(None).allows(None, None)


def test_a_link_lets_in_once() -> None:
    access = Access(TOKEN)
    once = access.link.rpartition("=")[2]
    assert not access.enter("") and not access.enter("x") and access.enter(once) and not access.enter(once)
    assert access.link.rpartition("=")[2] != once and TOKEN not in access.link
    assert not Access(None).enter(Access(None).link.rpartition("=")[2])
