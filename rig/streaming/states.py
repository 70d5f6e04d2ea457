"""The states of a test, and how it goes from one to another: one table for the bench worker, the supervisor, the window, the record and the
docs.

What is not in `TRANSITIONS` does not happen. Limits and interlocks are armed in every state but `stopped`.
"""

from __future__ import annotations

from dataclasses import dataclass

STOPPED, STARTING, RUNNING, HOLDING = "stopped", "starting", "running", "holding"
HOLD, RESUMING, STOPPING, TRIPPED = "hold", "resuming", "stopping", "tripped"


def in_words(state: str) -> str:
    """As a test is said to be: "held" where the state is called `hold`."""
    return "held" if state == HOLD else state


@dataclass(frozen=True)
class State:
    """One row: what the command does meanwhile, and how long it may take."""

    name: str
    command: str
    lasts: str


@dataclass(frozen=True)
class Transition:
    """One row: who may cause it, and by what."""

    start: str
    end: str
    who: tuple[str, ...]
    cause: str


OPERATOR, PROGRAM, LIMIT, FAULT = "operator", "program", "limit", "fault"
"""The operator: window, terminal, Ctrl-C. The program of the test, or what has been done. A limit or a criterion. A fault of the rig."""

STATES = (
    State(STOPPED, "none: outputs are at their safe values", "until the next test"),
    State(
        STARTING, "stands at the present feedback; a preparation moves the loader by rules of its own", "the lead-in; preparation.timeout"
    ),
    State(RUNNING, "follows the trajectory", "the trajectory"),
    State(HOLDING, "follows the trajectory ever more slowly, or on to the phase of hold.at", "command.ahead + hold.time, + hold.wait"),
    State(HOLD, "stands; phase and cycle stand, samples go on", "as long as wanted; hold.longest, if given"),
    State(RESUMING, "goes on where it stood, ever faster", "command.ahead + hold.time"),
    State(
        STOPPING, "soft stop, or a ramp to where it is safe; then unloads, in stroke mode", "command.ahead + command.stop_ramp, + unloading"
    ),
    State(TRIPPED, "opens the interlock line; then ramps from the actual output to the safe value", "command.stop_ramp"),
)
TRANSITIONS = (
    Transition(STOPPED, STARTING, (OPERATOR,), "rig run, once everything is ready"),
    Transition(STARTING, STARTING, (PROGRAM,), "the preparation has ended, the test begins"),
    Transition(
        STARTING, RUNNING, (PROGRAM,), "one block has been read: the output equals the feedback, the loader or the drives are enabled"
    ),
    Transition(STARTING, STOPPING, (OPERATOR, LIMIT, FAULT), "a stop"),
    Transition(RUNNING, HOLDING, (OPERATOR, LIMIT), 'rig hold, the window, a limit with action = "hold"'),
    Transition(HOLDING, HOLD, (PROGRAM,), "the command stands"),
    Transition(HOLDING, RESUMING, (OPERATOR,), "rig resume, the window"),
    Transition(HOLD, RESUMING, (OPERATOR,), "rig resume, the window"),
    Transition(RESUMING, RUNNING, (PROGRAM,), "the trajectory goes at its full pace again"),
    Transition(RESUMING, HOLDING, (OPERATOR, LIMIT), "as from running"),
    Transition(RUNNING, STOPPING, (OPERATOR, PROGRAM, LIMIT, FAULT), "the end of the program, or a stop"),
    Transition(HOLDING, STOPPING, (OPERATOR, LIMIT, FAULT), "a stop"),
    Transition(HOLD, STOPPING, (OPERATOR, PROGRAM, LIMIT, FAULT), "a stop; hold.longest has passed"),
    Transition(RESUMING, STOPPING, (OPERATOR, PROGRAM, LIMIT, FAULT), "a stop"),
    Transition(STOPPING, STOPPING, (PROGRAM, OPERATOR, LIMIT, FAULT), "the specimen is unloaded; a stop while the program ends"),
    *(Transition(start, STOPPED, (PROGRAM,), "at rest, outputs safe") for start in (STOPPING, RUNNING, RESUMING)),
    *(
        Transition(start, TRIPPED, (OPERATOR, LIMIT, FAULT), 'a limit with action = "interlock", a second stop, a fault of loader or drive')
        for start in (STARTING, RUNNING, HOLDING, HOLD, RESUMING, STOPPING)
    ),
    Transition(TRIPPED, STOPPED, (PROGRAM,), "the ramp has ended"),
)
NAMES = tuple(state.name for state in STATES)
MOVING = (RUNNING, HOLDING, HOLD, RESUMING)
"""In which the trajectory has the command, whether it goes on or stands."""
CAN_HOLD = tuple(row.start for row in TRANSITIONS if row.end == HOLDING)
CAN_RESUME = tuple(row.start for row in TRANSITIONS if row.end == RESUMING)


def allowed(start: str, end: str) -> bool:
    """Whether the table has a way from `start` to `end`."""
    return any((row.start, row.end) == (start, end) for row in TRANSITIONS)


def table() -> str:
    """The states and the transitions as two tables in Markdown."""
    states = [f"| `{one.name}` | {one.command} | {one.lasts} |" for one in STATES]
    ways = [f"| `{one.start}` | `{one.end}` | {', '.join(one.who)} | {one.cause} |" for one in TRANSITIONS]
    head = ["| state | the command | lasts at most |", "|---|---|---|"]
    return "\n".join([*head, *states, "", "| from | to | by | because |", "|---|---|---|---|", *ways])
