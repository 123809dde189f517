"""Extractor of JavaScript and TypeScript: definitions, imports and constraint graph of one file or one Vue or Svelte component.

Everything in a component but scripts and template expressions becomes blanks, so that every name keeps its position. An expression `{x}`
becomes `;(x)`, a handler `@click="a(); b()"` becomes `;{a(); b()}`.
Source: https://vuejs.org/api/sfc-spec.html, https://svelte.dev/docs/svelte/basic-markup

The traversal visits each node about once and adds operations to the constraint graph; `JavaScriptExtractor` creates the visitors of the
constructs of the language.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from repoquarry.languages import constraints as op
from repoquarry.languages.extraction import find_syntax_errors, raise_recursion_limit
from repoquarry.languages.facts import FileFacts
from repoquarry.languages.javascript.extraction_state import JavaScriptExtractionState, documented_places
from repoquarry.languages.javascript.grammar import parse
from repoquarry.languages.javascript.typing.contextual_typing import ContextualTyping, MemberDeclarations
from repoquarry.languages.javascript.typing.jsdoc import DocumentedTypes
from repoquarry.languages.javascript.typing.narrowing import ConditionNarrower
from repoquarry.languages.javascript.typing.type_forms import OpenClasses
from repoquarry.languages.javascript.typing.types import TypeReader
from repoquarry.languages.javascript.visitors.bindings import JavaScriptOperatorVisitor, JavaScriptPatternVisitor
from repoquarry.languages.javascript.visitors.class_members import (
    JavaScriptClassBodyVisitor,
    JavaScriptDecoratorVisitor,
    JavaScriptFieldVisitor,
)
from repoquarry.languages.javascript.visitors.classes import JavaScriptClassVisitor, JavaScriptPrototypeVisitor
from repoquarry.languages.javascript.visitors.elements import JavaScriptDeclaredTypeVisitor, JavaScriptJsxVisitor
from repoquarry.languages.javascript.visitors.expressions import (
    JavaScriptCallVisitor,
    JavaScriptExpressionVisitor,
    JavaScriptLiteralVisitor,
)
from repoquarry.languages.javascript.visitors.functions import JavaScriptFunctionVisitor
from repoquarry.languages.javascript.visitors.modules import (
    JavaScriptCommonJsVisitor,
    JavaScriptExportVisitor,
    JavaScriptImportVisitor,
    JavaScriptNamespaceVisitor,
)
from repoquarry.languages.javascript.visitors.signatures import JavaScriptParameterVisitor
from repoquarry.languages.javascript.visitors.statements import (
    JavaScriptAssignmentVisitor,
    JavaScriptBranchVisitor,
    JavaScriptStatementVisitor,
)
from repoquarry.languages.source_text import as_utf8

_SCRIPT = re.compile(rb"<script\b([^>]*)>(.*?)</script\s*>", re.DOTALL | re.IGNORECASE)
_STYLE = re.compile(rb"<style\b[^>]*>.*?</style\s*>|<!--.*?-->", re.DOTALL | re.IGNORECASE)
_TYPED = re.compile(rb"""lang\s*=\s*["']?(?:ts|tsx|typescript)\b""")
_SETUP = re.compile(rb"\bsetup\b")
_NOT_BLANK = re.compile(rb"[^\n]")
#: `{{ expression }}` of Vue
_INTERPOLATION = re.compile(rb"\{(\{.*?\})\}", re.DOTALL)
#: `:name="expression"`, `v-name="expression"`, `@event="statements"`, `#slot="pattern"`
_DIRECTIVE = re.compile(
    rb"""\s(?P<name>[:@]|v-)(?P<rest>[\w.:\[\]-]*)=(?P<quote>["'])(?P<value>.*?)(?P=quote)""", re.DOTALL
)
_FOR = re.compile(rb"^.*?\s(?:in|of)\s", re.DOTALL)
#: keywords before the expression of a Svelte block: `{#if`, `{:else if`, `{@html`, `{#each`
_BLOCK = re.compile(rb"^[#:@/]\s*(?:else\s+if|\w+)")
_EACH = re.compile(rb"\s(?:as|then)\s.*$", re.DOTALL)
#: a function that Svelte calls with an element: `use:action`, `transition:fade`, `in:fly={options}`
_ACTION = re.compile(rb"\s(?:use|transition|in|out|animate):(?P<name>[A-Za-z_$][\w$.]*)")
#: longer expressions count as text with a brace in it
_MAX_TAG_CHARACTERS = 20_000


