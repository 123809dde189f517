"""Certainty that the page gives to a rule: the same as the service's."""

import re
from pathlib import Path

from repoquarry.code.calls import Certainty, classify_edge
from repoquarry.graphstore.model.call_views import ADDED, NOT_RUN

_PATHS = Path(__file__).parents[3] / "web" / "src" / "paths.tsx"
_TABLE = re.compile(r"const OF_RULE[^{]*\{(.*?)\};", re.DOTALL)


def test_steps_of_a_path_have_the_certainty_of_their_rule() -> None:
    match = _TABLE.search(_PATHS.read_text())
    assert match is not None
    shown = dict(re.findall(r"(\w+): Certainty\.(\w+)", match[1]))
    rules = (*NOT_RUN, *ADDED)
    assert shown == {rule: Certainty(classify_edge(rule, 1)).name for rule in rules}
    assert all(classify_edge(rule, 1) == classify_edge(rule, 3) for rule in rules)
