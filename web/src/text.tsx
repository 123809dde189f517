// Text from repositories. It is data: never markup, never a link, and characters that hide or reorder text become visible.
import type { ComponentChildren, JSX } from "preact";

const INVISIBLE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/;
const MAX_NAME_CHARACTERS = 120;

/** Text with visible control characters. */
export function Text({ text }: { text: string }): JSX.Element {
  if (!INVISIBLE.test(text)) return <>{text}</>;
  const parts = text.split(new RegExp(`(${INVISIBLE.source})`));
  return <>{parts.map((part) => (INVISIBLE.test(part) ? <span class="chip m">{codePoint(part)}</span> : part))}</>;
}

function codePoint(character: string): string {
  return `U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}`;
}

/** Return a name cut in the middle above 120 characters. */
export function cutName(name: string): string {
  if (name.length <= MAX_NAME_CHARACTERS) return name;
  const half = MAX_NAME_CHARACTERS / 2 - 1;
  return `${name.slice(0, half)}…${name.slice(-half)}`;
}

/** Name of a definition: the owner dim, the last part bold. */
export function OwnedName({ name }: { name: string }): JSX.Element {
  const shown = cutName(name);
  const dot = shown.lastIndexOf(".") + 1;
  return (
    <>
      <Text text={shown.slice(0, dot)} />
      <b><Text text={shown.slice(dot)} /></b>
    </>
  );
}

/** Source without its coloring, one line, with a tooltip for what does not fit. */
export function Code({ text, class: name = "" }: { text: string; class?: string }): JSX.Element {
  return <code class={`src el ${name}`} title={text}><Text text={text} /></code>;
}

/** Words for screen readers only; they complete what is seen, so that the accessible name contains it. */
export function Spoken({ text }: { text: string }): JSX.Element {
  return <span class="unseen">{text}</span>;
}

export function Badge({ children }: { children: ComponentChildren }): JSX.Element {
  return <span class="badge">{children}</span>;
}
