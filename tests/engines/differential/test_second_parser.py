"""Parser of queries against cypherast, which is independent of it: both agree about the syntax of the corpus and of damaged queries."""

import random
import re
import tomllib
from pathlib import Path

import cypherast

from repoquarry.graphstore.errors import QueryRefusedError
from repoquarry.graphstore.query.cypher.syntax.parser import parse
from repoquarry.graphstore.query.cypher.syntax.tokenizer import tokenize
from tests.engines.differential import corpus

_CLASSES = tomllib.loads((Path(__file__).parent / "parser_disagreements.toml").read_text(encoding="utf-8"))
_DAMAGED_PER_QUERY = 3
_QUERIES = list(dict.fromkeys(case.query for case in corpus.read()))


def test_parsers_agree_except_in_explained_classes() -> None:
    used: set[str] = set()
    unexplained: list[str] = []
    for query in [*_QUERIES, *_damaged_queries()]:
        ours, theirs = _our_error(query), _their_error(query)
        if (ours is None) == (theirs is None):
            continue
        why = _explain(query, ours, theirs)
        used |= {why} if why else set()
        if why is None:
            unexplained.append(f"{query}\nours: {ours}\ntheirs: {theirs}")
    assert not unexplained, f"{len(unexplained)} unexplained:\n" + "\n".join(unexplained[:10])
    assert used == {entry["why"] for entries in _CLASSES.values() for entry in entries}, "a class explains nothing"


def _damaged_queries() -> list[str]:
    """Queries of the corpus without one of their tokens; few of them are still valid."""
    chosen = random.Random(7)
    damaged: list[str] = []
    for query in _QUERIES:
        if _their_error(query) is None:
            tokens = [token for token in tokenize(query).tokens if token.end > token.start]
            removed = chosen.sample(tokens, min(_DAMAGED_PER_QUERY, len(tokens)))
            damaged += [f"{query[: token.start]} {query[token.end :]}" for token in removed]
    return damaged


def _our_error(query: str) -> str | None:
    try:
        parse(query)
    except QueryRefusedError as error:
        return str(error)
    return None


def _their_error(query: str) -> str | None:
    try:
        cypherast.parse_one(query, read="neo4j5")
    except cypherast.CypherastError as error:
        return str(error).splitlines()[0]
    return None


def _explain(query: str, ours: str | None, theirs: str | None) -> str | None:
    entries = _CLASSES["only_ours" if ours is None else "only_theirs"]
    error = ours or theirs or ""
    found = (entry["why"] for entry in entries if re.search(entry["query"], query) and re.search(entry["error"], error))
    return next(found, None)
