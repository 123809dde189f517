// Search palette: all meanings of a name with their places, then other ways to look. Nothing is chosen silently.
import type { JSX } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { count, counted, displayName, kindWord, shortName } from "../format";
import { PAGE_LINKS } from "../links";
import { navigate, setOptions } from "../route";
import { code } from "../services";
import { Badge, cutName, Text } from "../text";
import { SearchMode } from "../v1/repoquarry/v1/code_service_pb";
import type { Entity } from "../v1/repoquarry/v1/entities_pb";
import { openPalette, paletteMode } from "./palette_state";

const TYPING_PAUSE_MILLISECONDS = 80;
const MAX_DEFINITIONS = 6;
const MAX_CONTAINING = 4;

interface Choice {
  readonly group: string;
  readonly badge: string;
  readonly entity?: Entity;
  readonly text?: string;
  readonly note: string;
  readonly open: () => void;
}

export function Palette({ repository }: { repository: string }): JSX.Element | null {
  return paletteMode.value === "closed" ? null : <OpenPalette repository={repository} />;
}

function OpenPalette({ repository }: { repository: string }): JSX.Element {
  const [text, setText] = useState("");
  const [found, setFound] = useState<{ text: string; choices: Choice[] }>({ text: "", choices: [] });
  const [chosen, setChosen] = useState(0);
  const input = useRef<HTMLInputElement>(null);
  const previous = useRef(document.activeElement);
  useLayoutEffect(() => { // Before the next key, which would be a key of the view otherwise.
    input.current?.focus();
    return () => {
      if (previous.current instanceof HTMLElement) previous.current.focus();
    };
  }, []);
  useLookup(text, repository, (choices) => {
    setFound({ text, choices });
    setChosen(0);
  });
  const choices = [...found.choices, ...otherWays(text, repository)];
  const close = (): void => openPalette("closed");
  const open = (choice: Choice | undefined, asPath: boolean): void => {
    if (choice === undefined) return;
    const wantsPath = (asPath || paletteMode.value === "path") && choice.entity !== undefined;
    close();
    if (wantsPath && location.pathname.includes("/s/")) setOptions({ to: choice.entity?.id ?? "" });
    else choice.open();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === "Escape") close();
    else if (event.key === "ArrowDown") setChosen(Math.min(chosen + 1, choices.length - 1));
    else if (event.key === "ArrowUp") setChosen(Math.max(chosen - 1, 0));
    else if (event.key === "Enter") open(event.ctrlKey ? choices.find((choice) => choice.badge === "search") : choices[chosen], event.shiftKey);
    else if (event.key === "Tab" && text !== "") open(choices.find((choice) => choice.badge === "ask"), false);
    else if (event.key !== "Tab") return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div class="scrim" onClick={(event) => { if (event.target === event.currentTarget) close(); }}>
      <div class="palette" role="dialog" aria-modal="true" aria-label="Find">
        <div class="palette-input">
          <input ref={input} role="combobox" aria-expanded="true" aria-controls="choices" aria-activedescendant={`choice-${chosen}`} aria-label={paletteMode.value === "path" ? "Path from here to" : "Find a name or ask a question"}
            placeholder={paletteMode.value === "path" ? "Path from here to…" : "Find a name or ask a question"} autocomplete="off" spellcheck={false}
            value={text} onInput={(event) => setText(event.currentTarget.value)} onKeyDown={onKeyDown} />
          <span class="t3 s">{repository === "" ? "in all repositories" : `in ${repository}`}</span><kbd>Esc</kbd>
        </div>
        <Choices choices={choices} chosen={chosen} needle={found.text} onOpen={(choice) => open(choice, false)} />
        <div class="palette-foot xs t3"><span><kbd>↑</kbd> <kbd>↓</kbd> choose</span><span><kbd>↵</kbd> open</span><span><kbd>⇧ ↵</kbd> path from here to it</span><span class="sp" /><span>{found.text !== "" && counted(found.choices.filter((choice) => choice.group.startsWith("Definitions")).length, "definition has this name", "definitions have this name")}</span></div>
      </div>
    </div>
  );
}

