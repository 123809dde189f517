// One index job: its progress or its report.
import type { JSX } from "preact";
import { count, counted, seconds, shortName } from "../format";
import { useShownRepository } from "../frame/top_bar";
import { PAGE_LINKS } from "../links";
import { Text } from "../text";
import type { IndexJob } from "../v1/repoquarry/v1/index_service_pb";

export function JobPicture({ job }: { job: IndexJob }): JSX.Element {
  const { progress, report, error } = job;
  useShownRepository([job.repository]);
  return (
    <section class="scroll timeline" aria-label="Index job">
      <p class="xs m t3">{job.name}</p>
      <h1>Index <Text text={job.source?.location ?? job.repository} /></h1>
      {error !== undefined && <p class="failure" role="alert"><b>{error.message}</b> <span class="m t3">{error.reason}</span></p>}
      {report === undefined && progress !== undefined && (
        <><p class="s">{progress.stage}: {count(progress.done)} of {counted(progress.total, progress.unit || "step")}</p><span class="bar"><i style={{ width: `${progress.total > 0n ? (100 * Number(progress.done)) / Number(progress.total) : 0}%` }} /></span></>
      )}
      {report !== undefined && (
        <>
          <p class="s"><a href={PAGE_LINKS.repository(report.repository)}>{shortName(report.repository)}</a>: {counted(report.files, "file")}, {counted(report.lines, "line")} in {seconds(report.seconds)}{report.unchanged && ", unchanged"}. {counted(report.unresolvedCalls, "unresolved call")}, {counted(report.leftOutCount, "file")} skipped.</p>
          <table class="stages s"><tbody>{report.stages.map((stage) => <tr><th scope="row">{stage.stage}</th><td class="m">{seconds(stage.seconds)}</td><td><span class="bar"><i style={{ width: `${(100 * stage.seconds) / report.seconds}%` }} /></span></td></tr>)}</tbody></table>
        </>
      )}
    </section>
  );
}
