"""Named queries that follow one kind of relationship, made from the schema: every type, both ways, from many ids at once.

One query for each type and direction rather than one with the type as a parameter, because Cypher has no such parameter. An id is
looked up under each label that the schema allows at that end, because uniqueness and the index are per label.
"""

from __future__ import annotations

from repoquarry.graphstore.model.schema import NODE_LABELS, RELATIONSHIP_TYPES, RelationshipType
from repoquarry.graphstore.named.query import NamedQuery


def relation_query(kind: str, *, outgoing: bool) -> str:
    """The name of the query that follows this type of relationship."""
    return f"{kind.lower()}_{'out' if outgoing else 'in'}"


def _query(kind: RelationshipType, *, outgoing: bool) -> NamedQuery:
    known, pattern = (kind.start, "(a)-[r:{0}]->(b)") if outgoing else (kind.end, "(b)-[r:{0}]->(a)")
    arms = [
        f"UNWIND $ids AS id MATCH {pattern.format(kind.name).replace('(a)', f'(a:{label} {{id: id}})')} "
        "RETURN a.id AS known, r AS relation, b AS other"
        for label in known
    ]
    way = "leaves" if outgoing else "reaches"
    return NamedQuery(
        relation_query(kind.name, outgoing=outgoing),
        f"what {way} some nodes by {kind.name}: {kind.meaning}",
        "\nUNION ALL\n".join(arms),
        {"ids": list},
    )


_CALL = "r AS relation, b AS other, e.id AS through, r.count AS count, r.lines AS lines, r.how AS how, r.confidence AS confidence"

RELATION_QUERIES: tuple[NamedQuery, ...] = (
    *(_query(kind, outgoing=outgoing) for kind in RELATIONSHIP_TYPES.values() for outgoing in (True, False)),
    NamedQuery(
        "calls_across_in",
        "calls of some classes and functions from other repositories, which know them as something outside",
        "\nUNION ALL\n".join(
            f"UNWIND $ids AS id MATCH (b)-[r:CALLS]->(e:External)-[:PROVIDES]->(a:{label} {{id: id}}) RETURN a.id AS known, {_CALL}"
            for label in ("Function", "Class")
        ),
        {"ids": list},
    ),
    NamedQuery(
        "calls_across_out",
        "classes and functions of other repositories that some nodes call",
        "\nUNION ALL\n".join(
            f"UNWIND $ids AS id MATCH (a:{label} {{id: id}})-[r:CALLS]->(e:External)-[:PROVIDES]->(b) "
            f"WHERE b:Function OR b:Class RETURN a.id AS known, {_CALL}"
            for label in ("Function", "Class", "Module")
        ),
        {"ids": list},
    ),
    NamedQuery(
        "nodes_by_id",
        "nodes of any label by id",
        "\nUNION ALL\n".join(
            f"UNWIND $ids AS id MATCH (n:{label} {{id: id}}) RETURN n AS node" for label in NODE_LABELS
        ),
        {"ids": list},
    ),
    NamedQuery(
        "externals_named",
        "things outside the repositories by their full dotted name or its end",
        """
        MATCH (n:External)
        WHERE n.repository IN $repositories AND (n.qualname = $qualname OR n.qualname ENDS WITH $suffix)
        RETURN n AS node ORDER BY n.id
        """,
        {"repositories": list, "qualname": str, "suffix": str},
    ),
    NamedQuery(
        "definition_names",
        "the short names of all classes and functions",
        """
        MATCH (n:Class) WHERE n.repository IN $repositories RETURN DISTINCT n.name AS name
        UNION
        MATCH (n:Function) WHERE n.repository IN $repositories RETURN DISTINCT n.name AS name
        """,
        {"repositories": list},
    ),
    NamedQuery(
        "unresolved_counts",
        "call sites of some names that could not be resolved, by repository and name",
        """
        MATCH (a)-[r:UNRESOLVED]->(b:Name)
        WHERE b.name IN $names AND b.repository IN $repositories
        RETURN b.repository AS repository, b.name AS name, sum(r.count) AS sites
        ORDER BY repository, name
        """,
        {"names": list, "repositories": list},
    ),
)
