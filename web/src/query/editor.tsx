// Cypher editor: a text field over its colored copy, with completion and notes from the service.
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { views } from "../services";
import { Text } from "../text";
import type { CompletionItem, CypherNote } from "../v1/repoquarry/v1/view_service_pb";

const CHECK_PAUSE_MILLISECONDS = 250;
const MAX_ITEMS = 10;
const TOKENS = /(\/\/[^\n]*)|('(?:\\.|[^'\\])*'?|"(?:\\.|[^"\\])*"?)|\b(MATCH|OPTIONAL|WHERE|RETURN|WITH|UNWIND|ORDER|BY|LIMIT|SKIP|AS|AND|OR|XOR|NOT|IN|DISTINCT|CASE|WHEN|THEN|ELSE|END|UNION|ALL|CALL|YIELD|EXISTS|COUNT|COLLECT|STARTS|ENDS|CONTAINS|IS|NULL|DESC|ASC|TRUE|FALSE|ANY|NONE|SINGLE|SHORTEST)\b|(:\s*[A-Z]\w*(?:\|[A-Z]\w*)*)/gi;
const TOKEN_CLASSES = ["", "c", "st", "k", "lb"] as const;

/** Colored copy of a query. */
function Highlighted({ text }: { text: string }): JSX.Element {
  const parts: JSX.Element[] = [];
  let end = 0;
  for (const match of text.matchAll(TOKENS)) {
    const group = match.findIndex((value, index) => index > 0 && value !== undefined);
    parts.push(<>{text.slice(end, match.index)}<span class={TOKEN_CLASSES[group] ?? ""}>{match[0]}</span></>);
    end = match.index + match[0].length;
  }
  return <>{parts}{text.slice(end)}{"\n"}</>;
}

interface EditorProps {
  text: string;
  onText: (text: string) => void;
  onRun: () => void;
}

interface Completion {
  readonly start: number;
  readonly items: readonly CompletionItem[];
  readonly chosen: number;
}

export function Editor({ text, onText, onRun }: EditorProps): JSX.Element {
  const [completion, setCompletion] = useState<Completion | null>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  const notes = useNotes(text);
  const lines = text.split("\n").length;
  const complete = async (query: string): Promise<void> => {
    const position = Array.from(query.slice(0, field.current?.selectionStart ?? query.length)).length;
    const response = await views.completeCypher({ query, position }).catch(() => null);
    setCompletion(response === null || response.items.length === 0 ? null : { start: response.start, items: response.items.slice(0, MAX_ITEMS), chosen: 0 });
  };
  const accept = (item: CompletionItem): void => {
    const end = field.current?.selectionStart ?? text.length;
    const start = Array.from(text).slice(0, completion?.start ?? 0).join("").length;
    onText(text.slice(0, start) + item.text + text.slice(end));
    setCompletion(null);
    requestAnimationFrame(() => field.current?.setSelectionRange(start + item.text.length, start + item.text.length));
  };
  const onInput = (element: HTMLTextAreaElement): void => {
    onText(element.value);
    setCompletion(null);
    if (/[:.]/.test(element.value[element.selectionStart - 1] ?? "")) void complete(element.value);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const chosen = completion?.items[completion.chosen];
    if (event.ctrlKey && event.key === "Enter") onRun();
    else if (event.ctrlKey && event.key === " ") void complete(text);
    else if (completion !== null && event.key === "Escape") setCompletion(null);
    else if (completion !== null && event.key === "ArrowDown") setCompletion({ ...completion, chosen: (completion.chosen + 1) % completion.items.length });
    else if (completion !== null && event.key === "ArrowUp") setCompletion({ ...completion, chosen: (completion.chosen + completion.items.length - 1) % completion.items.length });
    else if (chosen !== undefined && (event.key === "Enter" || event.key === "Tab")) accept(chosen);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div class="editor">
      <div class="editor-area">
        <ol class="line-numbers" aria-hidden="true">{Array.from({ length: lines }, (_, index) => <li>{index + 1}</li>)}</ol>
        <div class="editor-text">
          <pre class="src" aria-hidden="true"><Highlighted text={text} /></pre>
          <textarea ref={field} class="src" aria-label="Cypher query" spellcheck={false} value={text} rows={lines} onInput={(event) => onInput(event.currentTarget)} onKeyDown={onKeyDown} />
        </div>
      </div>
      {completion !== null && <Completions completion={completion} onAccept={accept} />}
      <Notes notes={notes} />
    </div>
  );
}

function Completions({ completion, onAccept }: { completion: Completion; onAccept: (item: CompletionItem) => void }): JSX.Element {
  return (
    <ul class="completions" role="listbox" aria-label="Completions">
      {completion.items.map((item, index) => (
        <li role="option" aria-selected={index === completion.chosen} class={index === completion.chosen ? "on row" : "row"} onMouseDown={(event) => { event.preventDefault(); onAccept(item); }}><b class="m">{item.text}</b><span class="t3 s">{item.kind}</span><span class="t2 s el">{item.meaning}</span></li>
      ))}
    </ul>
  );
}

/** Errors and warnings of the text, some time after typing. */
function useNotes(text: string): readonly CypherNote[] | null {
  const [notes, setNotes] = useState<readonly CypherNote[] | null>(null);
  useEffect(() => {
    setNotes(null);
    if (text.trim() === "") return undefined;
    const controller = new AbortController();
    const timer = setTimeout(() => {
      views.checkCypher({ query: text }, { signal: controller.signal }).then((response) => setNotes(response.notes), () => undefined);
    }, CHECK_PAUSE_MILLISECONDS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [text]);
  return notes;
}

function Notes({ notes }: { notes: readonly CypherNote[] | null }): JSX.Element {
  return (
    <div class="notes s" aria-live="polite">
      {notes === null ? <span class="t3">not checked</span> : notes.length === 0 ? <span><b class="add">✓</b> no warnings</span> : notes.slice(0, 3).map((note) => (
        <p class={note.error ? "rem" : "warning"}>{note.line > 0 ? `Line ${note.line}: ` : ""}<Text text={note.message} /></p>
      ))}
    </div>
  );
}
