// Form of a new task: text, repositories, files to work on, and what it may do.
import { create } from "@bufbuild/protobuf";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { navigate } from "../route";
import { describeFailure, tasks } from "../services";
import { TaskSpecSchema } from "../v1/repoquarry/v1/task_service_pb";

/** Form of a new task. Files are sent by the command line: browsers cannot stream uploads over this protocol. */
export function TaskForm({ repository }: { repository: string }): JSX.Element {
  const [text, setText] = useState("");
  const [scope, setScope] = useState(repository);
  const [workspace, setWorkspace] = useState(false);
  const [error, setError] = useState("");
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    const repositories = scope.split(/[\s,]+/).filter((name) => name !== "").map((name) => `repositories/${name}`);
    try {
      const response = await tasks.createTask({ spec: create(TaskSpecSchema, { text, repositories, workspace }), requestId: crypto.randomUUID() });
      if (response.task !== undefined) navigate(`/${response.task.name}`);
    } catch (failure) {
      const { title, detail } = describeFailure(failure);
      setError(`${title} ${detail}`);
    }
  };
  return (
    <form class="scroll task-form" onSubmit={(event) => void submit(event)}>
      <h1>New task</h1>
      <label class="s">What is to be found or made<textarea class="field" rows={5} required value={text} onInput={(event) => setText(event.currentTarget.value)} /></label>
      <label class="s">Repositories, empty for the service's choice<input class="field" value={scope} onInput={(event) => setScope(event.currentTarget.value)} /></label>
      <label class="s row"><input type="checkbox" checked={workspace} onChange={(event) => setWorkspace(event.currentTarget.checked)} /> It may write files and, after approval, run commands in a folder of its own</label>
      <p class="s t3">To send files: <code>repoquarry task --input FILE TEXT</code></p>
      <div class="row"><button class="btn pri">Create task</button></div>
      {error !== "" && <p class="rem s" role="alert">{error}</p>}
    </form>
  );
}
