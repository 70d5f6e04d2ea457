"""Functions handed to the solver's loop by address, with plain pointers: a call takes a third of the time that one with arrays does.

What is behind them is as in model.compiled.signatures: y, dy, p, s, u, g, values. The callee knows how long its arrays are, but for u,
whose length it is told.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from llvmlite.ir import IRBuilder, Value  # type: ignore[import-untyped]
from numba import types
from numba.core.base import BaseContext
from numba.core.typing.templates import Signature
from numba.extending import intrinsic
from numba.np import arrayobj

from model.compiled.signatures import INDEX, REAL, VECTOR, Compiled, Floats

POINTER = types.CPointer(REAL)  # type: ignore[no-untyped-call]
RHS = types.FunctionType(INDEX(REAL, POINTER, POINTER, POINTER, POINTER, POINTER, INDEX))
"""rhs(t, y, dy, p, s, u, size): writes dy."""
GUARDS = types.FunctionType(INDEX(REAL, POINTER, POINTER, POINTER, POINTER, POINTER, POINTER, INDEX))
"""guards(t, y, g, g_rate, p, s, u, size): writes g and its rate."""
SWITCH = types.FunctionType(REAL(INDEX, REAL, POINTER, POINTER, POINTER, POINTER, INDEX))
"""switch(k, t, y, p, s, u, size) -> what to note of the event."""
CHANNELS = types.FunctionType(INDEX(REAL, POINTER, POINTER, POINTER, POINTER, POINTER, INDEX))
"""channels(t, y, values, p, s, u, size): writes the output quantities."""

Pointer = object
"""To whoever reads a kernel."""
DirectRightHandSide = Compiled[[float, Pointer, Pointer, Pointer, Pointer, Pointer, int], int]
DirectGuards = Compiled[[float, Pointer, Pointer, Pointer, Pointer, Pointer, Pointer, int], int]
DirectSwitch = Compiled[[int, float, Pointer, Pointer, Pointer, Pointer, int], float]
DirectChannels = DirectRightHandSide

Typed = tuple[Signature, Callable[[BaseContext, IRBuilder, Signature, tuple[Value, ...]], Value]]
"""What an intrinsic is: its types, and what writes it."""


def _view(_typing: object, pointer: types.Type, size: types.Type) -> Typed:
    def write(context: BaseContext, builder: IRBuilder, _signature: Signature, args: tuple[Value, ...]) -> Value:
        array = arrayobj.make_array(VECTOR)(context, builder)  # type: ignore[no-untyped-call]
        item = context.get_constant(types.intp, 8)  # type: ignore[no-untyped-call]
        arrayobj.populate_array(array, data=args[0], shape=[args[1]], strides=[item], itemsize=item, meminfo=None)  # type: ignore[no-untyped-call]
        return array._getvalue()

    return VECTOR(POINTER, INDEX), write


def _data(_typing: object, array: types.Type) -> Typed:
    def write(context: BaseContext, builder: IRBuilder, _signature: Signature, args: tuple[Value, ...]) -> Value:
        return arrayobj.make_array(VECTOR)(context, builder, args[0]).data  # type: ignore[no-untyped-call]

    return POINTER(VECTOR), write


if TYPE_CHECKING:

    def view(pointer: Pointer, size: int) -> Floats:
        """The numbers behind a pointer as an array, in compiled code."""

    def data(array: Floats) -> Pointer:
        """Where the numbers of an array are, in compiled code."""
else:
    view, data = intrinsic(_view), intrinsic(_data)
