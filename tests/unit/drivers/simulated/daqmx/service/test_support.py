"""The page that says what is simulated, made from the tables."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from drivers.simulated.daqmx.properties import properties

ROOT = Path(__file__).parents[6]
SCRIPT = ROOT / "docs" / "daqmx_support.py"


@pytest.fixture(scope="module")
def support() -> ModuleType:
    spec = importlib.util.spec_from_file_location(SCRIPT.stem, SCRIPT)
    assert spec is not None and spec.loader is not None
    module = sys.modules.setdefault(SCRIPT.stem, importlib.util.module_from_spec(spec))
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def page(support: ModuleType) -> str:
    made: str = support.page()
    return made


def test_the_page_is_up_to_date(page: str) -> None:
    command = "python docs/daqmx_support.py > docs/daqmx_support.md"
    assert (ROOT / "docs" / "daqmx_support.md").read_text(encoding="utf-8") == page, f"make it anew: {command}"


@pytest.mark.long
def test_it_is_what_the_command_prints(page: str) -> None:
    command = [sys.executable, SCRIPT]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout == page


def test_calls_and_properties_are_found_by_the_names_of_the_client(support: ModuleType) -> None:
    client = support.client()
    assert "add_ai_voltage_chan" in client.calls["CreateAIVoltageChan"]
    assert {"read_many_sample", "read"} & client.calls["ReadAnalogF64"]
    numbers = {name: number for _, known in support.attributes().values() for name, number in known.items()}
    assert client.attributes[numbers["AI_MAX"]] == {"ai_max"}


def test_every_property_in_the_tables_is_one_that_the_service_knows(support: ModuleType) -> None:
    known = {name for _, names in support.attributes().values() for name in names}
    for family, table in properties.FAMILIES.items():
        assert table.names() <= known, family


def test_a_call_that_belongs_to_no_family_of_functions_is_told(
    support: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Each is in one: the table at the head of the page leaves nothing out."""
    text = support.FAMILIES.read_text(encoding="utf-8").replace('"Register", "Unregister"', '"Unregister"')
    (tmp_path / "families.toml").write_text(text, encoding="utf-8")
    monkeypatch.setattr(support, "FAMILIES", tmp_path / "families.toml")
    with pytest.raises(ValueError, match="RegisterDoneEvent"):
        support.page()


def test_what_ni_s_own_devices_do_is_told_with_its_source(page: str) -> None:
    rows = [line.split("|") for line in page.splitlines() if line.startswith("| ") and line.count("|") == 6]
    cells = {row[1].strip(): row[5].strip() for row in rows if row[2].strip() != "remote calls"}
    assert len(cells) > 10
    assert all(cell.endswith("]") or cell == "(nothing published that we know of)" for cell in cells.values())
    assert "Counters always read 0" in cells["Counters"]
