// Addresses of the page: the path says what is shown, the query says how.
import { signal } from "@preact/signals";

const SCROLL_MILLISECONDS = 200;

export type Route = { readonly parameters: URLSearchParams } & (
  | { readonly view: "start" | "query" | "missing" }
  | { readonly view: "home"; readonly repository: string }
  | { readonly view: "symbol"; readonly repository: string; readonly symbol: string }
  | { readonly view: "file" | "map"; readonly repository: string; readonly path: string }
  | { readonly view: "change"; readonly repository: string; readonly range: string }
  | { readonly view: "tasks"; readonly name: string }
);

/** Return the route of an address. */
export function parseRoute(pathname: string, search: string): Route {
  const parameters = new URLSearchParams(search);
  const parts = pathname.split("/").filter((part) => part !== "").map(decode);
  const [first = "", second = "", view = "", ...rest] = parts;
  const tail = rest.join("/");
  if (first === "") return { view: "start", parameters };
  if (first === "query" && second === "") return { view: "query", parameters };
  if (first === "tasks" || first === "jobs") return { view: "tasks", name: second === "" ? "" : `${first}/${second}`, parameters };
  if (first !== "r" || second === "") return { view: "missing", parameters };
  const repository = second;
  if (view === "") return { view: "home", repository, parameters };
  if (view === "s" && tail !== "") return { view: "symbol", repository, symbol: tail, parameters };
  if (view === "f" && tail !== "") return { view: "file", repository, path: tail, parameters };
  if (view === "map") return { view: "map", repository, path: tail, parameters };
  if (view === "change") return { view: "change", repository, range: tail || "worktree", parameters };
  return { view: "missing", parameters };
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

const currentUrl = (): string => location.pathname + location.search;

/** Current address. Read it to follow navigation. */
export const address = signal(typeof location === "undefined" ? "/" : currentUrl());

/** Go to an address of this page. `replace` is for options, which are no step of their own to go back over. */
export function navigate(url: string, replace = false): void {
  if (replace) history.replaceState(history.state, "", url);
  else {
    saveScroll();
    history.pushState(null, "", url);
  }
  address.value = currentUrl();
}

/** Save the positions of the columns in the current entry of the history, for back and forward. */
function saveScroll(): void {
  const places = [...document.querySelectorAll(".scroll")].map((element) => element.scrollTop);
  history.replaceState({ scroll: places }, "");
}

/** Set options of the current view; an empty value removes the option. */
export function setOptions(options: Readonly<Record<string, string>>): void {
  const parameters = new URLSearchParams(location.search);
  for (const [name, value] of Object.entries(options)) {
    if (value === "") parameters.delete(name);
    else parameters.set(name, value);
  }
  const query = parameters.toString();
  navigate(location.pathname + (query === "" ? "" : `?${query}`), true);
}

/** Follow links and the back button inside the page. */
export function followLinks(): void {
  let timer = 0;
  const saveLater = (): void => {
    clearTimeout(timer);
    timer = setTimeout(saveScroll, SCROLL_MILLISECONDS);
  };
  addEventListener("scroll", saveLater, { capture: true, passive: true });
  addEventListener("popstate", () => (address.value = currentUrl()));
  addEventListener("click", (event) => {
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    if (link?.getAttribute("href")?.startsWith("#") === true) return;
    if (link === null || event.defaultPrevented || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (link.origin !== location.origin || link.target !== "" || link.hasAttribute("download")) return;
    event.preventDefault();
    navigate(link.pathname + link.search);
  });
}
