"""Requirement files, Pipfile, lock files, conda, tox and hints."""

from __future__ import annotations

import configparser
import json
import posixpath
import re
import tomllib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final

import yaml

from repoquarry.execution.provision.python.manifest_types import (
    CORE,
    TESTS,
    Certainty,
    ParsedManifest,
    PythonStatement,
    StatedRequirement,
    canonical,
    group_of,
    parse,
    parse_all,
    specifier_of,
)


def read_requirements(path: Path, origin: str) -> ParsedManifest:
    """The requirements of one file; its group follows from its name."""
    group = group_of(posixpath.basename(origin)) or (group_of(posixpath.dirname(origin)) or CORE)
    text = path.read_text(encoding="utf-8-sig", errors="replace").replace("\\\n", " ")
    if "\0" in text:  # UTF-16, which `pip freeze >` writes on Windows
        text = path.read_bytes().decode("utf-16", errors="replace")
    wanted: list[StatedRequirement] = []
    includes: list[str] = []
    notes: list[str] = []
    for line in text.splitlines():
        stripped = re.sub(r"(^|\s)#.*$", "", line).strip()
        if match := re.match(r"(?:-r|--requirement|-c|--constraint)[\s=]+(\S+)", stripped):
            includes.append(posixpath.normpath(posixpath.join(posixpath.dirname(origin), match[1])))
        elif match := re.match(r"(?:-e|--editable)[\s=]+(\S+)", stripped):
            if (found := parse(match[1], origin, group)) and "://" in match[1]:
                wanted.append(found)
        elif found := parse(stripped, origin, group):
            wanted.append(found)
        elif stripped and not stripped.startswith(("-", ".", "/")):
            notes.append(f"{origin}: {stripped[:80]!r} is no requirement and was left out")
    return ParsedManifest(tuple(wanted), includes=tuple(includes), notes=tuple(notes))


def read_pipfile(path: Path, origin: str) -> ParsedManifest:
    """What a `Pipfile` says; nothing but a note when it is no TOML."""
    try:
        document = tomllib.loads(path.read_text(encoding="utf-8", errors="replace"))
    except tomllib.TOMLDecodeError as error:
        return ParsedManifest(notes=(f"{origin} is no TOML: {error}",))
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


def read_lock(path: Path, origin: str) -> ParsedManifest:
    """Exact versions from a lock file of any of the four tools."""
    text = path.read_text(encoding="utf-8", errors="replace")
    try:
        pairs = list(_json_lock(json.loads(text)) if path.name == "Pipfile.lock" else _toml_lock(tomllib.loads(text)))
    except (tomllib.TOMLDecodeError, json.JSONDecodeError) as error:
        return ParsedManifest(notes=(f"{origin} cannot be parsed: {error}",))
    return ParsedManifest(locked=tuple(dict.fromkeys(pairs)))


def _json_lock(document: object) -> Iterator[tuple[str, str]]:
    for section in ("default", "develop"):
        table = document.get(section) if isinstance(document, dict) else None
        for name, entry in table.items() if isinstance(table, dict) else ():
            if isinstance(entry, dict) and str(entry.get("version", "")).startswith("=="):
                yield canonical(name), str(entry["version"])[2:]


def _toml_lock(document: dict[str, object]) -> Iterator[tuple[str, str]]:
    packages = document.get("package")
    for entry in packages if isinstance(packages, list) else ():
        source = entry.get("source") or {}
        if "name" in entry and "version" in entry and not {"editable", "virtual", "directory"} & set(source):
            yield canonical(str(entry["name"])), str(entry["version"])


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
    "beautifulsoup4": "beautifulsoup4",
    "faiss": "faiss-cpu",
    "jupyter_client": "jupyter-client",
    "py-xgboost": "xgboost",
    "dask-core": "dask",
    "protobuf": "protobuf",
}
"""Package of conda -> package of the Python registry; empty for one that it has not."""

_NOT_PYTHON: Final = re.compile(
    r"^(lib|_|cuda|cudnn|cudatoolkit|mkl$|mkl[-_]|nccl|openssl|ca-certificates|zlib|xz$|tk$|sqlite|readline|ncurses|ffmpeg|gcc|gxx|cmake|"
    r"make$|git$|nodejs|blas|icu$|jpeg|freetype|pip$|python$|wheel$|setuptools$|bzip2|intel-openmp|ninja$|pytorch-(cuda|mutex)|"
    r"cpuonly|torchtriton|x264|lame|gmp$|nettle|gnutls|openh264|hdf5$|vs\d|vc$|qt|pyqt|sip$|yaml$|expat|dbus|glib|gst|fontconfig|zstd$|lz4-c|lcms2)"
)


