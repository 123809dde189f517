"""Programs made at random, operation by operation: what no extractor would write in this mixture, and any solver must agree on."""

from random import Random

from repoquarry.languages import constraints as op
from repoquarry.languages.facts import Decorator, Definition, FileFacts, Import

_PATHS = (
    "main.py", "package/__init__.py", "package/one.py", "package/one.pyi", "package/inner/two.py", "tests/conftest.py", "tests/test_it.py",
)  # fmt: skip
_NAMES = (
    "f", "g", "run", "Thing", "Base", "__init__", "__new__", "__call__", "__get__", "__iter__", "__next__", "__getitem__", "__setitem__",
    "__enter__", "__exit__", "__aenter__", "__await__", "__add__", "__radd__", "__iadd__", "__post_init__", "metaclass", "_hidden", "append",
    "items", "get", "setdefault", "update", "setter", "result", "copy", "__class__", "__func__", "__self__", "test_it", "fix", "key", "Ärger",
    "as_view", "include", "route", "popleft", "popitem", "pop", "add", "union", "new_child", "fromkeys", "elements", "value", "MEMBER",
    "set_defaults", "add_argument", "add_parser", "add_subparsers", "parse_args", "parse_known_args", "import_module", "getattr", "dir",
    "chain", "from_iterable",
)  # fmt: skip
_BUILTINS = (
    "super", "property", "staticmethod", "classmethod", "type", "getattr", "setattr", "map", "filter", "zip", "enumerate", "dict", "list",
    "sorted", "min", "iter", "next", "object", "str", "int", "print", "unknown", "vars", "dir", "set",
)  # fmt: skip
_MODULES = (
    "package", "package.one", "package.inner.two", "one", "typing", "functools", "asyncio", "enum", "collections", "importlib", "queue", "flask",
    "django.urls", "signal",
)  # fmt: skip
_OUTSIDE = (
    "Optional", "Union", "List", "Dict", "Tuple", "Type", "Iterator", "Protocol", "TypeVar", "cast", "Self", "Any", "wraps", "partial",
    "reduce", "lru_cache", "cached_property", "gather", "run", "Future", "Enum", "defaultdict", "import_module", "Queue", "NamedTuple",
    "Flask", "path", "include", "signal",
)  # fmt: skip
_LIBRARY = {
    "collections": "deque Counter OrderedDict ChainMap defaultdict",
    "argparse": "ArgumentParser Namespace",
    "optparse": "OptionParser",
    "types": "SimpleNamespace",
    "itertools": "chain groupby starmap tee product accumulate repeat islice zip_longest",
    "heapq": "heappush heappushpop nlargest",
    "random": "choice",
    "werkzeug.utils": "import_string",
    "importlib": "import_module",
    "enum": "IntEnum Enum",
    "typing": "Deque Dict Counter List Type",
    "weakref": "WeakSet",
    "asyncio": "Queue gather",
}
_FROM_LIBRARY = tuple((module, name) for module, names in _LIBRARY.items() for name in names.split())
"""Modules and what they have: at random both would rarely meet."""
_TEXTS = (
    "'f'", "'run'", "'ru*", "'package.one'", "'.one'", "'package.one.f'", "0",
    "1", "7", "-1", "'key'", "'package.inner.two:run'", "'KEY'", "'--key'", "'one.f'",
)  # fmt: skip
_KINDS = ("list", "tuple", "dict", "dict", "set", "generator", "deque", "defaultdict", "counter")
_DECORATORS = tuple(
    Decorator(text, dotted, arguments)
    for text, dotted, arguments in (
        ("wraps(f)", "functools.wraps", "f"),
        ("property", "property", None),
        ("dataclass", "dataclasses.dataclass", None),
        ("abstractmethod", "abc.abstractmethod", None),
        ("pytest.fixture", "pytest.fixture", None),
        ("fixture(name='key')", "pytest.fixture", "name='key'"),
        ("f.setter", "f.setter", None),
        ("staticmethod", "staticmethod", None),
        ("app.route('/')", "app.route", "'/'"),
    )
)


