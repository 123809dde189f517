"""Static analysis of a Cypher query: finds the repositories whose graphs the query can read, from its text and parameters.

An engine with a graph per repository loads only those. The analysis is conservative: a pattern without a literal repository, node id or
parameter as anchor, or one that may reach another repository in a way that is not modeled here, widens the scope to all repositories.
The result also has the number of steps over links between repositories.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeVar

from repoquarry.graphstore.errors import QueryRefusedError
from repoquarry.graphstore.model.schema import NODE_LABELS, RELATIONSHIP_TYPES
from repoquarry.graphstore.query.cypher.syntax import ast
from repoquarry.graphstore.query.cypher.syntax.parser import parse
from repoquarry.graphstore.query.cypher.syntax.visitor import (
    children,
    iterate_nodes,
    local_names,
    plain_names,
    split_equality,
)
from repoquarry.graphstore.query.shipped_scopes import Anchors, ScopeAnalysis

_T = TypeVar("_T")
Parameters = Mapping[str, ast.Parameter]
"""Variables that hold an element of a parameter."""


class AnchorCollector(Anchors):
    """Collector of the anchors of a query's patterns, and of the variables connected to an anchor."""

    def hold(self, query: ast.Query, tied: frozenset[str], elements: Parameters) -> bool:
        """Return whether every pattern has an anchor, given the variables that are connected already."""
        return all(self._part(part, tied, elements) for part in query.parts)

    def _part(self, part: ast.SingleQuery, tied: frozenset[str], elements: Parameters) -> bool:
        for clause in part.clauses:
            held: frozenset[str] | None = tied
            if isinstance(clause, ast.Match):
                held = self._match(clause.patterns, clause.where, tied, elements)
            elif isinstance(clause, ast.Unwind):
                elements = _without(elements, {clause.variable})
                if isinstance(clause.source, ast.Parameter):
                    elements = {**elements, clause.variable: clause.source}
            elif isinstance(clause, ast.CallSubquery):
                held = tied | _found(clause.query) if self._call(clause, tied, elements) else None
            if held is None or not self._inner(clause, held, elements):
                return False
            tied = held
            if isinstance(clause, ast.Projection):
                tied, elements = frozenset(_projected(clause, dict.fromkeys(tied))), _projected(clause, elements)
        return True

    def _call(self, clause: ast.CallSubquery, tied: frozenset[str], elements: Parameters) -> bool:
        """Return whether the patterns of a CALL have anchors: it sees only the variables that it imports."""
        return all(
            self._part(part, tied & imports, _without(elements, elements.keys() - imports))
            for part in clause.query.parts
            for imports in [_imported(clause, part, tied | elements.keys())]
        )

    def _match(
        self,
        patterns: Iterable[ast.PathPattern],
        where: ast.Expression | None,
        tied: frozenset[str],
        elements: Parameters,
    ) -> frozenset[str] | None:
        """Return the variables connected after a MATCH; None if one of its paths has no anchor."""
        waiting, held = list(patterns), set(tied)
        everything = [element for path in waiting for element in path.elements]
        own = {
            e.variable for e in everything if isinstance(e, ast.NodePattern) and plain_names(e.labels) == {"Repository"}
        }
        for condition in (where, *(element.where for element in everything)):
            held |= self._compared(condition, own, held, elements)
        while waiting:
            hanging = [path for path in waiting if held & _variables(path) or self._written(path, elements)]
            if not hanging:
                return None
            for path in hanging:
                held |= _variables(path)
            waiting = [path for path in waiting if path not in hanging]
        return frozenset(held)

    def _inner(self, node: ast.Node, tied: frozenset[str], elements: Parameters) -> bool:
        """Return whether the patterns inside the expressions of a clause have anchors too."""
        renamed = frozenset[str]()
        if isinstance(node, ast.Projection):  # Its WHERE and ORDER BY see the new names.
            renamed = frozenset(item.alias for item in node.items if item.alias is not None)
        for child in children(node):
            inside = tied
            if not isinstance(child, ast.Item):
                inside, elements = tied - renamed, _without(elements, renamed)
            if isinstance(child, ast.Query):  # The query of a CALL, which was checked already.
                continue
            if isinstance(child, ast.Subquery):
                if not self.hold(child.query, inside, elements):
                    return False
                continue
            if isinstance(child, ast.PatternComprehension | ast.PatternPredicate):
                where = child.where if isinstance(child, ast.PatternComprehension) else None
                held = self._match([child.pattern], where, inside, elements)
                if held is None:
                    return False
                inside = held
            local = local_names(child) if isinstance(child, _WITH_VARIABLES) else frozenset()
            if not self._inner(child, inside - local, _without(elements, local)):
                return False
        return True

    def _written(self, path: ast.PathPattern, elements: Parameters) -> bool:
        """Return whether a node of the path has its repository or id in its map, which is recorded."""
        found = False
        for element in path.elements:
            if not isinstance(element, ast.NodePattern) or not isinstance(element.properties, ast.MapLiteral):
                continue
            own = plain_names(element.labels) == {"Repository"}
            for key, value in element.properties.entries:
                found |= key in ("repository", "id") and self._take(value, key == "repository" or own, elements)
        return found

    def _compared(
        self, condition: ast.Expression | None, own: Set[str | None], tied: Set[str], elements: Parameters
    ) -> frozenset[str]:
        """Return the variables whose repository or id the condition fixes; the compared values are recorded."""
        if isinstance(condition, ast.Binary) and condition.operator == "AND":
            sides = [self._compared(side, own, tied, elements) for side in (condition.left, condition.right)]
            return sides[0] | sides[1]
        if isinstance(condition, ast.Binary) and condition.operator == "OR":
            condition = _unless_empty(condition)
        pairs: list[tuple[ast.Expression, ast.Expression]] = []
        if isinstance(condition, ast.Binary) and condition.operator == "IN":
            pairs = [(condition.left, condition.right)]
        elif condition is not None and (equal := split_equality(condition)):
            pairs = [(equal[0], equal[1]), (equal[1], equal[0])]
        found = set()
        for asked, value in pairs:
            name, repository = _asked(asked, own)
            if name is None:
                continue
            other, same = _asked(value, own)
            if (repository and same and other in tied) or self._take(value, repository, elements):
                found.add(name)
        return frozenset(found)

    def _take(self, value: ast.Expression, repository: bool, elements: Parameters) -> bool:
        """Record a literal or a parameter; return whether the value is one."""
        if isinstance(value, ast.Property) and value.key == "id":  # A hit of a search is a map.
            value = value.subject
        if isinstance(value, ast.Variable) and value.name in elements:
            value = elements[value.name]
        if isinstance(value, ast.ListLiteral):
            return all(self._take(item, repository, elements) for item in value.items)
        if isinstance(value, ast.Parameter):
            (self.repository_parameters if repository else self.node_parameters).add(value.name)
            return True
        if isinstance(value, ast.Literal) and isinstance(value.value, str):
            (self.repositories if repository else self.nodes).add(value.value)
            return True
        return False


