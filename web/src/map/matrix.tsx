// Dependency matrix: row uses column, in the order of the map.
import type { JSX } from "preact";
import { baseName } from "../format";
import { ArrowDirection, type GetLevelsResponse, type LevelArrow } from "../v1/repoquarry/v1/view_service_pb";
import { arrowCount } from "./map_layout";

const CELL = 19;
const CHARACTER = 6.7;

export function boxNames(answer: GetLevelsResponse): Map<string, string> {
  return new Map(answer.boxes.map((box) => [box.path, box.name || baseName(box.path)]));
}

export function Matrix({ answer, onSelect, max = 24 }: { answer: GetLevelsResponse; onSelect: (path: string) => void; max?: number }): JSX.Element {
  const names = boxNames(answer);
  const order = (answer.order.length > 0 ? answer.order : answer.boxes.map((box) => box.path)).slice(0, max);
  const index = new Map(order.map((path, position) => [path, position]));
  const left = Math.ceil(Math.max(3, ...order.map((path) => (names.get(path) ?? path).length)) * CHARACTER) + 8;
  const arrows = answer.arrows.filter((arrow) => index.has(arrow.from) && index.has(arrow.to));
  const largest = Math.max(1, ...arrows.map((arrow) => arrowCount(arrow, answer.byCalls)));
  return (
    <svg class="matrix" viewBox={`0 0 ${left + order.length * CELL} ${order.length * CELL}`} width={left + order.length * CELL} role="img" aria-label={`Dependency matrix of ${order.length} parts; the lists beside the map have the same numbers`}>
      {order.map((path, row) => (
        <>
          <text class="matrix-name" x={left - 6} y={row * CELL + 13} onClick={() => onSelect(path)}>{names.get(path)}</text>
          <rect class="diagonal" x={left + row * CELL} y={row * CELL} width="18" height="18" />
        </>
      ))}
      {arrows.map((arrow) => (
        <Cell arrow={arrow} x={left + (index.get(arrow.to) ?? 0) * CELL} y={(index.get(arrow.from) ?? 0) * CELL} value={arrowCount(arrow, answer.byCalls)} largest={largest} names={names} onSelect={onSelect} />
      ))}
    </svg>
  );
}

const CELL_CLASSES: Readonly<Record<ArrowDirection, string>> = {
  [ArrowDirection.UNSPECIFIED]: "side",
  [ArrowDirection.DOWN]: "down",
  [ArrowDirection.SIDE]: "side",
  [ArrowDirection.UP]: "up",
};

interface CellProps {
  arrow: LevelArrow;
  x: number;
  y: number;
  value: number;
  largest: number;
  names: ReadonlyMap<string, string>;
  onSelect: (path: string) => void;
}

function Cell({ arrow, x, y, value, largest, names, onSelect }: CellProps): JSX.Element {
  const shade = 0.14 + 0.86 * Math.sqrt(value / largest);
  const isDark = arrow.direction === ArrowDirection.DOWN && shade > 0.6;
  return (
    <g class={`cell ${CELL_CLASSES[arrow.direction]}`} onClick={() => onSelect(arrow.from)}>
      <title>{`${names.get(arrow.from) ?? arrow.from} uses ${names.get(arrow.to) ?? arrow.to}: ${value}`}</title>
      <rect x={x} y={y} width="18" height="18" style={{ fillOpacity: arrow.direction === ArrowDirection.DOWN ? shade : 1 }} />
      <text x={x + 9} y={y + 13} class={isDark ? "inverse" : ""}>{value > 999 ? "1k" : value}</text>
    </g>
  );
}
