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
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** Return the static file of a response. `facts` is the plain text for readers without script. */
export function fillTemplate(template: string, entry: string, json: string, title: string, facts: string): string {
  return template
    .replace("<!--TITLE-->", () => escapeHtml(title))
    .replace('data-entry=""', () => `data-entry="${entry}"`)
    .replace("<!--FACTS-->", () => `<pre>${escapeHtml(facts)}</pre>`)
    .replace("<!--RESPONSE-->", () => json);
}

type ExportProps =
  | { readonly entry: "change"; readonly message: GetChangeResponse; readonly name: string }
  | { readonly entry: "symbol"; readonly message: GetSymbolResponse; readonly name: string };

async function save(props: ExportProps): Promise<void> {
  const response = await fetch(TEMPLATE);
  if (!response.ok) return showToast(`The template of the file is missing: ${response.status}`);
  const json = props.entry === "change" ? inertJson(GetChangeResponseSchema, props.message) : inertJson(GetSymbolResponseSchema, props.message);
  const facts = document.querySelector("main")?.innerText ?? "";
  const html = fillTemplate(await response.text(), props.entry, json, document.title, facts);
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
