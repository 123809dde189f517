"""Modules of JavaScript files, and the specifiers by which other npm packages import them.

A package offers what its `exports` lists, or its entry file and every other file. A specifier may lead to an
implementation and to its declaration file. A package `@types/x` declares the package `x`.

Source: https://nodejs.org/api/packages.html#package-entry-points
"""

from __future__ import annotations

import posixpath
from collections.abc import Collection, Iterator, Mapping, Sequence

from repoquarry.languages.facts import FileFacts
from repoquarry.languages.family import UNKNOWN_KEY, Configuration, ExternalOrigin, ModuleInfo, ModuleMap, Place
from repoquarry.languages.javascript.module_resolution import (
    DECLARATION_SUFFIXES,
    PREFIXED_MODULES,
    SUFFIXES,
    NpmPackage,
    SpecifierResolver,
    is_entry_table,
    source_paths,
    target_files,
)

_BUILT_IN_NAMES = (
    "assert async_hooks buffer child_process cluster console constants crypto dgram diagnostics_channel dns domain events "
    "fs globalThis http http2 https inspector module net os path perf_hooks process punycode querystring readline repl "
    "stream string_decoder sys timers tls trace_events tty url util v8 vm wasi worker_threads zlib"
)
_BUILT_IN = frozenset(_BUILT_IN_NAMES.split()) | PREFIXED_MODULES
_MAX_DEPTH = 3
_MAX_NAMES = 5_000
"""Limit for the names that are tried on one entry file."""


def find_modules(files: Sequence[FileFacts], configuration: Configuration, roots: Sequence[str] | None) -> ModuleMap:
    """Return the modules of the files; `roots` has no effect, since specifiers are paths or names of packages."""
    numbers = {facts.path: number for number, facts in enumerate(files)}
    resolver = SpecifierResolver(numbers, configuration)
    targets: dict[tuple[int, str, int], Place | None] = {}
    for number, facts in enumerate(files):
        for entry in facts.imports:
            key = (number, entry.module, entry.level)
            if key not in targets:
                found = resolver.find(facts.path, entry.module)
                targets[key] = numbers[found] if found is not None else None
    specifiers = list_specifiers(resolver, list(numbers))
    infos = [_info(facts, specifiers.get(facts.path, ())) for facts in files]
    return ModuleMap(infos, targets, offered=list_offered(files, specifiers, targets))


def _info(facts: FileFacts, specifiers: Sequence[tuple[str, str]]) -> ModuleInfo:
    suffix = next((one for one in sorted(SUFFIXES, key=len, reverse=True) if facts.path.endswith(one)), "")
    stem = facts.path.removesuffix(suffix)
    name = stem.removesuffix("/index") if facts.is_package else stem
    return ModuleInfo(facts.path, name, "", facts.is_package, tuple(specifiers))


def package_name(specifier: str) -> str:
    """Return the package of a specifier: its first part, with its scope."""
    return "/".join(specifier.split("/")[: 2 if specifier.startswith("@") else 1])


def external_origins(files: Sequence[FileFacts], externals: Sequence[str]) -> list[ExternalOrigin]:
    """As `repoquarry.languages.family.FindOrigins`: the longest imported specifier begins the name of an external."""
    packages = {entry.module: package_name(entry.module) for facts in files for entry in facts.imports}
    return [_origin(name, packages) for name in externals]


def _origin(name: str, packages: Mapping[str, str]) -> ExternalOrigin:
    ends = [at for at, character in enumerate(name) if character == "."]
    specifier = next((name[:end] for end in (len(name), *reversed(ends)) if name[:end] in packages), None)
    package = packages[specifier] if specifier is not None else name.partition(".")[0]
    return ExternalOrigin(package, package in _BUILT_IN)


