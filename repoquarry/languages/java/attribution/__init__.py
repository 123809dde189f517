"""Call resolution for Java: computes the static types of expressions and finds the targets of calls, as a compiler does.

Every class of the program and of the stubs is found by name; bodies are traversed once, with declared types of variables, fields and
methods and inferred types of type parameters, lambdas and method references. Further targets of a call (overriding methods, functions
passed as arguments) are added afterwards from the objects that the program creates and the functions that it passes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from repoquarry.languages.extraction import raise_recursion_limit
from repoquarry.languages.facts import FileFacts
from repoquarry.languages.family import AttributionResult, ModuleMap
from repoquarry.languages.java import reduced_tree
from repoquarry.languages.java.attribution.class_hierarchy import JavaProgram
from repoquarry.languages.java.attribution.declaration_edges import add_entry_points, add_structure
from repoquarry.languages.java.attribution.elements import (
    ArrayType,
    AttributionLog,
    ClassInfo,
    ClassType,
    CodeContext,
    LocalVariable,
    Method,
    Type,
    TypeNameScope,
    this_type,
)
from repoquarry.languages.java.attribution.expression_attributor import ExpressionAttributor
from repoquarry.languages.java.attribution.framework_models import FrameworkModels
from repoquarry.languages.java.attribution.name_lookup import add_callbacks, add_possible
from repoquarry.languages.java.attribution.reflection import note_reflected
from repoquarry.languages.java.reduced_tree import Node
from repoquarry.languages.model_files import Model


class BodyAttributor:
    """Goes through classes and statements."""

    def __init__(self, program: JavaProgram, findings: AttributionLog, models: FrameworkModels) -> None:
        self._program = program
        self._findings = findings
        self._values = ExpressionAttributor(program, findings, self.open_class, self.run, models)
        self._meanings = self._values.meanings
        self._run: dict[int, Callable[[Node, CodeContext], None]] = {
            reduced_tree.BLOCK: self._block,
            reduced_tree.DO: lambda node, place: self._value(node[1], place),
            reduced_tree.LOCAL: self._local,
            reduced_tree.RETURN: self._return,
            reduced_tree.YIELD: lambda node, place: self._value(node[1], place),
            reduced_tree.FOR: self._for,
            reduced_tree.FOR_EACH: self._for_each,
            reduced_tree.TRY: self._try,
            reduced_tree.CLASS_HERE: self._class_here,
            reduced_tree.CONSTRUCT: self._construct,
        }

    # ---- classes

    def open_class(self, cls: ClassInfo, outer: CodeContext | None) -> None:
        """Everything in a class, and in those inside it."""
        inside = CodeContext(cls, cls.symbol, cls.names, is_static=False, outer=outer)
        for _, values, body, line in cls.node[10]:
            self._constant(cls, values, body, line, inside)
        for name, written, is_static, value, _, is_final in cls.node[6]:
            inside.is_static = is_static
            declared = self._program.naming.type_of(written, cls.unit, cls, cls.names)
            if value is not None:
                found = self._values.type_of(value, inside, declared)
                if is_final:
                    note_reflected(cls.fields[name], found)
        if "<init>" not in cls.methods and cls.kind == "class":
            self._construct_above(cls, inside, cls.node[12])
        for is_static, block in cls.node[8]:
            inside.is_static = is_static
            self.run(block, inside)
        for methods in cls.methods.values():
            for method in methods:
                if method.node[6] is not None:
                    self._method(method, outer)
        for inner in cls.inner.values():
            self.open_class(inner, CodeContext(cls, cls.symbol, cls.names, is_static=inner.is_static, outer=outer))

    def _constant(
        self, cls: ClassInfo, values: list[Node | None], body: Node | None, line: int, inside: CodeContext
    ) -> None:
        self._findings.live.add(cls)
        if "<init>" in cls.methods:
            self._values.creations.construct(cls, values, inside, line, "constructor")
        if body is not None:
            made = self._program.declared.declare(body, cls.unit, cls, cls.names, is_local=True)
            made.anonymous_of = ClassType(cls)
            self._findings.live.add(made)
            self.open_class(made, inside)

    def _method(self, method: Method, outer: CodeContext | None) -> None:
        self._program.naming.header(method)
        cls = method.cls
        scope = {
            written[0]: LocalVariable(type_, None, parameter=(method.symbol, position))
            for position, (written, type_) in enumerate(zip(method.node[3] or (), method.parameters, strict=False))
        }
        names = method.names or cls.names
        place = CodeContext(
            cls, method.symbol, names, is_static=method.has(reduced_tree.STATIC), outer=outer, locals=[scope]
        )
        place.result = method.result
        if method.has(reduced_tree.CONSTRUCTOR) and not _constructs(method.node[6]):
            self._construct_above(cls, place, method.node[7])
        self.run(method.node[6], place)

    def _construct_above(self, cls: ClassInfo, place: CodeContext, line: int) -> None:
        """Attribute the implicit call of the superclass's constructor."""
        self._program.naming.read(cls)
        above = cls.superclass
        if (
            isinstance(above, ClassType)
            and "<init>" in above.cls.methods
            and not self._program.declared.is_stub(above.cls)
        ):
            self._values.creations.construct(above.cls, [], place, line, "implicit")

    # ---- statements

    def run(self, node: Node | None, place: CodeContext) -> None:
        """Attribute a statement."""
        if node is not None:
            self._run[node[0]](node, place)

    def _value(self, node: Node | None, place: CodeContext) -> None:
        self._values.type_of(node, place)

    def _block(self, node: Node, place: CodeContext) -> None:
        if len(node) > 2:  # conditions bind names for what follows
            for one in node[1]:
                self.run(one, place)
            return
        place.locals.append({})
        for one in node[1]:
            self.run(one, place)
        place.locals.pop()

    def _local(self, node: Node, place: CodeContext) -> None:
        _, written, declarators = node
        is_inferred = written is not None and written[0] == "var"
        declared = None if is_inferred else self._meanings.written(written, place)
        for name, dimensions, value, _ in declarators:
            type_: Type = declared
            for _ in range(dimensions):
                type_ = ArrayType(type_)
            found = self._values.type_of(value, place, type_)
            variable = place.locals[-1][name] = LocalVariable(found if is_inferred else type_)
            self._values.assigned(variable, value, found, place)

    def _return(self, node: Node, place: CodeContext) -> None:
        found = self._values.type_of(node[1], place, place.result)
        if place.returned is not None and node[1] is not None:
            place.returned.append(found)

    def _for(self, node: Node, place: CodeContext) -> None:
        _, init, condition, update, body = node
        place.locals.append({})
        for one in init:
            self.run(one, place)
        self._value(condition, place)
        for one in update:
            self._value(one, place)
        self.run(body, place)
        place.locals.pop()

    def _for_each(self, node: Node, place: CodeContext) -> None:
        _, written, name, value, body, line = node
        found = self._values.type_of(value, place)
        element = self._meanings.element(found)
        declared = element if written is None or written[0] == "var" else self._meanings.written(written, place)
        self._implicit(found, "iterator", place, line)
        place.locals.append({name: LocalVariable(declared, None)})
        self.run(body, place)
        place.locals.pop()

    def _try(self, node: Node, place: CodeContext) -> None:
        _, resources, body, catches, end = node
        place.locals.append({})
        for written, name, value in resources:
            declared = self._meanings.written(written, place)
            found = self._values.type_of(value, place, declared)
            if name is not None:
                place.locals[-1][name] = LocalVariable(declared if declared is not None else found, None)
            if value is not None:
                self._implicit(declared if declared is not None else found, "close", place, _line(value))
        self.run(body, place)
        place.locals.pop()
        for written, name, handler in catches:
            place.locals.append({name: LocalVariable(self._meanings.written(written, place), None)})
            self.run(handler, place)
            place.locals.pop()
        self.run(end, place)

    def _implicit(self, found: Type, name: str, place: CodeContext, line: int) -> None:
        """Attribute a method that a statement calls implicitly."""
        for cls in self._meanings.classes_of(found):
            for method, _ in self._program.members(cls.cls, name):
                if not method.node[3] and not self._program.declared.is_stub(method.cls) and line:
                    self._findings.call(place.caller, [method.symbol], line, "implicit")

    def _class_here(self, node: Node, place: CodeContext) -> None:
        names = TypeNameScope(place.names)
        made = self._program.declared.declare(node[1], place.cls.unit, place.cls, names, is_local=True)
        place.names = names
        names.types[made.name] = made
        self.open_class(made, place)

    def _construct(self, node: Node, place: CodeContext) -> None:
        _, which, values, line, outer = node
        self._value(outer, place)
        found = this_type(place.cls) if which == "this" else self._meanings.above(None, place)
        if isinstance(found, ClassType):
            self._values.creations.construct(found.cls, values, place, line, "super" if which == "super" else "self")
        else:
            for one in values:
                self._value(one, place)


