"""What a worker needs to know of a run, as it stands in RUN_DIR/plan.json: plain JSON in SI units, no parser of quantities behind it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from drivers.files.plain_values import Json, table
from drivers.files.text_files import Unusable
from rig.config.bench import Bench
from rig.config.experiment import Experiment
from rig.config.resumption import Resumption
from rig.config.transport import from_json, to_json
from rig.errors import ConfigError
from rig.files import json_files

# What each worker builds of the parts that bring their own modules along; the rest stays as it stands in the file, and unimported.
BUILDS = {
    "bench": {"trajectory", "daq", "loader", "axes", "instruments", "control"},
    "predictor": {"mechanism", "integrator"},
    "recorder": set[str](),
    "estimator": set[str](),
    "display": {"trajectory", "instruments"},
    "motion": {"mechanism"},  # a picture of it
}
KINDS = {"mechanism", "integrator", "trajectory", "daq", "loader", "axes", "instruments", "plant", "serial", "control"}


@dataclass(frozen=True)
class Plan:
    """One run."""

    run: str
    run_dir: Path
    rings: Path
    experiment: Experiment
    bench: Bench
    experiment_text: str
    bench_text: str
    sources: Mapping[str, Json] = field(default_factory=dict)
    """What the files were called, and what was laid over them: see `rig.config.setup.Setup.sources`."""
    resumption: Resumption | None = None
    """Of a test that goes on where it was broken off."""

    @property
    def first_sample(self) -> int:
        """Sample of the record that is sample 0 of this session."""
        return self.resumption.first_sample if self.resumption else 0

    def write(self) -> None:
        """Write plan.json in one step, so that a reader sees the old one or the new one."""
        data: dict[str, Json] = {
            "run": self.run,
            "rings": str(self.rings),
            "experiment": to_json(self.experiment),
            "bench": to_json(self.bench),
            "experiment_text": self.experiment_text,
            "bench_text": self.bench_text,
            "sources": self.sources,
            "resumption": self.resumption.to_json() if self.resumption else None,
        }
        new = self.run_dir / "plan.json.new"
        new.write_text(json.dumps(data, indent=1), encoding="utf-8")
        new.replace(self.run_dir / "plan.json")

    @classmethod
    def read(cls, run_dir: Path, worker: str | None = None) -> Plan:
        """The plan of a run; for a worker only what it has business with is more than plain data."""
        leave = KINDS - BUILDS[worker] if worker else set[str]()
        path = run_dir / "plan.json"
        try:
            return cls._build(run_dir, json_files.read(path, "plan"), worker, leave)
        except Unusable as error:
            raise ConfigError(f"{error}; a run cannot be understood without it") from error
        except (LookupError, TypeError, ValueError, AttributeError) as error:
            raise ConfigError(f"{path}: damaged ({type(error).__name__}: {error}); a run cannot be understood without it") from error

    @classmethod
    def _build(cls, run_dir: Path, data: Json, worker: str | None, leave: set[str]) -> Plan:
        whole = table(data)
        experiment, bench = table(whole["experiment"]), table(whole["bench"])
        if worker == "bench" and bench.get("axes"):
            leave -= {"mechanism"}  # it says where its drives are on their course
        if worker == "predictor" and "path" in table(experiment.get("trajectory") or {}):
            leave -= {"trajectory"}  # the mechanism follows it
        run, rings, experiment_text, bench_text = (str(whole[key]) for key in ("run", "rings", "experiment_text", "bench_text"))
        made = from_json(Experiment, experiment, leave), from_json(Bench, bench, leave)
        resumption, sources = Resumption.from_json(whole.get("resumption")), table(whole.get("sources") or {})
        return cls(run, run_dir, Path(rings), *made, experiment_text, bench_text, sources, resumption)

    @property
    def streams(self) -> dict[str, Path]:
        """Stream name -> file of its ring."""
        from rig.streaming import streams

        return streams.paths(self.rings)
