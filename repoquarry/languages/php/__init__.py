"""PHP: rules that extract definitions and imports, import resolution, tests and entry points; calls by `dialect`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

from tree_sitter import Node

from repoquarry.languages.facts import Definition, FileFacts, Import
from repoquarry.languages.family import AttributionConfig, Configuration, LanguageFamily, ModuleMap, Place, load_rules
from repoquarry.languages.language import CommentSyntax, Language, StackFrameSyntax, TestConventions
from repoquarry.languages.php.lowering import lower
from repoquarry.languages.structural import DefinitionRule, GrammarModule, RawImport, StructuralLanguage, rules
from repoquarry.languages.structural.extraction import extract_structure
from repoquarry.languages.structural.module_resolution import NamespaceResolver, PathResolver, build_module_map

_TRACE_FRAME = re.compile(r"^\s*#\d+ (?P<path>[^\s(]+\.php)\((?P<line>\d+)\)")
_ERROR_FRAME = re.compile(r"\bin (?P<path>[^\s:]+\.php)(?::| on line )(?P<line>\d+)")


def _used(node: Node) -> Iterator[RawImport]:
    """Return the names of a `use`, those of a group below their common beginning."""
    prefix = next((rules.text(child) + "\\" for child in node.named_children if child.type == "namespace_name"), "")
    groups = [child for child in node.named_children if child.type == "namespace_use_group"]
    for clause in [child for part in (node, *groups) for child in part.named_children]:
        if clause.type == "namespace_use_clause":
            alias = rules.field_text("alias")(clause)
            written = next(
                (rules.text(child) for child in clause.named_children if child.type in ("qualified_name", "name")), ""
            )
            module, _, name = f"{prefix}{written}".lstrip("\\").rpartition("\\")
            yield RawImport(module, "use", name, alias) if module else RawImport(name, "use", "", alias)


def _included(node: Node) -> Iterator[RawImport]:
    """Return the constant end of the path that is included."""
    pending = list(reversed(node.named_children))
    while pending:
        current = pending.pop()
        if current.type in ("string", "encapsed_string"):
            path = rules.text(current)[1:-1]
            if path and "$" not in path:
                yield RawImport(f".{path}" if path.startswith("/") else path, "include", runs=True)
            return
        pending += reversed(current.named_children)


def _attributes(node: Node) -> list[str]:
    lists = [child for child in node.children if child.type == "attribute_list"]
    groups = [group for one in lists for group in one.named_children]
    return [rules.text(part) for group in groups for part in group.named_children if part.type == "attribute"]


def _block_namespace(node: Node) -> str:
    return _namespace(node) if node.child_by_field_name("body") is not None else ""


def _file_namespace(node: Node) -> str:
    return _namespace(node) if node.child_by_field_name("body") is None else ""


def _namespace(node: Node) -> str:
    return rules.field_text("name")(node).replace("\\", ".")


def _form(node: Node) -> str:
    return {"__construct": "constructor", "__destruct": "destructor"}.get(rules.field_text("name")(node), "")


def _type(form: str) -> DefinitionRule:
    return DefinitionRule(
        "class", rules.word(form), bases=rules.texts_of("base_clause", "class_interface_clause"), decorators=_attributes
    )


STRUCTURE = StructuralLanguage(
    language="php",
    grammar=GrammarModule("tree_sitter_php", "language_php"),
    definitions={
        "namespace_definition": DefinitionRule("class", rules.word("namespace"), name=_block_namespace),
        "class_declaration": _type(""),
        "interface_declaration": _type("interface"),
        "trait_declaration": _type("trait"),
        "enum_declaration": _type("enum"),
        "method_declaration": DefinitionRule("function", _form, decorators=_attributes, is_abstract=rules.lacks_body),
        "function_definition": DefinitionRule("function", decorators=_attributes),
    },
    imports={
        "namespace_use_declaration": _used,
        "require_expression": _included,
        "require_once_expression": _included,
        "include_expression": _included,
        "include_once_expression": _included,
    },
    calls=rules.words(
        "function_call_expression member_call_expression nullsafe_member_call_expression scoped_call_expression "
        "object_creation_expression"
    ),
    branches=rules.words(
        "if_statement else_if_clause for_statement foreach_statement while_statement do_statement case_statement "
        "match_conditional_expression conditional_expression catch_clause"
    ),
    package={"namespace_definition": _file_namespace},
    lower=lower,
)


_FIXTURES = frozenset({"setUp", "tearDown", "setUpBeforeClass", "tearDownAfterClass"})
_AROUND = frozenset({"Before", "After", "BeforeClass", "AfterClass", "DataProvider"})
_HANDLERS = {
    "AsCommand": "command",
    "AsEventListener": "hook",
    "AsMessageHandler": "hook",
    "AsController": "route",
    "AsCronTask": "hook",
}


def is_test(definition: Definition) -> bool:
    """Return whether PHPUnit runs a method."""
    return definition.name.startswith("test") or any(decorator.name == "Test" for decorator in definition.decorators)


def entry_points(facts: FileFacts, definition: Definition, in_test_class: bool) -> Iterator[tuple[str, str]]:
    """Functions that PHPUnit runs, that serve a route, and that commands and handlers of messages run."""
    if definition.kind == "method" and facts.path.endswith("Test.php"):
        if is_test(definition):
            yield "test", definition.name
        elif definition.name in _FIXTURES or any(one.name in _AROUND for one in definition.decorators):
            yield "fixture", definition.name
    for decorator in definition.decorators:
        if decorator.name == "Route":
            yield "route", (decorator.arguments or "").partition(",")[0].strip("'\" ")
        elif decorator.name in _HANDLERS:
            yield _HANDLERS[decorator.name], decorator.name
    if definition.name in ("execute", "handle", "__invoke") and definition.kind == "method":
        bases = next((one.bases for one in facts.definitions if one.key == definition.parent), ())
        if any(base.rpartition("\\")[2] == "Command" for base in bases):
            yield "command", definition.name


def find_modules(files: Sequence[FileFacts], configuration: Configuration, roots: Sequence[str] | None) -> ModuleMap:
    """Uses by the namespaces that files declare, includes by their paths."""
    spaces, paths = NamespaceResolver(files), PathResolver(files)

    def lead(importer: int, entry: Import) -> Place | None:
        if entry.how == "include":
            return paths.lead(importer, entry.module)
        full = "\\".join(part for part in (entry.module, entry.name) if part)
        return spaces.lead(full.replace("\\", "."))

    return build_module_map(files, lead, members=spaces.members)


FAMILY = LanguageFamily(
    "php",
    find_modules,
    method=AttributionConfig("repoquarry.languages.php.dialect"),
    rules=load_rules(Path(__file__).parent).rules,
    has_global_names=True,
)

LANGUAGES = (
    Language(
        name="php",
        extract=partial(extract_structure, STRUCTURE),
        family=FAMILY,
        comments=CommentSyntax(line=("//", "#"), block=(("/*", "*/"),), documentation=("/**",)),
        tests=TestConventions(
            files=("*Test.php",),
            folders=("test/**", "tests/**", "**/test/**", "**/tests/**", "**/Tests/**"),
            is_test=is_test,
        ),
        entry_points=entry_points,
        frames=(StackFrameSyntax(_ERROR_FRAME), StackFrameSyntax(_TRACE_FRAME)),
        ecosystem="composer",
        known_files=frozenset({"index", "Kernel", "bootstrap", "routes"}),
    ),
)
