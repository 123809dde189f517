// Answers of the current view: loading, failed or ready. Earlier answers stay for back and forward.
import { useEffect, useState } from "preact/hooks";
import { describeFailure, type Failure } from "./services";

export type Answer<T> =
  | { readonly state: "loading"; readonly progress?: string; readonly cancel?: () => void }
  | { readonly state: "failed"; readonly failure: Failure }
  | { readonly state: "ready"; readonly value: T };

const MAX_STORED_ANSWERS = 20;
const CANCELLED: Failure = { kind: "refused", title: "Cancelled.", effect: "The service ends the work.", detail: "" };
const stored = new Map<string, unknown>();

/** Load an answer. `key` names the request; null asks for nothing. A late answer to an earlier key is dropped. */
export function useAnswer<T>(key: string | null, load: (signal: AbortSignal, onProgress: (text: string) => void) => Promise<T>): [Answer<T>, () => void] {
  const [attempt, setAttempt] = useState(0);
  const [held, setHeld] = useState<{ key: string; answer: Answer<T> } | null>(null);
  useEffect(() => {
    if (key === null || (attempt === 0 && stored.has(key))) return undefined;
    const controller = new AbortController();
    const settle = (answer: Answer<T>): void => {
      if (!controller.signal.aborted) setHeld({ key, answer });
    };
    const cancel = (): void => {
      settle({ state: "failed", failure: CANCELLED });
      controller.abort();
    };
    setHeld({ key, answer: { state: "loading", cancel } });
    load(controller.signal, (progress) => settle({ state: "loading", progress, cancel })).then(
      (value) => {
        store(key, value);
        settle({ state: "ready", value });
      },
      (error: unknown) => settle({ state: "failed", failure: describeFailure(error) }),
    );
    return () => controller.abort();
  }, [key, attempt]);
  const retry = (): void => setAttempt(attempt + 1);
  if (held !== null && held.key === key) return [held.answer, retry];
  if (key !== null && stored.has(key)) return [{ state: "ready", value: stored.get(key) as T }, retry];
  return [{ state: "loading" }, retry];
}

function store(key: string, value: unknown): void {
  stored.delete(key);
  stored.set(key, value);
  const [oldest] = stored.keys();
  if (stored.size > MAX_STORED_ANSWERS && oldest !== undefined) stored.delete(oldest);
}
