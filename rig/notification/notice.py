"""One notice, as a program gets it: environment, JSON object, mail."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from email.message import EmailMessage

LONGEST = 2000  # characters of a text
SCHEMA = 1


@dataclass(frozen=True)
class Notice:
    """SI units; None is unknown. `count`: how many of this kind there were since the last one that was told, this one included."""

    notice: str
    text: str
    run: str = ""
    run_dir: str = ""
    host: str = ""
    at: str = ""
    """Date and time of the computer, ISO 8601 with its offset."""
    state: str = ""
    source: str = ""
    kind: str = ""
    sample: int | None = None
    time_s: float | None = None
    cycle: int | None = None
    count: int = 1
    outcome: str | None = None
    verdict: str | None = None

    @property
    def subject(self) -> str:
        """In one line."""
        more = f" ({self.count} times)" if self.count > 1 else ""
        return _one_line(f"[rig] {self.run}: {self.notice}{more}: {self.text}")[:200]


def from_json(data: Mapping[str, object]) -> Notice:
    """Raises TypeError for a key that there is not."""
    notice = Notice(**data)  # type: ignore[arg-type]
    return Notice(**{**asdict(notice), "text": notice.text.replace("\0", "")[:LONGEST]})


def environment(notice: Notice) -> dict[str, str]:
    """RIG_NOTICE, RIG_TEXT, ...; what is unknown is empty."""
    fields = {f"RIG_{name.upper()}": value for name, value in asdict(notice).items()}
    return {name: "" if value is None else _one_line(str(value)) for name, value in fields.items()}


def as_json(notice: Notice) -> bytes:
    """One object in one line."""
    return json.dumps({"schema": SCHEMA, **asdict(notice)}, ensure_ascii=False).encode("utf-8", "replace") + b"\n"


def as_mail(notice: Notice) -> bytes:
    """A message with its head, for a program like sendmail: who gets it stands among that program's arguments."""
    message = EmailMessage()
    message["Subject"] = notice.subject
    message["Auto-Submitted"] = "auto-generated"
    known = {name: value for name, value in asdict(notice).items() if value not in (None, "")}
    message.set_content("\n".join([notice.text, "", *(f"{name}: {value}" for name, value in known.items() if name != "text"), ""]))
    return message.as_bytes()


def for_input(notice: Notice, how: str) -> bytes:
    """What stands on the standard input of a program."""
    return {"json": as_json, "mail": as_mail}[how](notice) if how != "none" else b""


def _one_line(text: str) -> str:
    return " ".join(text.replace("\0", "").split())
