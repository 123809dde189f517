// Columns of a view, which are tabs in a narrow window: one at a time, so that a zoom of 200 % loses nothing.
import type { ComponentChildren, JSX } from "preact";
import { useState } from "preact/hooks";

interface ColumnsProps {
  /** Names of the elements with `data-column`, in the order of their numbers. */
  names: readonly string[];
  /** Name that is shown first. */
  first: string;
  hidden?: boolean;
  children: ComponentChildren;
}

export function Columns({ names, first, hidden = false, children }: ColumnsProps): JSX.Element {
  const [shown, setShown] = useState(names.indexOf(first) + 1);
  return (
    <>
      <div class="column-tabs segments" role="group" aria-label="Column" hidden={hidden}>
        {names.map((name, index) => <button aria-pressed={shown === index + 1} onClick={() => setShown(index + 1)}>{name}</button>)}
      </div>
      <div class="columns" data-shown={shown} hidden={hidden}>{children}</div>
    </>
  );
}
