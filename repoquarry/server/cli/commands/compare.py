"""Commands `diff` (two repositories), `duplicates` (equal functions) and `impact` (code and tests that a change affects)."""

from __future__ import annotations

import enum
import re
from pathlib import Path
from typing import TYPE_CHECKING

from repoquarry import v1 as pb
from repoquarry.graphstore.errors import NotFoundError
from repoquarry.graphstore.model.call_views import HIDDEN_BELOW
from repoquarry.graphstore.model.values import count_noun
from repoquarry.graphstore.repository_names import match_repository
from repoquarry.graphstore.search.requests import WithTests
from repoquarry.operations.render import (
    Table,
    count_tests,
    duplicate_table,
    format_kind,
    format_name,
    format_place,
    impact_tables,
    is_titled,
)
from repoquarry.server.cli.output import print_tables
from repoquarry.server.cli.session import (
    CliSession,
    argument,
    confidence_option,
    flag,
    how_option,
    limit_option,
    list_repositories,
    option,
    read_text,
    repositories,
    with_session,
)
from repoquarry.server.errors import invalid_field, request_error
from repoquarry.server.text_format import short

if TYPE_CHECKING:
    from collections.abc import Iterator

    from repoquarry.server.api import Api


@with_session
def diff_command(
    session: CliSession,
    before: str = argument(..., "Id of the earlier repository.", autocompletion=repositories),
    after: str = argument(..., "Id of the later repository.", autocompletion=repositories),
    tests: WithTests = option(WithTests.INCLUDE, "--tests", "Treatment of tests."),
    min_confidence: float = confidence_option(0.5),
    limit: int = limit_option(200, 20_000, "; of each kind of change"),
) -> None:
    """Compare two indexed repositories: definitions added, removed, moved or changed in signature or body, and edges added or removed."""
    request = pb.CompareRepositoriesRequest(
        before=before,
        after=after,
        tests=pb.TestFilter.Value(f"TEST_FILTER_{tests.name}"),
        min_confidence=min_confidence,
        max_definitions=limit,
        max_edges=limit,
    )
    with session.api() as api:
        session.render(api.code.compare_repositories(request), _print_diff)


def _print_diff(answer: pb.CompareRepositoriesResponse) -> None:
    from repoquarry.server.value_messages import format_enum

    edges = [
        (
            "added" if edge.appeared else "removed",
            format_enum(edge, "kind"),
            f"{format_place(edge.start)} {format_name(edge.start)}",
            format_name(edge.end),
            f"{edge.confidence:.2f}",
        )
        for edge in answer.edges
    ]
    counts = answer.counts
    total = (
        f"{counts.added} added, {counts.removed} removed, {counts.moved} moved, {counts.signature_changed} signature changed, "
        f"{counts.body_changed} body changed; "
        f"{count_noun(counts.edges_appeared, 'edge')} added, {counts.edges_gone} removed"
    )
    tables = [
        Table(("CHANGE", "KIND", "PLACE", "NAME", "WHAT"), [*map(_row, answer.definitions)]),
        Table(("EDGE", "KIND", "FROM", "TO", "CONFIDENCE"), edges),
        Table((), (), notes=(total,)),
    ]
    print_tables(tables, answer.basis)


def _row(change: pb.DefinitionChange) -> tuple[str, str, str, str, str]:
    from repoquarry.server.value_messages import format_enum

    before, after = change.before, change.after
    shown = after if change.HasField("after") else before
    what = ""
    if change.HasField("before") and change.HasField("after"):
        parts = []
        if (before.path, before.qualname) != (after.path, after.qualname):
            parts.append(f"from {format_place(before)} {format_name(before)}")
        if change.signature_changed:
            parts.append(
                f"{before.signature} -> {after.signature}" if after.label == "Function" else "other base classes"
            )
        if change.body_changed and format_enum(change, "kind") != "body":
            parts.append("other body")
        what = "; ".join(parts)
    return format_enum(change, "kind"), format_kind(shown), format_place(shown), format_name(shown), what


