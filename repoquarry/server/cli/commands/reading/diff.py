"""`repoquarry diff`: what differs between two stored repositories, usually two versions of one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from repoquarry.server.cli.commands.reading.search import Tests
from repoquarry.server.cli.completion import repositories
from repoquarry.server.cli.session import Session, with_session

if TYPE_CHECKING:
    from repoquarry.v1.code_service_pb2 import CompareRepositoriesResponse, DefinitionChange


@with_session
def command(
    session: Session,
    before: Annotated[str, typer.Argument(help="The earlier one: a repository's id.", autocompletion=repositories)],
    after: Annotated[str, typer.Argument(help="The later one: a repository's id.", autocompletion=repositories)],
    tests: Annotated[Tests, typer.Option("--tests", help="Whether changes of tests are told.")] = Tests.INCLUDE,
    min_confidence: Annotated[
        float, typer.Option("--min-confidence", min=0.0, max=1.0, help="Only edges of at least this confidence.")
    ] = 0.5,
    limit: Annotated[int, typer.Option("--limit", "-n", min=1, max=20_000, help="Changes of each sort to tell.")] = 200,
) -> None:
    """Tell which definitions were added, removed, moved or changed in signature, and which edges appeared or went."""
    from repoquarry.v1 import code_service_pb2 as pb

    request = pb.CompareRepositoriesRequest(
        before=before,
        after=after,
        tests=pb.TestFilter.Value(f"TEST_FILTER_{tests.name}"),
        min_confidence=min_confidence,
        max_definitions=limit,
        max_edges=limit,
    )
    with session.api() as api:
        answer = api.code.compare_repositories(request)
    if session.as_json:
        from repoquarry.server.cli.plain import plain

        session.print_json(plain(answer))
    else:
        _print(answer)


def _print(answer: CompareRepositoriesResponse) -> None:
    from repoquarry.server.text import basis_lines, columns, place, title
    from repoquarry.v1.code_service_pb2 import RelationKind

    if answer.definitions:
        print(columns(("CHANGE", "KIND", "PLACE", "NAME", "WHAT"), [_row(change) for change in answer.definitions]))
    if answer.edges:
        rows = [
            (
                "appeared" if edge.appeared else "went",
                RelationKind.Name(edge.kind).removeprefix("RELATION_KIND_").lower(),
                f"{place(edge.start)} {title(edge.start)}",
                title(edge.end),
                f"{edge.confidence:.2f}",
            )
            for edge in answer.edges
        ]
        print("\n" + columns(("EDGE", "KIND", "FROM", "TO", "CONFIDENCE"), rows))
    counts = answer.counts
    print(
        f"\n{counts.added} added, {counts.removed} removed, {counts.moved} moved, {counts.signature_changed} changed in signature; "
        f"{counts.edges_appeared} edges appeared, {counts.edges_gone} went"
    )
    print("\n".join(basis_lines(answer.basis)))


def _row(change: DefinitionChange) -> tuple[str, str, str, str, str]:
    from repoquarry.server.text import place, title
    from repoquarry.v1.code_service_pb2 import ChangeKind

    before, after = change.before, change.after
    shown = after if change.HasField("after") else before
    what = ""
    if change.HasField("before") and change.HasField("after"):
        parts = []
        if (before.path, before.qualname) != (after.path, after.qualname):
            parts.append(f"from {place(before)} {title(before)}")
        if change.signature_changed:
            parts.append(
                f"{before.signature} -> {after.signature}" if after.label == "Function" else "other base classes"
            )
        what = "; ".join(parts)
    kind = ChangeKind.Name(change.kind)
    return (
        kind.removeprefix("CHANGE_KIND_").lower(),
        shown.kind or shown.label.lower(),
        place(shown),
        title(shown),
        what,
    )
