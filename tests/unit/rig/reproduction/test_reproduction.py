"""Printed against computed: the judge, the separation of both sides, and that what is computed follows the settings."""

import ast
import importlib
from pathlib import Path

import pytest

from rig.errors import ConfigError
from rig.reproduction import claims as printed
from rig.reproduction.claims import Claim, claims
from rig.reproduction.judging import COMPARE, LOST, NOT, ORDER, REPRODUCED, VERDICTS, judge
from rig.reproduction.reproducing import reproduce
from rig.reproduction.study import Study
from tests.each_row import each_row

PAPERS = [paper for paper in printed.PAPERS if (Path(printed.__file__).parent / f"{paper}.py").is_file()]


def claim(compare: str, published: object, tolerance: float | None = None, relative: bool = False) -> Claim:
    return Claim("x", "here", "it is", compare, published, "1", tolerance, relative)


@each_row(
    ("compare", "published", "tolerance", "value", "verdict"),
    [
        ("within", 2.0, 0.1, 2.1, REPRODUCED),
        ("within", 2.0, 0.1, 2.2, ORDER),
        ("within", 2.0, 0.1, 6.1, NOT),
        ("within", 2.0, 0.1, -2.0, NOT),
        ("within", 0.0, 0.1, 0.2, NOT),
        ("within", [1.0, 2.0], 0.1, [1.05, 2.05], REPRODUCED),
        ("within", [1.0, 2.0], 0.1, [1.0], NOT),
        ("instant", [0.62, 0.6], 0.02, [0.63, 0.61], REPRODUCED),
        ("instant", [0.42, 0.42], 0.02, [0.42, 0.62], NOT),
        ("angle", 340.0, 10.0, 344.0, REPRODUCED),
        ("angle", 355.0, 10.0, 363.0, REPRODUCED),
        ("angle", 340.0, 10.0, 312.0, NOT),
        ("angle", [340.0], 10.0, [340.0, 90.0], NOT),
        ("order", 200.0, None, 450.0, ORDER),
        ("order", 200.0, None, 700.0, NOT),
        ("increases", "increases", None, [1.0, 2.0, 3.0], REPRODUCED),
        ("increases", "increases", None, [1.0, 3.0, 2.0], NOT),
        ("decreases", "decreases", None, [3.0, 2.0, 1.0], REPRODUCED),
        ("at_most", 1.0, None, 0.5, REPRODUCED),
        ("at_most", "small", 0.4, 0.5, NOT),
        ("at_least", 1.0, None, 0.5, NOT),
        ("range", [1.0, 2.0], None, 1.5, REPRODUCED),
        ("range", [1.0, 2.0], None, 2.5, NOT),
        ("contains", [90.0, 340.0], 5.0, [92.0, 200.0, 341.0], REPRODUCED),
        ("contains", [90.0, 340.0], 5.0, [200.0, 341.0], NOT),
        ("equal", 1, None, 1, REPRODUCED),
        ("equal", 1, None, 2, NOT),
        ("within", 1.0, 0.1, None, NOT),
        ("within", 1.0, 0.1, float("nan"), NOT),
        ("increases", "increases", None, [], NOT),
    ],
)
def test_verdicts(compare: str, published: object, tolerance: float | None, value: object, verdict: str) -> None:
    found, why = judge(claim(compare, published, tolerance), value)
    assert found == verdict
    assert why


@pytest.mark.parametrize("paper", PAPERS)
def test_every_statement_is_computed_or_said_to_be_lost(paper: str) -> None:
    statements = importlib.import_module(f"rig.reproduction.{paper}").STATEMENTS
    ids = [one.id for one in claims(paper)]
    assert len(ids) == len(set(ids))
    assert {one.id for one in claims(paper) if not one.lost} == set(statements)
    assert all(one.compare in COMPARE for one in claims(paper))


MODULES = [module for paper in PAPERS for module in sorted(Path(printed.__file__).parent.glob(f"{paper}*.py"))]


@each_row("module", MODULES, ids=lambda module: module.stem)
def test_what_computes_reads_nothing_that_is_printed(module: Path) -> None:
    tree = ast.parse(module.read_text(encoding="utf-8"))
    imported = [node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    imported += [name.name for node in ast.walk(tree) if isinstance(node, ast.Import) for name in node.names]
    assert not [name for name in imported if "claims" in name or "printed" in name or "judging" in name]
    assert "open" not in {node.func.id for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)}


def test_computed_follows_the_settings() -> None:
    statement = importlib.import_module("rig.reproduction.hu2016").STATEMENTS["clearance_flow_limited_max"]
    usual, softer = (statement(Study(overrides)).value for overrides in ((), ("mechanism.contact.stiffness_scale=0.1",)))
    assert usual[0] == softer[0]  # nothing touches without clearance
    assert abs(usual[2] - softer[2]) > 1e-3 * usual[2]
    assert statement(Study(("mechanism.clearance=0 mm",))).value == pytest.approx([usual[0]] * 3)


def test_what_is_not_reproduced_shows_its_convergence(monkeypatch: pytest.MonkeyPatch) -> None:
    chosen = tuple(one for one in claims("hu2016") if one.id in ("growth_servo_max", "beta_fast", "error_clearance"))
    monkeypatch.setattr("rig.reproduction.reproducing.claims", lambda _: chosen)
    rows = {row["id"]: row for row in reproduce("hu2016", Study())}
    assert rows["beta_fast"]["verdict"] == REPRODUCED
    assert rows["error_clearance"]["verdict"] == LOST
    assert rows["error_clearance"]["computed"] is None
    assert rows["growth_servo_max"]["verdict"] == NOT
    assert "finer steps change it by" in rows["growth_servo_max"]["why"]
    assert {row["verdict"] for row in rows.values()} <= set(VERDICTS)


def test_settings_reach_the_experiments_that_know_them() -> None:
    study = Study(("mechanism.rod.damping=1e-6 s", "mechanism.friction=0"))
    assert study.experiment("slider_crank").mechanism.friction == 0.0
    assert study.unused == {"mechanism.rod.damping=1e-6 s"}
    assert study.experiment("slider_crank_flexible", "mechanism.rod.damping=2e-6 s").mechanism.rod.damping == 1e-6
    assert not study.unused


def test_a_setting_that_nothing_knows_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rig.reproduction.reproducing.claims", lambda _: claims("hu2016")[:1])
    with pytest.raises(ConfigError, match="nothing in hu2016 has such a key"):
        reproduce("hu2016", Study(("mechanism.nonsense=1",)))
