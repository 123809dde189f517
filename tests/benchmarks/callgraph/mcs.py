"""Call sites of C# as Mono's compiler writes them to IL, compared with the resolver's: recall and precision of edges of 0.5 and more.

    python -m tests.benchmarks.callgraph.mcs FOLDER [--sources FOLDER] [--skip GLOB ...] [--flags "-d:X"] [--misses NUMBER]

Needs `mcs`, `mono` and Mono.Cecil (Debian: mono-devel, libmono-cecil-private-cil). The files of `--sources` are compiled with
line numbers; all files of FOLDER are resolved. A site is a call or creation that the source writes, and whose line and name the IL has;
getters, operators, events, delegates and what `foreach` and `using` call are not asked. IL names the declared method of a virtual call;
`lenient`, a method that overrides it is right as well. Recall is the share of sites with a target in the program that have an edge to it,
precision the share of edges at all compiled sites.
"""

import argparse
import re
import subprocess
import tempfile
from collections import Counter, defaultdict
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import tree_sitter_c_sharp
from tree_sitter import Language, Node, Parser

from repoquarry.ingest.resolution import resolve
from repoquarry.languages import registry

_PROGRAM = Path(__file__).with_name("McsSites.cs")
_LIBRARIES = "System,System.Core,System.Xml,System.Xml.Linq,System.Data,System.Numerics,System.Web,Microsoft.CSharp"
_LIBRARIES += ",System.Runtime.Serialization"
_CECIL = "/usr/lib/mono/gac/Mono.Cecil/0.11.0.0__0738eb9f132ed756/Mono.Cecil.dll"
_MIN_SHARE = 0.5
_MAX_LINES = 12
"""Lines of a statement in which a call is looked for."""
_TYPES = ("class", "struct", "interface", "record", "enum", "delegate")
_NAMES = {
    "bool": "Boolean", "byte": "Byte", "char": "Char", "decimal": "Decimal", "double": "Double", "float": "Single", "int": "Int32",
    "long": "Int64", "object": "Object", "dynamic": "Object", "sbyte": "SByte", "short": "Int16", "string": "String", "uint": "UInt32",
    "ulong": "UInt64", "ushort": "UInt16",
}  # fmt: skip
Place = tuple[str, int]
SiteKey = tuple[str, int, str]
"""(file, line, called name)."""


def _text(node: Node | None) -> str:
    return (node.text or b"").decode("utf-8", "replace") if node is not None else ""


def _simple(node: Node | None) -> str:
    """Return the last name of a type with the number of its type arguments, as IL writes it."""
    while node is not None and node.type in ("qualified_name", "alias_qualified_name"):
        node = node.named_children[-1]
    if node is None or node.type in ("nullable_type", "tuple_type"):
        return "Nullable`1" if node is not None and node.type == "nullable_type" else ""
    if node.type == "array_type":
        return _simple(node.child_by_field_name("type")) + "[]"
    if node.type == "generic_name":
        return f"{_text(node.named_children[0])}`{node.named_children[1].named_child_count}"
    return _NAMES.get(_text(node), _text(node))


def _arity(node: Node) -> str:
    """Return the number of type parameters as IL writes it."""
    lists = [one for one in node.named_children if one.type == "type_parameter_list"]
    return f"`{len([one for one in lists[0].named_children if one.type == 'type_parameter'])}" if lists else ""


