// View of one symbol: its request, the hops that the reader opened, and its keys.
import { create } from "@bufbuild/protobuf";
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { useAnswer } from "../answer";
import { AnswerFrame } from "../frame/answer_frame";
import { ExportButton } from "../frame/export";
import { CopyLink } from "../frame/toast";
import { useKeys } from "../frame/keys";
import { openPalette } from "../frame/palette_state";
import { CERTAINTY_CLASSES, counted, shortName, type CertaintyClass } from "../format";
import { PAGE_LINKS } from "../links";
import { PathStrip } from "../paths";
import { navigate, setOptions } from "../route";
import { code, views } from "../services";
import { Direction } from "../v1/repoquarry/v1/code_service_pb";
import { type GetSymbolResponse, type Neighbor } from "../v1/repoquarry/v1/view_service_pb";
import { ListHopsRequestSchema } from "../v1/repoquarry/v1/view_service_pb";
import type { OpenedHops } from "./caller_rows";
import { Meanings } from "./meanings";
import { SymbolPicture } from "./symbol_picture";

interface SymbolViewProps {
  repository: string;
  symbol: string;
  parameters: URLSearchParams;
}

export function SymbolView({ repository, symbol, parameters }: SymbolViewProps): JSX.Element {
  const scope = [`repositories/${repository}`];
  const [answer, retry] = useAnswer(`symbol ${repository} ${symbol}`, (signal) => views.getSymbol({ symbol, repositories: scope }, { signal }));
  return (
    <AnswerFrame answer={answer} onRetry={retry} rows={12}>
      {(value) => value.entity === undefined
        ? <Meanings name={symbol} meanings={value.meanings} />
        : <OpenSymbol key={value.entity?.id ?? symbol} answer={value} repository={repository} parameters={parameters} />}
    </AnswerFrame>
  );
}

function OpenSymbol({ answer, repository, parameters }: { answer: GetSymbolResponse; repository: string; parameters: URLSearchParams }): JSX.Element {
  const hidden = new Set(CERTAINTY_CLASSES.filter((kind) => (parameters.get("hide") ?? "").split(",").includes(kind)));
  const [opened, onHop, onGroup] = useHops(answer, repository, parameters);
  const entity = answer.entity;
  const to = parameters.get("to") ?? "";
  const openFile = (): void => {
    if (entity !== undefined) navigate(PAGE_LINKS.file(entity.repository, entity.path, entity.startLine));
  };
  const findPath = (): void => openPalette("path");
  useKeys({ f: openFile, p: findPath, "1": () => focusColumn(1), "2": () => focusColumn(2), "3": () => focusColumn(3), t: () => focusFirst(".folded"), u: () => focusFirst(".unresolved-box a") });
  return (
    <SymbolPicture
      answer={answer} opened={opened} hidden={hidden} onHop={onHop} onGroup={onGroup}
      onHide={(kind) => setOptions({ hide: toggled(hidden, kind) })}
      actions={(
        <>
          <button onClick={findPath}>Path from here to… <kbd>p</kbd></button>
          <button onClick={openFile}>Open file <kbd>f</kbd></button>
          <CopyLink />
          <ExportButton message={answer} entry="symbol" name={entity?.name ?? "symbol"} />
        </>
      )}
      {...(to !== "" && entity !== undefined ? { strip: <Paths from={entity.id} to={to} repository={repository} /> } : {})}
    />
  );
}

function toggled(hidden: ReadonlySet<CertaintyClass>, kind: CertaintyClass): string {
  return CERTAINTY_CLASSES.filter((each) => hidden.has(each) !== (each === kind)).join(",");
}

function focusColumn(column: number): void {
  document.querySelector<HTMLElement>(`[data-column="${column}"] [data-row][tabindex="0"], [data-column="${column}"][role=tree] [data-row], [data-column="${column}"] a`)?.focus();
}

function focusFirst(selector: string): void {
  document.querySelector<HTMLElement>(selector)?.focus();
}

type Rows = Map<string, readonly Neighbor[]>;

/** Rows of opened hops by caller, and of opened groups by key, for each answer: going back shows them at once. */
const loadedRows = new WeakMap<GetSymbolResponse, { readonly hops: Rows; readonly groups: Rows }>();

/** Return what the address opens on the callers' side, and how to open and close it. */
function useHops(answer: GetSymbolResponse, repository: string, parameters: URLSearchParams): [OpenedHops, (neighbor: Neighbor) => void, (key: string) => void] {
  const [, setLoadedCount] = useState(0);
  const loaded = loadedRows.get(answer) ?? { hops: new Map(), groups: new Map() };
  loadedRows.set(answer, loaded);
  const opened = { open: readList(parameters, "open"), in: readList(parameters, "in") };
  const list = async (symbol: string, group: string): Promise<readonly Neighbor[]> => {
    const held = answer.callers?.groups.find((each) => each.key === group);
    if (held !== undefined && held.rows.length >= Number(held.neighbors)) return held.rows;
    const request = create(ListHopsRequestSchema, { symbol, group, direction: Direction.INCOMING, repositories: [`repositories/${repository}`] });
    const response = await views.listHops(request);
    return response.groups.flatMap((each) => each.rows);
  };
  const load = async (rows: Rows, key: string, symbol: string, group: string): Promise<void> => {
    if (rows.has(key)) return;
    rows.set(key, await list(symbol, group));
    setLoadedCount((loads) => loads + 1);
  };
  useEffect(() => {
    for (const id of opened.open) void load(loaded.hops, id, id, "");
    for (const key of opened.in) void load(loaded.groups, key, answer.entity?.id ?? "", key);
  }, [opened.open.join("\n"), opened.in.join("\n")]);
  const toggle = (name: "open" | "in", key: string): void => {
    const rest = opened[name].filter((each) => each !== key);
    setOptions({ [name]: (rest.length < opened[name].length ? rest : [...rest, key]).map(encodeURIComponent).join(",") });
  };
  const shown = { hops: pick(loaded.hops, opened.open), groups: pick(loaded.groups, opened.in) };
  return [shown, (neighbor) => toggle("open", neighbor.entity?.id ?? ""), (key) => toggle("in", key)];
}

function readList(parameters: URLSearchParams, name: string): string[] {
  return (parameters.get(name) ?? "").split(",").filter((text) => text !== "").map(decodeURIComponent);
}

function pick(rows: Rows, keys: readonly string[]): ReadonlyMap<string, readonly Neighbor[]> {
  return new Map([...rows].filter(([key]) => keys.includes(key)));
}

/** Paths to another symbol, the most certain first. */
function Paths({ from, to, repository }: { from: string; to: string; repository: string }): JSX.Element {
  const repositories = [`repositories/${shortName(repository)}`];
  const [answer] = useAnswer(`path ${from} ${to}`, (signal) => code.findPaths({ fromSymbol: from, toSymbol: to, repositories, maxPaths: 5 }, { signal }));
  const close = <button onClick={() => setOptions({ to: "" })}>Close</button>;
  if (answer.state === "loading") return <div class="strip s t3">Looking for paths to <b class="m">{to}</b> {close}</div>;
  if (answer.state === "failed") return <div class="strip s">{answer.failure.title} {answer.failure.detail} {close}</div>;
  const paths = answer.value.paths;
  return (
    <div class="strip">
      <div class="row s"><b>{paths.length === 0 ? "No path is known" : counted(paths.length, "path")}</b> <span class="t3">to {to}{paths.length === 0 ? "; unresolved calls may still lead there." : ", the most certain first"}</span><span class="sp" />{close}</div>
      {paths.map((path) => <PathStrip path={path} />)}
    </div>
  );
}
