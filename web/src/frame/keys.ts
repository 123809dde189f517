// Single keys outside of text fields. The newest view's keys come first; readers can switch single keys off.
import { signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";

export type KeyMap = Readonly<Record<string, (event: KeyboardEvent) => void>>;

const SETTING = "repoquarry.single-keys";
const SEQUENCE_MILLISECONDS = 1200;
const layers: { current: KeyMap }[] = [];
let prefix = "";
let prefixTime = 0;

export const singleKeys = signal(typeof localStorage === "undefined" || localStorage.getItem(SETTING) !== "off");

export function setSingleKeys(isOn: boolean): void {
  singleKeys.value = isOn;
  localStorage.setItem(SETTING, isOn ? "on" : "off");
}

/** Handle keys while the component is shown. Names are `event.key` values, `g h` for sequences, `Ctrl+k` with Control. */
export function useKeys(keys: KeyMap): void {
  const layer = useRef(keys);
  layer.current = keys;
  useEffect(() => {
    layers.push(layer);
    return () => void layers.splice(layers.indexOf(layer), 1);
  }, []);
}

function isTextField(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || ["INPUT", "TEXTAREA", "SELECT"].includes(target.tagName));
}

/** Whether a dialog is open: its keys are its own, so the keys of the view behind it are off. */
function dialogIsOpen(): boolean {
  return document.querySelector('[aria-modal="true"]') !== null;
}

function keyName(event: KeyboardEvent): string {
  if (event.ctrlKey || event.metaKey) return `Ctrl+${event.key}`;
  return prefix !== "" && event.timeStamp - prefixTime < SEQUENCE_MILLISECONDS ? `${prefix} ${event.key}` : event.key;
}

function onKeyDown(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.altKey) return;
  const name = keyName(event);
  prefix = "";
  const isPlain = name !== "Escape" && !name.startsWith("Ctrl+");
  if (isPlain && (isTextField(event.target) || dialogIsOpen() || !singleKeys.value)) return;
  if (name === "g") {
    [prefix, prefixTime] = ["g", event.timeStamp];
    return;
  }
  for (const layer of [...layers].reverse()) {
    const handle = layer.current[name];
    if (handle === undefined) continue;
    event.preventDefault();
    handle(event);
    return;
  }
}

export function listenToKeys(): void {
  document.addEventListener("keydown", onKeyDown);
}
