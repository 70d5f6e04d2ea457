"""Places of pins by the state of a mechanism, against penetrations and forces that the model's own channels tell."""

import numpy as np
import pytest

from model.joints import translational
from rig.motion.kinds import four_bar, linkage, planar, slider_crank
from rig.motion.parts import slider_ends
from rig.motion.traced import Traced
from rig.report.motion.traced import along
from tests.unit.rig.report.motion.moved import experiment, recorded, turning

RATE = 20e3


def same_depth(depth, said):
    """A channel's samples are interpolated, which in an impact of a sample's length is coarse; a wrong place would be off by the play."""
    off, largest = np.abs(np.maximum(depth, 0.0) - np.maximum(said, 0.0)), np.max(said)
    assert largest > 1e-7  # it is pressed at all
    assert np.quantile(off, 0.95) < 0.05 * largest
    assert np.max(off) < 0.5 * largest


def test_a_slider_crank_s_pin_is_as_deep_as_its_channel_says():
    plan = experiment("slider_crank_rig")
    traced = along(plan, recorded(turning(0.3, RATE, 60.0), RATE), range(2000, 5000))
    moved = slider_crank.motion(plan.experiment.mechanism, traced)
    (pin,), (guide,) = moved.pins, moved.guides
    said = traced.channels["joint_penetration"]
    same_depth(pin.depth, said)
    middle = moved.bodies[2].places.mean(axis=1)
    np.testing.assert_allclose(middle[:, 0], traced.channels["slider_position"], atol=1e-6)
    pressed = traced.channels["guide_force"] > 1.0
    assert np.mean(guide.closed == pressed) > 0.9


def test_a_linkage_s_pins_touch_where_their_joints_carry_load():
    plan = experiment("linkage")
    t = np.arange(8000) / RATE
    traced = along(plan, recorded(10e3 * np.sin(2.0 * np.pi * 5.0 * t), RATE), range(1000, 7000))
    moved = linkage.motion(plan.experiment.mechanism, traced)
    for pin, name in zip(moved.pins, ("joint_a_force", "joint_b_force"), strict=True):
        loaded = np.abs(traced.channels[name]) > 1.0
        assert 0.2 < np.mean(loaded) < 0.999
        assert np.mean(pin.closed == loaded) > 0.99
        pulled = traced.channels[name] > 1e3
        assert (pin.offset[pulled, 0] > 0.0).all()  # in tension the later link is pulled away


def test_a_described_linkage_s_pins_are_as_deep_as_its_channels_say():
    names = ["crank_angle", "motor_torque", "B_penetration", "P_penetration", "coupler_P_x", "coupler_P_y"]
    outputs = "mechanism.outputs=[" + ",".join(f'"{name}"' for name in names) + "]"
    plan = experiment("six_bar_rig", outputs, 'mechanism.equations="tables"')
    traced = along(plan, recorded(turning(0.1, RATE, 20.0), RATE), range(500, 1500))
    moved = planar.motion(plan.experiment.mechanism, traced)
    pins = {pin.name: pin for pin in moved.pins}
    assert set(pins) == {"B", "P"}
    for name, pin in pins.items():
        said = traced.channels[f"{name}_penetration"]
        same_depth(pin.depth, said)
    coupler = next(body for body in moved.bodies if body.name == "coupler")
    place = np.column_stack((traced.channels["coupler_P_x"], traced.channels["coupler_P_y"]))
    off = np.linalg.norm(coupler.places - place[:, None, :], axis=2).min(axis=1)
    assert off.max() < 1e-6


def test_a_four_bar_that_is_closed_has_its_pin_in_the_middle():
    """By the law of cosines: crank 50, coupler 160, rocker 160, ground 200 mm at a right angle of the crank."""
    plan = experiment("four_bar_rig")
    mechanism = plan.experiment.mechanism
    ground, crank = mechanism.ground_length, mechanism.crank_length
    diagonal = np.hypot(ground, crank)
    half = np.arccos(0.5 * diagonal / mechanism.coupler_length)  # coupler and rocker are of one length
    lean = np.arctan2(-crank, ground)
    angles = {"crank_angle": 0.5 * np.pi, "coupler_angle": lean + half, "rocker_angle": lean - half}
    assert mechanism.coupler_length == mechanism.rocker_length
    for off, expected in ((0.0, 0.0), (1e-3, 1e-3 * mechanism.rocker_length)):
        given = {**angles, "rocker_angle": angles["rocker_angle"] + off}
        traced = Traced(np.zeros(1), {name: np.array([value]) for name, value in given.items()}, np.empty((1, 0)))
        (pin,) = four_bar.motion(mechanism, traced).pins
        assert pin.distance[0] == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize(("across", "tilt"), [(2e-5, 0.0), (-1e-5, 8e-3), (3e-5, -1e-2), (0.0, 1.5e-2)])
def test_the_end_that_presses_is_as_deep_as_the_model_s_deepest_corner(across: float, tilt: float):
    length, height, clearance = 5e-3, 8e-3, 5e-5
    given = translational.parameters(length, height, clearance, 1e7, 0.0, (0.0, 0.0, 1.0))
    corners = [translational.corner(k, across, 0.0, 0.0, np.sin(tilt), np.cos(tilt), 0.0, given)[0] for k in range(4)]
    rear, front = slider_ends(np.array([across]), np.array([tilt]), length, height)
    assert abs(rear[0]) - clearance == pytest.approx(max(corners[0], corners[2]), abs=1e-12)
    assert abs(front[0]) - clearance == pytest.approx(max(corners[1], corners[3]), abs=1e-12)
