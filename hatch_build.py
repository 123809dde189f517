"""Builds the native libraries when RepoQuarry is installed or a wheel is made; see docs/kernel.md.

`REPOQUARRY_KERNEL_TARGET` names another platform to make a wheel for (`make wheels`). Where the machine has no C++ compiler, zig comes
as a requirement of the build, from the same index as every other package.
"""

from __future__ import annotations

import os
import sys
import sysconfig
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

sys.path.insert(0, str(Path(__file__).resolve().parent / "scripts"))
import build_native

_ZIG = "ziglang>=0.14,<0.18"


class KernelHook(BuildHookInterface[Any]):
    """Puts each library beside the module that loads it."""

    def dependencies(self) -> list[str]:
        """What the build needs besides hatchling: a compiler, where there is none."""
        return [] if build_native.compiler() and not os.environ.get("REPOQUARRY_KERNEL_TARGET") else [_ZIG]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile; an editable installation has the libraries in the source tree, a wheel in itself alone."""
        if self.target_name != "wheel":
            return
        if version == "editable":
            for library in build_native.LIBRARIES:
                if not build_native.is_built(library):
                    build_native.build(library)
            return
        triple = os.environ.get("REPOQUARRY_KERNEL_TARGET")
        target = build_native.target_named(triple) if triple else None
        self._folder = tempfile.TemporaryDirectory(prefix="repoquarry-wheel-")
        for library in build_native.LIBRARIES:
            made = build_native.build(library, Path(self._folder.name, library.name), target=target)
            build_data["force_include"][str(made)] = f"{library.place}/{made.name}"
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-{target.tag if target else _platform()}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove what was compiled for a wheel."""
        if hasattr(self, "_folder"):
            self._folder.cleanup()


def _platform() -> str:
    return sysconfig.get_platform().replace("-", "_").replace(".", "_")
