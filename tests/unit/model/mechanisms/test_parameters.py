"""Every kernel reads its parameters by the names they are packed by, so that their order is said once."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import model
from model.assembly import layout as at
from model.assembly.description import Body, Point
from model.assembly.joints import clearance_prismatic, clearance_revolute
from model.compiled.parameters import packed
from model.integrators import dop853, generalized_alpha, newmark
from model.joints import translational
from model.mechanisms import (
    flexible_pendulum,
    four_bar,
    linkage,
    parallel_3rrpar,
    parallel_3rrpar_flexible,
    planar,
    slider_bar,
    slider_bar_flexible,
    slider_crank,
    slider_crank_flexible,
)
from model.mechanisms.parallel_3rrpar import kernel as rigid
from model.mechanisms.slider_bar_flexible import newmark_kernel
from model.mechanisms.slider_crank import kernel as crank
from model.paths import trajectory_1
from tests.each_row import each_row

ARRAYS = ("p", "m", "mine", "guide", "bar")  # as kernels call what they are given
FLEXIBLE = parallel_3rrpar_flexible.Config()
REDUCED = replace(FLEXIBLE, bars=replace(FLEXIBLE.bars, formulation="reduced"))
STEP = generalized_alpha.Config(step=1e-4)
GUIDE = clearance_prismatic.Config("guide", ("ground.origin", "slider.origin"), length=0.1, height=0.02, clearance=1e-3)
PLANAR = planar.Config(
    bodies=(Body("slider", 1.0, 1.0, points=(Point("A", 0.1, 0.0),)), Body("bar", 1.0, 1.0, x=0.1, y=0.0)),
    joints=(GUIDE, clearance_revolute.Config("pin", ("slider.A", "bar.origin"), bearing_radius=0.01, clearance=1e-4, friction=0.1)),
    friction_none_below=2e-4,
    friction_whole_above=3e-3,
)
MECHANISMS = [
    (linkage.Config(), dop853.Config(), "command"),
    (linkage.Config(load_source="ideal"), dop853.Config(), "stroke"),
    (four_bar.Config(friction=0.1), dop853.Config(), ""),
    (slider_crank.Config(), dop853.Config(), "command"),
    (slider_crank.Config(clearance_joint="crank_rod", guide_clearance=0.0), dop853.Config(), ""),
    (slider_crank_flexible.Config(), dop853.Config(), ""),
    (slider_bar.Config(), dop853.Config(), "command"),
    (slider_bar_flexible.Config(), dop853.Config(), ""),
    (slider_bar_flexible.Config(), newmark.Config(), ""),
    (flexible_pendulum.Config(), STEP, ""),
    (parallel_3rrpar.Config(), dop853.Config(), "command"),
    (FLEXIBLE, STEP, ""),
    (replace(FLEXIBLE, coupling="one_way"), STEP, ""),
    (REDUCED, STEP, ""),
    (PLANAR, dop853.Config(), ""),
]


def named(node: ast.expr) -> list[str]:
    """The names in an index."""
    parts = ast.walk(node)
    return [part.attr if isinstance(part, ast.Attribute) else part.id for part in parts if isinstance(part, (ast.Attribute, ast.Name))]


def sources() -> Iterator[ast.Module]:
    for path in Path(model.__file__).parent.rglob("*.py"):
        yield ast.parse(path.read_text(encoding="utf-8"))


def read() -> dict[str, str]:
    """Names of the places at which compiled functions read parameters, and one of those functions."""
    found = {}
    for tree in sources():
        for function in ast.walk(tree):
            if isinstance(function, ast.FunctionDef) and any("compiled" in ast.unparse(one) for one in function.decorator_list):
                for part in ast.walk(function):
                    if isinstance(part, ast.Subscript) and isinstance(part.value, ast.Name) and part.value.id in ARRAYS:
                        found |= {name: function.name for name in named(part.slice) if name.isupper()}
    return found


def put() -> set[str]:
    """Names of the places that something is put at: keys of what is packed, and of headers of tables."""
    found: set[str] = set()
    for tree in sources():
        for part in ast.walk(tree):
            if isinstance(part, ast.Dict):
                found |= {name for key in part.keys if key is not None for name in named(key)}
            elif isinstance(part, ast.Subscript) and isinstance(part.ctx, ast.Store):
                found |= {*named(part.slice)}
    return found


def test_a_place_that_is_left_out_or_given_twice_is_refused() -> None:
    assert packed(4, {2: 3.0, 0: [1.0, 2.0], 3: True}).tolist() == [1.0, 2.0, 3.0, 1.0]
    assert packed(4, {0: np.eye(2)}).tolist() == [1.0, 0.0, 0.0, 1.0]
    with pytest.raises(ValueError, match=r"each of 3 places; at place 1 there are 0"):
        packed(3, {0: 1.0, 2: 1.0})
    with pytest.raises(ValueError, match=r"at place 1 there are 2"):
        packed(3, {0: [1.0, 2.0], 1: [1.0, 2.0]})
    with pytest.raises(ValueError):
        packed(2, {0: [1.0, 2.0, 3.0]})


def test_what_a_kernel_reads_is_put_there_by_the_same_name() -> None:
    sizes = {"C_COLUMNS", "ROW_COLUMNS", "PARAMETERS"}
    found = read()
    assert {"L1", "K_OIL", "PER_TURNING", "SQUARES", "C_GUIDE", "J_ARM"} <= {*found}
    assert {*found} - sizes <= put()


@each_row(("config", "integrator", "source"), MECHANISMS, ids=lambda one: getattr(one, "KIND", type(one).__module__))
def test_the_parameters_of_every_mechanism_fill_their_array(config, integrator, source) -> None:
    along = {"path": trajectory_1.Config().create(), "lasting": 0.01} if config.FOLLOWS_PATH else {}
    stepper = config.create(integrator, 1e4, source, **along)  # `packed` refuses a place left out
    stepper.start(np.zeros(stepper.lookahead))
    assert np.isfinite(stepper.advance(np.zeros(2))).all()


def test_parts_that_kernels_share_stand_where_those_read_them() -> None:
    config = slider_crank.Config(friction_none_below=2e-3, guide_damping=0.7)
    p = config.create(dop853.Config(), 1e4)._motion.parameters
    assert p.size == crank.PARAMETERS and p[crank.GUIDE + translational.DAMPING] == 0.7
    assert p[crank.FRICTION + 1] == p[crank.GUIDE + translational.FRICTION + 1] == 2e-3
    path = trajectory_1.Config().create()
    own = parallel_3rrpar.Config(clearance_r3=2e-4).create(dop853.Config(), 1e4, path=path, lasting=0.01)._motion.parameters
    assert own[rigid.CLEARANCE : rigid.CLEARANCE + 2].tolist() == [1e-4, 2e-4] and own[rigid.GRID_POINTS] > 10.0
    m = slider_bar_flexible.Config(bar_mass=1.5, modes=2).create(newmark.Config(), 1e3)._m
    assert m[newmark_kernel.BAR_MASS] == 1.5 and m.size > newmark_kernel.OMEGA


def test_a_planar_description_fills_its_tables() -> None:
    p = PLANAR.create(dop853.Config(), 1e4).parameters
    first, columns = int(p[at.AT_CONTACTS]), int(p[at.CONTACTS])
    table = p[first : first + columns * at.C_COLUMNS].reshape(columns, at.C_COLUMNS)
    assert table[:, at.C_KIND].tolist() == [0.0, 1.0, 2.0, 3.0, at.PIN]
    assert np.all(table[:, at.C_FRICTION + 1] == 2e-4) and np.all(table[:, at.C_FRICTION + 2] == 3e-3)
    assert table[-1, at.C_SIZE : at.C_LINE].tolist() == [0.01, 0.01 - 1e-4]
    assert np.all(table[:4, at.C_GUIDE + translational.HALF_HEIGHT] == 0.01)
    assert np.all(table[:4, at.C_GUIDE + translational.FRICTION + 2] == 3e-3)
