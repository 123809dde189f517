"""Named queries along one relationship type, and across repositories.

Each type and direction has its own query, because Cypher has no parameter for a type. Ids are looked up under each label that the schema
allows at that end, because uniqueness and the index are per label.
"""

from __future__ import annotations

from repoquarry.graphstore.model.schema import NODE_LABELS, RELATIONSHIP_TYPES, RelationshipType
from repoquarry.graphstore.query.named.code import NamedQuery, arms

_COPIES = (
    "WITH f.body_hash AS body, collect(DISTINCT split(f.repository, '@')[0]) AS owners, count(f) AS copies, "
    "max(f.end_line - f.start_line + 1) AS lines, collect(f.id) AS ids"
)
_GROUPS = (
    "RETURN body, lines, copies, owners AS repositories, ids[..20] AS definitions "
    "ORDER BY lines DESC, copies DESC, body SKIP $first LIMIT $limit"
)

ACROSS_QUERIES: tuple[NamedQuery, ...] = (
    NamedQuery(
        "definitions_of",
        "modules, classes and functions of a repository",
        arms("MATCH (n:LABEL) WHERE n.repository = $repository RETURN n AS node", ("Module", "Class", "Function")),
        {"repository": str},
    ),
    NamedQuery(
        "edges_of",
        "calls, imports and base classes of a repository by the ids of their ends",
        "\nUNION ALL\n".join(
            arms(
                f"MATCH (a:LABEL)-[r:{kind}]->(b) WHERE a.repository = $repository "
                f"RETURN '{kind}' AS kind, a.id AS start, b.id AS end, r.confidence AS confidence",
                starts,
            )
            for kind, starts in (
                ("CALLS", ("Function", "Class", "Module")),
                ("IMPORTS", ("Module",)),
                ("INHERITS", ("Class",)),
            )
        ),
        {"repository": str},
    ),
    NamedQuery(
        "duplicates",
        "functions with the same code in different repositories, versions of one repository (`name@ref`) counted once, the longest first",
        f"""
        MATCH (f:Function) WHERE f.body_hash IS NOT NULL AND NOT f.is_test AND f.repository IN $repositories
        {_COPIES}, collect(DISTINCT f.repository) AS holders
        WHERE size(owners) > 1 AND lines >= $lines AND ($repository = '' OR $repository IN holders)
        {_GROUPS}
        """,
        {"repositories": list, "repository": str, "lines": int, "first": int, "limit": int},
        {"repository": "", "lines": 1, "first": 0, "limit": 200},
    ),
    NamedQuery(
        "bodies",
        "hashes of the code of functions that are long enough to have one",
        "MATCH (f:Function) WHERE f.id IN $ids AND f.body_hash IS NOT NULL RETURN f.id AS id, f.body_hash AS body",
        {"ids": list},
    ),
    NamedQuery(
        "duplicates_of",
        "functions with the same code as some, given by their hashes; versions of one repository do not count as duplicates",
        f"""
        MATCH (f:Function) WHERE f.body_hash IN $bodies AND f.repository IN $repositories
        {_COPIES}, count(DISTINCT f.path + '::' + f.qualname) AS places
        WHERE size(owners) > 1 OR places > 1
        {_GROUPS}
        """,
        {"repositories": list, "bodies": list, "first": int, "limit": int},
        {"first": 0, "limit": 200},
    ),
    NamedQuery(
        "package_dependents",
        "repositories that depend on a package that some others provide",
        """
        MATCH (r:Repository)-[:DEPENDS_ON]->(p:Package)<-[:PROVIDES]-(d:Repository) WHERE d.id IN $repositories
        RETURN DISTINCT r.id AS repository ORDER BY repository
        """,
        {"repositories": list},
    ),
    NamedQuery(
        "link_dependents",
        "repositories of which names are linked to code of some others",
        "\nUNION\n".join(
            f"MATCH (e:External)-[:PROVIDES]->(d:{label}) WHERE d.repository IN $repositories "
            "RETURN DISTINCT e.repository AS repository"
            for label in ("Function", "Class", "Module")
        ),
        {"repositories": list},
    ),
)


