"""Idioms of Python's library through which values pass: what runs inside them is found, and what they hand over to others to call."""

import pytest

from repoquarry.ingest.resolution import resolve
from repoquarry.languages.python import extract
from tests.resolution_export import call_graph_of

CLASSES = """
import asyncio, concurrent.futures, contextlib, dataclasses, functools, operator, threading, typing
from typing import NamedTuple, TypedDict
import attr
class Job:
    def run(self): return self
class Key:
    def turn(self): pass
job, key = Job(), Key()
def make(): return Job()
async def later(): return Job()
def use(given, other=None): given.run()
def hand_over(): return Job()
@contextlib.contextmanager
def opened(): yield Job()
class Rows:
    def __aiter__(self): return self
    async def __anext__(self): return Job()
class Named(NamedTuple):
    job: Job
    number: int = 0
class Typed(TypedDict):
    job: Job
@dataclasses.dataclass
class Data:
    key: Key
    job: Job
"""
RUNS_THE_JOB = [
    # fields that are made when their object is
    "@dataclasses.dataclass\nclass Box:\n    job: object = dataclasses.field(default_factory=make)\nBox().job.run()",
    "@attr.s\nclass Box:\n    job = attr.ib(factory=make)\nBox().job.run()",
    "dataclasses.replace(job).run()",
    "dataclasses.replace(Data(key, job), key=key).job.run()",
    # fields by position and key
    "taken, _ = Named(job, 2)\ntaken.run()",
    "Named(job)[0].run()",
    "def f(given: Typed): given['job'].run()",
    "Typed(job=job)['job'].run()",
    # patterns
    "def f(given):\n    match given:\n        case Job() as found: found.run()",
    "def f(given):\n    match given:\n        case Job(): given.run()",
    "def f(given):\n    match given:\n        case Key() | Job(): given.run()",
    "def f(given):\n    match given:\n        case [Job() as first, *rest]: first.run()",
    "def f(given):\n    match given:\n        case Data(_, found): found.run()",
    "match Data(key, job):\n    case Data(_, found): found.run()",
    # threads, executors, tasks
    "with concurrent.futures.ThreadPoolExecutor() as pool: pool.submit(make).result().run()",
    "with concurrent.futures.ThreadPoolExecutor() as pool:\n    for found in pool.map(lambda x: x, [job]): found.run()",
    "async def f(): (await asyncio.to_thread(make)).run()",
    "async def f(): (await asyncio.get_running_loop().run_in_executor(None, make)).run()",
    "async def f(): (await asyncio.create_task(later())).run()",
    "async def f():\n    async with asyncio.TaskGroup() as tasks: found = tasks.create_task(later())\n    found.result().run()",
    "async def f():\n    async for found in Rows(): found.run()",
    # attributes and methods by constant names
    "operator.attrgetter('job')(Data(key, job)).run()",
    "class Outer: data = Data(key, job)\nfor found in map(operator.attrgetter('data.job'), [Outer()]): found.run()",
    "list(map(operator.methodcaller('run'), [job]))",
    "class Box:\n    def get(self, given, *, other): return given\n"
    "operator.methodcaller('get', job, other=key)(Box()).run()",
    "class Box:\n    @functools.singledispatchmethod\n    def take(self, given): pass\n"
    "    @take.register(int)\n    @classmethod\n    def _(cls, given): return job\nBox().take(1).run()",
    # classes that register themselves
    "class Base:\n    known = []\n    def __init_subclass__(cls, of=None): cls.known.append(of)\n"
    "class Derived(Base, of=job): pass\nBase.known[0].run()",
]
USES_THE_JOB = [
    "threading.Thread(target=use, args=(job,)).start()",
    "threading.Thread(target=use, kwargs={'given': job}).start()",
    "threading.Timer(3, use, args=[job]).start()",
    "concurrent.futures.ThreadPoolExecutor().submit(use, job)",
    "concurrent.futures.ThreadPoolExecutor().submit(use, other=key, given=job)",
    "asyncio.get_running_loop().call_later(3, use, job)",
]
SPECIAL = """
class Empty: pass
class Shown:
    def __len__(self): return 1
    def __str__(self): return ""
    def __hash__(self): return 1
    def __int__(self): return 1
class Printed:
    def __repr__(self): return ""
    def __len__(self): return 1
"""


def _graph(text: str) -> dict[str, list[str]]:
    files = [extract("m.py", text.encode())]
    assert not files[0].parse_errors
    return call_graph_of(resolve(files), files, 0.5)


def _called(text: str) -> set[str]:
    return {callee for callees in _graph(text).values() for callee in callees}


@pytest.mark.parametrize("statements", RUNS_THE_JOB)
def test_what_an_idiom_gives_is_what_was_handed_to_it(statements: str) -> None:
    found = _called(CLASSES.replace("given.run()", "pass") + statements)
    assert "m.Job.run" in found
    assert "m.Key.turn" not in found


@pytest.mark.parametrize("statements", USES_THE_JOB)
def test_what_is_called_elsewhere_receives_its_arguments_and_is_no_call_of_the_place_that_hands_it_over(
    statements: str,
) -> None:
    graph = _graph(CLASSES + f"def hand(): {statements}")
    assert "m.Job.run" in graph["m.use"]
    assert "m.use" not in graph["m.hand"]


@pytest.mark.parametrize(
    ("expression", "method"),
    [
        ("len(Shown())", "m.Shown.__len__"),
        ("str(Shown())", "m.Shown.__str__"),
        ("print('a', Shown())", "m.Shown.__str__"),
        ("hash(Shown())", "m.Shown.__hash__"),
        ("int(Shown())", "m.Shown.__int__"),
        ("bool(Shown())", "m.Shown.__len__"),
        ("str(Printed())", "m.Printed.__repr__"),
        ("repr(Shown())", ""),
        ("len(Empty())", ""),
        ("len('a')", ""),
    ],
)
def test_built_in_functions_call_the_special_methods_that_they_ask_for(expression: str, method: str) -> None:
    found = {one for one in _graph(SPECIAL + f"def f(): {expression}")["m.f"] if one.startswith("m.")}
    assert found == ({method} if method else set())
