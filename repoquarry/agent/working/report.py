"""The answer of a task that was done without a model: what made the output, or exactly why there is none, and what was tried."""

from __future__ import annotations

from collections.abc import Sequence

from repoquarry.agent.decisions import Answer
from repoquarry.agent.questions.wording import counted
from repoquarry.agent.task import Place
from repoquarry.agent.working.files import TaskFiles
from repoquarry.agent.working.progress import Attempt, Progress, RepositoryWork, Stage

_SHOWN_ATTEMPTS = 6


def report(progress: Progress, files: TaskFiles, checks: Sequence[str], cut_short: str = "", note: str = "") -> Answer:
    """The answer, at the end or where a budget cut the work short; `checks` are those that held, in words.

    `note` stands behind all that.
    """
    parts = [f"Cut short: {cut_short}."] if cut_short else []
    parts += [_made(progress, files, checks) if progress.stage is Stage.DONE else _not_made(progress, files)]
    tried = [work for work in progress.repositories[: progress.at + 1] if work.problem or work.attempts]
    parts += [_told(work, following) for work, following in zip(tried, _following(progress, tried), strict=True)]
    parts += [note] if note else []
    places: tuple[Place, ...] = ()
    if progress.starts and (progress.stage is Stage.DONE or cut_short):
        start = progress.starts[0]
        why = f"It is started as {start}."
        places = (Place(progress.current.repository, start.path, start.qualname, start.line, start.line, 1.0, why),)
    repositories = tuple(work.repository for work in progress.repositories[: progress.at + 1])
    return Answer("\n\n".join(parts), places, (), repositories)


def _made(progress: Progress, files: TaskFiles, checks: Sequence[str]) -> str:
    start, line = progress.starts[0], progress.lines[0]
    name = "" if files.named else " (the task names no output; it is called after the input)"
    where = f", in the folder `{line.folder}` of the workspace" if line.folder != "." else ""
    why = f" It was chosen for {'; '.join(progress.current.reasons)}." if progress.current.reasons else ""
    return (
        f"`{files.output}` was made{name} by {start} of {progress.current.repository}: `{line.command}`{where}; "
        f"its arguments are {line.why}. Checked: {'; '.join(checks)}. No model has judged what is in it.{why}"
    )


def _not_made(progress: Progress, files: TaskFiles) -> str:
    if not progress.repositories:
        return f"`{files.output}` was not made: nothing in the repositories of this task speaks for it."
    inputs = ", ".join(f"`{path}`" for path in files.inputs) or "no input"
    why = f": {progress.stopped}" if progress.stopped else ""
    return f"`{files.output}` was not made from {inputs}{why}."


def _following(progress: Progress, tried: Sequence[RepositoryWork]) -> list[str]:
    """For each repository that was tried, the one that was gone on to."""
    names = [work.repository for work in progress.repositories[: progress.at + 1]]
    return [next(iter(names[names.index(work.repository) + 1 :]), "") for work in tried]


def _told(work: RepositoryWork, following: str) -> str:
    """What was tried with one repository, and why it was not enough."""
    said = f"{work.repository} failed: {work.problem}" if work.problem else f"Tried before with {work.repository}:"
    went_on = f" Went on to {following}, the next best." if following and work.problem else ""
    attempts = work.attempts[:_SHOWN_ATTEMPTS]
    left = len(work.attempts) - len(attempts)
    more = [f"- and {counted(left, 'other command')}, in the log"] if left else []
    return "\n".join([said + went_on, *(["", *map(_attempt, attempts), *more] if attempts else [])])


def _attempt(attempt: Attempt) -> str:
    lines = attempt.head.splitlines()
    if attempt.tail:
        lines += ["…", *attempt.tail.splitlines()]
    shown = "\n".join(f"  {line}" for line in ["```", *lines, "```"]) if lines else ""
    return f"- `{attempt.command}`: {attempt.why}" + (f"\n{shown}" if shown else "")
