"""Random reading queries over the project's schema: what the grammar of an analyst could produce, from a seed.

Every query has one right answer as a bag of rows: LIMIT stands only behind an ORDER BY over all columns. Values in
conditions are ones that code graphs hold, so that conditions are neither always true nor always false. Over a large graph
most patterns start at an anchor, as an analyst's do: a name, a folder, or the first few nodes by their id.
"""

import random
from collections.abc import Mapping, Sequence

from repoquarry.graphstore.model.schema import NODE_LABELS, RELATIONSHIP_TYPES, PropertyKind

_TEXTS = ("__init__", "run", "check", "name", "query", "close", "test", "main", "a", "_", "method", "function", "py")
_WORDS = (
    "search",
    "index",
    "read",
    "vector",
    "name",
    "score",
    "text",
    "file",
    "rank",
    "test",
    "query",
    "build",
    "words",
    "save",
)
_NUMBERS = (0, 1, 2, 3, 5, 10, 40, 100)
_LONG_NUMBERS = ("1234567890123456", "9223372036854775807", "-00000000000000000012", "1e3", "12.75")
_REALS = (0.0, 0.5, 0.9, 1.0, 2.5, 10.0)
_JOINS = [(kind.name, start, end) for kind in RELATIONSHIP_TYPES.values() for start in kind.start for end in kind.end]
_COMMON = ("Function", "Class", "Module", "Function", "Class", "External", "Directory")


