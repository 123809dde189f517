"""`environment.yml` of conda: packages under the names that the Python registry gives them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import yaml

from repoquarry.agent.provision.python.manifests.values import (
    Certainty,
    Manifest,
    PythonStatement,
    Wanted,
    parse,
    parse_all,
)
from repoquarry.agent.provision.python.manifests.versions import caret

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


def read(path: Path, origin: str) -> Manifest:
    """What the file says; nothing but a note when it is no YAML."""
    try:
        document = yaml.safe_load(path.read_text(encoding="utf-8", errors="replace"))
    except yaml.YAMLError as error:
        return Manifest(notes=(f"{origin} is no YAML: {' '.join(str(error).split())[:200]}",))
    entries = document.get("dependencies") if isinstance(document, dict) else None
    wanted: list[Wanted] = []
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
    return Manifest(tuple(wanted), tuple(python), system=tuple(system))


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
    return name, caret(rest)