def _constructs(body: Node) -> bool:
    """Return whether a constructor begins with a call of another one."""
    return bool(body[1]) and body[1][0][0] == reduced_tree.CONSTRUCT


#: kind of expression -> where its line stands
_LINES = {reduced_tree.CALL: 4, reduced_tree.NEW: 3, reduced_tree.NAME: 2, reduced_tree.FIELD: 3}


def _line(node: Node) -> int:
    """Return a line on which an expression stands; 0 where it does not say."""
    return int(node[_LINES[node[0]]]) if node[0] in _LINES else 0


#: frames of Python functions: extraction lets syntax nest 400 levels deep, each of which takes some ten frames here
MAX_DEPTH = 20_000


def attribute(files: Sequence[FileFacts], _modules: ModuleMap, models: Sequence[Model]) -> AttributionResult:
    """Targets of calls, bases, overriding methods and imports. Files whose paths begin with a slash are stubs."""
    with raise_recursion_limit(MAX_DEPTH):
        program, findings = JavaProgram(files), AttributionLog()
        frameworks = FrameworkModels(models, program.declared)
        frameworks.apply(findings)
        bodies = BodyAttributor(program, findings, frameworks)
        for cls in list(program.declared.classes):
            if cls.outer is None and not program.declared.is_stub(cls):
                bodies.open_class(cls, None)
        add_possible(program, findings, frameworks.instantiated)
        frameworks.add_events(program, findings)
        add_callbacks(findings)
        add_structure(program, findings.found)
        add_entry_points(program, findings.found)
    return findings.found
