"""The page that says what is simulated, made from the tables."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from drivers.simulated.daqmx.properties import properties
from drivers.simulated.daqmx.service import support

ROOT = Path(__file__).parents[6]


def test_the_page_is_up_to_date() -> None:
    command = "python -m drivers.simulated.daqmx.service.support > docs/daqmx_support.md"
    assert (ROOT / "docs" / "daqmx_support.md").read_text(encoding="utf-8") == support.page(), f"make it anew: {command}"


def test_it_is_what_the_command_prints() -> None:
    command = [sys.executable, "-m", "drivers.simulated.daqmx.service.support"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout == support.page()


def test_calls_and_properties_are_found_by_the_names_of_the_client() -> None:
    client = support.client()
    assert "add_ai_voltage_chan" in client.calls["CreateAIVoltageChan"]
    assert {"read_many_sample", "read"} & client.calls["ReadAnalogF64"]
    numbers = {name: number for _, known in support.attributes().values() for name, number in known.items()}
    assert client.attributes[numbers["AI_MAX"]] == {"ai_max"}


def test_every_property_in_the_tables_is_one_that_the_service_knows() -> None:
    known = {name for _, names in support.attributes().values() for name in names}
    for family, table in properties.FAMILIES.items():
        assert table.names() <= known, family
