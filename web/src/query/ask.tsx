// Ask: the answer of the command `ask`; and the search in texts.
import type { JSX } from "preact";
import { useAnswer } from "../answer";
import { AnswerFrame } from "../frame/answer_frame";
import { kindWord, lineRange } from "../format";
import { EntityLink } from "../links";
import { code, tasks } from "../services";
import { TaskAnswerText } from "../tasks/task_answer";
import { Badge, Text } from "../text";
import type { AnswerBasis } from "../v1/repoquarry/v1/basis_pb";
import { SearchMode, type SearchResponse } from "../v1/repoquarry/v1/code_service_pb";
import type { Task } from "../v1/repoquarry/v1/task_service_pb";

type Asked = { readonly task: Task; readonly basis: AnswerBasis | undefined };

/** Answer of the command `ask`: a task without files, which the list of tasks keeps. */
export function Ask({ text, repository }: { text: string; repository: string }): JSX.Element {
  const [answer, retry] = useAnswer<Asked>(`ask ${repository} ${text}`, (signal, onProgress) => ask(text, repository, signal, onProgress));
  return <AnswerFrame answer={answer} onRetry={retry} rows={8}>{({ task }) => <Answered task={task} />}</AnswerFrame>;
}

async function ask(text: string, repository: string, signal: AbortSignal, onProgress: (words: string) => void): Promise<Asked> {
  const spec = { text, repositories: repository === "" ? [] : [`repositories/${repository}`] };
  const name = (await tasks.createTask({ spec, requestId: crypto.randomUUID() }, { signal })).task?.name ?? "";
  for await (const { event } of tasks.streamTaskEvents({ name }, { signal })) {
    if (event?.event.case === "toolCalled") onProgress(`Reading: ${event.event.value.tool}.`);
  }
  const { task } = await tasks.getTask({ name }, { signal });
  if (task === undefined) throw new Error(`the service returned no task ${name}`);
  return { task, basis: task.answer?.basis };
}

function Answered({ task }: { task: Task }): JSX.Element {
  const { answer, error } = task;
  return (
    <div class="scroll places">
      <article class="card place" aria-label="Answer">
        {answer !== undefined && <TaskAnswerText answer={answer} />}
        {error !== undefined && <p class="failure" role="alert"><b>{error.message}</b> <span class="m t3">{error.reason}</span></p>}
        <p class="s t3">As <code>repoquarry ask</code> answers. <a href={`/${task.name}`}>Steps of this answer</a></p>
      </article>
    </div>
  );
}

/** Search in the text of code and documents. */
export function SearchText({ text, repository }: { text: string; repository: string }): JSX.Element {
  const scope = repository === "" ? [] : [`repositories/${repository}`];
  const [answer, retry] = useAnswer(`search ${repository} ${text}`, (signal) => code.search({ query: text, mode: SearchMode.HYBRID, repositories: scope, pageSize: 30 }, { signal }));
  return <AnswerFrame answer={answer} onRetry={retry} rows={8}>{(value) => <Hits answer={value} />}</AnswerFrame>;
}

function Hits({ answer }: { answer: SearchResponse }): JSX.Element {
  if (answer.hits.length === 0) return <p class="ask-empty">No text matches.</p>;
  return (
    <ul class="scroll places">
      {answer.hits.map((hit) => hit.entity !== undefined && (
        <li class="card place">
          <header class="row"><Badge>{kindWord(hit.entity)}</Badge><EntityLink entity={hit.entity} class="b" /><span class="m t3 el">{lineRange(hit.entity)}</span></header>
          {hit.snippet !== "" && <pre class="src snippet"><Text text={hit.snippet.split("\n").slice(0, 3).join("\n")} /></pre>}
        </li>
      ))}
    </ul>
  );
}
