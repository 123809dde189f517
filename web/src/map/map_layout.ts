// Places of boxes, bands and arrows of the map. Levels and columns come from the service; this only measures pixels.
import { ArrowDirection, type GetLevelsResponse, type LevelArrow, type LevelBox } from "../v1/repoquarry/v1/view_service_pb";

const MAX_BOX_WIDTH = 178;
const MIN_BOX_WIDTH = 150;
export const BOX_HEIGHT = 44;
export const LEVEL_HEIGHT = 81;
const PORT_STEP = 26;
const COLUMN_GAP = 34;
const MIN_GAP = 12;
const LEFT = 40;
const TOP = 18;
const LANE_STEP = 22;
/** Distance of an arrow from the boxes that it passes. */
const CLEARANCE = 6;
const MAX_STROKE = 8;
const DIGIT_WIDTH = 7;
const LABEL_HEIGHT = 11;
/** Space at each side of a number. */
const LABEL_GAP = 2;
/** Where a number moves, nearest first, when another number is in its place. */
const LABEL_MOVES: readonly (readonly [number, number])[] = [[0, 0], [0, -11], [-9, 0], [9, 0], [-9, -11], [9, -11], [-18, 0], [18, 0], [0, -22], [-18, -11], [18, -11], [0, 11], [-27, 0], [27, 0]];
/** Stroke from which an upward arrow has a lane of its own also between neighbors: a straight one would cover the way down. */
const MIN_LANE_STROKE = 3;

export interface PlacedBox {
  readonly box: LevelBox;
  readonly width: number;
  readonly x: number;
  readonly y: number;
}

export interface PlacedArrow {
  readonly arrow: LevelArrow;
  readonly path: string;
  readonly width: number;
  /** Place and direction of the arrow head. */
  readonly head: { readonly x: number; readonly y: number; readonly points: "down" | "up" | "left" };
  readonly label: { readonly x: number; readonly y: number };
  readonly isUpward: boolean;
}

/** Stripe of one level. */
export interface Band {
  readonly level: number;
  readonly y: number;
  readonly height: number;
}

export interface MapLayout {
  readonly boxes: readonly PlacedBox[];
  readonly arrows: readonly PlacedArrow[];
  readonly bands: readonly Band[];
  readonly width: number;
  readonly height: number;
}

export function arrowCount(arrow: LevelArrow, byCalls: boolean): number {
  return Number(byCalls ? arrow.calls : arrow.imports);
}

/** Return where boxes and drawn arrows lie. `selected` is a box all of whose arrows are drawn; empty for none. */
export function layoutMap(answer: GetLevelsResponse, width: number, selected: string): MapLayout {
  const [boxes, bands] = placeBoxes(answer.boxes, width);
  const byPath = new Map(boxes.map((placed) => [placed.box.path, placed]));
  const drawn = answer.arrows.filter((arrow) => (selected === "" ? arrow.drawn : arrow.from === selected || arrow.to === selected));
  const ports = new Ports(drawn, byPath);
  const largest = Math.max(1, ...answer.arrows.map((arrow) => arrowCount(arrow, answer.byCalls)));
  const arrows = drawn.flatMap((arrow) => {
    const [from, to] = [byPath.get(arrow.from), byPath.get(arrow.to)];
    if (from === undefined || to === undefined) return [];
    const stroke = Math.max(1, Math.sqrt(arrowCount(arrow, answer.byCalls) / largest) * MAX_STROKE);
    return [arrow.direction === ArrowDirection.UP ? placeUpward(arrow, from, to, ports, stroke, boxes) : placeDownward(arrow, from, to, ports, stroke, boxes)];
  });
  const labels = separateLabels(arrows, answer.byCalls);
  const right = Math.max(width, ...boxes.map((placed) => placed.x + placed.width + 16), ...labels.map((placed) => placed.label.x + 16));
  return { boxes, arrows: labels, bands, width: right, height: bands.reduce((sum, band) => sum + band.height, TOP + 12) };
}

/** Return the arrows with numbers that do not touch: a number moves off its place where another one is. Upward ones keep theirs. */
function separateLabels(arrows: readonly PlacedArrow[], byCalls: boolean): PlacedArrow[] {
  const taken: { readonly left: number; readonly right: number; readonly y: number }[] = [];
  const moved = new Map<PlacedArrow, PlacedArrow>();
  for (const placed of [...arrows].sort((a, b) => Number(b.isUpward) - Number(a.isUpward))) {
    const half = (String(arrowCount(placed.arrow, byCalls)).length * DIGIT_WIDTH) / 2 + LABEL_GAP;
    const isFree = ([dx, dy]: readonly [number, number]): boolean => {
      const [x, y] = [placed.label.x + dx, placed.label.y + dy];
      return taken.every((other) => x + half <= other.left || x - half >= other.right || Math.abs(y - other.y) >= LABEL_HEIGHT);
    };
    const [dx, dy] = LABEL_MOVES.find(isFree) ?? [0, 0];
    const label = { x: placed.label.x + dx, y: placed.label.y + dy };
    taken.push({ left: label.x - half, right: label.x + half, y: label.y });
    moved.set(placed, { ...placed, label });
  }
  return arrows.map((placed) => moved.get(placed) ?? placed);
}

