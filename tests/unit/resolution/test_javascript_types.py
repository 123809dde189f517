"""Types that decide calls in JavaScript and TypeScript: structural types, declared fields, long conditions."""

from repoquarry.ingest.resolution import resolve
from repoquarry.languages.javascript.extractor import extract

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


def test_narrowing_before_too_many_others_is_ignored() -> None:
    others = [f"isCircle(a{number})" for number in range(300)]
    assert called_areas(["isCircle(shape)", *others]) == {"Circle.area", "Square.area"}
