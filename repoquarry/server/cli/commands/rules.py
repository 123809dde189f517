"""Commands `queries` (list named queries) and `check` (run rules, which are named queries that must return no rows)."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree

import typer

from repoquarry import v1 as pb
from repoquarry.server.cli.commands.query import FOLDER, PARAMETERS, QueryResult, cell, named_request, parse_parameters
from repoquarry.server.cli.session import (
    OUTPUT,
    REPOSITORY,
    CliSession,
    argument,
    choose_format,
    flag,
    format_option,
    resolve_repositories,
    with_session,
)
from repoquarry.server.errors import invalid_field, request_error
from repoquarry.server.text_format import escape_to_line, fit_text, format_table, terminal_width

if TYPE_CHECKING:
    from repoquarry.graphstore.model.values import Value as GraphValue
    from repoquarry.graphstore.query.query_library import LibraryQuery
    from repoquarry.server.api import Api

VIOLATION_EXIT_CODE = 11
"""Exit code of `check` if a rule is violated."""
_SHOWN_ROWS = 20
_FORMS = ("text", "markdown", "junit")


@with_session
def queries_command(
    session: CliSession,
    name: str | None = argument(None, "Named query to show with its text; lists all without."),
    folder: Path | None = FOLDER,
) -> None:
    """List the named queries and rules by topic, with their parameters and purpose, or show one."""
    from repoquarry.server.application.queries import to_named_query

    if folder is not None:
        from repoquarry.graphstore.query.query_library import QueryLibrary

        answer = pb.ListNamedQueriesResponse(queries=map(to_named_query, QueryLibrary(folder).queries.values()))
    else:
        with session.api() as api:
            answer = api.queries.list_named_queries(pb.ListNamedQueriesRequest())
    if name is not None:
        found = [query for query in answer.queries if query.name == name]
        if not found:
            raise request_error("NOT_FOUND", f"no named query {name!r}; `repoquarry queries` lists all", kind="query")
        answer = pb.ListNamedQueriesResponse(queries=found)
    session.render(answer, _print_list if name is None else _print_query)


def _print_list(answer: pb.ListNamedQueriesResponse) -> None:
    topic = ""
    for query in answer.queries:
        if query.topic != topic:
            print(f"{'' if not topic else chr(10)}{query.topic}")
            topic = query.topic
        parameters = " ".join(f"${one.name}" if not one.default_json else f"[${one.name}]" for one in query.parameters)
        print(f"  {query.name} {parameters}".rstrip())
        print(f"    {query.purpose}")


def _print_query(answer: pb.ListNamedQueriesResponse) -> None:
    query = answer.queries[0]
    print(f"// {query.purpose}")
    for one in query.parameters:
        default = f" = {one.default_json}" if one.default_json else ""
        print(f"// ${one.name}: {one.kind}{default}; {one.meaning}")
    print(query.query)


@dataclass(frozen=True)
class RuleResult:
    """Outcome of one rule: its rows are the violations, at most `_SHOWN_ROWS` of them."""

    name: str
    purpose: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    count: int
    truncated: bool
    """True if a limit of the server truncated the rows, so that `count` is a lower bound."""
    warnings: Sequence[str]
    seconds: float


@with_session
def check_command(
    session: CliSession,
    rules: list[str] | None = argument(None, "Rule files, folders of rule files, or names of rules."),
    repository: str | None = REPOSITORY,
    param: list[str] | None = PARAMETERS,
    form: str = format_option("text", _FORMS, "text"),
    output: Path | None = OUTPUT,
    lint: bool = flag("--lint", "Check the texts of the queries without running them."),
    models: bool = flag("--models", "Check the models of frameworks in `.repoquarry/models` of folders."),
) -> None:
    """Check repositories by rules: queries that must return no rows. Exit code 11 if a rule is violated.

    A `--param` is passed to every rule that has a parameter of its name. With `--lint`, names that the schema lacks, paths without
    an upper bound and constructs that an engine refuses are reported instead, for named queries as well as rules. With `--models`,
    the arguments are folders, by default the current one.
    """
    from repoquarry.server.cli.output import opened

    if models:
        _check_models(session, rules or ["."])
        return
    if lint:
        _lint(session, rules or [])
        return
    write = choose_format(form, FORMATS)
    values = parse_parameters(param or [])
    with session.api(uncut=True) as api:
        if repository is not None:
            # A rule over a misspelt repository would never be violated.
            (values["repository"],) = resolve_repositories(api, [repository])
        results = list(_run_rules(api, rules or [], values))
    if session.as_json:
        session.print_json({"rules": [vars(result) for result in results]})
    else:
        with opened(output) as target:
            target.write(write(results))
    violated = sum(result.count > 0 for result in results)
    noun = "rule" if len(results) == 1 else "rules"
    print(f"{len(results)} {noun}, {violated} violated", file=sys.stderr)
    if violated:
        raise typer.Exit(VIOLATION_EXIT_CODE)


def _lint(session: CliSession, names: Sequence[str]) -> None:
    """Report the findings on the texts of queries; exit code 11 if there are any."""
    from repoquarry.graphstore.query.query_library import QueryLibrary, read_query_file, read_query_folder
    from repoquarry.graphstore.query.query_lint import lint_query

    if not names:
        raise invalid_field("rules", "no file, folder or name of a query is given")
    shipped = QueryLibrary()
    queries: list[LibraryQuery] = []
    for name in names:
        path = Path(name)
        if path.is_dir():
            queries += read_query_folder(path)
        else:
            queries.append(read_query_file(path) if path.exists() else shipped.require(name))
    found = [(query.name, finding) for query in queries for finding in lint_query(query)]
    if session.as_json:
        session.print_json({"findings": [{"query": name, "finding": finding} for name, finding in found]})
    else:
        for name, finding in found:
            print(f"{name}: {finding}")
    noun = "query" if len(queries) == 1 else "queries"
    print(f"{len(queries)} {noun}, {len(found)} findings", file=sys.stderr)
    if found:
        raise typer.Exit(VIOLATION_EXIT_CODE)


def _check_models(session: CliSession, folders: Sequence[str]) -> None:
    """Report the findings on models of frameworks; exit code 11 if there are any."""
    from repoquarry.ingest.model_check import check_bounded_models

    checked = [(folder, *check_bounded_models(Path(folder), session.settings.ingest)) for folder in folders]
    found = [(folder, finding) for folder, _, findings in checked for finding in findings]
    if session.as_json:
        session.print_json({"findings": [{"folder": folder, "finding": str(finding)} for folder, finding in found]})
    else:
        for _, finding in found:
            print(escape_to_line(str(finding)))
    count = sum(one for _, one, _ in checked)
    print(f"{count} model{'s' * (count != 1)}, {len(found)} findings", file=sys.stderr)
    if found:
        raise typer.Exit(VIOLATION_EXIT_CODE)


def _run_rules(api: Api, rules: Sequence[str], values: Mapping[str, GraphValue]) -> Iterator[RuleResult]:
    """Run the rules. Raises: RequestError for a rule that is missing or lacks the repository, and for an unused parameter."""
    listed = api.queries.list_named_queries(pb.ListNamedQueriesRequest()).queries
    shipped = {query.name: query for query in listed if query.rule}
    found = [query for rule in rules for query in _find_rules(rule, shipped)]
    if not found:
        raise invalid_field("rules", f"no rule is given; write a file, a folder or one of {', '.join(shipped)}")
    known = {one.name for query in found for one in query.parameters}
    if unused := values.keys() - known - {"repository"}:
        raise invalid_field("--param", f"no rule has a parameter ${min(unused)}")
    for query in found:
        own = {one.name for one in query.parameters}
        if "repository" in values and "repository" not in own:
            raise invalid_field(
                "--repository", f"{query.name} has no parameter $repository and covers all repositories"
            )
        yield _run_rule(api, query, {name: value for name, value in values.items() if name in own})


def _find_rules(rule: str, shipped: Mapping[str, pb.NamedQuery]) -> Iterable[pb.NamedQuery | LibraryQuery]:
    from repoquarry.graphstore.query.query_library import read_query_file, read_query_folder

    if rule in shipped:
        return [shipped[rule]]
    path = Path(rule)
    read = list(read_query_folder(path)) if path.is_dir() else [read_query_file(path)] if path.exists() else []
    own = [query for query in read if query.is_rule]
    if not own:
        if read:
            raise invalid_field("rules", f"no rule in {rule!r}; its header needs a line `// rule`")
        raise request_error("NOT_FOUND", f"no rule or file {rule!r}; rules: {', '.join(shipped)}", kind="rule")
    return own


def _run_rule(api: Api, query: pb.NamedQuery | LibraryQuery, values: Mapping[str, GraphValue]) -> RuleResult:
    from repoquarry.graphstore.query.query_library import LibraryQuery
    from repoquarry.server.cli.commands.query import to_values

    if isinstance(query, LibraryQuery):
        request = pb.ExecuteCypherRequest(query=query.text, parameters=to_values(query.bind(values)))
    else:
        request = named_request(query.name, values, None)
    result = QueryResult(iter(api.queries.execute_cypher(request)))
    rows: list[list[str]] = []
    for row in result.rows():
        if len(rows) < _SHOWN_ROWS:
            rows.append([escape_to_line(cell(value)) for value in row])
    summary = result.summary
    warnings = [f"{query.name}: {warning}" for warning in summary.warnings]
    for warning in warnings:
        print(f"warning: {warning}", file=sys.stderr)
    return RuleResult(
        query.name, query.purpose, result.columns, rows, summary.row_count, summary.truncated, warnings, summary.seconds
    )


def _format_text(results: Sequence[RuleResult]) -> str:
    lines = []
    for result in results:
        lines.append(f"{'FAIL' if result.count else 'ok'}  {result.name}: {_format_count(result)}")
        if result.count:
            purpose = fit_text(result.purpose, terminal_width())
            lines += [purpose, format_table(result.columns, result.rows), *_format_rest(result)]
    return "\n".join(lines) + "\n"


def _format_markdown(results: Sequence[RuleResult]) -> str:
    lines = ["| rule | result |", "|---|---|"]
    lines += [f"| `{result.name}` | {_format_count(result)} |" for result in results]
    for result in results:
        if result.count:
            lines += ["", f"### {result.name}", "", _escape(result.purpose), ""]
            lines += [f"| {' | '.join(map(_escape, result.columns))} |", "|" + "---|" * len(result.columns)]
            lines += [f"| {' | '.join(map(_escape, row))} |" for row in result.rows]
            lines += ["", *_format_rest(result)]
    return "\n".join(lines) + "\n"


def _escape(text: str) -> str:
    return "".join(f"\\{char}" if char in "\\`*_{}[]<>#|" else char for char in " ".join(text.split()))


def _format_junit(results: Sequence[RuleResult]) -> str:
    suite = ElementTree.Element(
        "testsuite", name="repoquarry check", tests=str(len(results)), failures=str(sum(r.count > 0 for r in results))
    )
    for result in results:
        case = ElementTree.SubElement(
            suite, "testcase", classname="repoquarry.rules", name=result.name, time=f"{result.seconds:.3f}"
        )
        if result.count:
            failure = ElementTree.SubElement(case, "failure", message=f"{_format_count(result)}: {result.purpose}")
            lines = [", ".join(f"{c}={v}" for c, v in zip(result.columns, row, strict=True)) for row in result.rows]
            failure.text = "\n".join([*lines, *_format_rest(result)])
    ElementTree.indent(suite)
    return ElementTree.tostring(suite, encoding="unicode", xml_declaration=True) + "\n"


def _format_count(result: RuleResult) -> str:
    bound = "at least " if result.truncated else ""
    return f"{bound}{result.count} violation{'' if result.count == 1 else 's'}"


def _format_rest(result: RuleResult) -> list[str]:
    hidden = result.count - len(result.rows)
    return [f"{hidden} more"] if hidden else []


FORMATS = {"text": _format_text, "markdown": _format_markdown, "junit": _format_junit}