def extract_script(suffix: str, source: bytes) -> tuple[bytes, str]:
    """Return the source of a component as one of JavaScript or TypeScript, and the suffix of such a file."""
    scripts = list(_SCRIPT.finditer(source))
    typed = any(_TYPED.search(found.group(1)) for found in scripts)
    out = bytearray(_NOT_BLANK.sub(b" ", source))
    for found in scripts:
        out[found.start(2) : found.end(2)] = source[found.start(2) : found.end(2)]
    template = _blanked(source, [*scripts, *_STYLE.finditer(source)])
    spans = _vue(template) if suffix == ".vue" else _svelte(template)
    for start, end, is_statements in spans:
        if start < 2 or end >= len(out) or end - start > _MAX_TAG_CHARACTERS:
            continue
        out[start:end] = template[start:end]
        out[start - 2 : start] = b";{" if is_statements else b";("
        out[end : end + 1] = b"}" if is_statements else b")"
    for found in _ACTION.finditer(template) if suffix == ".svelte" else ():
        start, end = found.span("name")
        out[start - 2 : end] = b"; " + template[start:end]
        if template[end : end + 1] != b"=":
            out[end : end + 1] = b";"
    return bytes(out), ".ts" if typed else ".js"


def _blanked(source: bytes, parts: list[re.Match[bytes]]) -> bytes:
    out = bytearray(source)
    for found in parts:
        out[found.start() : found.end()] = _NOT_BLANK.sub(b" ", found.group())
    return bytes(out)


def _vue(template: bytes) -> Iterator[tuple[int, int, bool]]:
    for found in _INTERPOLATION.finditer(template):
        yield found.start() + 2, found.end() - 2, False
    for found in _DIRECTIVE.finditer(template):
        start, end = found.span("value")
        if not template[start:end].strip():
            continue
        name, rest = found["name"], found["rest"]
        if name == b"v-" and rest.startswith((b"slot", b"else")):
            continue
        if name == b"v-" and rest == b"for":
            head = _FOR.match(template, start, end)
            if head is None:
                continue
            start = head.end()
        yield start, end, name == b"@" or rest.startswith(b"on:")


def _svelte(template: bytes) -> Iterator[tuple[int, int, bool]]:
    at = template.find(b"{")
    while at >= 0:
        end = _closing(template, at)
        if end < 0:
            return
        start = at + 1
        inside = template[start:end]
        block = _BLOCK.match(inside)
        if block is not None:
            if inside.startswith((b"/", b":then", b":catch", b"#snippet")):
                inside = b""
            if inside.startswith((b"#each", b"#await")):
                shown = _EACH.search(inside)
                end_of_value = start + (shown.start() if shown is not None else len(inside))
            else:
                end_of_value = end
            if inside:
                yield start + block.end(), end_of_value, False
        elif inside.strip() and not inside.lstrip().startswith(b"..."):
            yield start, end, False
        at = template.find(b"{", end)


def _closing(text: bytes, at: int) -> int:
    """Where the brace that opens at a place is closed, -1 where it is not."""
    depth = 0
    for place in range(at, min(len(text), at + _MAX_TAG_CHARACTERS)):
        if text[place] == 123:
            depth += 1
        elif text[place] == 125:
            depth -= 1
            if depth == 0:
                return place
    return -1


#: suffixes of files in which annotations say what comments say elsewhere
TYPED = (".ts", ".tsx", ".mts", ".cts")


