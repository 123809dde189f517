"""Folders full of modules that record that they were imported: what a hostile repository puts where a process may look for modules."""

import os
import subprocess
import sys
import sysconfig
from collections.abc import Iterable
from importlib.metadata import packages_distributions
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
_TRAP = """import posix, sys
_file = posix.open({marker!r}, posix.O_WRONLY | posix.O_APPEND | posix.O_CREAT, 0o644)
posix.write(_file, f"{{__name__}} in {{sys.orig_argv}}\\n".encode())
posix.close(_file)
"""
_AT_START = ("sitecustomize", "usercustomize")
"""Imported by every interpreter from PYTHONPATH and the user site, before any code of a program runs."""

_CALL = """from repoquarry.server.cli import main
if __name__ == '__main__':
    sys.argv[0] = re.sub(r'(-script\\.pyw|\\.exe)?$', '', sys.argv[0])
    sys.exit(main())"""
_LISTING = "print(*{name.partition('.')[0] for name in sys.modules})"
_SCRIPT = """#!{python}
import re
import sys
{call}
"""


def module_names() -> set[str]:
    """Every top-level module that the product and its children could import: the interpreter's and those of all packages here."""
    loaded = {name.partition(".")[0] for name in sys.modules}
    found = {*sys.stdlib_module_names, *packages_distributions(), *loaded, *_AT_START}
    return {name for name in found if name.isidentifier()} - {"__main__", "repoquarry", "tests"}


class Traps:
    """Traps in the current directory, on PYTHONPATH, in the user site and in a project of a `.pth` file, around an installed product."""

    def __init__(self, folder: Path) -> None:
        self._marker = folder / "sprung"
        self.environment = {"PYTHONPATH": str(folder / "path"), "PYTHONUSERBASE": str(folder / "user")}
        self.current = self._fill(folder / "current", module_names())
        (self.current / "repoquarry").mkdir()
        (self.current / "repoquarry" / "__init__.py").write_text(_TRAP.format(marker=str(self._marker)))
        self.script = self._install(folder / "installed")
        start = module_names() - self._loaded_at_start()
        self._fill(folder / "path", start)
        self._fill(folder / "path" / "repoquarry" / "server" / "cli", ["__init__", "program"])
        self._fill(folder / "project", start - set(_AT_START))
        self._fill(Path(sysconfig.get_path("purelib", "posix_user", {"userbase": str(folder / "user")})), start)
        self._loaded_at_start()
        for line in self.sprung():
            for trap in folder.glob(f"*/**/{line.partition(' ')[0]}.py"):
                if trap.parent != self.current:
                    trap.unlink()
        self._marker.unlink(missing_ok=True)

    def sprung(self) -> list[str]:
        """Imported traps, and the command line that imported each; without modules that the interpreter of a script imports as it starts."""
        lines = self._marker.read_text().splitlines() if self._marker.exists() else []
        scripts = [f"'{self.script.with_name(name)}'" for name in ("repoquarry", "at_start")]
        return [line for line in lines if not (line.startswith(_AT_START) and any(one in line for one in scripts))]

    def _loaded_at_start(self) -> set[str]:
        """The interpreter's own imports, and those of the installation's `.pth` files, which no program can prevent."""
        environment = {**os.environ, **self.environment}
        program = str(self.script.with_name("at_start"))
        return set(subprocess.check_output([program], env=environment, cwd=self.current, text=True).split())

    def _fill(self, folder: Path, names: Iterable[str]) -> Path:
        folder.mkdir(parents=True)
        for name in names:
            (folder / f"{name}.py").write_text(_TRAP.format(marker=str(self._marker)))
        return folder

    def _install(self, folder: Path) -> Path:
        """A virtual environment that sees the packages of this one and the user site, with the script that pip writes."""
        base, python = Path(getattr(sys, "_base_executable", sys.executable)), folder / "bin" / "python"
        site = Path(sysconfig.get_path("purelib", "posix_prefix", {"base": str(folder)}))
        for made in (python.parent, site):
            made.mkdir(parents=True)
        python.symlink_to(base)
        (folder / "pyvenv.cfg").write_text(f"home = {base.parent}\ninclude-system-site-packages = true\n")
        (site / "tests.pth").write_text(f"{folder.parent / 'project'}\n{sysconfig.get_path('purelib')}\n{ROOT}\n")
        for name, call in (("repoquarry", _CALL), ("at_start", _LISTING)):
            (python.parent / name).write_text(_SCRIPT.format(python=python, call=call))
            os.chmod(python.parent / name, 0o755)
        return python.parent / "repoquarry"
