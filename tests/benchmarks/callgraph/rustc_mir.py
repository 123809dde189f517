"""Call sites of Rust as rustc's MIR has them, compared with the resolver's: recall and precision of edges of 0.5 and more.

    python -m tests.benchmarks.callgraph.rustc_mir FOLDER [FOLDER ...] [--cargo "ARGUMENTS OF cargo build"] [--mir FILE] [--misses NUMBER]

Builds a copy of the package or workspace in FOLDER with `cargo build` and reads the MIR of its crates, before any optimization. Dependencies
must be at hand: without a network, `[source.crates-io] replace-with` a folder of crates in `~/.cargo/config.toml`. A site is a call that the
source writes, outside the definitions of macros, whose function is in the project. `<Type as Trait>::method` is the method of the
implementation for that type, or of the trait where the type has none or is a type parameter or trait object. Recall is the share of sites
with an edge of the site's line and name to the function, precision the share of edges at lines that were compiled whose function is called there.
"""

import argparse
import os
import re
import shutil
import subprocess
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

import tree_sitter_rust
from tree_sitter import Language, Node, Parser

from repoquarry.ingest.resolution import resolve
from repoquarry.languages import registry

_MIN_SHARE = 0.5
_ANY, _ANY_REFERENCE = "*", "&*"
_FLAGS = "--emit=mir,metadata,link -Zmir-opt-level=0 -Zmir-include-spans=on -Ztrim-diagnostic-paths=no -Awarnings"
_CALL = re.compile(
    r"^\s+(?:_\d+|\(.*?\)|\S+) = (.+) -> \[?(?:return|unwind).*// scope \d+ at (.+?):(\d+):(\d+): (\d+):(\d+)$"
)
_IMPLEMENTATION = re.compile(r"<impl at (.+?):(\d+):(\d+): (\d+):(\d+)>")
_HEADER = re.compile(r"^(?:const )?fn (.+?)\(_1|^(?:const )?fn (.+?)\(\) ->")
_NAME = re.compile(r"(?:r#)?(\w+)(?:::<.*>)?$")
Key = tuple[str, int, str]
Place = tuple[str, int]


def without_arguments(path: str) -> str:
    """Remove type arguments: `a::B::<C>::d` is `a::B::d`."""
    text, depth = "", 0
    for position, sign in enumerate(path):
        if sign == "<" and (depth or text):
            depth += 1
        elif sign == ">" and depth and path[position - 1] != "-":
            depth -= 1
        elif not depth:
            text += sign
    return text.replace("::::", "::").rstrip(":")


def split_callee(text: str) -> tuple[str, str, str] | None:
    """Return (type, trait or empty, function) of `<Type as Trait>::function(..)`, `a::Type::function(..)` or `a::function(..)`."""
    depth, end = 0, -1
    for position, sign in enumerate(text):
        if sign in "<[{(":
            if sign == "(" and not depth and position:
                end = position
                break
            depth += 1
        elif sign in ">]})" and text[position - 1] != "-":
            depth -= 1
    path = text[:end]
    if path.startswith("<") and ">::" in path:
        depth = 0
        for position, sign in enumerate(path):
            depth += (sign in "<[({") - (sign in ">])}" and path[position - 1] != "-")
            if not depth:
                break
        inside, name = path[1:position], without_arguments(path[position + 3 :])
        of, trait = _split_as(inside)
        return (of, without_arguments(trait), name) if re.fullmatch(r"\w+", name) else None
    plain = without_arguments(path)
    if not re.fullmatch(r"[\w:#]+", plain):
        return None
    owner, _, name = plain.rpartition("::")
    return owner, "", name


def _split_as(inside: str) -> tuple[str, str]:
    depth = 0
    for position, sign in enumerate(inside):
        depth += (sign in "<[({") - (sign in ">])}" and inside[position - 1] != "-")
        if not depth and inside.startswith(" as ", position):
            return inside[:position], inside[position + 4 :]
    return inside, ""


def plain_type(written: str) -> str:
    """Return the last name of a type without arguments, with `&` before references; `?` for associated types."""
    text = re.sub(r"'\w+ |mut |\*const |\*mut |dyn ", "", written).strip("() ")
    mark = "&" if text.startswith("&") else ""
    text = text.lstrip("&")
    if text.startswith("<"):
        return "?"
    return mark + (without_arguments(text).rpartition("::")[2] or text)


def implemented_type(node: Node) -> str:
    """Return the type of an implementation as `plain_type` does; type parameters are all alike."""
    of = plain_type(_text(node.child_by_field_name("type")))
    parameters = node.child_by_field_name("type_parameters")
    names = {_text(one.child_by_field_name("name")) for one in parameters.named_children} if parameters else set()
    return of.replace(of.lstrip("&"), _ANY) if of.lstrip("&") in names else of


