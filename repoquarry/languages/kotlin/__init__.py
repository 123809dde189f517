"""Kotlin: rules that extract definitions and imports, import resolution, tests and entry points; calls by `dialect`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import takewhile
from pathlib import Path

from tree_sitter import Node

from repoquarry.languages.facts import Definition, FileFacts, Import
from repoquarry.languages.family import (
    AttributionConfig,
    Configuration,
    ExternalOrigin,
    LanguageFamily,
    ModuleMap,
    Place,
    load_rules,
)
from repoquarry.languages.kotlin.lowering import lower
from repoquarry.languages.kotlin.reading import read
from repoquarry.languages.language import CommentSyntax, Language, TestConventions
from repoquarry.languages.structural import DefinitionRule, GrammarModule, RawImport, StructuralLanguage, rules
from repoquarry.languages.structural.extraction import extract_structure
from repoquarry.languages.structural.module_resolution import NamespaceResolver, build_module_map

_STANDARD_PACKAGES = ("kotlin.", "java.", "javax.")
_BODIES = frozenset({"class_body", "enum_class_body", "function_body"})
_MODIFIED_FORMS = ("enum", "data", "annotation", "value")

_TESTS = {"Test", "ParameterizedTest", "RepeatedTest", "TestFactory"}
_FIXTURES = {"Before", "After", "BeforeEach", "AfterEach", "BeforeAll", "AfterAll", "BeforeTest", "AfterTest"}
_HOOKS = rules.words(
    "Bean Scheduled EventListener KafkaListener RabbitListener PostConstruct PreDestroy Composable Subscribe"
)
_ROUTES = {"RequestMapping", "GetMapping", "PostMapping", "PutMapping", "DeleteMapping", "PatchMapping"}


def _imported(node: Node) -> Iterator[RawImport]:
    named = [child for child in node.named_children if not child.type.endswith("comment")]
    if not named:
        return
    path = rules.text(named[0])
    alias = rules.text(named[1]) if len(named) > 1 else ""
    if any(child.type == "*" for child in node.children):
        yield RawImport(path, "import", "*")
    else:
        module, _, name = path.rpartition(".")
        yield RawImport(module, "import", name, alias)


def _modifiers(node: Node) -> set[str]:
    modifiers = rules.first_child(node, frozenset({"modifiers"}))
    return {rules.text(child) for child in modifiers.named_children} if modifiers is not None else set()


def _class_form(node: Node) -> str:
    if any(child.type == "interface" for child in node.children):
        return "interface"
    modifiers = _modifiers(node)
    found = next((form for form in _MODIFIED_FORMS if form in modifiers), "")
    return {"data": "data class", "annotation": "annotation", "value": "value class"}.get(found, found)


def _annotations(node: Node) -> list[str]:
    modifiers = rules.first_child(node, frozenset({"modifiers"}))
    held = modifiers.named_children if modifiers is not None else []
    return [rules.text(child) for child in held if child.type == "annotation"]


def _companion(node: Node) -> str:
    return rules.field_text("name")(node) or "Companion"


def _is_abstract(node: Node) -> bool:
    return rules.first_child(node, _BODIES) is None and "external" not in _modifiers(node)


_parameters = rules.child_of("function_value_parameters")
_bases = rules.texts_in("delegation_specifiers")

STRUCTURE = StructuralLanguage(
    language="kotlin",
    grammar=GrammarModule("tree_sitter_kotlin"),
    definitions={
        "class_declaration": DefinitionRule("class", _class_form, bases=_bases, decorators=_annotations, ends=_BODIES),
        "object_declaration": DefinitionRule(
            "class", rules.word("object"), bases=_bases, decorators=_annotations, ends=_BODIES
        ),
        "companion_object": DefinitionRule("class", rules.word("object"), name=_companion, bases=_bases, ends=_BODIES),
        "function_declaration": DefinitionRule(
            "function",
            parameters=_parameters,
            decorators=_annotations,
            is_abstract=_is_abstract,
            is_async=lambda node: "suspend" in _modifiers(node),
            ends=_BODIES,
        ),
        "secondary_constructor": DefinitionRule(
            "function",
            rules.word("constructor"),
            name=rules.word("constructor"),
            parameters=_parameters,
            decorators=_annotations,
            ends=frozenset({"block", "constructor_delegation_call", ":"}),
        ),
    },
    imports={"import": _imported},
    calls=frozenset({"call_expression", "constructor_invocation"}),
    branches=rules.words("if_expression for_statement while_statement do_while_statement when_entry catch_block"),
    comments=frozenset({"line_comment", "block_comment"}),
    package={"package_header": lambda node: rules.text(node.named_children[-1]) if node.named_children else ""},
    read=read,
    lower=lower,
)


def is_test(definition: Definition) -> bool:
    """Return whether JUnit or kotlin.test runs a function."""
    return any(decorator.name in _TESTS for decorator in definition.decorators)


def entry_points(facts: FileFacts, definition: Definition, in_test_class: bool) -> Iterator[tuple[str, str]]:
    """Where a program starts, what serves a route, and what a test runner runs."""
    is_static = not definition.parent or any(one.name == "JvmStatic" for one in definition.decorators)
    if definition.name == "main" and definition.kind != "class" and is_static:
        yield "main", "main"
    for decorator in definition.decorators:
        if decorator.name in _TESTS:
            yield "test", definition.name
        elif decorator.name in _FIXTURES:
            yield "fixture", decorator.name
        elif decorator.name in _ROUTES:
            yield "route", (decorator.arguments or "").strip('"')
        elif decorator.name in _HOOKS:
            yield "hook", decorator.name


def find_modules(files: Sequence[FileFacts], configuration: Configuration, roots: Sequence[str] | None) -> ModuleMap:
    """Imports by the packages that files declare."""
    spaces = NamespaceResolver(files)

    def lead(importer: int, entry: Import) -> Place | None:
        full = entry.module if entry.name in ("", "*") else f"{entry.module}.{entry.name}"
        return spaces.lead(full)

    return build_module_map(files, lead, members=spaces.members)


def find_origins(_files: Sequence[FileFacts], externals: Sequence[str]) -> list[ExternalOrigin]:
    """As `repoquarry.languages.family.FindOrigins`: a package ends before the first capitalized part, or before a function."""
    packages = [
        ".".join(takewhile(lambda part: not part[:1].isupper(), name.split(".")[:-1])) or name for name in externals
    ]
    return [ExternalOrigin(one, is_standard=f"{one}.".startswith(_STANDARD_PACKAGES)) for one in packages]


FAMILY = LanguageFamily(
    "kotlin",
    find_modules,
    method=AttributionConfig("repoquarry.languages.kotlin.dialect"),
    rules=load_rules(Path(__file__).parent).rules,
    stubs=str(Path(__file__).parent / "stubs"),
    origins=find_origins,
)

LANGUAGES = (
    Language(
        name="kotlin",
        extract=partial(extract_structure, STRUCTURE),
        family=FAMILY,
        comments=CommentSyntax(line=("//",), block=(("/*", "*/"),), documentation=("/**",)),
        tests=TestConventions(
            files=("*Test.kt", "*Tests.kt"), folders=("**/src/test/**", "**/src/*Test/**", "test/**"), is_test=is_test
        ),
        entry_points=entry_points,
        ecosystem="maven",
        known_files=frozenset({"Main", "Application"}),
    ),
)
