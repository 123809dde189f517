// Source text with its coloring, folded docstrings and marked calls. Rows are 17 px high, so places follow from line numbers.
import type { JSX } from "preact";
import { certaintyClass, type CertaintyClass } from "./format";
import { Text } from "./text";
import { TokenKind, type CallSite, type SourceLine } from "./v1/repoquarry/v1/view_service_pb";

export const LINE_HEIGHT = 17;
const MIN_FOLDED_LINES = 4;
const QUOTES = /^[rRbBuUfF]{0,2}("""|''')/;

/** Line that is shown; `folded` lines follow that are not. */
export interface ShownLine {
  readonly number: number;
  readonly line: SourceLine;
  readonly folded: number;
}

/** Return the lines with docstrings of more than three lines folded, except those in `opened`. */
export function foldDocstrings(lines: readonly SourceLine[], opened: ReadonlySet<number>): ShownLine[] {
  const shown: ShownLine[] = [];
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index];
    if (line === undefined) break;
    const length = docstringLength(lines, index);
    const isFolded = length >= MIN_FOLDED_LINES && !opened.has(Number(line.number));
    shown.push({ number: Number(line.number), line, folded: isFolded ? length : 0 });
    if (isFolded) index += length - 1;
  }
  return shown;
}

/** Return the number of lines of the docstring that begins on a line; 0 where none begins. */
function docstringLength(lines: readonly SourceLine[], start: number): number {
  const quote = QUOTES.exec(lines[start]?.text.trimStart() ?? "")?.[1];
  if (quote === undefined || !isString(lines[start])) return 0;
  let end = start;
  let text = (lines[start]?.text ?? "").replace(quote, "");
  while (!text.includes(quote)) {
    end += 1;
    const next = lines[end];
    if (next === undefined || (next.text.trim() !== "" && !isString(next))) return 0;
    text = next.text;
  }
  return end - start + 1;
}

function isString(line: SourceLine | undefined): boolean {
  return line?.spans[0]?.kind === TokenKind.STRING;
}

/** Return the indentation that all lines share. */
export function commonIndentation(lines: readonly SourceLine[]): number {
  const indents = lines.filter((line) => line.text.trim() !== "").map((line) => line.text.length - line.text.trimStart().length);
  return indents.length === 0 ? 0 : Math.min(...indents);
}

/** Return the class of a call: that of its first target. */
export function callClass(call: CallSite): CertaintyClass {
  const [first] = call.targets;
  if (first !== undefined) return certaintyClass(first.certainty);
  return call.unresolved === undefined ? "possible" : "unresolved";
}

interface Segment {
  readonly text: string;
  readonly kind: TokenKind;
  readonly call: CertaintyClass | null;
}

/** Split a line at the borders of its spans and called names. */
function segments(line: SourceLine, calls: readonly CallSite[], indentation: number): Segment[] {
  const characters = Array.from(line.text);
  const borders = new Set([indentation, characters.length]);
  for (const span of line.spans) borders.add(span.start).add(span.end);
  for (const call of calls) if (call.column >= 0) borders.add(call.column).add(call.endColumn);
  const points = [...borders].filter((point) => point >= indentation && point <= characters.length).sort((a, b) => a - b);
  return points.slice(0, -1).map((start, index) => {
    const span = line.spans.find((each) => each.start <= start && start < each.end);
    const call = calls.find((each) => each.column <= start && start < each.endColumn);
    const text = characters.slice(start, points[index + 1]).join("");
    return { text, kind: span?.kind ?? TokenKind.UNSPECIFIED, call: call === undefined ? null : callClass(call) };
  });
}

const TOKEN_CLASSES: Readonly<Record<TokenKind, string>> = {
  [TokenKind.UNSPECIFIED]: "",
  [TokenKind.KEYWORD]: "k",
  [TokenKind.STRING]: "st",
  [TokenKind.COMMENT]: "c",
  [TokenKind.NUMBER]: "",
  [TokenKind.DEFINITION]: "d",
};

function SegmentText({ segment }: { segment: Segment }): JSX.Element {
  const name = TOKEN_CLASSES[segment.kind];
  if (segment.call !== null) return <u class={segment.call}><Text text={segment.text} /></u>;
  return name === "" ? <Text text={segment.text} /> : <span class={name}><Text text={segment.text} /></span>;
}

interface SourceRowsProps {
  lines: readonly ShownLine[];
  calls: readonly CallSite[];
  /** Line that is tinted; 0 for none. */
  current: number;
  /** Indentation that is left out; defaults to that which all lines share. */
  indentation?: number;
  onUnfold: (line: number) => void;
}

/** Rows of source. A dotted leader runs from a line with listed calls to the border. */
export function SourceRows({ lines, calls, current, indentation = commonIndentation(lines.map((shown) => shown.line)), onUnfold }: SourceRowsProps): JSX.Element {
  const callsByLine = groupByLine(calls);
  return (
    <ol class="src">
      {lines.map((shown) => {
        const own = callsByLine.get(shown.number) ?? [];
        const name = [shown.number === current ? "current" : "", own.length > 0 ? "hit" : ""].join(" ").trim();
        return (
          <li key={shown.number} class={name} title={shown.line.text.length > 90 ? shown.line.text.trim() : undefined}>
            <i>{shown.number}</i>
            {shown.folded > 0 ? <Fold shown={shown} indentation={indentation} onUnfold={onUnfold} /> : (
              <span class="code">{segments(shown.line, own, indentation).map((segment) => <SegmentText segment={segment} />)}</span>
            )}
            {own.length > 0 && <span class="leader" />}
          </li>
        );
      })}
    </ol>
  );
}

function Fold({ shown, indentation, onUnfold }: { shown: ShownLine; indentation: number; onUnfold: (line: number) => void }): JSX.Element {
  const margin = " ".repeat(Math.max(0, shown.line.text.length - shown.line.text.trimStart().length - indentation));
  return (
    <span class="code">
      {margin}
      <button class="fold" onClick={() => onUnfold(shown.number)}>▸ docstring, {shown.folded} lines</button>
    </span>
  );
}

export function groupByLine(calls: readonly CallSite[]): Map<number, CallSite[]> {
  const grouped = new Map<number, CallSite[]>();
  for (const call of calls) {
    const line = Number(call.line);
    const own = grouped.get(line);
    if (own === undefined) grouped.set(line, [call]);
    else own.push(call);
  }
  return grouped;
}
