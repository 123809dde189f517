"""The kernel's shared library."""

from __future__ import annotations

import ctypes
from functools import lru_cache
from pathlib import Path

from repoquarry.graphstore.native import loaded
from repoquarry.ingest.errors import ResolutionFailedError
from repoquarry.ingest.resolution.native import abi


class KernelError(ResolutionFailedError):
    """The kernel could not resolve: its library is missing or of another version, or it ran out of memory or time."""


@lru_cache(1)
def library() -> ctypes.CDLL:
    """The library beside this package.

    Raises: KernelError.
    """
    folder, what = Path(__file__).parents[1], "the resolver's kernel"
    found = loaded(folder, what, "repoquarry_kernel_version", abi.VERSION, KernelError)
    found.repoquarry_error.restype = ctypes.c_char_p
    return found


def resolved(given: abi.Input) -> abi.Answer:
    """What the kernel found; its own memory, many times as much, is free again.

    Raises: KernelError.
    """
    kernel, output, result = library(), abi.Output(), ctypes.c_void_p()
    failure = kernel.repoquarry_resolve(ctypes.byref(given), ctypes.byref(output), ctypes.byref(result))
    if failure:
        raise KernelError(kernel.repoquarry_error(failure).decode())
    try:
        return abi.Answer.of(output)
    finally:
        kernel.repoquarry_free(result)
