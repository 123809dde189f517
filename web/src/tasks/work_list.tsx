// Tasks and index jobs in one list: what needs approval, then what runs, then what has ended by time.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { count, counted, milliseconds, seconds, shortName } from "../format";
import { Badge, Text } from "../text";
import { IndexJob_State, type IndexJob } from "../v1/repoquarry/v1/index_service_pb";
import { Task_State, type Task } from "../v1/repoquarry/v1/task_service_pb";
import { stateWords } from "./task_state";

interface Work {
  readonly name: string;
  readonly kind: "task" | "index";
  readonly title: string;
  readonly where: string;
  readonly words: string;
  readonly sign: "waiting" | "running" | "done" | "failed";
  readonly share: number | null;
  readonly time: number;
}

const TASK_SIGNS: Readonly<Record<Task_State, Work["sign"]>> = {
  [Task_State.UNSPECIFIED]: "running", [Task_State.QUEUED]: "running", [Task_State.RUNNING]: "running", [Task_State.WAITING]: "waiting",
  [Task_State.SUCCEEDED]: "done", [Task_State.FAILED]: "failed", [Task_State.CANCELLED]: "failed",
};
const JOB_SIGNS: Readonly<Record<IndexJob_State, Work["sign"]>> = {
  [IndexJob_State.UNSPECIFIED]: "running", [IndexJob_State.QUEUED]: "running", [IndexJob_State.RUNNING]: "running",
  [IndexJob_State.SUCCEEDED]: "done", [IndexJob_State.FAILED]: "failed", [IndexJob_State.CANCELLED]: "failed",
};
const ORDER: readonly Work["sign"][] = ["waiting", "running"];
const SIGN_TEXT: Readonly<Record<Work["sign"], string>> = { waiting: "!", running: "▶", done: "✓", failed: "✗" };

function taskWork(task: Task): Work {
  const words = task.error?.message || stateWords(task.state).toLowerCase();
  return { name: task.name, kind: "task", title: task.spec?.text ?? task.name, where: task.spec?.repositories.map(shortName).join(", ") ?? "", words, sign: TASK_SIGNS[task.state], share: null, time: milliseconds(task.createTime) };
}

function jobWork(job: IndexJob): Work {
  const progress = job.progress;
  const share = progress === undefined || progress.total === 0n ? null : Number(progress.done) / Number(progress.total);
  const sign = JOB_SIGNS[job.state];
  const words = job.error?.message ?? (job.report !== undefined ? `${counted(job.report.files, "file")}, ${seconds(job.report.seconds)}` : progress === undefined ? "queued" : `${progress.stage} ${count(progress.done)} of ${count(progress.total)}`);
  const place = shortName(job.repository) || job.source?.location || job.name;
  return { name: job.name, kind: "index", title: `Index ${place}`, where: place, words, sign, share: sign === "running" ? share : null, time: milliseconds(job.createTime) };
}

function rank(work: Work): number {
  const index = ORDER.indexOf(work.sign);
  return index < 0 ? ORDER.length : index;
}

export function WorkList({ tasks, jobs, current, onNew }: { tasks: readonly Task[]; jobs: readonly IndexJob[]; current: string; onNew: () => void }): JSX.Element {
  const [kind, setKind] = useState<Work["kind"] | "all">("all");
  const all = [...tasks.map(taskWork), ...jobs.map(jobWork)].sort((a, b) => rank(a) - rank(b) || b.time - a.time);
  const shown = all.filter((work) => kind === "all" || work.kind === kind);
  return (
    <aside class="scroll work-list" aria-label="Tasks and index jobs">
      <div class="row list-head"><h2>Tasks and index jobs</h2><span class="sp" /><button class="btn pri" onClick={onNew}>New task <kbd>n</kbd></button></div>
      <div class="row filters" role="group" aria-label="Shown">
        {([["all", "All", all.length], ["task", "Tasks", tasks.length], ["index", "Index jobs", jobs.length]] as const).map(([each, title, total]) => <button aria-pressed={kind === each} onClick={() => setKind(each)}>{title} {total}</button>)}
      </div>
      {all.length === 0 && <p class="s t2 list-empty">No tasks yet. A task sends files and gets files back.</p>}
      <ul>{shown.map((work) => <WorkRow work={work} isCurrent={work.name === current} />)}</ul>
    </aside>
  );
}

function WorkRow({ work, isCurrent }: { work: Work; isCurrent: boolean }): JSX.Element {
  const href = work.kind === "task" ? `/${work.name}` : `/jobs/${shortName(work.name)}`;
  return (
    <li class={isCurrent ? "on" : ""}>
      <span class={`state-sign ${work.sign}`} role="img" aria-label={work.sign}>{SIGN_TEXT[work.sign]}</span>
      <div>
        <a href={href} class="work-title" title={work.title}><Text text={work.title} /></a>
        <div class="xs row"><Badge>{work.kind}</Badge><span class="m el">{work.where}</span><span class={`el ${work.sign === "failed" ? "rem" : work.sign === "waiting" ? "warning b" : "t3"}`} title={work.words}>{work.words}</span></div>
        {work.share !== null && <span class="bar"><i style={{ width: `${100 * work.share}%` }} /></span>}
      </div>
    </li>
  );
}
