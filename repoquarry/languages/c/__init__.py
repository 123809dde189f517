"""C and C++: rules that extract definitions and includes, include resolution, tests and entry points; calls by `dialect`.

The two share headers: a header that contains C++ is parsed as C++. Declarations without a body are not definitions, as the function that
they announce is defined elsewhere; pure virtual functions are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from tree_sitter import Node

from repoquarry.languages.c.declarators import Declarator, read_declarator
from repoquarry.languages.c.lowering import lower_c, lower_cpp
from repoquarry.languages.c.reading import read
from repoquarry.languages.facts import Definition, FileFacts
from repoquarry.languages.family import AttributionConfig, Configuration, LanguageFamily, ModuleMap, load_rules
from repoquarry.languages.language import CommentSyntax, Language, StackFrameSyntax, TestConventions
from repoquarry.languages.structural import (
    DefinitionRule,
    GrammarModule,
    RawImport,
    StructuralLanguage,
    extract_structure,
    rules,
)
from repoquarry.languages.structural.module_resolution import PathResolver, build_module_map
from repoquarry.languages.structural.rules import field_text, text

_KEYWORDS: Final = frozenset({"if", "for", "while", "switch", "return", "else", "do", "sizeof", "defined", "catch"})
"""Names of functions in code that a macro has made unreadable."""
_TEMPLATE_ARGUMENTS: Final = re.compile(r"<[^<>]*>")


def read_declared(node: Node) -> Declarator:
    """Read what a definition declares."""
    return read_declarator(node.child_by_field_name("declarator"))


def declared(node: Node) -> Node | None:
    """Return the node that names what a declaration declares."""
    return read_declared(node).name


def parts(node: Node) -> tuple[str, ...]:
    """Return the parts of a declared name, outermost scope first: `a::B<int>::run` gives a, B, run."""
    return tuple(part for part in read_declared(node).parts if part and part not in _KEYWORDS)


def declarator_name(node: Node) -> str:
    """Return the last part of a declared name."""
    return (parts(node) or ("",))[-1]


def owner(node: Node) -> str:
    """Dotted scope in front of a declared name."""
    return ".".join(parts(node)[:-1])


def function_declarator(node: Node) -> Node | None:
    """Return the declarator that holds the parameters: `(*handler(int signal))(int)` declares a function of `signal`."""
    return read_declared(node).function


def parameters(node: Node) -> Node | None:
    """Return the parameters of a declared function."""
    declarator = function_declarator(node)
    return declarator.child_by_field_name("parameters") if declarator is not None else None


def returns(node: Node) -> str:
    """Return the declared type of the result, with the stars and references next to the name."""
    kind = node.child_by_field_name("type")
    if kind is None:
        return ""
    marks, current = "", node.child_by_field_name("declarator")
    while current is not None and current.type in ("pointer_declarator", "reference_declarator"):
        marks += text(current.children[0])
        inner = current.child_by_field_name("declarator")
        current = inner or next((child for child in current.named_children if child.type.endswith("declarator")), None)
    return text(kind) + (f" {marks}" if marks else "")


def with_body(node: Node) -> str:
    """Return the name of a structure, union, enumeration or class that is defined here and not only mentioned."""
    named = node.child_by_field_name("name")
    return ".".join(_scoped(named)) if named is not None and node.child_by_field_name("body") is not None else ""


def _scoped(node: Node) -> list[str]:
    return [part.strip() for part in _TEMPLATE_ARGUMENTS.sub("", text(node)).split("::") if part.strip()]


def named_by_typedef(node: Node) -> str:
    """Return the name that a `typedef` gives to a structure without one."""
    kind = node.child_by_field_name("type")
    if kind is None or kind.child_by_field_name("body") is None or kind.child_by_field_name("name") is not None:
        return ""
    target = declared(node)
    return text(target) if target is not None else ""


def form_of_typedef(node: Node) -> str:
    """`struct`, `union` or `enum`."""
    kind = node.child_by_field_name("type")
    return kind.type.removesuffix("_specifier") if kind is not None else ""


def included(node: Node) -> Iterator[RawImport]:
    """The file of an `#include`; one that is sought among the system's headers first keeps its angle brackets."""
    if path := field_text("path")(node):
        yield RawImport(path.strip('"'), "include")


