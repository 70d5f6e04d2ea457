"""Compiled functions as they are handed to kernels, with their addresses looked up once; and called without looking up types again.

Numba looks up the address of a compiled function each time that it is passed, which takes 30 us for each of a mechanism's five: more than
the arithmetic of a block of 1 ms. To find out the types of the arguments of a call takes it another 40 us.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Generic

from numba.core.types import FunctionType, WrapperAddressProtocol
from numba.core.typing.templates import Signature

from model.compiled.signatures import Arguments, Compiled, Result


class Pinned(WrapperAddressProtocol, Generic[Arguments, Result]):  # type: ignore[misc]
    """A compiled function with the signature that a kernel expects of it."""

    def __init__(self, function: Compiled[Arguments, Result], kind: FunctionType) -> None:
        """kind: a FunctionType of model.compiled.signatures, which the function has been compiled for."""
        self.function, self._signature = function, kind.signature
        made = function.get_compile_result(self._signature)
        self._address = int(made.library.get_pointer_to_function(made.fndesc.llvm_cfunc_wrapper_name))

    def __call__(self, *args: Arguments.args, **kwargs: Arguments.kwargs) -> Result:
        return self.function(*args, **kwargs)

    @property
    def nopython_signatures(self) -> Sequence[Signature]:
        """The one that the kernel expects."""
        return [self._signature]

    def get_compile_result(self, signature: Signature) -> object:
        """Of the function."""
        return self.function.get_compile_result(signature)

    def __wrapper_address__(self) -> int:
        return self._address

    def signature(self) -> Signature:
        return self._signature


def entry(function: Compiled[Arguments, Result]) -> Callable[Arguments, Result]:
    """A function that is compiled for one signature, without the search for it; the arguments must be of its types."""
    (signature,) = function.nopython_signatures
    called: Callable[Arguments, Result] = function.get_compile_result(signature).entry_point
    return called
