// Answers of tasks as text: Markdown becomes elements, never markup; a place in it opens its file.
import { lexer, type Token, type Tokens } from "marked";
import type { ComponentChildren, JSX } from "preact";
import { PlaceLink } from "./links";
import { Text } from "./text";

const LISTING = /^(?: {5,}\S| {2,}\d+(?: {2,}\S|$))/;
const LIST_ITEM = /^(?:\d+\.|[-*]) /;
const PLACE = /^([\w./@+ -]+\.\w+):(\d+)(?:-\d+)?$/;

/** Return the repository of a path that an answer names; empty for none. */
export type RepositoryOf = (path: string) => string;

export function AnswerText({ text, repositoryOf }: { text: string; repositoryOf: RepositoryOf }): JSX.Element {
  return <div class="answer-text">{blocks(lexer(fenceListings(text)), repositoryOf)}</div>;
}

/** Put fences around lines of source below a line of text, such as `    12  return total`: evidence is indented, not fenced. */
export function fenceListings(text: string): string {
  const lines: string[] = [];
  let margin = "";
  let isOpen = false;
  let isFenced = false;
  for (const line of text.split("\n")) {
    if (/^\s*```/.test(line)) isFenced = !isFenced;
    const isListing: boolean = !isFenced && LISTING.test(line) && (isOpen || (lines.at(-1) ?? "").trim() !== "");
    if (isListing !== isOpen) lines.push(`${margin}\`\`\``);
    isOpen = isListing;
    lines.push(isListing ? margin + line : line);
    if (/^\S/.test(line)) margin = LIST_ITEM.test(line) ? "    " : "";
  }
  return isOpen ? [...lines, `${margin}\`\`\``].join("\n") : lines.join("\n");
}

function blocks(tokens: readonly Token[], repositoryOf: RepositoryOf): JSX.Element[] {
  return tokens.map((token) => block(token, repositoryOf));
}

function block(token: Token, repositoryOf: RepositoryOf): JSX.Element {
  switch (token.type) {
    case "space": return <></>;
    case "heading": return <h3>{inline((token as Tokens.Heading).tokens, repositoryOf)}</h3>;
    case "paragraph": return <p>{inline((token as Tokens.Paragraph).tokens, repositoryOf)}</p>;
    case "text": return <>{inline((token as Tokens.Text).tokens ?? [token], repositoryOf)}</>;
    case "code": return <pre class="output" tabIndex={0} aria-label="Source"><Text text={outdent((token as Tokens.Code).text)} /></pre>;
    case "blockquote": return <blockquote>{blocks((token as Tokens.Blockquote).tokens, repositoryOf)}</blockquote>;
    case "hr": return <hr />;
    case "list": return list(token as Tokens.List, repositoryOf);
    case "table": return table(token as Tokens.Table, repositoryOf);
    default: return <p><Text text={token.raw} /></p>;
  }
}

/** Return lines without the indentation that all share. */
function outdent(text: string): string {
  const lines = text.split("\n");
  const indents = lines.filter((line) => line.trim() !== "").map((line) => line.length - line.trimStart().length);
  const shared = Math.min(...indents, 80);
  return lines.map((line) => line.slice(shared)).join("\n");
}

function list({ ordered, start, items }: Tokens.List, repositoryOf: RepositoryOf): JSX.Element {
  const rows = items.map((item) => <li>{blocks(item.tokens, repositoryOf)}</li>);
  return ordered ? <ol start={Number(start) || 1}>{rows}</ol> : <ul>{rows}</ul>;
}

function table({ header, rows }: Tokens.Table, repositoryOf: RepositoryOf): JSX.Element {
  return (
    <table>
      <thead><tr>{header.map((cell) => <th scope="col">{inline(cell.tokens, repositoryOf)}</th>)}</tr></thead>
      <tbody>{rows.map((row) => <tr>{row.map((cell) => <td>{inline(cell.tokens, repositoryOf)}</td>)}</tr>)}</tbody>
    </table>
  );
}

function inline(tokens: readonly Token[], repositoryOf: RepositoryOf): ComponentChildren[] {
  return tokens.map((token) => {
    const inner = (): ComponentChildren[] => inline((token as Tokens.Strong).tokens, repositoryOf);
    switch (token.type) {
      case "strong": return <b>{inner()}</b>;
      case "em": return <i>{inner()}</i>;
      case "del": return <s>{inner()}</s>;
      case "codespan": return <Code text={(token as Tokens.Codespan).text} repositoryOf={repositoryOf} />;
      case "br": return <br />;
      case "escape": return <Text text={(token as Tokens.Escape).text} />;
      case "text": return <Text text={token.raw} />;
      default: return <Text text={token.raw} />; // Addresses and markup of a repository are text.
    }
  });
}

/** Code inside a sentence; a place of the answer opens its file. */
function Code({ text, repositoryOf }: { text: string; repositoryOf: RepositoryOf }): JSX.Element {
  const [, path = "", line = ""] = PLACE.exec(text) ?? [];
  const repository = path === "" ? "" : repositoryOf(path);
  return repository === "" ? <code><Text text={text} /></code> : <PlaceLink repository={repository} path={path} line={BigInt(line)} text={text} />;
}
