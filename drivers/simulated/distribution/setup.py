"""The simulated devices as a distribution of their own, under a name that nobody else's package has.

Where this lies in the repository, the package `daqmx_sim` is made of `drivers.simulated` and of what that uses of `drivers`, with the names
of the packages changed; a source distribution carries the package as it was made, and is built from that.
"""

from __future__ import annotations

import ast
import re
import shutil
import tempfile
from pathlib import Path

from setuptools import find_packages, setup
from setuptools.command.build_py import build_py
from setuptools.command.sdist import sdist

HERE = Path(__file__).resolve().parent
REPOSITORY = HERE.joinpath("..", "..", "..").resolve()
PACKAGE, ORIGIN, BESIDE = "daqmx_sim", "drivers.simulated", "drivers"
BEGIN = tuple(f"{ORIGIN}.{module}" for module in ("serving", "local_driver", "pytest_plugin"))
"""Where users come in; what these import is taken along."""
WHOLE = (f"{ORIGIN}.daqmx", f"{ORIGIN}.command")
"""Products and subcommands are found by their names, not by an import."""
DATA = ("run_site/*.py",)


def file_of(module: str) -> Path | None:
    """Where a module of the repository is; None: it is none, as a name that is imported from one."""
    path = REPOSITORY.joinpath(*module.split("."))
    candidates = (path / "__init__.py", path.with_suffix(".py"))
    return next((candidate for candidate in candidates if candidate.is_file()), None)


def needed() -> dict[str, Path]:
    """The modules of the package by their names in the repository."""
    found: dict[str, Path] = {}
    whole = [path for room in WHOLE for path in REPOSITORY.joinpath(*room.split(".")).rglob("*.py")]
    ahead = [*BEGIN, *(".".join(path.relative_to(REPOSITORY).with_suffix("").parts).removesuffix(".__init__") for path in whole)]
    while ahead:
        module = ahead.pop()
        path = file_of(module)
        if path is None or module in found:
            continue
        found[module] = path
        ahead += [module.rpartition(".")[0], *imports(path)]
    return found


def imports(path: Path) -> list[str]:
    """What a module imports of `drivers`, be it a module or a name in one."""
    found = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            found += [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
    return [name for name in found if name.split(".")[0] == BESIDE]


def renamed(text: str) -> str:
    """A text with the package's own names: `drivers.simulated` is the package, and the rest of `drivers` a part of it."""
    text = re.sub(r"\bdrivers\.simulated\b", PACKAGE, text)
    text = re.sub(r"\bdrivers\.(?=[a-z_]+\b)", f"{PACKAGE}.{BESIDE}.", text)
    return re.sub(r"\bfrom drivers import\b", f"from {PACKAGE}.{BESIDE} import", text)


def write_package(into: Path) -> None:
    """Make the package, in a folder that is replaced."""
    shutil.rmtree(into, ignore_errors=True)
    origin = REPOSITORY.joinpath(*ORIGIN.split("."))
    modules = needed().values()
    tables = [path for room in {module.parent for module in modules} for path in room.glob("*.toml")]
    paths = [*modules, *tables, *(path for part in DATA for path in origin.glob(part))]
    for path in paths:
        inside = path.relative_to(origin) if path.is_relative_to(origin) else path.relative_to(REPOSITORY)
        target = into / inside
        target.parent.mkdir(parents=True, exist_ok=True)
        text = path.read_text(encoding="utf-8")
        target.write_text(renamed(text) if path.suffix == ".py" else text, encoding="utf-8")
    (into / "py.typed").touch()


class FromRepository(build_py):
    """The package is made instead of found."""

    def run(self) -> None:
        if self.editable_mode:
            raise SystemExit("daqmx-sim: an editable installation is that of the repository itself: pip install --editable .")
        write_package(Path(self.build_lib, PACKAGE))

    def get_source_files(self) -> list[str]:
        return []

    def get_outputs(self, include_bytecode: bool = True) -> list[str]:
        return [str(path) for path in Path(self.build_lib, PACKAGE).rglob("*") if path.is_file()]


class WithPackage(sdist):
    """A source distribution has the package as it was made."""

    def make_release_tree(self, base_dir: str, files: list[str]) -> None:
        super().make_release_tree(base_dir, files)
        write_package(Path(base_dir, PACKAGE))


if (HERE / PACKAGE).is_dir():
    setup(packages=find_packages(include=[PACKAGE, f"{PACKAGE}.*"]))
else:
    shutil.copyfile(REPOSITORY / "LICENSE", HERE / "LICENSE")
    with tempfile.TemporaryDirectory() as scratch:  # the sources of the repository stay as they are, and two builds do not meet
        setup(packages=[PACKAGE], cmdclass={"build_py": FromRepository, "sdist": WithPackage}, options={"build": {"build_base": scratch}})
