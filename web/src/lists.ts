// Keyboard movement in lists and trees: one tab stop, arrow keys between rows.
import type { TargetedKeyboardEvent } from "preact";

const ROWS = "[data-row]";

function focusRow(rows: readonly HTMLElement[], index: number): void {
  const row = rows[Math.max(0, Math.min(index, rows.length - 1))];
  if (row === undefined) return;
  for (const other of rows) other.tabIndex = other === row ? 0 : -1;
  row.focus();
}

/** Handle a key of a list whose rows have `data-row`. A row's link opens by Enter, its button by the right and left arrow. */
export function moveInList(event: TargetedKeyboardEvent<HTMLElement>): void {
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  const rows = [...event.currentTarget.querySelectorAll<HTMLElement>(ROWS)];
  const current = event.target instanceof Element ? event.target.closest<HTMLElement>(ROWS) : null;
  const index = current === null ? -1 : rows.indexOf(current);
  switch (event.key) {
    case "ArrowDown": case "j": focusRow(rows, index + 1); break;
    case "ArrowUp": case "k": focusRow(rows, index - 1); break;
    case "Home": focusRow(rows, 0); break;
    case "End": focusRow(rows, rows.length - 1); break;
    case "ArrowRight": case "ArrowLeft": {
      const isOpen = current?.getAttribute("aria-expanded") === "true";
      if (current?.hasAttribute("aria-expanded") !== true || isOpen === (event.key === "ArrowRight")) return;
      current.querySelector("button")?.click();
      break;
    }
    case "Enter":
      if (event.target !== current) return;
      openLink(current, event.shiftKey);
      break;
    default: return;
  }
  event.preventDefault();
  event.stopPropagation();
}

function openLink(row: HTMLElement | null, inNewTab: boolean): void {
  const link = row?.querySelector("a");
  if (link !== null && link !== undefined && inNewTab) window.open(link.href, "_blank", "noopener");
  else (link ?? row?.querySelector("button"))?.click();
}
