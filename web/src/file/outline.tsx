// Outline of a file with the callers of each definition, and its imports both ways.
import type { JSX } from "preact";
import { baseName, count, counted } from "../format";
import { EntityLink } from "../links";
import { moveInList } from "../lists";
import { Text } from "../text";
import type { Entity } from "../v1/repoquarry/v1/entities_pb";
import type { GetFileResponse, LineCallers, Neighbor } from "../v1/repoquarry/v1/view_service_pb";

const MAX_IMPORTS = 8;

/** Return the definitions that contain a line, the outermost first. */
export function owners(outline: readonly Entity[], line: number): Entity[] {
  const around = outline.filter((entity) => Number(entity.startLine) <= line && line <= Number(entity.endLine));
  return around.sort((a, b) => Number(b.endLine - b.startLine) - Number(a.endLine - a.startLine));
}

interface OutlineProps {
  answer: GetFileResponse;
  /** Callers in the loaded pages. */
  callers: readonly LineCallers[];
  isLoaded: (line: number) => boolean;
  line: number;
  onLine: (line: number) => void;
}

export function Outline({ answer, callers: loaded, isLoaded, line, onLine }: OutlineProps): JSX.Element {
  const current = owners(answer.outline, line).at(-1)?.id;
  const callers = new Map(loaded.map((each) => [each.id, Number(each.total)]));
  const most = Math.sqrt(Math.max(1, ...callers.values()));
  return (
    <aside class="outline" data-column="1" aria-label="Outline">
      <div class="scroll">
        <h2 class="cap row">Outline <span class="sp" />callers</h2>
        {answer.outline.length === 0 && <p class="s t2">No definition is in this file.</p>}
        <ul role="tree" aria-label="Outline" onKeyDown={moveInList}>
          {answer.outline.map((entity, index) => {
            const depth = Math.min(3, entity.qualname.split(".").length - 1);
            const callerCount = callers.get(entity.id);
            const isKnown = isLoaded(Number(entity.startLine));
            return (
              <li role="treeitem" aria-level={depth + 1} data-row tabIndex={index === 0 ? 0 : -1} class={`depth-${depth} ${entity.id === current ? "on" : ""}`} title={`${entity.qualname}, line ${entity.startLine}${isKnown ? "" : "; its callers are read when it is scrolled to"}`}>
                <button class="plain m el" tabIndex={-1} onClick={() => onLine(Number(entity.startLine))}><Text text={entity.name} /></button>
                {isKnown && <span class="bar"><i style={{ width: `${(100 * Math.sqrt(callerCount ?? 0)) / most}%` }} /></span>}
                <span class="m t3 number">{isKnown ? (callerCount === undefined ? "" : count(callerCount)) : "…"}</span>
              </li>
            );
          })}
        </ul>
      </div>
      <div class="scroll imports">
        <h2 class="cap">{answer.importedBy.length === 0 ? "Nothing imports this file" : `Imported by ${counted(answer.importedBy.length, "file")}`}</h2>
        <Imports neighbors={answer.importedBy} />
        <h2 class="cap">{answer.imports.length === 0 ? "Imports no file of the repository" : `Imports ${counted(answer.imports.length, "file")}`}</h2>
        <Imports neighbors={answer.imports} />
      </div>
    </aside>
  );
}

function Imports({ neighbors }: { neighbors: readonly Neighbor[] }): JSX.Element {
  return (
    <>
      <ul>{neighbors.slice(0, MAX_IMPORTS).map((each) => each.entity !== undefined && <li><EntityLink entity={each.entity} name={baseName(each.entity.path)} /><span class="m t3 xs el" title={each.entity.path}>{each.entity.path.slice(0, -baseName(each.entity.path).length)}</span></li>)}</ul>
      {neighbors.length > MAX_IMPORTS && <p class="xs t3">{neighbors.length - MAX_IMPORTS} more: {neighbors.slice(MAX_IMPORTS, MAX_IMPORTS + 4).map((each) => baseName(each.entity?.path ?? "")).join(", ")}{neighbors.length > MAX_IMPORTS + 4 ? ", …" : ""}</p>}
    </>
  );
}
