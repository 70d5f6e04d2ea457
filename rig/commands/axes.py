"""What the drives on serial lines say of themselves; nothing is set, nothing moves."""

from __future__ import annotations

import sys
from typing import Any

from rig.config.bench import Bench
from rig.virtual_ports import on_a_line


def ask(bench: Bench) -> list[dict[str, Any]]:
    """Name, port, identity and fault (None: none) of each axis on a serial line. Raises DriverError for one that does not answer."""
    found = []
    for axis in bench.axes:
        if not on_a_line(axis):
            continue
        driver = sys.modules[type(axis.drive).__module__].create(axis.drive, axis.name, None)
        try:
            driver.connect()
            found.append({"axis": axis.name, "port": axis.drive.port, "identity": driver.identity(), "fault": driver.fault()})
        finally:
            driver.close()
    return found


def in_lines(told: list[dict[str, Any]]) -> list[str]:
    """For a person, a line an axis."""
    return [f"axis {one['axis']}: {one['identity']}{', FAULT: ' + one['fault'] if one['fault'] else ''}" for one in told]
