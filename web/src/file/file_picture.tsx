// File: source with the callers of its definitions left and the calls of each line right. A function of the loaded pages of a file.
import { create } from "@bufbuild/protobuf";
import type { JSX } from "preact";
import { Columns } from "../frame/column_tabs";
import { useMemo, useRef, useState } from "preact/hooks";
import { baseName, certaintyClass, count, counted, displayName, lineList, place, reasonSentence, reasonWords } from "../format";
import { EntityLink, PlaceLink } from "../links";
import { moveInList } from "../lists";
import { EdgeCertainty, EdgeMark, edgeWords } from "../marks";
import { foldDocstrings, groupByLine, LINE_HEIGHT, SourceRows, type ShownLine } from "../source";
import { Badge, Spoken, Text } from "../text";
import { GroupKind, SourceLineSchema, type CallSite, type GetFileResponse, type LineCallers, type NeighborGroup } from "../v1/repoquarry/v1/view_service_pb";
import { layoutMargin, type MarginGroup } from "./margin_rows";
import { Outline, owners } from "./outline";
import { useRestingRows, useVisibleRows, type RowRange } from "./visible_rows";

const HEAD_HEIGHT = 28;

export interface FilePictureProps {
  /** Loaded pages of the file, at least one. */
  pages: readonly GetFileResponse[];
  /** Line of the address; 0 for none. */
  line: number;
  onLine: (line: number) => void;
  /** Called with the lines in view. */
  onShow: (first: number, last: number) => void;
  actions?: JSX.Element;
}

export function FilePicture({ pages, line, onLine, onShow, actions }: FilePictureProps): JSX.Element {
  const [answer] = pages;
  const [opened, setOpened] = useState<ReadonlySet<number>>(new Set());
  const file = useMemo(() => joinPages(pages, opened), [pages, opened]);
  const { lines, calls, callers } = file;
  const scroller = useRef<HTMLDivElement>(null);
  const rows = useVisibleRows(scroller, lines.length, line > 0 ? lines.findIndex((shown) => shown.number >= line) : -1, HEAD_HEIGHT);
  useRestingRows(rows, () => onShow(lines[rows.first]?.number ?? 1, lines[rows.end - 1]?.number ?? 1));
  if (answer === undefined) return <div class="v-file" />;
  const space = { height: `${lines.length * LINE_HEIGHT}px`, paddingTop: `${rows.first * LINE_HEIGHT}px` };
  return (
    <div class="v-file">
      <FileTitle answer={answer} actions={actions} />
      <Columns names={["Outline", "Source"]} first="Source" drawer={{ key: "o", column: 1 }}>
        <Outline answer={answer} callers={callers} isLoaded={(number) => isLoaded(pages, number)} line={line} onLine={onLine} />
        <div class="scroll page-lines" data-column="2" ref={scroller} tabIndex={0} role="group" aria-label="Source with callers and calls">
          <CallerMargin file={file} path={answer.source?.path ?? ""} rows={rows} />
          <section class="source" aria-label="Source">
            <div class="column-head"><Location answer={answer} line={line} /><span class="sp" /><span class="t3">{line > 0 ? `line ${line} of ` : ""}{count(answer.source?.totalLines ?? 0n)}{line > 0 ? "" : " lines"}</span></div>
            <div class="rows" style={space}><SourceRows lines={lines.slice(rows.first, rows.end)} calls={calls} current={line} indentation={0} onUnfold={(number) => setOpened(new Set([...opened, number]))} /></div>
          </section>
          <CallMargin file={file} rows={rows} />
        </div>
      </Columns>
    </div>
  );
}

interface LoadedFile {
  readonly lines: readonly ShownLine[];
  readonly calls: readonly CallSite[];
  readonly callers: readonly LineCallers[];
}

const NOT_LOADED = create(SourceLineSchema);

/** Join the loaded pages. Docstrings are folded in a file of one page only: with more, each line keeps its place while others load. */
function joinPages(pages: readonly GetFileResponse[], opened: ReadonlySet<number>): LoadedFile {
  const loaded = pages.flatMap((page) => page.source?.lines ?? []);
  const total = Number(pages[0]?.source?.totalLines ?? 0n);
  const byNumber = new Map(loaded.map((each) => [Number(each.number), each]));
  const all = (): ShownLine[] => Array.from({ length: total }, (_, index) => ({ number: index + 1, line: byNumber.get(index + 1) ?? NOT_LOADED, folded: 0 }));
  return {
    lines: loaded.length >= total && pages.length === 1 ? foldDocstrings(loaded, opened) : all(),
    calls: pages.flatMap((page) => page.calls.filter(isListed)),
    callers: pages.flatMap((page) => page.callers),
  };
}

