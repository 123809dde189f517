"""Ruby: rules that extract definitions and imports, import resolution, test files, entry points; calls by `dialect`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

from tree_sitter import Node

from repoquarry.languages.facts import Definition, FileFacts
from repoquarry.languages.family import AttributionConfig, Configuration, LanguageFamily, ModuleMap, load_rules
from repoquarry.languages.language import CommentSyntax, Language, StackFrameSyntax, TestConventions
from repoquarry.languages.ruby.lowering import lower
from repoquarry.languages.structural import DefinitionRule, GrammarModule, RawImport, StructuralLanguage, rules
from repoquarry.languages.structural.extraction import extract_structure
from repoquarry.languages.structural.module_resolution import PathResolver, build_module_map, stem_of

_REQUIRING = {"require", "require_relative", "load", "autoload"}

_FRAME = re.compile(
    r"^\s*(?:from |\d+: from )?(?P<path>[^\s:]+\.(?:rb|rake)):(?P<line>\d+):in [`'](?:[\w ]+ in )?(?P<function>[^']+)'"
)


def _required(node: Node) -> Iterator[RawImport]:
    how = rules.field_text("method")(node)
    arguments = node.child_by_field_name("arguments")
    if how not in _REQUIRING or arguments is None or node.child_by_field_name("receiver") is not None:
        return
    strings = [child for child in arguments.named_children if child.type == "string"]
    if strings and all(part.type == "string_content" for part in strings[-1].named_children):
        path = rules.text(strings[-1])[1:-1]
        relative = how == "require_relative" and not path.startswith(".")
        yield RawImport(f"./{path}" if relative else path, "require", runs=True, deferred=how == "autoload")


def _constant(node: Node) -> str:
    return rules.field_text("name")(node).replace("::", ".").strip(".")


def _form(node: Node) -> str:
    return "constructor" if rules.field_text("name")(node) == "initialize" else ""


def _object(node: Node) -> str:
    """Return the class that `def Class.method` names; `self` is the one around."""
    written = rules.field_text("object")(node)
    return "" if written == "self" or not written[:1].isupper() else written.replace("::", ".")


_FIXTURES = frozenset({"setup", "teardown"})
_ACTIONS = re.compile(r"(?:ActionController(?:::|\.)(?:Base|API)|\w*ApplicationController|\w+BaseController)")
_JOBS = re.compile(r"(?:ActiveJob(?:::|\.)Base|ApplicationJob)")


def _main(node: Node) -> str:
    """Return the condition under which a file is run by itself: `if __FILE__ == $0`."""
    condition = node.child_by_field_name("condition")
    parts = {rules.text(part) for part in condition.named_children} if condition is not None else set()
    return rules.text(condition) if condition is not None and "__FILE__" in parts and parts & _PROGRAM_NAMES else ""


_PROGRAM_NAMES = frozenset({"$0", "$PROGRAM_NAME"})

STRUCTURE = StructuralLanguage(
    language="ruby",
    line_comment="#",
    grammar=GrammarModule("tree_sitter_ruby"),
    definitions={
        "module": DefinitionRule("class", rules.word("module"), name=_constant),
        "class": DefinitionRule("class", name=_constant, bases=rules.texts_in("superclass")),
        "method": DefinitionRule("function", _form),
        "singleton_method": DefinitionRule("function", owner=_object),
    },
    imports={"call": _required},
    starts={"if": _main, "if_modifier": _main},
    calls=frozenset({"call", "super"}),
    branches=rules.words(
        "if unless elsif while until for when in_clause rescue conditional if_modifier unless_modifier while_modifier "
        "until_modifier rescue_modifier"
    ),
    lower=lower,
)


def entry_points(facts: FileFacts, definition: Definition, in_test_class: bool) -> Iterator[tuple[str, str]]:
    """Functions that minitest runs, and that Rails calls: the actions of controllers and the work of jobs."""
    if definition.kind != "method":
        return
    bases = next((one.bases for one in facts.definitions if one.key == definition.parent), ())
    if definition.name.startswith("test_"):
        yield "test", definition.name
    elif definition.name in _FIXTURES and any(base.endswith(("Test", "TestCase")) for base in bases):
        yield "fixture", definition.name
    elif definition.name == "perform" and any(map(_JOBS.fullmatch, bases)):
        yield "hook", definition.name
    elif "controllers/" in facts.path and any(map(_ACTIONS.fullmatch, bases)):
        yield "route", definition.name


def find_modules(files: Sequence[FileFacts], configuration: Configuration, roots: Sequence[str] | None) -> ModuleMap:
    """File that is required by its path: relative to the file, otherwise below any load path."""
    paths = PathResolver(files, (".rb",))
    # A specification has the name of the file that the gem is required by.
    names = [
        facts.path.rpartition("/")[2] if facts.path.endswith(".gemspec") else stem_of(facts.path) for facts in files
    ]
    return build_module_map(files, lambda importer, entry: paths.lead(importer, entry.module), names)


FAMILY = LanguageFamily(
    "ruby",
    find_modules,
    method=AttributionConfig("repoquarry.languages.ruby.dialect"),
    rules=load_rules(Path(__file__).parent).rules,
    has_global_names=True,
)

LANGUAGES = (
    Language(
        name="ruby",
        extract=partial(extract_structure, STRUCTURE),
        family=FAMILY,
        comments=CommentSyntax(line=("#",), block=(("=begin", "=end"),)),
        tests=TestConventions(
            files=("*_test.rb", "test_*.rb", "*_spec.rb"),
            folders=("test/**", "spec/**", "**/test/**", "**/spec/**", "features/**"),
        ),
        entry_points=entry_points,
        frames=(StackFrameSyntax(_FRAME),),
        ecosystem="rubygems",
        known_files=frozenset({"application", "routes", "version"}),
    ),
)
