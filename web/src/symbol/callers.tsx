// Caller list with its edges into the definition line.
import type { JSX } from "preact";
import { certaintyClass, confidence, count, counted, displayName, lineList, type CertaintyClass } from "../format";
import { EntityLink } from "../links";
import { moveInList } from "../lists";
import { EdgeCertainty, edgeWords } from "../marks";
import { Spoken, Text } from "../text";
import { GroupKind, type GetSymbolResponse, type Neighbor } from "../v1/repoquarry/v1/view_service_pb";
import { groupName, layoutCallers, ROW_HEIGHT, type CallerRow, type OpenedHops } from "./caller_rows";
import { UnresolvedBox } from "./unresolved";

export interface CallerActions {
  readonly onHop: (neighbor: Neighbor) => void;
  readonly onGroup: (key: string) => void;
}

interface CallersProps extends CallerActions {
  answer: GetSymbolResponse;
  opened: OpenedHops;
  hidden: ReadonlySet<CertaintyClass>;
}

export function Callers({ answer, opened, hidden, onHop, onGroup }: CallersProps): JSX.Element {
  const unresolved = answer.unresolved;
  const known = Number(answer.figures?.callers ?? 0);
  const comesFirst = unresolved !== undefined && Number(unresolved.total) > Math.max(known, 10);
  const box = unresolved !== undefined && unresolved.total > 0n && !hidden.has("unresolved")
    ? <UnresolvedBox group={unresolved} name={answer.entity?.name ?? ""} reportsSum={comesFirst} /> : null;
  const [rows, height] = answer.callers === undefined ? [[], 0] : layoutCallers(answer.callers, opened, hidden);
  const [first] = answer.callers?.groups ?? [];
  const cut = answer.callers?.cut;
  return (
    <section class="callers" aria-label="Callers">
      <div class="column-head"><h2>Callers</h2><span class="sp" /><span class="t3">{first?.kind === GroupKind.FOLDER ? "by folder" : "by file"}</span></div>
      <div class="scroll" data-column="1">
        {rows.length > 0 && <TrunkHead />}
        {comesFirst && box}
        {rows.length === 0 && <NoCaller answer={answer} />}
        {rows.length > 0 && (
          <div class="caller-area">
            <ul role="tree" aria-label="Callers" style={{ height: `${height}px` }} onKeyDown={moveInList}>
              {rows.map((row, index) => <Row row={row} isFirst={index === 0} onHop={onHop} onGroup={onGroup} />)}
            </ul>
            <CallerEdges rows={rows} height={height} />
          </div>
        )}
        {cut !== undefined && cut.shown < cut.total && <p class="cut s t3">{count(cut.shown)} of {count(cut.total)} callers: {cut.rule}.</p>}
        {!comesFirst && box}
        <OtherRepositories answer={answer} />
      </div>
    </section>
  );
}

function NoCaller({ answer }: { answer: GetSymbolResponse }): JSX.Element {
  const hasUse = (answer.unresolved?.total ?? 0n) > 0n || answer.overrides.length > 0 || answer.overriddenBy.length > 0
    || answer.references.length > 0 || answer.entryPoints.length > 0;
  if (!hasUse) return <p class="s b">No use in this repository.</p>;
  return <p class="s t2"><b>No caller is known.</b> This does not mean unused.</p>;
}

function OtherRepositories({ answer }: { answer: GetSymbolResponse }): JSX.Element | null {
  const groups = answer.otherRepositories?.groups ?? [];
  if (groups.length === 0) return null;
  return (
    <div class="others">
      {groups.map((group) => (
        <>
          <p class="file-head el"><b>{group.key.replace("repositories/", "")}</b>, {counted(group.neighbors, "caller")}</p>
          {group.rows.map((row) => row.entity !== undefined && (
            <div class="caller"><EntityLink entity={row.entity} class="name" /><span class="lines">:{lineList(row.lines)}</span><EdgeCertainty edge={row} /></div>
          ))}
        </>
      ))}
    </div>
  );
}

type RowProps = CallerActions & { row: CallerRow; isFirst: boolean };