function groupBy<T>(items: readonly T[], key: (item: T) => number): Map<number, T[]> {
  const groups = new Map<number, T[]>();
  for (const item of items) groups.set(key(item), [...(groups.get(key(item)) ?? []), item]);
  return groups;
}

/** Center the boxes of each level, the highest level first. A level that is too wide has several rows, filled column by column. */
function placeBoxes(boxes: readonly LevelBox[], width: number): [PlacedBox[], Band[]] {
  const byLevel = groupBy([...boxes].sort((a, b) => b.level - a.level || a.column - b.column), (box) => box.level);
  const room = Math.max(1, Math.floor((width - LEFT - 10) / (MIN_BOX_WIDTH + MIN_GAP)));
  const columns = Math.min(room, Math.max(1, ...[...byLevel.values()].map((level) => level.length)));
  const boxWidth = Math.max(MIN_BOX_WIDTH, Math.min(MAX_BOX_WIDTH, Math.floor((width - LEFT - 10) / columns) - MIN_GAP));
  const step = Math.max(boxWidth + MIN_GAP, Math.min(boxWidth + COLUMN_GAP * 3, (width - LEFT - 90) / columns));
  const used = Math.max(width - LEFT - 70, columns * step);
  const placed: PlacedBox[] = [];
  const bands: Band[] = [];
  let y = TOP - 4;
  for (const [level, members] of byLevel) {
    const rows = Math.ceil(members.length / columns);
    const start = LEFT + (used - Math.ceil(members.length / rows) * step) / 2;
    members.forEach((box, index) => placed.push({ box, width: boxWidth, x: Math.round(start + Math.floor(index / rows) * step), y: y + 18 + (index % rows) * LEVEL_HEIGHT }));
    bands.push({ level, y, height: rows * LEVEL_HEIGHT });
    y += rows * LEVEL_HEIGHT;
  }
  return [placed, bands];
}

/** Ports along the bottom and top of boxes, in the order of the boxes at the other end. */
class Ports {
  private readonly places = new Map<LevelArrow, { readonly from: number; readonly to: number }>();

  constructor(arrows: readonly LevelArrow[], byPath: ReadonlyMap<string, PlacedBox>) {
    const x = (path: string): number => byPath.get(path)?.x ?? 0;
    const width = byPath.values().next().value?.width ?? MAX_BOX_WIDTH;
    for (const arrow of arrows) {
      const leaving = arrows.filter((each) => each.from === arrow.from && each.direction === arrow.direction).sort((a, b) => x(a.to) - x(b.to));
      const entering = arrows.filter((each) => each.to === arrow.to && each.direction === arrow.direction).sort((a, b) => x(a.from) - x(b.from));
      this.places.set(arrow, { from: Ports.place(leaving, arrow, width), to: Ports.place(entering, arrow, width) });
    }
  }

  private static place(arrows: readonly LevelArrow[], arrow: LevelArrow, width: number): number {
    const step = Math.min(PORT_STEP, (width - 24) / Math.max(1, arrows.length - 1));
    return width / 2 + (arrows.indexOf(arrow) - (arrows.length - 1) / 2) * step;
  }

  from(arrow: LevelArrow): number {
    return this.places.get(arrow)?.from ?? 0;
  }

  to(arrow: LevelArrow): number {
    return this.places.get(arrow)?.to ?? 0;
  }
}

function placeDownward(arrow: LevelArrow, from: PlacedBox, to: PlacedBox, ports: Ports, width: number, boxes: readonly PlacedBox[]): PlacedArrow {
  if (from.y === to.y) return placeSideways(arrow, from, to, width);
  const [x1, x2] = [from.x + ports.from(arrow), to.x + ports.to(arrow)];
  if (from.y > to.y) {
    const y2 = to.y + BOX_HEIGHT + 8;
    return { arrow, path: routePath(x1, from.y, x2, y2, boxes), width, head: { x: x2, y: y2, points: "up" }, label: { x: x2 - 12, y: y2 + 7 }, isUpward: false };
  }
  const y2 = to.y - 8;
  return { arrow, path: routePath(x1, from.y + BOX_HEIGHT, x2, y2, boxes), width, head: { x: x2, y: y2, points: "down" }, label: { x: x2 + 4, y: y2 - 6 }, isUpward: false };
}

/** Return a path between two points that passes the rows between them where no box is. */
function routePath(x1: number, y1: number, x2: number, y2: number, boxes: readonly PlacedBox[]): string {
  const sign = Math.sign(y2 - y1);
  const between = boxes.filter((placed) => (placed.y - y1) * sign > 0 && (y2 - placed.y - BOX_HEIGHT) * sign > 0);
  const rows = [...groupBy(between, (placed) => placed.y)].sort(([a], [b]) => (a - b) * sign);
  let [x, y, path] = [x1, y1, `M${x1} ${y1}`];
  const curveTo = (endX: number, endY: number): void => {
    const bend = y + sign * Math.min(15, Math.abs(endY - y) / 2);
    path += `C${x} ${bend} ${endX} ${bend} ${endX} ${endY}`;
    [x, y] = [endX, endY];
  };
  for (const [top, row] of rows) {
    const [near, far] = sign > 0 ? [top - CLEARANCE, top + BOX_HEIGHT + CLEARANCE] : [top + BOX_HEIGHT + CLEARANCE, top - CLEARANCE];
    curveTo(findGap(row, x + ((x2 - x) * (near - y)) / (y2 - y)), near);
    path += `V${far}`;
    y = far;
  }
  curveTo(x2, y2);
  return path;
}