class Source:
    """Types, methods and call sites that files write."""

    def __init__(self, root: Path, paths: list[Path]) -> None:
        parser = Parser(Language(tree_sitter_c_sharp.language()))
        self.types: defaultdict[str, set[Place]] = defaultdict(set)
        self.methods: defaultdict[tuple[str, str], list[tuple[str, Place, tuple[int, int]]]] = defaultdict(list)
        """(type, name with the number of type parameters) -> parameters, place and lines."""
        self.sites: defaultdict[tuple[str, str], set[int]] = defaultdict(set)
        """(file, name) -> lines of calls."""
        for path in paths:
            self._read(path.relative_to(root).as_posix(), parser.parse(path.read_bytes()).root_node, "", "")

    def _read(self, path: str, node: Any, space: str, owner: str) -> None:
        for child in node.named_children:
            kind, name = child.type, child.child_by_field_name("name")
            if kind.endswith("namespace_declaration"):
                inside = f"{space}.{_text(name)}".strip(".")
                if kind.startswith("file"):
                    space = inside
                self._read(path, child, inside, owner)
                continue
            whole = owner
            if kind.partition("_")[0] in _TYPES and kind.endswith("_declaration"):
                inside = _text(name) + _arity(child)
                whole = f"{owner}/{inside}" if owner else f"{space}.{inside}".strip(".")
                self.types[whole].add((path, name.start_point.row + 1))
            elif kind in ("method_declaration", "constructor_declaration"):
                self._method(path, child, owner)
            self._site(path, child)
            self._read(path, child, space, whole)

    def _method(self, path: str, node: Any, owner: str) -> None:
        name = node.child_by_field_name("name")
        listed = node.child_by_field_name("parameters")
        types = [_simple(one.child_by_field_name("type")) for one in listed.named_children if one.type == "parameter"]
        rest = listed.child_by_field_name("type")
        called = ".ctor" if node.type == "constructor_declaration" else _text(name) + _arity(node)
        place = path, name.start_point.row + 1
        lines = node.start_point.row + 1, node.end_point.row + 1
        self.methods[owner, called].append((",".join([*types, *([_simple(rest)] if rest else [])]), place, lines))

    def _site(self, path: str, node: Any) -> None:
        if node.type == "invocation_expression":
            function = node.child_by_field_name("function")
            while function.type == "conditional_access_expression":
                function = function.named_children[-1]
            function = function.child_by_field_name("name") or function
            name = function.named_children[0] if function.type == "generic_name" else function
        elif node.type == "object_creation_expression":
            name = node.child_by_field_name("type")
        elif node.type == "constructor_initializer":
            self.sites[path, ":"].add(node.start_point.row + 1)
            return
        else:
            return
        self.sites[path, _simple(name).partition("`")[0]].add(
            name.end_point.row + 1 if node.type[0] == "o" else name.start_point.row + 1
        )

    def find_line(self, path: str, row: int, name: str) -> int | None:
        """Return the line of a call whose statement or call begins at a row."""
        for written in (name, ":"):
            lines = self.sites.get((path, written), ())
            found = min((one for one in lines if row <= one < row + _MAX_LINES), default=None)
            if found is not None:
                return found
        return None

    def find_method(self, owner: str, name: str, parameters: str, begins: Place | None) -> set[Place]:
        """Return where a method of the program is declared; the class, where it declares no constructor."""
        written = self.methods.get((owner, name), [])
        if not written:
            return self.types.get(owner, set()) if name == ".ctor" else set()
        if begins is not None:
            path, line = begins
            inside = [one[1] for one in written if one[1][0] == path and one[2][0] <= line <= one[2][1]]
            if inside:
                return {inside[0]}
        same = [one[1] for one in written if one[0] == parameters]
        count = len(parameters.split(",")) if parameters else 0
        same = same or [one[1] for one in written if (len(one[0].split(",")) if one[0] else 0) == count]
        return set(same)


def compile_sources(root: Path, paths: list[Path], flags: str) -> list[list[str]]:
    """Return the rows of `McsSites.cs` for the files of a project."""
    with tempfile.TemporaryDirectory() as folder:
        tool, program = f"{folder}/sites.exe", f"{folder}/program.dll"
        libraries = f"-r:{_CECIL}", "-r:Mono.CompilerServices.SymbolWriter"
        subprocess.run(["mcs", f"-out:{tool}", *libraries, str(_PROGRAM)], check=True)
        command = ["mcs", "-target:library", "-debug", "-unsafe", "-warn:0", f"-r:{_LIBRARIES}", f"-out:{program}"]
        subprocess.run([*command, *flags.split(), *map(str, paths)], cwd=root, check=True)
        printed = subprocess.run(["mono", tool, program], stdout=subprocess.PIPE, text=True, check=True).stdout
    return [row.replace(f"{root}/", "").split("\t") for row in printed.splitlines()]


