// Form of a new task: text, repositories, files to work on, and what it may do.
import { create } from "@bufbuild/protobuf";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { bytes } from "../format";
import { navigate } from "../route";
import { describeFailure, tasks } from "../services";
import { uploadFile } from "./upload";
import { TaskInputSchema, TaskSpecSchema, type TaskInput } from "../v1/repoquarry/v1/task_service_pb";

/** Form of a new task. */
export function TaskForm({ repository }: { repository: string }): JSX.Element {
  const [text, setText] = useState("");
  const [scope, setScope] = useState(repository);
  const [workspace, setWorkspace] = useState(false);
  const [files, setFiles] = useState<readonly File[]>([]);
  const [state, setState] = useState("");
  const [error, setError] = useState("");
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    const repositories = scope.split(/[\s,]+/).filter((name) => name !== "").map((name) => `repositories/${name}`);
    setError("");
    try {
      const inputs: TaskInput[] = [];
      for (const file of files) {
        setState(`Sending ${file.name}, ${bytes(BigInt(file.size))}`);
        inputs.push(create(TaskInputSchema, { upload: await uploadFile(file), path: file.name }));
      }
      const works = workspace || files.length > 0;
      const response = await tasks.createTask({ spec: create(TaskSpecSchema, { text, repositories, inputs, workspace: works, policy: works ? "chat" : "" }), requestId: crypto.randomUUID() });
      if (response.task !== undefined) navigate(`/${response.task.name}`);
    } catch (failure) {
      const { title, detail } = describeFailure(failure);
      setError(`${title} ${detail}`);
    } finally {
      setState("");
    }
  };
  return (
    <form class="scroll task-form" onSubmit={(event) => void submit(event)}>
      <h1>New task</h1>
      <label class="s">What is to be found or made<textarea class="field" rows={5} required value={text} onInput={(event) => setText(event.currentTarget.value)} /></label>
      <label class="s">Repositories, empty for the service's choice<input class="field" value={scope} onInput={(event) => setScope(event.currentTarget.value)} /></label>
      <label class="s row"><input type="checkbox" checked={workspace} onChange={(event) => setWorkspace(event.currentTarget.checked)} /> It may write files and, after approval, run commands in a folder of its own</label>
      <label class="s"><span>Files for the folder <code>inputs</code> of the task</span><input type="file" multiple onChange={(event) => setFiles([...(event.currentTarget.files ?? [])])} /></label>
      <div class="row"><button class="btn pri" disabled={state !== ""}>Create task</button><span class="s t2" role="status">{state}</span></div>
      {error !== "" && <p class="rem s" role="alert">{error}</p>}
    </form>
  );
}
