// Indexing a repository again whose source has moved on.
import type { JSX } from "preact";
import { navigate } from "../route";
import { describeFailure, indexing, repositories } from "../services";
import { Freshness_State, type RepositoryBasis } from "../v1/repoquarry/v1/basis_pb";
import { useKeys } from "./keys";
import { showToast } from "./toast";

async function indexAgain(name: string): Promise<void> {
  try {
    const { repository } = await repositories.getRepository({ name });
    const source = { location: repository?.source ?? "", repositoryId: name.replace("repositories/", "") };
    const { indexJobs } = await indexing.createIndexJob({ sources: [source], requestId: crypto.randomUUID() });
    const [job] = indexJobs;
    if (job !== undefined) navigate(`/jobs/${job.name.slice(job.name.lastIndexOf("/") + 1)}`);
  } catch (error) {
    const { title, detail } = describeFailure(error);
    showToast(`${title} ${detail}`);
  }
}

/** Button of a repository that is out of date; nothing for any other. */
export function Reindex({ repository }: { repository: RepositoryBasis | undefined }): JSX.Element | null {
  const isStale = repository?.freshness?.state === Freshness_State.STALE;
  const run = (): void => void indexAgain(repository?.repository ?? "");
  useKeys(isStale ? { r: run } : {});
  return isStale ? <button class="reindex" onClick={run}>Re-index <kbd>r</kbd></button> : null;
}
