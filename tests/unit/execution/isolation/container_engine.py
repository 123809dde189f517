"""Stands for `docker` or `podman`: records what it was asked, is as strict about it as they are, and runs the command without a container.

It does not isolate as a container does: it shows that the command line is one that an engine accepts and means what we mean, and
that the rest of the service works through it. Started as a program; `install` writes it into a folder of PATH.
"""

import csv
import io
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

FLAGS = {"--rm", "--init", "--read-only"}
VALUES = {
    *("--pull", "--name", "--network", "--cap-drop", "--security-opt", "--user", "--tmpfs", "--shm-size", "--ulimit"),
    *("--memory", "--memory-swap", "--pids-limit", "--mount", "--env", "--workdir", "--entrypoint"),
}
"""Options of `docker run` and `podman run` that are expected; an engine refuses others that it does not know."""

REFUSED = 125
"""Exit code of both engines when they refuse the command line."""


def install(folder: Path, name: str, images: Sequence[str]) -> Path:
    """Write the engine into a folder of PATH. Returns the file in which it records its calls."""
    folder.mkdir(parents=True, exist_ok=True)
    program, record = folder / name, folder / f"{name}.calls"
    program.write_text(
        f"#!{sys.executable}\nimport sys\nsys.path.insert(0, {str(Path(__file__).parent)!r})\n"
        f"import container_engine\nsys.exit(container_engine.main(sys.argv[1:], {str(record)!r}, {list(images)!r}))\n"
    )
    program.chmod(0o755)
    return record


def calls(record: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in record.read_text().splitlines()] if record.exists() else []


def main(arguments: list[str], record: str, images: list[str]) -> int:
    with open(record, "a") as file:
        file.write(json.dumps({"arguments": arguments, "environment": dict(os.environ)}) + "\n")
    if arguments[:2] == ["image", "inspect"]:
        return 0 if arguments[2] in images else refuse(f"No such image: {arguments[2]}", 1)
    if arguments[:2] == ["rm", "--force"]:
        return remove(Path(record).with_suffix(f".{arguments[2]}"))
    if arguments[:1] != ["run"]:
        return refuse(f"unknown command {arguments[:1]}")
    try:
        options, image, command = parse(arguments[1:])
    except ValueError as error:
        return refuse(str(error))
    if image not in images:
        return refuse(f"Unable to find image {image!r} locally")
    return run(options, command, Path(record).with_suffix(f".{options['--name'][0]}"))


def parse(words: list[str]) -> tuple[dict[str, list[str]], str, list[str]]:
    """Options, image and the command's arguments. Raises: ValueError for what an engine refuses."""
    options: dict[str, list[str]] = {}
    place = 0
    while words[place].startswith("-"):
        word = words[place]
        if word not in FLAGS | VALUES:
            raise ValueError(f"unknown flag: {word}")
        options.setdefault(word, []).append(words[place + 1] if word in VALUES else "")
        place += 2 if word in VALUES else 1
    for text in options.get("--mount", []):
        mount(text)
    for text in options.get("--ulimit", []):
        if not re.fullmatch(r"(core|cpu|fsize|nofile|nproc)=\d+(:\d+)?", text):
            raise ValueError(f"invalid ulimit argument: {text}")
    for name in ("--memory", "--memory-swap", "--pids-limit"):
        if not all(text.isdigit() for text in options.get(name, [])):
            raise ValueError(f"invalid argument for {name}")
    if not all(re.fullmatch(r"[A-Za-z_]\w*=.*", text, re.DOTALL) for text in options.get("--env", [])):
        raise ValueError("invalid environment variable")
    return options, words[place], words[place + 1 :]


def mount(text: str) -> tuple[str, str, bool]:
    """Source, target and whether it is read-only, of one `--mount`: fields of a CSV record, as both engines read it."""
    (fields,) = csv.reader([text], strict=True)
    again = io.StringIO()
    csv.writer(again, lineterminator="").writerow(fields)
    if again.getvalue() != text:  # Go's reader takes no quotes in the middle of a field
        raise ValueError(f"invalid mount: {text}")
    known = {"type", "source", "target", "readonly"}
    pairs = dict(field.partition("=")[::2] for field in fields)
    if set(pairs) - known or pairs.get("type") != "bind" or not Path(pairs["source"]).exists():
        raise ValueError(f"invalid mount: {text}")
    return pairs["source"], pairs["target"], "readonly" in pairs


def run(options: dict[str, list[str]], command: list[str], running: Path) -> int:
    """The command with no other variables than those that it is given, until it ends or is removed by its name."""
    inside = dict(pair.partition("=")[::2] for pair in options.get("--env", []))
    environment = {"PATH": os.environ["PATH"], **inside}
    # the engine's server starts it, not the client: killing the client leaves it running
    process = subprocess.Popen(
        [*options["--entrypoint"], *command], cwd=options["--workdir"][0], env=environment, start_new_session=True
    )
    running.write_text(str(process.pid))
    code = process.wait()
    running.unlink(missing_ok=True)
    return code if code >= 0 else 128 - code


def remove(running: Path) -> int:
    try:
        os.killpg(int(running.read_text()), signal.SIGKILL)
    except (OSError, ValueError):
        return 0
    running.unlink(missing_ok=True)
    return 0


def refuse(reason: str, code: int = REFUSED) -> int:
    print(f"Error: {reason}", file=sys.stderr)
    return code
