"""The README of a folder that an example was laid out in."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rig.examples import tree

README = "README.md"


def text(name: str, files: Sequence[Path]) -> str:
    """What there is, what to try, what to change first, where one's own code goes. files: from the folder."""
    rig = tree.on_rig(name)
    parts = [f"# {tree.title(tree.experiment(rig or name))}", _files(files)]
    parts.append(_run(name, rig) if rig else _simulated(name))
    parts.append(_own(rig))
    parts.append(_more())
    return "\n\n".join(parts) + "\n"


def _files(files: Sequence[Path]) -> str:
    rows = [f"| `{file.as_posix()}` | {_what(file)} |" for file in files]
    return "\n".join(["| file | what it is |", "|---|---|", *rows, "| `runs/` | what each test leaves, once there was one |"])


def _what(file: Path) -> str:
    if file.suffix != ".toml":
        return "data that an experiment reads"
    kind = "experiment" if file.parts[0] == tree.EXPERIMENTS else "bench" if file.parts[0] == "benches" else "sensor"
    alone = kind == "experiment" and not tree.with_bench(file.stem)
    return ": ".join(part for part in (f"{kind}, the model alone" if alone else kind, tree.title(tree.folder() / file)) if part)


def _run(name: str, rig: str) -> str:
    file = f"experiments/{rig}.toml"
    steps = [
        (f"rig check {file}", "reads the files, tries the instruments; moves nothing"),
        (f"rig run {file}", "the test, in a window; --headless does without"),
        (f"rig report runs/0001-{rig}", "one HTML file: verdict, curves, sensors"),
    ]
    if name != rig:
        steps.append((f"rig simulate experiments/{name}.toml --out model.csv", "the model alone, as a table"))
    width = max(len(command) for command, _ in steps)
    block = "\n".join(f"{command:{width}}   # {remark}" for command, remark in steps)
    return f"""## Try it

No hardware is needed: the bench is simulated, with a specimen that differs a little from its model. In this folder:

```sh
{block}
```

Without waiting for the clock, exactly repeatable: `rig run {file} --headless --set bench.pace=lockstep`."""


def _simulated(name: str) -> str:
    return f"""## Try it

This experiment is computed only: it names no bench. In this folder:

```sh
rig simulate experiments/{name}.toml --out model.csv
```"""


def _own(rig: str | None) -> str:
    steps = [
        "Change a value in the experiment. Each key has a remark, most have a unit; a wrong one is named with what was expected.",
        'Or lay a value over it for one test: `--set mechanism.clearance="0.2 mm"`.',
    ]
    if rig:
        steps.append(
            "Your own hardware is a bench file: channels, terminals, sensors, limits of the device. Begin with a copy of this one, without "
            "`[plant]`, `[[devices]]`, `[[wiring]]`, which describe what is simulated; then "
            f"`rig check experiments/{rig}.toml --bench benches/mine.toml`."
        )
    steps.append(
        "A mechanism, an instrument, a trajectory of your own is a Python file that you write; there is none here yet. With "
        '`kind = "balance"` an instrument is looked for in `kinds/instruments/balance.py`; what such a file holds: '
        "`docs/your_own_kinds.md`. Which folders are "
        'looked through stands in your settings, never in an experiment: `kinds = ["/path/of/this/folder/kinds"]` in '
        "`~/.config/clearance-rig/settings.toml` (Windows: `%APPDATA%\\clearance-rig\\settings.toml`)."
    )
    return "\n".join(["## Make it yours", "", *(f"{n}. {step}" for n, step in enumerate(steps, 1))])


def _more() -> str:
    return """## Go on

- `rig help`, `rig help run`: all commands and what they take. `rig new --list`: the other examples.
- A remark that names `docs/...` means a page of the program's manual.
- In Python: `import rig; help(rig)`."""
