"""Statements of a paper with other values of one doubtful parameter, each computed once at the usual steps."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from rig.errors import ConfigError
from rig.reproduction.claims import Claim, Group
from rig.reproduction.convergence import checked
from rig.reproduction.doubts import Doubt, Point
from rig.reproduction.judging import NOT, judge
from rig.reproduction.shortfall import held, shortfall
from rig.reproduction.study import Outcome, Statement, Study
from rig.reproduction.values import Value

Compute = Callable[[Statement, Study], Outcome]


@dataclass(frozen=True)
class Trial:
    """What came out for one statement with one value. short: how far from reproduced, in the statement's unit; infinite: no number says."""

    value: Point
    computed: Value
    verdict: str
    held: bool
    short: float


@dataclass
class Trials:
    """`compute`: a statement in a study, and why it did not get there."""

    doubt: Doubt
    claims: Mapping[str, Claim]
    statements: Mapping[str, Statement]
    study: Study
    compute: Compute
    groups: Sequence[Group] = ()
    _known: bool = False
    _studies: dict[Point, Study] = field(default_factory=dict)
    _found: dict[tuple[str, Point], Trial] = field(default_factory=dict)

    def at(self, name: str, value: Point) -> Trial:
        """Raises ConfigError for a value that cannot be run, or a key that the statement's experiments do not have."""
        if (name, value) not in self._found:
            claim = self.claims[name]
            study = self._study(value)
            computed, failed = self.compute(self.statements[name], study)
            self._known = self._known or self.doubt.setting(value) not in study.unused
            verdict = NOT if failed else judge(claim, computed.value)[0]
            short = float("inf") if failed else shortfall(claim, computed.value)
            self._found[name, value] = Trial(value, computed.value, verdict, held(claim, verdict), short)
        return self._found[name, value]

    def of(self, name: str) -> list[Trial]:
        """All of one statement so far, by their values in the order of the bounds."""
        found = [trial for (one, _), trial in self._found.items() if one == name]
        order = self.doubt.choices
        return sorted(found, key=lambda trial: order.index(trial.value) if isinstance(trial.value, str) else trial.value)

    def whole(self) -> Sequence[Point]:
        """The values for which every statement was computed."""
        values = {value for _, value in self._found}
        return [value for value in values if all((name, value) in self._found for name in self.doubt.claims)]

    def everywhere(self, value: Point) -> dict[str, Trial]:
        """Every statement that the parameter is tried for."""
        found = {name: self.at(name, value) for name in self.doubt.claims}
        if not self._known:
            raise ConfigError(f"reproduce --identify: {self.doubt.key}: no experiment of the statements has such a key")
        return found

    def together(self, one: str, other: str) -> bool:
        """Whether two statements may be true at once: not under hypotheses that exclude each other."""
        for group in self.groups:
            keys = [{key for ids in group.members.values() for key, name in ids.items() if name == wanted} for wanted in (one, other)]
            if keys[0] and keys[1] and not keys[0] & keys[1]:
                return False
        return True

    def survives(self, name: str, value: Point) -> tuple[bool, str]:
        """Whether finer steps leave what came out there, and what is said of it."""
        computed, _ = self.compute(self.statements[name], self._study(value))
        again, failed = self.compute(self.statements[name], self._study(value).finer())
        result = checked(self.claims[name], computed, again, failed)
        return result.settled and held(self.claims[name], result.verdict), result.why

    def forget(self) -> None:
        """The simulations, of which only what came out is kept."""
        self._studies.clear()

    def _study(self, value: Point) -> Study:
        if value not in self._studies:
            self._studies[value] = self.study.with_setting(self.doubt.setting(value))
        return self._studies[value]