def relation_query(kind: str, *, outgoing: bool) -> str:
    """Return the name of the query that follows this type of relationship."""
    return f"{kind.lower()}_{'out' if outgoing else 'in'}"


def _query(kind: RelationshipType, *, outgoing: bool) -> NamedQuery:
    known = "(a:LABEL {id: id})"
    pattern = f"{known}-[r:{kind.name}]->(b)" if outgoing else f"(b)-[r:{kind.name}]->{known}"
    way = "leaves" if outgoing else "reaches"
    return NamedQuery(
        relation_query(kind.name, outgoing=outgoing),
        f"what {way} some nodes by {kind.name}: {kind.meaning}",
        arms(
            f"UNWIND $ids AS id MATCH {pattern} RETURN a.id AS known, r AS relation, b AS other",
            kind.start if outgoing else kind.end,
        ),
        {"ids": list},
    )


_CALL = "r AS relation, b AS other, e.id AS through, r.count AS count, r.lines AS lines, r.how AS how, r.confidence AS confidence"

RELATION_QUERIES: tuple[NamedQuery, ...] = (
    *(_query(kind, outgoing=outgoing) for kind in RELATIONSHIP_TYPES.values() for outgoing in (True, False)),
    NamedQuery(
        "calls_across_in",
        "calls of some classes and functions from other repositories, where they are external",
        arms(
            f"UNWIND $ids AS id MATCH (b)-[r:CALLS]->(e:External)-[:PROVIDES]->(a:LABEL {{id: id}}) RETURN a.id AS known, {_CALL}",
            ("Function", "Class"),
        ),
        {"ids": list},
    ),
    NamedQuery(
        "calls_across_out",
        "classes and functions of other repositories that some nodes call",
        arms(
            "UNWIND $ids AS id MATCH (a:LABEL {id: id})-[r:CALLS]->(e:External)-[:PROVIDES]->(b) "
            f"WHERE b:Function OR b:Class RETURN a.id AS known, {_CALL}",
            ("Function", "Class", "Module"),
        ),
        {"ids": list},
    ),
    NamedQuery(
        "nodes_by_id",
        "nodes of any label by id",
        arms("UNWIND $ids AS id MATCH (n:LABEL {id: id}) RETURN n AS node", NODE_LABELS),
        {"ids": list},
    ),
    NamedQuery(
        "variables_named",
        "constants and fields by name",
        "MATCH (n:Variable) WHERE n.repository IN $repositories AND n.name = $name RETURN n AS node ORDER BY n.id",
        {"repositories": list, "name": str},
    ),
    NamedQuery(
        "externals_named",
        "external definitions by their full dotted name or its end",
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
        "unresolved call sites of some names, by repository and name",
        """
        MATCH (a)-[r:UNRESOLVED]->(b:Name)
        WHERE b.name IN $names AND b.repository IN $repositories
        RETURN b.repository AS repository, b.name AS name, sum(r.count) AS sites
        ORDER BY repository, name
        """,
        {"names": list, "repositories": list},
    ),
    NamedQuery(
        "external_counts",
        "call sites attributed to external code that shares its simple name with a definition of the repository",
        """
        MATCH (a)-[r:CALLS]->(b:External)
        WHERE b.name IN $names AND b.repository IN $repositories
          AND (EXISTS { MATCH (d:Function) WHERE d.name = b.name AND d.repository = b.repository }
            OR EXISTS { MATCH (c:Class) WHERE c.name = b.name AND c.repository = b.repository })
        RETURN b.repository AS repository, b.qualname AS qualname, sum(r.count) AS sites
        ORDER BY repository, qualname
        """,
        {"names": list, "repositories": list},
    ),
)
