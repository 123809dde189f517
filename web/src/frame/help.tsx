// Keyboard help.
import { signal } from "@preact/signals";
import type { JSX } from "preact";
import { setSingleKeys, singleKeys, useKeys } from "./keys";

export const helpIsOpen = signal(false);

const KEYS: readonly (readonly [string, readonly (readonly [string, string])[]])[] = [
  ["Everywhere", [["/ or Ctrl K", "search"], ["Esc", "close the topmost thing"], ["g h, g m, g c, g q, g t", "home, map, change, query, tasks"], ["y", "copy link"], ["e", "save as one file"], ["Alt ←, Alt →", "back, forward"]]],
  ["Lists", [["↑ ↓ or k j", "move"], ["→ ←", "open and close a hop or group"], ["Enter", "open"], ["Shift Enter", "open in a new tab"]]],
  ["Symbol", [["1 2 3", "callers, source, calls"], ["p", "path to"], ["f", "file"], ["t", "tests"], ["u", "unresolved calls"]]],
  ["Change", [["[ ]", "previous, next card"], ["c", "copy the test command"], ["m", "copy as Markdown"], ["l", "list of changed definitions"]]],
  ["Map", [["arrows", "nearest box"], ["Enter, Backspace", "in, out"], ["x", "matrix"], ["i", "selected part"]]],
  ["File", [["o", "outline"], ["Page Up, Page Down", "scroll"]]],
  ["Query and tasks", [["Ctrl Enter", "run"], ["n", "new task"], ["a, d", "answer the prompt"], ["!", "go to the prompt"]]],
];

export function Help(): JSX.Element | null {
  useKeys(helpIsOpen.value ? { Escape: () => (helpIsOpen.value = false) } : {});
  if (!helpIsOpen.value) return null;
  return (
    <div class="scrim" onClick={() => (helpIsOpen.value = false)}>
      <div class="help" role="dialog" aria-modal="true" aria-label="Keyboard" onClick={(event) => event.stopPropagation()}>
        <h2>Keyboard</h2>
        <div class="help-groups">
          {KEYS.map(([title, keys]) => (
            <section><h3 class="cap">{title}</h3><dl>{keys.map(([key, words]) => <div class="row s"><dt><kbd>{key}</kbd></dt><dd>{words}</dd></div>)}</dl></section>
          ))}
        </div>
        <label class="row s"><input type="checkbox" checked={singleKeys.value} onChange={(event) => setSingleKeys(event.currentTarget.checked)} /> Single keys work outside of text fields</label>
        <button autoFocus onClick={() => (helpIsOpen.value = false)}>Close <kbd>Esc</kbd></button>
      </div>
    </div>
  );
}
