"""Commands of a README come with the text that says what they are for, and the fitting one is tried first."""

from __future__ import annotations

from repoquarry.agent.views.view import relevance
from repoquarry.agent.working.readme import commands_of

MARKDOWN = """# Turn

Show what is in a file:

```bash
$ turn show in.bin
kind: table
```

Serialize every cell for other programs:

```bash
$ turn -o out.txt dump in.bin  # slow
```

Each line has `row`, `column` and `value`.

## Install

    $ pip install turn
"""
STRUCTURED = """Parse
-----
Tables are listed so:

.. code-block::

    $ turn -f <files> parse

Larger ones are cut. Serialize them like so:

.. code-block::

    $ turn -f <files> parse -z

* `row` - number of the row

sqlite
^^^^^^
A database is made so:

.. code-block::

    $ turn -o <db> parse
"""


def about(text: str) -> dict[tuple[str, ...], str]:
    return {command.words: command.about for command in commands_of(text)}


def test_what_stands_around_a_command_is_about_it() -> None:
    found = about(MARKDOWN)
    shown = found["turn", "show", "in.bin"]
    assert "Show what is in a file" in shown
    assert "kind: table" not in found["turn", "-o", "out.txt", "dump", "in.bin"]
    assert "Serialize every cell" in found["turn", "-o", "out.txt", "dump", "in.bin"]
    assert "`row`, `column`" in found["turn", "-o", "out.txt", "dump", "in.bin"]
    assert "Serialize" not in shown
    assert "row" not in found["pip", "install", "turn"]


def test_headings_of_restructured_text_part_commands() -> None:
    found = about(STRUCTURED)
    assert "`row`" in found["turn", "-f", "<files>", "parse", "-z"]
    assert "Serialize" not in found["turn", "-f", "<files>", "parse"]
    assert "A database" in found["turn", "-o", "<db>", "parse"]
    assert "row" not in found["turn", "-o", "<db>", "parse"]


def test_the_fitting_command_scores_highest() -> None:
    commands = list(commands_of(STRUCTURED))
    scores = relevance([command.about for command in commands], "write row and column of each cell to a text file")
    assert commands[scores.index(max(scores))].words == ("turn", "-f", "<files>", "parse", "-z")
