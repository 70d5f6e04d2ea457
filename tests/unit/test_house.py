"""The folders show the architecture: no circle of imports, rooms of a size to be seen at a glance, each of which says what it is."""

from __future__ import annotations

import ast
from pathlib import Path

import grimp

from tests.each_row import each_row

ROOT = Path(__file__).parents[2]
TREES = ("rig", "model", "drivers")
NO_ROOMS = ("_site", "distribution")
ROOMS = sorted({path.parent for tree in TREES for path in (ROOT / tree).rglob("*.py") if not path.parent.name.endswith(NO_ROOMS)})
MOST_FILES, MOST_AT_THE_TOP = 30, 15


def circles(imports: dict[str, set[str]]) -> list[set[str]]:
    """Modules that import each other, directly or not: the graph's strongly connected components (Tarjan 1972)."""
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    found: list[set[str]] = []

    def visit(name: str) -> None:
        index[name] = low[name] = len(index)
        stack.append(name)
        for other in imports[name]:
            if other not in index:
                visit(other)
            if other in stack:
                low[name] = min(low[name], low[other])
        if low[name] == index[name]:
            part: set[str] = set()
            while name not in part:
                part.add(stack.pop())
            if len(part) > 1:
                found.append(part)

    for name in imports:
        if name not in index:
            visit(name)
    return found


def test_a_circle_would_be_found() -> None:
    assert circles({"a": {"b"}, "b": {"c"}, "c": {"b", "d"}, "d": set()}) == [{"b", "c"}]
    assert circles({"a": {"b", "c"}, "b": {"c"}, "c": set()}) == []


def test_no_modules_import_each_other_neither_at_run_time_nor_for_types() -> None:
    graph = grimp.build_graph(*TREES, cache_dir=None)
    assert circles({name: set(graph.find_modules_directly_imported_by(name)) for name in graph.modules}) == []


@each_row("room", ROOMS, ids=lambda room: str(room.relative_to(ROOT)))
def test_a_room_is_of_a_size_and_says_what_it_is(room: Path) -> None:
    files = list(room.glob("*.py"))
    most = MOST_AT_THE_TOP if room.parent == ROOT else MOST_FILES
    assert len(files) <= most
    told = ast.get_docstring(ast.parse((room / "__init__.py").read_text(encoding="utf-8")))
    assert told and len(told.splitlines()[0]) > 20


def test_nothing_is_found_by_the_module_of_its_class_or_by_source_text() -> None:
    """A kind has a class, registered by where it lies; what it can do is in its contract."""
    for tree in TREES:
        for path in (ROOT / tree).rglob("*.py"):
            text = path.read_text(encoding="utf-8")
            assert "sys.modules[type(" not in text and ".get_source(" not in text, path
            names = [node.name for node in ast.parse(text).body if isinstance(node, ast.FunctionDef)]
            assert "__getattr__" not in names, path
