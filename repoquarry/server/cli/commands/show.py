"""`show`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from repoquarry.server.cli.completion import one_of, repositories
from repoquarry.server.cli.session import CliSession, with_session
from repoquarry.server.errors import invalid_field

if TYPE_CHECKING:
    from repoquarry.server.api import Api
    from repoquarry.v1.code_service_pb2 import ListRelationsResponse, Meaning, ResolveNameResponse
    from repoquarry.v1.entities_pb2 import Entity

_KINDS = ("CALLS", "IMPORTS", "INHERITS", "OVERRIDES", "REFERENCES", "DEPENDS_ON", "DEFINES", "CONTAINS", "UNRESOLVED")


@with_session
def show_command(
    session: CliSession,
    name: Annotated[str, typer.Argument(help="Name, dotted name, path, path:line, path::qualname or id.")],
    why: Annotated[bool, typer.Option("--why", help="Show the scores and the features behind them.")] = False,
    source: Annotated[bool, typer.Option("--source", help="Show the indexed source.")] = False,
    callers: Annotated[bool, typer.Option("--callers", help="Show who calls it.")] = False,
    callees: Annotated[bool, typer.Option("--callees", help="Show what it calls.")] = False,
    owners: Annotated[
        bool, typer.Option("--owners", help="Show who worked on its file or folder, by git history.")
    ] = False,
    relation: Annotated[
        str | None,
        typer.Option(
            "--relation", help=f"Follow this relationship: {', '.join(_KINDS)}.", autocompletion=one_of(_KINDS)
        ),
    ] = None,
    incoming: Annotated[bool, typer.Option("--incoming", help="Follow --relation against its direction.")] = False,
    hops: Annotated[int, typer.Option("--hops", min=1, max=10, help="How far to follow.")] = 1,
    min_confidence: Annotated[
        float, typer.Option("--min-confidence", min=0, max=1, help="Leave out less certain relationships.")
    ] = 0.0,
    repository: Annotated[
        list[str] | None, typer.Option("--repository", "-r", help="Only in these.", autocompletion=repositories)
    ] = None,
) -> None:
    """Show what a name means; a name that means several things is answered with all of them."""
    wanted = _wanted(callers=callers, callees=callees, relation=relation, incoming=incoming)
    if owners and wanted:
        raise invalid_field("--owners", "--owners and relationships exclude each other")
    with session.api() as api:
        if owners:
            _owners(session, api, name, repository or [])
        elif not wanted:
            _meanings(session, api, name, repository or [], why=why, source=source)
        else:
            _relations(session, api, name, wanted, hops, min_confidence, repository or [])


def _wanted(*, callers: bool, callees: bool, relation: str | None, incoming: bool) -> tuple[str, bool] | None:
    """The relationship to follow and whether against its direction."""
    asked = [("CALLS", True)] * callers + [("CALLS", False)] * callees
    if relation is not None:
        if relation.upper() not in _KINDS:
            raise invalid_field("--relation", f"{relation!r} is not one of {', '.join(_KINDS)}")
        asked.append((relation.upper(), incoming))
    if len(asked) > 1:
        raise invalid_field("--callers", "--callers, --callees and --relation exclude each other")
    return asked[0] if asked else None


def _meanings(session: CliSession, api: Api, name: str, repositories: list[str], *, why: bool, source: bool) -> None:
    from repoquarry.server.cli.message_dict import to_dict
    from repoquarry.server.text_format import format_basis
    from repoquarry.v1.code_service_pb2 import ReadSourceRequest, ResolveNameRequest

    answer = api.code.resolve_name(ResolveNameRequest(symbol=name, repositories=repositories, page_size=200))
    sources: dict[str, str] = {}
    for meaning in answer.meanings if source else ():
        entity = meaning.entity
        if entity.path and entity.start_line:
            request = ReadSourceRequest(
                repository=entity.repository, path=entity.path, start_line=entity.start_line, end_line=entity.end_line
            )
            sources[entity.id] = api.code.read_source(request).text
    if session.as_json:
        body: dict[str, Any] = to_dict(answer)
        for entry in body["meanings"]:
            entry["source"] = sources.get(entry["entity"]["id"])
        session.print_json(body)
        return
    for meaning in answer.meanings:
        print("\n".join(_describe(meaning, why=why)))
        if meaning.entity.id in sources:
            print("\n" + sources[meaning.entity.id])
        print()
    _print_count(answer)
    print("\n".join(format_basis(answer.basis)))


def _print_count(answer: ResolveNameResponse) -> None:
    if answer.total > len(answer.meanings):
        print(f"{answer.total} meanings, {len(answer.meanings)} shown: narrow it with a longer name or --repository")
    elif answer.total > 1:
        print(f"{answer.total} meanings")


def _describe(meaning: Meaning, *, why: bool) -> list[str]:
    from repoquarry.server.text_format import format_location, format_name, short

    entity = meaning.entity
    lines = [f"{entity.kind or entity.label.lower()} {format_name(entity)}{entity.signature}"]
    lines.append(f"  {format_location(entity)}" + (f"  ({short(entity.repository)})" if entity.repository else ""))
    lines.append(f"  id {entity.id}")
    if meaning.docstring or entity.summary:
        lines.append(f"  {' '.join((meaning.docstring or entity.summary).split())[:300]}")
    if meaning.entry_points:
        lines.append(f"  reached from outside: {', '.join(meaning.entry_points)}")
    measures = {part.name: part.value for part in meaning.measures}
    if "calls_in" in measures:
        lines.append(
            f"  {measures['calls_in']:.0f} resolved call sites; {meaning.possible_call_sites} unresolved ones call this name"
        )
    if why:
        lines += _why(measures, profile=meaning.score_profile, is_test=entity.is_test)
    for defined in meaning.definitions:
        lines.append(
            f"  defines {defined.kind or defined.label.lower()} {defined.name}{defined.signature}  {format_location(defined)}"
        )
    return lines


def _why(measures: dict[str, float], *, profile: str, is_test: bool) -> list[str]:
    from repoquarry.graphstore.model.score_profiles import FEATURES

    lines = []
    if "importance" in measures:
        lines.append(f"  importance {measures['importance']:.3f}" + (f" by profile {profile}" if profile else ""))
    features = {name: measures[name] for name in FEATURES if name in measures}
    if features:
        lines += _sum(features, profile, is_test=is_test)
    rest = {name: value for name, value in measures.items() if name not in (*FEATURES, "importance")}
    if rest:
        lines.append("  " + ", ".join(f"{name} {value:g}" for name, value in rest.items()))
    return lines


def _sum(features: dict[str, float], name: str, *, is_test: bool) -> list[str]:
    """Every feature, the sum of those that count, and what the profile does to it; a profile of a newer server is not explained."""
    from repoquarry.graphstore.model.score_profiles import PROFILES

    profile = PROFILES.get(name)
    counts = profile.features if profile else tuple(features)
    lines = [
        f"    {feature:<14}{value:8.3f}" + ("" if feature in counts else "  (not counted)")
        for feature, value in features.items()
    ]
    if profile is None:
        return lines
    total = profile.total(features)
    lines.append(f"    {'sum':<14}{total:8.3f}")
    if profile.most and total > profile.most:
        lines[-1] += f"  (at most {profile.most:g} counts)"
    if is_test and profile.share_of_tests != 1.0:
        lines[-1] += f"  (times {profile.share_of_tests:g}: it holds tests)"
    return lines


def _owners(session: CliSession, api: Api, name: str, repositories: list[str]) -> None:
    from repoquarry.server.cli.message_dict import to_dict
    from repoquarry.server.text_format import format_basis, format_location, format_name, format_table
    from repoquarry.v1.code_service_pb2 import ListOwnersRequest

    answer = api.code.list_owners(ListOwnersRequest(symbol=name, repositories=repositories))
    if session.as_json:
        session.print_json(to_dict(answer))
        return
    for meaning in answer.meanings:
        print(
            f"{format_name(meaning.entity)}  {format_location(meaning.entity)}  {meaning.commits} commits of its file or folder"
        )
        rows = [
            (
                owner.name,
                f"{owner.share:.0%}",
                str(owner.commits),
                owner.last_commit_time.ToDatetime().date().isoformat(),
            )
            for owner in meaning.owners
        ]
        if rows:
            table = format_table(("NAME", "SHARE", "COMMITS", "LAST"), rows, right=(1, 2))
            print("\n".join(f"  {line}" for line in table.split("\n")))
        if meaning.history_missing:
            print(f"  history: {meaning.history_missing}")
        print()
    print("\n".join(format_basis(answer.basis)))


def _relations(
    session: CliSession,
    api: Api,
    name: str,
    wanted: tuple[str, bool],
    hops: int,
    min_confidence: float,
    repositories: list[str],
) -> None:
    from repoquarry.server.cli.message_dict import to_dict
    from repoquarry.server.text_format import format_basis
    from repoquarry.v1 import code_service_pb2 as pb

    kind, incoming = wanted
    request = pb.ListRelationsRequest(
        symbol=name,
        kind=pb.RelationKind.Value(f"RELATION_KIND_{kind}"),
        direction=pb.DIRECTION_INCOMING if incoming else pb.DIRECTION_OUTGOING,
        hops=hops,
        repositories=repositories,
        min_confidence=min_confidence,
        page_size=1_000,
    )
    answer = api.code.list_relations(request)
    while answer.next_page_token:
        request.page_token = answer.next_page_token
        page = api.code.list_relations(request)
        for entry, more in zip(answer.meanings, page.meanings, strict=True):
            entry.relations.extend(more.relations)
        answer.next_page_token = page.next_page_token
    if session.as_json:
        session.print_json(to_dict(answer))
        return
    _print_relations(answer, kind, incoming=incoming)
    print("\n".join(format_basis(answer.basis)))


def _where(other: Entity, known: Entity) -> str:
    """The place of something that was reached, with its repository where that is another one."""
    from repoquarry.server.text_format import format_location, short

    elsewhere = other.repository and other.repository != known.repository
    return f"{short(other.repository)}: {format_location(other)}" if elsewhere else format_location(other)


def _print_relations(answer: ListRelationsResponse, kind: str, *, incoming: bool) -> None:
    from repoquarry.server.text_format import format_evidence, format_location, format_name, format_table

    for meaning in answer.meanings:
        entity = meaning.entity
        print(f"{entity.kind or entity.label.lower()} {format_name(entity)}  {format_location(entity)}")
        print(f"  {'reached by' if incoming else 'reaches'} {meaning.total} through {kind}")
        rows = [
            (
                str(item.hops),
                _where(item.entity, entity),
                format_name(item.entity),
                str(item.site.count),
                format_evidence(item.site),
            )
            for item in meaning.relations
        ]
        if rows:
            table = format_table(("HOPS", "PLACE", "NAME", "SITES", "HOW"), rows, right=(0, 3))
            print("\n".join(f"  {line}" for line in table.split("\n")))
        if meaning.possible:
            print(f"  {len(meaning.possible)} more might: they call something of this name that could not be resolved")
            for item in meaning.possible[:20]:
                print(f"    {format_location(item.entity)}  {format_name(item.entity)}  {format_evidence(item.site)}")
        print()
