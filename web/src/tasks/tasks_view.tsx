// View of tasks and index jobs: the list, one task's timeline, approval, replay.
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { FailureCard, Skeleton } from "../frame/answer_frame";
import { basis } from "../frame/basis_bar";
import { useKeys } from "../frame/keys";
import { announce, showToast } from "../frame/toast";
import { useShownRepository, waitingTasks } from "../frame/top_bar";
import { shortName } from "../format";
import { navigate, setOptions } from "../route";
import { describeFailure, indexing, tasks, type Failure } from "../services";
import { Text } from "../text";
import type { IndexJob } from "../v1/repoquarry/v1/index_service_pb";
import { Task_State, type Task, type TaskEvent, type TaskFile } from "../v1/repoquarry/v1/task_service_pb";
import { useTaskEvents } from "./event_stream";
import { JobPicture } from "./job_picture";
import { TaskForm } from "./task_form";
import { TaskSide } from "./task_side";
import { hasEnded } from "./task_state";
import { Timeline } from "./timeline";
import { WorkList } from "./work_list";

const LIST_MILLISECONDS = 5000;
const MAX_LISTED = 100;
/** Pause before the open task is read again: the events of an earlier run arrive all at once. */
const SETTLE_MILLISECONDS = 100;
/** Events after which the open task has another state, approval or answer. */
const TURNS: ReadonlySet<string> = new Set(["stateChanged", "approvalRequested", "approvalDecided", "answer"]);

interface Listed {
  /** Name in the address when the lists were read. */
  readonly name: string;
  readonly tasks: readonly Task[];
  readonly jobs: readonly IndexJob[];
}

export function TasksView({ name, parameters }: { name: string; parameters: URLSearchParams }): JSX.Element {
  const [listed, failure, reload] = useWork(name);
  const [opened, setOpened] = useState<Task | null>(null);
  useKeys({ n: () => navigate("/tasks/new") });
  if (failure !== null) return <FailureCard failure={failure} onRetry={reload} />;
  if (listed === null) return <Skeleton rows={8} />;
  const current = name === "" ? (listed.tasks.find((task) => task.state === Task_State.WAITING) ?? listed.tasks[0] ?? listed.jobs[0])?.name ?? "" : name;
  const works = listed.tasks.map((each) => (each.name === opened?.name ? opened : each));
  const task = works.find((each) => each.name === current);
  const job = listed.jobs.find((each) => shortName(each.name) === shortName(current));
  return (
    <div class="v-tasks">
      <WorkList tasks={works} jobs={listed.jobs} current={job?.name ?? current} onNew={() => navigate("/tasks/new")} />
      {name === "tasks/new" ? <TaskForm repository={parameters.get("in") ?? ""} />
        : task === undefined && job !== undefined ? <JobPicture job={job} />
        : task !== undefined ? <OpenTask key={task.name} task={task} isWhole={task === opened} step={Number(parameters.get("step") ?? 0)} onRead={setOpened} />
        : listed.name !== name ? <Skeleton rows={8} />
        : <div class="plain-page"><p class="t2">{current === "" ? "No task is chosen." : "No task or index job has this name."}</p></div>}
    </div>
  );
}

/** Tasks without their answers and jobs, read again where the address names an unknown one and every five seconds while the page is visible. */
function useWork(name: string): [Listed | null, Failure | null, () => void] {
  const [listed, setListed] = useState<Listed | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [round, setRound] = useState(0);
  useEffect(() => {
    const read = async (): Promise<void> => {
      try {
        const [taskPage, jobPage] = await Promise.all([tasks.listTasks({ pageSize: MAX_LISTED, withoutAnswers: true }), indexing.listIndexJobs({ pageSize: MAX_LISTED })]);
        setListed({ name, tasks: taskPage.tasks, jobs: jobPage.indexJobs });
        setFailure(null);
        waitingTasks.value = taskPage.tasks.filter((task) => task.state === Task_State.WAITING).length;
      } catch (error) {
        setFailure(describeFailure(error));
      }
    };
    if (listed === null || !isListed(listed, name)) void read();
    else setListed({ ...listed, name });
    const timer = setInterval(() => document.visibilityState === "visible" && void read(), LIST_MILLISECONDS);
    return () => clearInterval(timer);
  }, [round, name]);
  const reload = (): void => {
    setListed(null);
    setFailure(null);
    setRound(round + 1);
  };
  return [listed, failure, reload];
}

function isListed({ tasks: known, jobs }: Listed, name: string): boolean {
  return name === "" || name === "tasks/new" || known.some((task) => task.name === name) || jobs.some((job) => shortName(job.name) === shortName(name));
}

