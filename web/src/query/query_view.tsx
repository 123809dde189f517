// View of queries: Cypher with its rows, questions, and text search.
import { ConnectError } from "@connectrpc/connect";
import topics from "cookbook";
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { useAnswer } from "../answer";
import { basis } from "../frame/basis_bar";
import { announce, CopyLink } from "../frame/toast";
import { count } from "../format";
import { setOptions } from "../route";
import { queries } from "../services";
import { Text } from "../text";
import { Ask, SearchText } from "./ask";
import { Editor } from "./editor";
import { ResultTable, type StreamedResult } from "./rows";

const RECENT_SETTING = "repoquarry.queries";
const MAX_RECENT = 20;
const START = "MATCH (f:Function)\nRETURN f, f.calls_in AS callers\nORDER BY callers DESC LIMIT 50";
const MODES = [["", "Cypher"], ["ask", "Ask"], ["search", "Search text"]] as const;

export function QueryView({ parameters }: { parameters: URLSearchParams }): JSX.Element {
  const mode = parameters.get("mode") ?? "";
  const repository = parameters.get("in") ?? "";
  const asked = parameters.get("q") ?? "";
  return (
    <div class={mode === "" ? "v-query" : "v-query wide"}>
      {mode === "" && <Book asked={asked} onPick={(query) => setOptions({ q: query })} />}
      <section class="work" aria-label="Query">
        <div class="modes row">
          <h1 class="unseen">{mode === "" ? "Query" : mode === "ask" ? "Ask" : "Search text"}</h1>
          <div class="segments" role="group" aria-label="Mode">{MODES.map(([name, title]) => <button aria-pressed={mode === name} onClick={() => setOptions({ mode: name, q: "" })}>{title}</button>)}</div>
          <span class="s t3">{mode === "" ? "read-only, over all repositories that your token may read" : repository === "" ? "in all repositories" : `in ${repository}`}</span>
        </div>
        {mode === "" ? <Cypher key={asked} asked={asked} /> : <Question mode={mode} asked={asked} repository={repository} />}
      </section>
    </div>
  );
}

function Question({ mode, asked, repository }: { mode: string; asked: string; repository: string }): JSX.Element {
  const [text, setText] = useState(asked);
  const submit = (event: Event): void => {
    event.preventDefault();
    setOptions({ q: text.trim() });
  };
  return (
    <>
      <form class="row question" onSubmit={submit}>
        <input class="field" aria-label={mode === "ask" ? "Question" : "Words"} placeholder={mode === "ask" ? "A question, an issue or a stack trace" : "Words of code or documents"} value={text} onInput={(event) => setText(event.currentTarget.value)} />
        <button class="btn pri">{mode === "ask" ? "Ask" : "Search"}</button>
      </form>
      {asked !== "" && (mode === "ask" ? <Ask text={asked} repository={repository} /> : <SearchText text={asked} repository={repository} />)}
    </>
  );
}

function Cypher({ asked }: { asked: string }): JSX.Element {
  const [text, setText] = useState(asked || START);
  const [result, setResult] = useState<StreamedResult | null>(null);
  const [error, setError] = useState("");
  const running = useRef<AbortController | null>(null);
  const run = (query: string): void => {
    running.current?.abort();
    running.current = new AbortController();
    setError("");
    setResult({ columns: [], rows: [], summary: null });
    remember(query);
    stream(query, running.current.signal, setResult).catch((failure: unknown) => {
      if (running.current?.signal.aborted !== true) setError(ConnectError.from(failure).rawMessage);
    });
  };
  useEffect(() => {
    if (asked !== "") run(asked);
    return () => running.current?.abort();
  }, []);
  const submit = (): void => {
    if (text === asked) run(text);
    else setOptions({ q: text });
  };
  return (
    <>
      <div class="card">
        <Editor text={text} onText={setText} onRun={submit} />
        <div class="run row"><button class="btn pri" onClick={submit}>Run <kbd>Ctrl ↵</kbd></button><span class="s t3">Ctrl Space completes</span><span class="sp" /><CopyLink /></div>
      </div>
      {error !== "" ? <p class="failure" role="alert"><b>The query was refused.</b> <Text text={error} /></p> : result !== null ? <ResultTable result={result} /> : <p class="s t3">No query has run.</p>}
    </>
  );
}

