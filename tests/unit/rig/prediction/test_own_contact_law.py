"""A contact law of the user's own, of another form than the program's: one file in a folder outside it, taken by every mechanism.

Kelvin and Voigt's, F = K delta + c delta', c = 2 zeta sqrt(K m): a mass that leaves the wall where delta is 0 again comes back with
exp(-pi zeta/sqrt(1 - zeta^2)) of its speed. A law with the formula of `hertz` moves the program's own mechanisms as that does.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from importlib.metadata import EntryPoint
from pathlib import Path

import numpy as np
import pytest

from model.contact import laws
from rig.config import load_experiment
from rig.errors import ConfigError
from rig.prediction.simulation import simulate
from tests.documented_files import shown
from tests.unit.rig.own_folder import own_room
from tests.unit.rig.prediction.test_own_kind_of_mechanism import EXPERIMENT, FLYING_MASS

ROOT = Path(__file__).parents[4]
FOUR_BAR = ROOT / "configs" / "experiments" / "four_bar.toml"
ZETA, STIFFNESS, MASS = 0.2, 1e6, 2.0
FILE = "import math\n" + shown("your_own_kinds.md")["A contact law"]
KELVIN = FILE.replace("1e-4", f"2.0 * {ZETA} * math.sqrt({MASS} / {STIFFNESS})")
AS_HERTZ = KELVIN.replace("(penetration + parameters[DAMPING] * rate)", "penetration * math.sqrt(penetration)")


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Path]:
    with own_room("model.contact.other_laws", tmp_path / "own") as folder:
        laws.find.cache_clear()
        yield folder
        laws.find.cache_clear()


@pytest.mark.long
def test_its_restitution_is_its_own(room: Path, tmp_path: Path) -> None:
    (room / "kelvin.py").write_text(KELVIN)
    (tmp_path / "experiment.toml").write_text(EXPERIMENT)
    overrides = ["mechanism.law='kelvin'", "mechanism.exponent=1.0", f"mechanism.stiffness={STIFFNESS}"]
    with own_room("model.mechanisms", tmp_path / "own") as mechanisms:
        (mechanisms / "flying_mass.py").write_text(FLYING_MASS)
        found = simulate(load_experiment(tmp_path / "experiment.toml", overrides).experiment)
    expected = math.exp(-math.pi * ZETA / math.sqrt(1.0 - ZETA**2))
    assert found.values[-1, 1] == pytest.approx(-0.5 * expected, rel=1e-6)


def test_a_mechanism_of_the_program_takes_it(room: Path) -> None:
    (room / "as_hertz.py").write_text(AS_HERTZ)
    (room / "kelvin.py").write_text(KELVIN)

    def turned(law: str) -> np.ndarray:
        overrides = [f"mechanism.contact.law={law}", "mechanism.clearance=0.5 mm", "simulate.duration=200 ms"]
        return simulate(load_experiment(FOUR_BAR, overrides).experiment).values

    own, hertz = turned("as_hertz"), turned("hertz")
    np.testing.assert_allclose(own, hertz, rtol=1e-6, atol=1e-6 * np.abs(hertz).max())
    assert np.abs(turned("lankarani_nikravesh") - hertz).max() > 1e-3 * np.abs(hertz).max(), "the law matters here"


TAKEN = "contact law rubber cannot be taken: "


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (None, "expected one of hertz, hunt_crossley, "),
        ("import no_such_vendor", "contact law rubber cannot be taken: No module named 'no_such_vendor'"),
        (
            AS_HERTZ.replace("penetration * math.sqrt(penetration)", "no_such_name"),
            f"{TAKEN}TypingError: Failed in nopython mode",
        ),
        ("LAW = 3", "contact law rubber: expected LAW = model.contact.laws.Law(damping, force) in its file, got 3"),
    ],
)
def test_one_that_is_none_is_told(room: Path, text: str | None, words: str) -> None:
    if text is not None:
        (room / "rubber.py").write_text(text)
    with pytest.raises(ConfigError) as raised:
        load_experiment(FOUR_BAR, ["mechanism.contact.law=rubber"])
    assert words in str(raised.value) and "\n" not in str(raised.value) and "\x1b" not in str(raised.value)


@pytest.mark.parametrize("name", ["mylab_laws:STEEL", "mylab_laws"])
def test_it_may_stand_anywhere_under_any_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    (tmp_path / "mylab_laws.py").write_text(AS_HERTZ.replace("LAW = Law(", "STEEL = LAW = Law("))
    monkeypatch.syspath_prepend(tmp_path)
    place = EntryPoint("steel", name, "clearance_rig.contact_laws")
    monkeypatch.setattr(laws, "entry_points", lambda group: [place] if group == place.group else [])
    laws.find.cache_clear()
    assert laws.find("steel") is laws.find("mylab_laws:STEEL")
    laws.find.cache_clear()
