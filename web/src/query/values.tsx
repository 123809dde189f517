// Values of Cypher rows: as cells with links, as text for sorting and CSV, as plain JSON for JSONL.
import type { JSX } from "preact";
import { count, displayName, kindWord, place } from "../format";
import { EntityLink } from "../links";
import { Badge, Text } from "../text";
import { create } from "@bufbuild/protobuf";
import { EntitySchema, type Entity } from "../v1/repoquarry/v1/entities_pb";
import type { Node, Value } from "../v1/repoquarry/v1/values_pb";

export type PlainValue = null | boolean | number | string | PlainValue[] | { [name: string]: PlainValue };

/** Return a value as plain JSON. Integers beyond the exact range of numbers become text. */
export function plainValue(value: Value | undefined): PlainValue {
  const kind = value?.kind;
  switch (kind?.case) {
    case "booleanValue": case "floatValue": case "stringValue": return kind.value;
    case "integerValue": return Number.isSafeInteger(Number(kind.value)) ? Number(kind.value) : String(kind.value);
    case "listValue": return kind.value.values.map(plainValue);
    case "mapValue": return plainMap(kind.value.entries);
    case "nodeValue": return { id: kind.value.id, labels: [...kind.value.labels], properties: plainMap(kind.value.properties) };
    case "relationshipValue": return { type: kind.value.type, start: kind.value.startId, end: kind.value.endId, properties: plainMap(kind.value.properties) };
    case "pathValue": return { nodes: kind.value.nodes.map((node) => node.id), relationships: kind.value.relationships.map((each) => each.type) };
    default: return null;
  }
}

function plainMap(entries: Readonly<Record<string, Value>>): { [name: string]: PlainValue } {
  return Object.fromEntries(Object.entries(entries).map(([name, value]) => [name, plainValue(value)]));
}

/** Return a value as one line of text. */
export function valueText(value: Value | undefined): string {
  const kind = value?.kind;
  if (kind?.case === "nodeValue") return displayName(nodeEntity(kind.value));
  if (kind?.case === "listValue") return kind.value.values.map(valueText).join(", ");
  const plain = plainValue(value);
  if (plain === null) return "";
  return typeof plain === "object" ? JSON.stringify(plain) : String(plain);
}

export function isNumber(value: Value | undefined): boolean {
  return value?.kind.case === "integerValue" || value?.kind.case === "floatValue";
}

/** Return the entity of a node, to show and open it. */
export function nodeEntity(node: Node): Entity {
  const text = (name: string): string => {
    const value = plainValue(node.properties[name]);
    return typeof value === "string" ? value : "";
  };
  const line = (name: string): bigint => {
    const kind = node.properties[name]?.kind;
    return kind?.case === "integerValue" ? kind.value : 0n;
  };
  return create(EntitySchema, {
    id: node.id, label: node.labels[0] ?? "", name: text("name"), qualname: text("qualname"), path: text("path"), kind: text("kind"),
    repository: text("repository") === "" ? "" : `repositories/${text("repository")}`, startLine: line("start_line"), endLine: line("end_line"),
  });
}

export function ValueCell({ value }: { value: Value | undefined }): JSX.Element {
  const kind = value?.kind;
  if (kind?.case === "nodeValue") {
    const entity = nodeEntity(kind.value);
    return <td class="node"><Badge>{kindWord(entity)}</Badge> <EntityLink entity={entity} /> <span class="m t3">{place(entity)}</span></td>;
  }
  const text = kind?.case === "floatValue" ? formatFloat(kind.value) : kind?.case === "integerValue" ? count(kind.value) : valueText(value);
  return <td class={isNumber(value) ? "number" : "m"} title={text}>{kind?.case === "nullValue" || kind?.case === undefined ? <span class="t3">null</span> : <Text text={text} />}</td>;
}

function formatFloat(value: number): string {
  return Number.isInteger(value) ? value.toFixed(1) : String(Math.round(value * 1e4) / 1e4);
}
