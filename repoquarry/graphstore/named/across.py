"""Named queries across repositories and revisions: comparing two, who uses a definition anywhere, which versions are asked for."""

from __future__ import annotations

from repoquarry.graphstore.named.query import NamedQuery


def _arms(*arms: str) -> str:
    return "\nUNION ALL\n".join(arms)


_USERS = (
    "d.repository AS library, d.id AS definition, a.repository AS repository, a.path AS path, a.qualname AS caller, "
    "r.count AS sites, r.lines AS lines, r.confidence AS confidence"
)
_NAMED = "(d.name = $name OR d.qualname = $name OR d.id = $name)"
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
        _arms(
            *(
                f"MATCH (n:{label}) WHERE n.repository = $repository RETURN n AS node"
                for label in ("Module", "Class", "Function")
            )
        ),
        {"repository": str},
    ),
    NamedQuery(
        "edges_of",
        "calls, imports and base classes of a repository by the ids of their ends",
        _arms(
            *(
                f"MATCH (a:{start})-[r:{kind}]->(b) WHERE a.repository = $repository "
                f"RETURN '{kind}' AS kind, a.id AS start, b.id AS end, r.confidence AS confidence"
                for kind, starts in (
                    ("CALLS", ("Function", "Class", "Module")),
                    ("IMPORTS", ("Module",)),
                    ("INHERITS", ("Class",)),
                )
                for start in starts
            )
        ),
        {"repository": str},
    ),
    NamedQuery(
        "callers_anywhere",
        "who calls a definition in any repository, by its name, dotted name or id",
        _arms(
            *(f"MATCH (a)-[r:CALLS]->(d:{label}) WHERE {_NAMED} RETURN {_USERS}" for label in ("Function", "Class")),
            *(
                f"MATCH (a)-[r:CALLS]->(e:External)-[:PROVIDES]->(d:{label}) WHERE {_NAMED} RETURN {_USERS}"
                for label in ("Function", "Class")
            ),
        ),
        {"name": str},
    ),
    NamedQuery(
        "users_of_definition",
        "which other repositories break if a definition's signature changes, with their call sites; by name, dotted name or id",
        f"""
        MATCH (a)-[r:CALLS]->(e:External)-[:PROVIDES]->(d)
        WHERE (d:Function OR d:Class) AND {_NAMED} AND a.repository <> d.repository
        RETURN d.repository AS library, d.id AS definition, a.repository AS repository, sum(r.count) AS sites,
               count(r) AS callers
        ORDER BY sites DESC, definition, repository
        """,
        {"name": str},
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
        "hashes of what functions say, of those that are long enough to have one",
        "MATCH (f:Function) WHERE f.id IN $ids AND f.body_hash IS NOT NULL RETURN f.id AS id, f.body_hash AS body",
        {"ids": list},
    ),
    NamedQuery(
        "duplicates_of",
        "functions with the same code as some, given by the hashes of what they say; versions of one repository are no duplicates",
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
        "versions_in_use",
        "which versions of a package repositories ask for, as they declare it and as their lock files have it",
        """
        MATCH (r:Repository)-[d:DEPENDS_ON]->(p:Package) WHERE p.name = $package
        RETURN p.ecosystem AS ecosystem, d.requirement AS requirement, d.locked AS locked, r.id AS repository
        ORDER BY ecosystem, requirement, locked, repository
        """,
        {"package": str},
    ),
)