def list_specifiers(resolver: SpecifierResolver, paths: Sequence[str]) -> dict[str, list[tuple[str, str]]]:
    """Map files to (package, specifier) by which other packages import them; each leads to an implementation, declarations or both."""
    found: dict[str, list[tuple[str, str]]] = {}
    for package in resolver.packages:
        name = _imported_name(package.name)
        for specifier, targets in _entries(package, name, paths) if name else ():
            files = [file for target in targets for file in resolver.files_of(package, target)]
            for is_declaration in (False, True):
                chosen = (file for file in files if file.endswith(DECLARATION_SUFFIXES) is is_declaration)
                if (file := next(chosen, None)) is not None:
                    found.setdefault(file, []).append((name, specifier))
    return {file: list(dict.fromkeys(specifiers)) for file, specifiers in found.items()}


def _imported_name(name: str) -> str:
    scope, _, rest = name.removeprefix("@types/").partition("__")
    return f"@{scope}/{rest}" if rest and name.startswith("@types/") else name.removeprefix("@types/")


def _entries(package: NpmPackage, name: str, paths: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
    """Yield specifiers with the files, relative to the package, that they may lead to."""
    yield name, list(package.targets())
    start = f"{package.folder}/" if package.folder else ""
    inside = [path.removeprefix(start) for path in paths if path.startswith(start)]
    if package.exports is None:
        for path in inside:
            stem = next((path.removesuffix(one) for one in reversed(SUFFIXES) if path.endswith(one)), path)
            yield f"{name}/{path}", [path]
            yield f"{name}/{stem}", [path]
            if posixpath.basename(stem) == "index" and "/" in stem:
                yield f"{name}/{posixpath.dirname(stem)}", [path]
        return
    if not is_entry_table(package.exports):
        return
    for key in package.exports:
        if key.startswith("./") and "*" not in key:
            yield f"{name}/{key[2:]}", list(package.exported(key[2:]))
        elif key.startswith("./"):
            for middle in _matches(package.exports[key], inside):
                part = key[2:].replace("*", middle)
                yield f"{name}/{part}", list(package.exported(part))


def _matches(target: object, paths: Sequence[str]) -> list[str]:
    """List what `*` stands for in the files of a pattern."""
    found: dict[str, None] = {}
    for pattern in target_files(target, "*"):
        _, _, after = pattern.partition("*")
        endings = SUFFIXES[::-1] if after in SUFFIXES else (after,)
        for variant in source_paths("", pattern):
            before = variant.partition("*")[0]
            for path in paths:
                ending = next((one for one in endings if path.endswith(one)), None)
                if ending is not None and path.startswith(before) and len(path) > len(before) + len(ending):
                    found[path[len(before) : len(path) - len(ending)]] = None
    return list(found)


def list_offered(
    files: Sequence[FileFacts],
    specifiers: Collection[str],
    targets: Mapping[tuple[int, str, int], Place | None],
) -> dict[int, list[str]]:
    """List the names that other packages may import from files with specifiers: explicit exports, or all names of CommonJS files
    that they are made of."""
    return {
        number: [UNKNOWN_KEY, "default", *sorted(_exported_names(number, files, targets))]
        for number, facts in enumerate(files)
        if facts.path in specifiers
    }


def _exported_names(
    entry: int, files: Sequence[FileFacts], targets: Mapping[tuple[int, str, int], Place | None]
) -> set[str]:
    names: set[str] = set()
    seen = {entry}
    level = [entry]
    for _ in range(_MAX_DEPTH):
        following: list[int] = []
        for number in level:
            facts = files[number]
            names.update(facts.exports if facts.exports is not None else _identifiers(facts))
            if len(names) > _MAX_NAMES:
                return set(sorted(names)[:_MAX_NAMES])
            for entry_ in facts.imports:
                place = targets.get((number, entry_.module, entry_.level))
                if isinstance(place, int) and place not in seen:
                    seen.add(place)
                    following.append(place)
        level = following
    return names


def _identifiers(facts: FileFacts) -> Iterator[str]:
    return (text for text in facts.graph.symbols.texts() if text.isidentifier())
