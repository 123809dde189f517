// Side column of Home: how complete the index is, its state, documents.
import type { JSX } from "preact";
import { useContext } from "preact/hooks";
import { CERTAINTY_CLASSES, classWords, count, counted, percent, shortName, type CertaintyClass } from "../format";
import { EntityLink, LinkContext } from "../links";
import { EdgeMark } from "../marks";
import { Text } from "../text";
import { Freshness_State } from "../v1/repoquarry/v1/basis_pb";
import { documentQuery, More } from "./rest";
import type { Completeness, GetOverviewResponse } from "../v1/repoquarry/v1/view_service_pb";

const MAX_DOCUMENTS = 6;

export function IndexState({ answer }: { answer: GetOverviewResponse }): JSX.Element {
  const repository = shortName(answer.entity?.repository ?? "");
  return (
    <aside class="scroll index-state" aria-label="Index">
      <section><h2>Index completeness</h2><CompletenessTable parts={answer.completeness} /></section>
      <section><Facts answer={answer} /></section>
      <section>
        <h2>Documents</h2>
        {answer.documents.length === 0 && <p class="s t2">No document is indexed.</p>}
        <ul class="facts">{answer.documents.slice(0, MAX_DOCUMENTS).map((document) => <li class="row s"><EntityLink entity={document} name={document.path || document.name} /></li>)}</ul>
        <More shown={MAX_DOCUMENTS} total={Number(answer.documentTotal)} noun="document" href={useContext(LinkContext).query(repository, documentQuery(repository))} />
      </section>
    </aside>
  );
}

function sites(part: Completeness, kind: CertaintyClass): number {
  return Number(part[kind === "one-of" ? "oneOf" : kind]);
}

function siteTotal(part: Completeness): number {
  return CERTAINTY_CLASSES.reduce((sum, kind) => sum + sites(part, kind), 0);
}

function CompletenessTable({ parts }: { parts: readonly Completeness[] }): JSX.Element {
  const counted = parts.filter((part) => siteTotal(part) > 0);
  if (counted.length === 0) return <p class="s t2">No call inside the repository is known.</p>;
  return (
    <>
      <p class="s t2">Calls inside the repository, by certainty of their targets.</p>
      {counted.map((part) => (
        <>
          <div class="row s"><span class="t2">{part.name}</span><span class="sp" /><span class="m t3">{count(siteTotal(part))}</span></div>
          <div class="stack" aria-hidden="true">{CERTAINTY_CLASSES.map((kind) => <i class={kind} style={{ width: `${(100 * sites(part, kind)) / siteTotal(part)}%` }} />)}</div>
        </>
      ))}
      <table class="shares s">
        <thead><tr><td />{counted.map((part) => <th colSpan={2} scope="col">{part.name}</th>)}</tr></thead>
        <tbody>
          {CERTAINTY_CLASSES.map((kind) => (
            <tr>
              <th scope="row"><EdgeMark kind={kind} /> {classWords(kind)}</th>
              {counted.map((part) => <><td class="m">{count(sites(part, kind))}</td><td class="m t3">{percent(sites(part, kind) / siteTotal(part)).replace("below", "<")}</td></>)}
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

function Facts({ answer }: { answer: GetOverviewResponse }): JSX.Element {
  const basis = answer.basis?.repositories[0];
  const isCurrent = basis?.freshness?.state === Freshness_State.CURRENT;
  const skipped = basis?.leftOutReasons.slice(0, 3).map((each) => `${count(each.count)} ${each.reason}`).join(", ") ?? "";
  const owners = answer.owners.map((owner) => `${owner.name} ${percent(owner.share)}`).join(", ");
  return (
    <dl class="index-facts s">
      <dt>State</dt><dd>{isCurrent ? "up to date" : basis?.freshness?.state === Freshness_State.STALE ? "out of date" : `unknown: ${basis?.freshness?.note ?? ""}`}</dd>
      <dt>Revision</dt><dd class="m">{(basis?.commit || basis?.revision || "").slice(0, 12)} {basis?.commit === "" && <span class="t3">no git</span>}</dd>
      <dt>Size</dt><dd>{counted(answer.files, "file")}, {counted(answer.lines, "line")}</dd>
      <dt>Skipped</dt><dd>{basis === undefined || basis.leftOutCount === 0n ? "none" : <>{counted(basis.leftOutCount, "file")} <span class="t3">{skipped}</span></>}</dd>
      <dt>Syntax errors</dt><dd>{basis === undefined || basis.parseErrorCount === 0n ? "none" : <>{counted(basis.parseErrorCount, "file")} <span class="t3">read as far as possible</span></>}</dd>
      <dt>Unresolved</dt><dd>{counted(basis?.unresolvedCalls?.total ?? 0n, "call")}</dd>
      <dt>Owners</dt><dd>{owners !== "" ? <Text text={owners} /> : <span class="t3">unknown: {answer.historyMissing || "no git history"}</span>}</dd>
    </dl>
  );
}
