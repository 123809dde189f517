// A change as Markdown for a pull request: the answer line, cards with callers, the tests command.
import { confidence, counted, displayName } from "../format";
import { ChangedKind, type ChangedDefinition, type GetChangeResponse } from "../v1/repoquarry/v1/view_service_pb";
import { changedEntity } from "./cards";
import { isQuiet, quietSentence } from "./change_picture";
import { chosenTier, commandText } from "./consequences";

const MAX_CARDS = 5;

/** Quote text of the repository so that Markdown does not interpret it. */
function quote(text: string): string {
  const fence = "`".repeat(Math.max(0, ...[...text.matchAll(/`+/g)].map((run) => run[0].length)) + 1);
  return `${fence}${text}${fence}`;
}

export function formatMarkdown(answer: GetChangeResponse, tier: string, link: string): string {
  const lines = [isQuiet(answer) ? quietSentence(answer) : answerLine(answer), ""];
  const cards = answer.definitions.filter((changed) => changed.outsideTotal > 0n);
  for (const changed of cards.slice(0, MAX_CARDS)) lines.push(...card(changed));
  if (cards.length > MAX_CARDS) lines.push(`${cards.length - MAX_CARDS} more definitions have callers outside the diff.`, "");
  const command = commandText(chosenTier(answer.tests, tier));
  if (command !== "") lines.push("```", command, "```", "");
  lines.push(`[Open in RepoQuarry](${link})`, "");
  return lines.join("\n");
}

function answerLine(answer: GetChangeResponse): string {
  const figures = answer.figures;
  return `**${counted(figures?.outsideSites ?? 0n, "call site")} outside the diff** use what changed; ${counted(figures?.signatures ?? 0n, "signature")} changed or removed; ${counted(figures?.reached ?? 0n, "definition")} affected, about ${Math.round(figures?.expected ?? 0)} expected.`;
}

function card(changed: ChangedDefinition): string[] {
  const entity = changedEntity(changed);
  const what = changed.kind === ChangedKind.SIGNATURE ? changed.parametersChanged.join(", ") || "signature changed" : changed.kind === ChangedKind.REMOVED ? "removed" : "body changed";
  const rows = changed.outsideSites.map((site) => `- ${quote(`${site.caller?.path ?? ""}:${site.line}`)} ${quote(site.sourceLine)} ${confidence(site.confidence)}`);
  return [`${quote(entity === undefined ? "" : displayName(entity))}: ${what}`, ...rows, ""];
}
