// View of tasks and index jobs: the list, one task's timeline, approval, replay.
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { FailureCard, Skeleton } from "../frame/answer_frame";
import { basis } from "../frame/basis_bar";
import { useKeys } from "../frame/keys";
import { announce, showToast } from "../frame/toast";
import { waitingTasks } from "../frame/top_bar";
import { shortName } from "../format";
import { navigate, setOptions } from "../route";
import { describeFailure, indexing, tasks, type Failure } from "../services";
import { Text } from "../text";
import type { IndexJob } from "../v1/repoquarry/v1/index_service_pb";
import { Task_State, type Task, type TaskFile } from "../v1/repoquarry/v1/task_service_pb";
import { useTaskEvents } from "./event_stream";
import { JobPicture } from "./job_picture";
import { TaskForm } from "./task_form";
import { hasEnded, TaskSide } from "./task_side";
import { Timeline } from "./timeline";
import { WorkList } from "./work_list";

const LIST_MILLISECONDS = 5000;
const MAX_LISTED = 100;

interface Listed {
  /** Name in the address when the lists were read. */
  readonly name: string;
  readonly tasks: readonly Task[];
  readonly jobs: readonly IndexJob[];
}

export function TasksView({ name, parameters }: { name: string; parameters: URLSearchParams }): JSX.Element {
  const [listed, failure, reload] = useWork(name);
  useKeys({ n: () => navigate("/tasks/new") });
  if (failure !== null) return <FailureCard failure={failure} onRetry={reload} />;
  if (listed === null) return <Skeleton rows={8} />;
  const current = name === "" ? (listed.tasks.find((task) => task.state === Task_State.WAITING) ?? listed.tasks[0] ?? listed.jobs[0])?.name ?? "" : name;
  const task = listed.tasks.find((each) => each.name === current);
  const job = listed.jobs.find((each) => shortName(each.name) === shortName(current));
  return (
    <div class="v-tasks">
      <WorkList tasks={listed.tasks} jobs={listed.jobs} current={job?.name ?? current} onNew={() => navigate("/tasks/new")} />
      {name === "tasks/new" ? <TaskForm repository={parameters.get("in") ?? ""} />
        : task === undefined && job !== undefined ? <JobPicture job={job} />
        : task !== undefined ? <OpenTask key={task.name} task={task} step={Number(parameters.get("step") ?? 0)} onChange={reload} />
        : listed.name !== name ? <Skeleton rows={8} />
        : <div class="plain-page"><p class="t2">{current === "" ? "No task is chosen." : "No task or index job has this name."}</p></div>}
    </div>
  );
}

/** Tasks and jobs, read again when another one is opened and every five seconds while the page is visible. */
function useWork(name: string): [Listed | null, Failure | null, () => void] {
  const [listed, setListed] = useState<Listed | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [round, setRound] = useState(0);
  useEffect(() => {
    const read = async (): Promise<void> => {
      try {
        const [taskPage, jobPage] = await Promise.all([tasks.listTasks({ pageSize: MAX_LISTED }), indexing.listIndexJobs({ pageSize: MAX_LISTED })]);
        setListed({ name, tasks: taskPage.tasks, jobs: jobPage.indexJobs });
        setFailure(null);
        waitingTasks.value = taskPage.tasks.filter((task) => task.state === Task_State.WAITING).length;
      } catch (error) {
        setFailure(describeFailure(error));
      }
    };
    void read();
    const timer = setInterval(() => document.visibilityState === "visible" && void read(), LIST_MILLISECONDS);
    return () => clearInterval(timer);
  }, [round, name]);
  return [listed, failure, () => setRound(round + 1)];
}

function OpenTask({ task, step, onChange }: { task: Task; step: number; onChange: () => void }): JSX.Element {
  const { events, failure } = useTaskEvents(task.name);
  const files = useFiles(task);
  const pending = task.pendingApproval?.approval ?? "";
  useEffect(() => {
    basis.value = task.answer?.basis ?? null;
  }, [task]);
  useEffect(onChange, [events.length]);
  const [approvesAll, setApprovesAll] = useState(false);
  const decide = (approval: string, granted: boolean, reason = ""): void => {
    if (approval === "") return;
    tasks.approveTaskAction({ name: task.name, approval, granted, reason }).then(onChange, (error: unknown) => showToast(describeFailure(error).detail));
  };
  useEffect(() => {
    if (approvesAll) decide(pending, true);
    else if (pending !== "") announce("Approval needed: run this command?");
  }, [pending, approvesAll]);
  const cancel = (): void => {
    tasks.cancelTask({ name: task.name }).then(onChange, (error: unknown) => showToast(describeFailure(error).detail));
  };
  useKeys({ a: () => decide(pending, true), d: () => decide(pending, false), "!": () => document.getElementById("approval-title")?.focus() });
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
