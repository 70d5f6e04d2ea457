"""Languages are tables of words: each has every word that English has, and a laboratory can bring its own."""

from __future__ import annotations

import tomllib

import pytest

from rig.errors import ConfigError
from rig.report.document.wording import FOLDER, languages, words
from tests.tiers import quick
from tests.unit.rig.report.document.reported import Page, judged, told


def leaves(tree, above=""):
    for key, value in tree.items():
        yield from leaves(value, f"{above}{key}.") if isinstance(value, dict) else [(f"{above}{key}", value)]


def table(language):
    return dict(leaves(tomllib.loads((FOLDER / f"{language}.toml").read_text(encoding="utf-8"))))


def places(text):
    return sorted(part.split("}")[0] for part in text.split("{")[1:])


def test_there_are_three():
    assert languages() == ["de", "en", "fr"]


@pytest.mark.parametrize("language", ["de", "fr"])
def test_each_has_the_words_of_english_with_the_same_places_for_numbers(language):
    english, other = table("en"), table(language)
    assert other.keys() == english.keys()
    for key, text in english.items():
        assert places(text) == places(other[key]), key


@pytest.mark.parametrize(
    ("language", "word"),
    quick([("en", "Verdict: passed"), ("de", "Urteil: bestanden"), ("fr", "Verdict: conforme")], [("de", "Urteil: bestanden")]),
)
def test_a_report_speaks_it(run, language, word):
    text = told(judged(run()), language)
    assert f'<html lang="{language}">' in text and word in Page(text).text


def test_one_that_there_is_not_is_named_with_those_that_there_are():
    with pytest.raises(ConfigError, match="language 'xx': there is no table of words of it; there are de, en, fr"):
        words("xx")


def test_a_laboratory_brings_its_own_and_what_it_lacks_is_english(tmp_path):
    (tmp_path / "it.toml").write_text('[verdict]\npass = "superato"\n', encoding="utf-8")
    (tmp_path / "en.toml").write_text('[section]\nnotes = "Remarks"\n', encoding="utf-8")
    found = words("it", tmp_path)
    assert found["verdict.pass"] == "superato" and found["section.notes"] == "Remarks" and found["verdict.fail"] == "failed"


@pytest.mark.parametrize(("text", "why"), [("[verdict]\npass = 1\n", "verdict.pass: expected a text, got 1"), ("a = [", "line 1|at")])
def test_a_table_that_is_none_is_named(tmp_path, text, why):
    (tmp_path / "en.toml").write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError, match=f"en.toml.*({why})"):
        words("en", tmp_path)