_WITH_VARIABLES = ast.ListComprehension | ast.Quantifier | ast.Reduce
"""Expressions with variables of their own, which may hide outer ones of the same name."""


def _without(mapping: Mapping[str, _T], names: Set[str]) -> dict[str, _T]:
    return {name: value for name, value in mapping.items() if name not in names}


def _imported(clause: ast.CallSubquery, part: ast.SingleQuery, names: Set[str]) -> Set[str]:
    """Return the outer variables that a part of the query of a CALL sees."""
    if clause.import_all:
        return names
    if clause.imports is not None:
        return {*clause.imports}
    first = part.clauses[0]
    return names if isinstance(first, ast.Projection) and not first.is_return else set()


def _asked(node: ast.Expression, own: Set[str | None]) -> tuple[str | None, bool]:
    """Return the variable whose repository or id an expression is, and whether it is the repository. `own`: repositories themselves."""
    if not isinstance(node, ast.Property) or not isinstance(node.subject, ast.Variable):
        return None, False
    if node.key not in ("repository", "id"):
        return None, False
    return node.subject.name, node.key == "repository" or node.subject.name in own


def _unless_empty(condition: ast.Binary) -> ast.Expression | None:
    """Return `other` of `$p = '' OR other = $p`, which a scope treats as all repositories if the parameter is empty."""
    empty, other = condition.left, condition.right
    for side, rest in ((empty, other), (other, empty)):
        if not isinstance(side, ast.Comparison) or not isinstance(rest, ast.Comparison):
            continue
        asked = set(side.operands)
        parameters = {node for node in asked if isinstance(node, ast.Parameter)}
        if asked == parameters | {ast.Literal("")} and side.rest[0][0] == "=" and len(parameters) == 1:
            return rest if parameters & {*rest.operands} else None
    return None


