"""Pictures of a motion that is made up; what they look like is looked at in docs/pictures.md."""

import sys
from types import SimpleNamespace

import numpy as np
import pytest
from PIL import Image

from rig.errors import ConfigError
from rig.motion.magnified import Magnified, extent, rounded
from rig.motion.parts import Guide, Motion, Outline, Pin, box
from rig.report.motion import animation
from rig.report.motion.animation import animate, writer
from rig.report.motion.found import Found
from rig.report.motion.orbit import orbits

COUNT = 400
FRAMES = 12


def made_up() -> Motion:
    """A pin that goes round in its bush, the half of it in contact; a slider that tips over in its guide."""
    time = np.linspace(0.0, 1.0, COUNT)
    angle = 2.0 * np.pi * time
    size = np.where(time < 0.5, 1.01e-4, 0.8e-4)
    offset = size[:, None] * np.column_stack((np.cos(angle), np.sin(angle)))
    bush = np.column_stack((0.1 * np.cos(angle), 0.1 * np.sin(angle)))
    rear, front = 5.1e-5 * np.sign(np.sin(angle)), 4e-5 * np.cos(angle)
    slider = box(np.column_stack((0.2 + 0.02 * np.cos(angle), np.zeros(COUNT))), np.zeros(COUNT), 0.02, 0.01)
    bodies = (
        Outline("crank", np.stack((np.zeros_like(bush), bush), axis=1)),
        Outline("rod", np.stack((bush + offset, slider.mean(axis=1)), axis=1), journals=((0, 0),)),
        Outline("slider", slider, loop=True, guide=0),
    )
    return Motion(time, (Pin("A", 1e-4, offset, bush),), (Guide("guide", 5e-5, rear, front),), bodies, (np.zeros((1, 2)),), "made up")


@pytest.fixture
def found() -> Found:
    plan = SimpleNamespace(run="0001-made_up", experiment=SimpleNamespace(title="costs 5 $ or $"))
    return Found(plan, SimpleNamespace(), made_up(), range(COUNT))  # type: ignore[arg-type]


def test_orbits_are_drawn_and_told(tmp_path, found):
    told = orbits(tmp_path / "o.png", found)
    assert told["A"]["share_in_contact"] == pytest.approx(0.5, abs=0.01)
    assert told["A"]["deepest_m"] == pytest.approx(1e-6)
    assert told["guide"]["share_in_contact"] > 0.98
    picture = np.asarray(Image.open(tmp_path / "o.png").convert("RGB")).astype(int)
    orange = (abs(picture - np.array([0xD5, 0x5E, 0x00])).sum(axis=2) < 30).sum()
    assert orange > 2000  # the contact is marked


def test_an_animation_has_its_pictures(tmp_path, found, monkeypatch):
    monkeypatch.setattr(animation, "FRAMES", FRAMES)
    told = animate(tmp_path / "a.gif", found, writer(tmp_path / "a.gif"))
    with Image.open(tmp_path / "a.gif") as made:
        assert made.n_frames == FRAMES
    assert told["magnified"] >= 10.0
    assert told["slower"] == pytest.approx(0.6)


def test_an_animation_as_mp4(tmp_path, found, monkeypatch):
    monkeypatch.setattr(animation, "FRAMES", FRAMES)
    animate(tmp_path / "a.mp4", found, writer(tmp_path / "a.mp4"))
    made = (tmp_path / "a.mp4").read_bytes()
    assert made[4:8] == b"ftyp" and b"moov" in made  # ISO 14496-12: its first box, and the table of a file that was ended
    assert b"avc1" in made  # H.264, which every player has


def test_mp4_without_its_program_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr("matplotlib.animation.FFMpegWriter.isAvailable", lambda: False)
    monkeypatch.setitem(sys.modules, "imageio_ffmpeg", None)
    with pytest.raises(ConfigError, match=r"ffmpeg, which is not installed; apt-get install ffmpeg, .* or give a name that ends in"):
        writer(tmp_path / "a.mp4")


def test_a_journal_is_drawn_as_many_times_as_far_from_its_bush():
    shown = Magnified.of(made_up(), 50.0)
    rod, pin = shown.motion.bodies[1], shown.motion.pins[0]
    np.testing.assert_allclose(shown.places(rod)[:, 0] - pin.bush, 50.0 * pin.offset)
    np.testing.assert_allclose(shown.places(rod)[:, 1], rod.places[:, 1])
    assert shown.factor * pin.clearance < shown.radius
    slider = shown.places(shown.motion.bodies[2])
    np.testing.assert_allclose(slider[:, 0, 1] - 5e-3, 49.0 * shown.motion.guides[0].rear, atol=1e-12)


def test_a_huge_factor_makes_the_bush_larger_and_no_pin_vanishes():
    shown = Magnified.of(made_up(), 1e4)
    assert shown.radius > shown.factor * 1e-4
    assert shown.radius > extent(shown.motion)


@pytest.mark.parametrize(("given", "expected"), [(1.0, 1.0), (1.9, 1.0), (2.0, 2.0), (7.3, 5.0), (430.0, 200.0), (0.031, 0.02)])
def test_factors_are_round(given: float, expected: float):
    assert rounded(given) == pytest.approx(expected)