def _tagged_c(form: str) -> DefinitionRule:
    return DefinitionRule("class", rules.word(form), name=with_body)


C = StructuralLanguage(
    language="c",
    grammar=GrammarModule("tree_sitter_c"),
    definitions={
        "function_definition": DefinitionRule(
            "function",
            name=declarator_name,
            name_node=declared,
            parameters=parameters,
            head=function_declarator,
            returns=returns,
        ),
        "preproc_function_def": DefinitionRule("function", rules.word("macro"), ends=frozenset({"preproc_arg"})),
        "struct_specifier": _tagged_c("struct"),
        "union_specifier": _tagged_c("union"),
        "enum_specifier": _tagged_c("enum"),
        "type_definition": DefinitionRule("class", form_of_typedef, name=named_by_typedef, name_node=declared),
    },
    imports={"preproc_include": included},
    calls=frozenset({"call_expression"}),
    branches=rules.words(
        "if_statement for_statement while_statement do_statement case_statement conditional_expression"
    ),
    read=read,
    lower=lower_c,
)


def _namespace(node: Node) -> str:
    return rules.field_text("name")(node).replace("::", ".").replace(" ", "")


def _form(node: Node) -> str:
    named = declared(node)
    name = declarator_name(node)
    if name.startswith("~"):
        return "destructor"
    plain = named is not None and named.type in ("identifier", "field_identifier", "qualified_identifier")
    is_constructor = plain and node.child_by_field_name("type") is None and not name.startswith("operator")
    return "constructor" if is_constructor else ""


def _bases(node: Node) -> tuple[str, ...]:
    return rules.texts_in("base_class_clause", "access_specifier", "virtual")(node)


def _pure(node: Node) -> str:
    """Return the name of a pure virtual function; empty for other fields."""
    default = node.child_by_field_name("default_value")
    if default is None or rules.text(default) != "0" or function_declarator(node) is None:
        return ""
    return declarator_name(node)


_FUNCTION = DefinitionRule(
    "function",
    _form,
    name=declarator_name,
    owner=owner,
    name_node=declared,
    parameters=parameters,
    head=function_declarator,
    returns=returns,
    ends=frozenset({"field_initializer_list", "default_method_clause", "delete_method_clause", "try_statement"}),
)


def _tagged(form: str) -> DefinitionRule:
    return DefinitionRule("class", rules.word(form), name=with_body, bases=_bases)


CPP = StructuralLanguage(
    language="cpp",
    grammar=GrammarModule("tree_sitter_cpp"),
    definitions={
        "function_definition": _FUNCTION,
        "field_declaration": DefinitionRule(
            "function",
            name=_pure,
            name_node=declared,
            parameters=parameters,
            head=function_declarator,
            returns=returns,
            is_abstract=lambda node: True,
        ),
        "preproc_function_def": DefinitionRule("function", rules.word("macro"), ends=frozenset({"preproc_arg"})),
        "namespace_definition": DefinitionRule("class", rules.word("namespace"), name=_namespace),
        "class_specifier": _tagged(""),
        "struct_specifier": _tagged("struct"),
        "union_specifier": _tagged("union"),
        "enum_specifier": _tagged("enum"),
        "type_definition": DefinitionRule("class", form_of_typedef, name=named_by_typedef, name_node=declared),
    },
    imports={"preproc_include": included},
    calls=frozenset({"call_expression"}),
    branches=rules.words(
        "if_statement for_statement for_range_loop while_statement do_statement case_statement conditional_expression "
        "catch_clause"
    ),
    wrappers=frozenset({"template_declaration"}),
    read=read,
    lower=lower_cpp,
)


