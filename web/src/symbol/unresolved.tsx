// Unresolved calls that may be callers: as a sentence, with their reasons.
import type { JSX } from "preact";
import { baseName, count, lineList, reasonSentence, reasonWords } from "../format";
import { EntityLink } from "../links";
import { EndMark } from "../marks";
import { Text } from "../text";
import type { Relation } from "../v1/repoquarry/v1/code_service_pb";
import type { UnresolvedGroup } from "../v1/repoquarry/v1/view_service_pb";

const MAX_TABLE_REASONS = 6;

export function UnresolvedBox({ group, name, reportsSum }: { group: UnresolvedGroup; name: string; reportsSum: boolean }): JSX.Element {
  const product = group.rows.filter((row) => row.entity?.isTest !== true);
  const tests = group.rows.length - product.length;
  const [first] = group.reasons;
  const total = Number(group.total);
  const title = reportsSum ? `${count(total)} unresolved calls of ${name}` : `${count(total)} unresolved ${total === 1 ? "call" : "calls"} may target it`;
  return (
    <div class="unresolved-box" role="group" aria-label={title}>
      <svg class="box-stub unresolved" width="20" height="12" aria-hidden="true"><path class="ln" d="M0 6H11" /><EndMark kind="unresolved" x={11} y={6} /></svg>
      <div class="row"><b class="el"><Text text={title} /></b><span class="sp" /><span class="p t3">?</span></div>
      {group.reasons.length === 1 && first !== undefined ? (
        <p class="s t2">Reason: <b>{reasonWords(first.reason)}</b>. {reasonSentence(first.reason)}</p>
      ) : group.reasons.slice(0, MAX_TABLE_REASONS).map((reason) => (
        <div class="row s reason" title={reasonSentence(reason.reason)}><span>{reasonWords(reason.reason)}</span><span class="sp" /><span class="m">{count(reason.count)}</span></div>
      ))}
      {reportsSum ? <FoldedSites rows={product} title={`${count(product.length)} of the places`} /> : <ul>{product.map((row) => <Site row={row} />)}</ul>}
      {tests > 0 && <FoldedSites rows={group.rows.filter((row) => row.entity?.isTest === true)} title={`${count(tests)} in tests`} />}
      {group.cut !== undefined && group.cut.shown < group.cut.total && <p class="s t3">{count(group.cut.shown)} of {count(group.cut.total)} places: {group.cut.rule}.</p>}
    </div>
  );
}

function FoldedSites({ rows, title }: { rows: readonly Relation[]; title: string }): JSX.Element {
  return (
    <details>
      <summary class="s">{title}</summary>
      <ul>{rows.map((row) => <Site row={row} />)}</ul>
    </details>
  );
}

function Site({ row }: { row: Relation }): JSX.Element | null {
  if (row.entity === undefined) return null;
  const lines = lineList(row.site?.lines ?? []);
  return (
    <li class="row site" title={`${row.entity.path}:${lines}`}>
      <EntityLink entity={row.entity} class="name" />
      <span class="sp" />
      <span class="m t3 el">{baseName(row.entity.path)}:{lines}</span>
    </li>
  );
}