class Definitions:
    """Functions of a project by what MIR calls them."""

    def __init__(self, root: Path, paths: list[Path]) -> None:
        self.parser = Parser(Language(tree_sitter_rust.language()))
        self.functions: defaultdict[str, set[Place]] = defaultdict(set)
        """Name -> free functions with their module's last names."""
        self.members: defaultdict[tuple[str, str], set[Place]] = defaultdict(set)
        """(type, name) -> inherent methods."""
        self.implemented: defaultdict[tuple[str, str, str], set[Place]] = defaultdict(set)
        """(type, trait, name) -> methods."""
        self.traits: defaultdict[tuple[str, str], set[Place]] = defaultdict(set)
        """(trait, name) -> declarations."""
        self.names: set[str] = set()
        self.outside = {"std", "core", "alloc"}
        """Crates outside the project."""
        self.trees = {}
        for path in paths:
            name = path.relative_to(root).as_posix()
            self.trees[name] = self.parser.parse(path.read_bytes())
            self._read(name, self.trees[name].root_node)

    def _read(self, path: str, node: Node, of: str = "", trait: str = "", *, is_trait: bool = False) -> None:
        for child in node.named_children:
            if child.type in ("function_item", "function_signature_item"):
                named = child.child_by_field_name("name")
                name, place = _text(named), (path, named.start_point.row + 1 if named else 0)
                self.names.add(name)
                if is_trait:
                    self.traits[trait, name].add(place)
                elif trait:
                    self.implemented[of, trait, name].add(place)
                elif of:
                    self.members[of, name].add(place)
                else:
                    self.functions[name].add(place)
                self._read(path, child)
            elif child.type == "impl_item":
                written = child.child_by_field_name("trait")
                whole = implemented_type(child)
                self._read(path, child, whole, plain_type(_text(written)) if written else "")
            elif child.type == "trait_item":
                self._read(path, child, "", _text(child.child_by_field_name("name")), is_trait=True)
            else:
                self._read(path, child, of, trait, is_trait=is_trait)

    def find(self, owner: str, trait: str, name: str) -> set[Place]:
        """Return the definitions that a callee may be; names of other crates begin with the crate."""
        is_outside = _crate_of(owner) in self.outside
        if name not in self.names or (is_outside and (not trait or _crate_of(trait) in self.outside)):
            return set()
        of, last = plain_type(owner), plain_type(trait)
        if trait:
            # Methods of a type parameter, or of an argument of type `impl Trait`, are those of the trait.
            if owner.startswith("impl ") or re.fullmatch(r"&?(?:mut )?[A-Z]\d?", owner):
                return self.traits.get((last, name), set())
            keys = ((of, last, name), (_ANY_REFERENCE if of.startswith("&") else of, last, name), (_ANY, last, name))
            return next(
                (self.implemented[key] for key in keys if key in self.implemented), self.traits.get((last, name), set())
            )
        found = self.members.get((of, name)) or self.traits.get((of, name))
        if found:
            return self._nearest(found, owner.rpartition("::")[0])
        if of[:1].isupper():
            return set()  # a method of a type outside the project
        return self._nearest(self.functions.get(name, set()), owner)

    def _nearest(self, places: set[Place], module: str) -> set[Place]:
        """Prefer files whose path has the names of the module."""
        if len(places) < 2:
            return places
        parts = [part for part in module.split("::") if part]

        def shared(place: Place) -> int:
            folders = place[0].removesuffix(".rs").removesuffix("/mod").replace("-", "_").split("/")
            return sum(part in folders for part in parts) * 10 + (10 if parts and folders[-1] == parts[-1] else 0)

        best = max(map(shared, places))
        return {one for one in places if shared(one) == best}


def _crate_of(path: str) -> str:
    return re.sub(r"^[&*()]*(?:'\w+ )?(?:mut |const |dyn )?", "", path).partition("::")[0]


def _text(node: Node | None) -> str:
    return (node.text or b"").decode("utf-8", "replace") if node is not None else ""


def find_site(tree: Node, span: tuple[int, int, int, int], name: str, lines: list[str]) -> int | None:
    """Return the line of the called name in a call; None where no call of that name is written there."""
    start, end = (span[0] - 1, span[1] - 1), (span[2] - 1, span[3] - 1)
    whole = lines[start[0] : end[0] + 1]
    if not whole:
        return None
    whole[-1] = whole[-1][: end[1]]
    whole[0] = " " * start[1] + whole[0][start[1] :]
    found = [
        start[0] + 1 + at
        for at, line in enumerate(whole)
        for _ in re.finditer(rf"(?<![\w!]){re.escape(name)}\s*(?:::<[^()]*>)?\s*\(", line)
    ]
    if len(found) < 2:
        return found[0] if found else None
    node = tree.descendant_for_point_range(start, end)
    if node is not None and node.type == "call_expression":
        function = node.child_by_field_name("function")
        if function is not None and function.type == "generic_function":
            function = function.child_by_field_name("function")
        called = (
            (function.child_by_field_name("field") or function.child_by_field_name("name") or function)
            if function
            else None
        )
        if called is not None and _text(called) == name:
            return int(called.start_point.row) + 1
    return found[-1]


