"""Regular expressions that a backtracking matcher never ends are refused before they run, on every engine; plain ones pass."""

import pytest

from repoquarry.graphstore.query.cypher.dialect import DIALECT_NAMES
from repoquarry.graphstore.query.cypher.gate import admit
from repoquarry.graphstore.query.cypher.regex_backtracking import MAX_STEPS, StepBudget, find_backtracking_risk
from tests.unit.cypher.attacks import refusal

_ENDLESS = [
    "(a+)+b", "(a|a)*b", "(.*,)*x", r"(\w+\s*)+x", "(a*b*)*c", "(a?b?)*c", "(a|b|ab)*c", r"^(([a-z])+)+$",
    "(a{1,10}){1,10}b", "((a)+|b+)*c", r"(?i)(A+a)+", r"(\p{L}+)+", "(?=(a+)+)x", r"(a+)(\1)*x", "(?s)(.|\n)*x",
]  # fmt: skip
_PLAIN = [
    "get_.*", "(?i)get_.*|set_.*", r"(\w+\.)*\w+", r"(\w+\s+)*\w+", "[a-z]+(_[a-z]+)*", r"\d{1,3}(\.\d{1,3}){3}",
    "(?:foo|bar)+", "(.|\n)*", r"\Q(a+)+\E", ".*foo.*bar.*", "(ab*c)*", "(a|b)*c(a|b)*", "", "a{3}", "[^/]*/[^/]*/[^/]*/x",
]  # fmt: skip


@pytest.mark.parametrize("pattern", _ENDLESS)
def test_exponential_patterns_are_objected_to(pattern: str) -> None:
    assert "exponentially" in find_backtracking_risk(pattern, StepBudget())


@pytest.mark.parametrize("pattern", _PLAIN)
def test_plain_patterns_pass(pattern: str) -> None:
    assert find_backtracking_risk(pattern, StepBudget()) == ""


@pytest.mark.parametrize(
    "pattern", [".*.*.*.*.*x", ".*a.*a.*a.*a.*a.*x", "(", "a)", "[a", "*", "(" * 90 + "a" + ")" * 90, "a" * 2000]
)
def test_many_repetitions_in_a_row_and_unreadable_patterns_are_objected_to(pattern: str) -> None:
    assert find_backtracking_risk(pattern, StepBudget())


_LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ01234567"
_COSTLY = {
    "optional": "a?" * 490,
    "optional any": ".?" * 450 + _LETTERS,
    "loops": f"({'|'.join(_LETTERS)})*" * 8,
    "alike": f"({'|'.join('.' * 60)})*",
    "pairs": f"({'|'.join('[' + first + 'z]' + first for first in _LETTERS[:30])})*" * 5,
    "nested": "(" * 59 + "a?" * 300 + ")?" * 59,
    "folded": "(?i)" + "a?b?c?" * 150,
    "literal": "a" * 1_000,
    "huge": "a?" * 30_000,
}


class _CountingBudget(StepBudget):
    """Counts requests, and the maximum of simultaneous ones."""

    spent = most = 0

    def spend(self, count: int) -> None:
        self.spent += count
        self.most = max(self.most, count)
        super().spend(count)


@pytest.mark.parametrize("shape", _COSTLY)
def test_the_analysis_of_any_pattern_has_a_bound(shape: str) -> None:
    budget = _CountingBudget()
    found = find_backtracking_risk(_COSTLY[shape], budget)
    assert budget.spent <= MAX_STEPS or "than can be checked" in found
    assert budget.spent - budget.most <= MAX_STEPS, "nothing was done after the budget was spent"


def test_all_patterns_of_a_query_share_one_budget() -> None:
    names = [f"p{number}" for number in range(100)]
    query = "RETURN " + " OR ".join(f"'s' =~ ${name}" for name in names) + " AS x"
    assert "than can be checked" in str(refusal(query, dict.fromkeys(names, "b?" * 100)))


def test_a_pattern_put_together_of_long_parameters_is_cut_before_it_is_built() -> None:
    refused = refusal("RETURN 's' =~ " + " + ".join(["$p"] * 100) + " AS x", {"p": "a" * 1_000_000})
    assert "with more than 1,000 characters" in str(refused)


@pytest.mark.parametrize("engine", DIALECT_NAMES)
@pytest.mark.parametrize(
    ("query", "parameters"),
    [
        ("MATCH (f:Function) WHERE f.name =~ '(a+)+b' RETURN f.id", {}),
        ("MATCH (f:Function) WHERE f.name =~ $p RETURN f.id", {"p": "(a+)+b"}),
        ("MATCH (f:Function) WHERE f.name =~ '(a' + $p RETURN f.id", {"p": "+)+b"}),
        ("MATCH (f:Function) WHERE f.name =~ 'a' + $p RETURN f.id", {"p": 1}),
        ("MATCH (f:Function) WHERE f.name =~ f.path RETURN f.id", {}),
    ],
)
def test_such_a_pattern_is_refused_however_it_comes(engine: str, query: str, parameters: dict[str, str | int]) -> None:
    assert refusal(query, dict(parameters), engine).reason == "regular_expression"


@pytest.mark.parametrize("engine", DIALECT_NAMES)
def test_the_value_of_a_parameter_is_judged_each_time(engine: str) -> None:
    query = "MATCH (f:Function) WHERE f.name =~ $p RETURN f.id"
    admit(query, {"p": "get_.*"}, engine)
    assert refusal(query, {"p": "(a|a)*b"}, engine)
    admit(query, {"p": "set_.*"}, engine)


@pytest.mark.parametrize("engine", DIALECT_NAMES)
def test_ranges_are_counted_before_they_are_sent(engine: str) -> None:
    for query, values in (
        ("RETURN range(1, 1000000000) AS x", {}),
        ("RETURN size(range(1, 1000 * 1000 * 1000)) AS x", {}),
        ("RETURN range(1, $n) AS x", {"n": 1_000_000_000}),
        ("RETURN size([a IN range(1, $n) | [b IN range(1, $n) | a]]) AS x", {"n": 100_000}),
    ):
        assert refusal(query, dict(values), engine).reason == "too_much_work"
    admit("RETURN range(1, $n) AS x", {"n": 100}, engine)
