"""Python support: definitions extracted with tree-sitter, calls resolved by points-to analysis; install commands.

The traversal visits each node once and adds operations to the constraint graph (`PythonExtractor` creates the visitors): access to the
nodes of a syntax tree from Python is the main cost.
"""

from __future__ import annotations

import re

from tree_sitter import Node

from repoquarry.languages.extraction import MAX_PARSE_ERRORS, find_syntax_errors, raise_recursion_limit
from repoquarry.languages.facts import FileFacts, ParseError
from repoquarry.languages.language import (
    CommentSyntax,
    InstallRequest,
    InstallStep,
    Language,
    PackageInstaller,
    StackFrameSyntax,
    TestConventions,
)
from repoquarry.languages.notebook import ENCODING as NOTEBOOK
from repoquarry.languages.notebook import is_notebook, read_notebook
from repoquarry.languages.python import grammar
from repoquarry.languages.python.extraction_state import PythonExtractionState, decode
from repoquarry.languages.python.family import FAMILY, entry_points
from repoquarry.languages.python.type_annotations import Annotations, PythonNarrowing
from repoquarry.languages.python.visitors.assignments import PythonAssignmentVisitor, PythonExpressionVisitor
from repoquarry.languages.python.visitors.branches import PythonBranchVisitor, PythonPatternVisitor
from repoquarry.languages.python.visitors.classes import PythonClassVisitor
from repoquarry.languages.python.visitors.expressions import (
    PythonCallVisitor,
    PythonEventVisitor,
    PythonOperatorVisitor,
)
from repoquarry.languages.python.visitors.functions import PythonDecoratorVisitor, PythonFunctionVisitor
from repoquarry.languages.python.visitors.names import PythonLiteralVisitor, PythonNameVisitor
from repoquarry.languages.python.visitors.statements import (
    OverloadGroups,
    PythonImportVisitor,
    PythonResultVisitor,
    PythonStatementVisitor,
)


def steps(asked: InstallRequest) -> tuple[InstallStep, ...]:
    """As `PackageInstaller.steps`."""
    python = f"{asked.root}/.venv/bin/python"
    wanted = (*asked.packages, *asked.folders)
    made = InstallStep(
        ("python", "-m", "venv", ".venv"),
        asked.root,
        unless=python,
        failure="the virtual environment could not be made",
    )
    command = (python, "-m", "pip", "install", "--no-input", "--disable-pip-version-check", *wanted)
    if asked.is_layered:  # the layer of a provisioned environment has no pip of its own
        command = ("uv", "pip", "install", "--no-config", "--python", python, *wanted)
    return made, InstallStep(command, asked.root)


INSTALLING = PackageInstaller(
    manifests=frozenset({"pyproject.toml", "setup.py", "setup.cfg", "requirements.txt", "Pipfile"}), steps=steps
)


#: deepest nesting of syntax that is followed
MAX_NESTING = 60_000

#: a string as the first statement of a body
DOCSTRING = re.compile(r"""^\s*[rRuUbB]{0,2}(\"{3}|'{3})""")

#: a line of a traceback
FRAME = re.compile(r"""File ["'](?P<path>[^"'\n]+)["'], line (?P<line>\d+)(?:, in (?P<function>[\w<>.]+))?""")
_IPYTHON_FRAME = re.compile(
    r"^\s*File (?P<path>(?:[A-Za-z]:)?[^\s:\"']+\.\w+):(?P<line>\d+), in (?P<function>[\w.<>]+)"
)
"""Frame of IPython 8 and Jupyter: `File ~/pkg/mod.py:351, in Cls.f(self)`."""
_OLD_IPYTHON_FRAME = re.compile(r"^(?P<path>[~/\\.\w][^\s]*\.pyx?) in (?P<function>[\w.<>]+)(?:\(|\s*$)")
"""Frame of IPython before 8, whose line follows behind an arrow: `~/pkg/mod.py in f(self)`."""
_PYTEST_FRAME = re.compile(
    r"^(?P<path>(?:[A-Za-z]:)?[\w./\\-]+\.py):(?P<line>\d+):\s*(?:in (?P<function>[\w.<>]+)|(?:[\w.]+\.)?[A-Z]\w*)?\s*$"
)
"""Frame of pytest: `pkg/mod.py:351: in f`, `pkg/mod.py:351: TypeError`."""