def ask_compiler(source: Source, rows: list[list[str]]) -> tuple[dict[SiteKey, set[Place]], dict[SiteKey, set[Place]]]:
    """Return by site the targets in the program, and the methods that override what is called, in the program or outside."""
    begins = {row[4]: (row[5], int(row[6])) for row in rows if row[0] == "method"}
    above = {row[1]: set(row[2].split(",")) for row in rows if row[0] == "type"}
    sites: defaultdict[SiteKey, set[Place]] = defaultdict(set)
    overriding: defaultdict[SiteKey, set[Place]] = defaultdict(set)
    for _, path, row, owner, called, parameters, number in (one for one in rows if one[0] == "call"):
        name = re.split(r"[/.?]", owner)[-1].partition("`")[0] if called == ".ctor" else called.partition("`")[0]
        line = source.find_line(path, int(row), name)
        if line is None:
            continue
        key = path, line, name
        sites[key] |= source.find_method(owner, called, parameters, begins.get(number))
        for cls in (one for one, bases in above.items() if called != ".ctor" and owner.removeprefix("?") in bases):
            overriding[key].update(one[1] for one in source.methods.get((cls, called), ()))
    return sites, overriding


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--sources", default=".", help="folder in FOLDER that is compiled")
    parser.add_argument("--flags", default="", help="of the compiler")
    parser.add_argument("--skip", nargs="*", default=[], help="patterns of paths that are not compiled")
    parser.add_argument("--misses", type=int, default=0, help="number of missed sites and wrong edges to list")
    given = parser.parse_args()
    root = given.folder.resolve()
    paths = sorted(root.rglob("*.cs"))
    texts = {path.relative_to(root).as_posix(): path.read_bytes() for path in paths}
    files = [registry.language_for(name).extract(name, text) for name, text in texts.items()]
    inside = (root / given.sources).resolve()
    compiled = [
        one
        for one in paths
        if one.is_relative_to(inside)
        and not any(fnmatch(one.relative_to(root).as_posix(), pattern) for pattern in given.skip)
    ]
    found = resolve(
        files, configuration={one.relative_to(root).as_posix(): one.read_bytes() for one in root.rglob("*.csproj")}
    )
    definitions = {(facts.path, one.key): one for facts in files for one in facts.definitions}
    ours: defaultdict[SiteKey, dict[Place, str]] = defaultdict(dict)
    for edge in found.calls:
        if edge.callee >= 0 and edge.confidence >= _MIN_SHARE:
            symbol = found.symbols[edge.callee]
            one = definitions[symbol.path, symbol.key]
            for line in edge.lines:
                ours[found.symbols[edge.caller].path, line, one.name][symbol.path, one.name_line] = edge.how
    sites, overriding = ask_compiler(Source(root, compiled), compile_sources(root, compiled, given.flags))
    asked = {key: places for key, places in sites.items() if places}

    def accepts(key: SiteKey, place: Place, *, lenient: bool) -> bool:
        return place in sites[key] or (lenient and place in overriding.get(key, ()))

    edges = [(key, place, how) for key in sites for place, how in ours.get(key, {}).items()]
    figures = []
    for lenient in (False, True):
        missed = [key for key in asked if not any(accepts(key, one, lenient=lenient) for one in ours.get(key, {}))]
        wrong = [one for one in edges if not accepts(one[0], one[1], lenient=lenient)]
        figures += [1 - len(missed) / max(1, len(asked)), 1 - len(wrong) / max(1, len(edges))]
    loc = sum(facts.loc for facts in files)
    print(
        f"{root.name}: {loc} lines, {len(asked)} sites, recall {figures[0]:.3f}, {len(edges)} edges, precision {figures[1]:.3f}, "
        f"lenient {figures[2]:.3f}, {figures[3]:.3f}",
        flush=True,
    )
    print("  by rule", dict(Counter(how for *_, how in edges)), "wrong", dict(Counter(how for *_, how in wrong)))
    reasons = {
        (found.symbols[one.caller].path, line, one.name): one.reason for one in found.unresolved for line in one.lines
    }
    for key in missed[: given.misses]:
        print("  missed", *key, "->", sorted(asked[key])[:2], reasons.get(key, ""), list(ours.get(key, {}).items())[:2])
    for key, place, how in wrong[: given.misses]:
        print("  wrong", *key, "->", *place, how, sorted(sites[key])[:3])


if __name__ == "__main__":
    main()