class QueryMaker:
    """Makes one query after another; the same arguments give the same queries.

    `names` are those of stored nodes by label, `folders` stored paths that end with a slash; without them no pattern is
    anchored. `joins` are the relationships to ask for, as (type, start label, end label); all of the schema unless given.
    """

    def __init__(
        self,
        seed: int,
        names: Mapping[str, Sequence[str]] | None = None,
        folders: Sequence[str] = (),
        joins: Sequence[tuple[str, str, str]] = tuple(_JOINS),
    ) -> None:
        self.chance = random.Random(seed)
        self.names = names or {}
        self.folders = folders
        self.joins = joins
        self.nodes: dict[str, str] = {}
        self.relationships: dict[str, str] = {}
        self.paths: list[str] = []
        self.values: dict[str, PropertyKind] = {}
        self.count = 0

    def query(self) -> str:
        self._forget()
        shape = self.chance.random()
        if shape < 0.07:
            return self._union()
        if shape < 0.12:
            return f"{self._unwind()} {self._return()}"
        if shape < 0.25:
            return self._grouped()
        text = self._few() if self.names and self._maybe(0.15) else self._match()
        for _ in range(self.chance.choice((0, 0, 0, 1, 1, 2))):
            text += " " + self._step()
        return f"{text} {self._return()}"

    def search(self) -> str:
        """The next query that joins the nodes that a search finds, as `hit` with its `score`, with their neighbors."""
        self._forget()
        hit, score = self._new("n"), self._new("s")
        self.nodes[hit] = self._pick("Function", "Function", "Class", "Module")
        words = " ".join(self.chance.sample(_WORDS, 3))
        call = f"vector.queryNodes('{self.nodes[hit]}_embedding', {self._pick('1', '5', '20', '60')}, '{words}')"
        if self._maybe(0.3):
            self.nodes[hit], call = "", f"fulltext.queryNodes('repoquarry_text', '{words}')"
        text = f"CALL db.index.{call} YIELD node AS {hit}, score AS {score}"
        text += f" WHERE {self._condition()}" if self._maybe(0.3) else ""
        if self.nodes[hit] and self._maybe(0.7):
            text += self._pick(" ", " OPTIONAL ") + self._match(joined=True)
        return f"{text} RETURN {hit}.id AS hit, {score} AS score, {self._value()[0]} AS x, {self._value()[0]} AS y"

    def _forget(self) -> None:
        self.nodes, self.relationships, self.paths, self.values = {}, {}, [], {}

    def _pick(self, *options: str) -> str:
        return self.chance.choice(options)

    def _maybe(self, probability: float) -> bool:
        return self.chance.random() < probability

    def _new(self, prefix: str) -> str:
        self.count += 1
        if self._maybe(0.02):
            return f"{prefix}ö{self.count}"
        return f"{prefix}{self.count}"

    def _union(self) -> str:
        arms = []
        for _ in range(2):
            self._forget()
            match = self._match()
            arms.append(f"{match} RETURN {self._value()[0]} AS x, {self._value()[0]} AS y")
        return self._pick(" UNION ", " UNION ALL ").join(arms)

    def _unwind(self) -> str:
        name = self._new("u")
        kind = self.chance.choice((PropertyKind.INTEGER, PropertyKind.STRING))
        items = [self._literal(kind) for _ in range(self.chance.randrange(1, 5))]
        if self._maybe(0.3):
            items.append("null")
        self.values[name] = kind
        return f"UNWIND [{', '.join(items)}] AS {name}"

    def _grouped(self) -> str:
        """Counting over one relationship, by one of its ends: a pattern that optimizers rewrite."""
        label = self.chance.choice(_COMMON)
        start, kinds = self._new("n"), [join for join in self.joins if label in (join[1], join[2])]
        kind, source, target = self.chance.choice(kinds)
        end, other = self._new("n"), target if source == label else source
        arrow = f"-[:{kind}]->" if source == label else f"<-[:{kind}]-"
        shown = f"({end}:{other})" if self._maybe(0.7) else f"({end})"
        first = self._anchored(start, label) if self.names and self._maybe(0.5) else f"({start}:{label})"
        self.nodes = {start: label, end: other}
        where = f" WHERE {self._condition()}" if self._maybe(0.2) else ""
        joint = self._pick(f"MATCH {first}{arrow}{shown}", f"MATCH {first} OPTIONAL MATCH ({start}){arrow}{shown}")
        keys = [
            self._pick(start, end, f"{start}.name", f"{end}.name", f"labels({end})[0]")
            for _ in range(self.chance.choice((0, 1, 1, 2)))
        ]
        counts = [self._pick("count(*)", "count(*)", f"count({end})", f"count({start})", f"count(DISTINCT {end})",
                             f"count({end}.name)", f"min({end}.name)", f"size(collect(DISTINCT {start}.name))")
                  for _ in range(self.chance.choice((1, 1, 2)))]  # fmt: skip
        named = [(key, self._new("k")) for key in dict.fromkeys(keys)] + [(count, self._new("a")) for count in counts]
        items = ", ".join(f"{text} AS {alias}" for text, alias in named)
        shown_items = ", ".join(f"{alias}.id AS {alias}i" if text in (start, end) else alias for text, alias in named)
        kept = f" WHERE {named[-1][1]} IS NOT NULL" if self._maybe(0.3) else ""
        return f"{joint}{where} WITH {items}{kept} RETURN {shown_items}"

    def _few(self) -> str:
        """The first nodes of a label by their ids, as a start for what follows."""
        name, label = self._new("n"), self.chance.choice(_COMMON)
        self.nodes[name] = label
        start = f"MATCH ({name}:{label}) WITH {name} ORDER BY {name}.id LIMIT {self.chance.choice((5, 30, 100))}"
        return f"{start} {self._match(joined=True)}"

    def _step(self) -> str:
        kind = self.chance.random()
        if kind < 0.35:
            return self._with()
        if kind < 0.65:
            return "OPTIONAL " + self._match(joined=True)
        if kind < 0.8:
            return self._match(joined=True)
        if kind < 0.9:
            return self._call()
        return self._unwind()

    def _match(self, joined: bool = False) -> str:
        pattern = self._pattern(joined)
        if self._maybe(0.08) and not joined:
            pattern += ", " + self._pattern(joined=True)
        where = f" WHERE {self._condition()}" if self._maybe(0.45 if self.names else 0.65) else ""
        return f"MATCH {pattern}{where}"

    def _pattern(self, joined: bool) -> str:
        known = [name for name, label in self.nodes.items() if label]
        if joined and known:
            first = self.chance.choice(known)
            label, text = self.nodes[first], f"({first})"
        else:
            label = self.chance.choice(_COMMON)
            first = self._new("n")
            anchored = bool(self.names) and self._maybe(0.8)
            text = self._anchored(first, label) if anchored else self._node(first, label)
            self.nodes[first] = label
        hops = self.chance.choice((0, 1, 1, 1, 2)) if not joined else self.chance.choice((1, 1, 2))
        for _ in range(hops):
            step, label = self._hop(label)
            text += step
        if self._maybe(0.15) and hops:
            path = self._new("p")
            self.paths.append(path)
            return f"{path} = {text}"
        return text

    def _anchored(self, name: str, label: str) -> str:
        """A node that is one of few: by its name or below a folder."""
        has_path = any(prop.name == "path" for prop in NODE_LABELS[label].properties)
        if has_path and self.folders and self._maybe(0.5):
            return f"({name}:{label} WHERE {name}.path STARTS WITH '{self.chance.choice(self.folders)}')"
        wanted = self.chance.choice(self.names.get(label) or _TEXTS)
        return self._pick(f"({name}:{label} {{name: '{wanted}'}})", f"({name}:{label} WHERE {name}.name = '{wanted}')")

    def _node(self, name: str, label: str) -> str:
        shown = f":{label}" if self._maybe(0.9) else ""
        if self._maybe(0.08):
            shown = self._pick(f":{label}|Document", f":{label}&!Document", ":!Name")
        extra = ""
        if self._maybe(0.1):
            extra = self._pick(" {name: 'run'}", " {name: '__init__'}", f" WHERE {name}.name CONTAINS 'e'")
        return f"({name}{shown}{extra})"

    def _hop(self, label: str) -> tuple[str, str]:
        outgoing = [(kind, end, True) for kind, start, end in self.joins if start == label]
        incoming = [(kind, start, False) for kind, start, end in self.joins if end == label]
        kind, other, out = self.chance.choice(outgoing + incoming)
        name = self._new("r") if self._maybe(0.4) else ""
        length = ""
        if self._maybe(0.12):
            length = self._pick("*1..2", "*0..1", "*2", "*..2")
        elif name:
            self.relationships[name] = kind
        types = (
            f":{kind}"
            if self._maybe(0.85)
            else self._pick("", f":{kind}|CALLS", ":!UNRESOLVED")
            if not length
            else f":{kind}"
        )
        end = self._new("n")
        node = self._node(end, other) if self._maybe(0.8) else f"({end})"
        if not length and not name and self._maybe(0.06):
            self.nodes[end] = ""
            return f" {self._group(kind, out)} {node}", other
        self.nodes[end] = other if types == f":{kind}" and not length else ""
        inner = f"[{name}{types}{length}]"
        arrow = f"-{inner}->" if out else f"<-{inner}-"
        if self._maybe(0.06):
            arrow = f"-{inner}-"
            self.nodes[end] = ""
        return arrow + node, self.nodes[end] or other

    def _group(self, kind: str, out: bool) -> str:
        """A quantified path group of one step or two; its variables are lists of nodes, which nothing else uses."""
        first, last = self._new("g"), self._new("g")
        step = f"-[:{kind}]->" if out else f"<-[:{kind}]-"
        if self._maybe(0.3):
            step = f"{step}({self._new('g')}){self._pick('-->', '<-[:CALLS]-', '-[:DEFINES]->')}"
        where = self._pick("", "", "", f" WHERE {first}.name <> {last}.name")
        return f"(({first}){step}({last}){where}){self._pick('{1,2}', '{0,1}', '{2}', '{,2}', '{1,3}')}"

    def _literal(self, kind: PropertyKind) -> str:
        if kind is PropertyKind.STRING:
            names = self.names.get(self._pick(*_COMMON)) if self.names and self._maybe(0.3) else None
            return f"'{self.chance.choice(names or _TEXTS)}'"
        if kind is PropertyKind.INTEGER:
            return str(self.chance.choice(_NUMBERS))
        if kind is PropertyKind.FLOAT:
            return str(self.chance.choice(_REALS))
        return self._pick("true", "false")

    def _property(self) -> tuple[str, PropertyKind]:
        options = [(n, NODE_LABELS[label].properties) for n, label in self.nodes.items() if label]
        options += [(n, NODE_LABELS["Name"].properties) for n, label in self.nodes.items() if not label]
        options += [(r, RELATIONSHIP_TYPES[kind].properties) for r, kind in self.relationships.items()
                    if RELATIONSHIP_TYPES[kind].properties]  # fmt: skip
        if self.values and self._maybe(0.3):
            name = self.chance.choice(list(self.values))
            return name, self.values[name]
        if not options:
            return self._pick("1", "2"), PropertyKind.INTEGER
        name, properties = self.chance.choice(options)
        prop = self.chance.choice(properties)
        return f"{name}.{prop.name}", prop.kind

    def _condition(self, depth: int = 0) -> str:
        if depth < 2 and self._maybe(0.3):
            left, right = self._condition(depth + 1), self._condition(depth + 1)
            return f"({left} {self._pick('AND', 'OR', 'XOR', 'AND NOT')} {right})"
        if self._maybe(0.15):
            return f"NOT ({self._simple_condition()})"
        return self._simple_condition()

    def _simple_condition(self) -> str:
        if self.nodes and self._maybe(0.22):
            return self._pattern_condition()
        text, kind = self._property()
        if self._maybe(0.12):
            return f"{text} IS {self._pick('', 'NOT ')}NULL"
        if kind is PropertyKind.BOOLEAN:
            return self._pick(text, f"{text} = true", f"NOT {text}")
        if kind in (PropertyKind.STRINGS, PropertyKind.INTEGERS):
            item = self._literal(PropertyKind.STRING if kind is PropertyKind.STRINGS else PropertyKind.INTEGER)
            return self._pick(f"{item} IN {text}", f"size({text}) > 1", f"any(x IN {text} WHERE x = {item})",
                              f"all(x IN {text} WHERE x <> {item})", f"{text}[0] = {item}")  # fmt: skip
        value = self._literal(kind)
        if kind is PropertyKind.STRING and self._maybe(0.6):
            word = self._pick("STARTS WITH", "ENDS WITH", "CONTAINS")
            return self._pick(f"{text} {word} {value}", f"toLower({text}) {word} {value}", f"size({text}) > 8",
                              f"{text} IN [{value}, 'close', null]", f"{text} =~ '.*[a-m]_?.*'",
                              f"{text} < {value}")  # fmt: skip
        operator = self._pick("=", "<>", "<", "<=", ">", ">=")
        return self._pick(f"{text} {operator} {value}", f"{text} {operator} {self._property()[0]}",
                          f"{value} {operator} {text}", f"0 <= {text} < {value}") \
            if kind is not PropertyKind.STRING else f"{text} {operator} {value}"  # fmt: skip

    def _pattern_condition(self) -> str:
        name = self.chance.choice(list(self.nodes))
        label = self.nodes[name]
        if not label or self._maybe(0.25):
            return f"{name}:{self.chance.choice(_COMMON)}"
        join = self.chance.choice([j for j in self.joins if label in (j[1], j[2])])
        arrow = f"-[:{join[0]}]->" if join[1] == label else f"<-[:{join[0]}]-"
        other = join[2] if join[1] == label else join[1]
        inner = f"({name}){arrow}(x:{other})"
        return self._pick(
            f"({name}){arrow}()",
            f"({name}){arrow}(:{other} {{name: 'run'}})",
            f"EXISTS {{ {inner} WHERE x.name CONTAINS 'e' }}",
            f"EXISTS {{ MATCH {inner} MATCH (x)--(y) RETURN y }}",
            f"COUNT {{ {inner} }} > {self.chance.choice((0, 1, 3))}",
            f"COUNT {{ MATCH {inner} RETURN DISTINCT x.name }} = 1",
            f"NOT EXISTS {{ {inner} }}",
        )

    def _value(self) -> tuple[str, PropertyKind]:
        text, kind = self._property()
        choice = self.chance.random()
        if choice < 0.5:
            return text, kind
        if self.nodes and choice < 0.6:
            name = self.chance.choice(list(self.nodes))
            return self._pick(f"labels({name})[0]", f"coalesce({name}.name, '?')", f"{name}.name + '!'",
                              f"CASE WHEN {name}.name < 'm' THEN 'low' ELSE 'high' END"), PropertyKind.STRING  # fmt: skip
        if choice < 0.63:
            return self._odd_value(text)
        if choice < 0.66 and (known := [name for name, label in self.nodes.items() if label]):
            name = self.chance.choice(known)
            step = f"({name}){self._arrow(self.nodes[name])}(z)"
            return self._pick(f"size([{step} | z.id])", f"COUNT {{ {step} WHERE z.name <> 'a' }}"), PropertyKind.INTEGER
        if self.paths and choice < 0.68:
            return f"length({self.chance.choice(self.paths)})", PropertyKind.INTEGER
        return self._computed(text, kind)

    def _odd_value(self, text: str) -> tuple[str, PropertyKind]:
        """A value where one of another kind belongs, a list of mixed kinds, a sign: what an analyst writes by mistake."""
        value = self._pick(text, text, f"{{k: {text}}}.k", f"coalesce({text}, 'x')", f"head([{text}, 1, 'a'])")
        return self.chance.choice((
            (f"'a' IN {value}", PropertyKind.BOOLEAN),
            (f"1 IN {value}", PropertyKind.BOOLEAN),
            (f"any(x IN {value} WHERE x = 'run')", PropertyKind.BOOLEAN),
            (f"size([x IN {value} | x])", PropertyKind.INTEGER),
            (f"reduce(s = 0, x IN {value} | s + 1)", PropertyKind.INTEGER),
            (f"{value}[0..1] IS NULL", PropertyKind.BOOLEAN),
            (f"size([1, 'a', 2.5, {text}])", PropertyKind.INTEGER),
            (f"[1, 'a', {text}][2] = {text}", PropertyKind.BOOLEAN),
            (f"{text} IN [1, 'run', 2.5, null]", PropertyKind.BOOLEAN),
            (f"toString([1, 'a', {text}][1])", PropertyKind.STRING),
            (f"size(toString({value}))", PropertyKind.INTEGER),
            (f"toUpper({value}) = 'RUN'", PropertyKind.BOOLEAN),
            (f"{value} STARTS WITH 'r'", PropertyKind.BOOLEAN),
            (f"{value} =~ 'r.*'", PropertyKind.BOOLEAN),
            (f"{value} + 1 IS NULL", PropertyKind.BOOLEAN),
            (f"+{text} IS NULL", PropertyKind.BOOLEAN),
            (f"2 - - {self.chance.choice(_NUMBERS)}", PropertyKind.INTEGER),
            (f"toInteger('{self.chance.choice(_LONG_NUMBERS)}')", PropertyKind.INTEGER),
            (f"size(split(toString({text}), ['_', '/']))", PropertyKind.INTEGER),
            (f"size(tail({value}))", PropertyKind.INTEGER),
        ))  # fmt: skip

    def _computed(self, text: str, kind: PropertyKind) -> tuple[str, PropertyKind]:
        if kind is PropertyKind.STRING:
            return self.chance.choice((
                (f"size({text})", PropertyKind.INTEGER),
                (f"toUpper({text})", kind),
                (f"substring({text}, 1, 3)", kind),
                (f"split({text}, '_')[0]", kind),
                (f"coalesce({text}, 'none')", kind),
                (f"left({text}, 2) + '-' + right({text}, 1)", kind),
                (f"CASE WHEN {text} CONTAINS 'a' THEN 1 ELSE 2 END", PropertyKind.INTEGER),
            ))  # fmt: skip
        if kind is PropertyKind.INTEGER:
            return self.chance.choice((
                (f"{text} + 1", kind), (f"{text} * 2 - 3", kind), (f"{text} / 4", kind), (f"{text} % 3", kind),
                (f"{text} / 2.0", PropertyKind.FLOAT), (f"abs({text} - 5)", kind), (f"toString({text})", PropertyKind.STRING),
                (f"{text} > 3", PropertyKind.BOOLEAN),
            ))  # fmt: skip
        if kind is PropertyKind.FLOAT:
            return self.chance.choice(((f"round({text})", kind), (f"round({text}, 2)", kind), (f"{text} * 3", kind),
                                       (f"toInteger({text})", PropertyKind.INTEGER), (f"floor({text})", kind)))  # fmt: skip
        if kind is PropertyKind.STRINGS:
            return self.chance.choice((
                (f"size({text})", PropertyKind.INTEGER),
                (f"head({text})", PropertyKind.STRING),
                (f"[x IN {text} WHERE x <> 'a' | toUpper(x)]", kind),
                (f"{text} + ['z']", kind),
                (f"reduce(s = '', x IN {text} | s + x)", PropertyKind.STRING),
            ))  # fmt: skip
        if kind is PropertyKind.INTEGERS:
            return self.chance.choice((
                (f"size({text})", PropertyKind.INTEGER), (f"{text}[0..2]", kind), (f"last({text})", PropertyKind.INTEGER),
                (f"reduce(s = 0, x IN {text} | s + x)", PropertyKind.INTEGER), (f"reverse({text})", kind),
            ))  # fmt: skip
        return self.chance.choice(
            ((f"NOT {text}", kind), (f"CASE WHEN {text} THEN 1 ELSE 0 END", PropertyKind.INTEGER))
        )

    def _aggregate(self) -> tuple[str, PropertyKind]:
        text, kind = self._property()
        distinct = self._pick("", "", "DISTINCT ")
        options = [("count(*)", PropertyKind.INTEGER), (f"count({distinct}{text})", PropertyKind.INTEGER)]
        if kind in (PropertyKind.INTEGER, PropertyKind.STRING):
            options += [(f"min({text})", kind), (f"max({text})", kind)]
        if kind is PropertyKind.INTEGER:
            options += [(f"sum({distinct}{text})", kind), (f"avg({text})", PropertyKind.FLOAT),
                        (f"sum({text}) + count(*)", kind), (f"stDev({distinct}{text})", PropertyKind.FLOAT),
                        (f"stDevP({text})", PropertyKind.FLOAT)]  # fmt: skip
        if kind in (PropertyKind.INTEGER, PropertyKind.FLOAT):
            share = self._pick("0", "0.25", "0.5", "0.9", "1")
            options += [(f"percentileCont({distinct}{text}, {share})", PropertyKind.FLOAT),
                        (f"percentileDisc({text}, {share})", kind)]  # fmt: skip
        if kind is PropertyKind.STRING:
            options += [(f"size(collect({distinct}{text}))", PropertyKind.INTEGER),
                        (f"CASE WHEN count({text}) > 1 THEN 'many' ELSE 'few' END", PropertyKind.STRING)]  # fmt: skip
        return self.chance.choice(options)

    def _items(self, least: int = 1) -> list[tuple[str, str, PropertyKind]]:
        items = []
        for _ in range(self.chance.randrange(least, 4)):
            text, kind = self._value()
            items.append((text, self._new("c"), kind))
        if self._maybe(0.4):
            text, kind = self._aggregate()
            items.append((text, self._new("a"), kind))
        return items

    def _with(self) -> str:
        kept = [n for n in self.nodes if self._maybe(0.6)]
        items = self._items(0)
        names = kept + [f"{text} AS {alias}" for text, alias, _ in items]
        if not names:
            first = next(iter(self.nodes), "")
            kept = [first] if first else []
            names = kept or ["1 AS one"]
        distinct = "DISTINCT " if self._maybe(0.15) else ""
        self.nodes = {n: self.nodes[n] for n in kept}
        self.relationships, self.paths = {}, []
        self.values = {alias: kind for _, alias, kind in items}
        where = f" WHERE {self._condition()}" if self._maybe(0.4) and (self.nodes or self.values) else ""
        return f"WITH {distinct}{', '.join(names)}{where}"

    def _call(self) -> str:
        known = [name for name, label in self.nodes.items() if label]
        if not known:
            return self._unwind()
        name = self.chance.choice(known)
        arrow = self._arrow(self.nodes[name])
        value = self._new("k")
        self.values[value] = PropertyKind.INTEGER
        head = self._pick(f"CALL ({name}) {{ ", f"CALL {{ WITH {name} ")
        body = self._pick(
            f"MATCH ({name}){arrow}(z) RETURN count(z) AS {value}",
            f"OPTIONAL MATCH ({name}){arrow}(z) RETURN count(DISTINCT z.name) AS {value}",
            f"MATCH ({name}){arrow}(z) WITH z ORDER BY z.id LIMIT 2 RETURN size(z.name) AS {value}",
        )
        return f"{head}{body} }}"

    def _arrow(self, label: str) -> str:
        """A relationship that begins at nodes of this label."""
        join = self.chance.choice([j for j in self.joins if label in (j[1], j[2])])
        return f"-[:{join[0]}]->" if join[1] == label else f"<-[:{join[0]}]-"

    def _return(self) -> str:
        items, node = self._items(), ""
        if self._maybe(0.1) and self.nodes:
            node = self._new("v")
            items.append((self.chance.choice(list(self.nodes)), node, PropertyKind.STRINGS))
        if self._maybe(0.15):  # named like the variables of patterns inside
            items[0] = (items[0][0], "z", items[0][2])
        distinct = "DISTINCT " if self._maybe(0.2) else ""
        text = f"RETURN {distinct}" + ", ".join(f"{expression} AS {alias}" for expression, alias, _ in items)
        if self._maybe(0.35):
            keys = [f"{alias}.id" if alias == node else alias for _, alias, _ in items]
            order = [key + self._pick("", " DESC") for key in keys]
            text += " ORDER BY " + ", ".join(order)
            if self._maybe(0.5) and not any(kind is PropertyKind.FLOAT for _, _, kind in items):
                text += self._pick(" LIMIT 5", " SKIP 1 LIMIT 3", " SKIP 2")
        return text
