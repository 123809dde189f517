"""The kernel's shared library."""

from __future__ import annotations

import ctypes
import sys
from functools import lru_cache
from pathlib import Path

from repoquarry.ingest.errors import ResolutionFailedError
from repoquarry.ingest.resolution.native import abi

_ENDINGS = {"win32": "dll", "darwin": "dylib"}


class KernelError(ResolutionFailedError):
    """The kernel could not resolve: its library is missing or of another version, or it ran out of memory or time."""


@lru_cache(1)
def library() -> ctypes.CDLL:
    """The library beside this package.

    Raises: KernelError.
    """
    path = Path(__file__).parents[1] / f"_kernel.{_ENDINGS.get(sys.platform, 'so')}"
    try:
        found = ctypes.CDLL(str(path))
    except OSError as exc:
        raise KernelError(
            f"the resolver's kernel {path} cannot be loaded ({exc}): build it with scripts/build_kernel.py"
        ) from exc
    found.repoquarry_error.restype = ctypes.c_char_p
    version = found.repoquarry_kernel_version()
    if version != abi.VERSION:
        raise KernelError(f"the resolver's kernel {path} is of version {version}, not {abi.VERSION}: build it anew")
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
