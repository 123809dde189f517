// Rows of the caller list in the order in which they are drawn. The list and its edges are both made from these rows.
import { baseName, type CertaintyClass, certaintyClass } from "../format";
import { GroupKind, type Neighbor, type NeighborGroup, type Neighbors } from "../v1/repoquarry/v1/view_service_pb";

export const ROW_HEIGHT = 24;
const GROUP_GAP = 6;
/** Height of the trunk's corner, which would cover the edge of a first row without heading. */
const TRUNK_CORNER = 12;

export type CallerRow =
  | { readonly kind: "heading"; readonly y: number; readonly group: NeighborGroup }
  | { readonly kind: "folded"; readonly y: number; readonly group: NeighborGroup; readonly isOpen: boolean; readonly largest: number }
  | { readonly kind: "caller"; readonly y: number; readonly neighbor: Neighbor; readonly depth: number; readonly isOpen: boolean }
  | { readonly kind: "note"; readonly y: number; readonly text: string; readonly depth: number };

/** What is opened on one side: callers of callers by id, and rows of folded groups by key. */
export interface OpenedHops {
  readonly hops: ReadonlyMap<string, readonly Neighbor[]>;
  readonly groups: ReadonlyMap<string, readonly Neighbor[]>;
}

class RowBuilder {
  readonly rows: CallerRow[] = [];
  y = 0;

  constructor(
    private readonly opened: OpenedHops,
    private readonly hidden: ReadonlySet<CertaintyClass>,
  ) {}

  addGroup(group: NeighborGroup, largest: number): void {
    const rows = this.opened.groups.get(group.key);
    const isFolded = group.kind !== GroupKind.FILE || group.rows.length === 0;
    const previous = this.rows.at(-1);
    if (previous !== undefined && !(isFolded && previous.kind === "folded")) this.y += GROUP_GAP;
    if (isFolded) {
      if (previous === undefined) this.y = TRUNK_CORNER;
      this.rows.push({ kind: "folded", y: this.y, group, isOpen: rows !== undefined, largest });
      this.y += ROW_HEIGHT;
      for (const neighbor of rows ?? []) this.addCaller(neighbor, 1, new Set());
      return;
    }
    this.rows.push({ kind: "heading", y: this.y, group });
    this.y += 20;
    for (const neighbor of group.rows) this.addCaller(neighbor, 0, new Set());
  }

  private addCaller(neighbor: Neighbor, depth: number, path: ReadonlySet<string>): void {
    if (this.hidden.has(certaintyClass(neighbor.certainty))) return;
    const id = neighbor.entity?.id ?? "";
    const hops = path.has(id) ? undefined : this.opened.hops.get(id);
    this.rows.push({ kind: "caller", y: this.y, neighbor, depth, isOpen: hops !== undefined });
    this.y += ROW_HEIGHT;
    for (const hop of hops ?? []) this.addCaller(hop, depth + 1, new Set([...path, id]));
    if (hops?.length === 0) {
      this.rows.push({ kind: "note", y: this.y, text: "No caller is known.", depth: depth + 1 });
      this.y += ROW_HEIGHT;
    }
  }
}

/** Return the rows and their height together. */
export function layoutCallers(callers: Neighbors, opened: OpenedHops, hidden: ReadonlySet<CertaintyClass>): [CallerRow[], number] {
  const builder = new RowBuilder(opened, hidden);
  const largest = Math.max(1, ...callers.groups.map((group) => Number(group.neighbors)));
  for (const group of callers.groups) builder.addGroup(group, largest);
  return [builder.rows, builder.y];
}

/** Return the name of a folded group. */
export function groupName(group: NeighborGroup): string {
  if (group.kind !== GroupKind.TESTS) return group.key;
  const files = new Set(group.rows.map((row) => row.entity?.path ?? ""));
  const [only = ""] = files;
  return files.size === 1 ? `in ${baseName(only)}` : files.size > 1 ? `in ${files.size} files` : "";
}
