"""A query that needs minutes and next to no memory on every engine, so that only its time limit can end it."""

ENDLESS = (
    "WITH range(1, 40) AS numbers UNWIND range(1, 100000) AS a RETURN sum(reduce(t = 0, b IN numbers | "
    "t + size([c IN numbers WHERE any(d IN numbers WHERE a * b * c * d < 0)]))) AS n"
)
"""Little work a row, since Neo4j looks at the clock between rows only; few rows, since kglite keeps them all."""