def read_conda(path: Path, origin: str) -> ParsedManifest:
    """What the file says; nothing but a note when it is no YAML."""
    try:
        document = yaml.safe_load(path.read_text(encoding="utf-8", errors="replace"))
    except yaml.YAMLError as error:
        return ParsedManifest(notes=(f"{origin} is no YAML: {' '.join(str(error).split())[:200]}",))
    entries = document.get("dependencies") if isinstance(document, dict) else None
    wanted: list[StatedRequirement] = []
    python: list[PythonStatement] = []
    system: list[str] = []
    for entry in entries if isinstance(entries, list) else ():
        if isinstance(entry, dict):
            wanted += parse_all(entry.get("pip"), origin)
        elif isinstance(entry, str):
            name, version = _split(entry)
            if name == "python":
                python.append(
                    PythonStatement(version or ">=3", origin, Certainty.CHOSEN if version else Certainty.HINT)
                )
            elif _NOT_PYTHON.match(name):
                system.append(name)
            elif (known := _RENAMED.get(name, name)) and (found := parse(f"{known}{version}", origin)):
                wanted.append(found)
    return ParsedManifest(tuple(wanted), tuple(python), system=tuple(system))


def _split(entry: str) -> tuple[str, str]:
    """`channel::name=1.2=build` as name and specifier: conda's `=1.2` means `==1.2.*`."""
    text = re.split(r"\s+#", entry.split("::")[-1])[0].strip()
    match = re.match(r"([\w.-]+)\s*(.*)$", text)
    if not match:
        return "", ""
    name, rest = match[1].lower(), match[2].strip()
    if one := re.match(r"={1,2}\s*([\w.]+?)(?:\.?\*)?(?:=[\w.*]+)?$", rest):
        exact = rest.startswith("==") or one[1].count(".") >= 2
        return name, f"=={one[1]}" if exact else f"=={one[1]}.*"
    return name, specifier_of(rest)


_IMAGE = re.compile(r"^\s*FROM\s+(?:--\S+\s+)?\S*?python:(\d\.\d+)", re.IGNORECASE | re.MULTILINE)
_INSTALLED = re.compile(r"apt(?:-get)?\s+(?:-\S+\s+)*install\s+([^&;|>\n]*)")
_MATRIX = re.compile(
    r"python[-_ ]?version[s]?['\"]?\s*[:=]\s*\[?([^\n\]]*(?:\n\s*-?\s*['\"]?\d\.\d+[^\n]*)*)", re.IGNORECASE
)
_TRAVIS = re.compile(r"^python:\s*\n((?:\s*-\s*[^\n]+\n)+)|^python:\s*\[?([^\n\]]+)", re.MULTILINE)
_VERSION = re.compile(r"(?<![\d.])(3\.\d{1,2}|2\.7)(?![\d])")


def read_version_file(path: Path, origin: str) -> ParsedManifest:
    """`.python-version` and `runtime.txt`."""
    if match := _VERSION.search(path.read_text(encoding="utf-8", errors="replace")):
        return ParsedManifest(python=(PythonStatement(f"=={match[1]}.*", origin, Certainty.CHOSEN),))
    return ParsedManifest()


def read_dockerfile(path: Path, origin: str) -> ParsedManifest:
    """Image of Python and packages that are installed with apt."""
    text = path.read_text(encoding="utf-8", errors="replace")
    python = tuple(PythonStatement(f"=={found}.*", origin, Certainty.HINT) for found in _IMAGE.findall(text))
    return ParsedManifest(python=python, system=_system(text))


def read_pipeline(path: Path, origin: str) -> ParsedManifest:
    """Interpreters that a CI file or `tox.ini` tests with, and packages that it installs."""
    text = path.read_text(encoding="utf-8", errors="replace")
    parts = [*_MATRIX.findall(text), *(part for pair in _TRAVIS.findall(text) for part in pair)]
    found = [version for part in parts for version in _VERSION.findall(part)]
    if origin.endswith("tox.ini"):
        found += [f"{major}.{minor}" for major, minor in re.findall(r"\bpy(3)(\d{1,2})\b", text)]
    return ParsedManifest(
        python=tuple(PythonStatement(f"=={version}.*", origin, Certainty.HINT) for version in dict.fromkeys(found)),
        system=_system(text),
    )


def _system(text: str) -> tuple[str, ...]:
    words = (word for found in _INSTALLED.findall(text.replace("\\\n", " ")) for word in found.split())
    return tuple(dict.fromkeys(word for word in words if re.fullmatch(r"[a-z0-9][a-z0-9.+-]+", word)))


_FACTORS: Final = re.compile(r"(!?[\w{},.!-]+)\s*:\s+(?=\S)")


def read_tox(path: Path, origin: str) -> ParsedManifest:
    """Interpreters as hints, and the requirements of the base environment as those of tests."""
    found = read_pipeline(path, origin)
    parser = configparser.RawConfigParser(strict=False)
    try:
        parser.read_string(path.read_text(encoding="utf-8", errors="replace"))
    except configparser.Error as error:
        return replace(found, notes=(f"{origin} cannot be parsed: {' '.join(str(error).split())}",))
    lines = str(parser.get("testenv", "deps", fallback=""))
    return replace(found, wanted=tuple(parse_all(list(_unconditional(lines)), origin, TESTS)))


def _unconditional(lines: str) -> Iterator[str]:
    """Requirements of all environments; those of single ones exclude each other by design, and substitutions are left out."""
    for line in lines.splitlines():
        match = _FACTORS.match(line.strip())
        if match and not match[1].startswith("!"):
            continue
        text = line.strip()[match.end() :] if match else line.strip()
        if "{" not in text:
            yield text
