"""Parsers of Python requirements in requirement files, Pipfiles, lock files and conda environments; records that they return."""

from __future__ import annotations

import enum
import posixpath
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from packaging.requirements import InvalidRequirement, Requirement

from repoquarry.languages.manifests import read_packages
from repoquarry.languages.manifests.packages import normalise
from repoquarry.languages.manifests.version_ranges import parse_range
from repoquarry.languages.structured_text import load_toml, load_yaml

CORE: Final = ""
TESTS: Final = "tests"

_TEST_GROUPS = re.compile(r"(^|[-_./])(tests?|testing|dev|develop|development|ci)([-_./]|$)", re.IGNORECASE)


class Certainty(enum.IntEnum):
    """Certainty of a statement about the interpreter."""

    HINT = 0
    """Used by an image or a test matrix."""
    STATED = 1
    """Stated by a classifier."""
    CHOSEN = 2
    """Named as the only interpreter."""
    REQUIRED = 3
    """Required by the manifest."""


@dataclass(frozen=True)
class StatedRequirement:
    """Requirement, and the file that states it."""

    text: str
    """Requirement in the notation of PEP 508."""

    origin: str
    """Path in the repository."""

    group: str = CORE
    """`CORE`, or `TESTS` for requirements of the repository's own tests."""

    @property
    def requirement(self) -> Requirement:
        return Requirement(self.text)

    @property
    def name(self) -> str:
        return canonical(self.requirement.name)


@dataclass(frozen=True)
class PythonStatement:
    """Statement of a manifest about the interpreter: a version specifier such as `>=3.8,<3.11` or `==3.7.*`."""

    specifier: str
    origin: str
    certainty: Certainty


@dataclass(frozen=True)
class ParsedManifest:
    """Content of one manifest."""

    wanted: tuple[StatedRequirement, ...] = ()
    python: tuple[PythonStatement, ...] = ()
    locked: tuple[tuple[str, str], ...] = ()
    """Package and version, from a lock file."""
    includes: tuple[str, ...] = ()
    """Further requirement files, relative to the repository's root."""
    installable: bool = False
    """Return whether the manifest makes the folder an installable package."""
    name: str = ""
    """Package name of the project."""
    notes: tuple[str, ...] = ()


def canonical(name: str) -> str:
    """Format the name of a package as registries compare it."""
    return normalise("pypi", name)


def group_of(name: str) -> str | None:
    """Return the group of an extra, dependency group or requirement file by its name; None if unused."""
    return TESTS if _TEST_GROUPS.search(name) else None


def parse_all(lines: object, origin: str, group: str = CORE) -> Iterator[StatedRequirement]:
    """Yield the valid requirements among `lines`."""
    if isinstance(lines, str):
        lines = lines.splitlines()
    if not isinstance(lines, list | tuple):
        return
    for line in lines:
        if isinstance(line, str) and (found := parse(line, origin, group)):
            yield found


def parse(line: str, origin: str, group: str = CORE) -> StatedRequirement | None:
    """Parse a requirement from one line without its comment; None if there is none."""
    text = re.sub(r"(^|\s)#.*$", "", line).strip().rstrip("\\").strip()
    text = re.split(r"\s--(?:hash|config-settings|global-option)\b", text)[0].strip()
    if not text or text.startswith("-"):
        return None
    try:
        requirement = Requirement(text)
    except InvalidRequirement:
        return _by_address(text, origin, group)
    return StatedRequirement(str(requirement), origin, group)


def _by_address(text: str, origin: str, group: str) -> StatedRequirement | None:
    """Parse `git+https://host/x/NAME.git@v1#egg=NAME` as a requirement of the package NAME."""
    if match := re.search(r"#egg=([A-Za-z0-9][\w.-]*)", text):
        return StatedRequirement(match[1], origin, group)
    if match := re.match(r"https?://[^/]+/[^/]+/([A-Za-z0-9][\w.-]*)/(?:archive|tarball|zipball)/", text):
        return StatedRequirement(match[1], origin, group)
    if match := re.match(r"(?:git\+|https?://)\S*?/([A-Za-z0-9][\w.-]*?)(?:\.git)?(?:[@#]\S*)?$", text):
        name = re.sub(r"-\d[\w.+-]*\.(whl|zip|tar\.gz)$", "", match[1])
        return None if name.endswith((".whl", ".zip", ".gz")) else StatedRequirement(name, origin, group)
    # Invalid notations such as `name=1.0`.
    if match := re.match(r"([A-Za-z0-9][\w.-]*)\s*={1,3}\s*([\w.]+)\s*$", text):
        return StatedRequirement(f"{match[1]}=={match[2]}", origin, group)
    return None


_CLASSIFIER = re.compile(r"Programming Language :: Python :: (\d\.\d+)")


def specifier_of(text: str) -> str:
    """Format a range of Poetry or conda as a PEP 440 specifier: the last of its alternatives; empty for any version."""
    try:
        return str(parse_range("pypi", re.split(r"\|\|?", text)[-1]))
    except ValueError:
        return ""


def classified(text: str, origin: str) -> Iterator[PythonStatement]:
    """Yield the minor versions in classifiers."""
    for version in dict.fromkeys(_CLASSIFIER.findall(text)):
        yield PythonStatement(f"=={version}.*", origin, Certainty.STATED)


