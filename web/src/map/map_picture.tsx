// Map: parts of a folder on levels by who uses whom. A function of one GetLevelsResponse and of the selected box.
import type { JSX } from "preact";
import { Columns } from "../frame/column_tabs";
import { useState } from "preact/hooks";
import { count, counted, percent } from "../format";
import { Spoken, Text } from "../text";
import { ArrowDirection, LevelColor, type GetLevelsResponse, type LevelArrow, type LevelBox } from "../v1/repoquarry/v1/view_service_pb";
import { arrowCount, layoutMap, type MapLayout, type PlacedArrow, type PlacedBox } from "./map_layout";
import { boxNames, Matrix } from "./matrix";

const COLOR_STEPS = 5;
const MAX_PAIRS = 9;

export interface MapPictureProps {
  answer: GetLevelsResponse;
  color: LevelColor;
  selected: string;
  isMatrix: boolean;
  /** Width of the picture in pixels. */
  width: number;
  onSelect: (path: string) => void;
  onEnter: (box: LevelBox) => void;
  toolbar: JSX.Element;
}

export function MapPicture(props: MapPictureProps): JSX.Element {
  const { answer, isMatrix, toolbar } = props;
  return (
    <div class="v-map">
      {toolbar}
      <Columns names={["Map", "Part"]} first="Map" drawer={{ key: "i", column: 2 }}>
        {isMatrix
          ? <section class="scroll whole-matrix" tabIndex={0} data-column="1" aria-label="Matrix"><p class="s t3">Row uses column. <b class="rem">Red, boxed</b>: upward. Boxed gray: same level.</p><Matrix answer={answer} onSelect={props.onSelect} max={300} /></section>
          : <Levels {...props} />}
        <Side {...props} />
      </Columns>
    </div>
  );
}

function Levels(props: MapPictureProps): JSX.Element {
  const { answer, selected, onSelect, onEnter, width } = props;
  const [hovered, setHovered] = useState("");
  const layout = layoutMap(answer, width, selected);
  const focus = selected || hovered;
  return (
    <section class="scroll levels" data-column="1" aria-label="Levels" onClick={(event) => { if (event.target === event.currentTarget) onSelect(""); }}>
      <div class="canvas" style={{ width: `${layout.width}px`, height: `${layout.height}px` }}>
        <ArrowPicture layout={layout} focus={focus} byCalls={answer.byCalls} />
        <ul aria-label="Parts by level, the highest first" onKeyDown={(event) => moveBetweenBoxes(event, layout)}>
          {layout.boxes.map((placed, index) => (
            <Box key={placed.box.path} placed={placed} {...props} tab={selected === placed.box.path || (selected === "" && index === 0) ? 0 : -1} isDim={focus !== "" && !isNeighbor(answer.arrows, focus, placed.box.path)}
              onHover={setHovered} onSelect={onSelect} onEnter={onEnter} />
          ))}
        </ul>
      </div>
      <CutLine answer={answer} selected={selected} />
    </section>
  );
}

function isNeighbor(arrows: readonly LevelArrow[], focus: string, path: string): boolean {
  return path === focus || arrows.some((arrow) => (arrow.from === focus && arrow.to === path) || (arrow.to === focus && arrow.from === path));
}

/** Return the color step of a box, from 0 to 4. */
function colorStep(answer: GetLevelsResponse, box: LevelBox): number {
  const range = answer.greatestValue - answer.leastValue;
  const share = range <= 0 ? 0 : (box.value - answer.leastValue) / range;
  return Math.min(COLOR_STEPS - 1, Math.floor(Math.sqrt(share) * COLOR_STEPS));
}

type BoxProps = MapPictureProps & { placed: PlacedBox; tab: number; isDim: boolean; onHover: (path: string) => void };

