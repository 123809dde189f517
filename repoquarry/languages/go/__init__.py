"""Go: rules that extract definitions and imports, packages by `go.mod`, tests and entry points; calls by `dialect`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set
from dataclasses import replace
from functools import partial
from pathlib import Path

from tree_sitter import Node

from repoquarry.languages.facts import Definition, FileFacts
from repoquarry.languages.family import (
    AttributionConfig,
    Configuration,
    ExternalOrigin,
    LanguageFamily,
    ModuleInfo,
    ModuleMap,
    load_rules,
)
from repoquarry.languages.go.lowering import lower
from repoquarry.languages.language import CommentSyntax, Language, StackFrameSyntax, TestConventions
from repoquarry.languages.structural import DefinitionRule, GrammarModule, RawImport, StructuralLanguage, rules
from repoquarry.languages.structural.extraction import extract_structure
from repoquarry.languages.structural.module_resolution import build_module_map

_FORMS = {"struct_type": "struct", "interface_type": "interface"}
_MAX_TYPE_DEPTH = 16

_FRAME = re.compile(r"^\s*(?P<path>\S+\.go):(?P<line>\d+)(?: \+0x[0-9a-f]+)?\s*$")
_TEST_NAME = re.compile(r"(?:Test|Benchmark|Example|Fuzz)(?![a-z])")


def _form(node: Node) -> str:
    kind = node.child_by_field_name("type")
    return _FORMS.get(kind.type, "type") if kind is not None else "type"


def _receiver(node: Node) -> str:
    """Return the name of the receiver's type, without its star and type arguments."""
    current = node.child_by_field_name("receiver")
    for _ in range(_MAX_TYPE_DEPTH):
        if current is None or current.type == "type_identifier":
            break
        inner = current.child_by_field_name("type")
        current = inner or next((child for child in current.named_children if child.type != "comment"), None)
    return rules.text(current) if current is not None else ""


def _embedded(node: Node) -> tuple[str, ...]:
    """Embedded fields of a structure and embedded interfaces."""
    kind = node.child_by_field_name("type")
    if kind is None or kind.type not in _FORMS:
        return ()
    fields = [
        child
        for part in kind.named_children
        for child in (part.named_children if part.type == "field_declaration_list" else [part])
    ]
    return tuple(
        rules.text(part.child_by_field_name("type") or part)
        for part in fields
        if part.type == "type_elem" or (part.type == "field_declaration" and part.child_by_field_name("name") is None)
    )


def _imported(node: Node) -> Iterator[RawImport]:
    path = rules.field_text("path")(node).strip('"`')
    alias = rules.field_text("name")(node)
    yield RawImport(path, "import", "*" if alias == "." else "", "" if alias in (".", "_") else alias)


STRUCTURE = StructuralLanguage(
    language="go",
    grammar=GrammarModule("tree_sitter_go"),
    definitions={
        "function_declaration": DefinitionRule("function"),
        "method_declaration": DefinitionRule("function", owner=_receiver),
        "method_elem": DefinitionRule("function", is_abstract=lambda node: True),
        "type_spec": DefinitionRule(
            "class", form=_form, bases=_embedded, ends=frozenset({"struct_type", "interface_type"})
        ),
    },
    imports={"import_spec": _imported},
    calls=frozenset({"call_expression"}),
    branches=frozenset({"if_statement", "for_statement", "expression_case", "type_case", "communication_case"}),
    package={"package_clause": lambda node: rules.text(node.named_children[0]) if node.named_children else ""},
    exports=lambda name: name[:1].isupper(),
    lower=lower,
)


def is_test(definition: Definition) -> bool:
    """Return whether `go test` runs a function."""
    return definition.kind == "function" and _TEST_NAME.match(definition.name) is not None


def entry_points(facts: FileFacts, definition: Definition, in_test_class: bool) -> Iterator[tuple[str, str]]:
    """Where a program or a package starts, and what `go test` runs."""
    if definition.kind == "function" and definition.name == "main" and facts.namespace == "main":
        yield "main", "main"
    elif definition.kind == "function" and definition.name == "init":
        yield "hook", "init"
    elif facts.path.endswith("_test.go") and definition.name == "TestMain" and definition.kind == "function":
        yield "fixture", "TestMain"
    elif facts.path.endswith("_test.go") and is_test(definition):
        yield "test", definition.name


_MODULE = re.compile(r"^module\s+\"?([^\s\"]+)", re.MULTILINE)


def find_modules(files: Sequence[FileFacts], configuration: Configuration, roots: Sequence[str] | None) -> ModuleMap:
    """A package is a folder; its import path begins with the name of the module whose `go.mod` is nearest above it."""
    roots_of = {
        path.rpartition("/")[0]: match.group(1)
        for path, text in configuration.items()
        if path.rpartition("/")[2] == "go.mod" and (match := _MODULE.search(text.decode("utf-8", "replace")))
    }
    members: dict[str, list[int]] = {}
    for number, facts in enumerate(files):
        if not facts.path.endswith("_test.go"):
            members.setdefault(_import_path(facts.path.rpartition("/")[0], roots_of), []).append(number)
    folders = [_import_path(facts.path.rpartition("/")[0], roots_of) for facts in files]
    names = [
        folder if facts.path.startswith("/") else f"{folder}/{facts.module_name}".lstrip("/")
        for folder, facts in zip(folders, files, strict=True)
    ]
    found = build_module_map(files, lambda _, entry: entry.module if entry.module in members else None, names, members)
    paired = zip(found.infos, folders, strict=True)
    infos = [ModuleInfo(one.path, one.name, "", is_package=False, specifiers=((path, path),)) for one, path in paired]
    return replace(found, infos=infos)


def _import_path(folder: str, modules: dict[str, str]) -> str:
    """Return the path by which the package in a folder is imported; the folder itself where no module is above it.

    Folders of stubs begin with a slash, and are import paths without it.
    """
    if folder.startswith("/"):
        return folder[1:]
    root = folder
    while root not in modules and root:
        root = root.rpartition("/")[0]
    if root not in modules:
        return folder
    return f"{modules[root]}/{folder[len(root) :].strip('/')}".rstrip("/")


def find_origins(files: Sequence[FileFacts], externals: Sequence[str]) -> list[ExternalOrigin]:
    """As `repoquarry.languages.family.FindOrigins`: the package of a name is the imported path that it begins with."""
    imported = {entry.module for facts in files for entry in facts.imports}
    return [_origin(name, imported) for name in externals]


def _origin(name: str, imported: Set[str]) -> ExternalOrigin:
    path = name
    while path not in imported and "." in path.rpartition("/")[2]:
        path = path.rpartition(".")[0]
    # Only paths of the standard library begin without a domain.
    return ExternalOrigin(path, is_standard="." not in path.partition("/")[0])


FAMILY = LanguageFamily(
    "go",
    find_modules,
    method=AttributionConfig("repoquarry.languages.go.dialect"),
    rules=load_rules(Path(__file__).parent).rules,
    stubs=str(Path(__file__).parent / "stubs"),
    origins=find_origins,
)

LANGUAGES = (
    Language(
        name="go",
        extract=partial(extract_structure, STRUCTURE),
        family=FAMILY,
        comments=CommentSyntax(line=("//",), block=(("/*", "*/"),)),
        tests=TestConventions(files=("*_test.go",), folders=("testdata/**", "**/testdata/**"), is_test=is_test),
        entry_points=entry_points,
        frames=(StackFrameSyntax(_FRAME),),
        ecosystem="go",
        known_files=frozenset({"main", "doc"}),
    ),
)
