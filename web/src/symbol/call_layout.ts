// Places of call targets: at the height of their line, or directly below the targets of the line before.
import { certaintyClass, type CertaintyClass } from "../format";
import { LINE_HEIGHT, type ShownLine } from "../source";
import type { CallSite, Neighbor } from "../v1/repoquarry/v1/view_service_pb";

export const TARGET_HEIGHT = 24;
const GROUP_GAP = 6;

export type TargetRow =
  | { readonly kind: "target"; readonly target: Neighbor; readonly certainty: CertaintyClass }
  | { readonly kind: "folded"; readonly certainty: CertaintyClass }
  | { readonly kind: "unresolved"; readonly certainty: CertaintyClass };

/** Targets of one call: its line's middle, its top and its rows. */
export interface CallGroup {
  readonly call: CallSite;
  readonly lineY: number;
  readonly y: number;
  readonly rows: readonly TargetRow[];
}

function rowsOf(call: CallSite, hidden: ReadonlySet<CertaintyClass>): TargetRow[] {
  const rows: TargetRow[] = call.targets.map((target) => ({ kind: "target", target, certainty: certaintyClass(target.certainty) }));
  if (call.folded !== undefined && call.folded.count > 0n) rows.splice(1, 0, { kind: "folded", certainty: "one-of" });
  if (call.unresolved !== undefined) rows.push({ kind: "unresolved", certainty: "unresolved" });
  return rows.filter((row) => !hidden.has(row.certainty));
}

/** Return the groups of the shown lines and the height that they need. */
export function layoutCalls(lines: readonly ShownLine[], calls: readonly CallSite[], hidden: ReadonlySet<CertaintyClass>): [CallGroup[], number] {
  const indexByLine = new Map(lines.map((shown, index) => [shown.number, index]));
  const groups: CallGroup[] = [];
  let bottom = -TARGET_HEIGHT;
  for (const call of calls) {
    const index = indexByLine.get(Number(call.line));
    const rows = rowsOf(call, hidden);
    if (index === undefined || rows.length === 0) continue;
    const lineY = index * LINE_HEIGHT + LINE_HEIGHT / 2;
    const y = Math.max(lineY - TARGET_HEIGHT / 2, bottom + GROUP_GAP, 0);
    groups.push({ call, lineY, y, rows });
    bottom = y + rows.length * TARGET_HEIGHT;
  }
  return [groups, Math.max(bottom + GROUP_GAP, 0)];
}
