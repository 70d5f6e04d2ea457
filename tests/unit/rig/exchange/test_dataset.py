"""A data set's description, and whether a file is what it describes; with files made here and their own hashes."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from rig import config
from rig.config.setup import Setup
from rig.errors import ConfigError
from rig.exchange import dataset, mapping

DATA = b"t,x\n0,1\n1,2\n"
TEXTS = "\n".join(f'{key} = "{key} of it"' for key in dataset.TEXTS if key != "address") + '\naddress = "https://example.org/data"\n'


def make(folder: Path, *, data: bytes = DATA, text: str = TEXTS, digest: str | None = None, more: str = "") -> Path:
    """The description of a data set with one file, in a folder of its own."""
    folder.mkdir()
    (folder / "e.toml").write_text("")
    (folder / "m.toml").write_text("")
    digest = hashlib.sha256(data).hexdigest() if digest is None else digest
    files = f'\n[[files]]\nname = "a.csv"\nbytes = {len(data)}\nsha256 = "{digest}"\n'
    (folder / dataset.FILE).write_text(f'{text}experiment = "e.toml"\nmap = "m.toml"\n{more}{files}')
    return folder


def test_a_file_is_known_by_its_content_whatever_it_is_called(tmp_path: Path) -> None:
    found = dataset.described(str(make(tmp_path / "swing")))
    (tmp_path / "renamed.dat").write_bytes(DATA)
    assert found.name == "swing"
    assert dataset.recognized(found, tmp_path / "renamed.dat").name == "a.csv"


def test_one_changed_byte_is_told(tmp_path: Path) -> None:
    found = dataset.described(str(make(tmp_path / "swing")))
    (tmp_path / "a.csv").write_bytes(DATA.replace(b"2", b"3"))
    with pytest.raises(ConfigError) as told:
        dataset.recognized(found, tmp_path / "a.csv")
    text = str(told.value)
    assert hashlib.sha256(DATA).hexdigest() in text, "what was expected"
    assert hashlib.sha256(DATA.replace(b"2", b"3")).hexdigest() in text, "what came"
    assert "https://example.org/data" in text, "what to do"


def test_a_missing_file_says_where_it_is_to_be_had(tmp_path: Path) -> None:
    found = dataset.described(str(make(tmp_path / "swing")))
    with pytest.raises(ConfigError, match=r"no such file; a\.csv of swing is to be had at https://example\.org/data"):
        dataset.recognized(found, tmp_path / "a.csv")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"digest": "abc"}, r"files\[0\]\.sha256: expected 64 digits 0-9 a-f, got 'abc'"),
        ({"text": TEXTS.replace("licence = ", "license = ")}, r"license: no such key"),
        ({"text": TEXTS.replace('licence = "licence of it"\n', "")}, r"licence: missing; expected a text"),
        ({"text": TEXTS.replace('"licence of it"', "3")}, r"licence: got 3; expected a text"),
        ({"more": '[[files]]\nname = "b.csv"\nbytes = 0\nsha256 = "00"\n'}, r"files\[0\]\.bytes: expected its length in bytes, got 0"),
    ],
)
def test_a_description_that_is_wrong_is_refused(changes: dict[str, str], message: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=message):
        dataset.described(str(make(tmp_path / "swing", **changes)))  # type: ignore[arg-type]


def test_an_experiment_that_is_not_there_is_told(tmp_path: Path) -> None:
    folder = make(tmp_path / "swing")
    (folder / "e.toml").unlink()
    with pytest.raises(ConfigError, match=r"experiment: no file .*e\.toml"):
        dataset.described(str(folder))


def test_a_name_that_is_nearly_one_is_guessed() -> None:
    with pytest.raises(ConfigError, match="silverbox is meant"):
        dataset.described("silverbocks")


@pytest.mark.parametrize("name", dataset.names())
def test_what_the_program_describes_can_be_used(name: str) -> None:
    found = dataset.described(name)
    setup = config.load_experiment(found.experiment)
    assert isinstance(setup, Setup)
    channels = {channel.name for channel in setup.bench.channels}
    assert set(mapping.read(found.map).channels) <= channels
    assert setup.experiment.comparison.criteria, "a verdict needs a criterion"
    shipped = {path.name for path in found.experiment.parent.iterdir()}
    assert shipped.isdisjoint(one.name for one in found.files), "none of the data is shipped"
