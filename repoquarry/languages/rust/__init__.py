"""Rust support without call resolution: rules that extract definitions and imports, import resolution, tests and entry points."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import partial

from tree_sitter import Node

from repoquarry.languages.facts import Definition, FileFacts, Import
from repoquarry.languages.family import Configuration, LanguageFamily, ModuleMap, Place
from repoquarry.languages.language import CommentSyntax, Language, StackFrameSyntax, TestConventions
from repoquarry.languages.structural import DefinitionRule, GrammarModule, RawImport, StructuralLanguage, rules
from repoquarry.languages.structural.extraction import extract_structure
from repoquarry.languages.structural.module_resolution import build_module_map, stem_of

_MAX_DEPTH = 64
_VERBS = frozenset({"get", "post", "put", "delete", "patch", "head", "options", "route", "handler"})
_HOOKS = rules.words("no_mangle export_name wasm_bindgen pyfunction pymodule panic_handler ctor proc_macro")

_CRATE = re.compile(r"^\s*name\s*=\s*\"([\w-]+)\"", re.MULTILINE)
_FRAME = re.compile(r"(?:\bat |panicked at (?:.*, )?)(?P<path>[^\s:']+\.rs):(?P<line>\d+)")


def _implemented(node: Node) -> str:
    """Return the name of the type that an `impl` is for, without path, references and type arguments."""
    current = node.child_by_field_name("type")
    for _ in range(_MAX_DEPTH):
        if current is None or current.type in ("type_identifier", "primitive_type"):
            break
        current = current.child_by_field_name("name") or current.child_by_field_name("type")
    return rules.text(current) if current is not None else ""


def _module(node: Node) -> str:
    """Return the name of a module that is defined inside this file."""
    return rules.field_text("name")(node) if node.child_by_field_name("body") is not None else ""


def _declared_module(node: Node) -> Iterator[RawImport]:
    if node.child_by_field_name("body") is None:
        yield RawImport(f"self::{rules.field_text('name')(node)}", "mod")


def _used(node: Node) -> Iterator[RawImport]:
    """Every path of a `use`, its lists expanded."""
    argument = node.child_by_field_name("argument")
    pending = [(argument, "")] if argument is not None else []
    for _ in range(10_000):
        if not pending:
            return
        current, prefix = pending.pop()
        if current.type in ("scoped_use_list", "use_list"):
            path = rules.field_text("path")(current)
            inner = current.child_by_field_name("list") or current
            below = f"{prefix}{path}::" if path else prefix
            pending += [
                (child, below) for child in reversed(inner.named_children) if not child.type.endswith("comment")
            ]
        else:
            yield _use(current, prefix)


def _use(node: Node, prefix: str) -> RawImport:
    alias = rules.field_text("alias")(node)
    written = rules.field_text("path")(node) if node.type == "use_as_clause" else rules.text(node)
    module, _, name = f"{prefix}{written}".removesuffix("::self").rpartition("::")
    return RawImport(module, "use", name, alias) if module else RawImport(name, "use", "", alias)


def _is_async(node: Node) -> bool:
    return rules.has_word("function_modifiers", "async")(node)


_TYPE_ENDS = frozenset({"field_declaration_list", "ordered_field_declaration_list", "enum_variant_list"})


def _type(form: str) -> DefinitionRule:
    return DefinitionRule("class", rules.word(form), ends=_TYPE_ENDS)


STRUCTURE = StructuralLanguage(
    language="rust",
    grammar=GrammarModule("tree_sitter_rust"),
    definitions={
        "function_item": DefinitionRule("function", is_async=_is_async),
        "function_signature_item": DefinitionRule("function", is_abstract=lambda node: True, is_async=_is_async),
        "macro_definition": DefinitionRule("function", rules.word("macro"), parameters=rules.child_of("nothing")),
        "struct_item": _type("struct"),
        "union_item": _type("union"),
        "enum_item": _type("enum"),
        "trait_item": DefinitionRule("class", rules.word("trait"), bases=rules.texts_in("trait_bounds")),
        "mod_item": DefinitionRule("class", rules.word("module"), name=_module),
        "impl_item": DefinitionRule("scope", name=_implemented, owner=_implemented),
    },
    imports={"use_declaration": _used, "mod_item": _declared_module},
    calls=frozenset({"call_expression", "macro_invocation"}),
    branches=frozenset({"if_expression", "for_expression", "while_expression", "loop_expression", "match_arm"}),
    comments=frozenset({"line_comment", "block_comment"}),
    attributes=frozenset({"attribute_item"}),
)


def is_test(definition: Definition) -> bool:
    """Return whether the test harness runs a function: `#[test]`, `#[tokio::test]`."""
    return any(decorator.name in ("test", "bench", "rstest", "proptest") for decorator in definition.decorators)


def entry_points(facts: FileFacts, definition: Definition, in_test_class: bool) -> Iterator[tuple[str, str]]:
    """Where a program starts, and what the test harness runs."""
    if definition.name == "main" and not definition.parent and definition.kind == "function":
        yield "main", "main"
    elif is_test(definition):
        yield "test", definition.name
    for decorator in definition.decorators if definition.kind != "class" else ():
        if decorator.name in _VERBS and (decorator.arguments or "").startswith('"'):
            yield "route", (decorator.arguments or "").split('"')[1]
        elif decorator.name in ("fixture", "once_fixture"):
            yield "fixture", definition.name
        elif decorator.dotted == "tauri.command":
            yield "command", definition.name
        elif decorator.name in _HOOKS or decorator.dotted in ("proc_macro_derive", "proc_macro_attribute"):
            yield "hook", decorator.name


def find_modules(files: Sequence[FileFacts], configuration: Configuration, roots: Sequence[str] | None) -> ModuleMap:
    """Paths from `crate`, `self` and `super` by the folders of the crate; other crates of the repository by their folders' names."""
    crates = _crates(files, configuration)
    by_module = {_module_of(facts.path): number for number, facts in enumerate(files)}

    def lead(importer: int, entry: Import) -> Place | None:
        own = _module_of(files[importer].path)
        full = f"{entry.module}::{entry.name}" if entry.name not in ("", "*") else entry.module
        first, *rest = full.split("::")
        if first == "crate":
            base = max(
                (root for root in crates.values() if own == root or own.startswith(f"{root}/") or not root),
                key=len,
                default="",
            )
        elif first == "self":
            base = own
        elif first == "super":
            base = own.rpartition("/")[0]
        elif first in crates:
            base = crates[first]
        else:
            base, rest = own, [first, *rest]
        for length in range(len(rest), -1 if first in ("crate", "super") or first in crates else 0, -1):
            place = "/".join(part for part in (base, *rest[:length]) if part)
            if place in by_module:
                return by_module[place]
        return None

    return build_module_map(files, lead, [_module_of(facts.path) for facts in files])


