"""What is said of a motor rig: a made-up record of the four-bar, its measured side the model's own motion through the sensors."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import matplotlib.image
import numpy as np
import pytest
from numpy.typing import NDArray

from model.mechanisms.four_bar import Config
from rig import config
from rig.comparison import Line, Verdict
from rig.config.experiment import Criterion
from rig.config.plan import Plan
from rig.errors import ConfigError
from rig.prediction.stepper import stepper
from rig.recorder.description import Description, StreamShape
from rig.recorder.reading import RunData, read_run
from rig.recorder.record import Record
from rig.report import axes
from rig.report.overlay import loss_angles
from rig.report.overlay.page import overlay
from rig.report.overlay.selection import contents
from rig.report.overlay.turn import turn
from rig.report.signals import signals
from rig.report.summary import compare_run
from rig.sensors.transfer import Transfer
from rig.signals.contact_loss import Losses
from tests.tiers import quick

Floats = NDArray[np.float64]
EXPERIMENT = Path(__file__).resolve().parents[4] / "configs/experiments/four_bar_rig.toml"
RATE, TURNS, TURN = 50e3, 4, 2.0 * math.pi
LATE = math.radians(1.0)
"""What is measured comes so much further on than predicted."""
NAMES = [name for name, _ in Config.CHANNELS]


@cache
def setup() -> config.Setup:
    """Without friction contact is lost in every turn."""
    chosen = ["mechanism.gravity=9.81 m/s^2", "mechanism.contact.restitution=0.3", "mechanism.friction=0", "comparison.discard_cycles=1"]
    return config.load(str(EXPERIMENT), chosen, None)


@cache
def motion() -> tuple[Floats, Floats]:
    """(angle turned (N,), the model's channels (N, 7)) at constant speed."""
    experiment = setup().experiment
    experiment = replace(experiment, predictor=replace(experiment.predictor, source="command"))
    turned = experiment.mechanism.speed * np.arange(round(TURNS * TURN / experiment.mechanism.speed * RATE)) / RATE
    made = stepper(experiment, RATE)
    ahead = np.concatenate((turned, turned[-1] + np.diff(turned[: made.lookahead + 1]).cumsum()))
    made.start(ahead[: made.lookahead])
    return turned, made.advance(np.ascontiguousarray(ahead[made.lookahead :]))


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A run folder; its predicted side is the motion, its measured one the same LATE further on."""
    folder = tmp_path / "0001-four_bar_rig"
    folder.mkdir()
    (folder / "plan.json").write_text("{}")
    clocks = {"crank": {"skew_ppm": 180.0, "following_error_rms": math.radians(0.5)}}
    (folder / "summary.json").write_text(json.dumps({"outcome": "done", "reason": "", "clocks": clocks}))
    made = setup()
    criteria = (Criterion("acceleration", "contact_loss", 2.0),)
    experiment = replace(made.experiment, comparison=replace(made.experiment.comparison, criteria=criteria))
    plan = Plan("0001-four_bar_rig", folder, folder, experiment, made.bench, "title = 1", "title = 2")
    monkeypatch.setattr(Plan, "read", classmethod(lambda cls, run_dir: plan))
    _record(folder / "run.h5", plan)
    monkeypatch.setattr("rig.report.overlay.page.overlay", lambda path, data: path.write_bytes(b"not drawn"))  # a page takes a second
    return folder


def _record(path: Path, plan: Plan) -> None:
    turned, values = motion()
    channels = {channel.name: channel for channel in plan.bench.channels}
    acceleration = Transfer(channels["acceleration"], RATE).apply(values[:, NAMES.index("acceleration")])
    noise = np.random.default_rng(1).normal(0.0, 0.1, len(turned))
    step = TURN / 4096
    counted = np.floor((values[:, 0] + LATE) / step) * step
    cycle = np.floor(turned / TURN + 1e-9)
    sensors = {name: {"sensitivity": 1.0, "offset": 0.0, "expired": False} for name in channels}
    record = Record(path, Description(plan.run, "a four-bar", "2026-01-01", "title = 1", "title = 2", sensors))
    units = [unit for _, unit in Config.CHANNELS]
    for name, columns, unit, block in (
        ("command", ("value", "phase", "cycle"), ("rad", "rad", "1"), np.column_stack((turned, turned, cycle))),
        ("measured", ("acceleration", "crank_angle"), ("m/s^2", "rad"), np.column_stack((acceleration + noise, counted))),
        ("predicted", tuple(NAMES), tuple(units), values),
        ("predicted_as_measured", ("acceleration", "crank_angle"), ("m/s^2", "rad"), np.column_stack((acceleration, values[:, 0]))),
    ):
        record.stream(StreamShape(name, columns, unit, RATE))
        record.append(name, 0, block)
    record.close()


COMPARED: dict[str, Any] = {}


def compared(run: Path) -> dict[str, Any]:
    """The record as it is, compared once for all tests that change nothing of it."""
    if not COMPARED:
        COMPARED.update(compare_run(run))
    return COMPARED


def test_contact_losses_are_measured_predicted_and_judged(run: Path) -> None:
    found = compared(run)
    lost = found["contact_loss"]
    assert lost["revolutions"] == pytest.approx(TURNS - 1, abs=0.1)
    assert len(set(lost["predicted_turns"])) >= 2
    assert lost["mean_difference_deg"] == pytest.approx(-math.degrees(LATE), abs=0.5)
    assert found["agreement"]["acceleration"]["contact_loss_error_deg"] == lost["mean_difference_deg"]
    assert found["verdict"]["result"] == "pass"
    assert set(lost["predict_deg"]) == set(loss_angles.CRITERIA)
    assert len(lost["predict_deg"]["full_contact"]) > 0
    assert f"predicted minus measured: {lost['mean_difference_deg']:+.2f} deg" in found["text"]
    json.dumps(found, allow_nan=False)


def test_how_far_the_shaft_has_turned_is_known_until_the_test_is_broken_off(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The crank begins at its mark again then; a part that was not kept leaves it where it is."""
    plan, record = Plan.read(run), read_run(run)
    for resumed, known in ((False, True), (True, False)):
        monkeypatch.setattr(RunData, "absent", [(100, 200, resumed)])
        assert (signals(record, plan).shaft is not None) is known


def test_a_joint_without_clearance_has_no_losses(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plan = Plan.read(run)
    tight = replace(plan, experiment=replace(plan.experiment, mechanism=replace(plan.experiment.mechanism, clearance=0.0)))
    monkeypatch.setattr(Plan, "read", classmethod(lambda cls, run_dir: tight))
    found = compare_run(run)
    assert found["contact_loss"] is None
    assert found["verdict"]["result"] == "fail"  # what is asked for cannot be known
    assert "rig predict" not in found["text"]


def test_the_turn_on_the_page_is_one_in_which_contact_is_lost(run: Path) -> None:
    plan, record = Plan.read(run), read_run(run)
    found = signals(record, plan)
    counts = range(len(found.command.value) // TURNS, len(found.command.value))
    losses = loss_angles.loss_angles(plan, record, counts, 0.0)
    assert losses is not None
    page = contents(plan, found, {}, Verdict("none", ""), _settings(plan), losses)
    assert page.turn is not None
    assert (page.turn.begin, page.turn.along[0]) == (pytest.approx(240.0), pytest.approx(240.0, abs=0.2))
    assert page.turn.along[-1] == pytest.approx(600.0, abs=0.2)
    assert [row.name for row in page.turn.rows] == ["acceleration"]  # the angle is what it is drawn over
    marks = np.degrees(losses.whole(losses.measured) - page.turn.before)
    assert np.any((marks > 240.0) & (marks < 600.0))
    assert turn(plan, found, _settings(plan), range(0)) is None


def test_the_page_shows_the_channel_that_fails(run: Path) -> None:
    """Of a motor rig the command is none of the channels; else the one that is judged first."""
    plan = Plan.read(run)
    found = signals(read_run(run), plan)
    assert found.feedback != "crank_angle" in found.measured
    lines = [
        Line(channel, "nrms", 0.5, 0.1, passed, "", undecided=undecided)
        for channel, passed, undecided in ((found.feedback, True, False), ("crank_angle", False, True), ("not measured", False, False))
    ]
    shown = [contents(plan, found, {}, Verdict("fail", "", tuple(some)), _settings(plan)).channel for some in (lines, lines[:1])]
    assert shown == ["crank_angle", found.feedback]


def _settings(plan: Plan) -> Any:
    from rig.comparison import Settings

    return Settings(plan.experiment.comparison.lowpass, plan.experiment.comparison.discard_cycles)


def test_axes_are_in_the_table_with_their_clocks_and_how_far_they_turned(run: Path) -> None:
    text = compared(run)["text"]
    (row,) = [line for line in text.splitlines() if line.startswith("crank ")]
    assert row.split()[:3] == ["crank", "0.500", "+180"]
    assert abs(float(row.split()[3])) < 0.02  # %, of a whole count
    assert row.endswith("% (crank_angle)")
    plan = Plan.read(run)
    found = signals(read_run(run), plan)
    told_nothing = axes.rows(plan, found, range(len(found.command.value)), {"crank": {"skew_ppm": None, "following_error_rms": None}})
    assert told_nothing[1][:3] == ("crank", "-", "-")


def test_a_shaft_that_turned_the_other_way_is_no_slip(run: Path) -> None:
    plan, record = Plan.read(run), read_run(run)
    found = signals(record, plan)
    angle = found.measured["crank_angle"]
    back = replace(found, measured={**found.measured, "crank_angle": -np.asarray(angle[0 : len(angle)])})
    counts = range(len(found.command.value))
    (told,) = [note for note in axes.doubts(plan, record, back, counts, {}) if note.startswith("crank_angle")]
    assert "against what was commanded" in told and "exchange a and b" in told and "slips" not in told
    assert not [note for note in axes.doubts(plan, record, found, counts, {}) if note.startswith("crank_angle")]


@pytest.mark.parametrize(("gap", "said"), quick([(0.02, False), (0.06, True)], [(0.06, True)]))
def test_setpoints_that_came_late_are_said(run: Path, monkeypatch: pytest.MonkeyPatch, gap: float, said: bool) -> None:
    """The motion was not what was commanded then, and the model goes by that."""
    every = 1.0 / setup().bench.axes[0].rate
    times = np.arange(0.0, 0.5 * TURNS * TURN / setup().experiment.mechanism.speed, every)
    times = np.concatenate((times, times + times[-1] + gap / 0.01 * every))
    told = {"sample": times * RATE, "axis": np.zeros(len(times))}
    monkeypatch.setattr(RunData, "apart", lambda self, stream: told)
    notes = [note for note in compare_run(run)["warnings"] if "ms apart" in note]
    assert bool(notes) == said
    if said:
        assert notes[0].startswith("crank: setpoints came up to") and "too slow or too busy" in notes[0]


@pytest.mark.parametrize(("seconds", "said"), quick([(None, False), (0.001, False), (0.4, True)], [(0.4, True)]))
def test_setpoints_that_ran_out_are_said(run: Path, seconds: float | None, said: bool) -> None:
    clock = {"skew_ppm": None, "following_error_rms": 0.0, "ran_dry_s": seconds}
    notes = [note for note in compare_run(run, clocks={"crank": clock})["warnings"] if "ran out" in note]
    assert bool(notes) == said
    if said:
        assert notes[0].startswith("crank: setpoints ran out for up to 400 ms: this computer is too slow or too busy, and the motion was")


def test_a_delay_at_constant_speed_is_said_to_be_an_angle(run: Path) -> None:
    (note,) = compared(run)["warnings"]
    assert "nothing tells it from an error of the phase (one turn, or round, is 10000 samples)" in note
    assert "pure sine" not in note


def test_the_page_is_drawn_with_the_command_in_turns(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rig.report.overlay.page.overlay", overlay)
    compare_run(run)
    picture = matplotlib.image.imread(run / "overlay.png")
    assert picture.shape[:2] == (1250, 2000)
    command = np.array([0x9A, 0xA3, 0xAD]) / 255.0
    assert np.count_nonzero(np.abs(picture[:, :, :3] - command).max(axis=2) < 0.02) > 1000


def test_a_criterion_that_cannot_be_known_is_refused_or_doubted(tmp_path: Path) -> None:
    text = EXPERIMENT.read_text().replace("../benches", str(EXPERIMENT.parents[1] / "benches"))
    path = tmp_path / "judged.toml"
    path.write_text(text)
    assert config.load(str(path), [], None).experiment.comparison.criteria[1].metric == "contact_loss"
    (doubt,) = config.load(str(path), ["mechanism.clearance=0"], None).warnings
    assert doubt == "mechanism.clearance is 0: the model loses no contact, so the criterion contact_loss cannot hold"
    path.write_text(text.replace('channel = "acceleration"\nmetric = "contact_loss"', 'channel = "crank_angle"\nmetric = "contact_loss"'))
    with pytest.raises(ConfigError, match="crank_angle"):
        config.load(str(path), [], None)


def test_another_law_is_judged_by_its_own_contact_losses(run: Path) -> None:
    found = compare_run(run, alternative="flores")
    (line,) = found["verdict"]["lines"]
    assert line["error"] == pytest.approx(-math.degrees(LATE), abs=0.5)
    assert line["alternative"] is not None
    assert abs(line["alternative"] - line["error"]) > 1.0


@pytest.mark.parametrize(("measured", "predicted", "said"), [(3, 0, "in 3 turns as measured, in 0 as predicted"), (0, 0, ""), (2, 2, "")])
def test_a_loss_on_one_side_only_is_said(measured: int, predicted: int, said: str) -> None:
    def lost(turns: int) -> Losses:
        return Losses(np.arange(turns), np.full(turns, 1.0), np.full(turns, 1.2))

    losses = loss_angles.LossAngles(20.0, 0, lost(measured), lost(predicted), {}, slice(0, 1))
    assert said in losses.one_sided and bool(losses.one_sided) == bool(said)
    assert bool(losses.nowhere) == (measured == predicted == 0)


@pytest.mark.parametrize(("noise", "measured", "hidden"), [(0.8, 4, True), (0.8, 0, True), (0.8, 30, False), (None, 4, False)])
def test_losses_that_noise_hides_in_most_turns_tell_nothing(noise: float | None, measured: int, hidden: bool) -> None:
    def lost(turns: int) -> Losses:
        return Losses(np.arange(turns), np.full(turns, 1.0), np.full(turns, 1.2))

    found = loss_angles.LossAngles(38.0, 0, lost(measured), lost(38), {}, slice(0, 1), noise=noise, stated=0.1)
    assert bool(found.hidden) is hidden
    if hidden:
        assert f"noise of 0.8 m/s^2, with 0.1 recorded with its sensor: it is seen in {measured} turns, and predicted in 38" in found.hidden


def test_contact_that_is_kept_on_both_sides_is_no_difference(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Gravity keeps the joint of a slow four-bar together; a criterion that cannot be judged for it would fail a right model."""
    monkeypatch.setattr(loss_angles, "losses", lambda *_, **__: Losses.none())
    found = compare_run(run)
    assert found["verdict"]["result"] == "fail", "kept on one side only"
    monkeypatch.setattr(loss_angles, "openings", lambda *_, **__: Losses.none())
    assert compare_run(run)["verdict"]["result"] == "fail", "no opening was found, and yet the joint is not in contact"
    monkeypatch.setattr(loss_angles, "_share_in_contact", lambda *_: 1.0)
    found = compare_run(run)
    assert found["verdict"]["result"] == "pass"
    assert found["contact_loss"]["mean_difference_deg"] is None
    assert any("contact is kept in all 3.0 turns, as measured and as predicted" in warning for warning in found["warnings"])
    assert not loss_angles.LossAngles(0.5, 0, Losses.none(), Losses.none(), {}, slice(0, 1)).nowhere, "less than a turn"


def test_a_known_delay_moves_the_losses_back_by_its_angle(run: Path) -> None:
    """The acceleration is shown 2 ms late; its encoder counts at once."""
    plan, record = Plan.read(run), read_run(run)
    counts = range(round(RATE / 5.0), round(4.0 * RATE / 5.0))
    late = 2e-3
    plain, moved = (loss_angles.loss_angles(plan, record, counts, seconds) for seconds in (0.0, late))
    assert plain is not None and moved is not None and plain.compared is not None and moved.compared is not None
    speed = plan.experiment.mechanism.speed
    assert moved.compared[0].mean - plain.compared[0].mean == pytest.approx(-speed * late, abs=math.radians(0.1))
    assert moved.compared[1].mean == plain.compared[1].mean


@pytest.mark.long
def test_a_known_delay_is_taken_out_of_the_losses_that_are_told(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By 2 ms the crank has turned that much less; where contact is lost as predicted does not change."""
    monkeypatch.setattr("rig.report.overlay.page.overlay", lambda path, data: None)
    plain, less = (compare_run(run, overrides=[f"comparison.remove_delay={ms} ms"])["contact_loss"] for ms in (0, 2))
    turned = math.degrees(Plan.read(run).experiment.mechanism.speed * 2e-3)
    assert less["measured_mean_deg"] == pytest.approx(plain["measured_mean_deg"] - turned, abs=0.1)
    assert less["predicted_mean_deg"] == plain["predicted_mean_deg"]
    assert less["mean_difference_deg"] == pytest.approx(plain["mean_difference_deg"] + turned, abs=0.1)
