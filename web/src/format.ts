// Formatting of the fields of messages. Every view says a number, a place or a certainty through this module.
import type { Timestamp } from "@bufbuild/protobuf/wkt";
import type { Entity } from "./v1/repoquarry/v1/entities_pb";
import { Certainty } from "./v1/repoquarry/v1/view_service_pb";

export type CertaintyClass = "sure" | "one-of" | "declared" | "possible" | "unresolved";

export const CERTAINTY_CLASSES: readonly CertaintyClass[] = ["sure", "one-of", "declared", "possible", "unresolved"];

const CLASS_OF: Readonly<Record<Certainty, CertaintyClass>> = {
  [Certainty.UNSPECIFIED]: "possible", [Certainty.SURE]: "sure", [Certainty.ONE_OF]: "one-of", [Certainty.DECLARED]: "declared", [Certainty.POSSIBLE]: "possible",
};

export function certaintyClass(certainty: Certainty): CertaintyClass {
  return CLASS_OF[certainty];
}

/** Return the words for edges of a class. */
export function classWords(kind: CertaintyClass): string {
  return kind === "one-of" ? "one of several" : kind;
}

/** Return a confidence with two digits and without leading zero; "1" only where it is certain. */
export function confidence(value: number): string {
  if (value >= 1) return "1";
  return Math.min(Math.max(value, 0.01), 0.99).toFixed(2).slice(1);
}

export function count(value: bigint | number): string {
  return Number(value).toLocaleString("en-US");
}

/** Return a count with its noun; `plural` where the noun has no regular plural. */
export function counted(value: bigint | number, noun: string, plural = noun + "s"): string {
  return `${count(value)} ${Number(value) === 1 ? noun : plural}`;
}

export function percent(share: number): string {
  if (share > 0 && share < 0.01) return "below 1 %";
  return `${Math.round(share * 100)} %`;
}

export function seconds(value: number): string {
  return value < 1 ? `${value.toFixed(2)} s` : `${value < 100 ? value.toFixed(1) : count(Math.round(value))} s`;
}

export function bytes(value: bigint): string {
  const size = Number(value);
  if (size < 1000) return `${size} B`;
  return size < 1e6 ? `${(size / 1e3).toFixed(1)} kB` : `${(size / 1e6).toFixed(1)} MB`;
}

/** Return the last part of a resource name: `django` of `repositories/django`. */
export function shortName(resource: string): string {
  return resource.slice(resource.lastIndexOf("/") + 1);
}

export function baseName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

export function displayName(entity: Entity): string {
  return entity.qualname || entity.path || entity.name || entity.id;
}

/** Return the word for the badge of an entity. */
export function kindWord(entity: Entity): string {
  if (entity.label === "File" || entity.label === "Module") return "file";
  return (entity.kind || entity.label || "name").toLowerCase();
}

/** Return the last two parts of a path with a line. */
export function place(entity: Entity): string {
  const path = entity.path.split("/").slice(-2).join("/");
  return entity.startLine > 0n ? `${path}:${entity.startLine}` : path;
}

export function lineRange(entity: Entity): string {
  if (entity.startLine === 0n) return entity.path;
  const end = entity.endLine > entity.startLine ? `–${entity.endLine}` : "";
  return `${entity.path}:${entity.startLine}${end}`;
}

/** Return lines as `1538, 1542`, at most three. */
export function lineList(lines: readonly bigint[]): string {
  const more = lines.length > 3 ? ", …" : "";
  return lines.slice(0, 3).join(", ") + more;
}

const REASONS: Readonly<Record<string, string>> = {
  "unknown receiver": "The class of the object before the call is unknown.",
  "dynamic attribute": "The attribute belongs to an object that is known only at run time.",
  "outside the repository": "The receiver comes from external code.",
  "unknown value": "The origin of the called value is unknown.",
  "unknown name": "No definition or import has this name here.",
  "many targets": "The number of targets is above the limit.",
  budget: "The analysis reached its limit here.",
};

/** Return the sentence that explains a reason; empty for a reason without one. */
export function reasonSentence(reason: string): string {
  return REASONS[reason.replaceAll("_", " ")] ?? "";
}

export function reasonWords(reason: string): string {
  return reason.replaceAll("_", " ");
}

export function milliseconds(time: Timestamp | undefined): number {
  return time === undefined ? 0 : Number(time.seconds) * 1000 + Math.floor(time.nanos / 1e6);
}

/** Return a date such as `28 October 2024`. */
export function date(time: Timestamp | undefined): string {
  if (time === undefined) return "";
  const options: Intl.DateTimeFormatOptions = { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" };
  return new Date(milliseconds(time)).toLocaleDateString("en-GB", options);
}

export function clock(time: Timestamp | undefined): string {
  return time === undefined ? "" : new Date(milliseconds(time)).toLocaleTimeString("en-GB");
}

/** Return the first sentence and what follows it. */
export function splitSentence(text: string): [string, string] {
  const paragraph = text.split(/\n\s*\n/, 1)[0]?.replace(/\s+/g, " ").trim() ?? "";
  const end = paragraph.search(/[.!?](\s|$)/);
  return end < 0 ? [paragraph, ""] : [paragraph.slice(0, end + 1), paragraph.slice(end + 1).trim()];
}