function isLoaded(pages: readonly GetFileResponse[], line: number): boolean {
  return pages.some(({ source }) => source !== undefined && source.startLine <= line && line <= source.endLine);
}

/** Return the groups with a row between these rows of source. */
function visibleGroups<T>(groups: readonly MarginGroup<T>[], rows: RowRange): readonly MarginGroup<T>[] {
  return groups.filter((group) => (group.rows.at(-1)?.y ?? 0) >= rows.first * LINE_HEIGHT && (group.rows[0]?.y ?? 0) < rows.end * LINE_HEIGHT);
}

function isListed(call: CallSite): boolean {
  return call.targets.length > 0 || call.unresolved !== undefined;
}

function FileTitle({ answer, actions }: { answer: GetFileResponse; actions: JSX.Element | undefined }): JSX.Element {
  const path = answer.source?.path ?? answer.entity?.path ?? "";
  const name = baseName(path);
  const classes = answer.outline.filter((entity) => entity.label === "Class").length;
  const functions = answer.outline.filter((entity) => entity.label === "Function").length;
  const facts = [counted(answer.source?.totalLines ?? 0n, "line"), counted(classes, "class", "classes"), counted(functions, "function")];
  const unresolved = answer.unresolvedSites;
  return (
    <header class="title row">
      <Badge>file</Badge>
      <h1 class="m el" title={path}><span class="t3">{path.slice(0, -name.length)}</span><b><Text text={name} /></b></h1>
      <span class="s t2 answer">{facts.join(", ")}; {answer.importedBy.length === 0 ? "nothing imports this file" : `${counted(answer.importedBy.length, "file imports", "files import")} it`}</span>
      <span class="sp" />
      <span class="s t3">{unresolved === 0n ? "no unresolved call in this file" : `${counted(unresolved, "unresolved call")} in this file`}</span>
      {actions}
    </header>
  );
}

/** Definitions around the line of the address. */
function Location({ answer, line }: { answer: GetFileResponse; line: number }): JSX.Element {
  const around = owners(answer.outline, line);
  if (around.length === 0) return <span class="t3">top of the file</span>;
  return <span class="m el">{around.map((entity, index) => <>{index > 0 && <span class="t3"> › </span>}<EntityLink entity={entity} name={entity.name} class={index === around.length - 1 ? "b" : ""} /></>)}</span>;
}

function CallerMargin({ file, path, rows }: { file: LoadedFile; path: string; rows: RowRange }): JSX.Element {
  const groups = useMemo(() => layoutMargin(file.lines, new Map(file.callers.map((each) => [Number(each.line), each.groups]))), [file]);
  return (
    <section class="caller-margin" aria-label="Callers of each definition">
      <div class="column-head"><h2>Called by</h2></div>
      <ul role="tree" aria-label="Callers of each definition" onKeyDown={moveInList} style={{ height: `${file.lines.length * LINE_HEIGHT}px` }}>
        {visibleGroups(groups, rows).flatMap((group, index) => [
          ...group.rows.map((row, inner) => <CallerItem key={`${group.line} ${inner}`} y={row.y} group={row.item} path={path} tab={index === 0 && inner === 0 ? 0 : -1} />),
          ...(group.more > 0 ? [<More key={`${group.line} more`} group={group} />] : []),
        ])}
      </ul>
    </section>
  );
}

function CallerItem({ y, group, path, tab }: { y: number; group: NeighborGroup; path: string; tab: number }): JSX.Element {
  const [best] = [...group.rows].sort((a, b) => b.confidence - a.confidence);
  const isTests = group.kind === GroupKind.TESTS;
  const lines = lineList(group.rows.flatMap((row) => row.lines));
  const text = isTests ? counted(group.neighbors, "test") : group.key === path ? `here: ${lines}` : `${baseName(group.key)}${group.neighbors > 1n ? ` ×${group.neighbors}` : ""}`;
  const names = group.rows.map((row) => (row.entity === undefined ? "" : displayName(row.entity))).join(", ");
  const words = `${counted(group.neighbors, "caller")} in ${isTests ? "tests" : group.key}: ${names}${best === undefined ? "" : `, ${edgeWords(best)}`}`;
  return (
    <li role="treeitem" data-row tabIndex={tab} title={words} style={{ top: `${y}px` }}>
      {best?.entity !== undefined ? <PlaceLink repository={best.entity.repository} path={best.entity.path} line={best.lines[0] ?? best.entity.startLine} text={text} /> : <span class="m el"><Text text={text} /></span>}
      <Spoken text={`, ${counted(group.neighbors, "caller")}: ${names} `} />
      {best !== undefined && <><EdgeCertainty edge={best} /><EdgeMark kind={certaintyClass(best.certainty)} width={22} /></>}
    </li>
  );
}

