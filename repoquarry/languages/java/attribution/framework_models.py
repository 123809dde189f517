"""Models of frameworks in Java programs: members that annotations generate, classes that a container instantiates, events by type."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from repoquarry.languages.java import full_names
from repoquarry.languages.java import reduced_tree as tree
from repoquarry.languages.java.attribution.class_hierarchy import YES, JavaProgram
from repoquarry.languages.java.attribution.elements import AttributionLog, ClassInfo, Field, Method
from repoquarry.languages.java.attribution.name_resolution import ClassTable, implied_method
from repoquarry.languages.java.reduced_tree import Parameter, WrittenType
from repoquarry.languages.model_files import AnnotationModel, Model

_MEMBER = re.compile(
    r"(?P<static>static )?(?P<result>[\w{}.]+) (?P<name>[\w{}]+)\((?:(?P<type>[\w{}.]+) (?P<parameter>[\w{}]+))?\)"
)


class FrameworkModels:
    """Models of the annotations in a program."""

    def __init__(self, models: Sequence[Model], declared: ClassTable) -> None:
        self._declared = declared
        self._annotations: dict[str, list[tuple[str, AnnotationModel]]] = {}
        for model in models:
            for one in model.contents.annotation:
                for name in one.of.split():
                    self._annotations.setdefault(name, []).append((model.name, one))
        self._events = [(model.name, one) for model in models for one in model.contents.event]
        self.instantiated: dict[ClassInfo, str] = {}
        """Classes of which a container makes instances -> model."""

    def apply(self, findings: AttributionLog) -> None:
        """Add generated members, and classes with instances."""
        for cls in self._declared.classes:
            if self._declared.is_stub(cls) or cls.node.definition < 0:
                continue
            for name, one in self._of_definition(cls.unit, cls.symbol):
                if one.instances:
                    self.instantiated[cls] = name
                    findings.live.add(cls)
                self._generate(cls, one, name)

    def _of_definition(self, unit: int, symbol: int) -> Iterator[tuple[str, AnnotationModel]]:
        facts = self._declared.files[unit]
        for decorator in facts.definitions[symbol - self._declared.starts[unit] - 1].decorators:
            for full in full_names(facts, decorator.dotted):
                yield from self._annotations.get(full, ())

    def _generate(self, cls: ClassInfo, one: AnnotationModel, model: str) -> None:
        own = [field for field in cls.fields.values() if not field.is_static and field.written is not None]
        mutable = {one.name for one in cls.node.fields if not one.is_final}
        for template in one.once:
            self._add(cls, template, None, model)
        for field in own:
            for template in one.each_field:
                self._add(cls, template, field, model)
            for template in one.each_mutable_field if field.name in mutable else ():
                self._add(cls, template, field, model)
        for name, type_ in one.fields.items():
            cls.fields.setdefault(name, Field(cls, name, WrittenType(type_), True, is_final=True))

    def _add(self, cls: ClassInfo, template: str, field: Field | None, model: str) -> None:
        match = _MEMBER.fullmatch(template)
        if match is None:
            return
        name = _fill(match["name"], cls, field)
        parameters = []
        if match["type"]:
            parameters = [Parameter(_fill(match["parameter"], cls, field), _written(match["type"], cls, field))]
        if any(len(known.node.parameters) == len(parameters) for known in cls.methods.get(name, ())):
            return
        flags = tree.PUBLIC | (tree.STATIC if match["static"] else 0)
        made = implied_method(cls, name, parameters, _written(match["result"], cls, field), flags)
        made.model = model
        cls.methods.setdefault(name, []).append(made)

    # ---- events

    def sender_of(self, method: Method) -> str:
        """Return the model of a method that sends its first argument to those who listen to its type; empty for none."""
        full = f"{method.cls.full}.{method.name}"
        return next((model for model, one in self._events if full in one.sent_by.split()), "")

    def add_events(self, program: JavaProgram, findings: AttributionLog) -> None:
        """Add calls of the methods that listen to the type of a sent object."""
        received = {name for _, one in self._events for name in one.received_by.split()}
        if not findings.sent:
            return
        listeners = [
            (method, program.naming.header(method).parameters[0])
            for cls in self._declared.classes
            if not self._declared.is_stub(cls)
            for methods in cls.methods.values()
            for method in methods
            if method.node.definition >= 0 and len(method.node.parameters) == 1 and self._is_listener(method, received)
        ]
        for caller, given, line, model in findings.sent:
            targets = [method.symbol for method, asked in listeners if program.subtype(given, asked) == YES]
            for target in targets:
                findings.call(caller, [target], line, f"model:{model}")

    def _is_listener(self, method: Method, received: set[str]) -> bool:
        unit = method.cls.unit
        facts = self._declared.files[unit]
        decorators = facts.definitions[method.symbol - self._declared.starts[unit] - 1].decorators
        return any(full in received for one in decorators for full in full_names(facts, one.dotted))


def _fill(text: str, cls: ClassInfo, field: Field | None) -> str:
    name = field.name if field is not None else ""
    is_boolean = field is not None and field.written == WrittenType("boolean")
    if is_boolean and "{get}" in text and re.match("is[A-Z]", name):
        name = name[2:]
    values = {
        "{name}": name,
        "{Name}": name[:1].upper() + name[1:],
        "{class}": cls.name,
        "{get}": "is" if is_boolean else "get",
    }
    for mark, value in values.items():
        text = text.replace(mark, value)
    return text


def _written(text: str, cls: ClassInfo, field: Field | None) -> WrittenType | None:
    if text == "{type}":
        return field.written if field is not None else None
    return WrittenType(_fill(text, cls, field))
