from __future__ import annotations

import email
import email.policy
import json

import pytest

from rig.notification.notice import LONGEST, Notice, as_json, as_mail, environment, for_input, from_json
from rig.notification.settings import Notifier

TRIP = Notice("trip", "stroke 6.1 mm exceeds 5 mm\nand more \0 – µm", run="0001-linkage", sample=48210, time_s=0.9416, count=3)


def test_variables_are_one_line_each_and_what_is_unknown_is_empty() -> None:
    found = environment(TRIP)
    assert found["RIG_NOTICE"] == "trip" and found["RIG_TEXT"] == "stroke 6.1 mm exceeds 5 mm and more – µm"
    assert found["RIG_SAMPLE"] == "48210" and found["RIG_TIME_S"] == "0.9416" and found["RIG_CYCLE"] == "" and found["RIG_COUNT"] == "3"


def test_the_object_has_every_field() -> None:
    found = json.loads(as_json(TRIP))
    assert found["schema"] == 1 and found["notice"] == "trip" and found["sample"] == 48210 and found["cycle"] is None
    assert from_json({name: value for name, value in found.items() if name != "schema"}).text.startswith(
        "stroke 6.1 mm exceeds 5 mm\nand more  –"
    )


def test_a_mail_has_one_subject_whatever_the_text_holds() -> None:
    message = email.message_from_bytes(as_mail(Notice("trip", "a\nBcc: everybody@example.org", run="r")), policy=email.policy.default)
    assert message["Bcc"] is None and message["Subject"] == "[rig] r: trip: a Bcc: everybody@example.org"
    assert "everybody" in message.get_content() and "notice: trip" in message.get_content()
    assert for_input(TRIP, "none") == b"" and for_input(TRIP, "json") == as_json(TRIP)


def test_a_long_text_is_cut() -> None:
    assert len(from_json({"notice": "trip", "text": "x" * 10**6}).text) == LONGEST


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"program": ()}, "program: expected a file and its arguments"),
        ({"program": ("",)}, "program: expected a file and its arguments"),
        ({"program": ("./here", "x")}, "program: expected a whole path, or a name that is looked for on the PATH, got ./here"),
        ({"program": ("a", "b\0")}, "NUL"),
        ({"program": ("a",), "on": ()}, "on: expected at least one notice"),
        ({"program": ("a",), "on": ("trip", "trip")}, "none twice"),
    ],
)
def test_a_notifier_that_cannot_be_is_refused(given: dict[str, tuple[str, ...]], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        Notifier(**given)
