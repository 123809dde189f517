"""Call sites of C and C++ as clang sees them, compared with the resolver's: recall and precision of edges of 0.5 and more.

    python -m tests.benchmarks.callgraph.libclang FOLDER [--misses NUMBER] [--flags "-I. -DX=1"] [--skip GLOB ...]

Needs the package `libclang`. Each file that is compiled is parsed by itself; files with fatal errors are left out on both sides. A site is a
call whose function is defined or declared in the project; constructors and operators that nobody writes by name are not asked, nor are calls
that a macro makes. Recall is the share of sites with an edge of the site's line to the definition (or to the declaration, where no file of the
project defines the function, which leaves the site out). Precision is the share of edges to functions at lines with asked sites of that name.
"""

import argparse
from collections import Counter, defaultdict
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path

import clang.cindex as cindex  # type: ignore[import-not-found]

from repoquarry.ingest.resolution import resolve
from repoquarry.languages import registry

_COMPILED = (".c", ".cc", ".cpp", ".cxx")
_READ = (*_COMPILED, ".h", ".hh", ".hpp", ".hxx", ".inl")
_MIN_SHARE = 0.5
Key = tuple[str, int, str]
Place = tuple[str, int]


def _walk(root: Path, node: cindex.Cursor) -> Iterator[cindex.Cursor]:
    for child in node.get_children():
        file = child.location.file
        if node.kind != cindex.CursorKind.TRANSLATION_UNIT or (file and Path(file.name).is_relative_to(root)):
            yield child
            yield from _walk(root, child)


def _place(root: Path, node: cindex.Cursor) -> Place | None:
    file = node.location.file
    path = Path(file.name).resolve() if file else None
    return (path.relative_to(root).as_posix(), node.location.line) if path and path.is_relative_to(root) else None


def _is_site(node: cindex.Cursor, callee: cindex.Cursor, called: str) -> bool:
    plain = callee.kind.name in ("FUNCTION_DECL", "CXX_METHOD", "FUNCTION_TEMPLATE")
    return plain and not called.startswith("operator") and any(one.spelling == called for one in node.get_tokens())


def ask_clang(root: Path, paths: list[Path], flags: list[str]) -> tuple[dict[Key, set[Place]], set[str]]:
    """Return the definitions that the compiler chose by site, and the files that it has read."""
    index, sites, defined = cindex.Index.create(), [], {}
    read: set[str] = set()
    for path in paths:
        language = ["-x", "c"] if path.suffix == ".c" else ["-x", "c++", "-std=c++17"]
        unit = index.parse(str(path), args=[*language, *flags, f"-I{path.parent}", f"-I{root}"])
        if any(one.severity >= cindex.Diagnostic.Error for one in unit.diagnostics):
            print("  not compiled:", path.name, next(one for one in unit.diagnostics if one.severity >= 3))
            continue
        for node in _walk(root, unit.cursor):
            if (node.is_definition() or node.is_pure_virtual_method()) and (place := _place(root, node)):
                defined[node.get_usr()] = place
                read.add(place[0])
            is_call = node.kind == cindex.CursorKind.CALL_EXPR and node.referenced is not None
            place = _place(root, node)
            if is_call and place and _is_site(node, node.referenced, node.spelling):
                at = next(one for one in node.get_tokens() if one.spelling == node.spelling)
                sites.append(((place[0], at.location.line, node.spelling), node.referenced.get_usr()))
    found: dict[Key, set[Place]] = defaultdict(set)
    for key, usr in sites:
        found[key].update([defined[usr]] if usr in defined else [])
    return found, read


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--misses", type=int, default=0, help="number of missed sites and wrong edges to list")
    parser.add_argument("--flags", default="", help="of the compiler")
    parser.add_argument("--skip", nargs="*", default=[], help="patterns of paths that are not compiled")
    given = parser.parse_args()
    root = given.folder.resolve()
    paths = [path for path in sorted(root.rglob("*")) if path.suffix in _READ]
    named = {path.relative_to(root).as_posix(): path for path in paths}
    files = [registry.language_for(name).extract(name, path.read_bytes()) for name, path in named.items()]
    compiled = [
        path
        for name, path in named.items()
        if path.suffix in _COMPILED and not any(fnmatch(name, one) for one in given.skip)
    ]
    sites, read = ask_clang(root, compiled, given.flags.split())
    found = resolve(files)
    definitions = {(facts.path, one.key): one for facts in files for one in facts.definitions}
    ours: dict[Key, dict[Place, str]] = defaultdict(dict)
    for edge in found.calls:
        caller = found.symbols[edge.caller]
        if edge.callee >= 0 and edge.confidence >= _MIN_SHARE and caller.path in read:
            symbol = found.symbols[edge.callee]
            one = definitions[symbol.path, symbol.key]
            for line in edge.lines:
                ours[caller.path, line, one.name][symbol.path, one.name_line] = edge.how
    missed = [(key, place) for key, places in sites.items() for place in places if place not in ours.get(key, {})]
    edges = [(key, place, how) for key, mine in ours.items() if key in sites for place, how in mine.items()]
    wrong = [(key, place, how) for key, place, how in edges if place not in sites[key]]
    expected = sum(map(len, sites.values()))
    loc = sum(facts.loc for facts in files)
    print(
        f"{root.name}: {loc} lines, {expected} sites, recall {1 - len(missed) / max(1, expected):.3f}, "
        f"precision {1 - len(wrong) / max(1, len(edges)):.3f}"
    )
    print("  by rule", dict(Counter(how for *_, how in edges)))
    for key, place in missed[: given.misses]:
        print("  missed", *key, "->", *place)
    for key, place, how in wrong[: given.misses]:
        print("  wrong", *key, "->", *place, how, sorted(sites[key]))


if __name__ == "__main__":
    main()
