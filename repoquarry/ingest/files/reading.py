"""A checked-out tree -> its files, selected, read and hashed, so that an unchanged repository is recognised before anything is parsed."""

from __future__ import annotations

import hashlib
from collections import Counter
from dataclasses import dataclass, field

from repoquarry.ingest.errors import EmptyRepositoryError
from repoquarry.ingest.files.cache import indexer_version
from repoquarry.ingest.files.selection import REFUSALS, SelectedFile, read_beneath, refusal, says_generated, select
from repoquarry.ingest.files.stamps import Stamp, Stamps, now_ns
from repoquarry.ingest.progress import Meter
from repoquarry.ingest.settings import MIB, IngestSettings
from repoquarry.ingest.sources.base import Checkout, LeftOut
from repoquarry.ingest.sources.git_tree import GitTree
from repoquarry.languages.manifests import is_manifest, read_packages
from repoquarry.languages.packages import Packages
from repoquarry.languages.registry import is_configuration

_KEPT_BYTES = 64 * MIB
"""Contents that are kept between hashing and parsing; beyond it files are read a second time."""
_UNKNOWN = Stamps(0, {})


@dataclass
class Hashed:
    """A tree after its files have been read once."""

    files: list[SelectedFile]
    hashes: dict[str, bytes]
    """Path -> SHA-256."""
    left_out: list[LeftOut]
    unsupported: Counter[str]
    packages: Packages
    generated: set[str]
    dirty: bool
    configuration: dict[str, bytes] = field(default_factory=dict)
    """Path -> content of files that decide how imports are found."""
    contents: dict[str, bytes] = field(repr=False, default_factory=dict)
    """Of the files that were read, as many as fit."""
    stamps: Stamps = field(repr=False, default=_UNKNOWN)

    @property
    def left_out_count(self) -> int:
        return len(self.left_out) + self.unsupported.total()

    def all_left_out(self) -> list[LeftOut]:
        """What was left out, in path order, unsupported files counted by suffix at the end."""
        entries = sorted(self.left_out, key=lambda entry: (entry.path, entry.reason))
        counted = sorted(self.unsupported.items(), key=lambda item: (-item[1], item[0]))
        return entries + [LeftOut(f"*{suffix}", f"unsupported language: {count} files") for suffix, count in counted]


def hash_tree(checkout: Checkout, settings: IngestSettings, meter: Meter, known: Stamps = _UNKNOWN) -> Hashed:
    """Select and hash the files of a tree; those that are `known` and as they were are not read.

    Raises: EmptyRepositoryError, IngestCancelledError.
    """
    taken_ns = now_ns()
    tree = GitTree.of(checkout, settings)
    selection = select(checkout.root, settings, tree.blobs if tree else (), meter.cancelled)
    meter.check()
    found = Hashed([], {}, [*checkout.left_out, *selection.left_out], selection.unsupported, Packages(), set(), False)
    hashing = _Hashing(checkout, settings, tree, found)
    for number, file in enumerate(selection.files):
        meter.step(number, len(selection.files), file.path)
        stamp = known.of(file)
        if stamp is None or not hashing.take_known(file, stamp):
            hashing.read(file)
    if not any(file.kind == "source" for file in found.files):
        raise EmptyRepositoryError(
            f"{checkout.source} holds no source file of a supported language; {selection.describe_nothing()}"
        )
    found.packages = read_packages(hashing.manifests)
    found.left_out += [LeftOut(path, "a manifest that cannot be understood") for path in found.packages.unreadable]
    lacks = tree is not None and tree.lacks(found.hashes, [entry.path for entry in found.left_out])
    found.dirty = hashing.differs or lacks
    found.stamps = Stamps(taken_ns, hashing.stamps)
    return found


class _Hashing:
    """Hashes one file after the other into `found`."""

    def __init__(self, checkout: Checkout, settings: IngestSettings, tree: GitTree | None, found: Hashed) -> None:
        self._checkout = checkout
        self._settings = settings
        self._tree = tree
        self._found = found
        self._kept = 0
        self.differs = False
        """Whether a file is not as the checked-out commit has it."""
        self.manifests: dict[str, bytes] = {}
        self.stamps: dict[str, Stamp] = {}

    def take_known(self, file: SelectedFile, stamp: Stamp) -> bool:
        """Take a file that is as it was; whether nothing has to be read of it."""
        expected = self._tree.blobs.get(file.path, "") if self._tree is not None else ""
        is_read = is_manifest(file.path) or is_configuration(file.path)
        if is_read or (not stamp.refused and self._tree is not None and stamp.blob != expected):
            return False
        self.stamps[file.path] = stamp
        if stamp.refused:
            self._found.left_out.append(LeftOut(file.path, stamp.refused))
        else:
            self.differs = self.differs or (self._tree is not None and not expected)
            self._take(file, stamp.digest, generated=stamp.generated)
        return True

    def read(self, file: SelectedFile) -> None:
        """Read and hash a file."""
        before = len(self._found.left_out)
        content = read_content(self._checkout, file, self._settings, self._found.left_out)
        if content is None:
            reason = self._found.left_out[before].reason
            if reason in REFUSALS:
                self.stamps[file.path] = Stamp(file.state, b"", reason, "", generated=False)
            return
        digest = hashlib.sha256(content).digest()
        holds = self._tree is not None and self._tree.holds(file.path, content)
        self.differs = self.differs or (self._tree is not None and not holds)
        generated = self._settings.index_generated and file.kind == "source" and says_generated(content)
        blob = self._tree.blobs[file.path] if self._tree is not None and holds else ""
        self.stamps[file.path] = Stamp(file.state, digest, "", blob, generated)
        if is_manifest(file.path):
            self.manifests[file.path] = content
        if is_configuration(file.path):
            self._found.configuration[file.path] = content
        self._take(file, digest, generated=generated)
        if self._kept + len(content) <= _KEPT_BYTES:
            self._found.contents[file.path] = content
            self._kept += len(content)

    def _take(self, file: SelectedFile, digest: bytes, *, generated: bool) -> None:
        self._found.files.append(file)
        self._found.hashes[file.path] = digest
        if generated:
            self._found.generated.add(file.path)


def inputs_digest(checkout: Checkout, hashed: Hashed, settings: IngestSettings) -> str:
    """Digest of all that a graph follows from: equal digests, equal graphs."""
    told = (
        indexer_version(), checkout.source, checkout.kind, checkout.commit, checkout.branch, checkout.ref, checkout.history,
        hashed.dirty, settings.history_commits, settings.resolver_steps, settings.score_profile, settings.index_generated,
        hashed.all_left_out(),
    )  # fmt: skip
    digest = hashlib.sha256(repr(told).encode())
    for path in sorted(hashed.hashes):
        digest.update(path.encode() + b"\0" + hashed.hashes[path])
    return digest.hexdigest()


def read_content(
    checkout: Checkout, file: SelectedFile, settings: IngestSettings, left_out: list[LeftOut]
) -> bytes | None:
    """The bytes of a selected file; None, with the reason in `left_out`, when it is not to be indexed after all."""
    limit = settings.max_file_bytes if file.kind == "source" else settings.max_document_bytes
    content = read_beneath(checkout.root, file.path, limit)
    if isinstance(content, LeftOut):
        left_out.append(content)
        return None
    reason = refusal(file.path, content, settings)
    if reason:
        left_out.append(LeftOut(file.path, reason))
        return None
    return content
