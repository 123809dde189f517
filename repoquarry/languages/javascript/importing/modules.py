"""The modules of a repository's files, and what the specifiers of their imports mean."""

from __future__ import annotations

from collections.abc import Sequence

from repoquarry.languages.facts import FileFacts
from repoquarry.languages.javascript.importing.specifiers import SUFFIXES, Specifiers
from repoquarry.languages.modules import Configuration, ModuleInfo, Modules, Place


def find_modules(files: Sequence[FileFacts], configuration: Configuration, roots: Sequence[str] | None) -> Modules:
    """The modules of the files; `roots` means nothing here, since specifiers are paths or names of packages."""
    numbers = {facts.path: number for number, facts in enumerate(files)}
    specifiers = Specifiers(numbers, configuration)
    targets: dict[tuple[int, str, int], Place | None] = {}
    for number, facts in enumerate(files):
        for entry in facts.imports:
            key = (number, entry.module, entry.level)
            if key not in targets:
                found = specifiers.find(facts.path, entry.module)
                targets[key] = numbers[found] if found is not None else None
    return Modules(infos=[_info(facts) for facts in files], targets=targets)


def _info(facts: FileFacts) -> ModuleInfo:
    suffix = next((one for one in sorted(SUFFIXES, key=len, reverse=True) if facts.path.endswith(one)), "")
    stem = facts.path.removesuffix(suffix)
    name = stem.removesuffix("/index") if facts.is_package else stem
    return ModuleInfo(path=facts.path, name=name, root="", is_package=facts.is_package)