class JavaScriptExtractor:
    """One file being read. Each part puts its handlers into the reader's table."""

    def __init__(self, reader: JavaScriptExtractionState) -> None:
        self.reader = reader
        self.exported: tuple[str, ...] | None = None
        is_typed = reader.path.lower().endswith(TYPED)
        conditions = ConditionNarrower(reader, is_read=is_typed)
        self.documented = documented = DocumentedTypes(reader, is_read=not is_typed)
        open_classes = OpenClasses()
        types = TypeReader(reader, open_classes)
        contexts = ContextualTyping(reader, types, is_read=is_typed)
        shapes = MemberDeclarations(reader, types, contexts, open_classes)
        patterns, prototypes, commonjs = (
            JavaScriptPatternVisitor(reader, conditions),
            JavaScriptPrototypeVisitor(reader),
            JavaScriptCommonJsVisitor(reader),
        )
        parameters = JavaScriptParameterVisitor(reader, types, contexts, documented, patterns, shapes)
        functions = JavaScriptFunctionVisitor(reader, types, contexts, documented, open_classes, parameters)
        decorators = JavaScriptDecoratorVisitor(reader)
        fields = JavaScriptFieldVisitor(reader, types, contexts, documented, functions, decorators, shapes)
        bodies = JavaScriptClassBodyVisitor(reader, types, contexts, functions, decorators, fields, shapes)
        classes = JavaScriptClassVisitor(reader, types, decorators, open_classes, bodies)
        self.exports = JavaScriptExportVisitor(reader, JavaScriptImportVisitor(reader, types), commonjs, classes)
        JavaScriptNamespaceVisitor(reader, self.exports)
        JavaScriptDeclaredTypeVisitor(reader, types, contexts, classes)
        JavaScriptLiteralVisitor(reader, contexts, functions)
        JavaScriptExpressionVisitor(reader, documented, conditions, commonjs)
        JavaScriptOperatorVisitor(reader, conditions)
        JavaScriptCallVisitor(reader, types, contexts, conditions, commonjs, prototypes)
        JavaScriptAssignmentVisitor(reader, documented, commonjs, prototypes, patterns)
        JavaScriptStatementVisitor(reader, types, contexts, documented, conditions, patterns)
        JavaScriptBranchVisitor(reader, conditions, patterns)
        JavaScriptJsxVisitor(reader, types, contexts)

    def program(self, root: Node, source: bytes) -> None:
        """Read the whole file."""
        self.reader.documented = documented_places(self.reader, root)
        self.documented.define(root)
        if not self.reader.path.endswith(".vue"):
            self.reader.statements(root.named_children)
            return
        scripts = list(_SCRIPT.finditer(source))
        inside = [any(one.start(2) <= node.start_byte < one.end(2) for one in scripts) for node in root.named_children]
        self.reader.statements([node for node, is_in in zip(root.named_children, inside, strict=True) if is_in])
        template = [node for node, is_in in zip(root.named_children, inside, strict=True) if not is_in]
        self._template(template, is_setup=any(_SETUP.search(one[1]) for one in scripts))

    def _template(self, nodes: list[Node], *, is_setup: bool) -> None:
        """Read the expressions of a Vue template: with options, a name is a member of the component, or a global; variables of the
        script are seen in `<script setup>` alone."""
        reader, scopes, component = self.reader, self.reader.scopes, self.exports.component
        outside = scopes.module.names if is_setup else {}
        scope = scopes.enter()
        for node in nodes:
            known = set(scope.waiting)
            reader.statements([node])
            new = [name for name in scope.waiting if name not in known and name not in outside]
            for name in new if component >= 0 else ():
                variable, symbol = scope.waiting.pop(name), reader.graph.symbol(name)
                member = reader.graph.value(op.ATTR, component, symbol, reader.line(node), reader.owner)
                scope.names[name] = reader.graph.assign(variable, op.COPY, member)
                reader.graph.assign(variable, op.COPY, reader.graph.value(op.NAME, symbol))
        scopes.leave()

    def finish(self) -> None:
        """Bind names to what binds them."""
        scopes = self.reader.scopes
        while scopes.current.parent is not None:
            scopes.leave()
        self.exported = self.exports.finish()
        self.documented.finish()
        scopes.finish()
        self.reader.total_branches += self.reader.body.branches

    def imported(self) -> set[str]:
        """Return the names of the file that stand for others' exports."""
        graph, found = self.reader.graph, set[str]()
        for name, variable in self.reader.scopes.module.names.items():
            offset = graph.first[graph.source(variable)]
            if offset >= 0 and graph.code[offset] == op.FROM:
                found.add(name)
        return found


#: deepest nesting of syntax that is followed
MAX_NESTING = 60_000

_DECLARATIONS = (".d.ts", ".d.mts", ".d.cts")
_INDEX = "index"
#: suffix of single-file components -> their language
_COMPONENTS = {".vue": "vue", ".svelte": "svelte"}


def extract(path: str, source: bytes) -> FileFacts:
    """Extract the facts of one file. Bad input is recorded in `FileFacts.parse_errors` and raises nothing."""
    text, encoding = as_utf8(source)
    suffix = f".{path.rpartition('.')[2].lower()}"
    code = text
    if suffix in _COMPONENTS:
        code, suffix = extract_script(suffix, text)
    tree, grammar = parse(suffix, code)
    reader = JavaScriptExtractionState(path, code, grammar)
    walk = JavaScriptExtractor(reader)
    root = tree.root_node
    reader.errors += find_syntax_errors(root)
    with raise_recursion_limit(MAX_NESTING):
        try:
            walk.program(root, text)
        except RecursionError:
            reader.complain(root, f"nested deeper than {MAX_NESTING} levels: the rest was skipped")
        walk.finish()
    return _facts(path, text, encoding, walk)


def _language(file: str) -> str:
    component = _COMPONENTS.get(f".{file.rpartition('.')[2].lower()}")
    return component or ("typescript" if file.lower().endswith(TYPED) else "javascript")


def _facts(path: str, text: bytes, encoding: str, walk: JavaScriptExtractor) -> FileFacts:
    reader = walk.reader
    folder, _, file = path.rpartition("/")
    stem = file.rsplit(".", 1)[0]
    is_stub = file.endswith(_DECLARATIONS)
    if is_stub:
        stem = stem.removesuffix(".d")
    scopes = reader.scopes
    variables, mentions = scopes.log.collect(reader.graph, reader.definitions, walk.imported(), scopes.is_shared)
    return FileFacts(
        path=path,
        language=_language(file),
        encoding=encoding,
        loc=text.count(b"\n") + (1 if text and not text.endswith(b"\n") else 0),
        module_name=folder.rpartition("/")[2] if stem == _INDEX else stem,
        is_package=stem == _INDEX,
        is_stub=is_stub,
        docstring="",
        branches=reader.total_branches,
        deepest_indent=max((definition.indent for definition in reader.definitions), default=0),
        definitions=tuple(reader.definitions),
        imports=tuple(reader.imports),
        exports=walk.exported,
        entry_points=tuple(reader.entry_points),
        parse_errors=tuple(sorted(reader.errors, key=lambda error: (error.line, error.message))),
        graph=reader.graph.finish(),
        variables=variables,
        mentions=mentions,
        lambdas=tuple(reader.lambdas),
    )
