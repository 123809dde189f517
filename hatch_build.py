"""Build hook that compiles the native libraries for installations and wheels; see docs/explanation/kernel.md.

`REPOQUARRY_KERNEL_TARGET` selects another platform for the wheel (`make wheels`). On a machine without a C++ compiler, zig is installed
as a build requirement.
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
    """Hook that puts each library next to the module that loads it."""

    def dependencies(self) -> list[str]:
        """Return the build requirements besides hatchling: zig if the machine has no compiler."""
        return [] if build_native.compiler() and not os.environ.get("REPOQUARRY_KERNEL_TARGET") else [_ZIG]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile the libraries: into the source tree for an editable installation, into the wheel otherwise."""
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
        """Remove the temporary build folder."""
        if hasattr(self, "_folder"):
            self._folder.cleanup()


def _platform() -> str:
    return sysconfig.get_platform().replace("-", "_").replace(".", "_")
