"""Scopes of one JavaScript file: map names to constraint graph variables, with hoisting, closures and narrowed references.

Scoping is lexical, so the file alone decides; only names that it binds nowhere are left to resolution. Each binding is one variable
with everything that is assigned to it, which nested functions read. Behind an assignment in the same function and block, a local variable
without a declared type holds the assigned value alone, and what nested functions assign. A name may be
declared behind its use (`function`, `var`), so names that are read before they are declared are tied when their scope ends. A fact that a
condition states about a name or a path of properties (`x instanceof C`, `isLeaf(this.node)`) holds within a branch: `narrowed`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

from repoquarry.languages.constraints import COPY, NAME, ConstraintGraphBuilder
from repoquarry.languages.extraction import VariableLog

#: names that a text assigns to, also in part of a pattern or by an operator
_ASSIGNED = re.compile(r"([\w$]+)(?=\s*(?:[-+*/%&|^?]{0,3}=(?!=)|[,\]}]))")
#: the name under which a file's scope has what the file is as a whole
WHOLE = "="


@dataclass(slots=True)
class NarrowedReference:
    """Facts about a reference within a block; its variable is made where it is read first."""

    make: Callable[[], int]
    variable: int = -1

    def value(self) -> int:
        """Return the variable."""
        if self.variable < 0:
            self.variable = self.make()
        return self.variable


@dataclass(slots=True)
class JavaScriptScope:
    """Names of the file, of a function or of a block."""

    parent: JavaScriptScope | None
    is_function: bool
    """`var` and sloppy function declarations belong to the nearest such scope."""
    names: dict[str, int] = field(default_factory=dict)
    """Name -> variable of its binding."""
    waiting: dict[str, int] = field(default_factory=dict)
    """Name -> variable of a name that was read here and is not declared here so far."""
    stores: list[tuple[str, int, bool]] = field(default_factory=list)
    """Names that are assigned to here and not declared here so far, the values, and whether a nested function assigns."""
    certain: dict[str, list[int]] = field(default_factory=dict)
    """Local variable without a declared type -> variables of its value behind assignments."""
    narrowed: dict[str, NarrowedReference] = field(default_factory=dict)
    """Name, `this` or path of properties -> facts about its value within this block."""


class JavaScriptScopeStack:
    """The scopes of one file, and reading and declaring names in the innermost."""

    def __init__(self, graph: ConstraintGraphBuilder) -> None:
        self.graph = graph
        self.module = JavaScriptScope(None, True)
        self.current = self.module
        self.log = VariableLog[JavaScriptScope]()
        self.has_paths = False
        """True if there were facts about `this` or a path of properties somewhere in the file."""

    def enter(self, *, is_function: bool = False) -> JavaScriptScope:
        """Open a scope inside the current one."""
        self.current = JavaScriptScope(self.current, is_function)
        return self.current

    def is_in_function(self) -> bool:
        """Return whether a function is being read, as opposed to blocks and classes of the file; a namespace counts as a function."""
        scope = self.current
        while scope.parent is not None and not scope.is_function:
            scope = scope.parent
        return scope is not self.module

    def is_local(self, name: str) -> bool:
        """Return whether a function or block binds a name, as far as it has been read."""
        scope = self.current
        while scope.parent is not None and name not in scope.names:
            scope = scope.parent
        return scope is not self.module

    def leave(self) -> None:
        """Close the current scope: what was read and not declared in it is looked for further out."""
        scope = self.current
        assert scope.parent is not None  # noqa: S101 - the file's scope is never left
        self.current = scope.parent
        for name, value, is_nested in scope.stores:
            self._store(name, value, scope, is_nested=is_nested)
        for name, variable in scope.waiting.items():
            if (bound := scope.names.get(name)) is not None:
                self.graph.assign(variable, COPY, bound)
            elif (outer := self.current.waiting.get(name)) is not None:
                self.graph.assign(variable, COPY, outer)
            else:
                self.current.waiting[name] = variable

    def read(self, name: str) -> int:
        """Return the variable that holds the value of a name here."""
        scope: JavaScriptScope | None = self.current
        while scope is not None:
            if (known := scope.narrowed.get(name)) is not None:
                return known.value()
            if name in scope.names:
                if scope is self.current:
                    return scope.names[name]
                break
            scope = None if scope.is_function else scope.parent
        return self.plain(name)

    def plain(self, name: str) -> int:
        """As `read`, whatever conditions say."""
        here = self.current
        if (variable := here.names.get(name)) is not None:
            return variable
        variable = here.waiting.get(name)
        if variable is None:
            variable = here.waiting[name] = self.graph.variable()
        return variable

    def narrowing(self, reference: str) -> NarrowedReference | None:
        """Facts about a name, `this` or a path of properties here."""
        root = reference.partition(".")[0]
        scope: JavaScriptScope | None = self.current
        while scope is not None:
            if (known := scope.narrowed.get(reference)) is not None:
                return known
            scope = None if scope.is_function or root in scope.names else scope.parent
        return None

    def narrow(self, reference: str, known: NarrowedReference) -> None:
        """Record a fact about a reference for the rest of the current block."""
        self.current.narrowed[reference] = known
        self.has_paths = self.has_paths or "." in reference or reference == "this"

    def widen(self, reference: str) -> None:
        """Forget the facts about a reference, and about paths that begin with it: something else may be assigned to it."""
        for scope in self._blocks():
            scope.narrowed.pop(reference, None)
            if self.has_paths:
                for path in [one for one in scope.narrowed if one.startswith(f"{reference}.")]:
                    del scope.narrowed[path]

    def declare(self, name: str, *, in_function: bool = False) -> int:
        """Return the variable of a binding; made where it is declared first."""
        scope = self.current
        while in_function and not scope.is_function and scope.parent is not None:
            scope = scope.parent
        variable = scope.names.get(name)
        if variable is None:
            variable = scope.names[name] = self.graph.variable()
        return variable

    def assign(self, name: str, value: int) -> None:
        """`name = value`: the binding, wherever it is, also holds the value."""
        self.widen(name)
        if name in self.current.names:
            self.graph.assign(self.current.names[name], COPY, value)
        else:
            self.current.stores.append((name, value, False))

    def open(self, name: str, value: int) -> None:
        """Let assignments narrow a variable that was just declared, beginning with its own value, if any."""
        for scope in self._blocks():
            if name in scope.names:
                scope.certain.setdefault(name, [])
                break
        if value >= 0:
            self.fix(name, value)

    def fix(self, name: str, value: int) -> None:
        """Narrow a local variable to the value that a statement of its own function assigns."""
        for scope in self._blocks():
            if name in scope.certain:
                self.narrow(name, NarrowedReference(partial(self._fixed, scope, name, value)))
            if name in scope.names:
                return

    def _fixed(self, scope: JavaScriptScope, name: str, value: int) -> int:
        variable = self.graph.value(COPY, value)
        scope.certain[name].append(variable)
        return variable

    def widen_assigned(self, text: str) -> None:
        """Invalidate narrowings of the names that the text of a loop assigns to: the next round sees them."""
        narrowed = {name for scope in self._blocks() for name in scope.narrowed}
        for name in narrowed and narrowed.intersection(_ASSIGNED.findall(text)):
            self.widen(name)

    def _store(self, name: str, value: int, scope: JavaScriptScope, *, is_nested: bool) -> None:
        """Assign a name; an undeclared one becomes a global of the module."""
        if scope.parent is None:
            scope.names.setdefault(name, self.graph.variable())
        if name in scope.names:
            for variable in (scope.names[name], *(scope.certain.get(name, ()) if is_nested else ())):
                self.graph.assign(variable, COPY, value)
        elif scope.parent is not None:
            scope.parent.stores.append((name, value, is_nested or scope.is_function))

    def _blocks(self) -> list[JavaScriptScope]:
        found, scope = [self.current], self.current
        while not scope.is_function and scope.parent is not None:
            scope = scope.parent
            found.append(scope)
        return found

    def is_declared(self, name: str) -> bool:
        """Return whether a scope around this place declares the name, as far as the file has been read."""
        return self._binding_scope(self.current, name) is not None

    def is_shared(self, scope: JavaScriptScope, name: str) -> bool:
        """Return whether a name in a scope means one of the file."""
        return self._binding_scope(scope, name) is self.module

    @staticmethod
    def _binding_scope(scope: JavaScriptScope | None, name: str) -> JavaScriptScope | None:
        """Return the innermost scope that binds a name, as far as the file has been read; None without one."""
        while scope is not None and name not in scope.names:
            scope = scope.parent
        return scope

    def finish(self) -> None:
        """Bind what the file's own scope binds; the rest is bound elsewhere."""
        while self.current.parent is not None:
            self.leave()
        for name, value, is_nested in self.module.stores:
            self._store(name, value, self.module, is_nested=is_nested)
        for name, variable in self.module.waiting.items():
            if (bound := self.module.names.get(name)) is not None:
                self.graph.assign(variable, COPY, bound)
            else:
                self.graph.assign(variable, NAME, self.graph.symbol(name))
