"""The store of results, and the tables at the end."""

from __future__ import annotations

from typing import Any

import pytest
from campaign_results import Results
from campaign_tables import tables


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--fresh", action="store_true", help="forget what an earlier campaign found and run every case")
    parser.addoption("--kills", type=int, default=40, help="of each process, at each pace (default 40)")
    parser.addoption("--hangs", type=int, default=10, help="of each process in each phase (default 10)")
    parser.addoption("--seeds", type=int, default=20, help="benches for each disturbance and level (default 20)")
    parser.addoption("--between", type=int, default=3, help="benches for each disturbance at the levels between (default 3)")
    parser.addoption("--keep", metavar="DIR", help="folder for what the causes of disturbances are looked for in")


@pytest.fixture(scope="session")
def results(request: pytest.FixtureRequest) -> Results:
    """Cases that are finished are not run again."""
    return Results(fresh=request.config.getoption("fresh"))


def pytest_terminal_summary(terminalreporter: Any) -> None:
    found = Results()
    found.publish()
    terminalreporter.section("campaign")
    for line in tables(found):
        terminalreporter.write_line(line)
