"""Places in a file are those of its bytes, across the blocks that are read."""

from __future__ import annotations

import io
import random

from rig.formats.file_bytes import BLOCK, FileBytes


def test_slices_and_what_is_found_are_those_of_the_bytes() -> None:
    chance = random.Random(1)
    whole = bytearray(3 * BLOCK + 1000)
    for at in (0, 500, BLOCK - 6, BLOCK - 3, BLOCK, BLOCK + 1, 2 * BLOCK - 1, 3 * BLOCK + 994):
        whole[at : at + 6] = b"    -1"
    content = bytes(whole[: 3 * BLOCK + 1000])
    data = FileBytes(io.BytesIO(content))
    assert len(data) == len(content)
    for _ in range(300):
        at = chance.choice((0, BLOCK, 2 * BLOCK, 3 * BLOCK)) + chance.randrange(-10, 1000)
        to = at + chance.choice((1, 100, BLOCK, 2 * BLOCK))
        at = max(at, 0)
        assert data[at:to] == content[at:to]
        assert data.find(b"    -1", at) == content.find(b"    -1", at)
        assert data.find(b"    -1", at, to) == content.find(b"    -1", at, to)
