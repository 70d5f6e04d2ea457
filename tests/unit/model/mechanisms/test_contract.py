"""Every mechanism and every integrator keeps the contract of its room: what it says of itself it has."""

from __future__ import annotations

import importlib
import pkgutil

import pytest

from model import integrators, mechanisms
from model.errors import ModelError
from model.integrators import dop853
from model.integrators.method import Integrator
from model.mechanisms import parallel_3rrpar, parallel_3rrpar_flexible
from model.mechanisms.mechanism import Mechanism
from tests.each_row import each_row

KINDS = [one.name for one in pkgutil.iter_modules(mechanisms.__path__) if one.ispkg]


@each_row("kind", KINDS)
def test_a_mechanism_has_what_it_says(kind: str) -> None:
    config = importlib.import_module(f"model.mechanisms.{kind}").Config
    assert issubclass(config, Mechanism) and config.create is not Mechanism.create
    assert bool(config.COURSE) == bool(config.DRIVES)
    assert not config.COURSE or config.setpoints is not Mechanism.setpoints
    assert not config.WEIGHS or config.shown_weight is not Mechanism.shown_weight
    assert config.SOURCES or config.FOLLOWS_PATH or config.own_duration is not Mechanism.own_duration
    assert {*config.EXTREMES} <= {name for name, _ in config.CHANNELS}


def test_there_are_all_of_them() -> None:
    assert {"four_bar", "linkage", "parallel_3rrpar", "planar", "slider_bar", "slider_crank"} <= {*KINDS}


def test_what_is_missing_is_named() -> None:
    class Bare(Mechanism):
        COURSE = "rad"

    with pytest.raises(NotImplementedError, match=r"test_contract: .*needs a method setpoints"):
        Bare().setpoints([0.0])  # type: ignore[arg-type]


def test_integrators_are_called_as_their_files_are() -> None:
    found = {}
    for one in pkgutil.iter_modules(integrators.__path__):
        config = getattr(importlib.import_module(f"model.integrators.{one.name}"), "Config", None)
        if config is not None and config.__module__ == f"model.integrators.{one.name}":
            assert issubclass(config, Integrator)
            found[one.name] = config.KIND
    assert len(found) >= 5 and all(name == kind for name, kind in found.items())


@pytest.mark.parametrize("kind", [parallel_3rrpar, parallel_3rrpar_flexible])
def test_a_platform_without_a_path_is_refused_in_words(kind) -> None:
    with pytest.raises(ModelError, match=r"follow a path; expected one \(\[trajectory\] path"):
        kind.Config().create(dop853.Config(), 1e3)
