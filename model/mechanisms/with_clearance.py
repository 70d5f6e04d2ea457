"""Mechanisms whose clearance joints share one play and one contact: what four of them say of it in the same words."""

from __future__ import annotations

from dataclasses import replace
from typing import Protocol, Self

from model.contact import laws
from model.mechanisms.mechanism import Dataclass, Mechanism


class Contact(Dataclass, Protocol):
    """Keys of a contact."""

    @property
    def law(self) -> str: ...


class WithClearance(Mechanism):
    """`clearance`: m, as the kind counts it."""

    clearance: float
    contact: Contact

    @property
    def play(self) -> float:
        """See `Mechanism`."""
        return self.clearance

    @property
    def contact_law(self) -> str:
        """See `Mechanism`."""
        return self.contact.law

    def with_contact_law(self, law: str) -> Self:
        """See `Mechanism`."""
        laws.need(law)
        return replace(self, contact=replace(self.contact, law=law))
