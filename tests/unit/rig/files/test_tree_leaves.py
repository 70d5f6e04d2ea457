"""Each value of a tree under a key of its own, which leads to it."""

from __future__ import annotations

from rig.files.tree_leaves import leaves


def test_each_value_has_its_key():
    tree = {"a": {"b": 1, "c": [1, 2]}, "d": [{"name": "x", "e": 3}, {"e": 4}], "f": []}
    numbered = dict(leaves(tree, lambda number, _: f"[{number}]"))
    assert numbered == {"a.b": 1, "a.c": [1, 2], "d[0].name": "x", "d[0].e": 3, "d[1].e": 4, "f": []}
    named = dict(leaves(tree, lambda number, item: f".{item.get('name', number)}"))
    assert [key for key in named if key.startswith("d")] == ["d.x.name", "d.x.e", "d.1.e"]
