// Saving what is shown as one file that needs no server.
import { type DescMessage, type MessageShape, toJson } from "@bufbuild/protobuf";
import type { JSX } from "preact";
import { GetChangeResponseSchema, GetSymbolResponseSchema, type GetChangeResponse, type GetSymbolResponse } from "../v1/repoquarry/v1/view_service_pb";
import { useKeys } from "./keys";
import { showToast } from "./toast";

const TEMPLATE = "/static.html";
const ESCAPES: Readonly<Record<string, string>> = { "<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029" };

/** Return JSON that is inert inside a script element. */
export function inertJson<D extends DescMessage>(schema: D, message: MessageShape<D>): string {
  return JSON.stringify(toJson(schema, message)).replace(/[<>&\u2028\u2029]/g, (character) => ESCAPES[character] ?? character);
}

function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}

/** Texts for the places of the template: they are escaped here, except `json`, which is inert already. */
interface StaticParts {
  readonly title: string;
  readonly entry: string;
  readonly range: string;
  readonly facts: string;
  readonly foot: string;
  readonly json: string;
}

function fillTemplate(template: string, parts: StaticParts): string {
  return template
    .replace("<!--TITLE-->", () => escapeHtml(parts.title))
    .replace('data-entry=""', () => `data-entry="${escapeHtml(parts.entry)}"`)
    .replace('data-range=""', () => `data-range="${escapeHtml(parts.range)}"`)
    .replace("<!--FACTS-->", () => `<h1>${escapeHtml(parts.title)}</h1><pre>${escapeHtml(parts.facts)}</pre>`)
    .replace("<!--FOOT-->", () => `<p>${escapeHtml(parts.foot)}</p>`)
    .replace("<!--RESPONSE-->", () => parts.json);
}

type ExportProps =
  | { readonly entry: "change"; readonly message: GetChangeResponse; readonly name: string; readonly range: string }
  | { readonly entry: "symbol"; readonly message: GetSymbolResponse; readonly name: string };

async function save(props: ExportProps): Promise<void> {
  const response = await fetch(TEMPLATE);
  if (!response.ok) return showToast(`The template of the file is missing: ${response.status}`);
  const json = props.entry === "change" ? inertJson(GetChangeResponseSchema, props.message) : inertJson(GetSymbolResponseSchema, props.message);
  const facts = document.querySelector("main")?.innerText ?? "";
  const [basis] = props.message.basis?.repositories ?? [];
  const foot = `Index of ${basis?.commit || basis?.revision || "an unknown revision"}, saved from the page`;
  const range = props.entry === "change" ? props.range : "";
  const html = fillTemplate(await response.text(), { title: document.title, entry: props.entry, range, facts, foot, json });
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([html], { type: "text/html" }));
  link.download = `${props.name.replace(/[^\w.-]+/g, "-")}.html`;
  link.click();
  URL.revokeObjectURL(link.href);
  showToast(`${link.download} saved`);
}

export function ExportButton(props: ExportProps): JSX.Element {
  const run = (): void => void save(props);
  useKeys({ e: run });
  return <button onClick={run}>Save as one file <kbd>e</kbd></button>;
}
