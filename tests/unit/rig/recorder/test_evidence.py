"""The chain of evidence: any changed byte of any file is found, in the file and the MiB where it is, and so is what was taken away."""

from __future__ import annotations

import hashlib
import random
import shutil
from pathlib import Path

import pytest

from rig.errors import ConfigError
from rig.recorder import chain
from rig.recorder.chain import CHAIN, PIECE, ChainWriter, entry_of
from rig.recorder.sealing import evidence, seal
from rig.recorder.verification import verified
from tests.unit.rig.recorder.parts_rig import begun, step

CHANGES = 500  # 10 000 in the campaign
OTHERS = {"plan.json": b'{"run": 1}', "state.json": b'{"cycle": 17}', "summary.json": b'{"verdict": "pass"}'}


@pytest.fixture(scope="module")
def sealed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run in parts that has come to its end; only to be copied, or to be put back as it was."""
    folder = tmp_path_factory.mktemp("sealed") / "0001-linkage"
    folder.mkdir()
    made = begun(folder)
    for number in range(12):
        step(made, number)
    made.close()
    for name, content in OTHERS.items():
        (folder / name).write_bytes(content)
    seal(folder)
    return folder


@pytest.fixture
def copy(sealed: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(sealed, tmp_path / "run"))


def bad(folder: Path) -> list[str]:
    return [one.file for one in verified(folder) if not one.ok]


def test_all_is_in_the_chain_and_as_it_was(sealed: Path) -> None:
    found = verified(sealed)
    parts = [f"parts/0000{number}.h5" for number in (1, 2, 3)]
    assert {one.file for one in found} == {CHAIN, "run.h5", "journal.bin", "parts/00002.bin", "parts/00003.bin", *parts, *OTHERS}
    assert all(one.ok for one in found)
    for one in found:
        assert one.sha256 == hashlib.sha256((sealed / one.file).read_bytes()).hexdigest()


def test_every_changed_byte_is_found(sealed: Path) -> None:
    """A file is chosen first, so that small ones have their turn; then one of its bytes becomes any other one."""
    dice = random.Random(20)
    files = [CHAIN, *evidence(sealed)]
    whole = {file: (sealed / file).read_bytes() for file in files}
    for _ in range(CHANGES):
        file = dice.choice(files)
        at, changed = dice.randrange(len(whole[file])), bytearray(whole[file])
        changed[at] ^= dice.randrange(1, 256)
        if file == CHAIN:
            damaged_at = chain.parse(bytes(changed)).damaged_at
            assert damaged_at is not None and damaged_at <= at
            continue
        (sealed / file).write_bytes(changed)
        entry = chain.read(sealed).entries[file]
        assert entry_of(sealed, file) != entry
        (sealed / file).write_bytes(whole[file])
    assert bad(sealed) == [], "a control: all is as it was again"


def test_the_place_of_a_change_is_named(copy: Path) -> None:
    big = bytearray(random.Random(1).randbytes(3 * PIECE + 17))
    (copy / "state.json").write_bytes(big)
    seal(copy)
    big[2 * PIECE + 5] ^= 1
    (copy / "state.json").write_bytes(big)
    (found,) = [one for one in verified(copy) if not one.ok]
    assert (found.file, found.bad_at) == ("state.json", 2 * PIECE)


@pytest.mark.parametrize("size", [0, 100])
def test_a_file_that_was_cut_or_is_gone(copy: Path, size: int) -> None:
    data = (copy / "journal.bin").read_bytes()
    (copy / "journal.bin").write_bytes(data[:size])
    assert bad(copy) == ["journal.bin"]
    (copy / "journal.bin").unlink()
    assert bad(copy) == ["journal.bin"]


def test_what_was_put_in_is_told(copy: Path) -> None:
    shutil.copy(copy / "parts/00001.h5", copy / "parts/00009.h5")
    assert bad(copy) == ["parts/00009.h5"]


def test_an_end_that_was_taken_away_is_told(copy: Path) -> None:
    lines = (copy / CHAIN).read_bytes().splitlines(keepends=True)
    (copy / CHAIN).write_bytes(b"".join(lines[:-1]))
    assert bad(copy) == [CHAIN]


def test_lines_rest_on_each_other(copy: Path) -> None:
    lines = (copy / CHAIN).read_bytes().splitlines(keepends=True)
    (copy / CHAIN).write_bytes(b"".join([lines[0], *lines[2:]]))
    assert chain.read(copy).damaged_at == len(lines[0])
    (copy / CHAIN).write_bytes(b"".join([lines[1], lines[0], *lines[2:]]))
    assert chain.read(copy).damaged_at == 0


def test_nothing_is_added_to_a_chain_that_is_damaged(copy: Path) -> None:
    data = bytearray((copy / CHAIN).read_bytes())
    data[10] ^= 1
    (copy / CHAIN).write_bytes(data)
    with pytest.raises(ConfigError, match="damaged from byte 0"):
        ChainWriter(copy)


def test_what_is_sealed_again_counts(copy: Path) -> None:
    (copy / "summary.json").write_bytes(b"{}")
    assert bad(copy) == ["summary.json"]
    seal(copy)
    assert bad(copy) == []


def test_a_part_that_was_changed_is_not_sealed_again(copy: Path) -> None:
    with (copy / "parts/00001.h5").open("r+b") as file:
        file.seek(5000)
        file.write(b"changed")
    seal(copy)
    assert bad(copy) == ["parts/00001.h5"]


def test_parts_are_sealed_while_the_test_goes_on(run_dir: Path) -> None:
    made = begun(run_dir)
    for number in range(30):
        step(made, number)
    made._sealer.stop()
    there = chain.read(run_dir).entries
    assert {"parts/00001.h5", "parts/00004.h5", "journal.bin", "parts/00005.bin"} <= {*there}
    assert "parts/00006.h5" not in there, "a control: it is being written"
    made.abandon()


def test_a_run_without_a_chain(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="there is none"):
        verified(tmp_path)
