"""Where Java files stand: their package and name, and the source root that this leaves of their path."""

from __future__ import annotations

from collections.abc import Sequence

from repoquarry.languages.facts import FileFacts
from repoquarry.languages.modules import Configuration, ModuleInfo, Modules


def find_modules(files: Sequence[FileFacts], _configuration: Configuration, _roots: Sequence[str] | None) -> Modules:
    """The modules of Java files. What imports mean is decided by the names of classes, whatever folder they lie in."""
    return Modules([_info(facts) for facts in files])


def _info(facts: FileFacts) -> ModuleInfo:
    folder = facts.path.rpartition("/")[0]
    package = facts.namespace.replace(".", "/")
    is_below = folder == package or folder.endswith(f"/{package}") or not package
    root = folder[: len(folder) - len(package)].strip("/") if is_below else folder
    if facts.path.startswith("/"):  # definitions of stubs are named as the language names them
        return ModuleInfo(facts.path, facts.namespace, root, is_package=False)
    name = f"{facts.namespace}.{facts.module_name}" if facts.namespace else facts.module_name
    return ModuleInfo(facts.path, name, root, is_package=False)
