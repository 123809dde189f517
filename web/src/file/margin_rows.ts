// Places of margin rows: at their line, at most two rows a line, never over each other.
import { LINE_HEIGHT, type ShownLine } from "../source";

const MAX_ROWS = 2;

export interface MarginRow<T> {
  readonly y: number;
  readonly item: T;
}

export interface MarginGroup<T> {
  readonly line: number;
  readonly rows: readonly MarginRow<T>[];
  /** Rows that were left out. */
  readonly more: number;
}

/** Return the rows of each line that is shown; a row that would lie over another moves below it. */
export function layoutMargin<T>(lines: readonly ShownLine[], items: ReadonlyMap<number, readonly T[]>): MarginGroup<T>[] {
  const groups: MarginGroup<T>[] = [];
  let free = 0;
  lines.forEach((shown, index) => {
    const own = items.get(shown.number) ?? [];
    if (own.length === 0) return;
    const kept = own.length > MAX_ROWS ? own.slice(0, MAX_ROWS - 1) : own;
    const height = (kept.length + (own.length > kept.length ? 1 : 0)) * LINE_HEIGHT;
    const top = Math.max(index * LINE_HEIGHT, free);
    const rows = kept.map((item, row) => ({ y: top + row * LINE_HEIGHT, item }));
    groups.push({ line: shown.number, rows, more: own.length - kept.length });
    free = top + height;
  });
  return groups;
}
