"""What a report brings along: the program that draws is the one that was published, and nothing in it names an address to be asked."""

from __future__ import annotations

import hashlib
import re
import tomllib

import pytest

from rig.report.document.evidence import PLOTLY
from rig.report.document.template import ASSETS

PUBLISHED = "99784e3abfb07b142a15e521a439e6d9addceadb3f79553fd24c72774f0649ba"
"""SHA-256 of plotly-basic.min.js as plotly.js-basic-dist-min has it on npm."""


def text(name):
    return (ASSETS / name).read_text(encoding="utf-8")


def test_plotly_is_as_published_and_has_its_licence_beside_it():
    assert hashlib.sha256((ASSETS / "plotly-basic.min.js").read_bytes()).hexdigest() == PUBLISHED
    assert f"v{PLOTLY}\n" in text("plotly-basic.min.js")[:200] and "MIT License" in text("plotly-LICENSE.txt")


@pytest.mark.parametrize("name", ["plotly-basic.min.js", "figures.js"])
def test_a_script_can_stand_within_a_page(name):
    assert "</script" not in text(name).lower() and "<!--" not in text(name)


def test_every_word_that_is_asked_for_is_in_the_table():
    """By what stands in the page and in the room's own files; what is put together there is held by the tests of what it says."""
    words = tomllib.loads((ASSETS.parent / "words/en.toml").read_text(encoding="utf-8"))
    texts = [text("standard.html"), *(file.read_text(encoding="utf-8") for file in ASSETS.parent.glob("*.py"))]
    named = {pair for one in texts for pair in re.findall(r'(?:words\[|titled\()"(\w+)\.(\w+)"', one)}
    assert len(named) > 40 and [pair for pair in named if pair[1] not in words[pair[0]]] == []
