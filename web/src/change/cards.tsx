// Cards of changed definitions: what changed, and the call sites outside the diff with their line of source.
import type { JSX } from "preact";
import { baseName, confidence, count, counted, displayName, place } from "../format";
import { EntityLink, PlaceLink } from "../links";
import { ChangeMark, Confidence, edgeWords, type ChangeSign } from "../marks";
import { siteCertainty } from "../paths";
import { Code, Text } from "../text";
import { RelationKind, type EdgeChange } from "../v1/repoquarry/v1/code_service_pb";
import type { Entity } from "../v1/repoquarry/v1/entities_pb";
import { ChangedKind, type ChangedDefinition, type OutsideSite } from "../v1/repoquarry/v1/view_service_pb";

const MAX_EDGES = 4;

const SIGNS: Readonly<Record<ChangedKind, ChangeSign>> = {
  [ChangedKind.UNSPECIFIED]: "changed",
  [ChangedKind.ADDED]: "added",
  [ChangedKind.REMOVED]: "removed",
  [ChangedKind.MOVED]: "moved",
  [ChangedKind.SIGNATURE]: "changed",
  [ChangedKind.BODY]: "changed",
};

export function changeSign(changed: ChangedDefinition): ChangeSign {
  return SIGNS[changed.kind];
}

/** Return the side of a changed definition that has a place now, or had one. */
export function changedEntity(changed: ChangedDefinition): Entity | undefined {
  return changed.after ?? changed.before;
}

export function cardId(index: number): string {
  return `card-${index}`;
}

/** Return whether a definition needs a card of its own and not only a row. */
export function needsCard(changed: ChangedDefinition): boolean {
  return changed.outsideTotal > 0n || changed.kind === ChangedKind.REMOVED || changed.kind === ChangedKind.SIGNATURE;
}

export function ChangeCard({ changed, index }: { changed: ChangedDefinition; index: number }): JSX.Element | null {
  const entity = changedEntity(changed);
  if (entity === undefined) return null;
  return (
    <article class="card change-card" id={cardId(index)} tabIndex={-1} aria-label={`${changeSign(changed)} ${displayName(entity)}`}>
      <header>
        <ChangeMark sign={changeSign(changed)} />
        <EntityLink entity={entity} class={changed.kind === ChangedKind.REMOVED ? "b gone" : "b"} />
        <span class="m t3 el">{entity.path}:{String(entity.startLine)}</span>
        <span class="sp" />
        <Verdict changed={changed} />
      </header>
      <Signatures changed={changed} />
      {changed.kind !== ChangedKind.SIGNATURE && <ChangedLines lines={changed.changedLines} />}
      <Edges changed={changed} />
      <OutsideSites changed={changed} />
    </article>
  );
}

function Verdict({ changed }: { changed: ChangedDefinition }): JSX.Element {
  if (changed.kind === ChangedKind.SIGNATURE) {
    return <span class="verdict warn el" title={changed.parametersChanged.join(", ")}>signature changed{changed.parametersChanged.length > 0 ? ": " : ""}<b><Text text={changed.parametersChanged.join(", ")} /></b></span>;
  }
  const words = { [ChangedKind.ADDED]: "added", [ChangedKind.REMOVED]: "removed", [ChangedKind.MOVED]: "moved", [ChangedKind.BODY]: "body changed, same signature", [ChangedKind.UNSPECIFIED]: "changed" };
  const from = changed.kind === ChangedKind.MOVED && changed.before !== undefined ? ` from ${place(changed.before)}` : "";
  return <span class="verdict">{words[changed.kind]}{from}</span>;
}

/** Both signatures where they differ, the earlier one struck through. */
function Signatures({ changed }: { changed: ChangedDefinition }): JSX.Element | null {
  const [before, after] = [changed.before?.signature ?? "", changed.after?.signature ?? ""];
  if (changed.kind !== ChangedKind.SIGNATURE || before === after) return null;
  const [start, end] = commonEnds(before, after);
  const name = changed.after?.name ?? "";
  return (
    <div class="signature">
      <code class="src" title={`before: ${name}${before}\nafter: ${name}${after}`}>
        <b><Text text={name} /></b><Text text={before.slice(0, start)} />
        {before.length - end > start && <del><Text text={before.slice(start, before.length - end)} /></del>}
        {after.length - end > start && <ins><Text text={after.slice(start, after.length - end)} /></ins>}
        <Text text={after.slice(after.length - end)} />
      </code>
    </div>
  );
}

