"""A record says which code of the user's own ran: file, fingerprint, version; a file that goes wrong is named with its line."""

from __future__ import annotations

import hashlib
from importlib.metadata import version
from pathlib import Path

import pytest

from rig import config
from rig.config import own_code
from rig.errors import ConfigError
from rig.resumption.differences import _of_code
from tests.unit.rig.config.test_own_instrument import DRIVER
from tests.unit.rig.config.test_own_kinds import WAVE
from tests.unit.rig.own_folder import own_room
from tests.unit.rig.prediction.test_own_contact_law import AS_HERTZ

LINKAGE = Path(__file__).parents[4] / "configs" / "experiments" / "linkage.toml"
CUBED = 'trajectory={kind = "cubed", amplitude = "10 kN", frequency = "5 Hz", cycles = 4}'


def test_the_program_s_own_kinds_are_not_told() -> None:
    setup = config.load(LINKAGE)
    assert own_code.remarks(setup.experiment) == own_code.remarks(setup.bench) == []
    assert own_code.in_text(setup.experiment_text + setup.bench_text) == {}


def test_a_trajectory_is_told_with_its_file_and_fingerprint(tmp_path: Path) -> None:
    with own_room("rig.trajectory", tmp_path) as folder:
        (folder / "cubed.py").write_text(WAVE)
        text = config.load(LINKAGE, [CUBED]).experiment_text
        same = hashlib.sha256((folder / "cubed.py").read_bytes()).hexdigest()
        assert own_code.in_text(text) == {"trajectory cubed": f"{folder / 'cubed.py'}, SHA-256 {same}"}


def test_a_contact_law_too(tmp_path: Path) -> None:
    with own_room("model.contact.other_laws", tmp_path) as folder:
        (folder / "as_hertz.py").write_text(AS_HERTZ)
        text = config.load_experiment(LINKAGE, ["mechanism.contact.law=as_hertz"]).experiment_text
        assert list(own_code.in_text(text)) == ["contact_laws as_hertz"]


def test_one_of_an_installed_package_is_told_with_its_version() -> None:
    assert own_code._version(Path(pytest.__file__)) == f"pytest {version('pytest')}"


def test_another_fingerprint_is_a_difference_to_a_resumed_test() -> None:
    before = f"a = 1\n\n# {own_code.SAID}trajectory cubed: /x/cubed.py, SHA-256 00\n"
    assert list(_of_code(before, before)) == []
    (line,) = _of_code(before, before.replace("SHA-256 00", "SHA-256 01"))
    assert line == "code of trajectory cubed: /x/cubed.py, SHA-256 00 before, /x/cubed.py, SHA-256 01 now"


WRONG = [("\nimport no_such_vendor\n", 2), ("x = 1\n\ny = x / 0\n", 3), ("a = 1\ndef\n", 2), (DRIVER + "\nraise OSError(5)\n", 0)]


@pytest.mark.parametrize(("text", "line"), WRONG)
def test_a_file_that_goes_wrong_is_named_with_its_line(tmp_path: Path, text: str, line: int) -> None:
    with own_room("drivers.instruments", tmp_path) as folder:
        (folder / "broken.py").write_text(text)
        wanted = line or text.count("\n")
        with pytest.raises(ConfigError) as raised:
            config.load(LINKAGE, ['bench.instruments=[{name = "x", device = {kind = "broken"}}]'])
        assert f"({folder / 'broken.py'}, line {wanted})" in str(raised.value)
        assert len(raised.value.problems) == 1
