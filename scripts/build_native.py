"""Build of the native libraries: `python scripts/build_native.py [--target TRIPLE] [--flag FLAG] [--only NAME] [folder]`.

The compiler is that of the machine ($CXX, c++, g++, clang++). Without one, or for another platform, it is zig from the `ziglang` package.
The libraries need no C++ runtime: they do not throw, and they manage their own memory. Builds are reproducible and do not depend on the
folder. An object is compiled again when its source, a header, a flag or the compiler has changed (scripts/build_cache.py).
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from build_cache import ROOT, BuildCache, read_files

FLAGS = (
    "-std=c++20", "-O2", "-fPIC", "-fvisibility=hidden", "-fno-exceptions", "-fno-rtti", "-fno-threadsafe-statics",
    "-ffp-contract=off", "-Wall", "-Wextra", "-Wno-missing-field-initializers",
)  # fmt: skip
# Sources shared by all libraries: memory, collections, strings.
BASE = ROOT / "repoquarry/native/base"
# Include folder of the other sources.
INCLUDES = ROOT / "repoquarry"


class NativeBuildError(Exception):
    """Failed build; the message has the missing tool or the output of the compiler."""


@dataclass(frozen=True)
class NativeLibrary:
    """Native library. Its sources are in the subfolder `kernel`."""

    name: str
    place: str
    """Folder of the package from which the product loads it."""

    @property
    def folder(self) -> Path:
        """Return the folder in this source tree."""
        return ROOT / self.place

    @property
    def sources(self) -> Path:
        """Return the folder of its own sources; `BASE` contains the shared ones."""
        return self.folder / "kernel"


RESOLVER = NativeLibrary("resolver", "repoquarry/native/resolution")
WORDS = NativeLibrary("words", "repoquarry/native/tokenizer")
LIBRARIES = (RESOLVER, WORDS)


@dataclass(frozen=True)
class Target:
    """Platform of a wheel."""

    triple: str
    """Target triple in the notation of zig."""
    tag: str
    """Platform tag of the wheel."""
    ending: str


TARGETS = (
    Target("x86_64-linux-gnu.2.17", "manylinux_2_17_x86_64.manylinux2014_x86_64", "so"),
    Target("aarch64-linux-gnu.2.17", "manylinux_2_17_aarch64.manylinux2014_aarch64", "so"),
    Target("x86_64-linux-musl", "musllinux_1_1_x86_64", "so"),
    Target("aarch64-linux-musl", "musllinux_1_1_aarch64", "so"),
    Target("x86_64-macos.11.0", "macosx_11_0_x86_64", "dylib"),
    Target("aarch64-macos.11.0", "macosx_11_0_arm64", "dylib"),
    Target("x86_64-windows-gnu", "win_amd64", "dll"),
    Target("aarch64-windows-gnu", "win_arm64", "dll"),
)


def target_named(triple: str) -> Target:
    """Return the target of a triple. Raises: NativeBuildError with the known triples."""
    for target in TARGETS:
        if target.triple == triple:
            return target
    raise NativeBuildError(f"unknown target {triple!r}; known: {', '.join(one.triple for one in TARGETS)}")


def library_name(target: Target | None = None) -> str:
    """Return the file name of the library for a target, by default for this platform."""
    here = {"win32": "dll", "darwin": "dylib"}.get(sys.platform, "so")
    return f"_kernel.{target.ending if target else here}"


def compiler() -> str | None:
    """Return the machine's C++ compiler; None if there is none."""
    return os.environ.get("CXX") or next(filter(None, map(shutil.which, ("c++", "g++", "clang++"))), None)


def build(
    library: NativeLibrary, folder: Path | None = None, *, target: Target | None = None, flags: Sequence[str] = ()
) -> Path:
    """Compile a library for a target (default: this machine) into `folder` (default: where the product loads it); return its path.

    An existing library is replaced atomically. Raises: NativeBuildError.
    """
    made = (folder or library.folder) / library_name(target)
    made.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="repoquarry-kernel-") as place:
        sanitizers = [flag for flag in flags if flag.startswith("-fsanitize")]
        compiling, linking = _tools(target, sanitizers)
        objects = _compile((BASE, library.sources), compiling, (*FLAGS, *flags), Path(place))
        built = Path(place, made.name)
        _run([*linking, "-shared", *sanitizers, *map(str, objects), "-o", str(built)], ROOT)
        shutil.copyfile(built, made.with_suffix(".new"))
        os.replace(made.with_suffix(".new"), made)
    return made


