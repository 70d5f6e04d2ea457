"""A mechanism's compiled functions as the solver's loop gets them, in one argument: by their addresses, or built in.

By address (`Kernels`), one compiled loop serves all mechanisms; each call then takes about as long as a small right-hand side. So it does
for functions that take plain pointers (`Direct`, model.compiled.direct), whose call takes a third of that.
What stands between the loop and these calls is put into the loop (`forceinline`): as a call of its own it gets all that an array consists
of on the stack, array by array, for half of the time of a small right-hand side.
Built in, the loop is compiled for the mechanism, and the right-hand side is put into the stages. For that the mechanism has a named tuple
of its own with the same contact law, which says by its type which functions are meant (`build_in`), and a compiled `advance` which hands
it on to `model.integrators.loop.advance`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, Protocol

from numba import types
from numba.core.types import Type
from numba.extending import overload

from model.compiled.direct import DirectChannels, DirectGuards, DirectRightHandSide, DirectSwitch, data
from model.compiled.signatures import Channels, ContactLaw, Floats, Guards, RightHandSide, Switch

Implementation = Callable[..., object]


class KernelSet(Protocol):
    """`Kernels`, or a tuple of a mechanism's own whose functions are built in."""

    @property
    def law(self) -> ContactLaw: ...


class Kernels(NamedTuple):
    """The compiled functions of a mechanism and of its contact law (model.compiled.signatures)."""

    rhs: RightHandSide
    guards: Guards
    switch: Switch
    channels: Channels
    law: ContactLaw


class Direct(NamedTuple):
    """The same functions taking pointers; their contact law is built in."""

    rhs: DirectRightHandSide
    guards: DirectGuards
    switch: DirectSwitch
    channels: DirectChannels
    law: ContactLaw


BUILT_IN: dict[type, tuple[RightHandSide, Guards, Switch, Channels]] = {}


def build_in(kind: type, rhs: RightHandSide, guards: Guards, switch: Switch, channels: Channels) -> None:
    """A loop that is compiled for a tuple of this type calls these functions."""
    BUILT_IN[kind] = rhs, guards, switch, channels


def evaluate(kernels: KernelSet, t: float, y: Floats, dy: Floats, p: Floats, s: Floats, u: Floats) -> int:
    """dy, the equations of motion."""
    raise NotImplementedError("in compiled code only")


def judge(kernels: KernelSet, t: float, y: Floats, g: Floats, g_rate: Floats, p: Floats, s: Floats, u: Floats) -> int:
    """Guards and their rates."""
    raise NotImplementedError("in compiled code only")


def change(kernels: KernelSet, k: int, t: float, y: Floats, p: Floats, s: Floats, u: Floats) -> float:
    """Switch guard k; what to note."""
    raise NotImplementedError("in compiled code only")


def publish(kernels: KernelSet, t: float, y: Floats, values: Floats, p: Floats, s: Floats, u: Floats) -> int:
    """Output quantities."""
    raise NotImplementedError("in compiled code only")


@overload(evaluate, strict=False, jit_options={"forceinline": True})
def _evaluate(kernels: types.NamedTuple, t: Type, y: Type, dy: Type, p: Type, s: Type, u: Type) -> Implementation:
    if kernels.instance_class is Kernels:
        return lambda kernels, t, y, dy, p, s, u: kernels.rhs(t, y, dy, p, s, u, kernels.law)
    if kernels.instance_class is Direct:
        return lambda kernels, t, y, dy, p, s, u: kernels.rhs(t, data(y), data(dy), data(p), data(s), data(u), u.size)
    rhs = BUILT_IN[kernels.instance_class][0]
    return lambda kernels, t, y, dy, p, s, u: rhs(t, y, dy, p, s, u, kernels.law)


@overload(judge, strict=False, jit_options={"forceinline": True})
def _judge(kernels: types.NamedTuple, t: Type, y: Type, g: Type, g_rate: Type, p: Type, s: Type, u: Type) -> Implementation:
    if kernels.instance_class is Kernels:
        return lambda kernels, t, y, g, g_rate, p, s, u: kernels.guards(t, y, g, g_rate, p, s, u)
    if kernels.instance_class is Direct:
        return lambda kernels, t, y, g, g_rate, p, s, u: kernels.guards(
            t, data(y), data(g), data(g_rate), data(p), data(s), data(u), u.size
        )
    guards = BUILT_IN[kernels.instance_class][1]
    return lambda kernels, t, y, g, g_rate, p, s, u: guards(t, y, g, g_rate, p, s, u)


@overload(change, strict=False, jit_options={"forceinline": True})
def _change(kernels: types.NamedTuple, k: Type, t: Type, y: Type, p: Type, s: Type, u: Type) -> Implementation:
    if kernels.instance_class is Kernels:
        return lambda kernels, k, t, y, p, s, u: kernels.switch(k, t, y, p, s, u)
    if kernels.instance_class is Direct:
        return lambda kernels, k, t, y, p, s, u: kernels.switch(k, t, data(y), data(p), data(s), data(u), u.size)
    switch = BUILT_IN[kernels.instance_class][2]
    return lambda kernels, k, t, y, p, s, u: switch(k, t, y, p, s, u)


@overload(publish, strict=False, jit_options={"forceinline": True})
def _publish(kernels: types.NamedTuple, t: Type, y: Type, values: Type, p: Type, s: Type, u: Type) -> Implementation:
    if kernels.instance_class is Kernels:
        return lambda kernels, t, y, values, p, s, u: kernels.channels(t, y, values, p, s, u, kernels.law)
    if kernels.instance_class is Direct:
        return lambda kernels, t, y, values, p, s, u: kernels.channels(t, data(y), data(values), data(p), data(s), data(u), u.size)
    channels = BUILT_IN[kernels.instance_class][3]
    return lambda kernels, t, y, values, p, s, u: channels(t, y, values, p, s, u, kernels.law)
