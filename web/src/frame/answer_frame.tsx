// Frame of an answer: loading, failed or shown, and its basis handed to the bar.
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Answer } from "../answer";
import { openPalette } from "./palette_state";
import { encodePath, PAGE_LINKS } from "../links";
import { parseRoute } from "../route";
import type { Failure } from "../services";
import { Text } from "../text";
import type { AnswerBasis } from "../v1/repoquarry/v1/basis_pb";
import { basis, serviceFailure } from "./basis_bar";

const SKELETON_MILLISECONDS = 150;
const LONG_WAIT_MILLISECONDS = 2000;

interface AnswerFrameProps<T> {
  answer: Answer<T>;
  onRetry: () => void;
  /** Rows of the skeleton. */
  rows: number;
  children: (value: T) => JSX.Element;
}

export function AnswerFrame<T extends { readonly basis?: AnswerBasis | undefined }>({ answer, onRetry, rows, children }: AnswerFrameProps<T>): JSX.Element {
  useEffect(() => {
    if (answer.state === "ready") {
      basis.value = answer.value.basis ?? null;
      serviceFailure.value = "";
      restoreScroll();
    } else if (answer.state === "failed") {
      serviceFailure.value = answer.failure.kind === "gone" ? answer.failure.title : "";
    }
  }, [answer]);
  if (answer.state === "loading") return <Skeleton rows={rows} {...answer} />;
  if (answer.state === "failed") return <FailureCard failure={answer.failure} onRetry={onRetry} />;
  return children(answer.value);
}

/** Restore the columns' scroll positions after going back. */
function restoreScroll(): void {
  const places: unknown = (history.state as { scroll?: unknown } | null)?.scroll;
  if (!Array.isArray(places)) return;
  document.querySelectorAll(".scroll").forEach((element, index) => (element.scrollTop = Number(places[index] ?? 0)));
}

export function Skeleton({ rows, progress, cancel }: { rows: number; progress?: string; cancel?: () => void }): JSX.Element {
  const [stage, setStage] = useState(0);
  useEffect(() => {
    const timers = [setTimeout(() => setStage(1), SKELETON_MILLISECONDS), setTimeout(() => setStage(2), LONG_WAIT_MILLISECONDS)];
    return () => timers.forEach(clearTimeout);
  }, []);
  if (stage === 0) return <div class="plain-page" aria-busy="true" />;
  return (
    <div class="plain-page" aria-busy="true">
      <div class="skeleton">{Array.from({ length: rows }, (_, index) => <i style={{ width: `${38 + ((index * 37) % 40)}%` }} />)}</div>
      {(stage === 2 || progress !== undefined) && <p class="s" role="status">{progress ?? "Still loading."} {cancel !== undefined && <button onClick={cancel}>Cancel</button>}</p>}
    </div>
  );
}

export function FailureCard({ failure, onRetry }: { failure: Failure; onRetry: () => void }): JSX.Element {
  return (
    <div class="plain-page">
      <div class="failure" role="alert">
        <h1><Text text={failure.title} /></h1>
        <p class="t2">{failure.effect}</p>
        {(failure.nearest ?? []).length > 0 && <ul aria-label="Nearest names">{failure.nearest?.map((name) => <li><a class="m" href={nearestAddress(failure.missing ?? "", name)}><Text text={name} /></a></li>)}</ul>}
        {failure.kind === "signed-out" ? <SignIn /> : (
          <div class="row">
            {failure.kind === "not-found" ? <><button onClick={() => openPalette("find")}>Find a name <kbd>/</kbd></button><a class="btn" href="/">Other repositories</a></> : <button onClick={onRetry}>Try again</button>}
          </div>
        )}
        {failure.detail !== "" && <details><summary class="s t3">Details</summary><p class="m s"><Text text={failure.detail} /></p></details>}
      </div>
    </div>
  );
}

/** Return the address of the view for a name that is there. */
function nearestAddress(missing: string, name: string): string {
  if (missing === "repository") return PAGE_LINKS.repository(name);
  const route = parseRoute(location.pathname, location.search);
  const repository = "repository" in route ? route.repository : "";
  if (route.view === "map") return PAGE_LINKS.folder(repository, name);
  return route.view === "file" ? PAGE_LINKS.file(repository, name) : `${PAGE_LINKS.repository(repository)}/s/${encodePath(name)}`;
}

/** Trade a token for the cookie of a session and load the page again. */
async function signIn(token: unknown, onRefusal: (text: string) => void): Promise<void> {
  const response = await fetch("/session", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ token }) });
  if (response.ok) return location.reload();
  onRefusal(`The service refused the token (${response.status}).`);
}

/** Form that trades a token for a cookie. */
function SignIn(): JSX.Element {
  const [refusal, setRefusal] = useState("");
  return (
    <form class="row" onSubmit={(event) => { event.preventDefault(); void signIn(new FormData(event.currentTarget).get("token"), setRefusal); }}>
      <label class="row s">Token <input class="field" type="password" name="token" autocomplete="off" required /></label>
      <button class="btn pri">Sign in</button>
      {refusal !== "" && <span class="rem s">{refusal}</span>}
    </form>
  );
}