function More<T>({ group }: { group: MarginGroup<T> }): JSX.Element {
  const y = (group.rows.at(-1)?.y ?? 0) + LINE_HEIGHT;
  return <li class="t3 xs" style={{ top: `${y}px` }} role="treeitem" tabIndex={-1}>{group.more} more on this line</li>;
}

interface CalledItem {
  readonly call: CallSite;
  /** Index of the target; -1 for the folded ones, -2 for the unresolved call. */
  readonly target: number;
}

function calledItems(calls: readonly CallSite[]): Map<number, CalledItem[]> {
  const items = new Map<number, CalledItem[]>();
  for (const [line, own] of groupByLine(calls)) {
    items.set(line, own.flatMap((call) => {
      const rows = call.targets.slice(0, 1).map((_, target) => ({ call, target }));
      const others = call.targets.length - 1 + Number(call.folded?.count ?? 0);
      if (others > 0) rows.push({ call, target: -1 });
      return call.unresolved === undefined ? rows : [...rows, { call, target: -2 }];
    }));
  }
  return items;
}

function CallMargin({ file, rows }: { file: LoadedFile; rows: RowRange }): JSX.Element {
  const groups = useMemo(() => layoutMargin(file.lines, calledItems(file.calls)), [file]);
  return (
    <section class="call-margin" aria-label="Calls of each line">
      <div class="column-head"><h2>Calls</h2><span class="sp" /><span class="t3">built-ins hidden</span></div>
      <ul role="tree" aria-label="Calls of each line" onKeyDown={moveInList} style={{ height: `${file.lines.length * LINE_HEIGHT}px` }}>
        {visibleGroups(groups, rows).flatMap((group, index) => [
          ...group.rows.map((row, inner) => <Called key={`${group.line} ${inner}`} y={row.y} item={row.item} tab={index === 0 && inner === 0 ? 0 : -1} />),
          ...(group.more > 0 ? [<More key={`${group.line} more`} group={group} />] : []),
        ])}
      </ul>
    </section>
  );
}

function Called({ y, item, tab }: { y: number; item: CalledItem; tab: number }): JSX.Element {
  const { call, target } = item;
  const row = { role: "treeitem" as const, "data-row": true, tabIndex: tab, style: { top: `${y}px` } };
  const neighbor = call.targets[target];
  if (neighbor?.entity !== undefined) {
    const words = `${displayName(neighbor.entity)}, ${place(neighbor.entity)}, called on line ${call.line}, ${edgeWords(neighbor)}`;
    return <li {...row} title={words}><EdgeMark kind={certaintyClass(neighbor.certainty)} width={22} /><EntityLink entity={neighbor.entity} tabIndex={-1} /><Spoken text={`, called on line ${call.line}, `} /><span class="t3 el">{baseName(neighbor.entity.path)}</span><span class="sp" /><EdgeCertainty edge={neighbor} /></li>;
  }
  if (target === -1) {
    const others = call.targets.slice(1);
    const total = others.length + Number(call.folded?.count ?? 0);
    const names = [...others.map((each) => (each.entity === undefined ? "" : displayName(each.entity))), ...(call.folded?.names ?? [])];
    const words = `${counted(total, "other target")} may run instead on line ${call.line}: ${names.join(", ")}`;
    return <li {...row} title={words}><EdgeMark kind="one-of" width={22} /><span class="el">{counted(total, "other target")} may run instead</span><Spoken text={` on line ${call.line}: ${names.join(", ")}`} /></li>;
  }
  const reason = reasonWords(call.unresolved?.reason ?? "");
  const words = `${call.unresolved?.name ?? ""} on line ${call.line}, unresolved, ${reason}`;
  return <li {...row} title={`${words}. ${reasonSentence(reason)}`}><EdgeMark kind="unresolved" width={22} /><span class="m t2 el"><Text text={call.unresolved?.name ?? ""} /></span><Spoken text={` on line ${call.line}, unresolved, `} /><span class="t3 el">{reason}</span><span class="sp" /><span class="p t3">?</span></li>;
}