def read_requirements(origin: str, text: str) -> ParsedManifest:
    """Read a requirement file; its name decides its group."""
    group = group_of(posixpath.basename(origin)) or (group_of(posixpath.dirname(origin)) or CORE)
    wanted: list[StatedRequirement] = []
    includes: list[str] = []
    notes: list[str] = []
    for line in text.replace("\\\n", " ").splitlines():
        stripped = re.sub(r"(^|\s)#.*$", "", line).strip()
        if match := re.match(r"(?:-r|--requirement|-c|--constraint)[\s=]+(\S+)", stripped):
            includes.append(posixpath.normpath(posixpath.join(posixpath.dirname(origin), match[1])))
        elif match := re.match(r"(?:-e|--editable)[\s=]+(\S+)", stripped):
            if (found := parse(match[1], origin, group)) and "://" in match[1]:
                wanted.append(found)
        elif found := parse(stripped, origin, group):
            wanted.append(found)
        elif stripped and not stripped.startswith(("-", ".", "/")):
            notes.append(f"{origin}: {stripped[:80]!r} is not a requirement and was skipped")
    return ParsedManifest(tuple(wanted), includes=tuple(includes), notes=tuple(notes))


def read_pipfile(origin: str, text: str) -> ParsedManifest:
    """Read a `Pipfile`; only a note if the file is not TOML."""
    try:
        document = load_toml(text)
    except tomllib.TOMLDecodeError as error:
        return ParsedManifest(notes=(f"{origin} is not valid TOML: {error}",))
    requires = document.get("requires", {})
    version = requires.get("python_version") or requires.get("python_full_version")
    python = PythonStatement(f"=={'.'.join(str(version).split('.')[:2])}.*", origin, Certainty.CHOSEN)
    wanted = [*_table(document.get("packages"), origin, CORE), *_table(document.get("dev-packages"), origin, TESTS)]
    return ParsedManifest(tuple(wanted), (python,) if version else ())


def _table(table: object, origin: str, group: str) -> Iterator[StatedRequirement]:
    for name, value in table.items() if isinstance(table, dict) else ():
        settings = value if isinstance(value, dict) else {"version": str(value)}
        version = str(settings.get("version", "*")).strip()
        extras = ",".join(settings.get("extras", ()))
        text = f"{name}{f'[{extras}]' if extras else ''}{'' if version == '*' else version}"
        if "path" not in settings and (found := parse(text, origin, group)):
            yield found


def read_lock(origin: str, text: str) -> ParsedManifest:
    """Read the exact versions of a lock file; packages that it has in several versions are skipped."""
    found = read_packages({posixpath.basename(origin): text.encode()})
    if found.unreadable:
        return ParsedManifest(notes=(f"{origin} cannot be parsed",))
    return ParsedManifest(locked=tuple((name, version) for (_, name), version in found.locked.items()))


_RENAMED: Final = {
    "pytorch": "torch",
    "pytorch-cpu": "torch",
    "opencv": "opencv-python-headless",
    "py-opencv": "opencv-python-headless",
    "libopencv": "",
    "pyyaml": "PyYAML",
    "msgpack-python": "msgpack",
    "tensorflow-gpu": "tensorflow",
    "tensorflow-mkl": "tensorflow",
    "pytables": "tables",
    "python-graphviz": "graphviz",
    "matplotlib-base": "matplotlib",
    "faiss": "faiss-cpu",
    "jupyter_client": "jupyter-client",
    "py-xgboost": "xgboost",
    "dask-core": "dask",
}
"""Conda package -> Python package; empty if there is none."""

_NOT_PYTHON: Final = re.compile(
    r"^(lib|_|cuda|cudnn|cudatoolkit|mkl$|mkl[-_]|nccl|openssl|ca-certificates|zlib|xz$|tk$|sqlite|readline|ncurses|ffmpeg|gcc|gxx|cmake|"
    r"make$|git$|nodejs|blas|icu$|jpeg|freetype|pip$|python$|wheel$|setuptools$|bzip2|intel-openmp|ninja$|pytorch-(cuda|mutex)|"
    r"cpuonly|torchtriton|x264|lame|gmp$|nettle|gnutls|openh264|hdf5$|vs\d|vc$|qt|pyqt|sip$|yaml$|expat|dbus|glib|gst|fontconfig|zstd$|lz4-c|lcms2)"
)


def read_conda(origin: str, text: str) -> ParsedManifest:
    """Read the requirements of a conda environment; only a note if the file is not YAML."""
    try:
        document = load_yaml(text)
    except ValueError as error:
        return ParsedManifest(notes=(f"{origin} is not valid YAML: {str(error)[:200]}",))
    entries = document.get("dependencies") if isinstance(document, dict) else None
    wanted: list[StatedRequirement] = []
    python: list[PythonStatement] = []
    for entry in entries if isinstance(entries, list) else ():
        if isinstance(entry, dict):
            wanted += parse_all(entry.get("pip"), origin)
        elif isinstance(entry, str):
            name, version = _split(entry)
            if name == "python":
                python.append(
                    PythonStatement(version or ">=3", origin, Certainty.CHOSEN if version else Certainty.HINT)
                )
            elif (
                not _NOT_PYTHON.match(name)
                and (known := _RENAMED.get(name, name))
                and (found := parse(f"{known}{version}", origin))
            ):
                wanted.append(found)
    return ParsedManifest(tuple(wanted), tuple(python))


def _split(entry: str) -> tuple[str, str]:
    """Split `channel::name=1.2=build` into name and specifier: conda's `=1.2` means `==1.2.*`."""
    text = re.split(r"\s+#", entry.split("::")[-1])[0].strip()
    match = re.match(r"([\w.-]+)\s*(.*)$", text)
    if not match:
        return "", ""
    name, rest = match[1].lower(), match[2].strip()
    if one := re.match(r"={1,2}\s*([\w.]+?)(?:\.?\*)?(?:=[\w.*]+)?$", rest):
        exact = rest.startswith("==") or one[1].count(".") >= 2
        return name, f"=={one[1]}" if exact else f"=={one[1]}.*"
    return name, specifier_of(rest)
