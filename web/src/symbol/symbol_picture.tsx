// Symbol: callers left, source in the middle, calls right. A function of one GetSymbolResponse and of what the reader opened.
import type { JSX } from "preact";
import { Columns } from "../frame/column_tabs";
import { useRef, useState } from "preact/hooks";
import { CERTAINTY_CLASSES, classWords, confidence, count, counted, kindWord, lineRange, place, splitSentence, type CertaintyClass } from "../format";
import { EntityLink, PlaceLink } from "../links";
import { EdgeMark } from "../marks";
import { callClass, foldDocstrings, LINE_HEIGHT, SourceRows, type ShownLine } from "../source";
import { Badge, OwnedName, Text } from "../text";
import type { GetSymbolResponse } from "../v1/repoquarry/v1/view_service_pb";
import { layoutCalls, type CallGroup } from "./call_layout";
import { CallEdges, CallTargets } from "./calls";
import type { OpenedHops } from "./caller_rows";
import { Callers, type CallerActions } from "./callers";

const HEAD_HEIGHT = 28;

export interface SymbolPictureProps extends CallerActions {
  answer: GetSymbolResponse;
  opened: OpenedHops;
  hidden: ReadonlySet<CertaintyClass>;
  onHide: (kind: CertaintyClass) => void;
  /** Buttons at the right of the title. */
  actions?: JSX.Element;
  /** Strip above the source: paths to another symbol. */
  strip?: JSX.Element;
}

export function SymbolPicture(props: SymbolPictureProps): JSX.Element {
  return (
    <div class="v-symbol">
      <SymbolTitle {...props} />
      {props.strip}
      <Columns names={["Callers", "Source", "Calls"]} first="Source">
        <Callers {...props} />
        <Reading answer={props.answer} hidden={props.hidden} />
      </Columns>
    </div>
  );
}

function SymbolTitle({ answer, hidden, onHide, actions }: SymbolPictureProps): JSX.Element | null {
  const entity = answer.entity;
  if (entity === undefined) return null;
  const [sentence, rest] = splitSentence(answer.docstring || entity.summary);
  return (
    <header class="title">
      <div class="row">
        <Badge>{kindWord(entity)}</Badge>
        <h1 class="m el" title={entity.qualname}><OwnedName name={entity.qualname || entity.name} /></h1>
        <PlaceLink repository={entity.repository} path={entity.path} line={entity.startLine} text={lineRange(entity)} />
        <span class="sp" />
        {actions}
      </div>
      <p class="doc el" title={answer.docstring}>{sentence === "" ? <span class="t3">No docstring.</span> : <Text text={sentence} />} <span class="t3"><Text text={rest} /></span></p>
      <div class="row">
        <AnswerLine answer={answer} />
        <span class="sp" />
        <Legend hidden={hidden} onHide={onHide} />
      </div>
    </header>
  );
}

function AnswerLine({ answer }: { answer: GetSymbolResponse }): JSX.Element {
  const figures = answer.figures;
  const tests = Number(figures?.testCallers ?? 0);
  const callers = Number(figures?.callers ?? 0) - tests;
  const files = Number(figures?.callerFiles ?? 0) - Number(figures?.testFiles ?? 0);
  const expected = `about ${count(Math.round(figures?.expected ?? 0))} expected by the sum of confidences`;
  const isClass = answer.entity?.label === "Class";
  const unresolved = Number(figures?.unresolvedSites ?? 0);
  const overriders = Number(figures?.overriddenBy ?? 0);
  const references = Number(figures?.references ?? 0);
  return (
    <p class="answer el">
      <span title={expected}>{callers + tests === 0 ? <><b>No caller</b> is known</> : <><b>{counted(callers, "caller")}</b> {callers === 0 ? "outside tests" : `in ${counted(files, "file")}`}</>}</span>
      {tests > 0 && <span><b>{count(tests)}</b> in tests</span>}
      {unresolved > 0 ? <span><b>{count(unresolved)}</b> unresolved {unresolved === 1 ? "call may be a caller" : "calls may be callers"}</span> : <span class="t3">no unresolved call has this name</span>}
      {overriders > 0 && <span title={names(answer.overriddenBy)}><b>{count(overriders)}</b> {isClass ? (overriders === 1 ? "subclass" : "subclasses") : overriders === 1 ? "override" : "overrides"}</span>}
      {answer.overrides.length > 0 && <span title={names(answer.overrides)}>{isClass ? "extends" : "overrides"} {answer.overrides.slice(0, 2).map((each) => each.entity !== undefined && <EntityLink entity={each.entity} />)}</span>}
      {references > 0 ? <span title={names(answer.references)}><b>{count(references)}</b> {references === 1 ? "reference" : "references"}</span> : <span class="t3">0 references</span>}
      {answer.entryPoints.length > 0 && <span><b>entry point</b> <Text text={answer.entryPoints[0] ?? ""} /></span>}
      <span class="t3">{answer.owners.length > 0 ? <Text text={answer.owners.map((owner) => owner.name).join(", ")} /> : `no owners: ${answer.historyMissing || "no git history"}`}</span>
    </p>
  );
}

