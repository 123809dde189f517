"""`python -m tests.oracle.fuzz LIBRARY FIRST COUNT`: runs a build of the kernel on case files, generated programs and mutations of both.

Each number from FIRST on is the seed of one mutated program, so that a failure can be repeated. Mutations keep a program valid (another
variable, name or place where one is expected), damage its arrays as a broken cache would, or change names, imports and limits. The kernel
may refuse a program; anything else than a refusal or a result is for the build's sanitizers to report.
"""

import ctypes
import sys
from contextlib import suppress
from pathlib import Path
from random import Random

import msgspec

from repoquarry.ingest.resolution import KernelError, SolverBudget, kernel_input, resolve
from repoquarry.languages import constraints as op
from repoquarry.languages.facts import FileFacts, Import, TextPool
from repoquarry.languages.python import extract
from tests.oracle.damage import damaged
from tests.oracle.program_generator import program
from tests.resolution_export import PROGRAMS, read_programs

HERE = Path(__file__).parents[1] / "unit" / "resolution"
#: operation -> where its operands of one variable stand; calls and containers have theirs in pairs behind a count
_VARIABLES = {
    op.COPY: (2,), op.ATTR: (2,), op.CALL: (3,), op.ITEM: (2,), op.EACH: (2,), op.AWAIT: (2,), op.ENTER: (2,), op.OPER: (3, 4),
    op.TYPED: (2,), op.TYPEARGS: (2,), op.NARROW: (2, 3), op.SLICE: (2,), op.UNPACK: (2,), op.SETATTR: (2, 4), op.SETITEM: (2, 5), op.DELATTR: (2,),
    op.DECLARED: (2, 4), op.RAISE: (2,), op.MENTION: (2,), op.SENT: (2,),
}  # fmt: skip
_TEXTS = (
    "",
    "'",
    "''",
    "'a.b.C'",
    "a" * 5000,
    "*",
    "'*",
    "ß.Ä",
    "\U0001f600",
    "__init__",
    "'package.one:run'",
    "..",
    "-1",
    "9" * 40,
)


def programs() -> list[list[FileFacts]]:
    """The cases, each a program, and the caret sources as one."""
    found = [
        [extract(path, text.encode()) for path, text in texts.items() if path.endswith(".py")]
        for _, texts in read_programs(PROGRAMS / "resolution" / "python_cases.txt")
    ]
    sources = sorted((HERE / "sources").glob("*.py"))
    return [*found, [extract(f"package/{path.name}", path.read_bytes()) for path in sources]]


def mutated(files: list[FileFacts], random: Random) -> list[FileFacts]:
    """The program with one file changed in a few ways."""
    at = random.randrange(len(files))
    facts = files[at]
    for _ in range(random.randint(1, 4)):
        facts = random.choice((_rewired, _rewired, _renamed, _imported, damaged))(facts, random)
    return [*files[:at], facts, *files[at + 1 :]]


def _rewired(facts: FileFacts, random: Random) -> FileFacts:
    """Some operations take from other variables."""
    graph = facts.graph
    code, variables = list(memoryview(graph.code).cast("i")), len(graph.first) // 4
    roots = [root for root in memoryview(graph.roots).cast("i") if 0 <= root < len(code)]
    for offset in random.sample(roots, min(len(roots), 8)) if variables else ():
        for operand in _VARIABLES.get(code[offset], ()):
            if offset + operand < len(code) and random.random() < 0.7:
                code[offset + operand] = random.randrange(variables)
    raw = b"".join(number.to_bytes(4, "little", signed=True) for number in code)
    return msgspec.structs.replace(facts, graph=msgspec.structs.replace(graph, code=raw))


def _renamed(facts: FileFacts, random: Random) -> FileFacts:
    """Some names are others."""
    symbols = list(facts.graph.symbols.texts())
    for _ in range(random.randint(1, 5) if symbols else 0):
        known = random.choice(symbols)
        symbols[random.randrange(len(symbols))] = random.choice((*_TEXTS, known, f"'{known}'", f"{known}.{known}"))
    return msgspec.structs.replace(facts, graph=msgspec.structs.replace(facts.graph, symbols=TextPool.of(symbols)))


def _imported(facts: FileFacts, random: Random) -> FileFacts:
    """The file imports something else."""
    made = Import(random.choice(_TEXTS), random.choice(_TEXTS), "", random.choice((0, 1, 2, 99)), 1, True, "from")
    return msgspec.structs.replace(facts, imports=(*facts.imports, made))


def run(first: int, count: int) -> None:
    """Everything once, then the mutations of the seeds."""
    known = programs()
    for files in known:
        resolve(files)
    for seed in range(first, first + count):
        random = Random(seed)
        files = random.choice(known) if random.random() < 0.3 else program(seed, random.choice((20, 40, 100)))
        budget = SolverBudget(steps=random.choice((0, 0, 50, 500)), objects_per_variable=random.choice((32, 32, 3, 1)))
        print(seed, file=sys.stderr, flush=True)
        with suppress(KernelError):
            resolve(files if random.random() < 0.1 else mutated(files, random), budget=budget)


if __name__ == "__main__":
    build = ctypes.CDLL(sys.argv[1])
    build.repoquarry_error.restype = ctypes.c_char_p
    kernel_input.library = lambda: build  # type: ignore[assignment]
    run(int(sys.argv[2]), int(sys.argv[3]))
    print("clean")
