// Rows of a file that are in view: only these are in the document, so that a file of 20,000 lines scrolls like a short one.
import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useState } from "preact/hooks";
import { LINE_HEIGHT } from "../source";

const MARGIN_ROWS = 30;
/** The rows in the document change in steps, not with each pixel. */
const STEP_ROWS = 15;
const FIRST_ROWS = 120;
const PAUSE_MILLISECONDS = 60;

export interface RowRange {
  readonly first: number;
  /** Index behind the last row. */
  readonly end: number;
}

/** Return the rows in view and some around them; `start` is the row that stands at one third of the height at first, -1 for none. */
export function useVisibleRows(scroller: RefObject<HTMLElement | null>, total: number, start: number, headHeight: number): RowRange {
  const [range, setRange] = useState<RowRange>({ first: Math.max(0, start - FIRST_ROWS), end: start + FIRST_ROWS });
  const measure = (): void => {
    const element = scroller.current;
    if (element === null) return;
    const top = Math.floor((element.scrollTop - headHeight) / LINE_HEIGHT / STEP_ROWS) * STEP_ROWS;
    const first = Math.max(0, top - MARGIN_ROWS);
    const end = top + Math.ceil(element.clientHeight / LINE_HEIGHT) + STEP_ROWS + MARGIN_ROWS;
    setRange((held) => (held.first === first && held.end === end ? held : { first, end }));
  };
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element !== null && start >= 0) element.scrollTop = Math.max(0, start * LINE_HEIGHT + headHeight - element.clientHeight / 3);
    measure();
  }, [start]);
  useEffect(() => {
    const element = scroller.current;
    element?.addEventListener("scroll", measure, { passive: true });
    addEventListener("resize", measure);
    return () => {
      element?.removeEventListener("scroll", measure);
      removeEventListener("resize", measure);
    };
  }, []);
  return { first: Math.min(range.first, Math.max(0, total - 1)), end: Math.min(range.end, total) };
}

/** Report the rows in view once scrolling pauses: what flies past is not loaded. */
export function useRestingRows(range: RowRange, onRest: (range: RowRange) => void): void {
  useEffect(() => {
    const timer = setTimeout(() => onRest(range), PAUSE_MILLISECONDS);
    return () => clearTimeout(timer);
  }, [range.first, range.end]);
}
