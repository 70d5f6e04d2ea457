"""What is in no table, or not built: the transport answers UNIMPLEMENTED."""

from __future__ import annotations


class NotServed(Exception):
    """The text says what is not served."""
