"""Candidates of unresolved calls: three rules of evidence, and what rules a candidate out."""

import pytest

from repoquarry.graphstore.model.call_views import (
    CANDIDATE,
    CLASS_CANDIDATE,
    NAMED_CANDIDATE,
    ONLY_CANDIDATE,
    POSSIBLE,
    describe_view,
    view_of,
)
from repoquarry.ingest.resolution import Resolution, resolve
from repoquarry.languages import registry

MODELS = """
class Ticket:
    seats = 1
    def reissue(self, fee, *, note=""): pass
    def _stamp(self): pass
    def save(self): pass

class Invoice:
    def settle(self): pass

class Payment:
    def settle(self): pass
"""
TYPESCRIPT = "export class Ticket { reissue(fee: number) {} settle() {} }\nexport class Invoice { settle() {} }\n"


def resolved(texts: dict[str, str]) -> Resolution:
    return resolve([registry.language_for(path).extract(path, text.encode()) for path, text in texts.items()])


def candidates(texts: dict[str, str]) -> list[tuple[str, str, float]]:
    found = resolved(texts)
    return [
        (found.symbols[edge.caller].key, found.symbols[edge.callee].key, edge.confidence)
        for edge in found.calls
        if edge.how == CANDIDATE
    ]


@pytest.mark.parametrize(
    ("body", "callee", "confidence"),
    [
        ("def use(ticket):\n    ticket.reissue(1)", "Ticket.reissue", NAMED_CANDIDATE),
        ("def use(old_ticket):\n    old_ticket.reissue(1, note='')", "Ticket.reissue", NAMED_CANDIDATE),
        ("class A:\n    def use(self):\n        self.ticket.reissue(1)", "Ticket.reissue", NAMED_CANDIDATE),
        (
            "import ext, models\ndef use():\n    x = ext.load(models.Ticket)\n    x.reissue(1)",
            "Ticket.reissue",
            NAMED_CANDIDATE,
        ),
        ("import models\ndef use(x):\n    x.reissue(1)\ndef run(x):\n    use(x)", "Ticket.reissue", ONLY_CANDIDATE),
        ("def use(x):\n    x._stamp()", "Ticket._stamp", ONLY_CANDIDATE),
        ("def use(x):\n    x.reissue(x.seats)", "Ticket.reissue", ONLY_CANDIDATE),
        ("def use(invoice):\n    invoice.settle()", "Invoice.settle", CLASS_CANDIDATE),
    ],
)
def test_evidence_around_a_call_names_its_candidate(body: str, callee: str, confidence: float) -> None:
    found = candidates({"models.py": MODELS, "app.py": body})
    assert [row[1:] for row in found] == [(callee, confidence)]


@pytest.mark.parametrize(
    "body",
    [
        "def use(x):\n    x.reissue(1)",  # a name alone
        "import models\ndef view(request):\n    request.reissue(1)",  # what a framework passes
        "def use(x):\n    x.reissue(x.unknown)",  # a member that the class has not
        "def use(ticket):\n    ticket.reissue()",  # too few arguments
        "def use(ticket):\n    ticket.reissue(1, 2)",  # too many
        "def use(ticket):\n    ticket.reissue(1, other=2)",
        "def use(ticket):\n    ticket.save()",  # a member that many types have
        "from ext import ticket\ndef use():\n    ticket.reissue(1)",  # imported
        "import ext\ndef use():\n    ticket = ext.load()\n    ticket.reissue(1)",  # an external value
        "from ext import Other\ndef use(ticket: Other):\n    ticket.reissue(1)",  # declared as another type
        "from ext import Other\nclass A:\n    def __init__(self, x):\n        self.ticket: Other = x\n"
        "    def use(self):\n        self.ticket.reissue(1)",
        "class A:\n    def reissue(self, fee):\n        self.ticket.reissue(fee)",  # a delegate
        "def use(payment_or_invoice):\n    payment_or_invoice.x.settle()",  # none of several
    ],
)
def test_weak_or_contradicted_evidence_names_none(body: str) -> None:
    assert candidates({"models.py": MODELS, "app.py": body}) == []


def test_classes_of_tests_and_functions_are_no_candidates() -> None:
    local = "def make():\n    class Ticket:\n        def reissue(self): pass\n    return Ticket\n"
    use = "def use(ticket):\n    ticket.reissue()"
    assert candidates({"models.py": local, "app.py": use}) == []
    assert candidates({"tests/test_models.py": "class Ticket:\n    def reissue(self): pass\n", "app.py": use}) == []


def test_typescript_has_candidates_too() -> None:
    use = "import { Ticket } from './models';\nexport function use(x: any, invoice: any) { x.reissue(1); invoice.settle(); }\nuse(load(), load());\n"
    assert candidates({"models.ts": TYPESCRIPT, "app.ts": use}) == [
        ("use", "Ticket.reissue", ONLY_CANDIDATE),
        ("use", "Invoice.settle", CLASS_CANDIDATE),
    ]


def test_a_candidate_leaves_its_call_unresolved_and_counts_nowhere() -> None:
    found = resolved({"models.py": MODELS, "app.py": "def use(ticket):\n    ticket.reissue(1)\n    ticket.reissue(2)"})
    assert [(one.name, one.lines) for one in found.unresolved] == [("reissue", (2, 3))]
    assert [edge.lines for edge in found.calls if edge.how == CANDIDATE] == [(2, 3)]
    assert not found.calls.is_likely.any()


def test_candidates_are_guesses_with_their_reason() -> None:
    assert view_of(CANDIDATE, 1) == POSSIBLE
    reasons = {describe_view(CANDIDATE, 1, one) for one in (NAMED_CANDIDATE, ONLY_CANDIDATE, CLASS_CANDIDATE)}
    assert len(reasons) == 3
    assert all(reason.startswith("candidate: the only") for reason in reasons)
    assert describe_view(CANDIDATE, 1, 0.42) == CANDIDATE
