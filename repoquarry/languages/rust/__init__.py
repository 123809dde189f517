"""Rust: rules that extract definitions and imports, tests and entry points; modules by `crates`, calls by `dialect`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

from tree_sitter import Node

from repoquarry.languages.facts import Definition, FileFacts
from repoquarry.languages.family import AttributionConfig, ExternalOrigin, LanguageFamily, load_rules
from repoquarry.languages.language import CommentSyntax, Language, StackFrameSyntax, TestConventions
from repoquarry.languages.rust.crates import find_modules
from repoquarry.languages.rust.lowering import lower
from repoquarry.languages.rust.syntax import find_path
from repoquarry.languages.structural import DefinitionRule, GrammarModule, RawImport, StructuralLanguage, rules
from repoquarry.languages.structural.extraction import extract_structure

_MAX_DEPTH = 64
_VERBS = frozenset({"get", "post", "put", "delete", "patch", "head", "options", "route", "handler"})
_LIBRARIES = frozenset({"std", "core", "alloc", "proc_macro"})
_HOOKS = rules.words("no_mangle export_name wasm_bindgen pyfunction pymodule panic_handler ctor proc_macro")

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
    if node.child_by_field_name("body") is not None:
        return
    attributes, before = [], node.prev_named_sibling
    while before is not None and before.type == "attribute_item":
        attributes.append(rules.text(before))
        before = before.prev_named_sibling
    name, path = rules.field_text("name")(node), find_path(attributes)
    yield RawImport(path or f"self::{name}", "mod", alias=name if path else "")


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
    lower=lower,
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


def find_origins(_files: Sequence[FileFacts], externals: Sequence[str]) -> list[ExternalOrigin]:
    """As `repoquarry.languages.family.FindOrigins`: the first part of a name is a crate."""
    crates = (name.partition(".")[0] for name in externals)
    return [ExternalOrigin(crate, is_standard=crate in _LIBRARIES) for crate in crates]


FAMILY = LanguageFamily(
    "rust",
    find_modules,
    method=AttributionConfig("repoquarry.languages.rust.dialect"),
    rules=load_rules(Path(__file__).parent).rules,
    stubs=str(Path(__file__).parent / "stubs"),
    origins=find_origins,
)

LANGUAGES = (
    Language(
        name="rust",
        extract=partial(extract_structure, STRUCTURE),
        family=FAMILY,
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
