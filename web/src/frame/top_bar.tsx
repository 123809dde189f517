// Top bar: repository, search, views, theme, help.
import { signal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { counted, shortName } from "../format";
import { PAGE_LINKS } from "../links";
import type { Route } from "../route";
import { repositories, tasks } from "../services";
import { Text } from "../text";
import type { Repository } from "../v1/repoquarry/v1/repository_service_pb";
import { Task_State } from "../v1/repoquarry/v1/task_service_pb";
import { basis } from "./basis_bar";
import { helpIsOpen } from "./help";
import { useKeys } from "./keys";
import { openPalette } from "./palette_state";
import { toggleTheme } from "./theme";

const IDLE_MILLISECONDS = 1500;

/** Tasks that wait for approval. */
export const waitingTasks = signal(0);

/** Repository of the open task or index job, "" for several; null where the address names what is shown. */
export const shownRepository = signal<string | null>(null);

/** Name the repositories of what is open in the top bar, for as long as it is. */
export function useShownRepository(names: readonly string[]): void {
  const [only = "", ...others] = names;
  const shown = others.length > 0 ? "" : shortName(only);
  useEffect(() => {
    shownRepository.value = shown;
    return () => void (shownRepository.value = null);
  }, [shown]);
}

export function TopBar({ route, repository }: { route: Route; repository: string }): JSX.Element {
  useWaitingTasks();
  return (
    <header class="top">
      <a class="logo" aria-label="RepoQuarry" href={repository === "" ? "/" : PAGE_LINKS.repository(repository)}><Logo /><span class="word">RepoQuarry</span></a>
      <RepositoryPicker repository={repository} />
      <button class="search" onClick={() => openPalette("find")} aria-label="Find a name or ask a question">
        <SearchIcon /><span class="el">Find a name or ask a question</span><span class="sp" /><kbd>/</kbd>
      </button>
      <nav class="nav" aria-label="Views">
        {viewLinks(repository).map(([view, name, href]) => (
          <a href={href} {...(route.view === view ? { "aria-current": "page" as const } : {})}>{name}{view === "tasks" && waitingTasks.value > 0 && <span class="pill">{waitingTasks.value} waiting</span>}</a>
        ))}
      </nav>
      <button class="icon" aria-label="Light or dark colors" title="Light or dark" onClick={toggleTheme}><ThemeIcon /></button>
      <button class="icon" aria-label="Keyboard help" onClick={() => (helpIsOpen.value = true)}><kbd>?</kbd></button>
    </header>
  );
}

/** Return the views with their names and addresses. */
export function viewLinks(repository: string): [Route["view"], string, string][] {
  const root = repository === "" ? "" : PAGE_LINKS.repository(repository);
  const scope = repository === "" ? "" : `?in=${encodeURIComponent(repository)}`;
  return [
    ["home", "Home", root || "/"],
    ["map", "Map", root === "" ? "/" : `${root}/map`],
    ["change", "Change", root === "" ? "/" : `${root}/change/worktree`],
    ["query", "Query", `/query${scope}`],
    ["tasks", "Tasks", "/tasks"],
  ];
}

/** Count waiting tasks once the view has loaded; a token without the scope sees none. */
function useWaitingTasks(): void {
  useEffect(() => {
    const timer = setTimeout(() => {
      tasks.listTasks({ states: [Task_State.WAITING] }).then((response) => (waitingTasks.value = response.tasks.length), () => undefined);
    }, IDLE_MILLISECONDS);
    return () => clearTimeout(timer);
  }, []);
}

function RepositoryPicker({ repository }: { repository: string }): JSX.Element {
  const [known, setKnown] = useState<readonly Repository[] | null>(null);
  useKeys(known === null ? {} : { Escape: () => setKnown(null) });
  const toggle = (): void => {
    if (known !== null) setKnown(null);
    else repositories.listRepositories({ pageSize: 100 }).then((response) => setKnown(response.repositories), () => setKnown([]));
  };
  const own = basis.value?.repositories.find((each) => shortName(each.repository) === repository);
  const version = own === undefined ? "" : (own.commit || own.revision).slice(0, 7);
  return (
    <div class="picker">
      <button class="repo el" aria-haspopup="listbox" aria-expanded={known !== null} onClick={toggle}><Text text={repository || "all repositories"} /> <span class="t3 m">{version}</span> <span class="t3">▾</span></button>
      {known !== null && (
        <ul class="picker-list card" aria-label="Repositories" onClick={() => setKnown(null)}>
          {known.length === 0 && <li class="t3 s">No repository is indexed.</li>}
          {known.map((each) => <li><a class="row" href={PAGE_LINKS.repository(each.name)}><b class="el"><Text text={each.displayName || shortName(each.name)} /></b><span class="sp" /><span class="t3 s">{counted(each.files, "file")}</span></a></li>)}
        </ul>
      )}
    </div>
  );
}

function Logo(): JSX.Element {
  return <svg width="18" height="18" viewBox="0 0 18 18" aria-hidden="true"><path class="ink" d="M1 12h7v5H1zM10 12h7v5h-7zM8 1h3v4H8z" /><path class="accent" d="M5.5 6.5h7v4h-7z" /></svg>;
}

function SearchIcon(): JSX.Element {
  return <svg width="13" height="13" viewBox="0 0 13 13" fill="none" stroke="currentColor" stroke-width="1.5" aria-hidden="true"><circle cx="5.5" cy="5.5" r="4" /><path d="m8.7 8.7 3.3 3.3" /></svg>;
}

function ThemeIcon(): JSX.Element {
  return <svg width="15" height="15" viewBox="0 0 16 16" aria-hidden="true"><circle cx="8" cy="8" r="6.2" fill="none" stroke="currentColor" stroke-width="1.5" /><path d="M8 1.8a6.2 6.2 0 0 1 0 12.4z" fill="currentColor" /></svg>;
}
