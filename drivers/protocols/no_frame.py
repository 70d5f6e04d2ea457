"""Bytes that are no frame of a binary protocol, spoilt or not: whoever looks for a bad cable then looks in the wrong place."""

from __future__ import annotations

TEXT = frozenset(b"\t\r\n") | frozenset(range(0x20, 0x7F))
SHOWN = 40
"""Bytes of a text that are cited."""


def told(data: bytes, protocol: str) -> str:
    """What came instead of an answer, in words; empty where it may have been one."""
    if not any(data):
        return f"{len(data)} zero bytes came, no answer of {protocol}: a wrong baud rate, a broken line, or another program at this port"
    if all(byte in TEXT for byte in data):
        return f"text came, {data[:SHOWN].decode('ascii')!r}, no answer of {protocol}: another program, or a console, is at this port"
    return ""
