// Calls column: targets at the height of their call lines, and the edges that lead there.
import type { JSX } from "preact";
import { baseName, confidence, count, counted, displayName, place, reasonSentence, reasonWords } from "../format";
import { EntityLink } from "../links";
import { moveInList } from "../lists";
import { EdgeCertainty, EndMark, edgeWords } from "../marks";
import { Spoken, Text } from "../text";
import type { CallSite } from "../v1/repoquarry/v1/view_service_pb";
import { TARGET_HEIGHT, type CallGroup, type TargetRow } from "./call_layout";

export function CallTargets({ groups, external, height }: { groups: readonly CallGroup[]; external: bigint; height: number }): JSX.Element {
  return (
    <section class="calls" aria-label="Calls">
      <div class="column-head"><h2>Calls</h2><span class="t3 el" title="Targets stand at the height of their call lines.">at their lines</span><span class="sp" />{external > 0n && <span class="t3">{count(external)} built-in or external</span>}</div>
      <ul role="tree" aria-label="Calls" style={{ height: `${height}px` }} onKeyDown={moveInList} data-column="3">
        {groups.map((group, index) => <Group group={group} isFirst={index === 0} />)}
      </ul>
    </section>
  );
}

function Group({ group, isFirst }: { group: CallGroup; isFirst: boolean }): JSX.Element {
  const isUnresolved = group.rows.every((row) => row.kind === "unresolved");
  const style = { top: `${group.y}px`, height: `${group.rows.length * TARGET_HEIGHT}px` };
  return (
    <li class={isUnresolved ? "target-group open" : "target-group"} role="none" style={style}>
      {group.rows.map((row, index) => <Target row={row} call={group.call} tab={isFirst && index === 0 ? 0 : -1} />)}
    </li>
  );
}

function Target({ row, call, tab }: { row: TargetRow; call: CallSite; tab: number }): JSX.Element {
  const item = { role: "treeitem" as const, "data-row": true, tabIndex: tab, class: "target" };
  if (row.kind === "unresolved") {
    const reason = reasonWords(call.unresolved?.reason ?? "");
    const words = `${call.unresolved?.name ?? ""} on line ${call.line}, unresolved, ${reason}`;
    return <div {...item} title={`${words}. ${reasonSentence(reason)}`}><span class="m name t2 el"><Text text={call.unresolved?.name ?? ""} /></span><Spoken text={` on line ${call.line}, unresolved, `} /><span class="where el">{reason}</span><span class="p t3">?</span></div>;
  }
  if (row.kind === "folded") {
    const folded = call.folded;
    const words = `${counted(folded?.count ?? 0n, "more target")} may run instead: ${folded?.names.join(", ") ?? ""}`;
    return <div {...item} title={words}><span class="el"><b>{counted(folded?.count ?? 0n, "override")}</b> may run instead</span><Spoken text={`: ${folded?.names.join(", ") ?? ""}`} /><span class="sp" /><span class="p one-of">{confidence(Math.min(folded?.confidence ?? 0, 0.99))}</span></div>;
  }
  const entity = row.target.entity;
  if (entity === undefined) return <></>;
  const words = `${displayName(entity)}, ${place(entity)}, called on line ${call.line}, ${edgeWords(row.target)}`;
  return (
    <div {...item} title={words}>
      <EntityLink entity={entity} class="name" tabIndex={-1} />
      <Spoken text={`, called on line ${call.line}, `} />
      <span class="where el">{baseName(place(entity))}</span>
      <EdgeCertainty edge={row.target} />
    </div>
  );
}

/** Edges from the border of the source to the targets. */
export function CallEdges({ groups, height }: { groups: readonly CallGroup[]; height: number }): JSX.Element {
  return (
    <svg class="call-edges" width="40" height={height} aria-hidden="true">
      {groups.flatMap((group) => group.rows.map((row, index) => {
        const y = group.y + (index + 0.5) * TARGET_HEIGHT;
        return (
          <g class={row.certainty}>
            <path class="ln" d={`M1 ${group.lineY}C19 ${group.lineY} 15 ${y} 32 ${y}`} />
            <EndMark kind={row.certainty} x={32} y={y} />
          </g>
        );
      }))}
    </svg>
  );
}
