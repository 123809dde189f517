"""Command `show`: prints the definitions of a name with source, scores, callers, callees and other relations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import typer

from repoquarry import v1 as pb
from repoquarry.graphstore.model.call_views import is_hidden
from repoquarry.graphstore.model.values import count_noun
from repoquarry.languages.registry import unknown_calls
from repoquarry.server.cli.output import AMBIGUOUS_EXIT_CODE, print_source
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
from repoquarry.server.text_format import (
    format_basis,
    format_evidence,
    format_location,
    format_name,
    format_table,
    numbered,
    short,
    terminal_width,
    wrap_text,
)

if TYPE_CHECKING:
    from repoquarry.server.api import Api

_KINDS = ("CALLS", "IMPORTS", "INHERITS", "OVERRIDES", "REFERENCES", "DEPENDS_ON", "DEFINES", "CONTAINS", "UNRESOLVED")
_MAX_ROWS, _MAX_FILES = 20, 8
"""Limits of a text without --all: related definitions, and files that are named for the others."""


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
            session.render(answer, lambda shown: _print_relations(shown, wanted[0], max_rows, incoming=wanted[1]))


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
    lines = [f"{entity.kind or entity.label.lower()} {format_name(entity)}{entity.signature}"]
    lines.append(f"  {format_location(entity)}" + (f"  ({short(entity.repository)})" if entity.repository else ""))
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
    for meaning in answer.meanings:
        place = f"{format_name(meaning.entity)}  {format_location(meaning.entity)}"
        print(f"{place}  {count_noun(meaning.commits, 'commit')} of its file or folder")
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
            print(format_table(("NAME", "SHARE", "COMMITS", "LAST"), rows, right=(1, 2), indent=2))
        if meaning.history_missing:
            print(f"  history: {meaning.history_missing}")
        print()
    print("\n".join(format_basis(answer.basis)))


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


_USES = {
    "RELATION_KIND_CALLS": "call",
    "RELATION_KIND_REFERENCES": "reference",
    "RELATION_KIND_INHERITS": "base class",
    "RELATION_KIND_IMPORTS": "import",
}
"""Kind of use of a relationship that has none of its own."""


def _references(session: CliSession, api: Api, name: str, repositories: list[str]) -> None:
    from repoquarry.server.value_messages import to_dict

    answer = list_relations(api, name, ("USES", True), repositories)
    uses = [
        (item.entity, line, ", ".join(item.site.kinds) or _USES[pb.RelationKind.Name(item.kind)])
        for meaning in answer.meanings
        for item in meaning.relations
        for line in item.site.lines or [item.entity.start_line]
    ]
    uses.sort(key=lambda use: (use[0].is_test, use[0].path, use[1], use[0].id, use[2]))
    entities = [meaning.entity for meaning in answer.meanings]
    if session.as_json:
        rows = [
            {"path": by.path, "line": line, "kinds": kinds.split(", "), "from": by.id, "is_test": by.is_test}
            for by, line, kinds in uses
        ]
        body: dict[str, Any] = to_dict(answer)
        session.print_json(
            {"definitions": [one["entity"] for one in body["meanings"]], "references": rows, "basis": body["basis"]}
        )
        return
    for entity in entities:
        print(f"{entity.kind or entity.label.lower()} {format_name(entity)}  {format_location(entity)}")
    files = list(dict.fromkeys((by.path, by.is_test) for by, _, _ in uses))
    print(f"  {count_noun(len(uses), 'use')} in {count_noun(len(files), 'file')}")
    for path, is_test in files:
        print(f"\n{path}{'  (test)' if is_test else ''}")
        table = [
            (str(line), kinds, format_name(by) if by.qualname else "module")
            for by, line, kinds in uses
            if by.path == path
        ]
        print(format_table(("LINE", "USE", "IN"), table, right=(0,), indent=2))
    print()
    print("\n".join(format_basis(answer.basis)))


def _is_unlikely(site: pb.Site) -> bool:
    return site.HasField("confidence") and is_hidden(site.how, site.targets, site.confidence)


def _where(other: pb.Entity, known: pb.Entity) -> str:
    """Format the place of a related entity, with its repository if that differs."""
    elsewhere = other.repository and other.repository != known.repository
    return f"{short(other.repository)}: {format_location(other)}" if elsewhere else format_location(other)


def _print_relations(answer: pb.ListRelationsResponse, kind: str, max_rows: int, *, incoming: bool) -> None:
    for meaning in answer.meanings:
        entity = meaning.entity
        print(f"{entity.kind or entity.label.lower()} {format_name(entity)}  {format_location(entity)}")
        if meaning.total or kind != "CALLS" or not unknown_calls([entity.path]):
            print(f"  {'reached by' if incoming else 'reaches'} {meaning.total} through {kind}")
        every = sorted(meaning.relations, key=lambda item: (item.hops, item.entity.is_test))
        related = [item for item in every if not max_rows or not _is_unlikely(item.site)]
        shown = related[: max_rows or None]
        rows = [
            (
                str(item.hops),
                _where(item.entity, entity),
                format_name(item.entity),
                str(item.site.count),
                format_evidence(item.site),
            )
            for item in shown
        ]
        if rows:
            print(format_table(("HOPS", "PLACE", "NAME", "SITES", "HOW"), rows, right=(0, 3), indent=2))
        if len(shown) < len(related):
            files = Counter(item.entity.path for item in related[len(shown) :]).most_common(_MAX_FILES)
            print(
                f"  {len(shown)} of {len(related)}; --all prints the others: {', '.join(f'{path} ({n})' for path, n in files)}, …"
            )
        if unlikely := len(every) - len(related):
            print(f"  {count_noun(unlikely, 'unlikely call')} hidden; --all prints them")
        if meaning.possible:
            print(f"  {len(meaning.possible)} possible: unresolved calls of this name")
            for item in meaning.possible[:20]:
                print(f"    {format_location(item.entity)}  {format_name(item.entity)}  {format_evidence(item.site)}")
        print()
    print("\n".join(format_basis(answer.basis)))