function Row({ row, isFirst, onHop, onGroup }: RowProps): JSX.Element {
  const place = { top: `${row.y}px` };
  const tab = isFirst ? 0 : -1;
  if (row.kind === "heading") return <li class="file-head el" role="treeitem" aria-level={1} aria-expanded="true" data-row tabIndex={tab} style={place} title={row.group.key}><Text text={row.group.key} /></li>;
  if (row.kind === "note") return <li class="note t3 s" role="treeitem" aria-level={row.depth + 2} style={{ ...place, paddingLeft: `${20 + row.depth * 18}px` }}>{row.text}</li>;
  if (row.kind === "folded") return <FoldedGroup row={row} tab={tab} onGroup={onGroup} />;
  const { neighbor, depth, isOpen } = row;
  const entity = neighbor.entity;
  if (entity === undefined) return <></>;
  const name = displayName(entity);
  const words = `${name}, ${entity.path}, calls it on line ${lineList(neighbor.lines)}, ${edgeWords(neighbor)}`;
  return (
    <li class="caller" role="treeitem" aria-level={depth + 2} aria-expanded={isOpen} title={words} data-row tabIndex={tab} style={{ ...place, paddingLeft: `${depth * 18}px` }}>
      <button class="hop" tabIndex={-1} aria-hidden="true" title={`Callers of ${name}`} onClick={() => onHop(neighbor)}>{isOpen ? "⌄" : "‹"}</button>
      <EntityLink entity={entity} class="name" tabIndex={-1} />
      <Spoken text={`, ${entity.path}, calls it on line`} /><span class="lines">:{lineList(neighbor.lines)}</span>
      <EdgeCertainty edge={neighbor} />
    </li>
  );
}

function FoldedGroup({ row, tab, onGroup }: { row: CallerRow & { kind: "folded" }; tab: number; onGroup: (key: string) => void }): JSX.Element {
  const { group, isOpen } = row;
  const isTests = group.kind === GroupKind.TESTS;
  const best = Math.max(0, ...group.rows.map((each) => each.confidence));
  return (
    <li class="folded" role="treeitem" aria-level={1} aria-expanded={isOpen} data-row tabIndex={tab} style={{ top: `${row.y}px` }}>
      <button class="plain el" tabIndex={-1} onClick={() => onGroup(group.key)}>
        <span class="t3" aria-hidden="true">{isOpen ? "▾" : "▸"}</span>
        {isTests ? <><b>Tests</b> <span class="t3">{counted(group.neighbors, "caller")} {groupName(group)}</span></> : <span class="m el"><Text text={group.key} /></span>}
      </button>
      {isTests ? best > 0 && <span class="p t3">{confidence(best)}</span> : (
        <><span class="bar"><i style={{ width: `${(100 * Number(group.neighbors)) / row.largest}%` }} /></span><span class="m number">{count(group.neighbors)}<Spoken text={Number(group.neighbors) === 1 ? " caller" : " callers"} /></span></>
      )}
    </li>
  );
}

/** Corner of the trunk and its arrow into the definition line; it stays there while the list scrolls. */
function TrunkHead(): JSX.Element {
  return (
    <div class="trunk-head" aria-hidden="true">
      <svg width="40" height="20"><rect class="trunk-cover" width="40" height="16" /><path class="trunk" d="M18 20V14Q18 8 25 8H31" /><path class="trunk-end" d="M30 4l7 4-7 4z" /></svg>
    </div>
  );
}

/** Edge stubs into a trunk that ends at the definition line. */
function CallerEdges({ rows, height }: { rows: readonly CallerRow[]; height: number }): JSX.Element {
  const stubs = rows.flatMap((row) => {
    const y = row.y + ROW_HEIGHT / 2;
    if (row.kind === "caller" && row.depth === 0) return [{ y, kind: certaintyClass(row.neighbor.certainty) }];
    const [sure] = row.kind === "folded" ? [...row.group.rows].sort((a, b) => b.confidence - a.confidence) : [];
    return row.kind === "folded" ? [{ y, kind: sure === undefined ? "sure" as const : certaintyClass(sure.certainty) }] : [];
  });
  const last = stubs.at(-1)?.y ?? 0;
  return (
    <svg class="caller-edges" width="40" height={height + 4} aria-hidden="true">
      <path class="trunk" d={`M18 ${last}V-5000`} />
      {stubs.map((stub) => <g class={stub.kind}><path class="ln" d={`M2 ${stub.y}H18`} /></g>)}
    </svg>
  );
}