def _variables(path: ast.PathPattern) -> frozenset[str]:
    return frozenset(element.variable for element in path.elements if element.variable is not None)


def _found(query: ast.Query) -> frozenset[str]:
    """Return the variables that a subquery of a search yields: its nodes are anchored by their ids."""
    clauses = query.parts[0].clauses if len(query.parts) == 1 else ()
    first, last = (clauses[0], clauses[-1]) if clauses else (None, None)
    if not isinstance(first, ast.Unwind) or first.search is None or not isinstance(last, ast.Projection):
        return frozenset()
    return frozenset(item.alias for item in last.items if item.alias is not None)


def _projected(clause: ast.Projection, held: Mapping[str, _T]) -> dict[str, _T]:
    """Return the variables that are unchanged after a WITH, by their new names."""
    kept = dict(held) if clause.star else {}
    for item in clause.items:
        if item.name is not None:
            kept.pop(item.name, None)
            if isinstance(item.expression, ast.Variable) and item.expression.name in held:
                kept[item.name] = held[item.expression.name]
    return kept


_DIRECTORY = frozenset({"Repository", "Package"})
_BETWEEN = frozenset({"PROVIDES", "DEPENDS_ON"})
_LINKED = frozenset({"External", "Module", "Class", "Function"})
"""Labels of the ends of links between repositories."""

_CACHED_QUERIES = 1024


@lru_cache(maxsize=_CACHED_QUERIES)
def analyze_text_scope(text: str) -> ScopeAnalysis:
    """Analyze a query text; one that the grammar does not accept is about all repositories."""
    try:
        return analyze_scope(parse(text))
    except QueryRefusedError:
        return ScopeAnalysis()


def analyze_scope(query: ast.Query) -> ScopeAnalysis:
    """Analyze the location of a query's matches."""
    directory = _is_directory(list(iterate_nodes(query)))
    crossings = [_links(list(iterate_nodes(part))) for part in query.parts]
    links = None if None in crossings else max(count or 0 for count in crossings)
    found = AnchorCollector()
    if links is None or not found.hold(query, frozenset(), {}):
        return ScopeAnalysis(directory=directory)
    return ScopeAnalysis(found, directory, links)


def _is_directory(nodes: Sequence[ast.Node]) -> bool:
    """Return whether only repositories and packages are matched, all by label, with the relationships between them."""
    matched = [node for node in nodes if isinstance(node, ast.NodePattern)]
    if not matched or not all(plain_names(node.labels) and plain_names(node.labels) <= _DIRECTORY for node in matched):
        return False
    steps = [step for path in nodes if isinstance(path, ast.PathPattern) for step in _steps(path)]
    return all(types and types <= _BETWEEN for types in (_types(*step) for step in steps))


