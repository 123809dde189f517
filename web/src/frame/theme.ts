// Light or dark colors: the system's, until the reader chooses.
const SETTING = "repoquarry.theme";

export function applyTheme(): void {
  const chosen = localStorage.getItem(SETTING) ?? "";
  document.documentElement.classList.remove("light", "dark");
  if (chosen !== "") document.documentElement.classList.add(chosen);
}

export function toggleTheme(): void {
  const root = document.documentElement.classList;
  const isDark = root.contains("dark") || (!root.contains("light") && matchMedia("(prefers-color-scheme: dark)").matches);
  localStorage.setItem(SETTING, isDark ? "light" : "dark");
  applyTheme();
}

/** Follow the system's colors alone, where nothing can be stored. */
export function applySystemTheme(): void {
  document.documentElement.classList.remove("light", "dark");
}
