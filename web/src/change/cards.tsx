// Cards of changed definitions: what changed, and the call sites outside the diff with their line of source.
import type { JSX } from "preact";
import { baseName, count, counted, displayName, place } from "../format";
import { EntityLink, PlaceLink } from "../links";
import { ChangeMark, EdgeCertainty, edgeWords, type ChangeSign } from "../marks";
import { Code, Text } from "../text";
import type { Entity } from "../v1/repoquarry/v1/entities_pb";
import { ChangedKind, type ChangedDefinition, type ChangedEdge, type OutsideSite } from "../v1/repoquarry/v1/view_service_pb";

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

interface ChangeCardProps {
  changed: ChangedDefinition;
  index: number;
  /** Whether callers of removed definitions are known: only where the old side is indexed. */
  knowsRemoved: boolean;
}

export function ChangeCard({ changed, index, knowsRemoved }: ChangeCardProps): JSX.Element | null {
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
      <ChangedCalls edges={changed.edges} />
      <OutsideSites changed={changed} isKnown={knowsRemoved || changed.kind !== ChangedKind.REMOVED} />
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
  const indent = Math.min(...lines.map((line) => line.slice(1).search(/\S|$/)));
  return (
    <div class="diff">
      {lines.map((line) => {
        const sign = line[0] ?? " ";
        const name = sign === "+" ? "add" : sign === "-" ? "rem" : "";
        return <div class={`diff-line ${name}`}><span class="diff-sign m" aria-label={name === "add" ? "added" : name === "rem" ? "removed" : "unchanged"} role="img">{sign === "-" ? "−" : sign}</span><Code text={line.slice(1 + indent)} /></div>;
      })}
    </div>
  );
}

/** Calls that the definition gained or lost. */
function ChangedCalls({ edges }: { edges: readonly ChangedEdge[] }): JSX.Element | null {
  if (edges.length === 0) return null;
  return (
    <ul class="edges" aria-label="Changed calls">
      {edges.map((edge) => edge.target !== undefined && (
        <li class="row edge" title={edge.byName ? "Found by its name: the side with this call is not indexed." : edgeWords(edge)}>
          <ChangeMark sign={edge.appeared ? "added" : "removed"} />
          <span class="t2">{edge.appeared ? "now calls" : "no longer calls"}</span>
          <EntityLink entity={edge.target} />
          {edge.byName ? <span class="t3 xs">by name</span> : <EdgeCertainty edge={edge} />}
        </li>
      ))}
    </ul>
  );
}

function OutsideSites({ changed, isKnown }: { changed: ChangedDefinition; isKnown: boolean }): JSX.Element {
  if (!isKnown) return <p class="inside s t2">Callers unknown: the index is of the new side, which no longer has it.</p>;
  const tests = Number(changed.testSites);
  const total = Number(changed.outsideTotal) - tests;
  const inTests = tests > 0 ? `${counted(tests, "call site")} in tests` : "";
  const sites = changed.outsideSites.filter((site) => site.caller?.isTest !== true);
  const paths = new Set(sites.map((site) => site.caller?.path));
  const [only = ""] = paths;
  const isShort = paths.size === 1;
  return (
    <>
      {total === 0 ? <p class="inside s t2">{tests === 0 ? "No call site outside the diff." : `No call site outside the diff except ${inTests}.`}</p> : (
        <h2>{counted(total, "call site")} outside the diff <span class="t3">{[isShort ? `all in ${only}` : "", inTests === "" ? "" : `and ${inTests}`].filter((part) => part !== "").join(", ")}</span></h2>
      )}
      <ul class={isShort ? "sites short" : "sites"}>{sites.map((site) => <Site site={site} isShort={isShort} />)}</ul>
      {total > sites.length && <p class="inside s t3">{count(sites.length)} of {count(total)} call sites, the most certain ones. All are in the caller list of the symbol.</p>}
      <TestSites sites={changed.outsideSites.filter((site) => site.caller?.isTest === true)} total={tests} />
    </>
  );
}

/** Call sites of tests, folded: tests are listed as files to run. */
function TestSites({ sites, total }: { sites: readonly OutsideSite[]; total: number }): JSX.Element | null {
  if (sites.length === 0) return null;
  return (
    <details class="inside">
      <summary class="s">{count(sites.length)}{total > sites.length ? ` of ${count(total)}` : ""} in tests</summary>
      <ul class="sites">{sites.map((site) => <Site site={site} isShort={false} />)}</ul>
    </details>
  );
}

function Site({ site, isShort }: { site: OutsideSite; isShort: boolean }): JSX.Element | null {
  const caller = site.caller;
  if (caller === undefined) return null;
  const text = `${isShort ? "" : baseName(caller.path)}:${site.line}`;
  return (
    <li title={edgeWords(site)}>
      <PlaceLink repository={caller.repository} path={caller.path} line={site.line} text={text} />
      <EntityLink entity={caller} class="name" />
      <Code text={site.sourceLine} />
      <EdgeCertainty edge={site} />
    </li>
  );
}