def read_mir(root: Path, arguments: str) -> Iterator[str]:
    """Yield the lines of the MIR of all crates of a project, built in a copy."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / root.name
        shutil.copytree(root, copy, ignore=shutil.ignore_patterns("target", ".git", "Cargo.lock"))
        flags = {
            "RUSTFLAGS": _FLAGS,
            "RUSTC_BOOTSTRAP": "1",
            "CARGO_TARGET_DIR": f"{folder}/target",
            "CARGO_INCREMENTAL": "0",
        }
        subprocess.run(
            ["cargo", "build", "--offline", "-q", *arguments.split()], cwd=copy, env={**os.environ, **flags}, check=True
        )
        for path in sorted(Path(folder, "target").rglob("*.mir")):
            yield f"crate {path.name.rpartition('-')[0]}"
            text = path.read_text(encoding="utf-8")
            yield from text.replace(f"{copy}/", "").splitlines()


def _package(manifest: Path) -> str:
    match = re.search(
        r"^name\s*=\s*\"([\w-]+)\"|\"package\" = {\"name\" = \"([\w-]+)\"", manifest.read_text(encoding="utf-8"), re.M
    )
    return (match[1] or match[2]) if match else ""


def ask_compiler(
    root: Path, paths: list[Path], arguments: str, saved: Path | None
) -> tuple[dict[Key, set[Place]], set[Place]]:
    """Return the functions that are called by site, and the lines with calls of any kind."""
    definitions = Definitions(root, paths)
    texts = {
        path.relative_to(root).as_posix(): path.read_text(encoding="utf-8", errors="replace").splitlines()
        for path in paths
    }
    sites: defaultdict[Key, set[Place]] = defaultdict(set)
    compiled: set[Place] = set()
    if saved is None or not saved.exists():
        rows = [*read_mir(root, arguments)]
        if saved is not None:
            saved.write_text("\n".join(rows), encoding="utf-8")
    else:
        rows = saved.read_text(encoding="utf-8").splitlines()
    own = {part.replace("-", "_") for path in root.rglob("Cargo.toml") for part in [_package(path)]}
    definitions.outside |= {row[6:] for row in rows if row.startswith("crate ")} - own
    for row in rows:
        match = _CALL.match(row)
        if match is None or match[2] not in texts:
            continue
        callee, span = split_callee(match[1]), (int(match[3]), int(match[4]), int(match[5]), int(match[6]))
        if callee is None:
            continue
        line = find_site(definitions.trees[match[2]].root_node, span, callee[2], texts[match[2]])
        if line is not None:
            compiled.add((match[2], line))
            sites[match[2], line, callee[2]].update(definitions.find(*callee))
    return sites, compiled


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--cargo", default="", help="arguments of `cargo build`")
    parser.add_argument("--mir", type=Path, help="file that keeps the MIR of one folder, read where it exists")
    parser.add_argument("--misses", type=int, default=0, help="number of missed sites and wrong edges to list")
    given = parser.parse_args()
    for folder in given.folders:
        compare(folder.resolve(), given.cargo, given.misses, given.mir)


def compare(root: Path, arguments: str, misses: int, saved: Path | None) -> None:
    paths = [
        path for path in sorted(root.rglob("*.rs")) if path.is_file() and "target" not in path.relative_to(root).parts
    ]
    files = [
        registry.language_for(path.name).extract(path.relative_to(root).as_posix(), path.read_bytes()) for path in paths
    ]
    manifests = {path.relative_to(root).as_posix(): path.read_bytes() for path in root.rglob("Cargo.toml")}
    found = resolve(files, configuration=manifests)
    sites, _ = ask_compiler(root, paths, arguments, saved)
    definitions = {(facts.path, one.key): one for facts in files for one in facts.definitions}
    ours: defaultdict[Key, dict[Place, str]] = defaultdict(dict)
    for edge in found.calls:
        if edge.callee >= 0 and edge.confidence >= _MIN_SHARE:
            symbol = found.symbols[edge.callee]
            one = definitions[symbol.path, symbol.key]
            for line in edge.lines:
                ours[found.symbols[edge.caller].path, line, one.name][symbol.path, one.name_line] = edge.how
    asked = {key: places for key, places in sites.items() if places}
    missed = [key for key, places in asked.items() if not places & set(ours.get(key, ()))]
    edges = [(key, place, how) for key, mine in ours.items() if key in sites for place, how in mine.items()]
    wrong = [(key, place, how) for key, place, how in edges if place not in sites[key]]
    loc = sum(facts.loc for facts in files)
    print(
        f"{root.name}: {loc} lines, {len(asked)} sites, recall {1 - len(missed) / max(1, len(asked)):.3f}, "
        f"precision {1 - len(wrong) / max(1, len(edges)):.3f}",
        flush=True,
    )
    print("  by rule", dict(Counter(how for *_, how in edges)), "wrong", dict(Counter(how for *_, how in wrong)))
    reasons = {
        (found.symbols[one.caller].path, line, one.name): one.reason for one in found.unresolved for line in one.lines
    }
    for key in missed[:misses]:
        print("  missed", *key, "->", sorted(asked[key])[:2], reasons.get(key, ""), list(ours.get(key, {}).items())[:2])
    for key, place, how in wrong[:misses]:
        print("  wrong", *key, "->", *place, how, sorted(sites[key])[:3])


if __name__ == "__main__":
    main()
