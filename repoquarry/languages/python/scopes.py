"""Scopes of one Python file: map names to constraint graph variables, with flow-sensitive locals, closures and loops.

Python scoping is lexical, so the file alone decides which variable a name is; only names that it binds nowhere are left to resolution.
Within one scope assignments are followed in order (a second `x = ...` replaces the first; branches meet, loops feed back), because
distinguishing the successive values of a local name prevents wrong edges. Other scopes see all of a function's
values of a name, and a module's or class's last one.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from repoquarry.languages.constraints import COPY, NAME, ConstraintGraphBuilder
from repoquarry.languages.extraction import VariableLog

MODULE, CLASS, FUNCTION, COMPREHENSION = range(4)
Environment = dict[str, int]


@dataclass(slots=True)
class LoopState:
    """A loop being walked: the variables in which values from before it and from its own end meet."""

    start: int
    """Variables from this number on were made inside the loop."""
    meets: dict[str, tuple[int, int]] = field(default_factory=dict)
    """name -> (meeting variable, variable before the loop)"""


class PythonScope:
    """Names of a module, class, function or comprehension."""

    __slots__ = (
        "dead", "declared", "definition", "env", "items", "kind", "loops", "outward", "parent", "shared", "versions",
    )  # fmt: skip

    def __init__(self, kind: int, definition: int, parent: PythonScope | None) -> None:
        self.kind = kind
        self.definition = definition
        """Index of the definition whose body this is, -1 for the module; comprehensions carry that of the scope around."""
        self.parent = parent
        self.env: Environment = {}
        """Name -> variable of its present value."""
        self.versions: dict[str, list[int]] = {}
        """Name -> every variable assigned to it."""
        self.outward: dict[str, int] = {}
        """Name -> the variable that stands for it where order is not known: closures, names of outer scopes."""
        self.declared: dict[str, bool] = {}
        """Names declared `global` (True) or `nonlocal` (False)."""
        self.shared: dict[str, list[int]] = {}
        """Name -> variables assigned to it from inner scopes."""
        self.loops: list[LoopState] = []
        self.items: Environment = {}
        """Source text of `name[key]...` -> variable just assigned to it, as long as nothing can have changed it since."""
        self.dead = False
        """True if the rest of this block is unreachable: it returned or raised."""


class PythonScopeStack:
    """The scopes of one file, and reading and writing names in the innermost."""

    def __init__(self, graph: ConstraintGraphBuilder) -> None:
        self.graph = graph
        self.module = PythonScope(MODULE, -1, None)
        self.current = self.module
        self._all = [self.module]
        self.log = VariableLog[PythonScope]()

    def enter(self, kind: int, definition: int) -> PythonScope:
        """Open a scope inside the current one."""
        self.current = PythonScope(kind, definition, self.current)
        self._all.append(self.current)
        return self.current

    def leave(self) -> None:
        """Close the current scope."""
        assert self.current.parent is not None  # noqa: S101 - the module's scope is never left
        self.current = self.current.parent

    def is_in_function(self) -> bool:
        """Return whether a function, or a class inside one, is being read."""
        scope: PythonScope | None = self.current
        while scope is not None and scope.kind != FUNCTION:
            scope = scope.parent
        return scope is not None

    def is_local(self, name: str) -> bool:
        """Return whether the function being read binds a name, as far as it has been read."""
        return self.current.kind in (FUNCTION, COMPREHENSION) and name in self.current.env

    def read(self, name: str) -> int:
        """Return the variable that holds the value of a name here and now."""
        scope = self.current
        variable = scope.env.get(name)
        if variable is not None and not scope.loops:
            return variable
        if variable is None and scope.kind == FUNCTION:
            return self.later(name)
        return self._read(scope, name)

    def _read(self, scope: PythonScope, name: str) -> int:
        here: PythonScope | None = scope
        while here is not None:
            if name in here.env and (here is scope or here.kind != CLASS):
                return self._in_loops(here, name) if here.loops else here.env[name]
            if name in here.declared or here.kind not in (COMPREHENSION, CLASS):
                break
            here = here.parent
        return self.later(name, scope)

    def _in_loops(self, scope: PythonScope, name: str) -> int:
        variable = scope.env[name]
        for loop in scope.loops:
            if meet := loop.meets.get(name):
                if variable == meet[1]:
                    variable = meet[0]
            elif variable < loop.start:
                joined = self.graph.value(COPY, variable)
                loop.meets[name] = (joined, variable)
                variable = joined
        scope.env[name] = variable
        return variable

    def later(self, name: str, scope: PythonScope | None = None) -> int:
        """The variable of a name that is looked up when the order of assignments is no longer known (closures, annotations)."""
        scope = scope or self.current
        variable = scope.outward.get(name)
        if variable is None:
            variable = scope.outward[name] = self.graph.variable()
        return variable

    def write(self, name: str, variable: int) -> None:
        """Bind a name in the current scope (a comprehension's own names: `write_here`)."""
        scope = self.current
        while scope.kind == COMPREHENSION and scope.parent is not None:
            scope = scope.parent
        scope.items.clear()
        if name in scope.declared:
            home = self._home(scope, name)
            home.shared.setdefault(name, []).append(variable)
            home.versions.setdefault(name, []).append(variable)
            if home.kind == FUNCTION:  # a call of the inner function may come at any time from here on
                home.env.pop(name, None)
            return
        scope.env[name] = variable
        scope.versions.setdefault(name, []).append(variable)

    def write_here(self, name: str, variable: int) -> None:
        """Bind a name in the innermost scope, also where that is a comprehension."""
        self.current.env[name] = variable
        self.current.versions.setdefault(name, []).append(variable)

    def forget(self, name: str) -> None:
        """`del name`."""
        self.current.env.pop(name, None)

    def declare(self, name: str, *, is_global: bool) -> None:
        """`global name` or `nonlocal name`."""
        self.current.declared[name] = is_global

    def _home(self, scope: PythonScope, name: str) -> PythonScope:
        if scope.declared[name]:
            return self.module
        here = scope.parent
        while here is not None and here.parent is not None:
            if here.kind == FUNCTION and name in here.versions and name not in here.declared:
                return here
            here = here.parent
        return self.module

    # ---- branches and loops

    def merge(self, environments: list[Environment]) -> None:
        """Continue with the possible values after any of the branches; with none, the rest is unreachable."""
        scope = self.current
        scope.items.clear()
        if not environments:
            scope.dead = True
            return
        scope.dead = False
        first, *others = environments
        for other in others:
            if other == first:
                continue
            merged = dict(first)
            for name, variable in other.items():
                have = first.get(name, variable)
                merged[name] = variable if have == variable else self.graph.copies((have, variable))
            first = merged
        scope.env = first

    def begin_loop(self) -> Environment:
        """Open a loop; return the environment before it, for `end_loop`."""
        self.current.items.clear()
        self.current.loops.append(LoopState(len(self.graph.first)))
        return dict(self.current.env)

    def end_loop(self, before: Environment) -> None:
        """Close a loop: the values at its end feed those at its start, and it may not have run at all."""
        scope = self.current
        loop = scope.loops.pop()
        for name, (joined, original) in loop.meets.items():
            last = scope.env.get(name, original)
            if last == joined:
                scope.env[name] = original
            elif last != original:
                self.graph.assign(joined, COPY, last)
                scope.env[name] = joined
        self.merge([before, scope.env])

    @staticmethod
    def is_shared(scope: PythonScope, name: str) -> bool:
        """Return whether a name in a scope means one of the module or of the class directly around."""
        here: PythonScope | None = scope
        while here is not None:
            if name in here.declared:
                return here.declared[name]
            if name in here.versions and (here is scope or here.kind != CLASS):
                return here.kind in (MODULE, CLASS)
            here = here.parent
        return False

    # ---- the end of the file

    def finish(self) -> None:
        """Ties the names that were looked up late to the scopes that bind them, and lists what modules and classes bind."""
        graph = self.graph
        for scope in reversed(self._all):
            if scope.kind in (MODULE, CLASS):
                for name in scope.versions:
                    graph.scopes += (scope.definition, graph.symbol(name), self._public(scope, name))
            versions, declared = scope.versions, scope.declared
            for name, variable in list(scope.outward.items()):
                if name in versions and name not in declared:
                    for version in self._visible(scope, name):
                        if version != variable:
                            graph.assign(variable, COPY, version)
                else:
                    self._tie(scope, name, variable)

    def _visible(self, scope: PythonScope, name: str) -> list[int]:
        if scope.kind in (MODULE, CLASS) and name in scope.env:
            return list(dict.fromkeys([scope.env[name], *scope.shared.get(name, ())]))
        return list(dict.fromkeys(scope.versions[name]))

    def _public(self, scope: PythonScope, name: str) -> int:
        if name in scope.env and name not in scope.shared:
            return scope.env[name]
        visible = self._visible(scope, name)
        return visible[0] if len(visible) == 1 else self.later(name, scope)

    def _tie(self, scope: PythonScope, name: str, variable: int) -> None:
        here = self.module if scope.declared.get(name) else scope.parent
        while here is not None:
            if here.kind != CLASS and name in here.versions and name not in here.declared:
                source = self._public(here, name) if here.kind == MODULE else self.later(name, here)
                self.graph.assign(variable, COPY, source)
                return
            here = here.parent
        self.graph.assign(variable, NAME, self.graph.symbol(name))
