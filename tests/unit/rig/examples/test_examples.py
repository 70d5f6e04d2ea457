"""Examples: which files belong to one, and how they are laid out in a folder of the user's own."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rig import config
from rig.errors import ConfigError
from rig.examples import tree
from rig.examples.laying_out import lay_out

CONFIGS = Path(__file__).parents[4] / "configs"
NAMES = sorted(path.stem for path in (CONFIGS / "experiments").glob("*.toml"))


def below(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_those_of_the_checkout_are_found() -> None:
    assert tree.folder() == CONFIGS and tree.names() == NAMES and len(NAMES) > 30


@pytest.mark.parametrize("name", NAMES)
def test_each_is_whole_where_it_is_laid_out(name: str, tmp_path: Path) -> None:
    """The files are the project's own, byte for byte, and those that the README names are there."""
    lay_out(name, tmp_path / "lab")
    files = below(tmp_path / "lab")
    readme = files.pop("README.md").decode()
    assert files == {file: (CONFIGS / file).read_bytes() for file in files}
    assert all(f"| `{file}` |" in readme for file in files)
    for file in re.findall(r"experiments/\w+\.toml", readme):
        assert file in files


def test_a_file_that_the_readme_names_and_does_not_bring_is_said_to_be_none(tmp_path: Path) -> None:
    lay_out("linkage", tmp_path)
    (line,) = [line for line in (tmp_path / "README.md").read_text(encoding="utf-8").splitlines() if ".py" in line]
    assert "there is none here yet" in line and not (tmp_path / "kinds").exists()
    (page,) = re.findall(r"docs/\w+\.md", line)
    assert (CONFIGS.parent / page).is_file()


@pytest.mark.parametrize("name", ["playback", "press", "slider_crank_described_rig"])
def test_it_loads_where_it_is_laid_out_and_reads_nothing_elsewhere(name: str, tmp_path: Path) -> None:
    lay_out(name, tmp_path / "lab")
    setup = config.load(tmp_path / "lab" / "experiments" / f"{name}.toml")
    assert setup.experiment.mechanism == config.load(CONFIGS / "experiments" / f"{name}.toml").experiment.mechanism
    assert setup.bench_path.is_relative_to(tmp_path / "lab")
    for file in (path for path in (tmp_path / "lab").rglob("*") if path.suffix in (".csv", ".toml") and path.stem != name):
        file.rename(file.with_suffix(".gone"))
        with pytest.raises(ConfigError, match=re.escape(file.name)):
            config.load(tmp_path / "lab" / "experiments" / f"{name}.toml")
        file.with_suffix(".gone").rename(file)


def test_what_only_computes_brings_the_one_that_runs_it() -> None:
    assert (tree.on_rig("four_bar"), tree.on_rig("linkage"), tree.on_rig("squeezer")) == ("four_bar_rig", "linkage", None)
    assert Path("experiments/road.csv") in tree.files_of("playback"), "files of data, too"
    assert Path("experiments/slider_crank_generic.toml") in tree.files_of("slider_crank_described_rig"), "what a file names in turn"


@pytest.mark.parametrize("before", ["README.md", "experiments/linkage.toml", "benches/virtual_loader.toml"])
def test_nothing_is_written_over(tmp_path: Path, before: str) -> None:
    (tmp_path / before).parent.mkdir(exist_ok=True)
    (tmp_path / before).write_text("mine")
    with pytest.raises(ConfigError, match=f"has {before} already, and nothing is written over; give a new folder"):
        lay_out("linkage", tmp_path)
    assert below(tmp_path) == {before: b"mine"}


def test_a_folder_with_other_files_takes_one(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    assert {path.as_posix() for path in lay_out("linkage", tmp_path)} == set(below(tmp_path)) - {"notes.txt"}


def test_an_example_that_there_is_not_is_one_message_and_no_folder(tmp_path: Path) -> None:
    for name, words in (
        ("linkag", "no example 'linkag'; did you mean linkage"),
        ("../linkage", "no example '../linkage'"),
        ("zzz", "rig new --list"),
    ):
        with pytest.raises(ConfigError, match=words):
            lay_out(name, tmp_path / "lab")
    assert not list(tmp_path.iterdir())


def test_a_place_that_is_no_folder_is_one_message(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(ConfigError, match="a part of this path is a file, not a folder"):
        lay_out("linkage", tmp_path / "file" / "lab")


def test_a_disk_that_is_full_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = Path.open

    def opened(path: Path, mode: str = "r", *more: object, **others: object) -> object:
        if mode == "xb" and path.name == "README.md":
            raise OSError(28, "No space left on device")
        return real(path, mode, *more, **others)  # type: ignore[call-overload]

    monkeypatch.setattr(Path, "open", opened)
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(ConfigError, match="cannot be written: No space left on device"):
        lay_out("linkage", tmp_path / "a" / "lab")
    assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]
