"""A run of the stand-in, judged and sealed as a run is, and its report taken apart by a parser that is not the program's."""

from __future__ import annotations

import json
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

from rig.recorder.sealing import seal
from rig.report.document.page import page, report
from rig.report.document.reported_run import reported_run
from rig.report.document.template import PageTemplate
from rig.report.document.wording import words
from rig.report.summary import compared_run
from tests.unit.rig.report.dead_band import experiment

ENVELOPE = {"schema": 1, "command": "run", "rig_version": "0.1.0", "exit_code": 0, "outcome": "done", "reason": ""}


def judged(folder: Path, **changed: object) -> Path:
    """The folder with the summary that its test would have left. changed: keys of it that are otherwise."""
    found, _ = compared_run(folder, ended=("done", ""))
    (folder / "summary.json").write_text(json.dumps({**found, **ENVELOPE, **changed}))
    seal(folder)
    return folder


def told(folder: Path, language: str = "en", own: Path | None = None) -> str:
    """The page of its report."""
    spoken = words(language, own)
    return page(report([reported_run(folder)], spoken), spoken, PageTemplate(own))


def documented(**keys: object):
    """The experiment with a [document]."""
    plain = experiment()
    return replace(plain, document=replace(plain.document, **keys))


class Page(HTMLParser):
    """What a browser would see: tables by the heading above them, texts, ids, and every address."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tables: dict[str, list[list[str]]] = {}
        self.ids: list[str] = []
        self.addresses: list[str] = []
        self.headings: list[str] = []
        self.texts: list[str] = []
        self._cell: list[str] | None = None
        self._heading: list[str] | None = None
        self._script = False
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        found = dict(attrs)
        self.ids += [found["id"]] if "id" in found else []
        self.addresses += [found[key] for key in ("src", "href", "action", "data") if key in found]
        self._script = tag in ("script", "style")
        if tag in ("h1", "h2", "h3"):
            self._heading = []
        if tag == "tr":
            self.tables.setdefault(self.headings[-1], []).append([])
        if tag in ("th", "td"):
            self._cell = []

    def handle_endtag(self, tag):
        if tag in ("h1", "h2", "h3") and self._heading is not None:
            self.headings.append("".join(self._heading))
            self._heading = None
        if tag in ("th", "td") and self._cell is not None:
            self.tables[self.headings[-1]][-1].append("".join(self._cell))
            self._cell = None
        self._script = False if tag in ("script", "style") else self._script

    def handle_data(self, data):
        if self._script:
            return
        self.texts.append(data)
        for place in (self._cell, self._heading):
            if place is not None:
                place.append(data)

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.texts).split())
