// Events of a task as they happen. A broken stream resumes after the last sequence that arrived.
import { useEffect, useState } from "preact/hooks";
import { describeFailure, tasks, type Failure } from "../services";
import type { TaskEvent } from "../v1/repoquarry/v1/task_service_pb";

const FIRST_PAUSE_MILLISECONDS = 500;
const MAX_PAUSE_MILLISECONDS = 10_000;

export interface EventStream {
  readonly events: readonly TaskEvent[];
  /** Why events do not arrive now; null while they do. */
  readonly failure: Failure | null;
}

export function useTaskEvents(name: string): EventStream {
  const [events, setEvents] = useState<readonly TaskEvent[]>([]);
  const [failure, setFailure] = useState<Failure | null>(null);
  useEffect(() => {
    setEvents([]);
    setFailure(null);
    if (name === "") return undefined;
    const controller = new AbortController();
    const onEvent = (event: TaskEvent): void => {
      setFailure(null);
      setEvents((held) => [...held, event]);
    };
    void follow(name, controller.signal, onEvent, setFailure);
    return () => controller.abort();
  }, [name]);
  return { events, failure };
}

async function follow(name: string, signal: AbortSignal, onEvent: (event: TaskEvent) => void, onFailure: (failure: Failure) => void): Promise<void> {
  let sequence = 0n;
  let pause = FIRST_PAUSE_MILLISECONDS;
  while (!signal.aborted) {
    try {
      for await (const { event } of tasks.streamTaskEvents({ name, afterSequence: sequence }, { signal })) {
        if (event === undefined || event.sequence <= sequence) continue;
        sequence = event.sequence;
        pause = FIRST_PAUSE_MILLISECONDS;
        onEvent(event);
      }
      return;
    } catch (error) {
      const failure = describeFailure(error);
      if (signal.aborted) return;
      onFailure(failure);
      if (failure.kind !== "gone") return;
      await new Promise((resolve) => setTimeout(resolve, pause));
      pause = Math.min(pause * 2, MAX_PAUSE_MILLISECONDS);
    }
  }
}
