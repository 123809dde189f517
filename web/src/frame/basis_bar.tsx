// Basis bar: the AnswerBasis of the response, drawn. Nothing else feeds it.
import { signal } from "@preact/signals";
import type { ComponentChildren, JSX } from "preact";
import { useState } from "preact/hooks";
import { clock, count, counted } from "../format";
import { Text } from "../text";
import { Freshness_State, type AnswerBasis, type RepositoryBasis } from "../v1/repoquarry/v1/basis_pb";
import { useKeys } from "./keys";

/** Basis of the answer that is shown; null while there is none. */
export const basis = signal<AnswerBasis | null>(null);

/** Failure of the newest request: shown in place of the freshness. */
export const serviceFailure = signal("");

const HASH_LENGTH = 7;

/** Return the verdict on freshness with its sign. */
function freshness(repository: RepositoryBasis): [string, string] {
  const state = repository.freshness;
  if (state?.state === Freshness_State.CURRENT) return ["fresh", "Up to date"];
  if (state?.state !== Freshness_State.STALE) return ["unknown", `Age unknown${state?.note ? `: ${state.note}` : ""}`];
  const parts = [];
  if (state.commits !== undefined) parts.push(counted(state.commits, "commit"));
  if (state.files !== undefined) parts.push(counted(state.files, "file"));
  return ["stale", `Out of date${parts.length > 0 ? ` by ${parts.join(", ")}` : ""}`];
}

/** Return when the source was compared with the index; empty where it was not. */
function checkTime(repository: RepositoryBasis | undefined): string {
  const time = repository?.freshness?.checkTime;
  return time === undefined ? "" : `checked at ${clock(time)}`;
}

interface Part {
  readonly text: ComponentChildren;
  readonly title: string;
  readonly list: readonly [string, string][];
}

function parts(repository: RepositoryBasis): Part[] {
  const revision = repository.commit || repository.revision;
  const skipped = repository.leftOutCount > 0n ? `${counted(repository.leftOutCount, "file")} skipped` : "no file skipped";
  const errors = repository.parseErrorCount > 0n ? `, ${count(repository.parseErrorCount)} with syntax errors` : "";
  const calls = repository.unresolvedCalls;
  const shown: Part[] = [
    { text: <>{repository.commit === "" ? "revision" : "commit"} <span class="m">{revision.slice(0, HASH_LENGTH)}</span>{repository.commit === "" ? ", no git" : repository.dirty ? ", with local changes" : ""}</>, title: "Revision", list: [["commit", repository.commit || "none"], ["revision", repository.revision]] },
    { text: skipped + errors, title: "Skipped files", list: [...repository.leftOutReasons.map((each): [string, string] => [each.reason, count(each.count)]), ...repository.leftOut.map((each): [string, string] => [each.path, each.reason]), ...repository.parseErrorPaths.map((path): [string, string] => [path, "syntax errors"])] },
  ];
  if (calls !== undefined) {
    const list = calls.names.map((each): [string, string] => [each.name, count(each.count)]);
    const text = calls.relevant === undefined ? counted(calls.total, "unresolved call")
      : calls.relevant === 0n ? `none of the ${count(calls.total)} unresolved calls is relevant`
      : calls.relevant === calls.total ? counted(calls.total, "unresolved call")
      : <><b>{count(calls.relevant)}</b> of {count(calls.total)} unresolved calls may affect this answer</>;
    shown.push({ text, title: "Unresolved calls by name", list });
    if (calls.external > 0n) {
      shown.push({ text: <><b>{count(calls.external)}</b> calls of external code have a name of this answer</>, title: "External code of the same name", list: calls.externalNames.map((each): [string, string] => [each.name, count(each.count)]) });
    }
  }
  return shown;
}

/** The bar; `action` stands behind the state, such as a button that indexes again. */
export function BasisBar({ basis, failure, action }: { basis: AnswerBasis | null; failure: string; action?: JSX.Element }): JSX.Element {
  const [open, setOpen] = useState(-1);
  useKeys(open >= 0 ? { Escape: () => setOpen(-1) } : {});
  const [repository] = basis?.repositories ?? [];
  const [sign, words] = failure !== "" ? ["gone", failure] : repository === undefined ? ["none", "No repository in this answer"] : freshness(repository);
  const shown = repository === undefined ? [] : parts(repository);
  const opened = shown[open];
  const checked = failure === "" ? checkTime(repository) : "";
  return (
    <div class="basis" role="status" aria-label="Basis of this answer">
      <span class="state" {...(checked === "" ? {} : { title: checked })}><i class={`sign ${sign}`} />{words}{checked !== "" && <span class="unseen">, {checked}</span>}</span>
      {action}
      {shown.map((part, index) => (
        <>
          <span class="separator" />
          <button class="plain" aria-expanded={open === index} onClick={() => setOpen(open === index ? -1 : index)}>{part.text}</button>
        </>
      ))}
      {(basis?.repositoryCount ?? 0n) > 1n && <><span class="separator" /><span>{count(basis?.repositoryCount ?? 0n)} repositories</span></>}
      {basis?.notes.map((note) => <><span class="separator" /><span class="el" title={note}><Text text={note} /></span></>)}
      {opened !== undefined && (
        <div class="basis-list" role="region" aria-label={opened.title}>
          <b>{opened.title}</b>
          {opened.list.length === 0 ? <p class="t3">none</p> : <ul>{opened.list.map(([name, value]) => <li class="row"><span class="m el"><Text text={name} /></span><span class="sp" /><span class="t2">{value}</span></li>)}</ul>}
        </div>
      )}
    </div>
  );
}
