"""What ingestion says of its progress and result, as messages of the contract."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING

from repoquarry.graphstore.model.properties import whole
from repoquarry.graphstore.model.values import Value
from repoquarry.server.contract.names import repository_name
from repoquarry.v1 import basis_pb2
from repoquarry.v1 import index_service_pb2 as pb

if TYPE_CHECKING:
    from repoquarry.ingest.pipeline import IndexReport
    from repoquarry.ingest.stages.progress import IndexProgress

_SHOWN = 20
_UNITS = {"write": "nodes and relationships"}
"""What a stage counts, where it is not files."""


def progress_message(progress: IndexProgress) -> pb.IndexProgress:
    """Progress of a running job."""
    return pb.IndexProgress(
        stage=progress.stage,
        done=progress.done,
        total=progress.total,
        unit=_UNITS.get(progress.stage, "files"),
        rate_per_second=progress.rate,
        message=progress.message,
    )


def report_message(report: IndexReport, repository: Mapping[str, Value]) -> pb.IndexReport:
    """The report of a job that succeeded; `repository` are the properties of the Repository node as it is stored now."""
    unresolved = Counter(report.unresolved).most_common()
    return pb.IndexReport(
        repository=repository_name(report.repository),
        commit=report.commit or "",
        revision=report.revision,
        files=report.files,
        files_parsed=report.files - report.reused,
        lines=whole(repository.get("lines")),
        counts=report.counts,
        left_out_count=report.left_out_count,
        left_out=[basis_pb2.LeftOut(path=item.path, reason=item.reason) for item in report.left_out[:_SHOWN]],
        parse_error_count=len(report.parse_errors),
        parse_error_paths=report.parse_errors[:_SHOWN],
        unresolved_calls=whole(repository.get("unresolved_calls")),
        unresolved_reasons=[basis_pb2.ReasonCount(reason=reason, count=count) for reason, count in unresolved],
        stages=[
            pb.StageTime(
                stage=cost.stage,
                seconds=cost.seconds,
                cpu_seconds=cost.cpu_seconds,
                peak_memory_bytes=cost.peak_memory_bytes,
            )
            for cost in report.costs
        ],
        seconds=report.seconds,
        peak_memory_bytes=report.peak_memory_bytes,
        unchanged=report.unchanged,
        history_missing=report.history_missing,
    )