function Box({ placed, answer, color, selected, tab, isDim, onHover, onSelect, onEnter }: BoxProps): JSX.Element {
  const { box, width, x, y } = placed;
  const size = box.files > 1n || !answer.byCalls ? counted(box.files, "file") : "";
  const value = color === LevelColor.TESTS ? `${percent(box.value)} reached by tests` : color === LevelColor.OWNER ? `${box.owner} ${percent(box.value)}` : color === LevelColor.CHANGES ? counted(Math.round(box.value), "commit") : `importance ${box.value.toFixed(3)}`;
  const words = `${box.name}, level ${box.level}, uses ${counted(box.uses, "part")}, used by ${counted(box.usedBy, "part")}, ${value}`;
  return (
    <li style={{ left: `${x}px`, top: `${y}px`, width: `${width}px` }} class={`box step-${colorStep(answer, box)} ${selected === box.path ? "selected" : ""} ${isDim ? "dim" : ""}`}
      onMouseEnter={() => onHover(box.path)} onMouseLeave={() => onHover("")}>
      <button tabIndex={tab} data-box={box.path} aria-pressed={selected === box.path} title={`${box.path}\n${words}${box.canEnter ? "\nDouble click or Enter opens it." : ""}`}
        onClick={() => onSelect(selected === box.path ? "" : box.path)} onDblClick={() => box.canEnter && onEnter(box)}
        onKeyDown={(event) => { if (event.key === "Enter" && box.canEnter) { event.preventDefault(); onEnter(box); } }}>
        <span class="box-row"><b class="m el"><Text text={box.name} /></b><span class="t3" aria-hidden="true">{box.uses > 0n ? `↓${box.uses}` : ""}</span></span>
        <span class="box-row"><span class="el">{size}</span><span class="el">{counted(box.lines, "line")}</span></span>
        <Spoken text={`level ${box.level}, uses ${counted(box.uses, "part")}, used by ${counted(box.usedBy, "part")}, ${value}`} />
      </button>
    </li>
  );
}

/** Move the focus to the nearest box in the direction of an arrow key. */
function moveBetweenBoxes(event: KeyboardEvent, layout: MapLayout): void {
  const directions: Readonly<Record<string, readonly [number, number]>> = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };
  const direction = directions[event.key];
  const path = event.target instanceof HTMLElement ? event.target.dataset["box"] : undefined;
  const current = layout.boxes.find((placed) => placed.box.path === path);
  if (direction === undefined || current === undefined) return;
  event.preventDefault();
  const [dx, dy] = direction;
  const ahead = layout.boxes.filter((placed) => (placed.x - current.x) * dx + (placed.y - current.y) * dy > 0 && (dx === 0 || placed.y === current.y));
  const distance = (placed: PlacedBox): number => Math.abs(placed.y - current.y) * 3 + Math.abs(placed.x - current.x);
  const [nearest] = ahead.sort((a, b) => distance(a) - distance(b));
  for (const button of document.querySelectorAll<HTMLElement>("[data-box]")) {
    if (button.dataset["box"] === nearest?.box.path) button.focus();
  }
}

function ArrowPicture({ layout, focus, byCalls }: { layout: MapLayout; focus: string; byCalls: boolean }): JSX.Element {
  const sorted = [...layout.arrows].sort((a, b) => Number(a.isUpward) - Number(b.isUpward) || a.width - b.width);
  const isDim = (placed: PlacedArrow): boolean => focus !== "" && placed.arrow.from !== focus && placed.arrow.to !== focus;
  return (
    <svg width={layout.width} height={layout.height} aria-hidden="true">
      {layout.bands.map(({ level, y, height }) => (
        <><rect class={`band-${level % 2}`} x="0" y={y} width={layout.width} height={height} /><text class="level" x="16" y={y + 43}>{level}</text></>
      ))}
      {sorted.map((placed) => <ArrowLine placed={placed} isDim={isDim(placed)} />)}
      {sorted.map((placed) => <text class={`count ${placed.isUpward ? "up" : ""} ${isDim(placed) ? "dim" : ""}`} x={placed.label.x} y={placed.label.y}>{arrowCount(placed.arrow, byCalls)}</text>)}
    </svg>
  );
}

function ArrowLine({ placed, isDim }: { placed: PlacedArrow; isDim: boolean }): JSX.Element {
  const { x, y, points } = placed.head;
  const half = 4.5 + placed.width / 4;
  const head = points === "down" ? `M${x - half} ${y - 1}h${half * 2}l${-half} 9z` : points === "up" ? `M${x - half} ${y + 1}h${half * 2}l${-half} -9z` : `M${x + 1} ${y - half}v${half * 2}l-9 ${-half}z`;
  return <g class={`arrow ${placed.isUpward ? "up" : "down"} ${isDim ? "dim" : ""}`}><path class="shaft" d={placed.path} stroke-width={placed.width} /><path class="head" d={head} /></g>;
}

