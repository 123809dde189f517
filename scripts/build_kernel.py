"""Builds the resolver's native kernel: `python scripts/build_kernel.py [folder]`.

Takes the C++ compiler of the machine ($CXX, c++, g++, clang++), or where there is none the `ziglang` package. The library needs no C++
runtime: nothing throws, and its memory is its own.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

SOURCES = Path(__file__).resolve().parents[1] / "repoquarry" / "ingest" / "resolution" / "kernel"
TARGET = SOURCES.parent
FLAGS = [
    "-std=c++20", "-O2", "-fPIC", "-fvisibility=hidden", "-fno-exceptions", "-fno-rtti", "-fno-threadsafe-statics",
    "-Wall", "-Wextra", "-Wno-missing-field-initializers",
]  # fmt: skip


class NoCompilerError(Exception):
    """Neither a C++ compiler nor `ziglang` is there."""


def library_name() -> str:
    """Name of the library's file on this platform."""
    ending = {"win32": "dll", "darwin": "dylib"}.get(sys.platform, "so")
    return f"_kernel.{ending}"


def build(target_folder: Path = TARGET, flags: list[str] | None = None) -> Path:
    """Compiles the kernel into `target_folder`; the path of the library.

    Raises: NoCompilerError, subprocess.CalledProcessError.
    """
    target = target_folder / library_name()
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder) / target.name
        for command in _commands(made, Path(folder), FLAGS + (flags or [])):
            subprocess.run(command, check=True)
        target_folder.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(made, target.with_suffix(".new"))
        os.replace(target.with_suffix(".new"), target)
    return target


def is_built(target_folder: Path = TARGET) -> bool:
    """Whether the library is there and no older than its sources."""
    target = target_folder / library_name()
    if not target.exists():
        return False
    newest = max(path.stat().st_mtime for path in SOURCES.rglob("*") if path.suffix in (".cpp", ".h"))
    return target.stat().st_mtime >= newest


def _commands(made: Path, folder: Path, flags: list[str]) -> list[list[str]]:
    """One command with a compiler of the machine; with zig, linking as C keeps its C++ runtime out."""
    sources = [str(path) for path in sorted(SOURCES.rglob("*.cpp"))]
    found = os.environ.get("CXX") or next(filter(None, map(shutil.which, ("c++", "g++", "clang++"))), None)
    if found:
        runtime = [] if any("sanitize" in flag for flag in flags) else ["-nodefaultlibs", "-lc"]
        return [[found, *flags, "-shared", *sources, *runtime, "-o", str(made)]]
    if importlib.util.find_spec("ziglang") is None:
        message = "no C++ compiler was found: install one (c++, g++, clang++), or `pip install ziglang`"
        raise NoCompilerError(message)
    zig = [sys.executable, "-m", "ziglang"]
    objects = [str(folder / f"{number}.o") for number in range(len(sources))]
    compiling = [[*zig, "c++", *flags, "-c", one, "-o", to] for one, to in zip(sources, objects, strict=True)]
    return [*compiling, [*zig, "cc", "-shared", "-s", *objects, "-o", str(made)]]


if __name__ == "__main__":
    print(build(Path(sys.argv[1]) if len(sys.argv) > 1 else TARGET))