function Choices({ choices, chosen, needle, onOpen }: { choices: readonly Choice[]; chosen: number; needle: string; onOpen: (choice: Choice) => void }): JSX.Element {
  return (
    <ul id="choices" role="listbox" aria-label="Choices">
      {choices.map((choice, index) => (
        <>
          {choice.group !== choices[index - 1]?.group && <li class="cap choice-group" role="presentation">{choice.group}</li>}
          <li id={`choice-${index}`} role="option" aria-selected={index === chosen} class={index === chosen ? "choice on" : "choice"} onClick={() => onOpen(choice)}>
            <Badge>{choice.badge}</Badge>
            {choice.entity !== undefined ? (
              <><span class="m b"><Marked text={cutName(displayName(choice.entity))} needle={needle} /></span><span class="m t3 el">{choice.entity.path}{choice.entity.startLine > 0n ? `:${choice.entity.startLine}` : ""}</span></>
            ) : <span class="el"><Text text={choice.text ?? ""} /></span>}
            <span class="sp" /><span class="t3 s">{choice.note}</span>
          </li>
        </>
      ))}
    </ul>
  );
}

function Marked({ text, needle }: { text: string; needle: string }): JSX.Element {
  const at = needle === "" ? -1 : text.toLowerCase().lastIndexOf(needle.toLowerCase());
  if (at < 0) return <Text text={text} />;
  return <><Text text={text.slice(0, at)} /><mark>{text.slice(at, at + needle.length)}</mark><Text text={text.slice(at + needle.length)} /></>;
}

/** Look names up after a pause in typing; a late answer is dropped. */
function useLookup(text: string, repository: string, onFound: (choices: Choice[]) => void): void {
  useEffect(() => {
    if (text.trim() === "") {
      onFound([]);
      return undefined;
    }
    const controller = new AbortController();
    const timer = setTimeout(() => {
      lookUp(text.trim(), repository, controller.signal).then(
        (choices) => !controller.signal.aborted && onFound(choices),
        () => undefined,
      );
    }, TYPING_PAUSE_MILLISECONDS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [text, repository]);
}

async function lookUp(text: string, repository: string, signal: AbortSignal): Promise<Choice[]> {
  const scope = repository === "" ? [] : [`repositories/${repository}`];
  const [named, similar] = await Promise.allSettled([
    code.resolveName({ symbol: text, repositories: scope, pageSize: MAX_DEFINITIONS }, { signal }),
    code.search({ query: text, mode: SearchMode.KEYWORD, repositories: scope, pageSize: 20 }, { signal }),
  ]);
  const meanings = named.status === "fulfilled" ? named.value.meanings : [];
  const ids = new Set(meanings.map((meaning) => meaning.entity?.id));
  const hits = similar.status === "fulfilled" ? similar.value.hits : [];
  const containing = hits.flatMap((hit) => (hit.entity === undefined ? [] : [hit.entity]))
    .filter((entity) => !ids.has(entity.id) && displayName(entity).toLowerCase().includes(text.toLowerCase()));
  const [first] = meanings;
  const unresolved = Number(first?.possibleCallSites ?? 0);
  const definitions = meanings.flatMap((meaning) => {
    const sites = meaning.measures.find((measure) => measure.name === "calls_in")?.value;
    return meaning.entity === undefined ? [] : [entityChoice(`Definitions named ${text}`, meaning.entity, sites === undefined ? "" : counted(sites, "call site"))];
  });
  const sites: Choice[] = unresolved === 0 ? [] : [{ group: "Unresolved", badge: "sites", text: `${count(unresolved)} unresolved calls of ${first?.entity?.name ?? text}`, note: "", open: () => openUnresolved(first?.entity?.name ?? text, repository) }];
  return [...definitions, ...containing.slice(0, MAX_CONTAINING).map((entity) => entityChoice("Names that contain it", entity, entity.isTest ? "in tests" : "")), ...sites];
}

function entityChoice(group: string, entity: Entity, note: string): Choice {
  const open = (): void => navigate(PAGE_LINKS.entity(entity) || PAGE_LINKS.repository(entity.repository));
  return { group, badge: kindWord(entity), entity, note, open };
}

function openUnresolved(name: string, repository: string): void {
  const query = `MATCH (f)-[u:UNRESOLVED]->(n:Name {name: '${name.replaceAll("'", "\\'")}'})\nRETURN f, u.reason AS reason, u.count AS sites, u.lines AS lines\nORDER BY sites DESC LIMIT 200`;
  navigate(`/query?${new URLSearchParams({ in: shortName(repository), q: query }).toString()}`);
}

function otherWays(text: string, repository: string): Choice[] {
  if (text.trim() === "") return [];
  const scope = repository === "" ? {} : { in: repository };
  const to = (mode: string) => (): void => navigate(`/query?${new URLSearchParams({ ...scope, mode, q: text.trim() }).toString()}`);
  return [
    { group: "Or", badge: "ask", text: `“${text.trim()}” as a question: places that matter, with source, callers and tests`, note: "Tab", open: to("ask") },
    { group: "Or", badge: "search", text: "the text of code and documents", note: "Ctrl ↵", open: to("search") },
  ];
}
