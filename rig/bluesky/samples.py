"""All channels of a test's record, as documents that point at it."""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Mapping
from typing import Any, Protocol

from drivers.files.plain_values import Json
from rig.exchange.outgoing import Wanted, table
from rig.formats.event_documents import TIME, key_name, number, pointer
from rig.formats.table import Stored
from rig.recorder.reading import read_run

Place = tuple[str, str, Stored]  # unit, source, where


class Recorded(Protocol):
    """A test that leaves a record."""

    name: str

    @property
    def folder(self) -> Any: ...

    @property
    def result(self) -> Mapping[str, Json]: ...


class Samples:
    """Fulfils Collectable and WritesStreamAssets of `bluesky.protocols`, once the test has ended; its keys are known then, not before."""

    def __init__(self, test: Recorded) -> None:
        self.parent, self.name = test, f"{test.name}_samples"
        self._told = ""

    def describe_collect(self) -> Mapping[str, Mapping[str, Json]]:
        """Raises NotDone before the test has ended."""
        return {key: number(source, unit, external=True) for key, (unit, source, _) in self._places().items()}

    def get_index(self) -> int:
        """Samples that can be collected. Raises NotDone before the test has ended."""
        return len(read_run(self.parent.folder).column("command", "value")) if self.parent.result else 0

    def collect_asset_docs(self, index: int | None = None) -> Iterator[tuple[str, dict[str, Any]]]:
        """A resource and a datum for each channel, once for each test."""
        places = self._places()
        if self._told == str(self.parent.folder):
            return
        self._told = str(self.parent.folder)
        rows = {"start": 0, "stop": self.get_index() if index is None else index}
        for key, (_, _, stored) in places.items():
            uid = str(uuid.uuid4())
            yield "stream_resource", {**pointer(key, stored), "uid": uid}
            # The RunEngine fills in which events they are.
            yield "stream_datum", {
                "uid": f"{uid}/0", "stream_resource": uid, "descriptor": "", "indices": rows, "seq_nums": {"start": 0, "stop": 0},
            }  # fmt: skip

    def _places(self) -> dict[str, Place]:
        """Raises NotDone before the test has ended, ConfigError for a record without samples."""
        self.parent.result  # noqa: B018  # raises where it has not
        made, _ = table(read_run(self.parent.folder), Wanted())
        source = f"clearance-rig:{self.parent.folder.name}"
        columns = {one.label: (key_name(f"{self.parent.name}-{one.stream}", one.name), one.unit) for one in made.columns}
        known = {"time": (key_name(self.parent.name, TIME), "s"), **columns}
        return {known[label][0]: (known[label][1], f"{source}/{label}", place) for label, place in made.stored.items()}