/** Return how many characters two texts share at the start and at the end. */
function commonEnds(before: string, after: string): [number, number] {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  return [start, end];
}

function ChangedLines({ lines }: { lines: readonly string[] }): JSX.Element | null {
  if (lines.length === 0) return null;
  return (
    <div class="diff">
      {lines.map((line) => {
        const sign = line[0] ?? " ";
        const name = sign === "+" ? "add" : sign === "-" ? "rem" : "";
        return <div class={`diff-line ${name}`}><span class="diff-sign m" aria-label={name === "add" ? "added" : name === "rem" ? "removed" : "unchanged"} role="img">{sign === "-" ? "−" : sign}</span><Code text={line.slice(1)} /></div>;
      })}
    </div>
  );
}

function Edges({ changed }: { changed: ChangedDefinition }): JSX.Element | null {
  const edges = [...changed.edgesGone, ...changed.edgesAppeared].filter((edge) => edge.kind === RelationKind.CALLS);
  if (edges.length === 0) return null;
  const id = changedEntity(changed)?.id;
  return (
    <p class="edges s">
      {edges.slice(0, MAX_EDGES).map((edge) => <Edge edge={edge} isCaller={edge.start?.id === id || edge.start?.id === changed.before?.id} />)}
      {edges.length > MAX_EDGES && <span class="t3">{edges.length - MAX_EDGES} more edges</span>}
    </p>
  );
}

function Edge({ edge, isCaller }: { edge: EdgeChange; isCaller: boolean }): JSX.Element {
  const other = isCaller ? edge.end : edge.start;
  return (
    <span class="row edge">
      <ChangeMark sign={edge.appeared ? "added" : "removed"} />
      {isCaller ? "calls" : "called by"} {other !== undefined && <EntityLink entity={other} />}
      {other !== undefined && other.path !== "" && <span class="t3 m">{baseName(other.path)}:{String(other.startLine)}</span>}
      <span class={`p ${siteCertainty("", edge.confidence) === 1 ? "resolved" : "declared"}`}>{confidence(edge.confidence)}</span>
    </span>
  );
}

function OutsideSites({ changed }: { changed: ChangedDefinition }): JSX.Element {
  const total = Number(changed.outsideTotal);
  const tests = Number(changed.testSites);
  if (total === 0) return <p class="inside s t2">No call site outside the diff.{tests > 0 ? ` ${counted(tests, "call site")} in tests.` : ""}</p>;
  const paths = new Set(changed.outsideSites.map((site) => site.caller?.path));
  const [only = ""] = paths;
  const isShort = paths.size === 1;
  return (
    <>
      <h3>{counted(total, "call site")} outside the diff <span class="t3">{isShort && `all in ${only}`}{tests > 0 && `${isShort ? ", " : ""}${count(tests)} of them in tests`}</span></h3>
      <ul class={isShort ? "sites short" : "sites"}>
        {changed.outsideSites.map((site) => <Site site={site} isShort={isShort} />)}
      </ul>
      {total > changed.outsideSites.length && <p class="inside s t3">{count(changed.outsideSites.length)} of {count(total)} call sites, the most certain ones. All are in the caller list of the symbol.</p>}
    </>
  );
}

function Site({ site, isShort }: { site: OutsideSite; isShort: boolean }): JSX.Element | null {
  const caller = site.caller;
  if (caller === undefined) return null;
  const text = `${isShort ? "" : baseName(caller.path)}:${site.line}`;
  return (
    <li title={edgeWords(site.certainty, site.confidence)}>
      <PlaceLink repository={caller.repository} path={caller.path} line={site.line} text={text} />
      <EntityLink entity={caller} class="name" />
      <Code text={site.sourceLine} />
      <Confidence certainty={site.certainty} value={site.confidence} />
    </li>
  );
}
