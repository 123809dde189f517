"""C#: rules that extract definitions and imports, import resolution, tests and entry points; calls by `dialect`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

from tree_sitter import Node

from repoquarry.languages.csharp.lowering import lower
from repoquarry.languages.csharp.reading import read
from repoquarry.languages.facts import Decorator, Definition, FileFacts
from repoquarry.languages.family import AttributionConfig, Configuration, LanguageFamily, ModuleMap, load_rules
from repoquarry.languages.language import CommentSyntax, Language, StackFrameSyntax, TestConventions
from repoquarry.languages.structural import DefinitionRule, GrammarModule, RawImport, StructuralLanguage, rules
from repoquarry.languages.structural.extraction import extract_structure
from repoquarry.languages.structural.module_resolution import NamespaceResolver, build_module_map

_FRAME = re.compile(r"^\s*at (?P<function>[^\s(]+)\(.*\) in (?P<path>.+?\.cs):line (?P<line>\d+)")
_TESTS = {"Test", "TestCase", "TestCaseSource", "Fact", "Theory", "TestMethod", "DataTestMethod"}
_FIXTURES = rules.words(
    "SetUp TearDown OneTimeSetUp OneTimeTearDown TestInitialize TestCleanup ClassInitialize ClassCleanup "
    "AssemblyInitialize AssemblyCleanup"
)
_HOOKS = {"Function", "FunctionName", "ModuleInitializer", "UnmanagedCallersOnly", "JSInvokable"}
_ROUTES = {"Route", "HttpGet", "HttpPost", "HttpPut", "HttpDelete", "HttpPatch"}


def _used(node: Node) -> Iterator[RawImport]:
    alias = rules.field_text("name")(node)
    named = [child for child in node.named_children if child.type != "comment"]
    if named:
        yield RawImport(rules.text(named[-1]), "using", "*" if not alias else "", alias)


def _attributes(node: Node) -> list[str]:
    lists = [child for child in node.children if child.type == "attribute_list"]
    return [rules.text(part) for one in lists for part in one.named_children if part.type == "attribute"]


def _computed(node: Node) -> str:
    """Return the name of a property that does more than hold a value."""
    accessors = node.child_by_field_name("accessors")
    bodies = accessors.named_children if accessors is not None else []
    does = any(one.child_by_field_name("body") is not None for one in bodies)
    return rules.field_text("name")(node) if does or node.child_by_field_name("value") is not None else ""


def _operator(node: Node) -> str:
    sign = node.child_by_field_name("operator")
    return f"operator{rules.text(sign)}" if sign is not None else "operator"


def _record_form(node: Node) -> str:
    return (
        "record struct"
        if any(rules.text(child) == "struct" for child in node.children if not child.is_named)
        else "record"
    )


_is_async = rules.has_word("modifier", "async")


def _has_no_body(node: Node) -> bool:
    return rules.lacks_body(node) and not rules.has_word("modifier", "extern", "partial")(node)


def _type(form: str) -> DefinitionRule:
    return DefinitionRule("class", rules.word(form), bases=rules.texts_in("base_list"), decorators=_attributes)


_ENDS = frozenset({"constructor_initializer"})

STRUCTURE = StructuralLanguage(
    language="csharp",
    grammar=GrammarModule("tree_sitter_c_sharp"),
    definitions={
        "namespace_declaration": DefinitionRule("class", rules.word("namespace")),
        "class_declaration": _type(""),
        "struct_declaration": _type("struct"),
        "interface_declaration": _type("interface"),
        "enum_declaration": _type("enum"),
        "record_declaration": DefinitionRule(
            "class", _record_form, bases=rules.texts_in("base_list"), decorators=_attributes
        ),
        "delegate_declaration": DefinitionRule("class", rules.word("delegate"), decorators=_attributes),
        "method_declaration": DefinitionRule(
            "function",
            returns=rules.field_text("returns"),
            decorators=_attributes,
            is_abstract=_has_no_body,
            is_async=_is_async,
        ),
        "constructor_declaration": DefinitionRule(
            "function", rules.word("constructor"), decorators=_attributes, ends=_ENDS
        ),
        "destructor_declaration": DefinitionRule(
            "function", rules.word("destructor"), name=lambda node: f"~{rules.field_text('name')(node)}"
        ),
        "local_function_statement": DefinitionRule("function", returns=rules.field_text("type"), is_async=_is_async),
        "operator_declaration": DefinitionRule("function", name=_operator, returns=rules.field_text("type")),
        "conversion_operator_declaration": DefinitionRule(
            "function", name=lambda node: f"operator {rules.field_text('type')(node)}", returns=rules.field_text("type")
        ),
        "indexer_declaration": DefinitionRule(
            "function",
            rules.word("property"),
            name=rules.word("this[]"),
            returns=rules.field_text("type"),
            ends=frozenset({"accessor_list"}),
        ),
        "property_declaration": DefinitionRule(
            "function",
            rules.word("property"),
            name=_computed,
            parameters=rules.child_of("nothing"),
            returns=rules.field_text("type"),
            decorators=_attributes,
        ),
    },
    imports={"using_directive": _used},
    starts={"global_statement": rules.word("top-level statements")},
    calls=frozenset({"invocation_expression", "object_creation_expression"}),
    branches=rules.words(
        "if_statement for_statement foreach_statement while_statement do_statement switch_section "
        "switch_expression_arm conditional_expression catch_clause"
    ),
    package={"file_scoped_namespace_declaration": rules.field_text("name")},
    read=read,
    lower=lower,
)


def is_test(definition: Definition) -> bool:
    """Return whether NUnit, xUnit or MSTest runs a method."""
    return any(_attribute(decorator) in _TESTS for decorator in definition.decorators)


def _attribute(decorator: Decorator) -> str:
    """Return the name of an attribute, which may be written with or without its ending."""
    return decorator.name.removesuffix("Attribute")


def entry_points(facts: FileFacts, definition: Definition, in_test_class: bool) -> Iterator[tuple[str, str]]:
    """Where a program starts, what serves a route, and what a test runner runs."""
    if definition.name == "Main" and definition.kind == "method":
        yield "main", "Main"
    if is_test(definition):
        yield "test", definition.name
    for decorator in definition.decorators if definition.kind == "method" else ():
        name = _attribute(decorator)
        if name in _ROUTES:
            yield "route", (decorator.arguments or name).strip('"')
        elif name in _FIXTURES or name in _HOOKS:
            yield "fixture" if name in _FIXTURES else "hook", name


def find_modules(files: Sequence[FileFacts], configuration: Configuration, roots: Sequence[str] | None) -> ModuleMap:
    """Usings by the namespaces that files declare."""
    spaces = NamespaceResolver(files)
    return build_module_map(files, lambda _, entry: spaces.lead(entry.module), members=spaces.members)


FAMILY = LanguageFamily(
    "csharp",
    find_modules,
    method=AttributionConfig("repoquarry.languages.csharp.dialect"),
    rules=load_rules(Path(__file__).parent).rules,
    stubs=str(Path(__file__).parent / "stubs"),
    has_global_names=True,
)

LANGUAGES = (
    Language(
        name="csharp",
        extract=partial(extract_structure, STRUCTURE),
        family=FAMILY,
        comments=CommentSyntax(line=("//",), block=(("/*", "*/"),), documentation=("///", "/**")),
        tests=TestConventions(
            files=("*Test.cs", "*Tests.cs"),
            folders=("test/**", "tests/**", "**/test/**", "**/tests/**", "**/*.Tests/**", "**/*.UnitTests/**"),
            is_test=is_test,
        ),
        entry_points=entry_points,
        frames=(StackFrameSyntax(_FRAME),),
        ecosystem="nuget",
        known_files=frozenset({"Program", "Startup"}),
    ),
)
