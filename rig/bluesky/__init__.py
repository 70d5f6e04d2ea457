"""A test of a rig as a device of bluesky's RunEngine: started, held, stopped and collected by a plan.

    from bluesky import RunEngine
    from rig.bluesky import RigTest, fly

    test = RigTest("experiments/linkage.toml", name="linkage")
    RunEngine()(fly(test))

The test is a program of its own, as `rig run` is. It ends with a ramped stop when this one does. bluesky comes with the extra `bluesky`,
and is imported by the plan alone. docs/bluesky.md is the manual.
Imports the console's commands by starting them, supervision to ask a test, the recorder to tell where its record lies.
"""

from rig.bluesky.device import RigTest
from rig.bluesky.plan import fly

__all__ = ["RigTest", "fly"]
