// Change: figures, changed definitions with their callers outside the diff, consequences. A function of one GetChangeResponse.
import type { JSX } from "preact";
import { confidence, count, counted, date, displayName } from "../format";
import { EntityLink } from "../links";
import { Columns } from "../frame/column_tabs";
import { ChangeMark } from "../marks";
import { PathStrip, pathConfidence } from "../paths";
import { Text } from "../text";
import { ChangedKind, type ChangedDefinition, type GetChangeResponse } from "../v1/repoquarry/v1/view_service_pb";
import { cardId, ChangeCard, changedEntity, changeSign, needsCard } from "./cards";
import { AnswerLimits, OtherRepositories, ReachBars, TestsBox } from "./consequences";

export interface ChangePictureProps {
  answer: GetChangeResponse;
  /** Compared versions, such as `A..B`. */
  range: string;
  tier: string;
  onTier: (name: string) => void;
  onCopy: (text: string) => void;
  actions?: JSX.Element;
}

/** Return whether a change matters to nobody outside its diff. */
export function isQuiet(answer: GetChangeResponse): boolean {
  return (answer.figures?.outsideSites ?? 0n) === 0n && (answer.figures?.signatures ?? 0n) === 0n && (answer.figures?.reached ?? 0n) === 0n && answer.repositories.length === 0;
}

/** Return the sentence of a change that matters to nobody. */
export function quietSentence(answer: GetChangeResponse): string {
  const files = answer.figures?.files ?? 0n;
  const others = answer.unknownPaths.length;
  if (files === 0n && others > 0) return `No indexed definition changed. ${counted(others, "changed file is", "changed files are")} not indexed: ${answer.unknownPaths.slice(0, 3).join(", ")}${others > 3 ? ", …" : ""}.`;
  if (files === 0n) return "Nothing differs from the indexed revision.";
  return `No caller outside the diff, no signature changed. ${counted(files, "file")} changed.`;
}

export function ChangePicture(props: ChangePictureProps): JSX.Element {
  const { answer, range, actions, tier, onTier, onCopy } = props;
  const by = [answer.author, date(answer.time)].filter((text) => text !== "").join(", ");
  return (
    <div class="v-change">
      <header class="title">
        <div class="row"><h1 class="el" title={answer.title}><Text text={answer.title} /></h1><span class="sp" />{actions}</div>
        <p class="row s t2 about"><span class="m">{range.replace("..", " → ")}</span>{by !== "" && <span><Text text={by} /></span>}<span>{counted(answer.figures?.files ?? 0n, "file")}</span></p>
        {isQuiet(answer) ? <p class="quiet">{quietSentence(answer)}</p> : <Figures answer={answer} />}
      </header>
      <Columns names={["Changed", "Callers", "Consequences"]} first="Callers" hidden={isQuiet(answer)} drawer={{ key: "l", column: 1 }}>
        <ChangedList answer={answer} />
        <Cards answer={answer} />
        <aside class="scroll consequences" data-column="3" aria-label="Consequences">
          <TestsBox tiers={answer.tests} tier={tier} onTier={onTier} onCopy={onCopy} />
          <ReachBars reach={answer.reach} />
          <OtherRepositories answer={answer} />
          <AnswerLimits answer={answer} />
        </aside>
      </Columns>
    </div>
  );
}

