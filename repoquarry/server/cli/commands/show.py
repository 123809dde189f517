"""Command `show`: prints the definitions of a name with source, scores, callers, callees and other relations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import typer

from repoquarry import v1 as pb
from repoquarry.code.records import RelationKind
from repoquarry.graphstore.model.values import count_noun
from repoquarry.operations.render import (
    Table,
    format_kind,
    format_name,
    format_place,
    list_uses,
    relation_tables,
    use_tables,
)
from repoquarry.server.cli.output import AMBIGUOUS_EXIT_CODE, print_source, print_tables
from repoquarry.server.cli.session import (
    REPOSITORIES,
    CliSession,
    argument,
    confidence_option,
    flag,
    how_option,
    one_of,
    option,
    with_session,
)
from repoquarry.server.errors import invalid_field
from repoquarry.server.text_format import format_basis, numbered, short, terminal_width, wrap_text

if TYPE_CHECKING:
    from repoquarry.server.api import Api

_KINDS = ("CALLS", "IMPORTS", "INHERITS", "OVERRIDES", "REFERENCES", "DEPENDS_ON", "DEFINES", "CONTAINS", "UNRESOLVED")
_MAX_ROWS = 20
"""Maximum number of related definitions of a text without --all."""


@with_session
def show_command(
    session: CliSession,
    name: str = argument(..., "Name, dotted name, path, path:line[:column], path::qualname or id.", metavar="SYMBOL"),
    why: bool = flag("--why", "Show the scores and the features behind them."),
    source: bool = flag("--source", "Show the indexed source."),
    callers: bool = flag("--callers", "Show the callers."),
    callees: bool = flag("--callees", "Show the callees."),
    references: bool = flag("--references", "Show every use by file, production code first."),
    owners: bool = flag("--owners", "Show the authors of its file or folder, by git history."),
    relation: str | None = option(
        None, "--relation", f"Follow this relationship: {', '.join(_KINDS)}.", autocompletion=one_of(_KINDS)
    ),
    incoming: bool = flag("--incoming", "Follow --relation against its direction."),
    hops: int = option(1, "--hops", "Maximum number of hops.", min=1, max=10),
    min_confidence: float = confidence_option(0.0),
    how: list[str] | None = how_option(),
    repository: list[str] | None = REPOSITORIES,
    everything: bool = flag("--all", "Print every related definition, not the first 20."),
) -> None:
    """Show what a name refers to; where several things have the name, list them and exit with code 10."""
    wanted = _wanted(callers=callers, callees=callees, relation=relation, incoming=incoming)
    if owners + references + bool(wanted) > 1:
        raise invalid_field("--owners" if owners else "--references", "cannot be combined with relationships")
    with session.api() as api:
        if owners:
            request = pb.ListOwnersRequest(symbol=name, repositories=repository)
            session.render(api.code.list_owners(request), _print_owners)
        elif references:
            _references(session, api, name, repository or [])
        elif not wanted:
            _meanings(session, api, name, repository or [], why=why, source=source)
        else:
            answer = list_relations(api, name, wanted, repository or [], hops, min_confidence, how or [])
            max_rows = _MAX_ROWS * (not everything)
            session.render(answer, lambda shown: _print_relations(shown, wanted, max_rows))


def _wanted(*, callers: bool, callees: bool, relation: str | None, incoming: bool) -> tuple[str, bool] | None:
    """Return the relationship to follow, and whether to follow it against its direction."""
    asked = [("CALLS", True)] * callers + [("CALLS", False)] * callees
    if relation is not None:
        if relation.upper() not in _KINDS:
            raise invalid_field("--relation", f"{relation!r} is not one of {', '.join(_KINDS)}")
        asked.append((relation.upper(), incoming))
    if len(asked) > 1:
        raise invalid_field("--callers", "--callers, --callees and --relation exclude each other")
    return asked[0] if asked else None


def _meanings(session: CliSession, api: Api, name: str, repositories: list[str], *, why: bool, source: bool) -> None:
    from repoquarry.server.value_messages import to_dict

    answer = api.code.resolve_name(pb.ResolveNameRequest(symbol=name, repositories=repositories, page_size=200))
    sources: dict[str, str] = {}
    for meaning in answer.meanings if source and not answer.candidates else ():
        entity = meaning.entity
        if entity.path and entity.start_line:
            request = pb.ReadSourceRequest(
                repository=entity.repository, path=entity.path, start_line=entity.start_line, end_line=entity.end_line
            )
            sources[entity.id] = api.code.read_source(request).text
    if session.as_json:
        body: dict[str, Any] = to_dict(answer)
        for entry in body["meanings"]:
            entry["source"] = sources.get(entry["entity"]["id"])
        session.print_json(body)
    elif answer.candidates:
        _print_candidates(answer, name)
    else:
        for meaning in answer.meanings:
            print(wrap_text("\n".join(_describe(meaning, why=why)), terminal_width()))
            if meaning.entity.id in sources:
                print()
                print_source(sources[meaning.entity.id], meaning.entity.path)
            print()
        print("\n".join(format_basis(answer.basis)))
    if answer.candidates:
        raise typer.Exit(AMBIGUOUS_EXIT_CODE)


def _print_candidates(answer: pb.ResolveNameResponse, name: str) -> None:
    by_id = {meaning.entity.id: meaning.entity for meaning in answer.meanings}
    lines = [
        f"{by_id[id_].kind or by_id[id_].label.lower()}  {id_}" if id_ in by_id else id_ for id_ in answer.candidates
    ]
    print("\n".join((f"{name!r} is ambiguous: {len(lines)} definitions; repeat with the id of one:", *numbered(lines))))


def _describe(meaning: pb.Meaning, *, why: bool) -> list[str]:
    entity = meaning.entity
    lines = [f"{format_kind(entity)} {format_name(entity)}{entity.signature}"]
    lines.append(f"  {format_place(entity)}" + (f"  ({short(entity.repository)})" if entity.repository else ""))
    lines.append(f"  id {entity.id}")
    if meaning.docstring or entity.summary:
        lines.append(f"  {' '.join((meaning.docstring or entity.summary).split())[:300]}")
    if meaning.entry_points:
        lines.append(f"  entry point: {', '.join(meaning.entry_points)}")
    measures = {part.name: part.value for part in meaning.measures}
    if "calls_in" in measures:
        lines.append(
            f"  {measures['calls_in']:.0f} resolved call sites; {meaning.possible_call_sites} unresolved ones call this name"
        )
    if why:
        lines += _why(measures, profile=meaning.score_profile, is_test=entity.is_test)
    for defined in meaning.definitions:
        lines.append(f"  defines {format_kind(defined)} {defined.name}{defined.signature}  {format_place(defined)}")
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
    """Format every feature, the sum of the counted features, and the adjustment by the profile. Unknown profiles have no sum."""
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


def _print_owners(answer: pb.ListOwnersResponse) -> None:
    tables = []
    for meaning in answer.meanings:
        rows = [
            (owner.name, f"{owner.share:.0%}", str(owner.commits), f"{owner.last_commit_time.ToDatetime():%Y-%m-%d}")
            for owner in meaning.owners
        ]
        commits = count_noun(meaning.commits, "commit")
        title = f"{format_name(meaning.entity)}  {format_place(meaning.entity)}  {commits} of its file or folder"
        notes = (f"history: {meaning.history_missing}",) if meaning.history_missing else ()
        tables.append(Table(("NAME", "SHARE", "COMMITS", "LAST"), rows, title, notes, (1, 2)))
    print_tables(tables, answer.basis)


def list_relations(
    api: Api,
    name: str,
    wanted: tuple[str, bool],
    repositories: list[str],
    hops: int = 1,
    min_confidence: float = 0.0,
    how: Sequence[str] = (),
) -> pb.ListRelationsResponse:
    """Return all pages of one kind of relationship as one answer."""
    from repoquarry.server.resource_names import iterate_pages

    request = pb.ListRelationsRequest(
        symbol=name,
        kind=pb.RelationKind.Value(f"RELATION_KIND_{wanted[0]}"),
        direction=pb.DIRECTION_INCOMING if wanted[1] else pb.DIRECTION_OUTGOING,
        hops=hops,
        repositories=repositories,
        min_confidence=min_confidence,
        how=how,
        page_size=1_000,
    )
    pages = iterate_pages(api.code.list_relations, request)
    answer = next(pages)
    for page in pages:
        for entry, more in zip(answer.meanings, page.meanings, strict=True):
            entry.relations.extend(more.relations)
    answer.next_page_token = ""
    return answer


def _references(session: CliSession, api: Api, name: str, repositories: list[str]) -> None:
    from repoquarry.server.value_messages import to_dict

    answer = list_relations(api, name, ("USES", True), repositories)
    if session.as_json:
        rows = [
            {"path": by.path, "line": line, "kinds": kinds.split(", "), "from": by.id, "is_test": by.is_test}
            for by, line, kinds in list_uses(answer.meanings)
        ]
        body: dict[str, Any] = to_dict(answer)
        session.print_json(
            {"definitions": [one["entity"] for one in body["meanings"]], "references": rows, "basis": body["basis"]}
        )
    else:
        print_tables(use_tables(answer.meanings), answer.basis)


def _print_relations(answer: pb.ListRelationsResponse, wanted: tuple[str, bool], max_rows: int) -> None:
    kind, incoming = wanted
    tables = [
        table
        for meaning in answer.meanings
        for table in relation_tables(meaning, RelationKind[kind], incoming=incoming, max_rows=max_rows)
    ]
    print_tables(tables, answer.basis)
