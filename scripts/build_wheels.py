"""Build of wheels for all platforms into `dist` on this machine, checked by content: `python scripts/build_wheels.py [folder]`.

Builds are reproducible if SOURCE_DATE_EPOCH is set; `make wheels` sets it to the time of the last commit.
"""

from __future__ import annotations

import os
import struct
import subprocess
import sys
import zipfile
from pathlib import Path

from build_native import LIBRARIES, TARGETS, NativeBuildError, Target, library_name

ROOT = Path(__file__).resolve().parents[1]
_PROCESSORS = {
    62: "x86_64",
    183: "aarch64",
    0x01000007: "x86_64",
    0x0100000C: "aarch64",
    0x8664: "x86_64",
    0xAA64: "aarch64",
}
"""Processor by the number in the header of an ELF, Mach-O or PE file."""


def main(folder: Path) -> None:
    """Build and check all wheels. Raises: subprocess.CalledProcessError, NativeBuildError."""
    for target in TARGETS:
        environment = {**os.environ, "REPOQUARRY_KERNEL_TARGET": target.triple}
        command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
        subprocess.run(command, cwd=ROOT, env=environment, check=True)
        (wheel,) = folder.glob(f"repoquarry-*-{target.tag}.whl")
        check_wheel(wheel, target)


def check_wheel(wheel: Path, target: Target) -> None:
    """Require that a wheel holds each library once, for its platform. Raises: NativeBuildError."""
    processor, system = target.triple.split("-")[:2]
    expected = {f"{library.place}/{library_name(target)}" for library in LIBRARIES}
    with zipfile.ZipFile(wheel) as archive:
        found = {name for name in archive.namelist() if name.endswith((".so", ".dylib", ".dll"))}
        if found != expected:
            raise NativeBuildError(f"{wheel.name} holds {sorted(found)}; expected {sorted(expected)}")
        for name in sorted(found):
            platform = read_platform(archive.read(name))
            if platform != (system.partition(".")[0], processor):
                raise NativeBuildError(f"{wheel.name}: {name} is built for {platform}; expected {target.triple}")


def read_platform(content: bytes) -> tuple[str, str]:
    """Return system and processor of a library by its header. Raises: NativeBuildError for another file."""
    if content.startswith(b"\x7fELF"):
        return "linux", _PROCESSORS[struct.unpack_from("<H", content, 18)[0]]
    if content.startswith(b"\xcf\xfa\xed\xfe"):
        return "macos", _PROCESSORS[struct.unpack_from("<I", content, 4)[0]]
    if content.startswith(b"MZ"):
        header = struct.unpack_from("<I", content, 60)[0]
        return "windows", _PROCESSORS[struct.unpack_from("<H", content, header + 4)[0]]
    raise NativeBuildError("a library is not an ELF, Mach-O or PE file")


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else ROOT / "dist")