_SPEAKS_CPP = re.compile(
    rb"^[ \t]*(?:(?:inline[ \t]+)?namespace\b[\w: \t]*\{?|template[ \t]*<|class[ \t]+\w[^;\n]*$"
    rb"|(?:public|private|protected)[ \t]*:|using[ \t]+\w+)",
    re.MULTILINE,
)
_FRAME = re.compile(
    r"^\s*#\d+\s+(?:0x[0-9a-fA-F]+ in )?(?P<function>[\w:~]+)[^\n]*?(?:\bat |\s)(?P<path>[^\s():]+\.[ch]\w{0,2}):(?P<line>\d+)"
)
_MAINS = frozenset({"main", "wmain", "WinMain", "wWinMain"})
_TESTS = re.compile(r"(?:TYPED_)?TEST(?:_F|_P)?|TEST_CASE(?:_METHOD)?|SCENARIO|BOOST_\w*TEST_CASE")
"""Macros of test frameworks in place of a function's name."""
_TEST_FOLDERS = ("test/**", "tests/**", "**/test/**", "**/tests/**", "**/unittests/**")
_COMMENTS = CommentSyntax(line=("//",), block=(("/*", "*/"),))


def extract(path: str, source: bytes) -> FileFacts:
    """Extract the facts of one file. Bad input is recorded in `FileFacts.parse_errors` and raises nothing."""
    if not path.endswith((".c", ".h")) or (path.endswith(".h") and _SPEAKS_CPP.search(source) is not None):
        return extract_structure(CPP, path, source)
    found = extract_structure(C, path, source)
    if found.parse_errors and path.endswith(".h"):
        other = extract_structure(CPP, path, source)
        return other if len(other.parse_errors) < len(found.parse_errors) else found
    return found


def entry_points(facts: FileFacts, definition: Definition, in_test_class: bool) -> Iterator[tuple[str, str]]:
    """Where a program starts, what a test framework's macro makes a test, and what a fuzzer calls."""
    if definition.kind != "function":
        return
    if definition.name in _MAINS and not definition.parent:
        yield "main", definition.name
    elif _is_made_a_test(definition):
        yield "test", definition.signature.strip("()")
    elif definition.name == "LLVMFuzzerTestOneInput":
        yield "hook", definition.name


def is_test(definition: Definition) -> bool:
    """Return whether a function is one test: by the macro that writes its head, or by its name."""
    return _is_made_a_test(definition) or definition.name.lower().startswith("test")


def _is_made_a_test(definition: Definition) -> bool:
    """Return whether a macro takes the place of the result and the name of a function."""
    return "->" not in definition.signature and _TESTS.fullmatch(definition.name) is not None


def find_modules(files: Sequence[FileFacts], configuration: Configuration, roots: Sequence[str] | None) -> ModuleMap:
    """Includes by their paths: next to the including file, otherwise the nearest file whose path ends so."""
    paths = PathResolver(files)
    names = [facts.path for facts in files]
    return build_module_map(files, lambda importer, entry: paths.lead(importer, entry.module.strip("<>")), names)


C_FAMILY = LanguageFamily(
    name="c",
    modules=find_modules,
    method=AttributionConfig("repoquarry.languages.c.dialect"),
    rules=load_rules(Path(__file__).parent).rules,
    stubs=str(Path(__file__).parent / "stubs"),
)

LANGUAGES = (
    Language(
        name="c",
        extract=extract,
        family=C_FAMILY,
        comments=_COMMENTS,
        tests=TestConventions(files=("test_*.c", "*_test.c", "*_tests.c"), folders=_TEST_FOLDERS, is_test=is_test),
        entry_points=entry_points,
        frames=(StackFrameSyntax(_FRAME),),
        known_files=frozenset({"main", "config"}),
    ),
    Language(
        name="cpp",
        extract=extract,
        family=C_FAMILY,
        comments=_COMMENTS,
        tests=TestConventions(
            files=("test_*.cc", "test_*.cpp", "*_test.cc", "*_test.cpp", "*_unittest.cc", "*_tests.cpp", "*Test.cpp"),
            folders=_TEST_FOLDERS,
            is_test=is_test,
        ),
        entry_points=entry_points,
        known_files=frozenset({"main", "config"}),
    ),
)
