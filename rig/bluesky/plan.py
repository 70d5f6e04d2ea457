"""A plan that runs one test, and has its cycles and samples in the documents however it ends."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from typing import Any

from rig.bluesky.device import RigTest

SAMPLES = "primary"


def fly(test: RigTest, md: Mapping[str, Any] | None = None) -> Generator[Any, Any, Any]:
    """Stage, start, wait for the end, collect. A pause of the RunEngine holds the test. An abort, a stop and an error stop it by a ramp;
    what was recorded until then is collected.

    md: for the start document. Returns the folder of the run. Needs bluesky.
    """
    import bluesky.plan_stubs as bps
    import bluesky.preprocessors as bpp

    def collecting(error: BaseException | None = None) -> Generator[Any, Any, None]:
        yield from bps.unstage(test, wait=True)
        if not test.result.get("agreement"):
            return
        yield from bps.declare_stream(test.samples, name=SAMPLES, collect=True)
        yield from bps.collect(test.samples, name=SAMPLES, return_payload=False)
        yield from bps.collect(test, return_payload=False)

    def flying() -> Generator[Any, Any, None]:
        yield from bps.checkpoint()
        yield from bps.kickoff(test, wait=True)
        yield from bps.complete(test, wait=True)

    whole = bpp.contingency_wrapper(flying(), except_plan=collecting, else_plan=collecting)
    run = bpp.run_wrapper(whole, md={"plan_name": "fly", "detectors": [test.name], **(md or {})})
    yield from bpp.stage_wrapper(run, [test])
    return test.folder
