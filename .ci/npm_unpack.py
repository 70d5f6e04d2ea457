"""npm_unpack.py FOLDER PACKAGE@VERSION...: a package of npm's registry into FOLDER/node_modules, where there is no npm to do it.

What arrives is held against the checksum that the registry states for it. Scripts of the package are not run.
"""

import base64
import hashlib
import io
import json
import sys
import tarfile
import urllib.request
from pathlib import Path

REGISTRY = "https://registry.npmjs.org"


def fetched(address: str) -> bytes:
    with urllib.request.urlopen(address, timeout=60) as answer:
        return bytes(answer.read())


def unpack(folder: Path, package: str) -> None:
    name, _, version = package.rpartition("@")
    told = json.loads(fetched(f"{REGISTRY}/{name}/{version}"))["dist"]
    packed = fetched(told["tarball"])
    kind, _, expected = told["integrity"].partition("-")
    if base64.b64encode(hashlib.new(kind, packed).digest()).decode() != expected:
        sys.exit(f"{package}: what the registry sent has not the checksum that it states")
    there = folder / "node_modules" / name
    with tarfile.open(fileobj=io.BytesIO(packed)) as files:
        for one in files:
            _, _, path = one.name.partition("/")  # all of it lies in one folder, `package`
            if one.isfile() and path and ".." not in Path(path).parts:
                (there / path).parent.mkdir(parents=True, exist_ok=True)
                content = files.extractfile(one)
                assert content is not None
                (there / path).write_bytes(content.read())


if __name__ == "__main__":
    for one in sys.argv[2:]:
        try:
            unpack(Path(sys.argv[1]), one)
        except OSError as error:
            sys.exit(f"{one}: {error}")