def build_program(library: NativeLibrary, sources: Path, made: Path) -> Path:
    """Compile the sources of a library and others, which have `main`, into a program for this machine; return its path.

    Raises: NativeBuildError.
    """
    flags = (*FLAGS, "-O0", f"-I{os.path.relpath(library.sources, ROOT)}")
    command, _ = _tools(None, ())
    with tempfile.TemporaryDirectory(prefix="repoquarry-program-") as place:
        objects = _compile((BASE, library.sources, sources), command, flags, Path(place))
        _run([*command, *map(str, objects), "-o", str(made)], ROOT)
    return made


def is_built(library: NativeLibrary) -> bool:
    """Return whether the library for this machine exists and is at least as new as its sources."""
    made = library.folder / library_name()
    if not made.exists():
        return False
    sources = [
        path for folder in (BASE, library.sources) for path in folder.rglob("*") if path.suffix in (".cpp", ".h")
    ]
    newest = max(path.stat().st_mtime for path in sources)
    return made.stat().st_mtime >= newest


def _tools(target: Target | None, sanitizers: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return the compile and the link command; linking as C avoids zig's C++ runtime."""
    if target is None and (found := compiler()):
        strip = [] if sys.platform == "darwin" else ["-s"]
        return [found], [found] if sanitizers else [found, "-nodefaultlibs", "-lc", *strip]
    if importlib.util.find_spec("ziglang") is None:
        raise NativeBuildError("no C++ compiler found; install one (g++, clang++), set CXX, or `pip install ziglang`")
    zig = [sys.executable, "-m", "ziglang"]
    chosen = ["-target", target.triple] if target else []
    return [*zig, "c++", *chosen], [*zig, "cc", *chosen, "-s"]


def _compile(folders: Sequence[Path], command: Sequence[str], flags: Sequence[str], place: Path) -> list[Path]:
    sources = [source for folder in folders for source in sorted(folder.rglob("*.cpp"))]
    if not all(any(source.is_relative_to(folder) for source in sources) for folder in folders):
        raise NativeBuildError(f"no sources in {' and '.join(map(str, folders))}; build from a complete source tree")
    objects = [place / f"{number}-{source.stem}.o" for number, source in enumerate(sources)]

    headers = {header for folder in (INCLUDES / "native", *folders) for header in folder.rglob("*.h")}
    # Relative paths keep the paths of this machine out of the library.
    arguments = [*command, *flags, f"-I{os.path.relpath(INCLUDES, ROOT)}"]
    version = subprocess.run([*command, "--version"], cwd=ROOT, capture_output=True, check=False).stdout
    cache = BuildCache("objects", (version, " ".join(arguments).encode(), *read_files(headers)))

    def compile_one(pair: tuple[Path, Path]) -> None:
        source, made = pair
        inputs = read_files([source])
        if not cache.restore(inputs, made):
            _run([*arguments, "-c", os.path.relpath(source, ROOT), "-o", str(made)], ROOT)
            cache.store(inputs, made)

    with ThreadPoolExecutor(os.cpu_count() or 1) as threads:
        list(threads.map(compile_one, zip(sources, objects, strict=True)))
    return objects


def _run(command: Sequence[str], folder: Path) -> None:
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    except OSError as error:
        raise NativeBuildError(
            f"{command[0]} could not be started: {error.strerror}; set CXX to a C++20 compiler"
        ) from error
    if done.returncode != 0:
        raise NativeBuildError(f"{' '.join(command)} failed:\n{done.stderr.strip()}")
    if done.stderr.strip():
        print(done.stderr.strip(), file=sys.stderr)


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "folder",
        nargs="?",
        type=Path,
        help="folder for the libraries, with a subfolder for each; defaults to the folders from which they are loaded",
    )
    parser.add_argument(
        "--target", help="target platform, as a triple of zig: " + ", ".join(one.triple for one in TARGETS)
    )
    parser.add_argument("--flag", action="append", default=[], help="additional compiler flag, for example --flag=-g")
    parser.add_argument("--only", choices=[library.name for library in LIBRARIES], help="build only this library")
    given = parser.parse_args()
    try:
        target = target_named(given.target) if given.target else None
        for library in LIBRARIES:
            if given.only in (None, library.name):
                folder = given.folder / library.name if given.folder else None
                print(build(library, folder, target=target, flags=given.flag))
    except NativeBuildError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
