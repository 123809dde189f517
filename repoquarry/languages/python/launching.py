"""How Python code is started: console scripts, modules with `python -m`, scripts by their path."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import PurePosixPath
from typing import Final

from repoquarry.languages.launching import MANIFEST, PROGRAM, RUNNABLE, HasFile, Launch, Launching, Startable

_BUILD_FILES: Final = ("setup.py", "conftest.py", "noxfile.py", "tasks.py", "manage.py")


def launch(start: Startable, has_file: HasFile) -> Launch | None:
    """As `Launching.launch`."""
    path, dotted = PurePosixPath(start.path), start.module
    if path.suffix != ".py" or path.name in _BUILD_FILES:
        return None
    root = _import_root(path, dotted)
    if start.kind == "console_script":
        call = f"import sys; from {dotted} import {start.qualname.partition('.')[0]}; sys.exit({start.qualname}())"
        instead = ("python", "-c", call) if start.qualname else ("python", "-m", dotted)
        return Launch(MANIFEST, "console script of the manifest", (start.text,), root, instead)
    if start.kind != "main":
        return None
    if dotted.endswith(".__main__"):
        return Launch(PROGRAM, "`__main__` module", ("python", "-m", dotted.removesuffix(".__main__")), root)
    if has_file(str(path.parent / "__init__.py")):
        # started by its path it could import nothing relative to it, and its neighbours would hide modules of the same name
        return Launch(RUNNABLE, "script with a `__main__` guard", ("python", "-m", dotted), root)
    return Launch(RUNNABLE, "script with a `__main__` guard", ("python", start.path), "")


def own(words: Sequence[str], has_file: HasFile) -> int:
    """As `Launching.own`."""
    if len(words) > 2 and words[1] == "-m":
        path = words[2].replace(".", "/")
        return 3 if any(map(has_file, (f"{path}.py", f"{path}/__main__.py"))) else 0
    return 2 if len(words) > 1 and has_file(words[1].removeprefix("./")) else 0


def _import_root(path: PurePosixPath, dotted: str) -> str:
    """Folder of the repository from which a module is imported by its dotted name."""
    parts = path.with_suffix("").parts
    depth = len(dotted.split(".")) + (parts[-1] == "__init__")
    return "/".join(parts[: max(len(parts) - depth, 0)])


LAUNCHING = Launching(
    interpreter=re.compile(r"(?:python|py)[\d.]*"),
    program="python",
    launch=launch,
    own=own,
    module=("python", "-m"),
    programs=("", "cli", "main", "command", "console"),
    words=frozenset({"python", "python3", "-m", "-c", "__main__.py"}),
)
