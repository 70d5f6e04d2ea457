"""A laboratory's template: logo, style, page; one that is wrong is a line with file and place, one that reaches out is refused."""

from __future__ import annotations

import base64

import pytest

from rig.errors import ConfigError
from tests.tiers import quick
from tests.unit.rig.report.document.reported import Page, judged, told

PIXEL = base64.b64decode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+M8AAAMBAQDJ/pLvAAAAAElFTkSuQmCC")


def test_a_logo_and_a_style_are_taken_over_the_own(run, tmp_path):
    own = tmp_path / "own"
    own.mkdir()
    (own / "logo.png").write_bytes(PIXEL)
    (own / "style.css").write_text("h1 { color: #003366; }", encoding="utf-8")
    text = told(judged(run()), own=own)
    assert f"data:image/png;base64,{base64.b64encode(PIXEL).decode()}" in text
    assert text.index("--ink:") < text.index("#003366") and "data:image/png" not in told(tmp_path / "0001-deadband")


def test_a_page_replaces_blocks_and_has_the_rest(run, tmp_path):
    own = tmp_path / "own"
    own.mkdir()
    (own / "report.html").write_text(
        '{% extends "standard.html" %}{% block footer %}<p>Lab 7, {{ report.chapters[0].verdict.result }}</p>{% endblock %}',
        encoding="utf-8",
    )
    page = Page(told(judged(run()), own=own))
    assert page.text.endswith("Lab 7, pass") and "Criteria" in page.headings
    assert not Page(told(tmp_path / "0001-deadband")).text.endswith("Lab 7, pass")


WRONG = {
    "a tag that is not closed": ("<p>\n{% if report %}\n", "report.html, line 2"),
    "a name that there is not": ("<p>\n\n{{ report.headline }}\n", "report.html, line 3: .*headline"),
    "a word that is no function": ("{{ report() }}\n", "report.html, line 1"),
    "another template that is not there": ('{% extends "none.html" %}', "none.html"),
    "what reaches out": ("\n{{ report.__class__.__mro__ }}\n", "report.html, line 2: .*unsafe"),
    "what changes what it is given": ("{{ scripts.append(1) }}", "report.html, line 1: .*(unsafe|not safely)"),
    "a division by nothing": ("<p>\n{{ 1 // 0 }}", "report.html, line 2: ZeroDivisionError"),
    "itself": ('{% include "report.html" %}', "report.html.*takes itself in without end"),
}


@pytest.mark.parametrize("case", quick(WRONG, 2))
def test_one_that_is_wrong_is_told_with_file_and_line(run, tmp_path, case):
    text, why = WRONG[case]
    own = tmp_path / "own"
    own.mkdir()
    (own / "report.html").write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError, match=why) as raised:
        told(judged(run()), own=own)
    assert len(raised.value.problems) == 1 and "\n" not in str(raised.value)


def test_bytes_that_are_no_text_are_named(run, tmp_path):
    own = tmp_path / "own"
    own.mkdir()
    (own / "report.html").write_bytes(b"\xff\xfe\x00p")
    with pytest.raises(ConfigError, match=r"report.html: "):
        told(judged(run()), own=own)


def test_a_folder_that_is_none_or_has_nothing_is_refused(run, tmp_path):
    folder = judged(run())
    with pytest.raises(ConfigError, match=r"there is no such folder; expected one with report.html"):
        told(folder, own=tmp_path / "nowhere")
    (tmp_path / "empty").mkdir()
    with pytest.raises(ConfigError, match="nothing in it is of a template"):
        told(folder, own=tmp_path / "empty")


def test_what_a_template_prints_is_escaped(run, tmp_path):
    own = tmp_path / "own"
    own.mkdir()
    (own / "report.html").write_text("{{ '<script>' }}", encoding="utf-8")
    assert told(judged(run()), own=own) == "&lt;script&gt;"
