"""clang-tidy over the native libraries: `python scripts/run_clang_tidy.py [--checks CHECKS]`, configured in `.clang-tidy`.

System headers come from zig, so that they are the same on every machine, with or without a compiler.
"""

from __future__ import annotations

import argparse
import os
import shlex
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path

from build_cache import ROOT, BuildCache, read_files
from build_native import BASE, FLAGS, INCLUDES, LIBRARIES

_TARGET = "x86_64-linux-musl"
_VALUED = ("-isystem", "-D")
SOURCES = (BASE, *(library.sources for library in LIBRARIES))


def system_flags() -> list[str]:
    """Return the include flags of zig's compiler for another clang. Raises: RuntimeError if zig does not report them."""
    asked = [sys.executable, "-m", "ziglang", "c++", "-target", _TARGET, "-v", "-E", "-x", "c++", os.devnull]
    told = subprocess.run(asked, capture_output=True, text=True, check=False)
    command = next((shlex.split(line) for line in told.stderr.splitlines() if "-cc1" in line), [])
    pairs = [(flag, value) for flag, value in pairwise(command) if flag in _VALUED]
    if not pairs:
        raise RuntimeError(f"{' '.join(asked)} reports no headers:\n{told.stderr}")
    # Compiler headers belong to one compiler version; clang-tidy has its own.
    folders = [
        str(Path(value).absolute())
        for flag, value in pairs
        if flag == "-isystem" and not value.endswith("/lib/include")
    ]
    macros = [value for flag, value in pairs if flag == "-D"]
    return [
        f"--target={_TARGET}", "-nostdinc++", "-nostdlibinc",
        *(f"-isystem{folder}" for folder in folders), *(f"-D{macro}" for macro in macros),
    ]  # fmt: skip


def findings(checks: str | None = None, *, folders: Sequence[Path] = SOURCES) -> str:
    """Return the findings of clang-tidy below folders, or an empty string; `checks` overrides the configured checks."""
    tool = str(Path(sys.executable).with_name("clang-tidy"))
    chosen = [f"--checks=-*,{checks}", "--warnings-as-errors=*"] if checks else []
    behind = ["--", *FLAGS, f"-I{INCLUDES}", *system_flags()]
    sources = [source for folder in folders for source in sorted(folder.rglob("*.cpp"))]

    headers = {header for folder in (INCLUDES / "native", *folders) for header in folder.rglob("*.h")}
    version = subprocess.run([tool, "--version"], capture_output=True, check=False).stdout
    settings = [path for folder in (ROOT, *folders) if (path := folder / ".clang-tidy").exists()]
    cache = BuildCache(
        "clang-tidy",
        (version, " ".join((*chosen, *behind)).replace(str(ROOT), "").encode(), *read_files({*headers, *settings})),
    )

    def examine(source: Path) -> str:
        """Return the findings in a source; one without any is examined once."""
        inputs = read_files([source])
        if cache.restore(inputs, Path(os.devnull)):
            return ""
        done = subprocess.run(
            [tool, "--quiet", *chosen, str(source), *behind], capture_output=True, text=True, check=False
        )
        if done.returncode or done.stdout:
            return done.stdout or done.stderr
        cache.store(inputs, Path(os.devnull))
        return ""

    with ThreadPoolExecutor(os.cpu_count() or 1) as threads:
        return "\n".join(filter(None, threads.map(examine, sources)))


def main() -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--checks", help="checks that override the configured ones")
    found = findings(parser.parse_args().checks)
    if found:
        print(found)
        return 1
    print("the native libraries: nothing found by clang-tidy")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