/** Read the open task when it is opened, when an event changes its state, and when `refresh` is called. `readTo` is the last event that the task knows. */
function useOpenTask(name: string, readTo: bigint, events: readonly TaskEvent[], onRead: (task: Task) => void): () => void {
  const known = useRef(readTo);
  known.current = readTo;
  const read = (): void => void tasks.getTask({ name }).then(({ task }) => task !== undefined && onRead(task), (error: unknown) => showToast(describeFailure(error).detail));
  const turn = events.findLast(({ event }) => TURNS.has(event.case ?? ""))?.sequence ?? 0n;
  useEffect(() => {
    const timer = setTimeout(() => known.current < turn && read(), turn === 0n ? 0 : SETTLE_MILLISECONDS);
    return () => clearTimeout(timer);
  }, [name, turn]);
  return read;
}

/** `isWhole` says that the task was read with its answer, and not only in the list. */
function OpenTask({ task, isWhole, step, onRead }: { task: Task; isWhole: boolean; step: number; onRead: (task: Task) => void }): JSX.Element {
  const { events, failure } = useTaskEvents(task.name);
  const isRead = !hasEnded(task) || (isWhole && (events.at(-1)?.sequence ?? 0n) >= task.lastSequence);
  useShownRepository(task.spec?.repositories ?? []);
  const refresh = useOpenTask(task.name, isWhole ? task.lastSequence : -1n, events, onRead);
  const files = useFiles(task);
  const pending = task.pendingApproval?.approval ?? "";
  useEffect(() => {
    basis.value = task.answer?.basis ?? null;
  }, [task]);
  const [approvesAll, setApprovesAll] = useState(false);
  const decide = (approval: string, granted: boolean, reason = ""): void => {
    if (approval === "") return;
    tasks.approveTaskAction({ name: task.name, approval, granted, reason }).then(refresh, (error: unknown) => showToast(describeFailure(error).detail));
  };
  useEffect(() => {
    if (approvesAll) decide(pending, true);
    else if (pending !== "") announce("Approval needed: run this command?");
  }, [pending, approvesAll]);
  const cancel = (): void => {
    tasks.cancelTask({ name: task.name }).then(refresh, (error: unknown) => showToast(describeFailure(error).detail));
  };
  useKeys({ a: () => decide(pending, true), d: () => decide(pending, false), "!": () => document.getElementById("approval-title")?.focus() });
  if (!isRead) return <Skeleton rows={8} />;
  return (
    <>
      <section class="scroll timeline" aria-label="Steps">
        <p class="xs m t3">{task.name}</p>
        <h1><Text text={task.spec?.text ?? task.name} /></h1>
        {failure !== null && <p class="s rem">{failure.title} {failure.kind === "gone" ? "Trying again." : failure.detail}</p>}
        {hasEnded(task) && events.length > 0 && <Replay last={events.length} step={step} />}
        <Timeline task={task} events={events} upTo={step} onDecide={decide} onApproveAll={() => setApprovesAll(true)} />
        {approvesAll && !hasEnded(task) && <p class="s warning">All further commands run without a question. <button class="plain link" onClick={() => setApprovesAll(false)}>Ask again</button></p>}
      </section>
      <TaskSide task={task} events={events} files={files} onCancel={cancel} onFile={(file) => void download(task.name, file)} />
    </>
  );
}

/** Replay of a finished task: event by event. */
function Replay({ last, step }: { last: number; step: number }): JSX.Element {
  const [isPlaying, setPlaying] = useState(false);
  const go = (next: number): void => setOptions({ step: next >= last || next <= 0 ? "" : String(next) });
  useEffect(() => {
    if (!isPlaying) return undefined;
    const timer = setTimeout(() => {
      const next = step === 0 ? 1 : step + 1;
      if (next >= last) setPlaying(false);
      go(next);
    }, 700);
    return () => clearTimeout(timer);
  }, [isPlaying, step]);
  return (
    <div class="row replay s">
      <button onClick={() => setPlaying(!isPlaying)}>{isPlaying ? "Pause" : "Replay"}</button>
      <button disabled={step === 1} aria-label="Back one event" onClick={() => go((step === 0 ? last : step) - 1)}>‹</button>
      <button disabled={step === 0} aria-label="Forward one event" onClick={() => go(step + 1)}>›</button>
      <span class="t3">{step === 0 ? `all ${last} events` : `event ${step} of ${last}`}</span>
    </div>
  );
}

function useFiles(task: Task): readonly TaskFile[] {
  const [files, setFiles] = useState<readonly TaskFile[]>([]);
  useEffect(() => {
    if (task.spec?.workspace !== true) return;
    tasks.listTaskFiles({ name: task.name, maxFiles: MAX_LISTED, withoutChecksums: true }).then((response) => setFiles(response.files), () => setFiles([]));
  }, [task.name, task.lastSequence]);
  return files;
}

async function download(name: string, file: TaskFile): Promise<void> {
  const parts: BlobPart[] = [];
  try {
    for await (const { part } of tasks.readTaskFile({ name, path: file.path })) {
      if (part.case === "data") parts.push(part.value as Uint8Array<ArrayBuffer>);
    }
  } catch (error) {
    return showToast(describeFailure(error).detail);
  }
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob(parts));
  link.download = shortName(file.path);
  link.click();
  URL.revokeObjectURL(link.href);
}
