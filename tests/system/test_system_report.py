"""A report of a test as its user asks for it, opened in a headless browser: whole, silent, readable by everybody, on paper too; and what is
refused leaves nothing behind."""

from __future__ import annotations

import base64
import contextlib
import json
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest
from bench_run import LINKAGE, UNPREPARED, Running, rig
from browser import Page, browser

QUICK = ("bench.pace=lockstep", "acquisition.rate=12.8 kHz", UNPREPARED)
PAPER = {"preferCSSPageSize": True, "printBackground": True}
LARGEST = 15e6  # bytes
EXPLAINED = [
    ("four_bar_rig", 6, {"impacts", "orbit0"}),
    ("slider_crank_rig", 15, {"impacts"}),
    ("parallel_3rrpar_rig", 3, {"orbit0", "orbit1"}),
    ("six_bar_rig", 15, {"impacts"}),
]
"""Rig, cycles, and which of these figures its report has: places of the pins only where the record has the whole motion."""
SHARED = pytest.mark.xdist_group("report")


def axe() -> str:
    """The program that looks for what keeps people from reading. Raises AssertionError where it is not there."""
    file = Path(sys.prefix, "axe/node_modules/axe-core/axe.min.js")
    assert file.exists(), f"no axe: npm install --prefix {sys.prefix}/axe axe-core (make setup does it)"
    return file.read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Two tests that differ in their clearance."""
    out = tmp_path_factory.mktemp("runs")
    said = ('document.customer="Meyer & Söhne"', 'document.order="4711"')
    for clearance in ("0.2 mm", "0.4 mm"):
        sets = [word for one in (*QUICK, "trajectory.cycles=6", f"mechanism.clearance={clearance}", *said) for word in ("--set", one)]
        code, answer = rig("run", str(LINKAGE), "--headless", "--no-picture", "--out", str(out), *sets, timeout=300.0)
        assert code in (0, 1), answer
    return sorted(out.iterdir())


@contextlib.contextmanager
def opened(file: Path, folder: Path) -> Iterator[Page]:
    with browser(folder) as page:
        page.open(file.as_uri())
        page.wait_for("document.documentElement && document.documentElement.dataset.drawn")
        yield page
        assert page.complaints == [], page.complaints
        assert page.requests == [file.as_uri()], page.requests


def violations(page: Page) -> Any:
    page.ask(f"{axe()};0")
    wanted = "r.violations.map(v => [v.id, v.help, v.nodes[0].html])"
    return json.loads(page.ask(f"axe.run().then(r => JSON.stringify({wanted}))"))


@SHARED
def test_a_report_is_one_file_that_asks_nobody_and_that_everybody_can_read(runs: list[Path], tmp_path: Path) -> None:
    file = tmp_path / "report.html"
    code, answer = rig("report", str(runs[1]), "--out", str(file))
    assert code == 0 and answer["files"] == [{"path": str(file), "bytes": file.stat().st_size, "format": "html"}]
    assert answer["record"] == str(runs[1] / "run.h5") and file.stat().st_size < LARGEST
    assert [one.name for one in tmp_path.iterdir()] == ["report.html"]
    with opened(file, tmp_path) as page:
        assert violations(page) == []
        assert page.ask("[...document.querySelectorAll('.plot svg.main-svg')].length") > 5
        text = page.ask("document.body.innerText")
        for word in ("Meyer & Söhne", "4711", "Criteria", "LC-1", "SHA-256"):
            assert word in text, word
        page.ask("document.querySelector('h1').removeAttribute('id'); document.documentElement.lang = ''; 0")
        assert violations(page) != []  # it would find something


@pytest.mark.long
@pytest.mark.parametrize(("rig_name", "cycles", "figures"), EXPLAINED)
def test_figures_of_orbits_and_impacts_can_be_read_by_everybody(rig_name: str, cycles: int, figures: set[str], tmp_path: Path) -> None:
    sets = [word for one in ("bench.pace=lockstep", f"trajectory.cycles={cycles}") for word in ("--set", one)]
    experiment = LINKAGE.with_name(f"{rig_name}.toml")
    code, answer = rig("run", str(experiment), "--headless", "--no-picture", "--out", str(tmp_path / "runs"), *sets, timeout=400.0)
    assert code in (0, 1), answer
    file = tmp_path / "report.html"
    code, answer = rig("report", answer["files"]["run"], "--out", str(file))
    assert code == 0, answer
    with opened(file, tmp_path) as page:
        drawn = set(json.loads(page.ask("JSON.stringify([...document.querySelectorAll('.plot')].map(one => one.id))")))
        assert {name.rpartition("-")[2] for name in drawn} & {"impacts", "orbit0", "orbit1"} == figures, drawn
        assert violations(page) == []


@SHARED
def test_the_keyboard_looks_closer_and_paper_has_whole_figures_and_heads_of_tables(runs: list[Path], tmp_path: Path) -> None:
    file = tmp_path / "report.html"
    assert rig("report", str(runs[1]), "--out", str(file))[0] == 0
    with opened(file, tmp_path) as page:
        span = "(r => r[1] - r[0])(document.getElementById('run1-whole').layout.xaxis.range)"
        whole = page.ask(span)
        page.ask("document.querySelector('[data-figure=run1-whole] [data-act=closer]').focus(); 0")
        for kind in ("rawKeyDown", "char", "keyUp"):
            page.call("Input.dispatchKeyEvent", type=kind, key="Enter", code="Enter", windowsVirtualKeyCode=13, text="\r")
        assert page.ask(span) == pytest.approx(whole / 2.0)
        page.call("Emulation.setEmulatedMedia", media="print")
        shown = "(s => getComputedStyle(document.querySelector(s)).display)"
        assert page.ask(f"{shown}('thead')") == "table-header-group" and page.ask(f"{shown}('.zoom')") == "none"
        pdf = base64.b64decode(page.call("Page.printToPDF", **PAPER)["data"])
    pages = pdf.count(b"/Type /Page\n") or pdf.count(b"/Type /Page ")
    assert pdf.startswith(b"%PDF") and 3 <= pages <= 20, pages
    assert pdf.count(b"/MediaBox [0 0 594.95996 841.91998]") + pdf.count(b"/MediaBox [0 0 595") >= 1  # A4


@SHARED
def test_tests_side_by_side_differ_in_what_the_table_says(runs: list[Path], tmp_path: Path) -> None:
    file = tmp_path / "series.html"
    code, answer = rig("report", *map(str, runs), "--out", str(file), "--language", "de")
    assert code == 0 and answer["runs"] == [run.name for run in runs] and file.stat().st_size < LARGEST
    with opened(file, tmp_path) as page:
        assert violations(page) == []
        rows = page.ask("[...document.querySelectorAll('#all-series tr')].map(r => [...r.cells].map(c => c.textContent))")
        assert rows[0][1:] == [run.name for run in runs]
        changed = {row[0]: row[1:] for row in rows[1:] if row[0].startswith(("mechanism", "trajectory", "bench"))}
        assert changed == {"mechanism.clearance": ["0.2 mm", "0.4 mm"]}
        assert page.ask("document.getElementById('series-errors').calcdata[0].length") == 2


@SHARED
def test_by_itself_it_lies_beside_the_record_and_verify_minds_nothing(runs: list[Path]) -> None:
    code, answer = rig("report", str(runs[0]))
    assert code == 0 and Path(answer["files"][0]["path"]) == runs[0] / "report.html"
    code, verified = rig("verify", str(runs[0]))
    assert code == 0 and verified["ok"]


@SHARED
def test_a_template_that_is_wrong_leaves_nothing_behind(runs: list[Path], tmp_path: Path) -> None:
    own, file = tmp_path / "own", tmp_path / "report.html"
    own.mkdir()
    (own / "report.html").write_text("<h1>\n{{ report.nothing_such }}\n", encoding="utf-8")
    code, answer = rig("report", str(runs[0]), "--out", str(file), "--template", str(own))
    assert code == 2 and f"{own / 'report.html'}, line 2" in answer["error"]
    code, answer = rig("report", str(runs[0]), "--out", str(file), "--template", str(tmp_path / "none"))
    assert code == 2 and "there is no such folder" in answer["error"]
    code, answer = rig("report", str(tmp_path), "--out", str(file))
    assert code == 2 and "expected the folder of a run" in answer["error"]
    assert [one.name for one in tmp_path.iterdir()] == ["own"]


@pytest.mark.long
def test_a_test_that_runs_or_was_killed_is_named_and_reported_once_recovered(tmp_path: Path) -> None:
    file = tmp_path / "report.html"
    running = Running(tmp_path / "out", *QUICK, "trajectory.cycles=1500")
    running.wait_for_samples(30_000)
    code, answer = rig("report", str(running.folder), "--out", str(file))
    assert code == 2 and "its test is running" in answer["error"], answer
    pids = json.loads((running.folder / "processes.json").read_text())
    for name in sorted(pids, key=lambda name: name != "recorder"):  # it would close the record when it saw the others die
        with contextlib.suppress(psutil.NoSuchProcess):
            psutil.Process(pids[name]).send_signal(signal.SIGKILL)
    running.process.kill()
    running.process.wait(30.0)
    code, answer = rig("report", str(running.folder), "--out", str(file))
    assert code == 2 and "rig recover" in answer["error"], answer
    assert not file.exists() and not [one for one in tmp_path.iterdir() if one.suffix == ".html"]
    assert rig("recover", str(running.folder))[0] == 0
    code, answer = rig("report", str(running.folder), "--out", str(file))
    assert code == 0 and "left no summary" in file.read_text(encoding="utf-8"), answer
