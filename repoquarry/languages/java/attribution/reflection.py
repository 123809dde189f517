"""Resolution of Java reflection by constant names: targets of reflective calls, of `Method` objects and of method handles."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from repoquarry.languages.java import reduced_tree as tree
from repoquarry.languages.java.attribution.class_hierarchy import JavaProgram
from repoquarry.languages.java.attribution.elements import (
    NULL,
    AttributionLog,
    ClassInfo,
    ClassType,
    CodeContext,
    Field,
    LocalVariable,
    Method,
    ReflectedMethods,
    Type,
)
from repoquarry.languages.java.attribution.overload_resolution import Candidate, OverloadResolver, PassedArgument
from repoquarry.languages.java.reduced_tree import Expression, WrittenType

_LOOKUP, _HANDLE = "java.lang.invoke.MethodHandles.Lookup", "java.lang.invoke.MethodHandle"
_CLASS, _METHOD, _CONSTRUCTOR = "java.lang.Class", "java.lang.reflect.Method", "java.lang.reflect.Constructor"
_CLASSES = frozenset({_LOOKUP, _HANDLE, _CLASS, _METHOD, _CONSTRUCTOR})


def note_reflected(holder: LocalVariable | Field, value: Type) -> None:
    """Record the type of an assigned class, method or method handle."""
    if value != NULL:
        holder.reflected.append(value)


def narrow(declared: Type, reflected: Sequence[Type]) -> Type:
    """Return the type of the one class or method that a variable holds; the declared type for other variables."""
    found = reflected[0] if reflected and all(one == reflected[0] for one in reflected) else None
    is_known = isinstance(found, ClassType) and found.cls.full in _CLASSES
    return found if is_known and isinstance(argument_of(found), ClassType | ReflectedMethods) else declared


def argument_of(found: Type) -> Type:
    """Return the first type argument of a type: the class or methods that an object of reflection represents."""
    return found.arguments[0] if isinstance(found, ClassType) and found.arguments else None


class ReflectionModel:
    """Model of the library methods that find and call classes and methods by name."""

    def __init__(
        self,
        program: JavaProgram,
        findings: AttributionLog,
        written: Callable[[WrittenType | None, CodeContext], Type],
        constant: Callable[[Expression | None, CodeContext], str],
        overloads: OverloadResolver,
    ) -> None:
        self._program = program
        self._findings = findings
        self._type = written
        self._constant = constant
        self._overloads = overloads

    def call(
        self,
        node: tree.Call,
        place: CodeContext,
        method: Method,
        receiver: Type,
        arguments: Sequence[PassedArgument],
        found: Type,
    ) -> Type:
        """Record the edges of a call of the library; return its type, which is `found` for all other methods."""
        if method.cls.full not in _CLASSES:
            return found
        own, values = argument_of(receiver), node.arguments
        names = [text for one in values if (text := self._constant(one, place))]
        if method.name == "forName" and names:
            cls = self._program.declared.named(names[0].replace("$", "."), place.cls.unit)
            return ClassType(method.cls, (ClassType(cls),)) if cls is not None else found
        if method.name in ("getMethod", "getDeclaredMethod") and names:
            return self._members(found, own, names[0], self._written(values[1:], place))
        if method.cls.full == _LOOKUP and (names or method.name == "findConstructor"):
            owner, type_ = argument_of(arguments[0].type), values[1 if method.name == "findConstructor" else 2]
            is_type = isinstance(type_, tree.Call) and type_.name == "methodType"
            parameters = self._written(type_.arguments[1:], place) if isinstance(type_, tree.Call) and is_type else None
            return self._members(found, owner, names[0] if names else "<init>", parameters)
        if method.name == "newInstance" and isinstance(own, ClassType):
            constructors: list[Candidate] = [(one, {}) for one, _ in self._program.members(own.cls, "<init>")]
            chosen = self._overloads.choose(constructors, arguments) or constructors
            self._reach(own.cls, [one for one, _ in chosen], place, node.line)
        elif method.name.startswith("invoke") and isinstance(own, ReflectedMethods):
            self._reach(own.cls, own.methods, place, node.line)
        return found

    def _written(self, nodes: Sequence[Expression | None], place: CodeContext) -> list[Type] | None:
        """Return the types that class literals name; None if another expression is among them."""
        literals = [one for one in nodes if isinstance(one, tree.ClassLiteral)]
        return [self._type(one.type, place) for one in literals] if len(literals) == len(nodes) else None

    def _members(self, found: Type, owner: Type, name: str, parameters: list[Type] | None) -> Type:
        """Return the type of a method object or handle; `parameters` are None if the code does not state them."""
        if not isinstance(found, ClassType) or not isinstance(owner, ClassType):
            return found
        wanted = None if parameters is None else tuple(map(self._program.erasure, parameters))
        methods = [
            method
            for method, mapping in self._program.members(owner.cls, name)
            if wanted is None or self._program.signature(method, mapping) == wanted
        ]
        is_made = name == "<init>" and not methods
        return ClassType(found.cls, (ReflectedMethods(owner.cls, tuple(methods)),)) if methods or is_made else found

    def _reach(self, cls: ClassInfo, methods: Sequence[Method], place: CodeContext, line: int) -> None:
        """Record a call of methods of a class; without methods it is the class that has no constructor of its own."""
        if self._findings.is_trying or self._program.declared.is_stub(cls):
            return
        if methods:
            self._findings.call_methods(place.caller, methods, line, "reflection")
        elif not cls.is_interface:
            self._findings.call(place.caller, [cls.symbol], line, "reflection")
        if not methods or methods[0].name == "<init>":
            self._findings.live.add(cls)
            return
        virtual = (one for one in methods if not one.flags & (tree.STATIC | tree.PRIVATE))
        self._findings.virtual += [(place.caller, one, cls, line) for one in virtual]
