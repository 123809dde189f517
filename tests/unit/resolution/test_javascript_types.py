"""Types that decide calls in JavaScript and TypeScript: structural types, declared fields, long conditions."""

from repoquarry.ingest.resolution import LIKELY, resolve
from repoquarry.languages.javascript.extractor import extract

DECLARED = """
interface Observer<T> {
  next(value: T): void;
  error?(problem: unknown): void;
  complete: () => void;
}
declare function subscribe(observer: Observer<number>): void;
function take(observer: Observer<number>) { observer.next(1); }
"""


def implemented(source: str) -> set[tuple[str, str]]:
    """(method, member that it implements)."""
    found = resolve([extract("main.ts", (DECLARED + source).encode())])
    return {(found.symbols[one.method].key, found.symbols[one.overridden].key) for one in found.overrides}


def test_a_class_that_fits_implements() -> None:
    subject = "class Subject { next(value: number) {} error() {} complete() {} other() {} }\n"
    assert implemented(f"{subject}take(new Subject());") == {
        ("Subject.next", "Observer.next"),
        ("Subject.error", "Observer.error"),
        ("Subject.complete", "Observer.complete"),
    }


def test_a_class_that_nothing_takes_for_the_interface_does_not() -> None:
    assert implemented("class Subject { next(value: number) {} complete() {} }\nnew Subject().next(1);") == set()


def test_a_class_that_lacks_a_member_does_not_but_for_optional_ones() -> None:
    assert implemented("class Part { next() {} error() {} }\ntake(new Part() as any);") == set()
    whole = "class Whole { next() {} complete() {} }\ntake(new Whole());"
    assert implemented(whole) == {("Whole.next", "Observer.next"), ("Whole.complete", "Observer.complete")}


def test_objects_that_are_written_out_implement() -> None:
    source = "const observer: Observer<string> = { next() {}, complete: () => {} };\nobserver.complete();"
    assert implemented(source) == {("next", "Observer.next"), ("complete", "Observer.complete")}


def test_functions_with_properties_implement() -> None:
    source = """
function make(): Observer<string> {
  function made() {}
  made.next = (value: string) => {};
  made.complete = () => {};
  return made;
}
make().next("");
"""
    assert implemented(source) == {("make.made.next", "Observer.next"), ("make.made.complete", "Observer.complete")}


def test_what_names_the_interface_implements_it_once() -> None:
    named = "class Named implements Observer<number> { next() {} complete() {} }\ntake(new Named());"
    assert implemented(named) == {("Named.next", "Observer.next"), ("Named.complete", "Observer.complete")}


def test_javascript_alone_has_none() -> None:
    source = b"class A { next() {} }\nfunction take(a) { a.next(); }\ntake(new A());\ntake({ next() {} });"
    assert resolve([extract("main.js", source)]).overrides == []


DECODER = """
interface Options { mapping(): void; }
class Decoder {
  mapping;
  constructor(options: Options) { this.mapping = options.mapping; }
  read() { return this.mapping(); }
}
new Decoder({ mapping() {} });
new Decoder({ mapping() {} });
"""


def test_what_the_type_declares_is_likely_and_what_objects_have_is_possible() -> None:
    found = resolve([extract("main.ts", DECODER.encode())])
    edges = [
        (found.symbols[edge.callee].key, edge)
        for edge in found.calls
        if edge.callee >= 0 and found.symbols[edge.caller].key == "Decoder.read"
    ]
    likely = {key for key, edge in edges if edge.confidence >= LIKELY}
    assert likely == {"Options.mapping"}
    assert len(edges) == 3
    assert {edge.how for key, edge in edges if key not in likely} == {"possible"}


NARROWED = """
class Circle {{ area() {{}} }}
class Square {{ area() {{}} }}
declare function isCircle(shape: unknown): shape is Circle;
function use(shape: Circle | Square, {names}) {{
  if ({conditions}) shape.area();
}}
"""


def called_areas(conditions: list[str]) -> set[str]:
    names = ", ".join(f"a{number}: any" for number in range(len(conditions)))
    facts = extract("main.ts", NARROWED.format(names=names, conditions=" && ".join(conditions)).encode())
    assert facts.parse_errors == ()
    found = resolve([facts])
    callees = [found.symbols[edge.callee].key for edge in found.calls if edge.callee >= 0]
    return {key for key in callees if key.endswith("area")}


def test_the_last_of_many_parts_still_tells() -> None:
    others = [f"isCircle(a{number})" for number in range(300)]
    assert called_areas([*others, "isCircle(shape)"]) == {"Circle.area"}


def test_what_stands_before_too_many_others_tells_nothing() -> None:
    others = [f"isCircle(a{number})" for number in range(300)]
    assert called_areas(["isCircle(shape)", *others]) == {"Circle.area", "Square.area"}