class _File:
    """One file at random."""

    def __init__(self, random: Random, path: str, size: int) -> None:
        self.random = random
        self.path = path
        self.graph = op.ConstraintGraphBuilder()
        self.names = tuple(random.sample(_NAMES, 10))
        """The names that this file uses: few, so that they meet."""
        self.known: list[int] = []
        """Variables that may well hold something."""
        self.definitions: list[Definition] = []
        self.free = [self.graph.variable() for _ in range(size)]
        """Variables to which operations may be added: no operation is known by them."""
        self.variables = list(self.free)
        self.parents: list[int] = []
        self.is_class: list[bool] = []
        self._define(random.randint(2, 10))
        for name in random.sample(_BUILTINS, 6):
            self._keep(self.graph.value(op.NAME, self.graph.symbol(name)))
        for variable in self.free:
            if random.random() < 0.7:
                self.graph.assign(variable, op.COPY, self.pick())
                self.known.append(variable)
        for _ in range(size * 2):
            self._operation()

    def pick(self) -> int:
        """Some variable, rather one that holds something."""
        return self.random.choice(self.known if self.known and self.random.random() < 0.8 else self.variables)

    def _keep(self, variable: int) -> None:
        self.variables.append(variable)
        self.known.append(variable)

    def symbol(self, *tables: tuple[str, ...]) -> int:
        return self.graph.symbol(self.random.choice(self.random.choice(tables or (self.names,))))

    def owner(self) -> int:
        return self.random.randint(-1, len(self.definitions) - 1)

    def line(self) -> int:
        return self.random.randint(1, 99)

    # ---- definitions

    def _define(self, count: int) -> None:
        random, graph = self.random, self.graph
        for number in range(count):
            parent = random.randint(-1, number - 1)
            is_class = random.random() < 0.4
            name = random.choice(self.names)
            in_class = parent >= 0 and self.is_class[parent]
            kind = "class" if is_class else "method" if in_class else "function"
            decorators = tuple(random.sample(_DECORATORS, random.choice((0, 0, 1, 2))))
            key = f"{name}#{number}"
            self.definitions.append(Definition(
                key, kind, name, key, self.definitions[parent].key if parent >= 0 else "", 1, number + 1, 9, "()", "", decorators, (), 0, 0, 0,
                False, False,
            ))  # fmt: skip
            self.parents.append(parent)
            self.is_class.append(is_class)
            record = self._class() if is_class else self._function(in_class=in_class)
            graph.functions.append([len(record) + 1, *record])
            bound = graph.value(op.CLASS if is_class else op.FUNC, number)
            self._keep(bound)
            if parent < 0 or in_class:
                graph.scopes += (parent, graph.symbol(name), bound)
        for _ in range(random.randint(0, 4)):
            graph.scopes += (-1, self.symbol(), self.pick())

    def _function(self, *, in_class: bool) -> list[int]:
        random, flags = self.random, 0
        for flag, share in (
            (op.ASYNC, 0.1),
            (op.GENERATOR, 0.15),
            (op.STATIC, 0.1),
            (op.OF_CLASS, 0.1),
            (op.ABSTRACT, 0.15),
        ):
            flags |= flag * (random.random() < share)
        parameters: list[int] = []
        count = random.randint(int(in_class), 3)
        for _ in range(count):
            variable = self.graph.variable()
            self.variables.append(variable)
            self.free.append(variable)
            parameters += (
                self.symbol(),
                variable,
                random.choice((op.PLAIN, op.PLAIN, op.POSITION_ONLY, op.KEYWORD_ONLY)),
            )
        for kind, container in ((op.REST, "tuple"), (op.KEYWORD_REST, "dict")):
            if random.random() < 0.25:
                variable = self.graph.value(op.CONTAINER, self.graph.symbol(container), 1, op.ANY, self.pick())
                parameters += (self.symbol(), variable, kind)
                count += 1
        declared = self.pick() if random.random() < 0.2 else -1
        return [op.FUNC, flags | op.METHOD * in_class, self.pick(), self.pick(), declared, count, *parameters]

    def _class(self) -> list[int]:
        random = self.random
        bases = [self.pick() for _ in range(random.choice((0, 1, 1, 2)))]
        keywords = [self.graph.symbol("metaclass"), self.pick()] if random.random() < 0.15 else []
        fields = [number for _ in range(random.choice((0, 0, 1, 2))) for number in (self.symbol(), self.pick())]
        return [op.CLASS, len(bases), *bases, len(keywords) // 2, *keywords, len(fields) // 2, *fields]

    # ---- operations

    def _operation(self) -> None:
        choice = self.random.choice((*self._ASSIGNING, *self._ASSIGNING, *self._EFFECTS))
        choice(self)

    def _assign(self, opcode: int, *operands: int) -> None:
        if self.random.random() < 0.5:
            self._keep(self.graph.rooted(opcode, *operands))
        else:
            self.graph.assign(self.random.choice(self.free), opcode, *operands)

    def _call(self) -> None:
        random = self.random
        arguments: list[int] = []
        for _ in range(random.randint(0, 3)):
            kind = random.choice((op.POSITIONAL, op.POSITIONAL, op.POSITIONAL, op.SPLAT, op.KEYWORDS, self.symbol()))
            arguments += (kind, self.pick())
        flags = 0
        if random.random() < 0.2:
            arguments, flags = [op.POSITIONAL, self.pick()], op.DECORATES
        name = random.choice((-1, self.symbol(), self.graph.symbol("setattr")))
        self._keep(self.graph.call(self.pick(), self.line(), self.owner(), flags, name, arguments))

    def _container(self) -> None:
        random = self.random
        pairs = [
            number
            for _ in range(random.randint(0, 3))
            for number in (random.choice((op.ANY, op.SPREAD, self.symbol(_TEXTS))), self.pick())
        ]
        self._assign(op.CONTAINER, self.symbol(_KINDS), len(pairs) // 2, *pairs)

    def _from_library(self) -> None:
        """Something that the kernel has rules for, and a call of it."""
        module, name = self.random.choice(_FROM_LIBRARY)
        function = self.graph.value(op.FROM, self.graph.symbol(module), 0, self.graph.symbol(name), 1, -1)
        self._keep(function)
        given = [number for _ in range(self.random.randint(0, 2)) for number in (op.POSITIONAL, self.pick())]
        self._keep(self.graph.call(function, self.line(), self.owner(), 0, self.graph.symbol(name), given))

    def _item_key(self) -> tuple[int, int]:
        return self.random.choice(((self.symbol(_TEXTS), -1), (-1, self.pick()), (-1, -1)))

    _ASSIGNING = (
        lambda self: self._assign(op.COPY, self.pick()),
        lambda self: self._assign(op.COPY, self.pick()),
        lambda self: self._assign(op.ATTR, self.pick(), self.symbol(), self.line(), self.owner()),
        lambda self: self._assign(op.ATTR, self.pick(), self.symbol(self.names, _OUTSIDE), self.line(), self.owner()),
        lambda self: self._assign(op.ITEM, self.pick(), *self._item_key(), self.line(), self.owner()),
        lambda self: self._assign(
            op.CONST, self.symbol(("str", "int", "NoneType")), self.random.choice((-1, self.symbol(_TEXTS)))
        ),
        lambda self: self._assign(op.NAME, self.symbol(_BUILTINS)),
        lambda self: self._assign(op.NAME, self.symbol(_BUILTINS)),
        lambda self: self._assign(op.IMPORT, self.symbol(_MODULES), self.random.randint(0, 1)),
        lambda self: self._assign(
            op.FROM,
            self.symbol(_MODULES),
            self.random.choice((0, 0, 0, 1, 2)),
            self.symbol(self.names, _OUTSIDE),
            1,
            -1,
        ),
        lambda self: self._assign(op.FROM, self.symbol(_MODULES), 0, self.symbol(_OUTSIDE), 1, -1),
        lambda self: self._from_library(),
        lambda self: self._container(),
        lambda self: self._assign(op.EACH, self.pick(), self.line(), self.owner()),
        lambda self: self._assign(op.AWAIT, self.pick(), self.line(), self.owner()),
        lambda self: self._assign(op.SENT, self.pick()),
        lambda self: self._assign(op.ENTER, self.pick(), self.line(), self.owner()),
        lambda self: self._assign(
            op.OPER,
            self.symbol(("__add__", "__iadd__", "__lt__", "__sub__", "__iand__")),
            self.pick(),
            self.pick(),
            self.line(),
            self.owner(),
        ),
        lambda self: self._assign(op.TYPED, self.pick(), self.owner()),
        lambda self: self._assign(op.TYPEARGS, self.pick(), 2, self.pick(), self.pick()),
        lambda self: self._assign(op.DECLARED, self.pick(), self.owner(), self.pick()),
        lambda self: self._assign(op.NARROW, self.pick(), self.pick(), self.random.randint(0, 1)),
        lambda self: self._assign(op.SLICE, self.pick(), self.random.randint(0, 2), self.line(), self.owner()),
        lambda self: self._assign(
            op.UNPACK, self.pick(), self.random.choice((-1, self.symbol(_TEXTS))), self.line(), self.owner()
        ),
    )
    _EFFECTS = (
        _call,
        _call,
        _call,
        lambda self: self.graph.effect(op.SETATTR, self.pick(), self.symbol(), self.pick(), self.line(), self.owner()),
        lambda self: self.graph.effect(
            op.SETITEM, self.pick(), *self._item_key(), self.pick(), self.line(), self.owner()
        ),
        lambda self: self.graph.effect(op.DELATTR, self.pick(), self.symbol(), self.line(), self.owner()),
        lambda self: self.graph.effect(op.RAISE, self.pick(), self.line(), self.owner()),
        lambda self: self.graph.effect(
            op.MENTION,
            self.pick(),
            self.line(),
            self.owner(),
            self.symbol(("annotation", "handler", "raises", "value")),
        ),
        lambda self: self.graph.effect(op.STAR, self.symbol(_MODULES), self.random.choice((0, 0, 1))),
    )

    def facts(self) -> FileFacts:
        """The file's facts."""
        random, stem = self.random, self.path.rpartition("/")[2].partition(".")[0]
        is_package = stem == "__init__"
        imports = tuple(
            Import(
                random.choice(_MODULES), random.choice(("", "f", "one", "*")), "", random.choice((0, 0, 1)), self.line(), True,
                random.choice(("import", "from", "star")),
            )
            for _ in range(random.randint(0, 4))
        )  # fmt: skip
        exports = tuple(random.sample(_NAMES, 3)) if random.random() < 0.3 else None
        name = self.path.split("/")[-2] if is_package else stem
        return FileFacts(
            self.path, "python", "utf-8", 99, name, is_package, self.path.endswith(".pyi"), "", 0, 0, tuple(self.definitions), imports,
            exports, (), (), self.graph.finish(),
        )  # fmt: skip


def program(seed: int, size: int = 40) -> list[FileFacts]:
    """Files with about `size` variables each."""
    random = Random(seed)
    paths = sorted(random.sample(_PATHS, random.randint(1, len(_PATHS))))
    return [_File(random, path, random.randint(size // 4, size)).facts() for path in paths]
