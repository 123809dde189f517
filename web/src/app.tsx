// The page: frame and the view of the current address.
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { ChangeView } from "./change/change_view";
import { basis, BasisBar, serviceFailure } from "./frame/basis_bar";
import { Help, helpIsOpen } from "./frame/help";
import { useKeys } from "./frame/keys";
import { Reindex } from "./frame/reindex";
import { Palette } from "./frame/palette";
import { openPalette, paletteMode } from "./frame/palette_state";
import { copyLink, Toasts } from "./frame/toast";
import { shownRepository, TopBar, viewLinks } from "./frame/top_bar";
import { FileView } from "./file/file_view";
import { HomeView } from "./home/home_view";
import { StartView } from "./home/start_view";
import { MapView } from "./map/map_view";
import { QueryView } from "./query/query_view";
import { address, navigate, parseRoute, type Route } from "./route";
import { SymbolView } from "./symbol/symbol_view";
import { TasksView } from "./tasks/tasks_view";

const LAST_REPOSITORY = "repoquarry.repository";

/** Return the repository of a route, or the last one that was shown. */
function routeRepository(route: Route): string {
  if ("repository" in route) {
    localStorage.setItem(LAST_REPOSITORY, route.repository);
    return route.repository;
  }
  return route.parameters.get("in") ?? (route.view === "start" ? "" : localStorage.getItem(LAST_REPOSITORY) ?? "");
}

export function App(): JSX.Element {
  const [pathname = "/", search = ""] = address.value.split(/(?=\?)/);
  const route = parseRoute(pathname, search);
  const repository = shownRepository.value ?? routeRepository(route);
  useEffect(() => {
    document.title = `${decodeURIComponent(pathname).split("/").at(-1) || "Repositories"} · RepoQuarry`;
  }, [pathname]);
  useKeys({ ...globalKeys(repository) });
  return (
    <>
      <TopBar route={route} repository={repository} />
      <main key={route.view}><View route={route} /></main>
      <BasisBar basis={basis.value} failure={serviceFailure.value} action={<Reindex repository={basis.value?.repositories[0]} />} />
      <Palette repository={repository} />
      <Help />
      <Toasts />
    </>
  );
}

function globalKeys(repository: string): Record<string, () => void> {
  const [home, map, change, query, tasks] = viewLinks(repository).map(([, , href]) => () => navigate(href));
  const find = (): void => openPalette("find");
  const close = (): void => {
    if (helpIsOpen.value) helpIsOpen.value = false;
    else if (paletteMode.value !== "closed") openPalette("closed");
  };
  const none = (): void => undefined;
  return {
    "/": find, "Ctrl+k": find, "?": () => (helpIsOpen.value = true), y: copyLink, Escape: close,
    "g h": home ?? none, "g m": map ?? none, "g c": change ?? none, "g q": query ?? none, "g t": tasks ?? none,
  };
}

function View({ route }: { route: Route }): JSX.Element {
  switch (route.view) {
    case "start": return <StartView />;
    case "symbol": return <SymbolView {...route} />;
    case "change": return <ChangeView {...route} />;
    case "home": return <HomeView {...route} />;
    case "file": return <FileView {...route} />;
    case "map": return <MapView {...route} />;
    case "query": return <QueryView {...route} />;
    case "tasks": return <TasksView {...route} />;
    case "missing": return <div class="plain-page"><h1>This address names no view.</h1><p><a href="/">Repositories</a></p></div>;
  }
}
