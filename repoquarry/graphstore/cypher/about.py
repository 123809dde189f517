"""What a query is about, as far as its text says: labels, relationship types, repositories and names that it asks for."""

from __future__ import annotations

from dataclasses import dataclass

from repoquarry.graphstore.cypher import ast
from repoquarry.graphstore.cypher.walk import walk

_FOLLOWS_CALLS = frozenset({"CALLS", "UNRESOLVED"})
_REPOSITORY = ast.LabelName("Repository")
_COUNTS_CALLS = frozenset({"calls_in", "calls_out"})


@dataclass(frozen=True)
class About:
    """What a query names. Values that come by parameter or from the graph are named by their property or parameter only.

    `repositories` are the ids of repositories that everything it matches must belong to, as far as they are written out, and
    `repository_parameters` the parameters that hold such ids (or lists of them). Both are empty when it may draw from any.
    """

    labels: frozenset[str]
    relationship_types: frozenset[str]
    any_relationship: bool
    """Whether it follows relationships of any type."""

    literals: tuple[str, ...]
    """Texts that it writes out, each once, in the order of the query."""

    parameters: frozenset[str]
    repositories: frozenset[str]
    repository_parameters: frozenset[str]
    properties: frozenset[str]

    @property
    def calls(self) -> bool:
        """Whether it looks at calls, so that a call that was not resolved may be missing from its answer."""
        return self.any_relationship or bool(
            self.relationship_types & _FOLLOWS_CALLS or self.properties & _COUNTS_CALLS
        )


def about(query: ast.Query) -> About:
    """What the query as written is about."""
    nodes = list(walk(query))
    labels: set[str] = set()
    kinds: set[str] = set()
    any_relationship = False
    for node in nodes:
        if isinstance(node, ast.NodePattern | ast.HasLabels) and node.labels is not None:
            labels.update(_names(node.labels))
        elif isinstance(node, ast.RelationshipPattern) and node.group is None:
            any_relationship |= node.types is None or not _plain(node.types)
            kinds.update(_names(node.types) if node.types is not None else ())
    repositories, parameters = _repositories(query, nodes)
    return About(
        labels=frozenset(labels),
        relationship_types=frozenset(kinds),
        any_relationship=any_relationship,
        literals=tuple(
            dict.fromkeys(n.value for n in nodes if isinstance(n, ast.Literal) and isinstance(n.value, str))
        ),
        parameters=frozenset(node.name for node in nodes if isinstance(node, ast.Parameter)),
        repositories=repositories,
        repository_parameters=parameters,
        properties=frozenset(node.key for node in nodes if isinstance(node, ast.Property)),
    )


def _names(labels: ast.LabelExpression) -> list[str]:
    return [node.name for node in walk(labels) if isinstance(node, ast.LabelName)]


def _plain(types: ast.LabelExpression) -> bool:
    """Whether it is a choice of names: `!A` and `%` stand for any other type."""
    return all(isinstance(node, ast.LabelName | ast.LabelOr) for node in walk(types))


def _repositories(query: ast.Query, nodes: list[ast.Node]) -> tuple[frozenset[str], frozenset[str]]:
    """Ids that everything matched must belong to, and parameters that hold such ids; empty where it may draw from any."""
    if any(isinstance(node, ast.RelationshipPattern) and _crosses(node) for node in nodes):
        return frozenset(), frozenset()
    found: set[str] = set()
    parameters: set[str] = set()
    for part in query.parts:
        values = _values_of(part)
        if not values:
            return frozenset(), frozenset()
        for value in values:
            _take(value, found, parameters)
    return frozenset(found), frozenset(parameters)


def _crosses(step: ast.RelationshipPattern) -> bool:
    """Whether it can lead towards another repository: over a package that one provides and another needs."""
    if step.group is not None:
        return False  # its relationships are asked one by one
    return step.types is None or not _plain(step.types) or bool({"PROVIDES", "DEPENDS_ON"} & set(_names(step.types)))


def _values_of(part: ast.SingleQuery) -> list[ast.Expression]:
    """What repositories are compared with, where every path of the part hangs on such a comparison; else nothing."""
    values: list[ast.Expression] = []
    tied: set[str] = set()
    for clause in walk(part):
        if not isinstance(clause, ast.Match):
            continue
        repositories = {
            element.variable
            for path in clause.patterns
            for element in path.elements
            if isinstance(element, ast.NodePattern) and element.labels == _REPOSITORY and element.variable
        }
        conditions = [clause.where, *(element.where for path in clause.patterns for element in path.elements)]
        for name, value in (pair for condition in conditions for pair in _equal(condition, repositories)):
            tied.add(name)
            values.append(value)
        loose = [path for path in clause.patterns if not _written_in(path, values) and not _bound(path) & tied]
        for path in clause.patterns:
            if path not in loose:
                tied |= _bound(path)
        if any(not _bound(path) & tied for path in loose):
            return []
    return values


def _written_in(path: ast.PathPattern, values: list[ast.Expression]) -> bool:
    """Whether a node of the path has its repository in its map; then the value is added."""
    found = False
    for element in path.elements:
        own = isinstance(element, ast.NodePattern) and element.labels == _REPOSITORY
        if isinstance(element.properties, ast.MapLiteral):
            for key, value in element.properties.entries:
                if (key == "repository" or (own and key == "id")) and _is_fixed(value):
                    values.append(value)
                    found = True
    return found


def _bound(path: ast.PathPattern) -> set[str]:
    return {element.variable for element in path.elements if element.variable is not None}


def _take(value: ast.Expression, found: set[str], parameters: set[str]) -> None:
    if isinstance(value, ast.Literal) and isinstance(value.value, str):
        found.add(value.value)
    elif isinstance(value, ast.Parameter):
        parameters.add(value.name)
    elif isinstance(value, ast.ListLiteral):
        for item in value.items:
            _take(item, found, parameters)


def _is_fixed(value: ast.Expression) -> bool:
    """Whether it is written out or comes by parameter."""
    if isinstance(value, ast.ListLiteral):
        return all(map(_is_fixed, value.items))
    return isinstance(value, ast.Parameter) or (isinstance(value, ast.Literal) and isinstance(value.value, str))


def _equal(condition: ast.Expression | None, of_repositories: set[str]) -> list[tuple[str, ast.Expression]]:
    """Variables whose repository the condition fixes, each with what it is equal to or one of."""
    if isinstance(condition, ast.Binary) and condition.operator == "AND":
        return _equal(condition.left, of_repositories) + _equal(condition.right, of_repositories)
    sides: list[tuple[ast.Expression, ast.Expression]] = []
    if isinstance(condition, ast.Binary) and condition.operator == "IN":
        sides = [(condition.left, condition.right)]
    elif isinstance(condition, ast.Comparison) and len(condition.rest) == 1 and condition.rest[0][0] == "=":
        sides = [(condition.first, condition.rest[0][1]), (condition.rest[0][1], condition.first)]
    found = ((_asked(subject, of_repositories), value) for subject, value in sides)
    return [(name, value) for name, value in found if name is not None and _is_fixed(value)]


def _asked(node: ast.Expression, of_repositories: set[str]) -> str | None:
    """The variable whose repository the expression is."""
    if not isinstance(node, ast.Property) or not isinstance(node.subject, ast.Variable):
        return None
    own = node.key == "id" and node.subject.name in of_repositories
    return node.subject.name if own or node.key == "repository" else None
