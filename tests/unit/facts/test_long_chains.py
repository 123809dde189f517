"""Reading a file takes time in proportion to its length, whatever it is long in."""

from __future__ import annotations

import time

import pytest

from repoquarry.languages.python import extract
from tests.steps import steps


def chain(head: str, link: str, tail: str, count: int) -> str:
    return head + "".join(link.format(n=number) for number in range(count)) + tail


CHAINS = {
    "elif": ("if x == 0:\n    y = 0\n", "elif x == {n}:\n    y = {n}\n", "else:\n    y = 1\n"),
    "elif in a function": ("def f(x):\n    if x:\n        pass\n", "    elif x == {n}:\n        g{n}()\n", ""),
    "and": ("x = a", " and a{n}", "\n"),
    "or": ("if a", " or isinstance(a, T{n})", ":\n    pass\n"),
    "not and": ("while a", " and not a{n}", ":\n    pass\n"),
    "plus": ("x = a", " + a{n}", "\n"),
    "attributes": ("x = a", ".a{n}", "\n"),
    "calls": ("x = a", ".a{n}()", "\n"),
    "subscripts": ("x = a", "[{n}]", "\n"),
    "dictionary": ("x = {", "'k{n}': v{n}, ", "}\n"),
    "strings": ("x = (", "'{n}' ", ")\n"),
    "comparison": ("x = a", " < a{n}", "\n"),
    "conditional": ("x = ", "{n} if a{n} else ", "0\n"),
    "except": ("try:\n    f()\n", "except E{n}:\n    g{n}()\n", ""),
    "cases": ("match x:\n", "    case {n}:\n        g{n}()\n", ""),
    "union": ("x: A", " | A{n}", " = 1\n"),
}


@pytest.mark.parametrize("name", CHAINS)
def test_eight_times_the_links_take_no_more_than_some_eight_times_the_steps(name: str) -> None:
    """Sixty-four times would be quadratic."""

    def count(links: int) -> int:
        source = chain(*CHAINS[name], links).encode()
        return steps(lambda: extract("m.py", source))

    assert count(1_200) < 10 * count(150)


def test_an_elif_chain_of_twenty_thousand() -> None:
    started = time.process_time()
    extract("m.py", chain(*CHAINS["elif"], 20_000).encode())
    assert time.process_time() - started < 15
