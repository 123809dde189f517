// Marks of certainty and change: line, end mark and number together, the same in every view.
import type { JSX } from "preact";
import { certaintyClass, confidence, type CertaintyClass } from "./format";
import { Spoken } from "./text";
import { Certainty } from "./v1/repoquarry/v1/view_service_pb";

/** Short edge of one class for legends and margins. */
export function EdgeMark({ kind, width = 26 }: { kind: CertaintyClass; width?: number }): JSX.Element {
  return (
    <svg class={kind} width={width} height="12" viewBox={`0 0 ${width} 12`} aria-hidden="true">
      <path class="ln" d={`M1 6H${width - 7}`} />
      <EndMark kind={kind} x={width - 7} y={6} />
    </svg>
  );
}

/** Mark at the end of an edge, its left side at `x`. */
export function EndMark({ kind, x, y }: { kind: CertaintyClass; x: number; y: number }): JSX.Element {
  if (kind === "possible") return <circle cx={x + 3} cy={y} r="2.8" fill="currentColor" />;
  if (kind === "unresolved") return <circle class="hollow" cx={x + 3} cy={y} r="2.6" stroke="currentColor" stroke-width="1.2" />;
  const arrow = `M${x} ${y - 3.5}l6 3.5-6 3.5z`;
  if (kind === "sure" || kind === "one-of") return <path d={arrow} fill="currentColor" />;
  return <path class="hollow" d={arrow} stroke="currentColor" stroke-width="1.2" />;
}

/** What every message of an edge says about its certainty. */
export interface Edge {
  readonly certainty: Certainty;
  readonly confidence: number;
  /** Targets of the call site. */
  readonly targets: bigint;
}

/** Certainty of an edge in the color of its class: `sure`, `1 of 4`, `declared`, or the number of a guess. */
export function EdgeCertainty({ edge }: { edge: Edge }): JSX.Element {
  return <span class={`p ${certaintyClass(edge.certainty)}`} title={edgeWords(edge)}>{shortWords(edge)}<Spoken text={spokenShare(edge)} /></span>;
}

/** Return the shortest words for the certainty of an edge. */
export function shortWords({ certainty, confidence: value, targets }: Edge): string {
  if (certainty === Certainty.ONE_OF && targets > 1n) return `1 of ${targets}`;
  return certainty === Certainty.SURE || certainty === Certainty.DECLARED ? certaintyClass(certainty) : confidence(value);
}

/** Return what completes the short words: the confidence in percent, and what a lone number is. */
function spokenShare({ certainty, confidence: value }: Edge): string {
  return certainty === Certainty.POSSIBLE || certainty === Certainty.UNSPECIFIED ? " possible" : `, ${Math.round(value * 100)} percent`;
}

/** Return the sentence of an edge for tooltips and screen readers. */
export function edgeWords({ certainty, confidence: value, targets }: Edge): string {
  const kind = certainty === Certainty.ONE_OF ? (targets > 1n ? `one of ${targets}` : "may run") : certaintyClass(certainty);
  return `${kind}, ${Math.round(value * 100)} percent`;
}

const SIGNS = { added: ["+", "add"], removed: ["−", "rem"], changed: ["~", "chg"], moved: ["→", "chg"] } as const;

export type ChangeSign = keyof typeof SIGNS;

/** Tinted square with the sign of a change. */
export function ChangeMark({ sign }: { sign: ChangeSign }): JSX.Element {
  const [text, name] = SIGNS[sign];
  return <span class={`g ${name}`} role="img" aria-label={sign}>{text}</span>;
}