/** Run a query and hand on what has arrived, batch by batch. */
async function stream(query: string, signal: AbortSignal, onResult: (result: StreamedResult) => void): Promise<void> {
  let result: StreamedResult = { columns: [], rows: [], summary: null };
  for await (const { part } of queries.executeCypher({ query }, { signal })) {
    if (part.case === "header") result = { ...result, columns: part.value.columns };
    else if (part.case === "rows") result = { ...result, rows: [...result.rows, ...part.value.rows] };
    else if (part.case === "summary") {
      result = { ...result, summary: part.value };
      basis.value = part.value.basis ?? null;
      announce(`${count(result.rows.length)} rows`);
    }
    onResult(result);
  }
}

function recentQueries(): string[] {
  const stored: unknown = JSON.parse(localStorage.getItem(RECENT_SETTING) ?? "[]");
  return Array.isArray(stored) ? stored.filter((each) => typeof each === "string") : [];
}

function remember(query: string): void {
  const others = recentQueries().filter((each) => each !== query);
  localStorage.setItem(RECENT_SETTING, JSON.stringify([query, ...others].slice(0, MAX_RECENT)));
}

const TABS = ["Cookbook", "Schema", "Recent"] as const;

/** Side column: cookbook, schema, recent queries. */
function Book({ asked, onPick }: { asked: string; onPick: (query: string) => void }): JSX.Element {
  const [tab, setTab] = useState<(typeof TABS)[number]>("Cookbook");
  return (
    <aside class="scroll book" aria-label="Cookbook">
      <div class="tabs" role="group" aria-label="Side column">{TABS.map((name) => <button aria-pressed={tab === name} onClick={() => setTab(name)}>{name}</button>)}</div>
      {tab === "Schema" && <Schema />}
      {tab === "Recent" && <ul>{recentQueries().map((query) => <li><button class="plain m el" title={query} onClick={() => onPick(query)}>{query}</button></li>)}</ul>}
      {tab === "Cookbook" && topics.map(({ topic, recipes }) => (
        <>
          <h2 class="cap">{topic}</h2>
          <ul aria-label={topic}>{recipes.map(({ title, query }) => <li><button class="plain el" aria-current={query === asked} title={`${title}\n\n${query}`} onClick={() => onPick(query)}>{title}</button></li>)}</ul>
        </>
      ))}
    </aside>
  );
}

function Schema(): JSX.Element {
  const [answer] = useAnswer("schema", (signal) => queries.getSchema({}, { signal }));
  if (answer.state !== "ready") return <p class="s t3">{answer.state === "failed" ? answer.failure.title : "Loading"}</p>;
  return (
    <>
      <h2 class="cap">Labels</h2>
      {answer.value.nodeLabels.map((label) => <details><summary class="m" title={label.meaning}>{label.name}</summary><p class="xs t2">{label.meaning}</p><ul class="xs">{label.properties.map((property) => <li title={property.meaning}><b class="m">{property.name}</b> <span class="t3">{property.kind}</span></li>)}</ul></details>)}
      <h2 class="cap">Relationships</h2>
      {answer.value.relationshipTypes.map((type) => <details><summary class="m" title={type.meaning}>{type.name}</summary><p class="xs t2">{type.meaning}</p><p class="xs m t3">({type.startLabels.join("|")}) → ({type.endLabels.join("|")})</p><ul class="xs">{type.properties.map((property) => <li title={property.meaning}><b class="m">{property.name}</b> <span class="t3">{property.kind}</span></li>)}</ul></details>)}
    </>
  );
}