function Figures({ answer }: { answer: GetChangeResponse }): JSX.Element {
  const figures = answer.figures;
  const tests = answer.definitions.reduce((sum, changed) => sum + Number(changed.testSites), 0);
  const places = answer.repositories.reduce((sum, each) => sum + Number(each.total), 0);
  const surest = Math.max(0, ...answer.repositories.flatMap((each) => each.places.map((each) => each.confidence)));
  const body = answer.definitions.filter((changed) => changed.kind === ChangedKind.BODY && changed.outsideTotal > 0n).length;
  const edges = Number(figures?.edgesAppeared ?? 0) + Number(figures?.edgesGone ?? 0);
  const removed = answer.definitions.filter((changed) => changed.kind === ChangedKind.REMOVED);
  const removedCallers = removed.reduce((sum, changed) => sum + Number(changed.outsideTotal), 0);
  return (
    <div class="figures">
      <Figure value={Number(figures?.outsideSites ?? 0) - tests} first="call sites outside the diff" second={tests > 0 ? `use it, ${count(tests)} more in tests` : "use what changed"} />
      <Figure value={figures?.signatures ?? 0n} first={Number(figures?.signatures) === 1 ? "signature changed" : "signatures changed"} second="or removed" />
      {body > 0 && <Figure value={body} first={body === 1 ? "body changed, same" : "bodies changed, same"} second="signature, with callers" />}
      {removed.length > 0 && <Figure value={removed.length} first={removed.length === 1 ? "definition removed," : "definitions removed,"} second={answer.newSideIndexed ? "callers unknown" : removedCallers === 0 ? "no caller left" : `${counted(removedCallers, "call site")} left`} />}
      <Figure value={figures?.reached ?? 0n} first={figures?.reached === 1n ? "definition affected," : "definitions affected,"} second={`about ${count(Math.round(figures?.expected ?? 0))} expected`} />
      {edges > 0 && <Figure value={edges} first={edges === 1 ? "call changed," : "calls changed,"} second={`${count(figures?.edgesAppeared ?? 0n)} added, ${count(figures?.edgesGone ?? 0n)} removed`} />}
      {places > 0 && <Figure value={places} first={places === 1 ? "place in another" : "places in other"} second={`${places === 1 ? "repository" : "repositories"}, at ${confidence(surest)}`} />}
    </div>
  );
}

function Figure({ value, first, second }: { value: bigint | number; first: string; second: string }): JSX.Element {
  return <div><b class="figure">{count(value)}</b><span>{first}<br />{second}</span></div>;
}

/** Changed definitions by file. */
function ChangedList({ answer }: { answer: GetChangeResponse }): JSX.Element {
  const byPath = new Map<string, [ChangedDefinition, number][]>();
  answer.definitions.forEach((changed, index) => {
    const path = changedEntity(changed)?.path ?? "";
    byPath.set(path, [...(byPath.get(path) ?? []), [changed, index]]);
  });
  return (
    <nav class="scroll changed-list" data-column="1" aria-label="Changed definitions">
      <h2 class="cap">Changed, {count(answer.figures?.definitions ?? answer.definitions.length)}</h2>
      {[...byPath].map(([path, changes]) => (
        <>
          <p class="file-head el" title={path}><Text text={path} /></p>
          <ul>{changes.map(([changed, index]) => <li class="row"><ChangeMark sign={changeSign(changed)} /><a class="m el" href={`#${cardId(index)}`} title={entityName(changed)}><Text text={entityName(changed)} /></a></li>)}</ul>
        </>
      ))}
    </nav>
  );
}

function entityName(changed: ChangedDefinition): string {
  const entity = changedEntity(changed);
  return entity === undefined ? "" : displayName(entity);
}

/** Cards with callers first, then one row for each other definition. */
function Cards({ answer }: { answer: GetChangeResponse }): JSX.Element {
  const indexed = answer.definitions.map((changed, index) => ({ changed, index }));
  const rest = indexed.filter((each) => !needsCard(each.changed));
  const [path] = answer.paths;
  return (
    <section class="scroll cards" data-column="2" aria-label="Changed definitions and their callers">
      {indexed.filter((each) => needsCard(each.changed)).map((each) => <ChangeCard {...each} knowsRemoved={!answer.newSideIndexed} />)}
      {path !== undefined && (
        <article class="card path-card">
          <header><b>Path to the change</b><span class="t3 s">most certain of {counted(answer.paths.length, "path")}</span><span class="sp" /><span class="p sure">{confidence(pathConfidence(path))}</span></header>
          <PathStrip path={path} />
        </article>
      )}
      {rest.length > 0 && (
        <ul class="card rest" aria-label="Definitions without callers outside the diff">
          {rest.map(({ changed, index }) => <RestRow changed={changed} index={index} />)}
        </ul>
      )}
    </section>
  );
}

function RestRow({ changed, index }: { changed: ChangedDefinition; index: number }): JSX.Element {
  const entity = changedEntity(changed);
  const words = changed.kind === ChangedKind.ADDED ? "added" : changed.kind === ChangedKind.MOVED ? "moved" : "body changed";
  return (
    <li class="row s" id={cardId(index)} tabIndex={-1}>
      <ChangeMark sign={changeSign(changed)} />
      {entity !== undefined && <EntityLink entity={entity} />}
      <span class="sp" />
      <span class="t3">{words}, no call site outside the diff{changed.testSites > 0n ? `, ${count(changed.testSites)} in tests` : ""}</span>
    </li>
  );
}
