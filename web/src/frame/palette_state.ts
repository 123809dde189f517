// Whether the search palette is open, and what choosing a name in it does.
import { signal } from "@preact/signals";

export type PaletteMode = "closed" | "find" | "path";

export const paletteMode = signal<PaletteMode>("closed");

export function openPalette(mode: PaletteMode): void {
  paletteMode.value = mode;
}
