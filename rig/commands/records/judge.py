"""`rig judge DATASET --file PATH`: a model on recordings that others made and published. The user fetches them; none is shipped."""

from __future__ import annotations

import argparse
from pathlib import Path

from rig.command_line.names import file_path
from rig.command_line.result import Result
from rig.commands import add_overrides
from rig.commands.records import compare
from rig.errors import ConfigError
from rig.exchange import dataset, mapping
from rig.exchange.dataset import Dataset
from rig.exchange.imported import import_file
from rig.files import output_files

OUT = Path("runs/judge")
RECORDING, JUDGED = "recording", "judged"  # folders of the record as it was imported, and of the model beside it


def configure(parser: argparse.ArgumentParser) -> None:
    """Arguments of `rig judge`."""
    parser.add_argument("dataset", metavar="DATASET", nargs="?", help="name of a data set, or the folder of a description; none: list all")
    parser.add_argument("--file", metavar="PATH", type=file_path, help="the file of it that you have fetched")
    parser.add_argument("--out", metavar="DIR", type=Path, help=f"folder to make ({OUT}/DATASET)")
    add_overrides(parser, "override a key of the data set's experiment")


def execute(args: argparse.Namespace) -> Result:
    """Recognize the file, import it, run the model along it, judge; exit 1 when the verdict is `fail`. Raises ConfigError."""
    if args.dataset is None:
        return _listed()
    chosen = dataset.described(args.dataset)
    if args.file is None:
        wanted = ", ".join(one.name for one in chosen.files)
        raise ConfigError(f"judge: expected --file PATH with {wanted} of {chosen.name}, to be had at {chosen.texts['address']}")
    one = dataset.recognized(chosen, args.file)
    out = args.out or OUT / chosen.name
    output_files.place("--out", out)
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise ConfigError(f"--out {out}: is not empty; give a folder that is not there yet")
    done = import_file(args.file, out / RECORDING, mapping.read(chosen.map))
    found = compare.execute(
        argparse.Namespace(
            run=str(out / RECORDING), along=chosen.experiment, bench=None, alternative=None, out=str(out / JUDGED), experiment=None,
            overrides=args.overrides,
        )
    )  # fmt: skip
    data = {
        **found.data, "dataset": chosen.name, **chosen.texts, "file": str(args.file), "file_name": one.name, "sha256": one.sha256,
        "rate_hz": done.rate, "samples": done.samples, "imported": str(done.record),
    }  # fmt: skip
    return Result(found.outcome, found.exit_code, data, f"{_head(chosen)}\n\n{found.text}", found.warnings)


def _listed() -> Result:
    every = [dataset.described(name) for name in dataset.names()]
    data = {
        "datasets": [
            {
                "dataset": one.name,
                **one.texts,
                "files": [{"name": file.name, "bytes": file.bytes, "sha256": file.sha256} for file in one.files],
            }
            for one in every
        ]
    }
    return Result(data=data, text="\n\n".join(_head(one, files=True) for one in every))


def _head(one: Dataset, files: bool = False) -> str:
    lines = [f"{one.name}: {one.texts['title']}"]
    told = {"measured by": "authors", "published": "published", "licence": "licence", "from": "address", "it is": "about", "fits": "fits"}
    told |= {"parameters": "parameters", "others": "others"}
    lines += [f"  {word:12}{one.texts[key]}" for word, key in told.items() if key in one.texts]
    if files:
        lines += [f"  {'file':12}{file.name}, {file.bytes} bytes, SHA-256 {file.sha256}" for file in one.files]
    return "\n".join(lines)