class PythonExtractor:
    """One file being read. Each part puts its handlers into the reader's table."""

    def __init__(self, reader: PythonExtractionState) -> None:
        self.reader = reader
        self.literals = literals = PythonLiteralVisitor(reader)
        groups, results, decorators, narrowing = (
            OverloadGroups(),
            PythonResultVisitor(reader),
            PythonDecoratorVisitor(reader),
            PythonNarrowing(reader),
        )
        names = PythonNameVisitor(reader, literals)
        annotations = Annotations(reader, literals)
        events = PythonEventVisitor(reader, literals)
        PythonCallVisitor(reader, names, literals, annotations, events)
        operators = PythonOperatorVisitor(reader, literals, narrowing)
        assignments = PythonAssignmentVisitor(reader, literals, annotations)
        PythonExpressionVisitor(reader, assignments, operators)
        imports = PythonImportVisitor(reader, assignments)
        self.statements = statements = PythonStatementVisitor(reader, assignments, groups)
        branches = PythonBranchVisitor(reader, statements, assignments, narrowing, imports, operators)
        PythonPatternVisitor(reader, branches, assignments, literals)
        functions = PythonFunctionVisitor(
            reader, statements, assignments, results, decorators, groups, annotations, literals, events
        )
        PythonClassVisitor(reader, functions, statements, assignments, decorators, annotations, literals)

    def module(self, root: Node) -> None:
        """Read the whole file."""
        reader = self.reader
        self.statements.block(root.children)
        reader.total_branches += reader.branches
        reader.scopes.finish()


def extract(path: str, source: bytes) -> FileFacts:
    """Extract the facts of one file. Bad input is recorded in `FileFacts.parse_errors` and raises nothing."""
    text, encoding, complaint = _decode_script(source) if is_notebook(path) else decode(source)
    root = grammar.parse(text).root_node
    reader = PythonExtractionState(path, text)
    walk = PythonExtractor(reader)
    if complaint:
        reader.errors.append(ParseError(1, complaint))
    reader.errors += find_syntax_errors(root, MAX_PARSE_ERRORS - len(reader.errors))
    with raise_recursion_limit(MAX_NESTING):
        try:
            walk.module(root)
        except RecursionError:
            reader.complain(root, f"nested deeper than {MAX_NESTING} levels: the rest was skipped")
            reader.scopes.finish()
    reader.close()
    return _facts(path, text, encoding, root, walk)


def _decode_script(source: bytes) -> tuple[bytes, str, str]:
    script = read_notebook(source)
    return script.text.encode("utf-8", "replace"), NOTEBOOK, script.error


def _facts(path: str, text: bytes, encoding: str, root: Node, walk: PythonExtractor) -> FileFacts:
    reader = walk.reader
    folder, _, file = path.rpartition("/")
    # No import finds a notebook, which may lie next to a module of the same stem.
    stem = file if encoding == NOTEBOOK else file.rsplit(".", 1)[0]
    is_package = stem == "__init__"
    imported = {one.alias or one.name for one in reader.imports if one.name}
    variables, mentions = reader.scopes.log.collect(reader.graph, reader.definitions, imported, reader.scopes.is_shared)
    return FileFacts(
        path=path,
        language="python",
        encoding=encoding,
        loc=text.count(b"\n") + (1 if text and not text.endswith(b"\n") else 0),
        module_name=folder.rpartition("/")[2] if is_package else stem,
        is_package=is_package,
        is_stub=file.endswith(".pyi"),
        docstring=walk.literals.docstring(root.children),
        branches=reader.total_branches,
        deepest_indent=max((definition.indent for definition in reader.definitions), default=0),
        definitions=tuple(reader.definitions),
        imports=tuple(reader.imports),
        exports=tuple(reader.exports) if reader.exports is not None else None,
        entry_points=(*reader.entry_points, *((("main", "__main__", 1),) if stem == "__main__" else ())),
        parse_errors=tuple(sorted(reader.errors, key=lambda error: (error.line, error.message))),
        graph=reader.graph.finish(),
        variables=variables,
        mentions=mentions,
        lambdas=tuple(reader.lambdas),
    )


PYTHON = Language(
    name="python",
    extract=extract,
    family=FAMILY,
    entry_points=entry_points,
    comments=CommentSyntax(line=("#",), inside=DOCSTRING),
    installing=INSTALLING,
    tests=TestConventions(
        files=("test_*.py", "*_test.py", "tests.py", "conftest.py"),
        folders=("tests/**", "test/**", "t/**", "testing/**", "spec/**", "**/tests/**", "**/test/**"),
    ),
    frames=tuple(
        StackFrameSyntax(pattern, nearest_last=True)
        for pattern in (FRAME, _IPYTHON_FRAME, _OLD_IPYTHON_FRAME, _PYTEST_FRAME)
    ),
    ecosystem="pypi",
    known_files=frozenset({"__init__"}),
    private_modules=frozenset(
        ["setup", "conftest", "docs", "examples", "example", "tests", "test", "benchmarks", "scripts", "tools"]
    ),
)

LANGUAGES = (PYTHON,)
