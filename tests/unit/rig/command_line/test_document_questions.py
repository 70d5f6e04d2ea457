"""What a report says of a test is asked for where the experiment wants it and somebody is there; what is known is not asked."""

from __future__ import annotations

import io

import pytest

from rig.command_line.document_questions import ASKED, answers
from rig.config.experiment import Document
from rig.config.tree import parse_override


def lines(*said):
    given = iter(said)
    return lambda: next(given, "")


def test_answers_are_overrides_that_mean_what_was_typed():
    said = answers(Document(ask=True), lines("Meyer & Söhne\n", "4711\n", 'no. "7"\\8\n', "\n", " late \x7f\n"))
    found = {override.keys: override.value for override in map(parse_override, said)}
    assert found == {
        ("document", "customer"): "Meyer & Söhne", ("document", "order"): "4711", ("document", "specimen"): 'no. "7"\\8',
        ("document", "notes"): "late",
    }  # fmt: skip


def test_what_is_known_is_not_asked(capsys):
    assert answers(Document(ask=True, customer="a", order="b", specimen="c", notes="d"), lines("Ada\n")) == ['document.operator="Ada"']
    assert capsys.readouterr().err.count("Enter for none") == 1


def test_the_end_of_the_input_leaves_the_rest_empty():
    assert answers(Document(ask=True), lines()) == []


def test_nobody_is_asked_who_did_not_want_it_or_is_not_there(monkeypatch, capsys):
    assert answers(Document(), lines("x\n")) == []
    monkeypatch.setattr("sys.stdin", io.StringIO("x\n" * len(ASKED)))  # no terminal
    assert answers(Document(ask=True)) == [] and capsys.readouterr().err == ""


@pytest.mark.parametrize("key", ASKED)
def test_each_is_a_key_of_the_document(key):
    assert getattr(Document(), key) == ""
