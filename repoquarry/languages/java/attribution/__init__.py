"""Call resolution for Java: computes the static types of expressions and finds the targets of calls, as a compiler does.

Every class of the program and of the stubs is found by name; bodies are traversed once, with declared types of variables, fields and
methods and inferred types of type parameters, lambdas and method references. Further targets of a call (overriding methods, functions
passed as arguments) are added afterwards from the objects that the program creates and the functions that it passes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from repoquarry.languages.extraction import raise_recursion_limit
from repoquarry.languages.facts import FileFacts
from repoquarry.languages.family import AttributionResult, ModuleMap
from repoquarry.languages.java import reduced_tree as tree
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
from repoquarry.languages.java.reduced_tree import Expression, Node, Statement
from repoquarry.languages.model_files import Model


class BodyAttributor:
    """Goes through classes and statements."""

    def __init__(self, program: JavaProgram, findings: AttributionLog, models: FrameworkModels) -> None:
        self._program = program
        self._findings = findings
        self._values = ExpressionAttributor(program, findings, self.open_class, self.run, models)
        self._meanings = self._values.meanings
        self._run: dict[type[Node], Callable[[Any, CodeContext], None]] = {
            tree.Block: self._block,
            tree.Do: lambda node, place: self._value(node.value, place),
            tree.Local: self._local,
            tree.Return: self._return,
            tree.Yield: lambda node, place: self._value(node.value, place),
            tree.For: self._for,
            tree.ForEach: self._for_each,
            tree.Try: self._try,
            tree.LocalClass: self._local_class,
            tree.Construct: self._construct,
        }

    # ---- classes

    def open_class(self, cls: ClassInfo, outer: CodeContext | None) -> None:
        """Everything in a class, and in those inside it."""
        inside = CodeContext(cls, cls.symbol, cls.names, is_static=False, outer=outer)
        for constant in cls.node.constants:
            self._constant(cls, constant, inside)
        for field in cls.node.fields:
            inside.is_static = field.is_static
            declared = self._program.naming.type_of(field.type, cls.unit, cls, cls.names)
            if field.value is not None:
                found = self._values.type_of(field.value, inside, declared)
                if field.is_final:
                    note_reflected(cls.fields[field.name], found)
        if "<init>" not in cls.methods and cls.kind == "class":
            self._construct_above(cls, inside, cls.node.line)
        for initializer in cls.node.initializers:
            inside.is_static = initializer.is_static
            self.run(initializer.block, inside)
        for methods in cls.methods.values():
            for method in methods:
                if method.node.body is not None:
                    self._method(method, outer)
        for inner in cls.inner.values():
            self.open_class(inner, CodeContext(cls, cls.symbol, cls.names, is_static=inner.is_static, outer=outer))

    def _constant(self, cls: ClassInfo, constant: tree.EnumConstant, inside: CodeContext) -> None:
        self._findings.live.add(cls)
        if "<init>" in cls.methods:
            self._values.creations.construct(cls, constant.arguments, inside, constant.line, "constructor")
        if constant.body is not None:
            made = self._program.declared.declare(constant.body, cls.unit, cls, cls.names, is_local=True)
            made.anonymous_of = ClassType(cls)
            self._findings.live.add(made)
            self.open_class(made, inside)

    def _method(self, method: Method, outer: CodeContext | None) -> None:
        self._program.naming.header(method)
        cls = method.cls
        scope = {
            one.name: LocalVariable(type_, None, parameter=(method.symbol, position))
            for position, (one, type_) in enumerate(zip(method.node.parameters, method.parameters, strict=True))
        }
        names = method.names or cls.names
        place = CodeContext(cls, method.symbol, names, is_static=method.has(tree.STATIC), outer=outer, locals=[scope])
        place.result = method.result
        if method.has(tree.CONSTRUCTOR) and not _constructs(method.node.body):
            self._construct_above(cls, place, method.node.line)
        self.run(method.node.body, place)

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

    def run(self, node: Statement | None, place: CodeContext) -> None:
        """Attribute a statement."""
        if node is not None:
            self._run[type(node)](node, place)

    def _value(self, node: Expression | None, place: CodeContext) -> None:
        self._values.type_of(node, place)

    def _block(self, node: tree.Block, place: CodeContext) -> None:
        if node.has_scope:
            place.locals.append({})
        for one in node.statements:
            self.run(one, place)
        if node.has_scope:
            place.locals.pop()

    def _local(self, node: tree.Local, place: CodeContext) -> None:
        is_inferred = node.type is not None and node.type.name == "var"
        declared = None if is_inferred else self._meanings.written(node.type, place)
        for one in node.declarators:
            type_: Type = declared
            for _ in range(one.dimensions):
                type_ = ArrayType(type_)
            found = self._values.type_of(one.value, place, type_)
            variable = place.locals[-1][one.name] = LocalVariable(found if is_inferred else type_)
            self._values.assigned(variable, one.value, found, place)

    def _return(self, node: tree.Return, place: CodeContext) -> None:
        found = self._values.type_of(node.value, place, place.result)
        if place.returned is not None and node.value is not None:
            place.returned.append(found)

    def _for(self, node: tree.For, place: CodeContext) -> None:
        place.locals.append({})
        for statement in node.init:
            self.run(statement, place)
        for value in (node.condition, *node.update):
            self._value(value, place)
        self.run(node.body, place)
        place.locals.pop()

    def _for_each(self, node: tree.ForEach, place: CodeContext) -> None:
        found = self._values.type_of(node.value, place)
        is_inferred = tree.is_inferred(node.type)
        declared = self._meanings.element(found) if is_inferred else self._meanings.written(node.type, place)
        self._implicit(found, "iterator", place, node.line)
        place.locals.append({node.name: LocalVariable(declared, None)})
        self.run(node.body, place)
        place.locals.pop()

    def _try(self, node: tree.Try, place: CodeContext) -> None:
        place.locals.append({})
        for one in node.resources:
            declared = self._meanings.written(one.type, place)
            found = self._values.type_of(one.value, place, declared)
            held = declared if declared is not None else found
            if one.name is not None:
                place.locals[-1][one.name] = LocalVariable(held, None)
            if isinstance(one.value, tree.Call | tree.New | tree.Name | tree.FieldAccess):
                self._implicit(held, "close", place, one.value.line)
        self.run(node.body, place)
        place.locals.pop()
        for handler in node.catches:
            place.locals.append({handler.name: LocalVariable(self._meanings.written(handler.type, place), None)})
            self.run(handler.body, place)
            place.locals.pop()
        self.run(node.last, place)

    def _implicit(self, found: Type, name: str, place: CodeContext, line: int) -> None:
        """Attribute a method that a statement calls implicitly."""
        for cls in self._meanings.classes_of(found):
            for method, _ in self._program.members(cls.cls, name):
                if not method.node.parameters and not self._program.declared.is_stub(method.cls):
                    self._findings.call(place.caller, [method.symbol], line, "implicit")

    def _local_class(self, node: tree.LocalClass, place: CodeContext) -> None:
        names = TypeNameScope(place.names)
        made = self._program.declared.declare(node.cls, place.cls.unit, place.cls, names, is_local=True)
        place.names = names
        names.types[made.name] = made
        self.open_class(made, place)

    def _construct(self, node: tree.Construct, place: CodeContext) -> None:
        self._value(node.outer, place)
        is_own = node.which == "this"
        found = this_type(place.cls) if is_own else self._meanings.above(None, place)
        if isinstance(found, ClassType):
            rule = "self" if is_own else "super"
            self._values.creations.construct(found.cls, node.arguments, place, node.line, rule)
        else:
            for one in node.arguments:
                self._value(one, place)


def _constructs(body: tree.Block | None) -> bool:
    """Return whether a constructor begins with a call of another one."""
    return body is not None and bool(body.statements) and isinstance(body.statements[0], tree.Construct)


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
