"""The limits of a test that judge by what they have learned: which they are, what they are called, which are meant by a name."""

from __future__ import annotations

from collections.abc import Sequence

from rig.config.experiment import Limit
from rig.config.plan import Plan
from rig.errors import ConfigError

NONE = "this experiment has no limit that learns (change, relative_change, slope, drift or margin of [[limits]])"


def kinds(limit: Limit) -> list[str]:
    """What it judges by what it has learned, in words; empty: nothing."""
    words = {
        "change": f"change of {limit.per_cycle}", "relative_change": f"change of {limit.per_cycle}", "slope": f"slope of {limit.per_cycle}",
        "drift": f"drift of {limit.per_cycle}", "margin": "learned bounds",
    }  # fmt: skip
    return list(dict.fromkeys(text for key, text in words.items() if getattr(limit, key) is not None))


class LearnedLimits:
    """Those of a plan, by their numbers in the experiment."""

    def __init__(self, plan: Plan) -> None:
        self._limits = plan.experiment.limits
        self.numbers = [number for number, one in enumerate(self._limits) if one.action != "none" and kinds(one)]

    def called(self, number: int) -> str:
        """As `limits.0 stroke`: how it is named."""
        return f"limits.{number} {self._limits[number].channel}"

    def chosen(self, names: Sequence[str]) -> list[int]:
        """Which are meant: by channel, or as limits.0; all where no name is given. Raises ConfigError."""
        if not self.numbers:
            raise ConfigError(NONE)
        found: list[int] = []
        for name in names:
            meant = [number for number in self.numbers if name in (f"limits.{number}", self._limits[number].channel)]
            if not meant:
                known = ", ".join(map(self.called, self.numbers))
                raise ConfigError(f"{name}: expected a limit that learns, by its channel or by its number; there are {known}")
            found += meant
        return list(dict.fromkeys(found)) or self.numbers

    def warning(self, anew: Sequence[int]) -> str:
        """What a change of the trajectory does to limits that do not learn `anew`; empty where there are none."""
        left = [number for number in self.numbers if number not in anew]
        if not left:
            return ""
        words = [f"{self.called(one)} ({', '.join(kinds(self._limits[one]))}; action {self._limits[one].action})" for one in left]
        names = " ".join(f"limits.{one}" for one in left)
        return (
            f"learned before this change, which they will take for one of the specimen: {', '.join(words)}. Let them learn anew: the "
            f"same rig set with --new-baseline {names}; or, where one has held the test, rig resume RUN --new-baseline {names}"
        )
