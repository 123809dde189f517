"""Confidence of edges that dispatch adds: it follows from the places where instances of the classes are made."""

import pytest

from repoquarry.graphstore.model.call_views import LIKELY, site_confidence
from repoquarry.ingest.resolution import resolve
from repoquarry.languages.python import extract
from repoquarry.languages.python.family import TABLES
from repoquarry.languages.registry import language_for

HOOK = (
    "class Base:\n    def run(self):\n        self.step()\n    def step(self):\n        raise NotImplementedError\n\n"
)
SUBCLASSES = "".join(f"class C{number}(Base):\n    def step(self):\n        return {number}\n\n" for number in range(5))
FAMILY = HOOK + SUBCLASSES + "class Below(C3):\n    pass\n\n"

RULES, POSSIBLE = TABLES.rules, TABLES.possible


def confidences() -> dict[str, float]:
    """Confidence of the calls of `Base.run`, by callee."""
    sources = {
        "main.py": FAMILY,
        "program.py": "from main import C0, Below\n\nC0().run()\nBelow()\n",
        "tests/test_main.py": "from main import C0, C1\n\n\ndef test_it():\n    C0()\n    C1()\n",
    }
    found = resolve([extract(path, text.encode()) for path, text in sources.items()])
    edges = [
        (found.symbols[edge.caller].key, found.symbols[edge.callee].key, edge)
        for edge in found.calls
        if edge.callee >= 0
    ]
    added = [edge for caller, callee, edge in edges if caller == "Base.run" and callee != "Base.step"]
    assert {(edge.how, site_confidence(edge.how, edge.targets, edge.confidence) >= LIKELY) for edge in added} <= {
        ("hook", True),
        ("self", True),
    }
    return {callee: edge.confidence for caller, callee, edge in edges if caller == "Base.run"}


def test_instances_made_by_code_tests_or_nobody_differ() -> None:
    made_in_code, made_in_tests, made_nowhere = POSSIBLE["hook"][3]
    assert len({made_in_code, made_in_tests, made_nowhere}) == 3
    found = confidences()
    assert found["C1.step"] / found["C2.step"] == pytest.approx(made_in_tests / made_nowhere, rel=0.05)
    assert found["C2.step"] == found["C4.step"]


def test_a_method_counts_as_made_with_any_class_that_inherits_it() -> None:
    made_in_code, _, made_nowhere = POSSIBLE["hook"][3]
    found = confidences()
    assert found["C3.step"] / found["C2.step"] == pytest.approx(made_in_code / made_nowhere, rel=0.05)


def test_stub_next_to_implementations_gets_the_smallest_share() -> None:
    found = confidences()
    assert sum(found.values()) <= 1
    assert found.pop("Base.step") < min(found.values())


@pytest.mark.parametrize("overrides", [1, 12, 40])
def test_the_declared_method_is_the_most_probable_however_many_override_it(overrides: int) -> None:
    subclasses = "".join(f"class C{n}(Base):\n    def step(self):\n        return {n}\n\n" for n in range(overrides))
    base = "class Base:\n    def run(self):\n        self.step()\n    def step(self):\n        pass\n\n"
    source = base + subclasses + "def use(base: Base):\n    base.step()\n"
    found = resolve([extract("main.py", source.encode())])
    for caller, how in (("Base.run", "self"), ("use", "receiver" if overrides == 1 else "declared")):
        edges = {
            found.symbols[edge.callee].key: (edge.how, edge.confidence)
            for edge in found.calls
            if found.symbols[edge.caller].key == caller
        }
        assert sum(confidence for _, confidence in edges.values()) <= 1
        shown, share = edges.pop("Base.step")
        assert shown == how
        assert share >= LIKELY
        assert {shown for shown, _ in edges.values()} == {
            "hook" if (caller == "Base.run") == (overrides > 1) else "dispatch"
        }