def _crates(files: Sequence[FileFacts], configuration: Configuration) -> dict[str, str]:
    """Name of each crate as code writes it -> folder of its root module."""
    found = {}
    for path, text in configuration.items():
        if path.rpartition("/")[2] == "Cargo.toml" and (match := _CRATE.search(text.decode("utf-8", "replace"))):
            folder = path.rpartition("/")[0]
            found[match.group(1).replace("-", "_")] = f"{folder}/src".lstrip("/")
    return found or {"": "src"}


def _module_of(path: str) -> str:
    """The folder of a file's modules: `src/a/mod.rs` and `src/a.rs` are both `src/a`, `src/lib.rs` is `src`."""
    stem = stem_of(path)
    folder, _, name = stem.rpartition("/")
    return folder if name in ("mod", "lib", "main") else stem


LANGUAGES = (
    Language(
        name="rust",
        extract=partial(extract_structure, STRUCTURE),
        family=LanguageFamily("rust", find_modules),
        comments=CommentSyntax(line=("//",), block=(("/*", "*/"),), documentation=("///", "//!", "/**")),
        tests=TestConventions(
            files=("*_test.rs", "tests.rs"), folders=("tests/**", "**/tests/**", "benches/**"), is_test=is_test
        ),
        entry_points=entry_points,
        frames=(StackFrameSyntax(_FRAME),),
        ecosystem="crates",
        known_files=frozenset({"main", "lib", "mod"}),
    ),
)
