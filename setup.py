"""What pyproject.toml cannot say of the build: a wheel has the examples of `configs/` as data of `rig.examples`."""

import shutil
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

EXAMPLES = Path(__file__).parent / "configs"


class WithExamples(build_py):
    """The files of the packages, and the examples; an editable installation finds these where they are."""

    def run(self) -> None:
        super().run()
        if not self.editable_mode:
            into = Path(self.build_lib, "rig", "examples", "configs")
            shutil.rmtree(into, ignore_errors=True)  # what an earlier build left of files that are gone
            shutil.copytree(EXAMPLES, into, ignore=shutil.ignore_patterns("*.tare.json", "runs"))


setup(cmdclass={"build_py": WithExamples})
