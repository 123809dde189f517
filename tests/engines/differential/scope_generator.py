"""Random queries over several linked repositories, about what decides which of them must be loaded: anchors, imports, packages, names."""

import random
from collections.abc import Callable
from dataclasses import dataclass, field

from repoquarry.graphstore.model.values import Value

REPOSITORIES = ("desk", "shop@1", "shop@2", "requests")
_IDS = (
    "desk:main.py::main",
    "desk:engines/fast.py::FastEngine.run",
    "shop@1:shop/prices.py::total",
    "shop@2:shop/prices.py::rounded",
    "requests:shop/app.py::main",
)
PARAMETERS: dict[str, Value] = {
    "r": "desk",
    "rs": ["shop@1", "requests"],
    "id": _IDS[2],
    "ids": [_IDS[0], _IDS[4]],
    "groups": [[_IDS[1]], [_IDS[3], _IDS[4]]],
    "rows": [{"id": _IDS[0]}, {"id": _IDS[3]}],
    "package": "package:pypi/shop",
}
_LABELS = ("Function", "Class", "Module", "External", "Repository", "Package")
_STEPS = (
    "-[:CALLS]->", "<-[:CALLS]-", "-[:CALLS]-", "-[:DEFINES]->", "<-[:DEFINES]-", "-[:INHERITS]->", "-[:CONTAINS*1..3]->",
    "-[:PROVIDES]->", "<-[:PROVIDES]-", "-[:PROVIDES]-", "-[:DEPENDS_ON]->", "<-[:DEPENDS_ON]-", "-[:DEPENDS_ON]-", "-->", "--",
    "-[:CALLS*1..2]->", "-[:CALLS|PROVIDES]->", "-[:IMPORTS]->", "<-[:CONTAINS]-",
)  # fmt: skip