function CutLine({ answer, selected }: { answer: GetLevelsResponse; selected: string }): JSX.Element {
  if (selected !== "") return <p class="cut s">All arrows of <b class="m">{boxNames(answer).get(selected)}</b> are drawn.</p>;
  const down = answer.arrows.filter((arrow) => arrow.direction === ArrowDirection.DOWN);
  const up = answer.arrows.filter((arrow) => arrow.direction === ArrowDirection.UP);
  const drawnUp = up.filter((arrow) => arrow.drawn).length;
  return (
    <p class="cut s">
      <b>{down.filter((arrow) => arrow.drawn).length}</b> of {counted(down.length, "downward arrow is", "downward arrows are")} drawn{answer.arrowsCut !== undefined && answer.arrowsCut.rule !== "" ? ` (${answer.arrowsCut.rule})` : ""}, and <b>{drawnUp}</b> of {count(up.length)} upward. Select a box to see all of its arrows.
      {answer.joined.length > 0 && ` ${counted(answer.joined.length, "small part is", "small parts are")} joined in one box.`}
    </p>
  );
}

function Side(props: MapPictureProps): JSX.Element {
  const box = props.answer.boxes.find((each) => each.path === props.selected);
  return (
    <aside class="scroll side" data-column="2" aria-label="Dependencies">
      {box !== undefined ? <Selected {...props} box={box} /> : <Upward {...props} />}
      {!props.isMatrix && <><h2>Matrix</h2><p class="xs t3">Row uses column. <b class="rem">Red, boxed</b>: upward. Boxed gray: same level.</p><Matrix answer={props.answer} onSelect={props.onSelect} max={16} />{props.answer.order.length > 16 && <p class="xs t3">16 of {props.answer.order.length} parts. “Matrix” above shows all.</p>}</>}
    </aside>
  );
}

function Upward({ answer, onSelect }: MapPictureProps): JSX.Element {
  const [isLong, setLong] = useState(false);
  const names = boxNames(answer);
  const value = (arrow: LevelArrow): number => arrowCount(arrow, answer.byCalls);
  const up = answer.arrows.filter((arrow) => arrow.direction === ArrowDirection.UP).sort((a, b) => value(b) - value(a));
  const noun = answer.byCalls ? "call" : "import";
  const total = answer.arrows.reduce((sum, arrow) => sum + value(arrow), 0);
  const upTotal = up.reduce((sum, arrow) => sum + value(arrow), 0);
  if (up.length === 0) return <><h2>Upward dependencies</h2><p class="s t2">None: all {counted(total, noun)} between these parts point down or stay on their level.</p></>;
  const shown = isLong ? up : up.slice(0, MAX_PAIRS);
  return (
    <>
      <h2>Upward dependencies</h2>
      <p class="s t2"><b class="rem">{count(upTotal)}</b> of {counted(total, noun)} point up, in {counted(up.length, "pair")}.</p>
      <ul class="pairs s">{shown.map((arrow) => <li><button class="plain link m" onClick={() => onSelect(arrow.from)}>{names.get(arrow.from)}</button><b class="rem">↑</b><button class="plain link m" onClick={() => onSelect(arrow.to)}>{names.get(arrow.to)}</button><span class="sp" /><span class="m">{count(value(arrow))}</span></li>)}</ul>
      {up.length > shown.length && <p class="s"><button class="plain link" onClick={() => setLong(true)}>{counted(up.length - shown.length, "more pair")}</button></p>}
    </>
  );
}

function Selected({ answer, box, onSelect, onEnter }: MapPictureProps & { box: LevelBox }): JSX.Element {
  const names = boxNames(answer);
  const value = (arrow: LevelArrow): number => arrowCount(arrow, answer.byCalls);
  const list = (title: string, arrows: LevelArrow[], other: (arrow: LevelArrow) => string): JSX.Element => (
    <>
      <h2>{title} {arrows.length === 0 ? "nothing here" : counted(arrows.length, "part")}</h2>
      <ul class="pairs s">{arrows.sort((a, b) => value(b) - value(a)).map((arrow) => <li><button class="plain link m" onClick={() => onSelect(other(arrow))}>{names.get(other(arrow))}</button>{arrow.direction === ArrowDirection.UP && <b class="rem">↑</b>}<span class="sp" /><span class="m">{count(value(arrow))}</span></li>)}</ul>
    </>
  );
  return (
    <>
      <div class="row"><h2 class="m el">{box.name}</h2><span class="sp" />{box.canEnter && <button onClick={() => onEnter(box)}>Open <kbd>↵</kbd></button>}<button onClick={() => onSelect("")}>Close <kbd>Esc</kbd></button></div>
      <p class="s t2">Level {box.level}. {counted(box.files, "file")}, {counted(box.lines, "line")}.</p>
      {list("Uses", answer.arrows.filter((arrow) => arrow.from === box.path), (arrow) => arrow.to)}
      {list("Used by", answer.arrows.filter((arrow) => arrow.to === box.path), (arrow) => arrow.from)}
    </>
  );
}