@with_session
def duplicates_command(
    session: CliSession,
    repository: str = argument(
        "",
        "Only duplicates with a copy in this repository; with --of, the repository of the function.",
        autocompletion=repositories,
    ),
    of: str = option("", "--of", "Function whose copies to find, by any of its names."),
    lines: int = option(10, "--lines", "Without --of: minimum number of lines of the longest copy.", min=1),
    tests: bool = flag("--tests", "Without --of: count tests, too."),
    limit: int = limit_option(50, 200),
) -> None:
    """Find functions with equal text except for comments, documentation, layout and name, longest first.

    Versions of one repository are not duplicates. Without --of, tests and short functions are left out.
    """
    request = pb.FindDuplicatesRequest(repository=repository, symbol=of, min_lines=lines, tests=tests, page_size=limit)
    with session.api() as api:
        session.render(api.code.find_duplicates(request), _print_duplicates)


def _print_duplicates(answer: pb.FindDuplicatesResponse) -> None:
    more = (
        f"the first {count_noun(len(answer.duplicates), 'group')}; more with --limit" if answer.next_page_token else ""
    )
    print_tables([duplicate_table(answer.duplicates), Table((), (), notes=(more,) if more else ())], answer.basis)


class ImpactFormat(enum.StrEnum):
    """Format of the output of `impact`."""

    TEXT = "text"
    JSON = "json"
    MARKDOWN = "markdown"
    JUNIT_LIST = "junit-list"


@with_session
def impact_command(
    session: CliSession,
    repository: str = argument(".", "Repository id, or an indexed folder.", autocompletion=repositories),
    commits: str = option("", "--range", "Two commits of the indexed folder, one of which is indexed.", metavar="A..B"),
    patch: Path | None = option(None, "--patch", "Unified diff whose old side is indexed; `-` reads it from stdin."),
    symbol: list[str] | None = option(None, "--symbol", "Names of the changed definitions."),
    hops: int = option(6, "--hops", "Maximum number of hops.", min=1, max=15),
    min_confidence: float = confidence_option(0.0, "; of a path, 0 means 0.05"),
    how: list[str] | None = how_option(" of a path"),
    limit: int = limit_option(50, 5_000, "; of definitions, and of test files"),
    everything: bool = flag("--all", "Print unlikely dependents as well."),
    output_format: ImpactFormat = option(
        ImpactFormat.TEXT,
        "--format",
        "Output format; markdown is the comment of a pull request, empty where nothing matters; junit-list is one test a line.",
    ),
) -> None:
    """List the definitions that a change affects, here and in dependent repositories, and the tests to run.

    The change defaults to the uncommitted difference of the indexed folder.
    """
    text = ""
    if patch is not None:
        text = read_text(None, None if str(patch) == "-" else patch, "patch")
    with session.api() as api:
        if output_format is ImpactFormat.MARKDOWN:
            if symbol or how:
                reason = "needs a range, a patch or the working tree" if symbol else "contains every call"
                raise invalid_field("--symbol" if symbol else "--how", f"Markdown {reason}")
            change = pb.GetChangeRequest(repository=find_repository_of(api, repository), range=commits, patch=text)
            print(format_change(api.views.get_change(change)))
            return
        request = pb.AnalyzeImpactRequest(
            repository=find_repository_of(api, repository),
            range=commits,
            patch=text,
            symbols=symbol,
            max_hops=hops,
            min_confidence=min_confidence,
            how=how,
            max_affected=limit,
            max_test_files=limit,
        )
        answer = api.code.analyze_impact(request)
    if output_format is ImpactFormat.JUNIT_LIST:
        print("\n".join(_list_tests(answer)))
    elif output_format is ImpactFormat.JSON:
        session.print_json(answer)
    else:
        session.render(answer, lambda shown: _print_impact(shown, 0.0 if everything else HIDDEN_BELOW))