def _links(nodes: Sequence[ast.Node]) -> int | None:
    """Return the number of steps that follow a link between repositories; None if the query may cross in another way."""
    links = 0
    names = _names(nodes)
    paths = [node for node in nodes if isinstance(node, ast.PathPattern)]
    for path in paths:
        for before, step, after in _steps(path):
            types = _types(before, step, after)
            if not types:
                return None
            if not types & _BETWEEN:
                continue
            ends = [plain_names(before.labels), plain_names(after.labels)]
            if types == {"DEPENDS_ON"} and {"Module"} in ends:
                continue
            if step.length is None and types == {"PROVIDES"} and any(end and end <= _LINKED for end in ends):
                links += 1
            elif not _ends_at_package(path, before, step, after, names):
                return None
    return links


def _steps(path: ast.PathPattern) -> Iterator[tuple[ast.NodePattern, ast.RelationshipPattern, ast.NodePattern]]:
    return zip(path.nodes, path.steps, path.nodes[1:], strict=False)


def _types(before: ast.NodePattern, step: ast.RelationshipPattern, after: ast.NodePattern) -> frozenset[str]:
    """Return the types that a step can have: written ones, otherwise those of the schema between its ends; empty for any."""
    if step.types is not None or step.length is not None:
        return plain_names(step.types)
    one, other = plain_names(before.labels), plain_names(after.labels)
    if not one or not other or not one | other <= NODE_LABELS.keys():
        return frozenset()
    return frozenset(
        kind.name
        for kind in RELATIONSHIP_TYPES.values()
        if (one & {*kind.start} and other & {*kind.end}) or (other & {*kind.start} and one & {*kind.end})
    )


@dataclass(frozen=True)
class _Names:
    """Names that a query binds."""

    pattern_uses: Counter[str]
    """Number of node patterns of each name."""
    others: Counter[str]
    """Number of other bindings of each name: by WITH, UNWIND, and variables of expressions."""
    elements: frozenset[str]
    """Names that UNWIND binds to an element of a parameter."""

    def is_last(self, path: ast.PathPattern, node: ast.NodePattern) -> bool:
        """Return whether every match of a node ends there: it is an end of its path, and in no other pattern under any name."""
        is_end = node is path.nodes[0] or node is path.nodes[-1]
        return (
            is_end and not self.others.keys() & self.pattern_uses.keys() and self.pattern_uses[node.variable or ""] <= 1
        )

    def widens(self, node: ast.NodePattern) -> bool:
        """Return whether a node has an id that an anchor records, so that the id of a package widens the scope."""
        written = node.properties.entries if isinstance(node.properties, ast.MapLiteral) else ()
        return any(key == "id" and self._is_recorded(value) for key, value in written)

    def _is_recorded(self, value: ast.Expression) -> bool:
        if isinstance(value, ast.Variable):
            return value.name in self.elements and self.others[value.name] == 1
        return isinstance(value, ast.Literal | ast.Parameter)


def _names(nodes: Sequence[ast.Node]) -> _Names:
    unwound = [node for node in nodes if isinstance(node, ast.Unwind)]
    others = Counter(node.variable for node in unwound)
    others.update(node.alias for node in nodes if isinstance(node, ast.Item) and node.alias is not None)
    for node in nodes:
        if isinstance(node, _WITH_VARIABLES):
            others.update(local_names(node))
    return _Names(
        Counter(node.variable for node in nodes if isinstance(node, ast.NodePattern) and node.variable),
        others,
        frozenset(node.variable for node in unwound if isinstance(node.source, ast.Parameter)),
    )


def _ends_at_package(
    path: ast.PathPattern, before: ast.NodePattern, step: ast.RelationshipPattern, after: ast.NodePattern, names: _Names
) -> bool:
    """Return whether a step from a repository to a package ends there, or the package has an id that widens the scope."""
    return step.length is None and any(
        (plain_names(repository.labels) == {"Repository"} and names.is_last(path, package))
        or (plain_names(package.labels) == {"Package"} and names.widens(package))
        for repository, package in ((before, after), (after, before))
    )
