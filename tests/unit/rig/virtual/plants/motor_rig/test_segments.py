"""Rods as chains of rigid segments, against Euler and Bernoulli, against the model's beam elements, and built by the plant."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from model.assembly.description import Accelerometer, Body, Point
from model.assembly.drives import angle
from model.assembly.forces import constant, torsion_spring
from model.assembly.joints import revolute, weld
from model.assembly.rods.rod import Rod
from model.integrators import dop853
from model.mechanisms import slider_crank_flexible as by_hand
from model.mechanisms.planar import Config, generated, stepper
from rig.virtual.plants import planar_rig
from rig.virtual.plants.motor_rig.plant import SpeedDrive
from rig.virtual.plants.motor_rig.segments import segmented
from tests.unit.model.mechanisms.planar.flexible import described, frequencies, run
from tests.unit.rig.virtual.plants.driven_benches import Turned

LENGTH, MASS = 0.5, 0.2
ROD = Rod("rod", LENGTH, MASS, 70e9, 1e-4, 1e-9, elements=2, points=(Point("mid", 0.5 * LENGTH),))
METHOD = dop853.Config(tolerance=1e-8, longest_step=1e-3)


@pytest.fixture(autouse=True)
def by_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(generated, "stepper", stepper.stepper)


def test_a_clamped_chain_comes_to_the_cantilever_with_the_square_of_its_links() -> None:
    """First two frequencies, within 0.1 % and 0.4 % with sixteen."""
    exact = np.array([1.87510407, 4.69409113]) ** 2 / (2.0 * math.pi) * math.sqrt(70.0 * LENGTH / (MASS * LENGTH**4))
    config = Config(joints=(weld.Config("clamp", ("ground.origin", "rod.begin")),), rods=(ROD,))
    off = [frequencies(segmented(config, links))[:2] / exact - 1.0 for links in (4, 16)]
    assert np.max(np.abs(off[1]) / [1e-3, 4e-3]) < 1.0
    assert 0.5 * np.log2(off[0] / off[1]) == pytest.approx([2.0, 2.0], abs=0.1)


def test_chains_fall_as_the_rods_of_the_model_do() -> None:
    """A rod pinned to the middle of another one, both soft: a chain of 16 within 3 mm over 0.3 s, one of 4 farther off than that."""
    soft = replace(ROD, youngs_modulus=5e6, area=4e-3, elements=8)
    arm = Rod("arm", 0.3, 0.1, 5e6, 4e-3, 1e-9, elements=6)
    joints = (revolute.Config("O", ("ground.origin", "rod.begin")), revolute.Config("P", ("rod.mid", "arm.begin")))
    config = Config(joints=joints, rods=(soft, arm), gravity=9.81)
    wanted = run(config, 0.3, method=METHOD)

    def off(links: int) -> float:
        outputs = tuple(f"{name}_{links}_end_{axis}" for name in ("arm", "rod") for axis in "xy")
        found: dict[str, NDArray[np.float64]] = run(replace(segmented(config, links), outputs=outputs), 0.3, method=METHOD)
        return max(float(np.max(np.abs(found[name] - wanted[name.replace(f"_{links}_", "_")]))) for name in outputs)

    assert off(16) < 3e-3 < off(4)


def test_all_that_meets_a_rod_meets_its_segment() -> None:
    crank = Body("crank", 1.0, 1e-3, points=(Point("A", 0.05),), angle=1.0)
    config = Config(
        (crank,), (revolute.Config("O", ("ground.origin", "crank.origin")), revolute.Config("A", ("crank.A", "rod.origin"))),
        (angle.Config("m", "rod", 1.0, start=0.3, relative_to="crank"),),
        (constant.Config("F", "rod.mid", force_y=1.0), torsion_spring.Config("T", "rod.end", stiffness=1.0)),
        accelerometers=(Accelerometer("felt", "rod.end"),), rods=(ROD,),
    )  # fmt: skip
    found = segmented(config, 4)
    assert found.rods == () and len(found.bodies) == 6
    assert sum(body.mass for body in found.bodies[1:]) == pytest.approx(MASS)
    assert found.joints[1].between == ("crank.A", "rod_0.begin")  # type: ignore[attr-defined]
    assert found.drives[0].body == "rod_0" and found.drives[0].relative_to == "crank"  # type: ignore[attr-defined]
    assert found.forces[0].on == "rod_2.mid" and found.forces[1].body == "rod_4"  # type: ignore[attr-defined]
    assert found.accelerometers[0].on == "rod_4.end"
    end, whole = found.frame.end("rod_4.end"), stepper.assemble(found).state
    place = whole[3 * end.body : 3 * end.body + 3]
    turned = place[:2] + end.x * np.array([math.cos(place[2]), math.sin(place[2])])
    x, y, phi = stepper.assemble(config).placed[3:]
    assert turned == pytest.approx([x + 0.5 * LENGTH * math.cos(phi), y + 0.5 * LENGTH * math.sin(phi)], abs=1e-9)
    assert whole[2:18:3] == pytest.approx([phi - 0.3, *[phi] * 5], abs=1e-9), "straight"
    assert segmented(replace(config, rods=(), joints=config.joints[:1], drives=(), forces=(), accelerometers=())).bodies == (crank,)
    with pytest.raises(ValueError, match="links: expected at least 1, got 0"):
        segmented(config, 0)


def test_the_plant_refuses_rods_and_builds_their_segments() -> None:
    """The flexible slider-crank: as it stands not, as a chain it comes to its speed."""
    mechanism = described(by_hand.Config(clearance_joint="rod_slider", clearance=5e-5, guide_clearance=0.0))
    with pytest.raises(ValueError, match=r"mechanism.rods: rod: this plant has no rods that give way"):
        planar_rig.Config(mechanism=mechanism, axes=(planar_rig.Axis(drive="motor"),))
    tachometer = planar_rig.AxisSpeed(name="speed", axis="motor", noise=0.0, sensitivity=0.015)
    built = planar_rig.Config(
        mechanism=segmented(mechanism, 4), axes=(planar_rig.Axis(drive="motor"),), tachometers=(tachometer,), step=1e-6,
        speed_drive=SpeedDrive(max_speed=600.0, acceleration=200.0, torque=30.0),
    )  # fmt: skip
    bench = Turned(built.create(1))
    bench.volts[:] = 10.0 * 20.0 / 600.0
    speed = bench.run(0.3)[-5000:, 0] / 0.015
    assert np.mean(speed) == pytest.approx(20.0, rel=0.1)