function names(neighbors: GetSymbolResponse["references"]): string {
  return neighbors.map((each) => (each.entity === undefined ? "" : `${each.entity.qualname} ${place(each.entity)}`)).join("\n");
}

/** Legend of certainty, which is also the filter. */
function Legend({ hidden, onHide }: { hidden: ReadonlySet<CertaintyClass>; onHide: (kind: CertaintyClass) => void }): JSX.Element {
  return (
    <div class="legend" role="group" aria-label="Certainty shown">
      {CERTAINTY_CLASSES.map((kind) => (
        <button aria-pressed={!hidden.has(kind)} title={hidden.has(kind) ? `Show edges: ${classWords(kind)}` : `Hide edges: ${classWords(kind)}`} onClick={() => onHide(kind)}><EdgeMark kind={kind} /> {classWords(kind)}</button>
      ))}
    </div>
  );
}

/** Source and calls: two columns that scroll as one. */
function Reading({ answer, hidden }: { answer: GetSymbolResponse; hidden: ReadonlySet<CertaintyClass> }): JSX.Element {
  const [opened, setOpened] = useState<ReadonlySet<number>>(new Set());
  const [bottom, setBottom] = useState(0);
  const scroller = useRef<HTMLDivElement>(null);
  const lines = foldDocstrings(answer.source?.lines ?? [], opened);
  const calls = answer.calls.filter((call) => !hidden.has(callClass(call)));
  const [groups, callsHeight] = layoutCalls(lines, calls, hidden);
  const height = Math.max(lines.length * LINE_HEIGHT, callsHeight) + 34;
  const measure = (element: HTMLDivElement | null): void => {
    if (element !== null) setBottom(element.scrollTop + element.clientHeight - HEAD_HEIGHT - 34);
  };
  const isOutline = answer.entity?.label === "Class" && answer.members.length > 0;
  return (
    <div class="reading">
      <div class="scroll pair" ref={(element) => { scroller.current = element; if (element !== null && bottom === 0) measure(element); }} onScroll={() => measure(scroller.current)}>
        <section class="source" aria-label="Source" data-column="2">
          <SourceHead answer={answer} />
          {isOutline ? <Members answer={answer} /> : (
            <SourceRows lines={lines} calls={groups.map((group) => group.call)} current={Number(answer.entity?.startLine ?? 0)} onUnfold={(line) => setOpened(new Set([...opened, line]))} />
          )}
        </section>
        {isOutline ? <span /> : <CallEdges groups={groups} height={height} />}
        {isOutline ? <span /> : <CallTargets groups={groups} external={answer.externalCalls} height={height} />}
      </div>
      {!isOutline && bottom > 0 && <Below lines={lines} groups={groups} bottom={bottom} />}
    </div>
  );
}

function SourceHead({ answer }: { answer: GetSymbolResponse }): JSX.Element {
  const owner = answer.entity?.qualname.split(".").slice(0, -1).join(".") ?? "";
  const cut = answer.source?.cut;
  const shown = answer.source?.lines.length ?? 0;
  const note = cut !== undefined && cut.shown < cut.total ? `${count(cut.shown)} of ${counted(cut.total, "line")}` : counted(shown, "line");
  const parent = answer.entity === undefined || owner === "" ? undefined : { ...answer.entity, qualname: owner, label: "Class", kind: "class" };
  return (
    <div class="column-head">
      {parent !== undefined ? <><span class="m t3">in</span> <EntityLink entity={parent} /></> : <span class="m t3 el">{answer.source?.path}</span>}
      <span class="sp" /><span class="t3">{note} · indexed source</span>
    </div>
  );
}

/** Definitions of a class, by line. */
function Members({ answer }: { answer: GetSymbolResponse }): JSX.Element {
  return (
    <ul class="members">
      {answer.members.map((member) => (
        <li class="row"><i>{String(member.startLine)}</i><EntityLink entity={member} name={member.name} class="b" /><span class="t3 s el" title={member.signature}><Text text={member.summary || member.signature} /></span></li>
      ))}
    </ul>
  );
}

/** Strip at the fold: how many lines and which calls lie below. */
function Below({ lines, groups, bottom }: { lines: readonly ShownLine[]; groups: readonly CallGroup[]; bottom: number }): JSX.Element | null {
  const hiddenLines = lines.length - Math.floor(bottom / LINE_HEIGHT);
  if (hiddenLines <= 0) return null;
  const below = groups.filter((group) => group.lineY > bottom);
  const listed = below.slice(0, 4);
  return (
    <p class="below s">
      <span class="t3">▾ {counted(hiddenLines, "more line")}{below.length > 0 ? `, ${counted(below.length, "call")}:` : ", no call"}</span>
      {listed.map((group) => {
        const [first] = group.call.targets;
        const name = first?.entity?.name ?? group.call.unresolved?.name ?? "";
        return <span class="m el">{String(group.call.line)} <Text text={name} />{first !== undefined && <span class={`p ${callClass(group.call)}`}> {confidence(first.confidence)}</span>}</span>;
      })}
      {below.length > listed.length && <span class="t3">{below.length - listed.length} more</span>}
    </p>
  );
}
