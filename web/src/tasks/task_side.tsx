// Side column of a task: state, limits, files, checks, basis.
import type { JSX } from "preact";
import { bytes, clock, count, milliseconds, shortName } from "../format";
import { Text } from "../text";
import type { Task, TaskEvent, TaskFile } from "../v1/repoquarry/v1/task_service_pb";
import { buildSteps } from "./step_model";
import { hasEnded, stateWords } from "./task_state";

interface TaskSideProps {
  task: Task;
  events: readonly TaskEvent[];
  files: readonly TaskFile[];
  onCancel: () => void;
  onFile: (file: TaskFile) => void;
}

export function TaskSide({ task, events, files, onCancel, onFile }: TaskSideProps): JSX.Element {
  return (
    <aside class="scroll task-side" aria-label="State of the task">
      <section>
        <div class="row"><h2>{stateWords(task.state)}</h2><span class="sp" />{!hasEnded(task) && <button onClick={onCancel}>Cancel task</button>}</div>
        <p class="s t3">created {clock(task.createTime)}{task.endTime !== undefined && `, ended ${clock(task.endTime)}`}{task.attempts > 1 && `, started ${task.attempts} times`}</p>
      </section>
      <Limits task={task} events={events} />
      <section>
        <h2>Files</h2>
        {files.length === 0 && <p class="s t2">The task has no file.</p>}
        <ul class="files s">{files.map((file) => <li class="row"><button class="plain link m el" title={`${file.path}\nSHA-256 ${file.sha256}`} onClick={() => onFile(file)}><Text text={file.path} /></button><span class="sp" /><span class="m t3">{bytes(file.size)}</span></li>)}</ul>
      </section>
      <section>
        <h2>Completion checks</h2>
        {task.spec?.checks.length === 0 && <p class="s t2">None. The content is not checked.</p>}
        <ul class="s">{task.spec?.checks.map((check) => <li><code>{check.command || check.path}</code>{check.notEmpty && " is not empty"}{check.pattern !== "" && ` matches ${check.pattern}`}</li>)}</ul>
      </section>
      {task.spec !== undefined && task.spec.repositories.length > 0 && <section><h2>Repositories</h2><p class="s">{task.spec.repositories.map(shortName).join(", ")}</p></section>}
    </aside>
  );
}

function Limits({ task, events }: { task: Task; events: readonly TaskEvent[] }): JSX.Element {
  const started = events.find(({ event }) => event.case === "taskStarted")?.event;
  const budget = started?.case === "taskStarted" ? started.value : undefined;
  const steps = buildSteps(events);
  const tokens = steps.reduce((sum, step) => sum + Number(step.result?.tokens ?? 0), 0);
  const calls = events.flatMap(({ event }) => (event.case === "modelCalled" ? [event.value] : []));
  const unpriced = calls.filter((call) => call.cost === undefined).length;
  const cost = calls.reduce((sum, call) => sum + (call.cost ?? 0), 0);
  const worked = task.startTime === undefined ? 0 : ((task.endTime === undefined ? Date.now() : milliseconds(task.endTime)) - milliseconds(task.startTime)) / 1000;
  return (
    <section>
      <h2>Limits</h2>
      <dl class="limits s">
        <Limit name="Steps" used={steps.length} limit={budget?.steps ?? 0} />
        <Limit name="Tokens read" used={tokens} limit={Number(budget?.tokens ?? 0)} />
        <Limit name="Seconds" used={Math.round(worked)} limit={budget?.seconds ?? 0} />
        <dt>Cost</dt><dd><span /><span class="m">{calls.length === 0 ? "0, no model" : unpriced === calls.length ? "not priced" : `${cost.toFixed(4)}${unpriced > 0 ? `, ${unpriced} not priced` : ""}`}</span></dd>
      </dl>
    </section>
  );
}

function Limit({ name, used, limit }: { name: string; used: number; limit: number }): JSX.Element {
  const share = limit > 0 ? Math.min(1, used / limit) : 0;
  return <><dt>{name}</dt><dd><span class="bar"><i style={{ width: `${100 * share}%` }} /></span><span class="m">{count(used)}{limit > 0 ? ` of ${count(limit)}` : ""}</span></dd></>;
}
