const routes = {
  home() {},
} satisfies Record<string, () => void>;
routes.home();
// ^ calls: satisfies.routes.home
