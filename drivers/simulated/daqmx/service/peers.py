"""Addresses that calls come from and that a server listens at."""

from __future__ import annotations

import ipaddress

import psutil


def is_loopback(host: str) -> bool:
    """Whether an address is of this machine only."""
    try:
        return host == "localhost" or ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def is_gone(peer: str) -> bool:
    """Whether the connection from `peer` (`ipv4:127.0.0.1:40000`) has ended; only addresses of that kind can be told."""
    if not peer.startswith("ipv4:"):
        return False
    host, _, port = peer.removeprefix("ipv4:").rpartition(":")
    # A socket that listens for both families names its IPv4 callers `::ffff:127.0.0.1`.
    callers = [c for c in psutil.Process().net_connections("tcp") if c.raddr and c.raddr.port == int(port)]
    return not any(c.raddr.ip.removeprefix("::ffff:") == host and c.status == psutil.CONN_ESTABLISHED for c in callers)
