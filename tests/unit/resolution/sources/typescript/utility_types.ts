interface Api {
  load(): void;
}
function use(part: Partial<Api>, fixed: Readonly<Pick<Api, "load">>, by: Record<string, Api>) {
  part.load!();
  // ^ calls: utility_types.Api.load
  fixed.load();
  // ^ calls: utility_types.Api.load
  by["x"].load();
  // ^ calls: utility_types.Api.load
}