@pytest.mark.parametrize("language", ["py", "java"])
def test_overrides_beyond_the_limit_are_counted(language: str) -> None:
    if language == "py":
        subclass, made = "class C{0}(Base):\n    def step(self):\n        pass\n", "\n    C{0}()"
        source = "class Base:\n    def step(self):\n        pass\n{0}def use(base: Base):\n    base.step(){1}\n"
    else:
        subclass, made = "class C{0} extends Base {{ void step() {{}} }}\n", " new C{0}();"
        source = "class Base {{ void step() {{}} }}\n{0}class Main {{ void use(Base base) {{ base.step();{1} }} }}\n"
    subclasses, instances = ("".join(text.format(n) for n in range(70)) for text in (subclass, made))
    text = source.format(subclasses, instances)
    found = resolve([language_for(f"m.{language}").extract(f"m.{language}", text.encode())])
    steps = {found.symbols[edge.callee].key: edge for edge in found.calls if edge.callee >= 0}
    assert [key for key in steps if key.endswith("step")] == ["Base.step"]
    assert steps["Base.step"].confidence >= LIKELY
    assert [(site.name, site.reason) for site in found.unresolved] == [("step", "and 70 overrides")]


@pytest.mark.parametrize("replaced", [False, True])
def test_a_constructor_of_all_classes_that_may_be_made_is_certain(replaced: bool) -> None:
    source = (
        "class Tracked:\n    def __new__(cls, *args):\n        return object.__new__(cls)\n"
        "class Request(Tracked):\n    def __init__(self, url):\n        pass\n    @classmethod\n    def of(cls, url):\n        return cls(url)\n"
        "class Form(Request):\n    def __init__(self, url):\n        pass\n"
        "class Json(Request):\n    PLACE\n"
        "def use():\n    Request.of('')\n    Form.of('')\n    Json.of('')\n"
    ).replace("PLACE", "def __new__(cls, url):\n        return object.__new__(cls)" if replaced else "pass")
    found = resolve([extract("main.py", source.encode())])
    made = {
        found.symbols[edge.callee].key: edge.confidence
        for edge in found.calls
        if edge.callee >= 0 and found.symbols[edge.caller].key == "Request.of"
    }
    assert {"Request", "Form", "Json", "Request.__init__", "Form.__init__", "Tracked.__new__"} <= made.keys()
    assert made["Request"] == made["Form"] == made["Json"] == 0.333
    assert (made["Tracked.__new__"] == RULES["constructor"][0]) != replaced


def test_callbacks_beyond_the_limit_are_counted() -> None:
    passed = "".join(f" each(() -> use({n}));" for n in range(70))
    source = f"class Main {{ void each(Runnable job) {{ job.run(); }} void use(int n) {{}} void go() {{{passed} }} }}\n"
    found = resolve([language_for("Main.java").extract("Main.java", source.encode())])
    assert [(found.symbols[site.caller].key, site.name, site.reason) for site in found.unresolved] == [
        ("Main.each", "run", "and 70 callbacks")
    ]


@pytest.mark.parametrize("rule", POSSIBLE)
def test_no_figure_of_the_fit_makes_or_unmakes_a_finding(rule: str) -> None:
    for share, grounds in zip(RULES[rule], POSSIBLE[rule], strict=True):
        assert {figure >= LIKELY for figure in grounds} == {share >= LIKELY}


def test_overrides_in_tests_are_hooks_and_take_nothing_from_production() -> None:
    double = "class Fake(C0):\n    def step(self):\n        pass\n\n\ndef other():\n    pass\n\n\n"
    sources = {
        "main.py": f"{HOOK}class C0(Base):\n    def step(self):\n        return 0\n\nC0().run()\n",
        "tests/test_main.py": f"from main import C0\n\n{double}def test_it():\n    Fake().run()\n    C0().step = other\n",
    }
    found = resolve([extract(path, text.encode()) for path, text in sources.items()])
    edges = {
        found.symbols[edge.callee].key: (edge.how, edge.confidence)
        for edge in found.calls
        if found.symbols[edge.caller].key == "Base.run"
    }
    assert edges["C0.step"][1] >= 0.9
    assert edges["Fake.step"][0] == "hook"
    assert edges["other"][0] == "possible"
    assert max(edges["Fake.step"][1], edges["other"][1]) < LIKELY


@pytest.mark.parametrize(
    ("how", "targets", "confidence", "expected"),
    [
        ("self", 2, 0.5, 1.0),
        ("value", 3, 0.3, 0.9),
        ("hook", 4, 0.01, LIKELY),
        ("dispatch", 4, 0.2, 0.2),
        ("declared", 3, 0.5, 0.5),
        ("possible", 2, 0.4, 0.4),
    ],
)
def test_a_limit_compares_the_targets_of_a_site_together(
    how: str, targets: int, confidence: float, expected: float
) -> None:
    assert site_confidence(how, targets, confidence) == pytest.approx(expected)
