// Short results of the reader's own actions, one at a time, and the polite region for screen readers.
import { signal } from "@preact/signals";
import type { JSX } from "preact";

const TOAST_MILLISECONDS = 5000;
const toast = signal("");
const announcement = signal("");
let timer = 0;

export function showToast(text: string): void {
  toast.value = text;
  clearTimeout(timer);
  timer = window.setTimeout(() => (toast.value = ""), TOAST_MILLISECONDS);
}

/** Tell screen readers something that happened without the reader's action. */
export function announce(text: string): void {
  announcement.value = text;
}

export async function copyText(text: string, what: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    showToast(`${what} copied`);
  } catch {
    showToast(`The browser refused to copy. ${what}: ${text}`);
  }
}

export function copyLink(): void {
  void copyText(location.href, "Link");
}

export function CopyLink(): JSX.Element {
  return <button onClick={copyLink}>Copy link <kbd>y</kbd></button>;
}

export function Toasts(): JSX.Element {
  return (
    <>
      <div class="toast" role="status" hidden={toast.value === ""}>{toast.value}</div>
      <div class="unseen" aria-live="polite">{announcement.value}</div>
    </>
  );
}
