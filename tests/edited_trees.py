"""A small Python repository, and random edits of it: what comes out of one index after another must be what the last state gives."""

import random

_CLASS = '''class {name}(Base):
    """What {name} is for. More of it."""

    def __init__(self, other):
        self.other = helper_{number}(other)

    def run(self, value):
        """Runs."""
        raise ValueError("no such {name} value: %s" % self.other.run(value))
'''
_FUNCTION = """

def helper_{number}(value):
    def inner(x):
        return unknown_{number}(x)
    return inner(Class{other}(value)).run(value)
"""


def module(number: int, others: int, rng: random.Random) -> str:
    other = rng.randrange(others)
    parts = [f"from pkg.base import Base\nfrom pkg.m{other} import *\nimport json\n\n\n"]
    parts.append(_CLASS.format(name=f"Class{number}", number=other))
    parts.append(_FUNCTION.format(number=number, other=other))
    parts += [
        f"\n\ndef extra_{number}_{count}():\n    return json.dumps(helper_{number}({count}))\n"
        for count in range(rng.randrange(3))
    ]
    return "".join(parts)


def tree(rng: random.Random, count: int = 8) -> dict[str, str]:
    files = {f"pkg/m{number}.py": module(number, count, rng) for number in range(count)}
    files |= {
        "pkg/__init__.py": "from pkg.m0 import Class0\n",
        "pkg/base.py": "class Base:\n    def run(self, v):\n        return v\n",
    }
    return files | {"README.md": "# Tree\n\nSaid of it.\n", "pyproject.toml": '[project]\nname = "tree"\n'}


def edit(files: dict[str, str], rng: random.Random) -> None:
    """One to three random edits, renames, additions and deletions."""
    for _ in range(rng.randrange(1, 4)):
        path = rng.choice(sorted(path for path in files if path.startswith("pkg/m")))
        match rng.randrange(9):
            case 0:
                files[path] += f"\n\ndef added_{rng.randrange(100)}(x):\n    return Base().run(x)\n"
            case 1:
                files[path.replace("pkg/m", f"pkg/m{rng.randrange(10, 99)}")] = files.pop(path)
            case 2:
                start = files[path].find("class ")
                end = files[path].find("\n\ndef helper", start)
                files[path] = files[path][:start] + files[path][end:] if 0 <= start < end else files[path] + "\n"
            case 3 if len(files) > 8:
                del files[path]
            case 4:
                files[path] = "# a line more\n" + files[path]
            case 5:
                lines = files[path].splitlines(keepends=True)
                at = rng.randrange(len(lines) + 1)
                files[path] = "".join([*lines[:at], rng.choice(("\n", "# a comment\n")), *lines[at:]])
            case 6:
                files[path] = files[path].replace("(x):", "(y):").replace("(x)", "(y)")
            case 7:
                files[path] = files[path].replace("    return inner", "\n    # why\n    return inner", 1)
            case _:
                files[f"docs/d{rng.randrange(5)}.md"] = f"# Page {rng.randrange(100)}\n\nText.\n"
