"""Programs that are told of a test stand in the bench file alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from rig import config
from rig.config.bench import Bench
from rig.config.transport import from_json, to_json
from rig.errors import ConfigError

ROOT = Path(__file__).parents[4]
LINKAGE = ROOT / "configs/experiments/linkage.toml"
BENCH = ROOT / "configs/benches/virtual_loader.toml"
NOTIFY = '\n[[notify]]\nprogram = ["logger", "-t", "rig"]\non = ["trip", "end"]\ntime_limit = "2 s"\nevery = "1 min"\n'


def bench_with(folder: Path, text: str) -> Path:
    file = folder / "bench.toml"
    file.write_text(BENCH.read_text(encoding="utf-8").replace('"../', f'"{ROOT}/configs/') + text, encoding="utf-8")
    return file


def test_a_bench_file_names_them_and_the_processes_of_a_run_get_them(tmp_path: Path) -> None:
    bench, _ = config.load_bench(bench_with(tmp_path, NOTIFY))
    (one,) = bench.notify
    assert one.program == ("logger", "-t", "rig") and one.on == ("trip", "end") and (one.time_limit, one.every) == (2.0, 60.0)
    kinds = {"daq", "loader", "axes", "instruments", "plant", "serial"}
    assert from_json(Bench, to_json(bench), kinds).notify == bench.notify


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('\n[[notify]]\nprogram = "mail"\n', "notify[0].program: expected a list"),
        ('\n[[notify]]\nprogram = ["mail"]\non = ["crash"]\n', "notify[0].on[0]: expected one of start, hold"),
        ('\n[[notify]]\nprogram = ["mail"]\ntime_limit = "2 min"\n', "notify[0].time_limit: expected at most 60 s"),
        ('\n[[notify]]\nprogram = ["bin/mail"]\n', "expected a whole path, or a name"),
        ('\n[[notify]]\nprogram = ["mail"]\nshell = true\n', "unknown key"),
    ],
)
def test_what_cannot_be_is_refused(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(ConfigError) as error:
        config.load_bench(bench_with(tmp_path, text))
    assert said in str(error.value)


def experiment_with(folder: Path, before: str, after: str) -> Path:
    file = folder / "experiment.toml"
    text = LINKAGE.read_text(encoding="utf-8").replace('file = "../benches', f'{before}file = "{ROOT}/configs/benches')
    file.write_text(text + after, encoding="utf-8")
    return file


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", NOTIFY),
        ('notify = [{program = ["logger"]}]\n', ""),
        ('notify.program = ["logger"]\n', ""),
        ("", NOTIFY.replace("notify", "bench.notify")),
    ],
)
def test_an_experiment_file_names_none_in_any_way(tmp_path: Path, before: str, after: str) -> None:
    config.load(experiment_with(tmp_path, "", ""))  # without them it is taken
    with pytest.raises(ConfigError) as error:
        config.load(experiment_with(tmp_path, before, after))
    assert "named in the bench file alone" in str(error.value)


def test_neither_does_an_override() -> None:
    with pytest.raises(ConfigError, match="named in the bench file alone"):
        config.load(LINKAGE, ['bench.notify=[{program=["logger"]}]'])
