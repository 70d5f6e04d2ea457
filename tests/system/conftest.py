"""Tests at real pace run one after the other; those whose bench waits for the program may run beside them."""

import pytest


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        callspec = getattr(item, "callspec", None)
        pace = callspec.params.get("pace") if callspec else None
        if pace == "real" or item.get_closest_marker("real_pace"):
            item.add_marker(pytest.mark.xdist_group("real pace"))
