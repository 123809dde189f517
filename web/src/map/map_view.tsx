// View of the map of a folder or file: its request, options and keys.
import type { JSX } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { useAnswer } from "../answer";
import { AnswerFrame } from "../frame/answer_frame";
import { useKeys } from "../frame/keys";
import { counted } from "../format";
import { encodePath, PAGE_LINKS } from "../links";
import { navigate, setOptions } from "../route";
import { views } from "../services";
import { Text } from "../text";
import { LevelColor, type GetLevelsResponse, type LevelBox } from "../v1/repoquarry/v1/view_service_pb";
import { MapPicture } from "./map_picture";

const COLORS: readonly (readonly [string, LevelColor])[] = [["importance", LevelColor.IMPORTANCE], ["changes", LevelColor.CHANGES], ["tests", LevelColor.TESTS], ["owner", LevelColor.OWNER]];
const MAX_MATRIX_DENSITY = 0.6;
const MIN_DENSE_BOXES = 6;

interface MapViewProps {
  repository: string;
  path: string;
  parameters: URLSearchParams;
}

export function MapView({ repository, path, parameters }: MapViewProps): JSX.Element {
  const color = COLORS.find(([name]) => name === parameters.get("color"))?.[1] ?? LevelColor.IMPORTANCE;
  const tests = parameters.get("tests") === "1";
  const request = { repository: `repositories/${repository}`, folder: path, tests, color };
  const [answer, retry] = useAnswer(`map ${repository} ${path} ${color} ${tests}`, (signal) => views.getLevels(request, { signal }));
  return (
    <AnswerFrame answer={answer} onRetry={retry} rows={10}>
      {(value) => <OpenMap answer={value} repository={repository} parameters={parameters} color={color} tests={tests} />}
    </AnswerFrame>
  );
}

/** Return whether so many parts use each other that arrows would hide the picture. */
function isDense(answer: GetLevelsResponse): boolean {
  const parts = answer.boxes.length;
  return parts >= MIN_DENSE_BOXES && answer.arrows.length > MAX_MATRIX_DENSITY * parts * (parts - 1);
}

function OpenMap({ answer, repository, parameters, color, tests }: { answer: GetLevelsResponse; repository: string; parameters: URLSearchParams; color: LevelColor; tests: boolean }): JSX.Element {
  const [width, setWidth] = useState(0);
  const frame = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const measure = (): void => setWidth((document.querySelector(".v-map .levels")?.clientWidth ?? frame.current?.clientWidth ?? 1000) - 1);
    measure();
    addEventListener("resize", measure);
    return () => removeEventListener("resize", measure);
  }, [answer]);
  const selected = parameters.get("box") ?? "";
  const isMatrix = (parameters.get("as") ?? (isDense(answer) ? "matrix" : "levels")) === "matrix";
  const setMatrix = (isOn: boolean): void => setOptions({ as: isOn ? "matrix" : isDense(answer) ? "levels" : "" });
  const select = (path: string): void => setOptions({ box: path });
  const enter = (box: LevelBox): void => navigate(answer.byCalls ? definitionUrl(repository, box) : PAGE_LINKS.folder(repository, box.path));
  const leave = (): void => navigate(PAGE_LINKS.folder(repository, answer.folder.split("/").slice(0, -1).join("/")));
  useKeys({ x: () => setMatrix(!isMatrix), Backspace: leave, ...(selected === "" ? {} : { Escape: () => select("") }) });
  return (
    <div class="view-fill" ref={frame}>
      <MapPicture answer={answer} color={color} selected={selected} isMatrix={isMatrix} width={Math.max(width, 400)} onSelect={select} onEnter={enter}
        toolbar={<Toolbar answer={answer} repository={repository} color={color} tests={tests} isMatrix={isMatrix} onMatrix={setMatrix} />} />
    </div>
  );
}

function definitionUrl(repository: string, box: LevelBox): string {
  const symbol = box.path.slice(box.path.indexOf(":") + 1);
  return `${PAGE_LINKS.repository(repository)}/s/${encodePath(symbol)}`;
}

interface ToolbarProps {
  answer: GetLevelsResponse;
  repository: string;
  color: LevelColor;
  tests: boolean;
  isMatrix: boolean;
  onMatrix: (isOn: boolean) => void;
}

function Toolbar({ answer, repository, color, tests, isMatrix, onMatrix }: ToolbarProps): JSX.Element {
  const levels = new Set(answer.boxes.map((box) => box.level)).size;
  const what = answer.byCalls ? "by calls" : "arrows point to what is used";
  return (
    <div class="toolbar">
      <Crumbs repository={repository} path={answer.folder} />
      <h1 class="t3 s el">{counted(answer.boxes.length, "part")} on {counted(levels, "level")}, {what}</h1>
      <span class="sp" />
      <span class="t3 s">Color</span>
      <div class="segments" role="group" aria-label="Color by">
        {COLORS.map(([name, each]) => <button aria-pressed={each === color} onClick={() => setOptions({ color: each === LevelColor.IMPORTANCE ? "" : name })}>{name}</button>)}
      </div>
      <span class="scale xs t3" aria-hidden="true">{legendEnd(color, answer.leastValue)} {[0, 1, 2, 3, 4].map((step) => <i class={`step-${step}`} />)} {legendEnd(color, answer.greatestValue)}</span>
      <label class="s row"><input type="checkbox" checked={tests} onChange={(event) => setOptions({ tests: event.currentTarget.checked ? "1" : "" })} /> tests</label>
      <div class="segments" role="group" aria-label="Shown as"><button aria-pressed={!isMatrix} onClick={() => onMatrix(false)}>Levels</button><button aria-pressed={isMatrix} onClick={() => onMatrix(true)}>Matrix</button></div>
    </div>
  );
}

/** Return the value at an end of the legend. */
function legendEnd(color: LevelColor, value: number): string {
  if (color === LevelColor.TESTS || color === LevelColor.OWNER) return `${Math.round(value * 100)} %`;
  return color === LevelColor.CHANGES ? String(Math.round(value)) : value < 10 ? value.toFixed(1) : String(Math.round(value));
}

function Crumbs({ repository, path }: { repository: string; path: string }): JSX.Element {
  const parts = path.split("/").filter((part) => part !== "");
  return (
    <nav class="crumbs m" aria-label="Folders">
      <a href={PAGE_LINKS.repository(repository)}><Text text={repository} /></a>
      {parts.map((part, index) => {
        const isLast = index === parts.length - 1;
        return <><span class="t3">/</span>{isLast ? <b><Text text={part} /></b> : <a href={PAGE_LINKS.folder(repository, parts.slice(0, index + 1).join("/"))}><Text text={part} /></a>}</>;
      })}
    </nav>
  );
}
