"""The files that a record has in itself, as they ran: whoever gets it alone has nothing else to know the test by."""

from __future__ import annotations

from drivers.files import toml_trees
from rig.recorder.reading import RunData


def doubts(run: RunData) -> list[str]:
    """What is to be said of texts that cannot be read any more; the samples can be."""
    texts = {"experiment": run.experiment_text, "bench": run.bench_text}
    said = {name: why for name, text in texts.items() if (why := _wrong(text))}
    return [f"{run.path}: /entry/config/{name}: {why}; the record says no more what the test ran with" for name, why in said.items()]


def _wrong(text: str) -> str:
    """Why it is no TOML with anything in it; empty where it is."""
    try:
        return "" if toml_trees.parse(text) else "the text is empty"
    except (toml_trees.NotToml, toml_trees.OutOfBounds) as error:
        return f"the text cannot be read ({error})"
