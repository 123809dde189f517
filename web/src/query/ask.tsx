// Ask: at most five places that matter for a question, with their source, callers and tests.
import type { JSX } from "preact";
import { useAnswer } from "../answer";
import { AnswerFrame } from "../frame/answer_frame";
import { counted, displayName, kindWord, lineRange } from "../format";
import { EntityLink } from "../links";
import { foldDocstrings, SourceRows } from "../source";
import { code, views } from "../services";
import { Badge, Text } from "../text";
import { SearchMode, type LocateResponse, type RankedPlace, type SearchResponse } from "../v1/repoquarry/v1/code_service_pb";

const MAX_PLACES = 5;
const MAX_LINES = 14;

export function Ask({ text, repository }: { text: string; repository: string }): JSX.Element {
  const scope = repository === "" ? [] : [`repositories/${repository}`];
  const [answer, retry] = useAnswer(`ask ${repository} ${text}`, (signal) => code.locate({ text, repositories: scope, maxDefinitions: MAX_PLACES, maxFiles: MAX_PLACES }, { signal }));
  return <AnswerFrame answer={answer} onRetry={retry} rows={8}>{(value) => <Places answer={value} />}</AnswerFrame>;
}

function Places({ answer }: { answer: LocateResponse }): JSX.Element {
  if (answer.definitions.length === 0) {
    return (
      <div class="ask-empty">
        <p><b>No definition matches this wording.</b> No name, path or term of it occurs in the index.</p>
        <pre class="command">{"repoquarry search WORDS\nrepoquarry locate TEXT\nrepoquarry ask QUESTION"}</pre>
      </div>
    );
  }
  return (
    <div class="scroll places">
      <p class="s t2">{counted(answer.definitions.length, "place")} in {counted(new Set(answer.definitions.map((place) => place.entity?.path)).size, "file")}, the most relevant first.</p>
      {answer.definitions.map((place) => <Place place={place} />)}
    </div>
  );
}

function Place({ place }: { place: RankedPlace }): JSX.Element | null {
  const entity = place.entity;
  const [answer] = useAnswer(entity === undefined ? null : `place ${entity.id}`, (signal) => views.getSymbol({ symbol: entity?.id ?? "", repositories: [entity?.repository ?? ""], maxLines: MAX_LINES, maxCallers: 6 }, { signal }));
  if (entity === undefined) return null;
  const symbol = answer.state === "ready" ? answer.value : null;
  const callers = symbol?.callers?.groups.flatMap((group) => group.rows.flatMap((row) => (row.entity === undefined ? [] : [row.entity]))) ?? [];
  const figures = symbol?.figures;
  return (
    <article class="card place" aria-label={displayName(entity)}>
      <header class="row"><Badge>{kindWord(entity)}</Badge><EntityLink entity={entity} class="b" /><span class="m t3 el">{lineRange(entity)}</span><span class="sp" /><span class="t3 s el"><Text text={place.reasons.join(", ")} /></span></header>
      {symbol?.source !== undefined && <SourceRows lines={foldDocstrings(symbol.source.lines, new Set())} calls={[]} current={0} onUnfold={() => undefined} />}
      <p class="s t2">{figures === undefined ? "…" : <>{counted(figures.callers, "caller")}, {counted(figures.testCallers, "of them in tests", "of them in tests")}{figures.unresolvedSites > 0n && `, ${counted(figures.unresolvedSites, "unresolved call may be a caller", "unresolved calls may be callers")}`}: {callers.slice(0, 4).map((caller) => <><EntityLink entity={caller} /> </>)}</>}</p>
    </article>
  );
}

/** Search in the text of code and documents. */
export function SearchText({ text, repository }: { text: string; repository: string }): JSX.Element {
  const scope = repository === "" ? [] : [`repositories/${repository}`];
  const [answer, retry] = useAnswer(`search ${repository} ${text}`, (signal) => code.search({ query: text, mode: SearchMode.HYBRID, repositories: scope, pageSize: 30 }, { signal }));
  return <AnswerFrame answer={answer} onRetry={retry} rows={8}>{(value) => <Hits answer={value} />}</AnswerFrame>;
}

function Hits({ answer }: { answer: SearchResponse }): JSX.Element {
  if (answer.hits.length === 0) return <p class="ask-empty">No text matches.</p>;
  return (
    <ul class="scroll places">
      {answer.hits.map((hit) => hit.entity !== undefined && (
        <li class="card place">
          <header class="row"><Badge>{kindWord(hit.entity)}</Badge><EntityLink entity={hit.entity} class="b" /><span class="m t3 el">{lineRange(hit.entity)}</span></header>
          {hit.snippet !== "" && <pre class="src snippet"><Text text={hit.snippet.split("\n").slice(0, 3).join("\n")} /></pre>}
        </li>
      ))}
    </ul>
  );
}