@dataclass
class ScopeQueryMaker:
    """Makes one query after another; the same seed gives the same queries."""

    seed: int
    nodes: list[str] = field(default_factory=list)
    count: int = 0

    def __post_init__(self) -> None:
        self.chance = random.Random(self.seed)

    def query(self) -> str:
        self.nodes, self.count = [], 0
        if self._maybe(0.05):
            return " UNION ALL ".join(f"{self._start()} RETURN count(*) AS n" for _ in range(2))
        text = self._start()
        for _ in range(self.chance.randrange(4)):
            text += " " + self._middle(self.chance.choice(self.nodes))
        return f"{text} {self._end(self.chance.choice(self.nodes))}"

    def _maybe(self, share: float) -> bool:
        return self.chance.random() < share

    def _pick(self, *options: str) -> str:
        return self.chance.choice(options)

    def _choose(self, *options: Callable[[], str]) -> str:
        return self.chance.choice(options)()

    def _new(self) -> str:
        """Return a name for a node, now and then that of one which is in scope."""
        if self.nodes and self._maybe(0.12):
            return self.chance.choice(self.nodes)
        self.count += 1
        name = "abcdefghijklmnopqrstuvw"[self.count % 23]
        self.nodes.append(name)
        return name

    def _repository(self) -> str:
        return f"'{self.chance.choice(REPOSITORIES)}'" if self._maybe(0.7) else "$r"

    def _label(self) -> str:
        return self._pick("", *(f":{label}" for label in _LABELS))

    def _anchored(self) -> str:
        """Return a MATCH of a node that is fixed, or one that only seems to be."""
        name, node_id = self._new(), f"'{self.chance.choice(_IDS)}'"
        return self._pick(
            f"MATCH ({name}{self._label()} {{repository: {self._repository()}}})",
            f"MATCH ({name}:Function) WHERE {name}.repository = {self._repository()}",
            f"MATCH ({name}:Module) WHERE {name}.repository IN $rs",
            f"MATCH ({name} {{id: {self._pick(node_id, '$id')}}})",
            f"MATCH ({name}:Function) WHERE {name}.id IN $ids",
            f"MATCH ({name}:Repository {{id: {self._repository()}}})",
            f"MATCH ({name}:Repository) WHERE {name}.id = {self._repository()}",
            f"MATCH ({name}:Package {{id: $package}})",
            f"MATCH ({name}:Package {{name: 'shop'}})",
            f"MATCH ({name}:Class)",
            f"MATCH ({name}:Function) WHERE {name}.repository = {self._repository()} OR {name}.name = 'total'",
        )

    def _start(self) -> str:
        return self._choose(
            self._anchored,
            self._anchored,
            self._anchored,
            lambda: f"UNWIND $ids AS id MATCH ({self._new()} {{id: id}})",
            lambda: "UNWIND $groups AS ids MATCH ({0}) WHERE {0}.id IN ids".format(self._new()),
            lambda: f"UNWIND $rows AS row MATCH ({self._new()} {{id: row.id}})",
            lambda: f"{self._anchored()} {self._package_path()}",
        )

    def _path(self, first: str) -> str:
        text = f"({first})"
        for _ in range(self.chance.choice((1, 1, 1, 2, 2, 3))):
            name = self._new() if self._maybe(0.6) else ""
            text += self._pick(*_STEPS) + f"({name}{self._label()})"
        return text

    def _package_path(self) -> str:
        """Return a MATCH over a package: in the middle of a path, at its end, or at its start; named or not."""
        package = self._new() if self._maybe(0.5) else ""
        start = f"(:Repository {{id: {self._repository()}}})"
        first = self._pick("-[:DEPENDS_ON]->", "-[:PROVIDES]->") + f"({package}:Package)"
        back = self._pick("<-[:DEPENDS_ON]-", "<-[:PROVIDES]-")
        return "MATCH " + self._choose(
            lambda: f"{start}{first}{back}({self._new()}:Repository)",
            lambda: f"{start}-[:DEPENDS_ON]->({self._new()}:Package)",
            lambda: f"({package}:Package){back}({self._new()}:Repository)",
        )

    def _middle(self, old: str) -> str:
        return self._choose(
            lambda: f"MATCH {self._path(old)}",
            lambda: f"MATCH {self._path(old)}",
            lambda: f"OPTIONAL MATCH {self._path(old)}",
            lambda: "MATCH shortestPath(({0})-[:CALLS*..3]-({1})) WHERE {0} <> {1}".format(old, self._new()),
            lambda: self._rename(old),
            lambda: self._rename(old),
            lambda: self._call(old),
            lambda: self._call(old),
            lambda: f"WITH * WHERE {self._predicate(old, self._pick(*_STEPS))}",
            self._anchored,
            self._package_path,
        )

    def _rename(self, old: str) -> str:
        others = [name for name in dict.fromkeys(self.nodes) if name != old and self._maybe(0.5)]
        new, rest = self._new(), "".join(f", {name}" for name in others)
        is_new = new not in (old, *others)
        if not is_new or self._maybe(0.4):
            self.nodes = [old, *others]
            return self._pick(
                f"WITH DISTINCT {old}{rest}",
                f"WITH {old}{rest}, count(*) AS n{self.count} ORDER BY n{self.count} DESC, {old}.id LIMIT 3",
            )
        self.nodes = [new, *others]
        return self._pick(
            f"WITH {old} AS {new}{rest}",
            f"WITH collect({old}) AS l{rest} UNWIND l AS {new}",
            f"WITH [{old}] AS l{rest} UNWIND l AS {new}",
            f"WITH {old}.repository AS s{rest} MATCH ({new}:Module) WHERE {new}.repository = s",
        )

    def _call(self, old: str) -> str:
        """Return a CALL with each form of import, whose body names a node of its own like one outside."""
        outside, inner = list(self.nodes), self._pick(old, old, *self.nodes, "x")
        self.count += 1
        head = self._pick(
            "CALL () {", "CALL {", f"CALL ({old}) {{", "CALL (*) {", f"CALL {{ WITH {old}", "CALL { WITH *"
        )
        body = self._choose(
            lambda: f"MATCH ({inner}:Function)",
            lambda: f"MATCH ({inner}{self._label()})",
            lambda: f"MATCH ({inner}:Function {{repository: {self._repository()}}})",
            lambda: f"MATCH {self._path(inner)}",
            lambda: f"UNWIND ['{self.chance.choice(_IDS)}'] AS i MATCH ({inner} {{id: i}})",
        )
        self.nodes = outside
        return f"{head} {body} RETURN count(*) AS k{self.count} }}"

    def _predicate(self, old: str, step: str) -> str:
        return self._pick(
            f"EXISTS {{ ({old}){step}() }}",
            f"NOT ({old}){step}()",
            f"COUNT {{ MATCH (y:Function) WHERE y.name = {old}.name }} > 1",
            f"EXISTS {{ MATCH (y) WHERE y.repository = {old}.repository AND y.name = 'total' }}",
            f"any(y IN [{old}] WHERE COUNT {{ (y){step}() }} > 0)",
            f"any({old} IN [{{repository: 'shop@1', name: 'total'}}] WHERE "
            f"COUNT {{ MATCH (y) WHERE y.repository = {old}.repository }} > 0)",
        )

    def _end(self, old: str) -> str:
        shown = ", ".join(f"{name}.id AS {name}" for name in list(dict.fromkeys(self.nodes))[:3])
        return self._pick(
            "RETURN count(*) AS n",
            "RETURN count(*) AS n",
            f"RETURN count(DISTINCT {old}) AS n",
            f"RETURN DISTINCT {shown}",
            f"RETURN DISTINCT {old}.id AS id, size([({old}){self._pick(*_STEPS)}() | 1]) AS n",
            f"RETURN DISTINCT {old}.id AS id, COUNT {{ ({old}){self._pick(*_STEPS)}(:Function) }} AS n",
        )