def _list_tests(answer: pb.AnalyzeImpactResponse) -> Iterator[str]:
    """Yield the tests to run as `path::Class::name` or `path::title`, or the path where only the file is known."""
    for file in answer.test_files:
        entities = [test.entity for test in file.tests]
        tests = [[item.name] if is_titled(item) else item.qualname.split(".") for item in entities]
        yield from ["::".join([file.entity.path, *names]) for names in tests] or [file.entity.path]


def find_repository_of(api: Api, wanted: str) -> str:
    """Find a repository by its id, its folder or a folder inside, or its id without a version. Raises: RequestError."""
    sources = {short(found.name): found.source for found in list_repositories(api)}
    if wanted in sources:
        return wanted
    folder = Path(wanted).resolve()
    # A mistyped id is a missing folder; the folder of a server's repository may be missing here.
    above = {str(path) for path in (folder, *(folder.parents if folder.exists() else ()))}
    matching = [id_ for id_, source in sources.items() if source in above]
    if matching:
        return max(matching, key=lambda id_: len(sources[id_]))
    try:
        return match_repository(list(sources), wanted)
    except NotFoundError as exc:
        message = f"{exc}; {folder} is not in an indexed folder" if folder.exists() else str(exc)
        raise request_error("REPOSITORY_NOT_FOUND", message, repository=wanted) from exc


def _print_impact(answer: pb.AnalyzeImpactResponse, least: float) -> None:
    tests = Table((), (), notes=(count_tests(answer),) if answer.changed else ())
    print_tables([*impact_tables(answer, least), tests], answer.basis)


_MAX_CARDS = 5
_MAX_SITES = 5


def format_change(change: pb.GetChangeResponse) -> str:
    """Format the answer line, the first definitions with call sites outside the diff, and the tests to run."""
    figures = change.figures
    if not figures.outside_sites and not figures.signatures:
        return ""
    lines = [
        f"**{count_noun(figures.outside_sites, 'call site')} outside the diff** {'uses' if figures.outside_sites == 1 else 'use'} what changed; "
        f"{count_noun(figures.signatures, 'signature')} changed or removed, {count_noun(figures.reached, 'definition')} reached, "
        f"{count_noun(figures.test_files, 'test file')} {'calls' if figures.test_files == 1 else 'call'} them."
    ]
    cards = [item for item in change.definitions if item.outside_total]
    for item in cards[:_MAX_CARDS]:
        lines += ["", *_format_card(item)]
    if len(cards) > _MAX_CARDS:
        lines += [
            "",
            f"{count_noun(len(cards) - _MAX_CARDS, 'more changed definition')} with call sites outside the diff.",
        ]
    commands = [command for tier in change.tests if tier.name == "close" for command in tier.commands]
    if commands:
        lines += ["", "Tests close to the change:", "", "```sh", *commands, "```"]
    return "\n".join(lines)


def _format_card(item: pb.ChangedDefinition) -> Iterator[str]:
    record = item.after if item.HasField("after") else item.before
    kind = pb.ChangedKind.Name(item.kind).removeprefix("CHANGED_KIND_").lower()
    words = "; ".join(item.parameters_changed) or f"{kind} changed" if kind in ("signature", "body") else kind
    yield f"- {_code(record.qualname)} {_code(f'{record.path}:{record.start_line}')}: {_escape(words)}; {count_noun(item.outside_total, 'call site')}"
    for site in item.outside_sites[:_MAX_SITES]:
        yield f"  - {_code(f'{site.caller.path}:{site.line}')} {_code(site.source_line)}"


def _code(text: str) -> str:
    """Return a code span whose fence no run of backquotes in the text closes."""
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    fence = "`" * (longest + 1)
    space = " " if longest else ""
    return f"{fence}{space}{text}{space}{fence}"


def _escape(text: str) -> str:
    """Escape Markdown outside of code spans."""
    parts = text.split("`")
    return "`".join(
        re.sub(r"([\\*_<>\[\]#|])", r"\\\1", part) if number % 2 == 0 else part for number, part in enumerate(parts)
    )
