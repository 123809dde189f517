"""Changed lines are those of git, whatever the context, on either side; the definitions around them are the touched ones."""

import random
import subprocess
from pathlib import Path

import pytest

from repoquarry.code.patches import ChangedLines, diff_texts, parse_patch, read_patch

PATCH = """\
diff --git a/shop/till.py b/shop/till.py
index 1..2 100644
--- a/shop/till.py
+++ b/shop/till.py
@@ -1,6 +1,6 @@ class Till
 one
-two
+2
 three
+three and a half
 four
-five
 six
diff --git a/gone.py b/gone.py
--- a/gone.py
+++ /dev/null
@@ -1,2 +0,0 @@
-a
-b
--- /dev/null
+++ "b/n\\303\\244her.py"
@@ -0,0 +1 @@
+x
"""


def test_lines_of_either_side() -> None:
    assert parse_patch(PATCH) == [
        ChangedLines("shop/till.py", ((2, 2), (4, 3), (5, 5))),
        ChangedLines("gone.py", ((1, 2),)),
    ]
    assert parse_patch(PATCH, new_side=True) == [
        ChangedLines("shop/till.py", ((2, 2), (4, 4), (6, 5))),
        ChangedLines("näher.py", ((1, 1),)),
    ]


def test_blank_lines_are_no_change() -> None:
    assert parse_patch("--- a/x\n+++ b/x\n@@ -1,2 +1,3 @@\n a\n+  \n b\n") == []
    assert diff_texts("x", "a\nb\n", "a\n\nb\n") is None


@pytest.mark.parametrize(
    "broken", ["@@ -1 +1 @@\n-a\n+b\n", "--- a/x\n+++ b/x\n@@ -1,9 +1 @@\n-a", "--- a/x\n+++ b/x\n@@ -1 +1 @@\n?"]
)
def test_a_broken_diff_is_refused(broken: str) -> None:
    with pytest.raises(ValueError, match=r"(?i)hunk"):
        parse_patch(broken)


@pytest.mark.parametrize("header", ["diff --git " + "a " * 200_000, "Binary files " + "and " * 200_000])
def test_a_header_beyond_the_length_of_paths_is_refused_at_once(header: str) -> None:
    with pytest.raises(ValueError, match="header"):
        parse_patch(header)


def test_the_context_of_a_diff_changes_nothing(tmp_path: Path) -> None:
    chance = random.Random(7)
    old = [f"line {chance.randrange(40)}" for _ in range(200)]
    new = [line for line in old if chance.random() > 0.1]
    for _ in range(15):
        new.insert(chance.randrange(len(new)), f"new {chance.random()}")
    (tmp_path / "old").write_text("\n".join(old) + "\n")
    (tmp_path / "new").write_text("\n".join(new) + "\n")

    def spans(context: int, *, new_side: bool) -> object:
        command = ["git", "diff", "--no-index", f"--unified={context}", "old", "new"]
        patch = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False).stdout
        return [change.spans for change in parse_patch(patch, new_side=new_side)]

    for side in (False, True):
        assert spans(0, new_side=side) == spans(3, new_side=side) == spans(50, new_side=side) != []


def test_every_form_of_git_names_the_same_files(tmp_path: Path) -> None:
    """Names with spaces, quotes, escapes and parts that look like the separator; binary, empty, new and renamed files."""

    def git(*arguments: str) -> str:
        command = ["git", "-c", "user.name=a", "-c", "user.email=a@example.org", *arguments]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, check=True)
        return done.stdout.decode("utf-8", "surrogateescape")

    names = [
        "with space.py",
        "näher.py",
        "tab\tname.py",
        'quo"te.py',
        "b/c b/d.py",
        "--- x.py",
        "x b/x.py",
        "back\\slash.py",
    ]
    text = "".join(f"line {number}\n" for number in range(20))
    git("init", "--quiet")
    for name in (*names, "old name.py", "gone.py", "data.bin"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(bytes(range(256)) if name == "data.bin" else f"# {name}\n{text}".encode())
    git("add", "--all")
    git("commit", "--quiet", "--message", "before")
    for name in names:
        (tmp_path / name).write_text(f"# {name}\n{text}".replace("line 3", "-- three").replace("line 9\n", ""))
    (tmp_path / "data.bin").write_bytes(bytes(range(255)))
    (tmp_path / "old name.py").rename(tmp_path / "new name.py")
    (tmp_path / "gone.py").unlink()
    (tmp_path / "empty.py").touch()
    git("add", "--all")
    git("commit", "--quiet", "--message", "after")

    changed = {(name, name) for name in names} | {("data.bin", "data.bin"), ("gone.py", ""), ("", "empty.py")}
    for options in (["diff"], ["diff", "--binary"], ["diff", "--unified=0"], ["diff", "--stat", "--patch"]):
        files = read_patch(git(*options, "-M", "HEAD~", "HEAD"))
        assert {(file.old_path, file.new_path) for file in files} == changed | {("old name.py", "new name.py")}, options
    patch = git("format-patch", "--stdout", "--no-renames", "-1")
    files = read_patch(patch)
    assert {(file.old_path, file.new_path) for file in files} == changed | {("old name.py", ""), ("", "new name.py")}
    spans = {change.path: change.spans for change in parse_patch(patch)}
    assert spans == dict.fromkeys(names, ((5, 5), (11, 11))) | {"gone.py": ((1, 21),), "old name.py": ((1, 21),)}
    assert [(file.removed_lines, file.added_lines) for file in files if file.old_path == "x b/x.py"] == [
        (frozenset({5, 11}), frozenset({5}))
    ]
