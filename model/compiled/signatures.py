"""Numba types of the functions that are handed to kernels. Explicit, so that a new law or mechanism recompiles nothing.

A mechanism is four compiled functions. All see the same arrays:

| name | content |
|---|---|
| y, dy | state and its time derivative |
| p | parameters, constant over a run |
| s | discrete state: what is frozen within a step (latched approach speeds, signs, limits reached) |
| u | input window: [index of the first sample, rate in Hz, samples ...] |
| law | the contact law's force |
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, ParamSpec, Protocol, TypeVar

import numba
from numba import types
from numba.core.typing.templates import Signature

from model.floats import Floats as Floats

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")
Returned = TypeVar("Returned", covariant=True)


class Compiled(Protocol[Arguments, Returned]):
    """A function that numba has compiled: to be called, or to be handed to another one."""

    @property
    def nopython_signatures(self) -> Sequence[Signature]: ...
    def get_compile_result(self, signature: Signature) -> Any: ...
    def __call__(self, *args: Arguments.args, **kwargs: Arguments.kwargs) -> Returned: ...


class Compile(Protocol):
    """What makes one of a function in Python."""

    def __call__(self, function: Callable[Arguments, Result], /) -> Compiled[Arguments, Result]: ...


OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy", "_nrt": False}


def compiled(signature: Signature, inline: bool = False, built_in: bool = False) -> Compile:
    """Compile for `signature` when the module is imported, and keep it.

    Without counting references to arrays (`_nrt`), which took ten times as long as the arithmetic: a compiled function works on the
    arrays that it is given and makes none. `inline`: put into its callers; for what is called once a step with many arrays, whose
    passing takes as long as a right-hand side. It costs time to compile, again with each caller. `built_in`: what the solver's loop is
    compiled with (model.integrators.kernels); put into it by the compiler, and a product and its sum rounded once together.
    """
    options = OPTIONS | {"cache": True}
    if inline:
        options["inline"] = "always"
    if built_in:
        options |= {"fastmath": {"contract"}, "forceinline": True}
    decorator: Compile = numba.njit(signature, **options)
    return decorator


def template(inline: bool = False) -> Compile:
    """Compile for whatever types a caller that is `compiled` hands over, as a part of it.

    A product and the sum that it goes into may be rounded once together (`contract`), in half the time.
    """
    options = OPTIONS | {"fastmath": {"contract"}}
    if inline:
        options["inline"] = "always"
    decorator: Compile = numba.njit(**options)
    return decorator


REAL = types.float64
INDEX = types.int64
VECTOR = types.float64[::1]
TABLE = types.float64[:, ::1]

LAW = types.FunctionType(REAL(REAL, REAL, VECTOR))
"""force(penetration, rate, parameters) -> N; see model.contact.force."""
RHS = types.FunctionType(INDEX(REAL, VECTOR, VECTOR, VECTOR, VECTOR, VECTOR, LAW))
"""rhs(t, y, dy, p, s, u, law): writes dy."""
GUARDS = types.FunctionType(INDEX(REAL, VECTOR, VECTOR, VECTOR, VECTOR, VECTOR, VECTOR))
"""guards(t, y, g, g_rate, p, s, u): writes g, positive where the discrete state no longer holds, and its rate or 0."""
SWITCH = types.FunctionType(REAL(INDEX, REAL, VECTOR, VECTOR, VECTOR, VECTOR))
"""switch(k, t, y, p, s, u) -> what to note of the event (NaN: nothing): changes s so that guard k is not positive any more."""
CHANNELS = types.FunctionType(INDEX(REAL, VECTOR, VECTOR, VECTOR, VECTOR, VECTOR, LAW))
"""channels(t, y, values, p, s, u, law): writes the output quantities."""
FRICTION = types.FunctionType(REAL(REAL, REAL, VECTOR))
"""force(sliding speed, normal force, parameters) -> N along the sliding speed; see model.friction."""

ContactLaw = Compiled[[float, float, Floats], float]
"""What LAW says, to whoever reads a kernel; the others likewise."""
RightHandSide = Compiled[[float, Floats, Floats, Floats, Floats, Floats, ContactLaw], int]
Guards = Compiled[[float, Floats, Floats, Floats, Floats, Floats, Floats], int]
Switch = Compiled[[int, float, Floats, Floats, Floats, Floats], float]
Channels = RightHandSide
