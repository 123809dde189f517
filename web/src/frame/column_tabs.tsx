// Columns of a view, which are tabs in a narrow window: one at a time, so that a zoom of 200 % loses nothing.
import type { ComponentChildren, JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { useKeys } from "./keys";

interface ColumnsProps {
  /** Names of the elements with `data-column`, in the order of their numbers. */
  names: readonly string[];
  /** Name that is shown first. */
  first: string;
  hidden?: boolean;
  /** Column that a window below 1240 pixels hides, and the key that opens and closes it; in a wider window the key focuses the column. */
  drawer?: { readonly key: string; readonly column: number };
  children: ComponentChildren;
}

export function Columns({ names, first, hidden = false, drawer, children }: ColumnsProps): JSX.Element {
  const [shown, setShown] = useState(names.indexOf(first) + 1);
  const [isOpen, setOpen] = useState(false);
  const frame = useRef<HTMLDivElement>(null);
  const column = (): HTMLElement | null => frame.current?.querySelector<HTMLElement>(`[data-column="${drawer?.column}"]`) ?? null;
  const toggle = (): void => setOpen(!isOpen);
  useKeys({ ...(drawer === undefined ? {} : { [drawer.key]: toggle }), ...(isOpen ? { Escape: toggle } : {}) });
  useEffect(() => {
    if (isOpen) column()?.querySelector<HTMLElement>("[data-row][tabindex='0'], a, button")?.focus();
    else if (column()?.contains(document.activeElement) === true) (document.activeElement as HTMLElement).blur();
  }, [isOpen]);
  return (
    <>
      <div class="column-tabs segments" role="group" aria-label="Column" hidden={hidden}>
        {names.map((name, index) => <button aria-pressed={shown === index + 1} onClick={() => setShown(index + 1)}>{name}</button>)}
      </div>
      <div class={`columns${isOpen ? " with-drawer" : ""}`} data-shown={shown} hidden={hidden} ref={frame}>
        {children}
        {drawer !== undefined && <button class="drawer-button" aria-expanded={isOpen} onClick={toggle}>{names[drawer.column - 1]} <kbd>{drawer.key}</kbd></button>}
      </div>
    </>
  );
}