/** Return the place nearest to `x` that no box of a row covers. */
function findGap(row: readonly PlacedBox[], x: number): number {
  const places = row.flatMap((placed) => [placed.x - CLEARANCE, placed.x + placed.width + CLEARANCE]);
  const isFree = (place: number): boolean => !row.some((placed) => place > placed.x - CLEARANCE && place < placed.x + placed.width + CLEARANCE);
  return isFree(x) ? x : (places.filter(isFree).sort((a, b) => Math.abs(a - x) - Math.abs(b - x))[0] ?? x);
}

/** Arrow within a level: below the boxes. */
function placeSideways(arrow: LevelArrow, from: PlacedBox, to: PlacedBox, width: number): PlacedArrow {
  const [x1, x2] = [from.x + from.width / 2, to.x + to.width / 2 + 8];
  const y = from.y + BOX_HEIGHT;
  return { arrow, path: `M${x1} ${y}C${x1} ${y + 24} ${x2} ${y + 24} ${x2} ${y + 8}`, width, head: { x: x2, y: y + 8, points: "up" }, label: { x: x2 + Math.sign(x2 - x1) * 12, y: y + 15 }, isUpward: false };
}

/** Upward arrows of neighboring levels run straight; longer ones in a lane right of the boxes between. */
function placeUpward(arrow: LevelArrow, from: PlacedBox, to: PlacedBox, ports: Ports, width: number, boxes: readonly PlacedBox[]): PlacedArrow {
  if (from.y - to.y === LEVEL_HEIGHT && width < MIN_LANE_STROKE) {
    const [x1, y1] = [from.x + ports.from(arrow) - 12, from.y];
    const [x2, y2] = [to.x + ports.to(arrow) - 12, to.y + BOX_HEIGHT + 8];
    const bend = (y1 + y2) / 2;
    return { arrow, path: `M${x1} ${y1}C${x1} ${bend} ${x2} ${bend} ${x2} ${y2}`, width, head: { x: x2, y: y2, points: "up" }, label: { x: x2 - 12, y: y2 + 7 }, isUpward: true };
  }
  const between = boxes.filter((placed) => placed.y < from.y && placed.y > to.y);
  const span = from.box.level * 7 + to.box.level;
  const lane = Math.max(...[from, to, ...between].map((placed) => placed.x + placed.width)) + 18 + (span % 4) * LANE_STEP;
  const isFree = (placed: PlacedBox): boolean => !boxes.some((other) => other.y === placed.y && other.x > placed.x && other.x < lane);
  const leave = isFree(from) ? leaveSide(from, lane) : leaveTop(from, ports.from(arrow) + 10, lane, span);
  const end = to.x + to.width + 8;
  if (!isFree(to)) {
    const [x2, y2] = [to.x + ports.to(arrow) + 10, to.y + BOX_HEIGHT + 8];
    const gap = y2 + 10 + (span % 3) * 4;
    return { arrow, path: `${leave.path}V${gap + 8}Q${lane} ${gap} ${lane - 8} ${gap}H${x2 + 8}Q${x2} ${gap} ${x2} ${y2}`, width, head: { x: x2, y: y2, points: "up" }, label: { x: lane, y: leave.label }, isUpward: true };
  }
  const y2 = to.y + BOX_HEIGHT / 2;
  const path = `${leave.path}V${y2 + 8}Q${lane} ${y2} ${lane - 8} ${y2}H${end}`;
  return { arrow, path, width, head: { x: end, y: y2, points: "left" }, label: { x: lane, y: leave.label }, isUpward: true };
}

/** Start of a lane; `label` is the height of its number, between two levels, where no other lane turns. */
interface LaneStart {
  readonly path: string;
  readonly y: number;
  readonly label: number;
}

/** Start of a lane at the right side of a box. */
function leaveSide(from: PlacedBox, lane: number): LaneStart {
  const y = from.y + BOX_HEIGHT / 2 + 5;
  return { path: `M${from.x + from.width} ${y}H${lane - 8}Q${lane} ${y} ${lane} ${y - 8}`, y, label: y - 37 };
}

/** Start of a lane at the top of a box, above the boxes beside it. */
function leaveTop(from: PlacedBox, port: number, lane: number, span: number): LaneStart {
  const [x, y] = [from.x + port, from.y - 10 - (span % 3) * 4];
  return { path: `M${x} ${from.y}V${y + 6}Q${x} ${y} ${x + 6} ${y}H${lane - 8}Q${lane} ${y} ${lane} ${y - 8}`, y, label: y - 8 };
}
